//! The rules of search over plain lists, without an index.
//!
//! Terms come from [`analyze`], which has tests of its own; queries consist of plain words, each one compound and one
//! stem.

mod repetitions;

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::LazyLock;

use orgmem_recall::{Doc, Filter, Language, Order, PageRequest, ReadTime, Scoring, Tier, analyze};
use uuid::Uuid;

use repetitions::{Scored, with_repetitions};

/// Words. Some are inflections of each other and share a stem; German ones are for a second language.
pub(crate) const WORDS: [&str; 14] = [
    "deploy",
    "deploys",
    "deployment",
    "limit",
    "limits",
    "retry",
    "retries",
    "backoff",
    "acme",
    "invoice",
    "rechnung",
    "rechnungen",
    "vertrag",
    "friday",
];

/// Words of the first and second person.
pub(crate) const PERSONS: [&str; 2] = ["i", "you"];

/// Microseconds of a day.
const DAY: i64 = 24 * 3_600_000_000;

/// Words from which on context counts less.
const LONG: f64 = 160.0;

/// Makes a text German.
pub(crate) const GERMAN: &str = "die der und ist";

/// The stem of each word in texts of each language.
static STEMS: LazyLock<HashMap<(&str, Language), String>> = LazyLock::new(|| {
    let texts =
        WORDS.iter().chain(&PERSONS).flat_map(|word| [(word, (*word).to_owned()), (word, format!("{word} {GERMAN}"))]);
    let stems = texts.map(|(word, text)| {
        let analysis = analyze(&text);
        let term = analysis.terms().iter().find(|term| term.word == *word).expect("a text contains its words");
        ((*word, analysis.language()), term.stem.to_owned())
    });
    stems.collect()
});

/// A query of the tests; none of its words is a stop word.
#[derive(Clone, Debug)]
pub(crate) enum TestQuery {
    Blank,
    Words(Vec<&'static str>),
    /// A question in the first person: the stop word `i`, and the words.
    FirstPerson(Vec<&'static str>),
    /// `"first second"` and nothing else.
    Phrase(&'static str, &'static str),
    /// `first*` and nothing else.
    Prefix(&'static str),
}

impl TestQuery {
    pub(crate) fn text(&self) -> String {
        match self {
            TestQuery::Blank => "  ".into(),
            TestQuery::Words(words) => words.join(" "),
            TestQuery::FirstPerson(words) => format!("i {}", words.join(" ")),
            TestQuery::Phrase(first, second) => format!("\"{first} {second}\""),
            TestQuery::Prefix(prefix) => format!("{prefix}*"),
        }
    }

    /// The clauses with their weights: each word, and each two adjacent words.
    fn clauses(&self, pairs: f64) -> Vec<(Clause, f64)> {
        match self {
            TestQuery::Blank => Vec::new(),
            TestQuery::Phrase(first, second) => vec![(Clause::Pair(first, second), 2.0)],
            TestQuery::Prefix(prefix) => vec![(Clause::Prefix(prefix), 1.0)],
            TestQuery::Words(words) | TestQuery::FirstPerson(words) => {
                let mut clauses: Vec<(Clause, f64)> = Vec::new();
                let singles = words.iter().map(|word| (Clause::Word(word), 1.0));
                let pairs = words.windows(2).map(|pair| (Clause::Pair(pair[0], pair[1]), pairs));
                for clause in singles.chain(pairs) {
                    if !clauses.contains(&clause) {
                        clauses.push(clause);
                    }
                }
                clauses
            }
        }
    }

    fn is_first_person(&self) -> bool {
        matches!(self, TestQuery::FirstPerson(_))
    }

    /// Whether it is in the first person and of at least three words; no test query ends with a question mark.
    fn is_message(&self) -> bool {
        self.is_first_person() && self.text().split_whitespace().count() >= 3
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Clause {
    Word(&'static str),
    Prefix(&'static str),
    Pair(&'static str, &'static str),
}

impl Clause {
    /// Whether the clause matches a word of a name.
    fn is_in_name(self, name: &str) -> bool {
        let mut words = name.split(' ');
        match self {
            Clause::Word(word) => words.any(|own| own == word),
            Clause::Prefix(prefix) => words.any(|own| own.starts_with(prefix)),
            Clause::Pair(..) => false,
        }
    }

    /// The positions of matches in `doc`.
    fn positions(self, doc: &Doc) -> Vec<u32> {
        let of_stem = |word| {
            let stem = &STEMS[&(word, doc.analysis.language())];
            let terms = doc.analysis.terms().iter().filter(|term| term.stem == stem);
            terms.flat_map(|term| term.positions.to_vec()).collect::<Vec<_>>()
        };
        match self {
            Clause::Word(word) => of_stem(word),
            Clause::Prefix(prefix) => {
                let terms = doc.analysis.terms().iter().filter(|term| term.word.starts_with(prefix));
                terms.flat_map(|term| term.positions.to_vec()).collect()
            }
            Clause::Pair(first, second) => {
                let seconds = of_stem(second);
                of_stem(first).into_iter().filter(|at| seconds.contains(&(at + 1))).collect()
            }
        }
    }
}

/// The id and the name of an author, and the number of a partition.
pub(crate) type Author = (u128, &'static str, usize);

/// A memory with its author.
pub(crate) type Written = (Author, Doc);

/// Id and score of the hits, in order.
pub(crate) fn search(
    written: &[Written],
    query: &TestQuery,
    filter: &Filter,
    request: &PageRequest,
    time: ReadTime,
) -> Vec<(Uuid, f64)> {
    let live: Vec<&Written> = written.iter().filter(|(_, doc)| is_visible(doc, time)).collect();
    let scored = if matches!(query, TestQuery::Blank) {
        live.iter().map(|written| Scored { written, score: 0.0, matches: true }).collect()
    } else {
        let scored = Corpus::new(&live, query).scored(filter);
        if request.order == Order::Relevance { with_repetitions(scored) } else { scored }
    };
    let mut found = Vec::new();
    for Scored { written: (_, doc), score, matches } in scored {
        let meta = &doc.meta;
        let rank = match (request.order, query) {
            (Order::Recent, _) | (Order::Relevance, TestQuery::Blank) => f64::from(u8::from(meta.pinned)),
            (Order::Relevance, _) => score,
            (Order::Confidence, _) => meta.confidence,
        };
        if passes(doc, filter) && (matches || request.order == Order::Relevance) {
            found.push(((rank, meta.created_at, meta.id), score));
        }
    }
    found.sort_by(|(a, _), (b, _)| a.0.total_cmp(&b.0).then((a.1, a.2).cmp(&(b.1, b.2))).reverse());
    let after = request.after.map(|key| (key.rank, Reverse((key.created_at, key.id))));
    let is_after = |(rank, created_at, id): (f64, i64, Uuid)| {
        after.is_none_or(|(last, rest)| rank < last || (rank == last && Reverse((created_at, id)) > rest))
    };
    found.retain(|(key, _)| is_after(*key));
    found.truncate(request.limit);
    found.into_iter().map(|((_, _, id), score)| (id, score)).collect()
}

/// The neighbours of a memory in its session: offset and id.
pub(crate) fn neighbours(written: &[Written], id: Uuid, reach: u8, time: ReadTime) -> Vec<(i32, Uuid)> {
    let live = written.iter().map(|(_, doc)| doc).filter(|doc| is_visible(doc, time));
    let Some(own) = live.clone().find(|doc| doc.meta.id == id) else { return Vec::new() };
    let Some(session) = &own.meta.session_id else { return Vec::new() };
    let mut all: Vec<&Doc> = live.filter(|doc| doc.meta.session_id.as_ref() == Some(session)).collect();
    all.sort_by_key(|doc| (doc.meta.created_at, doc.meta.number, doc.meta.id));
    let at = all.iter().position(|doc| doc.meta.id == id).expect("a memory of the session") as i32;
    let near = (0..).zip(all).map(|(place, doc): (i32, _)| (place - at, doc.meta.id));
    near.filter(|(offset, _)| *offset != 0 && offset.unsigned_abs() <= reach.into()).collect()
}

pub(crate) fn is_visible(doc: &Doc, time: ReadTime) -> bool {
    doc.meta.expires_at.is_none_or(|at| at > time.now) && time.as_of.is_none_or(|seq| doc.meta.seq <= seq)
}

/// The readable memories, and a query.
struct Corpus<'w> {
    live: &'w [&'w Written],
    query: &'w TestQuery,
    scoring: Scoring,
    /// The score of each memory by words and author.
    own: Vec<f64>,
    /// The best of them without boosts for authors and dates.
    best: f64,
}

impl<'w> Corpus<'w> {
    fn new(live: &'w [&'w Written], query: &'w TestQuery) -> Self {
        let scoring = Scoring::default();
        let mut corpus = Corpus { live, query, scoring, own: Vec::new(), best: 0.0 };
        corpus.own = live.iter().map(|written| corpus.by_words(written) * corpus.speaker_factor(written)).collect();
        corpus.best = corpus.own.iter().copied().fold(0.0, f64::max);
        let named: Vec<bool> = live.iter().map(|((_, name, _), _)| corpus.is_named(name)).collect();
        let authors = |named_only: bool| {
            let chosen = live.iter().zip(&named).filter(|(_, named)| !named_only || **named);
            chosen.map(|((author, ..), _)| *author).collect::<HashSet<_>>().len()
        };
        if authors(true) < authors(false) {
            for (own, named) in corpus.own.iter_mut().zip(named) {
                if named && *own > 0.0 {
                    *own += corpus.scoring.author_name_boost * corpus.best;
                }
            }
        }
        corpus
    }

    fn clauses(&self) -> Vec<(Clause, f64)> {
        self.query.clauses(self.scoring.pair_weight)
    }

    fn is_named(&self, name: &str) -> bool {
        self.clauses().iter().any(|(clause, _)| clause.is_in_name(name))
    }

    /// Frequency of a clause in a passage; each contains the author's name.
    fn frequency(&self, clause: Clause, (author, doc): &Written, passage: u32) -> f64 {
        let last = passages(doc) - 1;
        let inside = |at: &&u32| **at / 60 == passage || (passage == last && **at / 60 > passage);
        let in_text = clause.positions(doc).iter().filter(inside).count() as f64;
        let by_author = doc.analysis.length() > 0 && clause.is_in_name(author.1);
        in_text + if by_author { f64::from(self.scoring.author_name_frequency) } else { 0.0 }
    }

    fn idf(&self, clause: Clause) -> f64 {
        let all = self.live.len() as f64;
        let holds = |written: &&&Written| {
            (0..passages(&written.1)).any(|passage| self.frequency(clause, written, passage) > 0.0)
        };
        let holding = self.live.iter().filter(holds).count() as f64;
        (1.0 + (all - holding + 0.5) / (holding + 0.5)).ln()
    }

    /// The score of the best passage. `i` only raises the scores of other words.
    fn by_words(&self, written: &Written) -> f64 {
        let doc = &written.1;
        let score = |passage: u32| {
            let last = passages(doc) - 1;
            let words = if passage == last { doc.analysis.length() - passage * 60 } else { 60 };
            let counted = |clause: Clause, weight: f64| {
                let frequency = self.frequency(clause, written, passage);
                let saturated = frequency / (frequency + 1.0 * (1.0 - 0.4 + 0.4 * f64::from(words) / 40.0));
                if frequency > 0.0 { weight * self.idf(clause) * saturated } else { 0.0 }
            };
            let mut score = 0.0;
            for (clause, weight) in self.clauses() {
                score += counted(clause, weight);
            }
            if score > 0.0 && self.query.is_first_person() && doc.analysis.language() == Language::English {
                score += counted(Clause::Word("i"), self.scoring.stop_word_weight);
            }
            score
        };
        (0..passages(doc)).map(score).fold(0.0, f64::max)
    }

    /// The factor for authors who use `you` more often than `i`, in a question in the first person.
    fn speaker_factor(&self, (author, doc): &Written) -> f64 {
        if !self.query.is_first_person() {
            return 1.0;
        }
        let frequency = |word: &str| {
            let is_of_speaker = |(other, its): &&&Written| other.0 == author.0 && its.meta.source == doc.meta.source;
            let analyses = self.live.iter().filter(is_of_speaker).map(|(_, doc)| &doc.analysis);
            let terms = analyses.filter(|it| it.language() == Language::English).flat_map(|it| it.terms().iter());
            terms.filter(|term| term.word == word).map(|term| term.positions.len()).sum::<usize>() as f64
        };
        let (first, second) = (frequency("i"), frequency("you"));
        let first_share = (first + 10.0 / 2.0) / (first + second + 10.0);
        (-self.scoring.second_person_penalty * (0.5 - first_share).max(0.0)).exp()
    }

    /// The memories that match or are next to a match.
    fn scored(&self, filter: &Filter) -> Vec<Scored<'w>> {
        let Scoring { before, answer_bonus, after, session, length_discount, match_discount, .. } = self.scoring;
        let mut sessions: BTreeMap<Result<&str, usize>, Vec<usize>> = BTreeMap::new();
        for (number, (_, doc)) in self.live.iter().enumerate() {
            sessions.entry(doc.meta.session_id.as_deref().ok_or(number)).or_default().push(number);
        }
        let days: BTreeSet<i64> = self.live.iter().map(|(_, doc)| day(doc)).collect();
        let age = |doc: &Doc| {
            let is_counted = |later: &&i64| filter.until.is_none_or(|until| **later * DAY < until);
            days.range(day(doc) + 1..).filter(is_counted).count() as f64
        };
        let time = |number: &usize| (self.live[*number].1.meta.created_at, self.live[*number].1.meta.number);
        let key = |number: &usize| (time(number), self.live[*number].1.meta.id);
        sessions.values_mut().for_each(|numbers| numbers.sort_by_key(key));
        let mut scored = Vec::new();
        for (name, numbers) in &sessions {
            let best = numbers.iter().map(|&number| self.own[number]).fold(0.0, f64::max);
            for (at, &number) in numbers.iter().enumerate() {
                let own = |at: Option<usize>| at.and_then(|at| numbers.get(at)).map_or(0.0, |&number| self.own[number]);
                let is_question = |at: usize| self.live[numbers[at]].1.analysis.is_question();
                let (_, doc) = self.live[number];
                let mut score = own(Some(at));
                if name.is_ok() {
                    let is_answer = at.checked_sub(1).is_some_and(|at| is_question(at) && own(Some(at)) > 0.0);
                    let just_before = if is_answer { before[0] * (1.0 + answer_bonus) } else { before[0] };
                    let is_needed = self.query.is_message() || (is_answer && !self.query.is_first_person());
                    let share = if is_needed { 0.0 } else { (score / self.best).min(1.0) };
                    let factor = 1.0 - match_discount * share * share;
                    let around = factor * just_before * own(at.checked_sub(1))
                        + factor * before[1] * own(at.checked_sub(2))
                        + factor * after * own(Some(at + 1));
                    if score > 0.0 || around > 0.0 {
                        let longer = (f64::from(doc.analysis.length()) - LONG).max(0.0);
                        score += 1.0 / (1.0 + length_discount * longer / 40.0) * (around + session * best);
                    }
                }
                scored.push((number, score, self.ties(doc, age(doc))));
            }
        }
        let best = scored.iter().map(|(_, score, _)| *score).fold(0.0, f64::max);
        let candidate = |(number, score, ties): (usize, f64, f64)| {
            let (written, matches) = (self.live[number], self.own[number] > 0.0);
            let is_relevant = score > 0.0 && (matches || score >= self.scoring.min_context_score * best);
            (is_relevant && passes(&written.1, filter)).then_some(Scored { written, score: score + ties, matches })
        };
        scored.into_iter().filter_map(candidate).collect()
    }

    fn ties(&self, doc: &Doc, age: f64) -> f64 {
        let Scoring { recency, recency_first_person, confidence, pin, .. } = self.scoring;
        let recency = if self.query.is_message() { recency_first_person } else { recency };
        let pin = if doc.meta.pinned { pin } else { 0.0 };
        self.best * (recency / (1.0 + age / 17.0) + confidence * doc.meta.confidence + pin)
    }
}

/// The day (UTC) of the commit.
fn day(doc: &Doc) -> i64 {
    doc.meta.created_at.div_euclid(DAY)
}

fn passages(doc: &Doc) -> u32 {
    ((doc.analysis.length() + 30) / 60).max(1)
}

fn passes(doc: &Doc, filter: &Filter) -> bool {
    let meta = &doc.meta;
    let any = |wanted: &[String], has: &String| wanted.is_empty() || wanted.contains(has);
    let one = |wanted: &Option<String>, has: &Option<String>| wanted.is_none() || wanted == has;
    any(&filter.namespaces, &meta.namespace)
        && any(&filter.kinds, &meta.kind)
        && filter.source.as_ref().is_none_or(|source| *source == meta.source)
        && filter.tag.as_ref().is_none_or(|tag| meta.tags.contains(tag))
        && one(&filter.subject, &meta.subject)
        && one(&filter.session_id, &meta.session_id)
        && one(&filter.run_id, &meta.run_id)
        && filter.since.is_none_or(|since| meta.created_at >= since)
        && filter.until.is_none_or(|until| meta.created_at < until)
        && filter.min_confidence.is_none_or(|least| meta.confidence >= least)
        && filter.pinned.is_none_or(|pinned| meta.pinned == pinned)
        && filter.tier.is_none_or(|tier| match tier {
            Tier::Session => meta.session_only,
            Tier::User => !meta.session_only && meta.subject.is_some(),
            Tier::Tenant => !meta.session_only && meta.subject.is_none(),
        })
}
