//! Builds a segment from documents and from other segments.

use std::borrow::Cow;
use std::collections::HashMap;

use super::passages::Passages;
use super::postings::{Occurrence, write_record};
use super::row::{NewRow, PronounStats, RowColumns, Symbol};
use super::segment::{LanguageStems, Segment};
use super::timeline::{Newest, SessionColumn};
use super::vectors::{NewVector, VectorColumn};
use super::{BitSet, Doc, SegmentError, format};
use crate::bytes::ByteWriter;
use crate::text::{ContentFingerprint, ContentSketch, Language};
use crate::tuning::{MAX_SEGMENT_DOCS, MAX_SEGMENT_OCCURRENCES};

/// Collects documents, in any order but each id once.
#[derive(Default)]
pub(super) struct SegmentBuilder<'s> {
    rows: Vec<NewRow>,
    symbol_numbers: HashMap<&'s str, Symbol>,
    symbols: Vec<&'s str>,
    stem_numbers: HashMap<(Language, &'s str), u32>,
    stems: Vec<NewStem<'s>>,
    occurrences: Vec<Occurrence>,
    vectors: Vec<NewVector<'s>>,
}

struct NewStem<'s> {
    language: Language,
    text: &'s str,
    forms: Vec<Cow<'s, str>>,
}

impl<'s> SegmentBuilder<'s> {
    pub(super) fn add_doc(&mut self, doc: &'s Doc) {
        let number = self.rows.len() as u32;
        let Doc { meta, analysis, embeddings } = doc;
        let required = [&meta.namespace, &meta.kind, &meta.source].map(|string| self.symbol(string));
        let optional = [&meta.subject, &meta.session_id, &meta.run_id]
            .map(|string| string.as_deref().map_or(Symbol::NONE, |string| self.symbol(string)));
        let ([namespace, kind, source], [subject, session, run]) = (required, optional);
        let row = NewRow {
            id: meta.id,
            seq: meta.seq,
            number: meta.number,
            created_at: meta.created_at,
            expires_at: meta.expires_at.unwrap_or(i64::MAX),
            confidence: meta.confidence,
            fields: [namespace, kind, source, subject, session, run],
            tags: meta.tags.iter().map(|tag| self.symbol(tag)).collect(),
            pinned: meta.pinned,
            session_only: meta.session_only,
            language: analysis.language,
            is_question: analysis.is_question,
            pronouns: PronounStats::of(doc),
            fingerprint: ContentFingerprint::of(analysis),
            sketch: ContentSketch::of(analysis),
            words: analysis.length,
        };
        self.rows.push(row);
        if let Some(embeddings) = embeddings {
            let new = |(scale, values)| NewVector { doc: number, model: embeddings.model, scale, values };
            let vectors = embeddings.vectors.iter().map(|vector| (vector.scale(), vector.values()));
            self.vectors.extend(vectors.map(new));
        }
        for term in analysis.terms.iter() {
            let stem = self.stem(analysis.language, term.stem);
            let form = self.stems[stem as usize].form(Cow::Borrowed(term.word));
            let occurrences = term.positions.iter().map(|&position| Occurrence { stem, doc: number, position, form });
            self.occurrences.extend(occurrences);
        }
    }

    /// Whether the next document must go to another segment.
    pub(super) fn is_full(&self) -> bool {
        self.rows.len() >= MAX_SEGMENT_DOCS || self.occurrences.len() >= MAX_SEGMENT_OCCURRENCES
    }

    /// Adds the documents of `segment` that are not `deleted`.
    pub(super) fn add_segment(&mut self, segment: &'s Segment, deleted: &BitSet) {
        let numbers = self.add_rows(segment, deleted);
        for column in &segment.vectors {
            let moved = column.iter().filter_map(|(doc, scale, values)| {
                numbers[doc as usize].map(|doc| NewVector { doc, model: column.model, scale, values })
            });
            self.vectors.extend(moved);
        }
        let mut forms = Vec::new();
        for LanguageStems { language, stems } in &segment.languages {
            for stem in stems.clone() {
                let number = self.stem(*language, segment.stems.get(stem));
                forms.clear();
                let entry = &mut self.stems[number as usize];
                let record = segment.record(stem);
                let postings = record.postings_with_forms(|form| forms.push(entry.form(Cow::Owned(form.to_word()))));
                let mut cursor = postings.cursor();
                while let Some((passage, _)) = cursor.advance() {
                    let of_segment = segment.passages.doc(passage);
                    let Some(doc) = numbers[of_segment as usize] else { continue };
                    cursor.positions(segment.passages.first_position(of_segment, passage), |position, form| {
                        let form = forms[form as usize];
                        self.occurrences.push(Occurrence { stem: number, doc, position, form });
                    });
                }
            }
        }
    }

    /// Returns the new numbers of the documents of `segment`.
    fn add_rows(&mut self, segment: &'s Segment, deleted: &BitSet) -> Vec<Option<u32>> {
        let mut numbers = vec![None; segment.len() as usize];
        for (doc, row) in segment.rows().filter(|(doc, _)| !deleted.contains(*doc)) {
            numbers[doc as usize] = Some(self.rows.len() as u32);
            let row = row.to_new(segment.passages.doc_words(doc));
            let row = row.with_symbols(|symbol| self.symbol(segment.string(symbol)));
            self.rows.push(row);
        }
        numbers
    }

    fn symbol(&mut self, string: &'s str) -> Symbol {
        *self.symbol_numbers.entry(string).or_insert_with(|| {
            self.symbols.push(string);
            Symbol(self.symbols.len() as u32 - 1)
        })
    }

    fn stem(&mut self, language: Language, text: &'s str) -> u32 {
        *self.stem_numbers.entry((language, text)).or_insert_with(|| {
            self.stems.push(NewStem { language, text, forms: Vec::new() });
            self.stems.len() as u32 - 1
        })
    }

    /// The segment of the documents; there must be one at least.
    pub(super) fn finish(mut self) -> Segment {
        self.sort_symbols();
        let by_id = sorted_by_key(&self.rows, |row| row.id);
        // stems of deleted documents only are dropped
        let mut is_used = vec![false; self.stems.len()];
        self.occurrences.iter().for_each(|occurrence| is_used[occurrence.stem as usize] = true);
        let mut by_stem = sorted_by_key(&self.stems, |stem| (stem.language, stem.text));
        by_stem.retain(|&stem| is_used[stem as usize]);
        let (doc_ranks, stem_ranks) = (ranks(&by_id, self.rows.len()), ranks(&by_stem, self.stems.len()));
        for occurrence in &mut self.occurrences {
            occurrence.doc = doc_ranks[occurrence.doc as usize];
            occurrence.stem = stem_ranks[occurrence.stem as usize];
        }
        self.occurrences.sort_unstable();
        self.vectors.iter_mut().for_each(|vector| vector.doc = doc_ranks[vector.doc as usize]);
        self.write(&by_id, &by_stem).expect("a segment can be read as it was just written")
    }

    /// Numbers the symbols in order of their strings.
    fn sort_symbols(&mut self) {
        let order = sorted_by_key(&self.symbols, |string| *string);
        let ranks = ranks(&order, self.symbols.len());
        self.symbols = order.iter().map(|&number| self.symbols[number as usize]).collect();
        let rows = std::mem::take(&mut self.rows).into_iter();
        self.rows = rows.map(|row| row.with_symbols(|symbol| Symbol(ranks[symbol.0 as usize]))).collect();
    }

    fn write(self, by_id: &[u32], by_stem: &[u32]) -> Result<Segment, SegmentError> {
        let rows: Vec<&NewRow> = by_id.iter().map(|&doc| &self.rows[doc as usize]).collect();
        let mut out = format::begin(rows.len());
        out.strings(self.symbols.iter().copied());
        let lengths: Vec<u32> = rows.iter().map(|row| row.words).collect();
        let passages = Passages::write(&mut out, &lengths)?;
        RowColumns::write(&mut out, &rows);
        SessionColumn::write(&mut out, &rows);
        Newest::write(&mut out, &rows);
        self.write_stems(&mut out, by_stem, &passages);
        VectorColumn::write_all(&mut out, self.vectors);
        let bytes = format::finish(out);
        // tests check all of it
        if cfg!(debug_assertions) { Segment::read(bytes) } else { Ok(Segment::parse(bytes)?.with_statistics()) }
    }

    fn write_stems(&self, out: &mut ByteWriter, by_stem: &[u32], passages: &Passages) {
        let stem = |number: u32| &self.stems[number as usize];
        let mut records = ByteWriter::default();
        let ends = self.occurrences.chunk_by(|a, b| a.stem == b.stem).map(|occurrences| {
            let NewStem { text, forms, .. } = stem(by_stem[occurrences[0].stem as usize]);
            write_record(&mut records, text, forms.iter().map(AsRef::as_ref), occurrences, passages);
            records.bytes.len() as u64
        });
        let ends: Vec<u64> = ends.collect();
        let mut start = 0;
        let languages = by_stem.chunk_by(|&a, &b| stem(a).language == stem(b).language).map(|stems| {
            let range = start..start + stems.len() as u32;
            start = range.end;
            LanguageStems { language: stem(stems[0]).language, stems: range }
        });
        format::write_languages(out, &languages.collect::<Vec<_>>());
        out.strings(by_stem.iter().map(|&number| stem(number).text));
        let irregular = (0..).zip(by_stem).filter(|(_, number)| stem(**number).is_irregular());
        out.column(irregular.map(|(rank, _)| rank));
        out.slice(&records.bytes);
        out.column(ends);
    }
}

impl<'s> NewStem<'s> {
    /// Whether a form begins with another byte than the stem.
    fn is_irregular(&self) -> bool {
        let first = self.text.as_bytes().first();
        self.forms.iter().any(|form| form.as_bytes().first() != first)
    }

    /// The number of a form; linear, as a stem has few.
    fn form(&mut self, word: Cow<'s, str>) -> u32 {
        let known = self.forms.iter().position(|form| *form == word);
        known.unwrap_or_else(|| {
            self.forms.push(word);
            self.forms.len() - 1
        }) as u32
    }
}

/// The numbers of `items`, sorted by key.
fn sorted_by_key<'i, T, K: Ord>(items: &'i [T], key: impl Fn(&'i T) -> K) -> Vec<u32> {
    let mut order: Vec<u32> = (0..items.len() as u32).collect();
    order.sort_unstable_by_key(|&number| key(&items[number as usize]));
    order
}

/// The rank in `order` of each number below `len`.
fn ranks(order: &[u32], len: usize) -> Vec<u32> {
    let mut ranks = vec![u32::MAX; len];
    (0..).zip(order).for_each(|(rank, &number)| ranks[number as usize] = rank);
    ranks
}
