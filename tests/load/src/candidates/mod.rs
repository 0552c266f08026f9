//! The experiment behind the choice of the keyword index: small implementations, which answer the same questions over
//! the same texts. Those with their own scoring use the same simple formula, so that they differ only in retrieval.

mod fts_bm25;
mod fts_own_scoring;
mod postings;
mod postings_postgres;
mod segments;

use std::collections::{BTreeMap, HashMap};

use foldhash::fast::RandomState;

use crate::error::Outcome;
use crate::fts::is_stop_word;
use crate::storage::Kind;

#[derive(Clone, Debug)]
pub(crate) struct Document {
    pub(crate) id: i64,
    /// 0 is the searched org.
    pub(crate) org: i64,
    pub(crate) partition: i64,
    pub(crate) text: String,
}

pub(crate) trait Candidate {
    /// Adds documents durably in one transaction.
    fn add(&mut self, documents: &[Document]) -> Outcome<()>;

    /// Runs once after a bulk load.
    fn finish_bulk(&mut self) -> Outcome<()>;

    /// Drops the caches, as a restart does.
    fn restart(&mut self) -> Outcome<()>;

    /// Fetches the best ten of these partitions of org 0 and returns their number.
    fn search(&mut self, partitions: &[i64], question: &str) -> Outcome<usize>;

    /// =
    fn disk(&mut self) -> Outcome<f64>;
}

/// All candidates for a database, with their names.
pub(crate) fn all(kind: Kind) -> Outcome<Vec<(&'static str, Box<dyn Candidate>)>> {
    Ok(match kind {
        Kind::Sqlite => vec![
            (
                "a: FTS5, terms prefixed by org, own scoring",
                Box::new(fts_own_scoring::FtsOwnScoring::new()?) as Box<dyn Candidate>,
            ),
            ("b: postings table, own scoring", Box::new(postings::Postings::new()?)),
            ("c: segments in memory, a row for each memory", Box::new(segments::Segments::new()?)),
            ("d: FTS5 bm25() with a filter, wrong statistics", Box::new(fts_bm25::FtsBm25::new()?)),
        ],
        Kind::Postgres => vec![("b: postings table, own scoring", Box::new(postings_postgres::Postings::new()?))],
    })
}

/// The words of a text in lower case, without stop words.
fn terms(text: &str) -> Vec<String> {
    let lower = text.to_lowercase();
    let words = lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.filter(|word| !is_stop_word(word)).map(str::to_owned).collect()
}

/// The frequency of each term, and the number of terms.
fn counted(text: &str) -> (BTreeMap<String, i64>, i64) {
    let terms = terms(text);
    let length = terms.len() as i64;
    let mut counts = BTreeMap::new();
    terms.into_iter().for_each(|term| *counts.entry(term).or_default() += 1);
    (counts, length)
}

/// An occurrence of a term in a memory.
struct Posting {
    memory: i64,
    frequency: f64,
    length: f64,
}

/// The memories with the best scores, with the statistics of the readable texts.
fn best_ten(found: Vec<Vec<Posting>>, readable: f64, mean_length: f64) -> Vec<i64> {
    let mut scores: HashMap<i64, f64, RandomState> = HashMap::default();
    for postings in found {
        let matching = postings.len() as f64;
        let weight = (1.0 + (readable - matching + 0.5).max(0.0) / (matching + 0.5)).ln();
        for Posting { memory, frequency, length } in postings {
            let norm = 1.2 * (0.25 + 0.75 * length / mean_length);
            *scores.entry(memory).or_default() += weight * frequency * 2.2 / (frequency + norm);
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
