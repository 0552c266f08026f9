//! The vectors of the docs of a pack, model by model, one after the other.

use crate::vector::{Embedding, Sketch, cosine, distance};

/// Those of one model.
#[derive(Debug)]
pub(crate) struct Vectors {
    pub(super) model: i32,
    dimensions: usize,
    /// Whose they are, ascending; a doc has one for each of its parts.
    docs: Box<[u32]>,
    scales: Box<[f32]>,
    values: Box<[i8]>,
    /// What a glance tells of each: [`Sketch`]es, one after the other.
    sketches: Box<[u64]>,
}

/// A vector on its way into a pack: of which doc, by which model and with how many numbers.
pub(super) struct NewVector<'v> {
    pub(super) doc: u32,
    pub(super) model: i32,
    pub(super) scale: f32,
    pub(super) values: &'v [i8],
}

impl Vectors {
    /// Sorts vectors by what can be compared.
    pub(super) fn of(mut vectors: Vec<NewVector<'_>>) -> Box<[Self]> {
        let space = |vector: &NewVector<'_>| (vector.model, vector.values.len());
        vectors.sort_unstable_by_key(|vector| (space(vector), vector.doc));
        let of_space = |vectors: &[NewVector<'_>]| {
            let (model, dimensions) = space(&vectors[0]);
            Vectors {
                model,
                dimensions,
                docs: vectors.iter().map(|vector| vector.doc).collect(),
                scales: vectors.iter().map(|vector| vector.scale).collect(),
                values: vectors.iter().flat_map(|vector| vector.values).copied().collect(),
                sketches: vectors.iter().flat_map(|vector| Sketch::words(vector.values)).collect(),
            }
        };
        vectors.chunk_by(|a, b| space(a) == space(b)).map(of_space).collect()
    }

    /// Each vector with its doc.
    pub(super) fn iter(&self) -> impl Iterator<Item = (u32, f32, &[i8])> {
        let values = self.values.chunks_exact(self.dimensions);
        self.docs.iter().zip(&self.scales).zip(values).map(|((&doc, &scale), values)| (doc, scale, values))
    }

    /// Whether they are of the space that `asked` is of; those of another have nothing in common with it.
    pub(crate) fn are_comparable(&self, asked: &Embedding) -> bool {
        self.model == asked.model && self.dimensions == asked.vector.dimensions()
    }

    /// Whose they are, in order.
    pub(crate) fn docs(&self) -> &[u32] {
        &self.docs
    }

    /// The cosine of one of them, by number, and `asked`, of the same space.
    pub(crate) fn cosine(&self, number: usize, asked: &Embedding) -> f64 {
        let values = &self.values[number * self.dimensions..][..self.dimensions];
        cosine((self.scales[number], values), (asked.vector.scale(), asked.vector.values()))
    }

    /// How far each is from `asked`, of the same space, at a glance.
    pub(crate) fn distances(&self, asked: &Sketch) -> impl Iterator<Item = u16> {
        self.sketches.chunks_exact(asked.0.len()).map(|sketch| distance(sketch, &asked.0))
    }

    pub(super) fn size_bytes(&self) -> usize {
        size_of::<Vectors>()
            + size_of_val(&*self.docs)
            + size_of_val(&*self.scales)
            + self.values.len()
            + size_of_val(&*self.sketches)
    }
}
