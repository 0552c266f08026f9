//! The vectors of the documents of a segment, by model.

use crate::vector::{Embedding, cosine, distance, sketch};

/// The vectors of one model and dimension.
#[derive(Debug)]
pub(crate) struct VectorColumn {
    pub(super) model: i32,
    dimensions: usize,
    /// The document of each vector, ascending; a document has one vector per chunk.
    pub(crate) docs: Box<[u32]>,
    scales: Box<[f32]>,
    values: Box<[i8]>,
    /// The [`sketch`] of each vector.
    sketches: Box<[u64]>,
}

/// A vector that is added to a segment.
pub(super) struct NewVector<'v> {
    pub(super) doc: u32,
    pub(super) model: i32,
    pub(super) scale: f32,
    pub(super) values: &'v [i8],
}

impl VectorColumn {
    /// Groups vectors by model and dimension.
    pub(super) fn group(mut vectors: Vec<NewVector<'_>>) -> Box<[Self]> {
        let space = |vector: &NewVector<'_>| (vector.model, vector.values.len());
        vectors.sort_unstable_by_key(|vector| (space(vector), vector.doc));
        let column = |vectors: &[NewVector<'_>]| {
            let (model, dimensions) = space(&vectors[0]);
            VectorColumn {
                model,
                dimensions,
                docs: vectors.iter().map(|vector| vector.doc).collect(),
                scales: vectors.iter().map(|vector| vector.scale).collect(),
                values: vectors.iter().flat_map(|vector| vector.values).copied().collect(),
                sketches: vectors.iter().flat_map(|vector| sketch(vector.values)).collect(),
            }
        };
        vectors.chunk_by(|a, b| space(a) == space(b)).map(column).collect()
    }

    /// Each vector: its document, scale and values.
    pub(super) fn iter(&self) -> impl Iterator<Item = (u32, f32, &[i8])> {
        let values = self.values.chunks_exact(self.dimensions);
        self.docs.iter().zip(&self.scales).zip(values).map(|((&doc, &scale), values)| (doc, scale, values))
    }

    /// Whether the vectors are of the model and dimension of `query`; others are not comparable.
    pub(crate) fn is_comparable(&self, query: &Embedding) -> bool {
        self.model == query.model && self.dimensions == query.vector.dimensions()
    }

    /// The cosine of one vector, by number, and a comparable query.
    pub(crate) fn cosine(&self, number: usize, query: &Embedding) -> f64 {
        let values = &self.values[number * self.dimensions..][..self.dimensions];
        cosine((self.scales[number], values), (query.vector.scale(), query.vector.values()))
    }

    /// The distance of each sketch from that of a comparable query.
    pub(crate) fn distances(&self, query: &[u64]) -> impl Iterator<Item = u16> {
        self.sketches.chunks_exact(query.len()).map(|sketch| distance(sketch, query))
    }

    pub(super) fn size_bytes(&self) -> usize {
        size_of::<VectorColumn>()
            + size_of_val(&*self.docs)
            + size_of_val(&*self.scales)
            + self.values.len()
            + size_of_val(&*self.sketches)
    }
}
