//! Exchanges: neighbouring episodes of one subject and thread.

use std::collections::{BTreeMap, BTreeSet};

use sha2::{Digest, Sha256};
use uuid::Uuid;

use crate::text::{self, Line, tokens_of};
use crate::{Episode, Outcome};

/// The longest pause within an exchange: 30 minutes.
pub const GAP_MICROS: i64 = 30 * 60 * 1_000_000;

/// An exchange with the texts of its page. It does not depend on the day or on other exchanges.
#[derive(Clone, Debug, PartialEq)]
pub struct Exchange {
    /// What the placement reads.
    pub facts: Facts,
    /// The last declared outcome.
    pub outcome: Option<Outcome>,
    /// The kinds of its episodes, each once.
    pub kinds: Vec<String>,
    /// The episodes, in the order of their times.
    pub sources: Vec<Uuid>,
    /// The near-verbatim text.
    pub hot: String,
    /// One or two sentences.
    pub warm: String,
}

/// The facts about an exchange that decide its tier.
#[derive(Clone, Debug, PartialEq)]
pub struct Facts {
    /// The id of the page: a hash of workspace, subject, thread and first episode.
    pub id: Uuid,
    /// The session, or the correlation id without one.
    pub thread: String,
    /// Time of the first episode in microseconds since 1970.
    pub first_at: i64,
    /// Time of the last episode.
    pub last_at: i64,
    /// The largest salience of its episodes.
    pub salience: f64,
    /// Its correlation ids, in their order.
    pub links: Vec<Link>,
    /// Tokens of the near-verbatim text.
    pub hot_tokens: usize,
    /// Tokens of the short text.
    pub warm_tokens: usize,
    /// Whether a record contradicts one of its claims: then it is one tier lower.
    pub is_stale: bool,
}

/// A correlation id of an exchange, and the outcomes of its episodes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// The correlation id.
    pub correlation: String,
    /// Episodes with the outcome `success`.
    pub successes: u32,
    /// Episodes with the outcome `failure`.
    pub failures: u32,
}

/// The exchanges of some eligible episodes of one workspace and subject, in the order of their threads and times.
///
/// # Complexity
/// O(n log n) for n episodes, and the summaries of their texts.
#[must_use]
pub fn exchanges<'e>(episodes: impl IntoIterator<Item = &'e Episode>) -> Vec<Exchange> {
    let mut threads: BTreeMap<&str, Vec<&Episode>> = BTreeMap::new();
    for episode in episodes {
        if let Some(thread) = episode.thread() {
            threads.entry(thread).or_default().push(episode);
        }
    }
    let mut found = Vec::new();
    for (thread, mut episodes) in threads {
        episodes.sort_by_key(|episode| (episode.at, episode.id));
        let runs = episodes.chunk_by(|one, next| next.at.saturating_sub(one.at) <= GAP_MICROS);
        found.extend(runs.filter_map(|run| Exchange::of(thread, run)));
    }
    found
}

impl Exchange {
    fn of(thread: &str, episodes: &[&Episode]) -> Option<Self> {
        let (first, last) = (episodes.first()?, episodes.last()?);
        let lines: Vec<Line<'_>> = episodes
            .iter()
            .map(|episode| Line {
                actor: episode.actor.as_deref().unwrap_or_default(),
                text: &episode.text,
                salience: episode.salience,
            })
            .collect();
        let (hot, warm) = (text::hot(&lines), text::warm(&lines));
        let facts = Facts {
            id: page_id(first, thread),
            thread: thread.to_owned(),
            first_at: first.at,
            last_at: last.at,
            salience: episodes.iter().map(|episode| episode.salience).fold(0.0, f64::max),
            links: links(episodes),
            hot_tokens: tokens_of(&hot),
            warm_tokens: tokens_of(&warm),
            is_stale: false,
        };
        Some(Self {
            facts,
            outcome: episodes.iter().rev().find_map(|episode| episode.outcome),
            kinds: episodes
                .iter()
                .filter_map(|episode| episode.kind.clone())
                .collect::<BTreeSet<_>>()
                .into_iter()
                .collect(),
            sources: episodes.iter().map(|episode| episode.id).collect(),
            hot,
            warm,
        })
    }
}

fn links(episodes: &[&Episode]) -> Vec<Link> {
    let mut links: BTreeMap<&str, (u32, u32)> = BTreeMap::new();
    for episode in episodes {
        let Some(correlation) = episode.correlation.as_deref() else { continue };
        let (successes, failures) = links.entry(correlation).or_default();
        match episode.outcome {
            Some(Outcome::Success) => *successes = successes.saturating_add(1),
            Some(Outcome::Failure) => *failures = failures.saturating_add(1),
            Some(Outcome::Neutral) | None => {}
        }
    }
    let link = |(correlation, (successes, failures)): (&str, (u32, u32))| Link {
        correlation: correlation.to_owned(),
        successes,
        failures,
    };
    links.into_iter().map(link).collect()
}

/// A UUID v8. Each text is preceded by its length, so that no two inputs have the same bytes.
fn page_id(first: &Episode, thread: &str) -> Uuid {
    let mut hash = Sha256::new();
    hash.update(b"orgmem page 1");
    hash.update(first.workspace.as_bytes());
    for text in [first.subject.as_str(), thread] {
        hash.update((text.len() as u64).to_be_bytes());
        hash.update(text.as_bytes());
    }
    hash.update(first.id.as_bytes());
    let mut bytes = [0; 16];
    for (byte, hashed) in bytes.iter_mut().zip(hash.finalize()) {
        *byte = hashed;
    }
    uuid::Builder::from_custom_bytes(bytes).into_uuid()
}
