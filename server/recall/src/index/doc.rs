//! A memory as it is indexed, and its database form.
//!
//! Format version 4: version, flags, id, seq, number, created_at, expires_at, confidence, strings, tags, language,
//! length, signs, terms. Version 3 has no flag for the end with the session. Version 2 has no signs either. Version 1 has no number and no flag for questions either; its memories
//! are decoded with number 0 and without the flag. A term is its stem as a delta to the previous stem, its word as a delta to its stem, and the gaps between
//! its positions, each with a bit that marks a further position. A memory of 200 bytes takes about 300.

use uuid::Uuid;

use crate::bytes::{ByteReader, ByteWriter};
use crate::text::{Analysis, Language, Terms};
use crate::vector::Embeddings;

const VERSION: u8 = 4;
const WITHOUT_SESSION_ONLY: u8 = 3;
const WITHOUT_SIGNS: u8 = 2;
const WITHOUT_NUMBER: u8 = 1;

const PINNED: u8 = 1;
const EXPIRES: u8 = 2;
const SUBJECT: u8 = 4;
const SESSION: u8 = 8;
const RUN: u8 = 16;
const QUESTION: u8 = 32;
const SIGNS: u8 = 64;
const SESSION_ONLY: u8 = 128;

/// The properties of a memory that searches filter and sort by. Times are microseconds since 1970, UTC.
#[derive(Clone, Debug, Default, PartialEq)]
#[expect(missing_docs, reason = "the fields are those of a memory")]
pub struct Meta {
    pub id: Uuid,
    /// The org's version at which this form of the memory was written; compared with
    /// [`as_of`](crate::ReadTime::as_of).
    pub seq: i64,
    /// The number of the memory in its org, in order of commit: orders memories of the same time.
    pub number: i64,
    pub created_at: i64,
    /// No search finds the memory from this time on; `None` and `i64::MAX` mean never.
    pub expires_at: Option<i64>,
    /// 0 to 1.
    pub confidence: f64,
    pub pinned: bool,
    pub namespace: String,
    pub kind: String,
    pub source: String,
    pub subject: Option<String>,
    pub session_id: Option<String>,
    /// Whether it ends with its session.
    pub session_only: bool,
    pub run_id: Option<String>,
    pub tags: Vec<String>,
}

/// A memory, ready to be indexed.
///
/// ```
/// use orgmem_recall::{Doc, Meta, analyze};
///
/// let meta = Meta { namespace: "general".into(), confidence: 0.5, ..Meta::default() };
/// let doc = Doc { meta, analysis: analyze("deployments freeze on Fridays"), embeddings: None };
/// assert_eq!(Doc::decode(&doc.encode()), Ok(doc));
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
#[expect(missing_docs, reason = "the types have docs")]
pub struct Doc {
    pub meta: Meta,
    pub analysis: Analysis,
    /// `None` until the memory is embedded. Not part of the encoded form: the database has a column for it.
    pub embeddings: Option<Embeddings>,
}

/// Why bytes cannot be decoded to a [`Doc`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DecodeError {
    /// Written by an unknown version of this crate.
    #[error("index row of version `{0}`; this server reads versions `1` to `4`")]
    Version(u8),
    /// The bytes end too early.
    #[error("index row ends too early")]
    Truncated,
    /// [`Doc::encode`] cannot have written the bytes.
    #[error("index row is damaged: {0}")]
    Malformed(&'static str),
}

impl Doc {
    /// The compact form for the database, without the embeddings.
    pub fn encode(&self) -> Vec<u8> {
        let mut out = ByteWriter::default();
        out.byte(VERSION);
        encode_meta(&mut out, &self.meta, &self.analysis);
        encode_analysis(&mut out, &self.analysis);
        out.bytes
    }

    /// Decodes the output of [`encode`](Doc::encode).
    ///
    /// # Errors
    /// [`DecodeError`] for any other bytes. Never panics, and allocates at most a small multiple of `bytes`.
    pub fn decode(bytes: &[u8]) -> Result<Doc, DecodeError> {
        let mut input = ByteReader::new(bytes);
        let version = match input.byte()? {
            known @ WITHOUT_NUMBER..=VERSION => known,
            other => return Err(DecodeError::Version(other)),
        };
        let (meta, flags) = decode_meta(&mut input, version)?;
        let has_signs = flags & SIGNS != 0;
        let analysis = Analysis { is_question: flags & QUESTION != 0, ..decode_analysis(&mut input, has_signs)? };
        match input.remaining() {
            0 => Ok(Doc { meta, analysis, embeddings: None }),
            _ => Err(DecodeError::Malformed("something follows the last term")),
        }
    }
}

fn encode_meta(out: &mut ByteWriter, meta: &Meta, analysis: &Analysis) {
    let flag = |is_set: bool, bit| if is_set { bit } else { 0 };
    out.byte(
        flag(meta.pinned, PINNED)
            | flag(meta.expires_at.is_some(), EXPIRES)
            | flag(meta.subject.is_some(), SUBJECT)
            | flag(meta.session_id.is_some(), SESSION)
            | flag(meta.run_id.is_some(), RUN)
            | flag(analysis.is_question, QUESTION)
            | flag(analysis.signs != 0, SIGNS)
            | flag(meta.session_only, SESSION_ONLY),
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

/// The properties of a memory, and the flags.
fn decode_meta(input: &mut ByteReader<'_>, version: u8) -> Result<(Meta, u8), DecodeError> {
    let flags = input.byte()?;
    let known = PINNED | EXPIRES | SUBJECT | SESSION | RUN;
    let known = match version {
        WITHOUT_NUMBER => known,
        WITHOUT_SIGNS => known | QUESTION,
        WITHOUT_SESSION_ONLY => known | QUESTION | SIGNS,
        _ => known | QUESTION | SIGNS | SESSION_ONLY,
    };
    if flags > known {
        return Err(DecodeError::Malformed("a flag that its version does not have"));
    }
    let has = |bit| flags & bit != 0;
    let string = |input: &mut ByteReader<'_>| input.string().map(str::to_owned);
    let optional = |input: &mut ByteReader<'_>, bit| has(bit).then(|| string(input)).transpose();
    let meta = Meta {
        id: Uuid::from_bytes(input.array()?),
        seq: input.signed()?,
        number: if version == WITHOUT_NUMBER { 0 } else { input.signed()? },
        created_at: input.signed()?,
        expires_at: has(EXPIRES).then(|| input.signed()).transpose()?,
        confidence: f64::from_le_bytes(input.array()?),
        pinned: has(PINNED),
        namespace: string(input)?,
        kind: string(input)?,
        source: string(input)?,
        subject: optional(input, SUBJECT)?,
        session_id: optional(input, SESSION)?,
        session_only: has(SESSION_ONLY),
        run_id: optional(input, RUN)?,
        tags: {
            let count = input.count()?;
            (0..count).map(|_| string(input)).collect::<Result<_, _>>()?
        },
    };
    Ok((meta, flags))
}

fn encode_analysis(out: &mut ByteWriter, analysis: &Analysis) {
    out.byte(analysis.language as u8);
    out.number(analysis.length.into());
    if analysis.signs != 0 {
        out.bytes.extend_from_slice(&analysis.signs.to_le_bytes());
    }
    out.number(analysis.terms.iter().len() as u64);
    let mut previous = "";
    for term in analysis.terms.iter() {
        out.delta(previous, term.stem);
        out.delta(term.stem, term.word);
        let mut from = 0;
        for (nth, &position) in term.positions.iter().enumerate() {
            let more = u64::from(nth + 1 < term.positions.len());
            out.number(u64::from(position - from) << 1 | more);
            from = position;
        }
        previous = term.stem;
    }
}

fn decode_analysis(input: &mut ByteReader<'_>, has_signs: bool) -> Result<Analysis, DecodeError> {
    let language = Language::ALL.get(usize::from(input.byte()?)).copied();
    let language = language.ok_or(DecodeError::Malformed("an unknown language"))?;
    let length = input.narrow()?;
    let signs = if has_signs { u64::from_le_bytes(input.array()?) } else { 0 };
    if has_signs && signs == 0 {
        return Err(DecodeError::Malformed("signs that are none"));
    }
    let mut terms = Terms::default();
    let (mut positions, mut occurrences) = (Vec::new(), 0);
    let (mut stem, mut word) = (Vec::new(), Vec::new());
    let (mut previous_stem, mut previous_word) = (Vec::new(), Vec::new());
    for nth in 0..input.count()? {
        previous_stem.clone_from(&stem);
        previous_word.clone_from(&word);
        input.apply_delta(&mut stem)?;
        word.clone_from(&stem);
        input.apply_delta(&mut word)?;
        if nth > 0 && (&stem, &word) <= (&previous_stem, &previous_word) {
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
    Ok(Analysis { language, length, is_question: false, signs, terms })
}

fn decode_positions(input: &mut ByteReader<'_>, length: u32, positions: &mut Vec<u32>) -> Result<(), DecodeError> {
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
