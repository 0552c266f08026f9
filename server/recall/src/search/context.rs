//! What stands around a memory tells what it is about.
//!
//! An answer rarely repeats the words of its question, nor a reply what it replies to. So in a session a memory takes part
//! in the scores of those next to it, and in that of the best one.

use super::explain::Ledger;
use super::filter::{Filter, Sieve};
use super::own::Own;
use super::scoring::Scoring;
use super::shelves::{Candidate, Shelves, View};
use super::sittings::{Place, ages};
use crate::query::Query;
use crate::segment::Seat;

/// Words up to which a memory is short.
const SHORT: f64 = 160.0;
/// Words beyond that after which it needs its context half as much, with [`Scoring::ease`] 1.
const LONGER: f64 = 40.0;
/// Sittings after which recency has halved.
const HALF_LIFE: f64 = 15.0;

/// A candidate, and what speaks for it but its age and rank.
struct Judged {
    candidate: Candidate,
    evidence: f64,
}

/// A search, as far as the context cares.
pub(super) struct Judge<'s> {
    pub(super) scoring: &'s Scoring,
    pub(super) query: &'s Query,
    pub(super) own: Own,
    /// What a match by words has to score at least.
    pub(super) noise: f64,
}

/// What those around a memory in its session add to its score, before it is eased.
#[derive(Clone, Copy, Default)]
pub(super) struct Around {
    pub(super) before: f64,
    pub(super) earlier: f64,
    pub(super) after: f64,
    pub(super) session: f64,
    /// How much all of these count.
    pub(super) ease: f64,
}

impl Around {
    fn nearby(&self) -> f64 {
        self.before + self.earlier + self.after
    }

    fn sum(&self) -> f64 {
        self.ease * (self.nearby() + self.session)
    }
}

/// What a memory is raised by for what it is, in shares.
#[derive(Clone, Copy)]
pub(super) struct Ties {
    pub(super) recency: f64,
    pub(super) confidence: f64,
    pub(super) pin: f64,
    /// What they are shares of.
    pub(super) unit: f64,
}

impl Ties {
    fn sum(&self) -> f64 {
        self.unit * (self.recency + self.confidence + self.pin)
    }
}

impl Judge<'_> {
    /// The memories that match or stand next to one that does, and pass `filter`.
    pub(super) fn judge<S: Copy>(
        &self,
        shelves: &Shelves<'_, S>,
        filter: &Filter,
        ledger: &mut Ledger,
    ) -> Vec<Candidate> {
        let gatherings = shelves.gatherings();
        let ages = ages(&gatherings, filter.until);
        let sieves: Vec<Option<Sieve<'_>>> = shelves.views.iter().map(|view| filter.sieve(view.pack)).collect();
        let (mut judged, mut seated) = (Vec::new(), Vec::new());
        let mut best_evidence: f64 = 0.0;
        let mut judge_one = |(view, doc): Place, (own, around): (f64, Around), age: usize| {
            let evidence = own + around.sum();
            best_evidence = best_evidence.max(evidence);
            let View { pack, first, .. } = &shelves.views[view as usize];
            if evidence > 0.0 && sieves[view as usize].as_ref().is_some_and(|sieve| sieve.lets_pass(pack, doc)) {
                let place = first + doc as usize;
                let ties = self.tie_breakers(shelves, (view, doc), age);
                ledger.judged(place, &around, &ties);
                let score = evidence + ties.sum();
                let (matches, similarity) = (self.own.is_match(place), self.own.similarity(place));
                judged.push(Judged { candidate: Candidate { view, doc, score, matches, similarity }, evidence });
            }
        };
        for (gathering, age) in gatherings.iter().zip(ages) {
            if !gathering.is_session {
                // days have no order that matters, and may be long
                let alone = |place| (self.score(shelves, place), Around::default());
                gathering.places().for_each(|place| judge_one(place, alone(place), age));
                continue;
            }
            let best = gathering.places().map(|place| self.score(shelves, place)).fold(0.0, f64::max);
            if best > 0.0 {
                shelves.seated(gathering, &mut seated);
                for (at, &(seat, view)) in seated.iter().enumerate() {
                    judge_one((view, seat.doc), self.in_session(shelves, &seated, at, best), age);
                }
            }
        }
        let tail = self.scoring.tail * best_evidence;
        let is_signal = |judged: &Judged| judged.evidence >= if judged.candidate.matches { self.noise } else { tail };
        judged.into_iter().filter(is_signal).map(|judged| judged.candidate).collect()
    }

    fn score<S: Copy>(&self, shelves: &Shelves<'_, S>, (view, doc): Place) -> f64 {
        self.own.of(shelves.views[view as usize].place(doc))
    }

    /// What the memory at this place of a session scores by itself, and what those around it add; 0 and nothing when
    /// neither it nor one next to it matches.
    fn in_session<S: Copy>(
        &self,
        shelves: &Shelves<'_, S>,
        seated: &[(Seat, u32)],
        at: usize,
        best: f64,
    ) -> (f64, Around) {
        let place = |at: usize| seated.get(at).map(|(seat, view)| (*view, seat.doc));
        let score = |at: Option<usize>| at.and_then(place).map_or(0.0, |place| self.score(shelves, place));
        let Scoring { before: [before, earlier], answer, after, session, .. } = *self.scoring;
        let asks = |(view, doc): Place| shelves.views[view as usize].pack.row(doc).asks;
        let (own, previous) = (score(Some(at)), score(at.checked_sub(1)));
        let is_answer = previous > 0.0 && at.checked_sub(1).and_then(place).is_some_and(asks);
        let before = if is_answer { before * (1.0 + answer) } else { before };
        let (before, earlier, after) =
            (before * previous, earlier * score(at.checked_sub(2)), after * score(Some(at + 1)));
        let around = Around { before, earlier, after, session: session * best, ease: 0.0 };
        if own <= 0.0 && around.nearby() <= 0.0 {
            return (0.0, Around::default());
        }
        let (seat, view) = seated[at];
        let words = f64::from(shelves.views[view as usize].pack.passages.doc_length(seat.doc));
        let ease = 1.0 / (1.0 + self.scoring.ease * (words - SHORT).max(0.0) / LONGER);
        (own, Around { ease, ..around })
    }

    /// What recency, confidence and a pin add.
    fn tie_breakers<S: Copy>(&self, shelves: &Shelves<'_, S>, (view, doc): (u32, u32), age: usize) -> Ties {
        let scoring = self.scoring;
        let row = shelves.views[view as usize].pack.row(doc);
        let recency = if self.query.is_first_person { scoring.recency_in_flow } else { scoring.recency };
        let recency = recency / (1.0 + age as f64 / HALF_LIFE);
        // whatever the bytes of an index row say
        let confidence = if row.confidence > 0.0 { row.confidence.min(1.0) } else { 0.0 };
        let pin = if row.pinned { scoring.pin } else { 0.0 };
        Ties { recency, confidence: scoring.confidence * confidence, pin, unit: self.own.best() }
    }
}
