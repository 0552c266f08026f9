//! The vectors of the documents of a segment, by model.

use super::SegmentError;
use super::column::{Column, ColumnReader, Slice, check};
use crate::bytes::ByteWriter;
use crate::vector::{Embedding, cosine, distance, sketch};

const SCALE_BYTES: usize = size_of::<f32>();
const WORD_BYTES: usize = size_of::<u64>();

/// The vectors of one model and dimension.
pub(crate) struct VectorColumn {
    pub(super) model: i32,
    dimensions: usize,
    /// The document of each vector, ascending; a document has one vector per chunk.
    docs: Column,
    scales: Slice,
    values: Slice,
    /// The [`sketch`] of each vector.
    sketches: Slice,
}

/// A vector that is added to a segment.
pub(super) struct NewVector<'v> {
    pub(super) doc: u32,
    pub(super) model: i32,
    pub(super) scale: f32,
    /// Two's complements.
    pub(super) values: &'v [u8],
}

impl VectorColumn {
    /// Writes vectors by model and dimension.
    pub(super) fn write_all(out: &mut ByteWriter, mut vectors: Vec<NewVector<'_>>) {
        let space = |vector: &NewVector<'_>| (vector.model, vector.values.len());
        vectors.sort_by_key(|vector| (space(vector), vector.doc));
        let columns: Vec<&[NewVector<'_>]> = vectors.chunk_by(|a, b| space(a) == space(b)).collect();
        out.number(columns.len() as u64);
        for column in columns {
            let (model, dimensions) = space(&column[0]);
            out.bytes.extend_from_slice(&model.to_le_bytes());
            out.number(dimensions as u64);
            out.column(column.iter().map(|vector| vector.doc.into()));
            column.iter().for_each(|vector| out.bytes.extend_from_slice(&vector.scale.to_le_bytes()));
            column.iter().for_each(|vector| out.bytes.extend_from_slice(vector.values));
            let sketches = column.iter().flat_map(|vector| sketch(vector.values));
            sketches.for_each(|word| out.bytes.extend_from_slice(&word.to_le_bytes()));
        }
    }

    /// Reads the vectors of `docs` documents.
    pub(super) fn read_all(input: &mut ColumnReader, docs: u32) -> Result<Box<[Self]>, SegmentError> {
        let count = input.number()?;
        (0..count).map(|_| Self::read(input, docs)).collect()
    }

    fn read(input: &mut ColumnReader, docs: u32) -> Result<Self, SegmentError> {
        let model = input.slice_of(size_of::<i32>())?;
        let model = model.get().first_chunk().copied().map_or(0, i32::from_le_bytes);
        let dimensions = input.narrow()? as usize;
        let of_docs = input.column_below(docs.into())?;
        let len = of_docs.len() as usize;
        check(dimensions > 0 && of_docs.iter().is_sorted(), "vectors without a document")?;
        let part = |input: &mut ColumnReader, size: usize| {
            input.slice_of(len.checked_mul(size).ok_or(SegmentError::Truncated)?)
        };
        let (scales, values) = (part(input, SCALE_BYTES)?, part(input, dimensions)?);
        let sketches = part(input, dimensions.div_ceil(64) * WORD_BYTES)?;
        Ok(VectorColumn { model, dimensions, docs: of_docs, scales, values, sketches })
    }

    /// Number of vectors.
    pub(crate) fn len(&self) -> usize {
        self.docs.len() as usize
    }

    /// The document of each vector, ascending.
    pub(crate) fn docs(&self) -> impl Iterator<Item = u32> {
        self.docs.iter().map(|doc| doc as u32)
    }

    /// Each vector: its document, scale and values.
    pub(super) fn iter(&self) -> impl Iterator<Item = (u32, f32, &[u8])> {
        let values = self.values.get().chunks_exact(self.dimensions);
        (0..).zip(self.docs()).zip(values).map(|((number, doc), values)| (doc, self.scale(number), values))
    }

    /// The vectors of one document: the scale and the values of each.
    pub(super) fn of_doc(&self, doc: u32) -> impl Iterator<Item = (f32, &[u8])> {
        let start = self.docs.partition_point(|other| other < doc.into());
        let numbers = (start..self.docs.len()).take_while(move |&number| self.docs.get(number) == doc.into());
        numbers.map(|number| {
            let start = number as usize * self.dimensions;
            let values = self.values.get().get(start..start + self.dimensions).unwrap_or_default();
            (self.scale(number as usize), values)
        })
    }

    fn scale(&self, number: usize) -> f32 {
        let scales = self.scales.get().as_chunks::<SCALE_BYTES>().0;
        f32::from_le_bytes(scales.get(number).copied().unwrap_or_default())
    }

    /// Whether the vectors are of the model and dimension of `query`; others are not comparable.
    pub(crate) fn is_comparable(&self, query: &Embedding) -> bool {
        self.model == query.model && self.dimensions == query.vector.dimensions()
    }

    /// The cosine of one vector, by number, and a comparable query.
    pub(crate) fn cosine(&self, number: usize, query: &Embedding) -> f64 {
        let start = number * self.dimensions;
        let values = self.values.get().get(start..start + self.dimensions).unwrap_or_default();
        cosine((self.scale(number), values), (query.vector.scale(), query.vector.values()))
    }

    /// The distance of each sketch from that of a comparable query.
    pub(crate) fn distances(&self, query: &[u64]) -> impl Iterator<Item = u16> {
        let sketches = self.sketches.get().chunks_exact((query.len() * WORD_BYTES).max(1));
        sketches.map(|sketch| {
            let words = sketch.as_chunks().0.iter().map(|word| u64::from_le_bytes(*word));
            distance(words, query)
        })
    }
}
