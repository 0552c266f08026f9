//! Why a memory scores what it scores: the parts of its score, noted by the code that adds them up.

use std::collections::{BTreeMap, HashMap, HashSet};

use uuid::Uuid;

use super::context::{Around, Ties};
use super::filter::Filter;
use super::own::Own;
use super::scoring::Scoring;
use super::shelves::{Shelves, View};
use crate::query::Query;

/// What a part of a score comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Part {
    /// The words and phrases of the query, in the best passage; the author's name is among the words of a memory.
    Words,
    /// Words of the query that stand next to each other there.
    Pairs,
    /// It means something like the query.
    Meaning,
    /// Below 0: in a question in the first person, its author does not sound like who asks.
    Voice,
    /// The query names its author, and not all authors.
    NamedAuthor,
    /// The query names the time when it was made.
    Date,
    /// The memories before it in its session match.
    Before,
    /// The memory after it in its session matches.
    After,
    /// The best memory of its session matches.
    Session,
    /// It is of a late sitting.
    Recency,
    /// It is certain.
    Confidence,
    /// It is pinned.
    Pin,
}

impl<S: Copy> Shelves<'_, S> {
    /// What the scores of these memories are made of, of those that are found: parts that are not 0, in the order of
    /// [`Part`]. Their sum is the score that [`candidates`](Self::candidates) gives, but for the last bits. Nothing
    /// for a blank query, by which nothing is scored.
    ///
    /// # Complexity
    /// As for the search itself.
    pub fn explain(&self, query: &Query, filter: &Filter, ids: &[Uuid]) -> HashMap<Uuid, Vec<(Part, f64)>> {
        let wanted: HashSet<Uuid> = ids.iter().copied().collect();
        let mut places: HashMap<usize, Uuid> = HashMap::with_capacity(wanted.len());
        for view in &self.views {
            let shown = view.pack.rows().filter(|(doc, row)| wanted.contains(&row.id) && view.shows(*doc));
            places.extend(shown.map(|(doc, row)| (view.place(doc), row.id)));
        }
        let mut ledger = Ledger::of(places.keys().copied());
        self.scored(&Scoring::of(query), query, filter, &mut ledger);
        let explained = ledger.pages.into_iter().filter(|(_, page)| page.is_judged);
        explained.map(|(place, page)| (places[&place], page.told())).collect()
    }
}

/// What is noted of some memories while all are scored. Closed, it notes nothing and costs nothing that counts.
pub(super) struct Ledger {
    pages: HashMap<usize, Page>,
}

/// What is noted of one memory.
#[derive(Default)]
struct Page {
    parts: BTreeMap<Part, f64>,
    /// What it scored by itself when that was last noted.
    own: f64,
    is_judged: bool,
}

impl Page {
    fn add(&mut self, part: Part, value: f64) {
        *self.parts.entry(part).or_default() += value;
    }

    fn told(self) -> Vec<(Part, f64)> {
        self.parts.into_iter().filter(|(_, value)| *value != 0.0).collect()
    }
}

impl Ledger {
    pub(super) fn closed() -> Self {
        Self::of(std::iter::empty())
    }

    fn of(places: impl Iterator<Item = usize>) -> Self {
        Self { pages: places.map(|place| (place, Page::default())).collect() }
    }

    /// The docs of a view of which something is noted.
    pub(super) fn docs_of<S>(&self, view: &View<'_, S>) -> Vec<u32> {
        let last = view.first + view.pack.len() as usize;
        let here = self.pages.keys().filter(|place| (view.first..last).contains(place));
        here.map(|place| (place - view.first) as u32).collect()
    }

    /// Notes what is part of what a memory scores by itself.
    pub(super) fn add_own(&mut self, place: usize, part: Part, value: f64) {
        if let Some(page) = self.pages.get_mut(&place) {
            page.add(part, value);
            page.own += value;
        }
    }

    /// Notes by how much what memories score by themselves has changed since the last time.
    pub(super) fn note(&mut self, part: Part, own: &Own) {
        for (place, page) in &mut self.pages {
            let now = own.of(*place);
            page.add(part, now - page.own);
            page.own = now;
        }
    }

    /// Notes what a memory gets for what stands around it and for what it is.
    pub(super) fn judged(&mut self, place: usize, around: &Around, ties: &Ties) {
        if let Some(page) = self.pages.get_mut(&place) {
            page.is_judged = true;
            page.add(Part::Before, around.ease * (around.before + around.earlier));
            page.add(Part::After, around.ease * around.after);
            page.add(Part::Session, around.ease * around.session);
            page.add(Part::Recency, ties.unit * ties.recency);
            page.add(Part::Confidence, ties.unit * ties.confidence);
            page.add(Part::Pin, ties.unit * ties.pin);
        }
    }
}
