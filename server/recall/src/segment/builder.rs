//! Docs and older packs into one new pack.

use std::borrow::Cow;

use std::collections::{BTreeMap, HashMap, HashSet};

use super::bits::Bits;
use super::gist::Gist;
use super::pack::{Pack, Row, Symbol};
use super::passages::Passages;
use super::postings::{Occurrence, write_record};
use super::sittings::Sittings;
use super::vectors::{NewVector, Vectors};
use super::voices::Voice;
use super::{MAX_PACK_DOCS, MAX_PACK_OCCURRENCES};
use crate::bytes::Writer;
use crate::doc::Doc;
use crate::text::Language;
use crate::vector::{Embeddings, Vector};

/// Gathers docs, in any order but each id once.
#[derive(Default)]
pub(super) struct PackBuilder<'s> {
    docs: Vec<NewDoc>,
    symbols: Interner<'s>,
    stem_numbers: HashMap<(Language, &'s str), u32>,
    stems: Vec<Stem<'s>>,
    occurrences: Vec<Occurrence>,
    vectors: Vec<NewVector<'s>>,
}

struct NewDoc {
    row: Row,
    length: u32,
    tags: Vec<Symbol>,
}

struct Stem<'s> {
    language: Language,
    text: &'s str,
    forms: Vec<Cow<'s, str>>,
}

impl<'s> PackBuilder<'s> {
    pub(super) fn add_doc(&mut self, doc: &'s Doc) {
        let number = self.docs.len() as u32;
        let meta = &doc.meta;
        let symbols = &mut self.symbols;
        let mut optional = |string: &'s Option<String>| string.as_deref().map_or(Symbol::NONE, |s| symbols.symbol(s));
        let (subject, session_id, run_id) =
            (optional(&meta.subject), optional(&meta.session_id), optional(&meta.run_id));
        let row = Row {
            id: meta.id,
            seq: meta.seq,
            number: meta.number,
            created_at: meta.created_at,
            expires_at: meta.expires_at.unwrap_or(i64::MAX),
            confidence: meta.confidence,
            namespace: symbols.symbol(&meta.namespace),
            kind: symbols.symbol(&meta.kind),
            source: symbols.symbol(&meta.source),
            subject,
            session_id,
            run_id,
            tags_end: 0,
            pinned: meta.pinned,
            language: doc.analysis.language(),
            asks: doc.analysis.asks(),
            voice: Voice::of(doc),
            gist: Gist::of(doc),
        };
        let tags = meta.tags.iter().map(|tag| symbols.symbol(tag)).collect();
        self.docs.push(NewDoc { row, length: doc.analysis.length(), tags });
        if let Some(Embeddings { model, vectors }) = &doc.embeddings {
            let new = |vector: &'s Vector| NewVector {
                doc: number,
                model: *model,
                scale: vector.scale(),
                values: vector.values(),
            };
            self.vectors.extend(vectors.iter().map(new));
        }
        for term in doc.terms().iter() {
            let stem = self.stem(doc.analysis.language(), term.stem);
            let form = self.stems[stem as usize].form(Cow::Borrowed(term.word));
            let places = term.positions.iter().map(|&position| Occurrence { stem, doc: number, position, form });
            self.occurrences.extend(places);
        }
    }

    /// Whether the next doc belongs into another pack.
    pub(super) fn is_full(&self) -> bool {
        self.docs.len() >= MAX_PACK_DOCS || self.occurrences.len() >= MAX_PACK_OCCURRENCES
    }

    /// Adds the docs of `pack` that are not `dead`.
    pub(super) fn add_pack(&mut self, pack: &'s Pack, dead: &Bits) {
        let numbers = self.add_rows(pack, dead);
        for vectors in &pack.vectors {
            let moved = vectors.iter().filter_map(|(doc, scale, values)| {
                numbers[doc as usize].map(|doc| NewVector { doc, model: vectors.model, scale, values })
            });
            self.vectors.extend(moved);
        }
        let mut forms = Vec::new();
        for (language, stems) in pack.languages() {
            for stem in stems {
                let number = self.stem(language, pack.stems.get(stem));
                forms.clear();
                let entry = &mut self.stems[number as usize];
                let postings =
                    pack.record(stem).postings_and_forms(|form| forms.push(entry.form(Cow::Owned(form.to_word()))));
                for posting in postings {
                    let Some(doc) = numbers[posting.doc as usize] else { continue };
                    let places = posting.places().map(|(position, form)| Occurrence {
                        stem: number,
                        doc,
                        position,
                        form: forms[form as usize],
                    });
                    self.occurrences.extend(places);
                }
            }
        }
    }

    /// The new numbers of the docs of `pack`.
    fn add_rows(&mut self, pack: &'s Pack, dead: &Bits) -> Vec<Option<u32>> {
        let mut numbers = vec![None; pack.rows.len()];
        for (doc, row) in pack.rows().filter(|(doc, _)| !dead.contains(*doc)) {
            numbers[doc as usize] = Some(self.docs.len() as u32);
            let mut moved = |symbol: Symbol| match symbol {
                Symbol::NONE => Symbol::NONE,
                Symbol(number) => self.symbols.symbol(pack.symbols.get(number)),
            };
            let row = Row {
                namespace: moved(row.namespace),
                kind: moved(row.kind),
                source: moved(row.source),
                subject: moved(row.subject),
                session_id: moved(row.session_id),
                run_id: moved(row.run_id),
                ..row.clone()
            };
            let tags = pack.tags(doc).iter().map(|&tag| moved(tag)).collect();
            self.docs.push(NewDoc { row, length: pack.passages.doc_length(doc), tags });
        }
        numbers
    }

    fn stem(&mut self, language: Language, text: &'s str) -> u32 {
        *self.stem_numbers.entry((language, text)).or_insert_with(|| {
            self.stems.push(Stem { language, text, forms: Vec::new() });
            self.stems.len() as u32 - 1
        })
    }

    pub(super) fn finish(mut self) -> Pack {
        let by_id = sorted_by_key(&self.docs, |doc| doc.row.id);
        // a stem all of whose docs are dead goes with them
        let mut is_used = vec![false; self.stems.len()];
        self.occurrences.iter().for_each(|place| is_used[place.stem as usize] = true);
        let mut by_stem = sorted_by_key(&self.stems, |stem| (stem.language, stem.text));
        by_stem.retain(|&stem| is_used[stem as usize]);
        let (doc_ranks, stem_ranks) = (ranks(&by_id, self.docs.len()), ranks(&by_stem, self.stems.len()));
        for place in &mut self.occurrences {
            place.doc = doc_ranks[place.doc as usize];
            place.stem = stem_ranks[place.stem as usize];
        }
        self.occurrences.sort_unstable();
        self.vectors.iter_mut().for_each(|vector| vector.doc = doc_ranks[vector.doc as usize]);

        let mut pack = Pack { earliest_expiry: i64::MAX, latest_seq: i64::MIN, ..Pack::default() };
        self.write_docs(&mut pack, &by_id);
        self.write_stems(&mut pack, &by_stem);
        pack.vectors = Vectors::of(self.vectors);
        pack
    }

    fn write_docs(&mut self, pack: &mut Pack, by_id: &[u32]) {
        let (symbols, symbol_ranks) = self.symbols.sorted();
        let ranked = |symbol: Symbol| symbol_ranks.get(symbol.0 as usize).map_or(Symbol::NONE, |&rank| Symbol(rank));
        let mut tags = Vec::new();
        let rows = by_id.iter().map(|&doc| {
            let NewDoc { row, tags: own, .. } = &self.docs[doc as usize];
            tags.extend(own.iter().map(|&tag| ranked(tag)));
            Row {
                namespace: ranked(row.namespace),
                kind: ranked(row.kind),
                source: ranked(row.source),
                subject: ranked(row.subject),
                session_id: ranked(row.session_id),
                run_id: ranked(row.run_id),
                tags_end: tags.len() as u32,
                ..row.clone()
            }
        });
        pack.rows = rows.collect();
        let mut gists = HashSet::with_capacity(pack.rows.len());
        pack.has_repeats = !pack.rows.iter().all(|row| gists.insert(row.gist));
        pack.sittings = Sittings::of(&pack.rows);
        pack.voices = voices(&pack.rows);
        pack.tags = tags.into();
        pack.symbols = symbols.into_iter().collect();
        pack.passages = Passages::of(by_id.iter().map(|&doc| self.docs[doc as usize].length));
        for row in &pack.rows {
            pack.earliest_expiry = pack.earliest_expiry.min(row.expires_at);
            pack.latest_seq = pack.latest_seq.max(row.seq);
        }
    }

    fn write_stems(&self, pack: &mut Pack, by_stem: &[u32]) {
        let mut records = Writer::default();
        let ends = self.occurrences.chunk_by(|a, b| a.stem == b.stem).map(|places| {
            let stem = &self.stems[by_stem[places[0].stem as usize] as usize];
            write_record(&mut records, stem.text, stem.forms.iter().map(AsRef::as_ref), places);
            records.bytes.len() as u32
        });
        pack.record_ends = ends.collect();
        pack.records = records.bytes.into();
        pack.stems = by_stem.iter().map(|&stem| self.stems[stem as usize].text).collect();
        let strays = (0..).zip(by_stem).filter(|(_, stem)| self.stems[**stem as usize].strays());
        pack.strays = strays.map(|(number, _)| number).collect();
        let mut from = 0;
        let languages = by_stem.chunk_by(|&a, &b| self.stems[a as usize].language == self.stems[b as usize].language);
        let languages = languages.map(|stems| {
            let range = from..from + stems.len() as u32;
            from = range.end;
            (self.stems[stems[0] as usize].language, range)
        });
        pack.languages = languages.collect();
        pack.occurrences = self.occurrences.len();
    }
}

impl<'s> Stem<'s> {
    /// Whether any of its forms begins with another byte.
    fn strays(&self) -> bool {
        let first = self.text.as_bytes().first();
        self.forms.iter().any(|form| form.as_bytes().first() != first)
    }

    /// The number of a form; a stem has few.
    fn form(&mut self, word: Cow<'s, str>) -> u32 {
        let known = self.forms.iter().position(|form| *form == word);
        known.unwrap_or_else(|| {
            self.forms.push(word);
            self.forms.len() - 1
        }) as u32
    }
}

/// Numbers for strings, in order of appearance.
#[derive(Default)]
struct Interner<'s> {
    numbers: HashMap<&'s str, u32>,
    strings: Vec<&'s str>,
}

impl<'s> Interner<'s> {
    fn symbol(&mut self, string: &'s str) -> Symbol {
        Symbol(*self.numbers.entry(string).or_insert_with(|| {
            self.strings.push(string);
            self.strings.len() as u32 - 1
        }))
    }

    /// The strings in order, and for each number its place there.
    fn sorted(&self) -> (Vec<&'s str>, Vec<u32>) {
        let order = sorted_by_key(&self.strings, |&string| string);
        let ranks = ranks(&order, self.strings.len());
        (order.iter().map(|&number| self.strings[number as usize]).collect(), ranks)
    }
}

/// How the docs speak, by source.
fn voices(rows: &[Row]) -> Box<[(Symbol, Voice)]> {
    let mut sums = BTreeMap::<Symbol, Voice>::new();
    for row in rows {
        *sums.entry(row.source).or_default() += row.voice;
    }
    sums.into_iter().collect()
}

/// The numbers of `items` in the order of their keys.
fn sorted_by_key<'i, T, K: Ord>(items: &'i [T], key: impl Fn(&'i T) -> K) -> Vec<u32> {
    let mut order: Vec<u32> = (0..items.len() as u32).collect();
    order.sort_unstable_by_key(|&number| key(&items[number as usize]));
    order
}

/// The place of each of `len` numbers in `order`.
fn ranks(order: &[u32], len: usize) -> Vec<u32> {
    let mut ranks = vec![u32::MAX; len];
    (0..).zip(order).for_each(|(rank, &number)| ranks[number as usize] = rank);
    ranks
}
