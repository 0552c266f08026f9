//! The bytes of a segment, in memory as in the database.
//!
//! Version, number of documents; the strings of properties; the passages; the properties of the documents;
//! their sessions; their order by time; the languages; the stems; the irregular stems; the [records](super::postings) of
//! the stems and their ends; the vectors; a checksum of all that, in the eight bytes of [`PADDING`].
//!
//! What a search uses is a column at a position, so nothing is built when a segment is read. It is only checked: every
//! number that refers to something else is in range, so that later reads need no errors.

use std::ops::Range;
use std::sync::Arc;

use super::column::{ColumnReader, PADDING, check};
use super::passages::Passages;
use super::record_check::check_record;
use super::row::RowColumns;
use super::segment::{LanguageStems, Segment, SessionHashes};
use super::timeline::{Newest, SessionColumn};
use super::vectors::VectorColumn;
use crate::bytes::{ByteWriter, long_checksum};
use crate::text::Language;

/// Increase it for each change of the format, and for each change of what documents are made of, such as
/// [`ContentSketch`](crate::text::ContentSketch).
const VERSION: u8 = 2;

/// Why bytes are not a segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SegmentError {
    /// Written by another version of this crate.
    #[error("segment of version `{0}`; this server reads version `{VERSION}`")]
    Version(u8),
    /// The bytes end too early.
    #[error("segment ends too early")]
    Truncated,
    /// The bytes are not those that were written.
    #[error("segment with another checksum")]
    Checksum,
    /// This crate cannot have written the bytes.
    #[error("segment is damaged: {0}")]
    Damaged(&'static str),
}

/// Begins the bytes of a segment.
pub(super) fn begin(docs: usize) -> ByteWriter {
    let mut out = ByteWriter::default();
    out.byte(VERSION);
    out.number(docs as u64);
    out
}

/// Writes the ranges of the stems of each language.
pub(super) fn write_languages(out: &mut ByteWriter, languages: &[LanguageStems]) {
    out.number(languages.len() as u64);
    for LanguageStems { language, stems } in languages {
        out.byte(*language as u8);
        out.number(stems.end.into());
    }
}

/// Ends the bytes of a segment.
pub(super) fn finish(mut out: ByteWriter) -> Arc<[u8]> {
    let sum: [u8; PADDING] = long_checksum(&out.bytes).to_le_bytes();
    out.bytes.extend_from_slice(&sum);
    out.bytes.into()
}

impl Segment {
    /// Reads a segment from bytes that may be anything.
    ///
    /// # Complexity
    /// O(bytes), for the checks. Allocates nothing but the copies of a few numbers.
    pub(super) fn read(bytes: Arc<[u8]>) -> Result<Self, SegmentError> {
        let (content, sum) = bytes.split_last_chunk().ok_or(SegmentError::Truncated)?;
        check_version(content)?;
        if long_checksum(content) != u64::from_le_bytes(*sum) {
            return Err(SegmentError::Checksum);
        }
        let segment = Self::parse(bytes)?;
        segment.check_records()?;
        Ok(segment.with_statistics())
    }

    /// Reads a segment without checking the records of its stems.
    pub(super) fn parse(bytes: Arc<[u8]>) -> Result<Self, SegmentError> {
        let mut input = ColumnReader::new(Arc::clone(&bytes))?;
        input.byte()?;
        let docs = input.narrow()?;
        let symbols = input.strings()?;
        let passages = Passages::read(&mut input, docs)?;
        let rows = RowColumns::read(&mut input, docs, symbols.len())?;
        let sessions = SessionColumn::read(&mut input, docs, symbols.len())?;
        let newest = Newest::read(&mut input, docs)?;
        let languages = read_languages(&mut input)?;
        let stems = input.strings()?;
        check(languages.last().map_or(0, |last| last.stems.end) == stems.len(), "stems of no language")?;
        let irregular_stems = input.column_below(stems.len().into())?;
        let (records, record_ends) = (input.slice()?, input.ends()?);
        let is_whole = record_ends.len() == stems.len() && record_ends.start_of(stems.len()) as usize == records.len();
        check(is_whole, "records that do not match")?;
        let vectors = VectorColumn::read_all(&mut input, docs)?;
        input.finish()?;
        let (pronouns, earliest_expiry, latest_seq) = (Box::default(), i64::MAX, i64::MIN);
        let session_hashes = SessionHashes::default();
        Ok(Segment {
            bytes,
            rows,
            passages,
            sessions,
            newest,
            symbols,
            languages,
            stems,
            irregular_stems,
            records,
            record_ends,
            vectors,
            pronouns,
            earliest_expiry,
            latest_seq,
            session_hashes,
        })
    }

    fn check_records(&self) -> Result<(), SegmentError> {
        let (passages, records) = (self.passages.len() as u32, self.records.get());
        let mut start = 0;
        self.stems.iter().zip(self.record_ends.iter()).try_for_each(|(stem, end)| {
            let record = records.get(std::mem::replace(&mut start, end as usize)..end as usize);
            check_record(stem, record.unwrap_or_default(), passages)
        })
    }
}

fn check_version(content: &[u8]) -> Result<(), SegmentError> {
    match content.first() {
        Some(&VERSION) => Ok(()),
        Some(&other) => Err(SegmentError::Version(other)),
        None => Err(SegmentError::Truncated),
    }
}

fn read_languages(input: &mut ColumnReader) -> Result<Box<[LanguageStems]>, SegmentError> {
    let mut start = 0;
    let count = input.number()?;
    check(count <= Language::ALL.len() as u64, "more languages than there are")?;
    let language = |_| {
        let language = Language::ALL.get(usize::from(input.byte()?)).copied();
        let language = language.ok_or(SegmentError::Damaged("an unknown language"))?;
        let stems = Range { start, end: input.narrow()? };
        check(stems.start <= stems.end, "languages out of order")?;
        start = stems.end;
        Ok(LanguageStems { language, stems })
    };
    (0..count).map(language).collect()
}

#[cfg(test)]
#[path = "format_tests.rs"]
mod tests;
