//! Relevance: BM25 of the best passage, with the statistics of exactly the memories that are there; then what the
//! memories are, and what stands around them.
//!
//! Passages make the length of a memory matter little, so a typical length stands for the average one, and what a memory
//! scores by its words depends on the other memories by two numbers a word only: how many there are, and how many hold it.

use super::context::Judge;
use super::explain::{Ledger, Part};
use super::filter::Filter;
use super::lookup::{Found, Here, Match};
use super::names::Names;
use super::own::Own;
use super::plan::{Plan, Role};
use super::scoring::Scoring;
use super::shelves::{Candidate, Shelves};
use crate::query::{Query, What};
use crate::segment::Passages;
use crate::text::Language;

/// How soon more of the same word stops to matter.
const K1: f64 = 1.0;
/// How much longer passages are held back, 0 to 1.
const B: f64 = 0.4;
/// Words of a passage that is neither held back nor preferred.
const TYPICAL_LENGTH: f64 = 40.0;

/// Words that say what it is about, of a query that is a page rather than a question.
const VERY_MANY: usize = 16;

/// Where the words of a query occur.
struct Matches<'p> {
    listed: Vec<Match>,
    runs: Vec<Run<'p>>,
    /// How many docs each unit of the query matches.
    doc_counts: Vec<u64>,
}

/// The matches of one unit in one view.
struct Run<'p> {
    view: u32,
    unit: usize,
    weight: f64,
    role: Role,
    found: Found<'p>,
}

impl<'a, S: Copy> Shelves<'a, S> {
    /// The memories that match `query` and pass `filter`, each with its score, in no order.
    ///
    /// With a blank query all that pass, each with score 0.
    pub fn candidates(&self, query: &Query, filter: &Filter) -> Vec<Candidate> {
        self.candidates_by(&Scoring::of(query), query, filter)
    }

    /// The same with other weights, to be compared.
    pub fn candidates_by(&self, scoring: &Scoring, query: &Query, filter: &Filter) -> Vec<Candidate> {
        self.scored(scoring, query, filter, &mut Ledger::closed())
    }

    /// The same, with what the scores are made of noted in a ledger.
    pub(super) fn scored(
        &self,
        scoring: &Scoring,
        query: &Query,
        filter: &Filter,
        ledger: &mut Ledger,
    ) -> Vec<Candidate> {
        if query.is_blank() {
            return self.listing(filter);
        }
        let names = Names::of(query);
        let matches = self.matches(scoring, query, &names);
        let rarities: Vec<f64> = matches.doc_counts.iter().map(|&count| rarity(count, self.len)).collect();
        let mut own = self.by_words(query, &matches, &rarities, ledger);
        ledger.note(Part::Words, &own);
        own.settle();
        self.add_meaning(scoring, query, &mut own);
        ledger.note(Part::Meaning, &own);
        self.weigh_voices(scoring, query, &mut own);
        ledger.note(Part::Voice, &own);
        own.settle();
        if own.best() == 0.0 {
            return Vec::new();
        }
        self.raise_named(scoring, query, &names, &mut own);
        ledger.note(Part::NamedAuthor, &own);
        self.raise_dated(scoring, query, &mut own);
        ledger.note(Part::Date, &own);
        let judge = Judge { scoring, query, own, noise: scoring.gate * whole(query, &rarities) };
        self.folded(judge.judge(self, filter, ledger))
    }

    /// What the docs score by the words of the query.
    fn by_words(&self, query: &Query, matches: &Matches<'_>, rarities: &[f64], ledger: &mut Ledger) -> Own {
        let mut own = Own::new(self.docs);
        let mut scores = Vec::new();
        for runs in matches.runs.chunk_by(|a, b| a.view == b.view) {
            let view = &self.views[runs[0].view as usize];
            let pack = view.pack;
            scores.clear();
            scores.resize(pack.passages.count(), 0.0);
            for run in runs {
                matches.add_run(&mut scores, run, rarities[run.unit], &pack.passages);
            }
            for doc in 0..pack.len() {
                let passages = pack.passages.of_doc(doc);
                let best = scores[passages.start as usize..passages.end as usize].iter().copied().fold(0.0, f64::max);
                *own.of_mut(view.place(doc)) = best;
            }
            let noted = ledger.docs_of(view);
            if !noted.is_empty() {
                let is_pair = |run: &&Run| matches!(query.units[run.unit].what, What::Pair(..));
                let mut of_pairs = vec![0.0; pack.passages.count()];
                for run in runs.iter().filter(is_pair) {
                    matches.add_run(&mut of_pairs, run, rarities[run.unit], &pack.passages);
                }
                for doc in noted {
                    let passages = pack.passages.of_doc(doc).map(|passage| passage as usize);
                    let best = passages.max_by(|&one, &other| scores[one].total_cmp(&scores[other]));
                    ledger.add_own(view.place(doc), Part::Pairs, best.map_or(0.0, |best| of_pairs[best]));
                }
            }
        }
        own
    }

    fn listing(&self, filter: &Filter) -> Vec<Candidate> {
        let mut candidates = Vec::new();
        for (number, view) in (0..).zip(&self.views) {
            let Some(sieve) = filter.sieve(view.pack) else { continue };
            let docs = (0..view.pack.len()).filter(|&doc| view.shows(doc) && sieve.lets_pass(view.pack, doc));
            candidates.extend(docs.map(|doc| Candidate {
                view: number,
                doc,
                score: 0.0,
                matches: true,
                similarity: None,
            }));
        }
        candidates
    }

    fn matches(&self, scoring: &Scoring, query: &Query, names: &Names<'_>) -> Matches<'a> {
        let mut plans: [Option<Plan<'_>>; Language::ALL.len()] = Default::default();
        let mut matches = Matches { listed: Vec::new(), runs: Vec::new(), doc_counts: vec![0; query.units.len()] };
        for (number, view) in (0..).zip(&self.views) {
            let named = names.naming(view.byline);
            for (language, stems) in view.pack.languages() {
                let plan = plans[language as usize].get_or_insert_with(|| Plan::new(query, language, scoring));
                let here = Here::new(view, language, stems, &plan.keys, &named);
                for step in &plan.steps {
                    let (docs, found) = here.find(step, scoring.author, &mut matches.listed);
                    if docs > 0 {
                        let (unit, weight, role) = (step.unit, step.weight, step.role);
                        matches.doc_counts[unit] += docs;
                        matches.runs.push(Run { view: number, unit, weight, role, found });
                    }
                }
            }
        }
        matches
    }
}

impl Matches<'_> {
    /// Adds what a run counts to the scores of the passages.
    ///
    /// A doc is of one language and its units come in the order of that language's plan, so its score is added up in
    /// the same order wherever it lies, and is the same to the last bit.
    fn add_run(&self, scores: &mut [f64], run: &Run<'_>, rarity: f64, passages: &Passages) {
        let weight = run.weight * rarity;
        let mut add = |passage: u32, frequency: u32| {
            let score = &mut scores[passage as usize];
            if run.role == Role::Finds || *score > 0.0 {
                *score += weight * saturated(frequency, passages.length(passage));
            }
        };
        match &run.found {
            Found::At(postings) => postings.clone().for_each(|posting| posting.by_passage(passages, &mut add)),
            Found::Listed(range) => {
                self.listed[range.clone()].iter().for_each(|found| add(found.passage, found.frequency));
            }
        }
    }
}

/// What a memory would score at most that holds all words of a query of very many; 0 for another.
///
/// Any text has a word in common with a whole page. That two share a word means something when it is one of few.
fn whole(query: &Query, rarities: &[f64]) -> f64 {
    let units = query.units.iter().zip(rarities).enumerate();
    let words = units.filter(|(number, (unit, _))| matches!(unit.what, What::Word(_)) && query.is_content(*number));
    let (mut count, mut sum) = (0, 0.0);
    for (_, (unit, rarity)) in words {
        count += 1;
        sum += unit.weight * rarity;
    }
    if count >= VERY_MANY { sum } else { 0.0 }
}

/// What a word counts by how many of the memories hold it: above 0, and the more the fewer.
fn rarity(holding: u64, all: u64) -> f64 {
    let (holding, all) = (holding as f64, all as f64);
    (1.0 + (all - holding + 0.5) / (holding + 0.5)).ln()
}

/// Above 0 and below 1: nearer to 1 the more often a word stands in the fewer words.
fn saturated(frequency: u32, length: u8) -> f64 {
    let (frequency, length) = (f64::from(frequency), f64::from(length));
    frequency / (frequency + K1 * (1.0 - B + B * length / TYPICAL_LENGTH))
}
