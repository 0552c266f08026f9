//! The vectors of the docs of a pack, model by model, one after the other.

use crate::vector::{Vector, cosine};

/// Those of one model.
#[derive(Debug)]
pub(crate) struct Vectors {
    pub(super) model: i32,
    dimensions: usize,
    /// Whose they are, ascending; a doc has one for each of its parts.
    docs: Box<[u32]>,
    scales: Box<[f32]>,
    values: Box<[i8]>,
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
            }
        };
        vectors.chunk_by(|a, b| space(a) == space(b)).map(of_space).collect()
    }

    /// Each vector with its doc.
    pub(super) fn iter(&self) -> impl Iterator<Item = (u32, f32, &[i8])> {
        let values = self.values.chunks_exact(self.dimensions);
        self.docs.iter().zip(&self.scales).zip(values).map(|((&doc, &scale), values)| (doc, scale, values))
    }

    /// The cosine of each vector and `asked`, with its doc; nothing when the two are of different spaces.
    pub(crate) fn cosines(&self, model: i32, asked: &Vector) -> impl Iterator<Item = (u32, f64)> {
        let is_comparable = self.model == model && self.dimensions == asked.dimensions();
        let asked = (asked.scale(), asked.values());
        let vectors = is_comparable.then(|| self.iter()).into_iter().flatten();
        vectors.map(move |(doc, scale, values)| (doc, cosine((scale, values), asked)))
    }

    pub(super) fn size_bytes(&self) -> usize {
        size_of::<Vectors>() + size_of_val(&*self.docs) + size_of_val(&*self.scales) + self.values.len()
    }
}
