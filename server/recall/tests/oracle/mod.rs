//! The rules of search, spelled out over plain lists: no index, no cleverness.
//!
//! It takes words from [`analyze`], as the rules of analysis have tests of their own, and asks for plain words only:
//! one chunk, one stem.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::LazyLock;

use orgmem_recall::{Cut, Doc, Filter, Language, Moment, Order, Scoring, analyze};
use uuid::Uuid;

/// Words with inflections among them, so that stems are shared; German ones for a second language.
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

/// Words of the first and second person, of which texts hold some.
pub(crate) const PERSONS: [&str; 2] = ["i", "you"];

/// Words above which a text needs its context less.
const LONG: f64 = 160.0;

/// What makes a text German.
pub(crate) const GERMAN: &str = "die der und ist";

/// The stem of each word in texts of each language.
static STEMS: LazyLock<HashMap<(&str, Language), String>> = LazyLock::new(|| {
    let texts =
        WORDS.iter().chain(&PERSONS).flat_map(|word| [(word, (*word).to_owned()), (word, format!("{word} {GERMAN}"))]);
    let stems = texts.map(|(word, text)| {
        let analysis = analyze(&text);
        let term = analysis.terms().iter().find(|term| term.word == *word).expect("a text holds its words");
        ((*word, analysis.language()), term.stem.to_owned())
    });
    stems.collect()
});

/// What a query of the tests holds: words of which none is a stop word.
#[derive(Clone, Debug)]
pub(crate) enum Asked {
    Nothing,
    Words(Vec<&'static str>),
    /// The same, by somebody about himself: `i`, which says little, and the words.
    OfHimself(Vec<&'static str>),
    /// `"first second"` and nothing else.
    Phrase(&'static str, &'static str),
    /// `first*` and nothing else.
    Prefix(&'static str),
}

impl Asked {
    pub(crate) fn text(&self) -> String {
        match self {
            Asked::Nothing => "  ".into(),
            Asked::Words(words) => words.join(" "),
            Asked::OfHimself(words) => format!("i {}", words.join(" ")),
            Asked::Phrase(first, second) => format!("\"{first} {second}\""),
            Asked::Prefix(prefix) => format!("{prefix}*"),
        }
    }

    /// What is counted, with its weight: each word, and each two neighbours.
    fn units(&self, pairs: f64) -> Vec<(Unit, f64)> {
        match self {
            Asked::Nothing => Vec::new(),
            Asked::Phrase(first, second) => vec![(Unit::Pair(first, second), 2.0)],
            Asked::Prefix(prefix) => vec![(Unit::Prefix(prefix), 1.0)],
            Asked::Words(words) | Asked::OfHimself(words) => {
                let mut units: Vec<(Unit, f64)> = Vec::new();
                let singles = words.iter().map(|word| (Unit::Word(word), 1.0));
                let pairs = words.windows(2).map(|pair| (Unit::Pair(pair[0], pair[1]), pairs));
                for unit in singles.chain(pairs) {
                    if !units.contains(&unit) {
                        units.push(unit);
                    }
                }
                units
            }
        }
    }

    fn is_first_person(&self) -> bool {
        matches!(self, Asked::OfHimself(_))
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Unit {
    Word(&'static str),
    Prefix(&'static str),
    Pair(&'static str, &'static str),
}

impl Unit {
    /// Whether it is a word of a name.
    fn is_in_name(self, name: &str) -> bool {
        let mut words = name.split(' ');
        match self {
            Unit::Word(word) => words.any(|own| own == word),
            Unit::Prefix(prefix) => words.any(|own| own.starts_with(prefix)),
            Unit::Pair(..) => false,
        }
    }

    /// Where it stands in `doc`.
    fn positions(self, doc: &Doc) -> Vec<u32> {
        let of_stem = |word| {
            let stem = &STEMS[&(word, doc.analysis.language())];
            let terms = doc.analysis.terms().iter().filter(|term| term.stem == stem);
            terms.flat_map(|term| term.positions.to_vec()).collect::<Vec<_>>()
        };
        match self {
            Unit::Word(word) => of_stem(word),
            Unit::Prefix(prefix) => {
                let terms = doc.analysis.terms().iter().filter(|term| term.word.starts_with(prefix));
                terms.flat_map(|term| term.positions.to_vec()).collect()
            }
            Unit::Pair(first, second) => {
                let seconds = of_stem(second);
                of_stem(first).into_iter().filter(|at| seconds.contains(&(at + 1))).collect()
            }
        }
    }
}

/// Whose a memory of the tests is: the id and the name of its author, and the number of the shelf.
pub(crate) type Author = (u128, &'static str, usize);

/// A memory and whose it is.
pub(crate) type Written = (Author, Doc);

/// Id and score of what is found, in order.
pub(crate) fn search(
    written: &[Written],
    asked: &Asked,
    filter: &Filter,
    cut: &Cut,
    moment: Moment,
) -> Vec<(Uuid, f64)> {
    let live: Vec<&Written> = written.iter().filter(|(_, doc)| is_there(doc, moment)).collect();
    let judged = if matches!(asked, Asked::Nothing) {
        live.iter().map(|written| Judged { written, score: 0.0, matches: true }).collect()
    } else {
        folded(World::new(&live, asked).judged(filter))
    };
    let mut found = Vec::new();
    for Judged { written: (_, doc), score, matches } in judged {
        let meta = &doc.meta;
        let rank = match (cut.order, asked) {
            (Order::Recent, _) | (Order::Relevance, Asked::Nothing) => f64::from(u8::from(meta.pinned)),
            (Order::Relevance, _) => score,
            (Order::Confidence, _) => meta.confidence,
        };
        if passes(doc, filter) && (matches || cut.order == Order::Relevance) {
            found.push(((rank, meta.created_at, meta.id), score));
        }
    }
    found.sort_by(|(a, _), (b, _)| a.0.total_cmp(&b.0).then((a.1, a.2).cmp(&(b.1, b.2))).reverse());
    let after = cut.after.map(|key| (key.rank, Reverse((key.created_at, key.id))));
    let is_after = |(rank, created_at, id): (f64, i64, Uuid)| {
        after.is_none_or(|(last, rest)| rank < last || (rank == last && Reverse((created_at, id)) > rest))
    };
    found.retain(|(key, _)| is_after(*key));
    found.truncate(cut.limit);
    found.into_iter().map(|((_, _, id), score)| (id, score)).collect()
}

/// What stands next to a memory in its session: how far away, and which.
pub(crate) fn neighbours(written: &[Written], id: Uuid, reach: u8, moment: Moment) -> Vec<(i32, Uuid)> {
    let live = written.iter().map(|(_, doc)| doc).filter(|doc| is_there(doc, moment));
    let Some(own) = live.clone().find(|doc| doc.meta.id == id) else { return Vec::new() };
    let Some(session) = &own.meta.session_id else { return Vec::new() };
    let mut all: Vec<&Doc> = live.filter(|doc| doc.meta.session_id.as_ref() == Some(session)).collect();
    all.sort_by_key(|doc| (doc.meta.created_at, doc.meta.number, doc.meta.id));
    let at = all.iter().position(|doc| doc.meta.id == id).expect("it is of its session") as i32;
    let near = (0..).zip(all).map(|(place, doc): (i32, _)| (place - at, doc.meta.id));
    near.filter(|(offset, _)| *offset != 0 && offset.unsigned_abs() <= reach.into()).collect()
}

fn is_there(doc: &Doc, moment: Moment) -> bool {
    doc.meta.expires_at.is_none_or(|at| at > moment.now) && moment.as_of.is_none_or(|seq| doc.meta.seq <= seq)
}

/// A memory that was found: its score, and whether it matches itself.
struct Judged<'w> {
    written: &'w Written,
    score: f64,
    matches: bool,
}

/// Of what says the same on one shelf, the one that comes first.
fn folded(judged: Vec<Judged<'_>>) -> Vec<Judged<'_>> {
    let gist = |(author, doc): &Written| {
        let terms = doc.analysis.terms().iter();
        let said = terms.flat_map(|term| term.positions.iter().map(move |at| (*at, term.stem.to_owned())));
        (author.2, said.collect::<BTreeSet<_>>())
    };
    let key = |judged: &Judged<'_>| {
        let meta = &judged.written.1.meta;
        (judged.score, meta.created_at, meta.id)
    };
    let mut kept: HashMap<_, Judged<'_>> = HashMap::new();
    for judged in judged {
        let gist = gist(judged.written);
        if kept.get(&gist).is_none_or(|other| key(other) < key(&judged)) {
            kept.insert(gist, judged);
        }
    }
    kept.into_values().collect()
}

/// What is readable, and what is asked of it.
struct World<'w> {
    live: &'w [&'w Written],
    asked: &'w Asked,
    scoring: Scoring,
    /// What each memory scores by its words and its author.
    own: Vec<f64>,
    /// The best of that, before authors and times that the query names.
    best: f64,
}

impl<'w> World<'w> {
    fn new(live: &'w [&'w Written], asked: &'w Asked) -> Self {
        let scoring = Scoring::default();
        let mut world = World { live, asked, scoring, own: Vec::new(), best: 0.0 };
        world.own = live.iter().map(|written| world.by_words(written) * world.voice(written)).collect();
        world.best = world.own.iter().copied().fold(0.0, f64::max);
        let named: Vec<bool> = live.iter().map(|((_, name, _), _)| world.is_named(name)).collect();
        let authors = |named_only: bool| {
            let chosen = live.iter().zip(&named).filter(|(_, named)| !named_only || **named);
            chosen.map(|((author, ..), _)| *author).collect::<HashSet<_>>().len()
        };
        if authors(true) < authors(false) {
            for (own, named) in world.own.iter_mut().zip(named) {
                if named && *own > 0.0 {
                    *own += world.scoring.named * world.best;
                }
            }
        }
        world
    }

    fn units(&self) -> Vec<(Unit, f64)> {
        self.asked.units(self.scoring.pairs)
    }

    fn is_named(&self, name: &str) -> bool {
        self.units().iter().any(|(unit, _)| unit.is_in_name(name))
    }

    /// How often a unit stands in a passage; the author's name stands in each.
    fn frequency(&self, unit: Unit, (author, doc): &Written, passage: u32) -> f64 {
        let last = passages(doc) - 1;
        let inside = |at: &&u32| **at / 60 == passage || (passage == last && **at / 60 > passage);
        let said = unit.positions(doc).iter().filter(inside).count() as f64;
        let by_author = doc.analysis.length() > 0 && unit.is_in_name(author.1);
        said + if by_author { f64::from(self.scoring.author) } else { 0.0 }
    }

    fn rarity(&self, unit: Unit) -> f64 {
        let all = self.live.len() as f64;
        let holds =
            |written: &&&Written| (0..passages(&written.1)).any(|passage| self.frequency(unit, written, passage) > 0.0);
        let holding = self.live.iter().filter(holds).count() as f64;
        (1.0 + (all - holding + 0.5) / (holding + 0.5)).ln()
    }

    /// The best passage counts. `i` raises what other words found.
    fn by_words(&self, written: &Written) -> f64 {
        let doc = &written.1;
        let score = |passage: u32| {
            let last = passages(doc) - 1;
            let words = if passage == last { doc.analysis.length() - passage * 60 } else { 60 };
            let counted = |unit: Unit, weight: f64| {
                let frequency = self.frequency(unit, written, passage);
                let saturated = frequency / (frequency + 1.0 * (1.0 - 0.4 + 0.4 * f64::from(words) / 40.0));
                if frequency > 0.0 { weight * self.rarity(unit) * saturated } else { 0.0 }
            };
            let mut score = 0.0;
            for (unit, weight) in self.units() {
                score += counted(unit, weight);
            }
            if score > 0.0 && self.asked.is_first_person() && doc.analysis.language() == Language::English {
                score += counted(Unit::Word("i"), self.scoring.stop_words);
            }
            score
        };
        (0..passages(doc)).map(score).fold(0.0, f64::max)
    }

    /// In a question of somebody about himself, whoever says `you` more often than `i` is held back.
    fn voice(&self, (author, doc): &Written) -> f64 {
        if !self.asked.is_first_person() {
            return 1.0;
        }
        let said = |word: &str| {
            let speaks = |(other, said): &&&Written| other.0 == author.0 && said.meta.source == doc.meta.source;
            let count = |(_, said): &&Written| {
                let terms = said.analysis.terms().iter().filter(|term| term.word == word);
                let is_english = said.analysis.language() == Language::English;
                if is_english { terms.map(|term| term.positions.len()).sum::<usize>() } else { 0 }
            };
            self.live.iter().filter(speaks).map(count).sum::<usize>() as f64
        };
        let (first, second) = (said("i"), said("you"));
        let of_himself = (first + 10.0 / 2.0) / (first + second + 10.0);
        (-self.scoring.voice * (0.5 - of_himself).max(0.0)).exp()
    }

    /// What matches or stands next to it, with its score, and whether it matches itself.
    fn judged(&self, filter: &Filter) -> Vec<Judged<'w>> {
        let Scoring { before, answer, after, session, ease, .. } = self.scoring;
        let mut sittings: BTreeMap<Result<&str, i64>, Vec<usize>> = BTreeMap::new();
        for (number, (_, doc)) in self.live.iter().enumerate() {
            let day = doc.meta.created_at.div_euclid(24 * 3_600_000_000);
            sittings.entry(doc.meta.session_id.as_deref().ok_or(day)).or_default().push(number);
        }
        let when = |&number: &usize| {
            let meta = &self.live[number].1.meta;
            (meta.created_at, meta.number, meta.id)
        };
        sittings.values_mut().for_each(|numbers| numbers.sort_by_key(when));
        let time = |number: &usize| (self.live[*number].1.meta.created_at, self.live[*number].1.meta.number);
        let mut judged = Vec::new();
        for (name, numbers) in &sittings {
            let last = numbers.last().map(time);
            let came_later = sittings.values().filter(|other| {
                let began = other.first().map(|first| self.live[*first].1.meta.created_at);
                filter.until.is_none_or(|until| began < Some(until)) && other.last().map(time) > last
            });
            let age = came_later.count() as f64;
            let best = numbers.iter().map(|&number| self.own[number]).fold(0.0, f64::max);
            for (at, &number) in numbers.iter().enumerate() {
                let own = |at: Option<usize>| at.and_then(|at| numbers.get(at)).map_or(0.0, |&number| self.own[number]);
                let asks = |at: usize| self.live[numbers[at]].1.analysis.asks();
                let (_, doc) = self.live[number];
                let mut evidence = own(Some(at));
                if name.is_ok() {
                    let is_answer = at.checked_sub(1).is_some_and(asks);
                    let just_before = if is_answer { before[0] * (1.0 + answer) } else { before[0] };
                    let around = just_before * own(at.checked_sub(1))
                        + before[1] * own(at.checked_sub(2))
                        + after * own(Some(at + 1));
                    if evidence > 0.0 || around > 0.0 {
                        let longer = (f64::from(doc.analysis.length()) - LONG).max(0.0);
                        evidence += 1.0 / (1.0 + ease * longer / 40.0) * (around + session * best);
                    }
                }
                judged.push((number, evidence, self.gentle(doc, age)));
            }
        }
        let best = judged.iter().map(|(_, evidence, _)| *evidence).fold(0.0, f64::max);
        let found =
            judged.into_iter().map(|(number, evidence, gentle)| (number, evidence, gentle, self.own[number] > 0.0));
        let found = found
            .filter(|(_, evidence, _, matches)| *evidence > 0.0 && (*matches || *evidence >= self.scoring.tail * best));
        let found = found.map(|(number, evidence, gentle, matches)| Judged {
            written: self.live[number],
            score: evidence + gentle,
            matches,
        });
        found.filter(|judged| passes(&judged.written.1, filter)).collect()
    }

    fn gentle(&self, doc: &Doc, age: f64) -> f64 {
        let Scoring { recency, recency_in_flow, confidence, pin, .. } = self.scoring;
        let recency = if self.asked.is_first_person() { recency_in_flow } else { recency };
        let pin = if doc.meta.pinned { pin } else { 0.0 };
        self.best * (recency / (1.0 + age / 15.0) + confidence * doc.meta.confidence + pin)
    }
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
}
