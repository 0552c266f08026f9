//! [`Doc`] to bytes and back.
//!
//! Version 2, in this order: version, flags, id, seq, number, created_at, expires_at, confidence, strings, tags, language,
//! length, terms. Version 1 has no number, and no flag for questions; what it was written for is read all the same, as
//! the first of its moment and no question. A term is its stem as a change of the stem before, its word as a change of its stem, and the gaps
//! between its positions, each with a bit that says whether another follows. A memory of 200 bytes takes about 300.

use uuid::Uuid;

use super::{Doc, Meta};
use crate::bytes::{Reader, Writer};
use crate::text::{Analysis, Language, Terms};

const VERSION: u8 = 2;
const OLDER_VERSION: u8 = 1;

const PINNED: u8 = 1;
const EXPIRES: u8 = 2;
const SUBJECT: u8 = 4;
const SESSION: u8 = 8;
const RUN: u8 = 16;
const ASKS: u8 = 32;

/// Why bytes are not a [`Doc`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DecodeError {
    /// Written by another version of this crate.
    #[error("index row of version `{0}`; this server reads versions `1` and `2`")]
    Version(u8),
    /// The bytes end too early.
    #[error("index row ends too early")]
    Truncated,
    /// The bytes cannot have been written by [`Doc::encode`].
    #[error("index row is damaged: {0}")]
    Malformed(&'static str),
}

impl Doc {
    /// The compact form that the database keeps.
    pub fn encode(&self) -> Vec<u8> {
        let mut out = Writer::default();
        out.byte(VERSION);
        encode_meta(&mut out, &self.meta, self.analysis.asks);
        encode_analysis(&mut out, &self.analysis);
        out.bytes
    }

    /// The doc that [`encode`](Doc::encode) gave these bytes for.
    ///
    /// # Errors
    /// [`DecodeError`] for anything else; never a panic, and never more memory than a small multiple of `bytes`.
    pub fn decode(bytes: &[u8]) -> Result<Doc, DecodeError> {
        let mut input = Reader::new(bytes);
        let version = match input.byte()? {
            known @ (OLDER_VERSION | VERSION) => known,
            other => return Err(DecodeError::Version(other)),
        };
        let (meta, asks) = decode_meta(&mut input, version)?;
        let analysis = Analysis { asks, ..decode_analysis(&mut input)? };
        match input.left() {
            0 => Ok(Doc { meta, analysis, embeddings: None }),
            _ => Err(DecodeError::Malformed("something follows the last term")),
        }
    }
}

fn encode_meta(out: &mut Writer, meta: &Meta, asks: bool) {
    let flag = |is_set: bool, bit| if is_set { bit } else { 0 };
    out.byte(
        flag(meta.pinned, PINNED)
            | flag(meta.expires_at.is_some(), EXPIRES)
            | flag(meta.subject.is_some(), SUBJECT)
            | flag(meta.session_id.is_some(), SESSION)
            | flag(meta.run_id.is_some(), RUN)
            | flag(asks, ASKS),
    );
    out.bytes.extend_from_slice(meta.id.as_bytes());
    out.signed(meta.seq);
    out.signed(meta.number);
    out.signed(meta.created_at);
    if let Some(expires_at) = meta.expires_at {
        out.signed(expires_at);
    }
    out.bytes.extend_from_slice(&meta.confidence.to_le_bytes());
    for string in [&meta.namespace, &meta.kind, &meta.source] {
        out.string(string);
    }
    for string in [&meta.subject, &meta.session_id, &meta.run_id].into_iter().flatten() {
        out.string(string);
    }
    out.number(meta.tags.len() as u64);
    for tag in &meta.tags {
        out.string(tag);
    }
}

/// What a memory is filtered and sorted by, and whether it is a question.
fn decode_meta(input: &mut Reader<'_>, version: u8) -> Result<(Meta, bool), DecodeError> {
    let flags = input.byte()?;
    let is_older = version == OLDER_VERSION;
    let known = PINNED | EXPIRES | SUBJECT | SESSION | RUN | if is_older { 0 } else { ASKS };
    if flags > known {
        return Err(DecodeError::Malformed("a flag that its version does not have"));
    }
    let has = |bit| flags & bit != 0;
    let string = |input: &mut Reader<'_>| input.string().map(str::to_owned);
    let optional = |input: &mut Reader<'_>, bit| has(bit).then(|| string(input)).transpose();
    let meta = Meta {
        id: Uuid::from_bytes(input.array()?),
        seq: input.signed()?,
        number: if is_older { 0 } else { input.signed()? },
        created_at: input.signed()?,
        expires_at: has(EXPIRES).then(|| input.signed()).transpose()?,
        confidence: f64::from_le_bytes(input.array()?),
        pinned: has(PINNED),
        namespace: string(input)?,
        kind: string(input)?,
        source: string(input)?,
        subject: optional(input, SUBJECT)?,
        session_id: optional(input, SESSION)?,
        run_id: optional(input, RUN)?,
        tags: {
            let count = input.count()?;
            (0..count).map(|_| string(input)).collect::<Result<_, _>>()?
        },
    };
    Ok((meta, has(ASKS)))
}

fn encode_analysis(out: &mut Writer, analysis: &Analysis) {
    out.byte(analysis.language as u8);
    out.number(analysis.length.into());
    out.number(analysis.terms.len() as u64);
    let mut before = "";
    for term in analysis.terms.iter() {
        out.change(before, term.stem);
        out.change(term.stem, term.word);
        let mut from = 0;
        for (nth, &position) in term.positions.iter().enumerate() {
            let more = u64::from(nth + 1 < term.positions.len());
            out.number(u64::from(position - from) << 1 | more);
            from = position;
        }
        before = term.stem;
    }
}

fn decode_analysis(input: &mut Reader<'_>) -> Result<Analysis, DecodeError> {
    let language = Language::try_from(input.byte()?).map_err(|_| DecodeError::Malformed("an unknown language"))?;
    let length = input.narrow()?;
    let mut terms = Terms::default();
    let (mut positions, mut occurrences) = (Vec::new(), 0);
    let (mut stem, mut word) = (Vec::new(), Vec::new());
    let (mut stem_before, mut word_before) = (Vec::new(), Vec::new());
    for nth in 0..input.count()? {
        stem_before.clone_from(&stem);
        word_before.clone_from(&word);
        input.change(&mut stem)?;
        word.clone_from(&stem);
        input.change(&mut word)?;
        if nth > 0 && (&stem, &word) <= (&stem_before, &word_before) {
            return Err(DecodeError::Malformed("terms out of order"));
        }
        decode_positions(input, length, &mut positions)?;
        occurrences += positions.len();
        let utf8 = |bytes| std::str::from_utf8(bytes).map_err(|_| DecodeError::Malformed("a term that is not UTF-8"));
        terms.push(utf8(&stem)?, utf8(&word)?, positions.drain(..));
    }
    if length as usize > occurrences {
        return Err(DecodeError::Malformed("a length beyond the last word"));
    }
    Ok(Analysis { language, length, asks: false, terms })
}

fn decode_positions(input: &mut Reader<'_>, length: u32, positions: &mut Vec<u32>) -> Result<(), DecodeError> {
    let mut position = 0u64;
    loop {
        let code = input.number()?;
        let gap = code >> 1;
        if gap == 0 && !positions.is_empty() {
            return Err(DecodeError::Malformed("a position twice"));
        }
        position = position.saturating_add(gap);
        let valid = u32::try_from(position).ok().filter(|&position| position < length);
        positions.push(valid.ok_or(DecodeError::Malformed("a position beyond the last word"))?);
        if code & 1 == 0 {
            return Ok(());
        }
    }
}
