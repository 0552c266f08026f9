//! What counts how much.

use crate::query::Query;

/// The weights of a score.
///
/// The defaults were chosen on conversations, facts and notes that people ask about, all together, where the optimum is
/// flat; docs/recall.md tells what each adds. A weight of 0 leaves its part out. The last two weigh nothing: they say which
/// vectors are looked at.
///
/// Shares are of the best score that a memory of the search has by its own words.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scoring {
    /// What two words of the query count more for standing next to each other.
    pub pairs: f64,
    /// What a stop word counts, of what it would count as another word.
    pub stop_words: f64,
    /// How often the name of its author stands in each passage of a memory.
    pub author: u32,
    /// What a memory is raised by when the query names its author and not all of them: a share.
    pub named: f64,
    /// What a memory is raised by when the query names the day that it was made on: a share.
    pub dates: f64,
    /// How far those are held back who address others, in a question in the first person: its asker is not among them.
    pub voice: f64,
    /// What the memory before counts, and the one before that, in the same session.
    pub before: [f64; 2],
    /// How much more the one before counts when it is a question.
    pub answer: f64,
    /// What the memory after counts, in the same session.
    pub after: f64,
    /// What the best memory of the same session counts.
    pub session: f64,
    /// How much less all of these count for a long memory, which says by itself what it is about.
    pub ease: f64,
    /// What a memory of the latest sitting is raised by: a share.
    pub recency: f64,
    /// The same when the question is in the first person, and so goes on with what there was.
    pub recency_in_flow: f64,
    /// What certainty raises a memory by: a share.
    pub confidence: f64,
    /// What a pin raises a memory by: a share.
    pub pin: f64,
    /// What only stands next to a match is noise below this share of the best.
    pub tail: f64,
    /// What matches a query of very many words is noise below this share of a match of them all.
    pub gate: f64,
    /// What the memory counts that is nearest to the query by what it means, of what the best one counts by its words.
    pub meaning: f64,
    /// The cosine below which not even the nearest has anything to do with the query.
    pub near: f64,
    /// The share of the cosine of the nearest up to which a memory counts nothing.
    pub far: f64,
    /// Vectors up to which each is compared with the query.
    pub exact_vectors: usize,
    /// How many at least are compared of more than that: those that are nearest at a glance.
    pub shortlist: usize,
}

impl Default for Scoring {
    fn default() -> Self {
        Scoring {
            pairs: 0.4,
            stop_words: 0.2,
            author: 1,
            named: 0.1,
            dates: 0.45,
            voice: 3.0,
            before: [0.3, 0.2],
            answer: 1.0,
            after: 0.1,
            session: 0.5,
            ease: 0.3,
            recency: 0.1,
            recency_in_flow: 0.8,
            confidence: 0.05,
            pin: 0.05,
            tail: 0.1,
            gate: 0.01,
            meaning: 0.0,
            near: 0.2,
            far: 0.35,
            exact_vectors: 100_000,
            shortlist: 10_000,
        }
    }
}

impl Scoring {
    /// The weights for a query that is compared by what it means too.
    ///
    /// Meaning tells some of what the context tells otherwise, so that counts less.
    pub fn with_meaning() -> Self {
        Scoring {
            meaning: 1.0,
            far: 0.3,
            stop_words: 0.3,
            named: 0.2,
            before: [0.25, 0.05],
            answer: 1.5,
            after: 0.0,
            ease: 0.05,
            ..Scoring::default()
        }
    }

    /// The weights for this query.
    pub fn of(query: &Query) -> Self {
        if query.meaning.is_empty() { Scoring::default() } else { Scoring::with_meaning() }
    }
}
