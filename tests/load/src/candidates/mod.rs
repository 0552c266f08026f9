//! Ways to index the terms of memories, each small, each answering the same questions over the same texts: the experiment
//! behind the choice of the keyword index. Relevance is simple and the same in all that rank by themselves, so that they
//! differ in how they find and not in how they weigh.

mod fts_ours;
mod fts_theirs;
mod postings;
mod postings_postgres;
mod segments;

use std::collections::{BTreeMap, HashMap};

use foldhash::fast::RandomState;

use crate::error::Outcome;
use crate::fts::is_stop_word;
use crate::home::Kind;

/// A memory to be indexed.
#[derive(Clone, Debug)]
pub(crate) struct Document {
    pub(crate) id: i64,
    /// 0 is the org that is asked; the others stand beside it.
    pub(crate) org: i64,
    pub(crate) shelf: i64,
    pub(crate) text: String,
}

/// One way.
pub(crate) trait Candidate {
    /// Adds documents, durably, as one commit.
    fn add(&mut self, documents: &[Document]) -> Outcome<()>;

    /// What is done once after much was added.
    fn settle(&mut self) -> Outcome<()>;

    /// Forgets what is in memory, as a restart does.
    fn restart(&mut self) -> Outcome<()>;

    /// The best ten of what lies on these shelves of org 0; says how many there were.
    fn search(&mut self, shelves: &[i64], question: &str) -> Outcome<usize>;

    /// Bytes on disk.
    fn disk(&mut self) -> Outcome<f64>;
}

/// All of them, each with a name.
pub(crate) fn all(kind: Kind) -> Outcome<Vec<(&'static str, Box<dyn Candidate>)>> {
    Ok(match kind {
        Kind::Sqlite => vec![
            ("a: FTS5, terms prefixed by org, own scoring", Box::new(fts_ours::FtsOurs::new()?) as Box<dyn Candidate>),
            ("b: postings table, own scoring", Box::new(postings::Postings::new()?)),
            ("c: segments in memory, a row for each memory", Box::new(segments::Segments::new()?)),
            ("d: FTS5 bm25() with a filter, wrong statistics", Box::new(fts_theirs::FtsTheirs::new()?)),
        ],
        Kind::Postgres => vec![("b: postings table, own scoring", Box::new(postings_postgres::Postings::new()?))],
    })
}

/// The terms of a text: its words in lower case, but for those that nobody looks for.
fn terms(text: &str) -> Vec<String> {
    let lower = text.to_lowercase();
    let words = lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.filter(|word| !is_stop_word(word)).map(str::to_owned).collect()
}

/// Different terms, each with how often it is there, and how many there are in all.
fn counted(text: &str) -> (BTreeMap<String, i64>, i64) {
    let terms = terms(text);
    let length = terms.len() as i64;
    let mut counts = BTreeMap::new();
    terms.into_iter().for_each(|term| *counts.entry(term).or_default() += 1);
    (counts, length)
}

/// Where a term of a question stands: in which memory, how often, and how long that is.
struct Posting {
    memory: i64,
    often: f64,
    length: f64,
}

/// The memories with the best sums over all terms, with the statistics of what is readable alone.
fn best_ten(found: Vec<Vec<Posting>>, readable: f64, mean_length: f64) -> Vec<i64> {
    let mut scores: HashMap<i64, f64, RandomState> = HashMap::default();
    for postings in found {
        let matching = postings.len() as f64;
        let weight = (1.0 + (readable - matching + 0.5).max(0.0) / (matching + 0.5)).ln();
        for Posting { memory, often, length } in postings {
            let norm = 1.2 * (0.25 + 0.75 * length / mean_length);
            *scores.entry(memory).or_default() += weight * often * 2.2 / (often + norm);
        }
    }
    let mut ranked: Vec<(f64, i64)> = scores.into_iter().map(|(memory, score)| (score, memory)).collect();
    let better = |a: &(f64, i64), b: &(f64, i64)| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1));
    if ranked.len() > 10 {
        ranked.select_nth_unstable_by(10, better);
        ranked.truncate(10);
    }
    ranked.sort_unstable_by(better);
    ranked.into_iter().map(|(_, memory)| memory).collect()
}
