//! The groups of memories with a match, and bounds of their scores.

use hashbrown::HashTable;

use super::context::{ContextGroup, ContextScorer};
use super::searcher::DocRef;
use super::sessions::SessionName;
use crate::index::Segment;
use crate::tuning::Scoring;

/// The two best base scores of a session.
#[derive(Clone, Copy, Debug, Default)]
struct BestTwo {
    first: f64,
    second: f64,
}

impl BestTwo {
    fn add(&mut self, score: f64) {
        if score > self.first {
            (self.first, self.second) = (score, self.first);
        } else {
            self.second = self.second.max(score);
        }
    }

    /// The maximum score of a memory of the session, without tie-breakers.
    fn max_score(self, scoring: &Scoring) -> f64 {
        let Scoring { before: [before, second_before], answer_bonus, after, session, .. } = *scoring;
        // the memory itself and its neighbours: one of them may have the best score, all others at most the second
        let weights = [1.0, before * (1.0 + answer_bonus.max(0.0)), second_before, after];
        let greatest = weights.iter().copied().fold(0.0, f64::max);
        let others = weights.iter().sum::<f64>() - greatest;
        (greatest + session) * self.first + others * self.second
    }
}

/// All matches, by group.
pub(super) struct Groups<'a> {
    /// Each group, and an upper bound of the scores of its memories without tie-breakers.
    pub(super) bounds: Vec<(ContextGroup<'a>, f64)>,
    pub(super) matches: Vec<Match>,
}

/// A match of a session, and its base score.
#[derive(Clone, Copy, Debug)]
pub(super) struct Match {
    pub(super) at: DocRef,
    pub(super) score: f64,
}

/// A session with a match.
struct Session<'a> {
    name: SessionName<'a>,
    best: BestTwo,
    matches: usize,
}

/// Collects the sessions of matches.
#[derive(Default)]
struct MatchedSessions<'a> {
    all: Vec<Session<'a>>,
    by_name: HashTable<u32>,
    /// The number in `all` of each session of the current view, `u32::MAX` if it has no match yet. Only the entries that
    /// were used are reset.
    of_view: Vec<u32>,
    /// The used entries.
    used: Vec<u32>,
}

impl<'a> MatchedSessions<'a> {
    fn with_capacity(count: usize) -> Self {
        let (all, by_name) = (Vec::with_capacity(count), HashTable::with_capacity(count));
        MatchedSessions { all, by_name, ..Self::default() }
    }

    fn begin_view(&mut self, segment: &Segment) {
        self.used.drain(..).for_each(|session| self.of_view[session as usize] = u32::MAX);
        self.of_view.resize(self.of_view.len().max(segment.sessions.len()), u32::MAX);
    }

    /// Adds a match of a session of the current view; returns the number of the session.
    fn add(&mut self, segment: &'a Segment, session: u32, score: f64) -> u32 {
        let mut number = self.of_view[session as usize];
        if number == u32::MAX {
            number = self.number(segment.hashed_session_name(session));
            self.of_view[session as usize] = number;
            self.used.push(session);
        }
        let session = &mut self.all[number as usize];
        session.best.add(score);
        session.matches += 1;
        number
    }

    fn number(&mut self, name: SessionName<'a>) -> u32 {
        let MatchedSessions { all, by_name, .. } = self;
        if let Some(&known) = by_name.find(name.hash, |known| all[*known as usize].name == name) {
            return known;
        }
        let number = all.len() as u32;
        by_name.insert_unique(name.hash, number, |known| all[*known as usize].name.hash);
        all.push(Session { name, best: BestTwo::default(), matches: 0 });
        number
    }
}

impl<'a, S: Copy> ContextScorer<'_, 'a, S> {
    /// All groups with a match, each once.
    ///
    /// # Complexity
    /// O(matches).
    pub(super) fn groups(&self) -> Groups<'a> {
        let count = self.base.by_view().map(|(_, scores)| scores.len()).sum();
        let (mut bounds, mut found) = (Vec::new(), Vec::with_capacity(count));
        let mut sessions = MatchedSessions::with_capacity(count.min(self.directory.sessions));
        for (number, scores) in self.base.by_view().filter(|(_, scores)| !scores.is_empty()) {
            let segment = self.searcher.views[number as usize].segment;
            sessions.begin_view(segment);
            for base in scores.iter().filter(|base| base.score > 0.0) {
                let at = DocRef { view: number, doc: base.doc };
                match segment.sessions.of_doc(base.doc) {
                    None => bounds.push((ContextGroup::Single(at), base.score)),
                    Some(session) => {
                        let session = sessions.add(segment, session, base.score);
                        found.push((session, Match { at, score: base.score }));
                    }
                }
            }
        }
        let mut end = 0;
        let mut starts: Vec<usize> = Vec::with_capacity(sessions.all.len());
        bounds.reserve(sessions.all.len());
        for Session { name, best, matches } in sessions.all {
            starts.push(end);
            bounds.push((ContextGroup::Session { name, matches: (end, end + matches) }, best.max_score(self.scoring)));
            end += matches;
        }
        let mut matches = vec![Match { at: DocRef { view: 0, doc: 0 }, score: 0.0 }; end];
        for (session, found) in found {
            let next = &mut starts[session as usize];
            matches[*next] = found;
            *next += 1;
        }
        Groups { bounds, matches }
    }
}
