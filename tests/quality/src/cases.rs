//! Hand-made cases: short memories, queries as people type them, and the memory that should come first.
//!
//! The folder `cases` of this crate has one file for each small organisation. A line is a memory or a query:
//!
//! | memory | |
//! |---|---|
//! | `id` | unique in the file |
//! | `by` | the author |
//! | `text` | the content |
//! | `at`, `session` | optional: a date and time in UTC, and the session |
//!
//! | query | |
//! |---|---|
//! | `q` | the query |
//! | `first` | the ids of which one should be the first hit |
//! | `category` | what makes the query difficult |
//!
//! A new case needs a line, and the recorded shares in `tests/cases.rs` grow with it. The author of a case writes it as a
//! person would type it, before looking at its result.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::data::{Conversation, Failure, Item, Question, default_time, parse_rows, parse_time};
use crate::embedder::Embedder;
use crate::in_process::{Indexed, Surface};
use orgmem_recall::Scoring;

/// The memories and queries of one file.
#[derive(Clone, Debug)]
pub struct Cases {
    /// The memories, and the queries as questions whose gold is the list `first`.
    pub conversation: Conversation,
    /// The category of each question.
    pub categories: Vec<String>,
}

/// The queries of a category whose first hit is an expected one, of all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Share {
    /// Queries with an expected first hit.
    pub right: usize,
    /// All queries.
    pub all: usize,
}

/// The shares by category, and the queries whose first hit is another.
#[derive(Clone, Debug, Default)]
pub struct Shares {
    /// By category.
    pub by_category: BTreeMap<String, Share>,
    /// The file, the query and the id of the first hit, if there is any.
    pub misses: Vec<(String, String, Option<String>)>,
}

#[derive(Deserialize)]
#[serde(untagged, deny_unknown_fields)]
enum Row {
    Query { q: String, first: Vec<String>, category: String },
    Memory { id: String, by: String, text: String, at: Option<String>, session: Option<String> },
}

impl Cases {
    /// The files of `folder`, sorted by name.
    ///
    /// # Errors
    /// When a file cannot be read, or a query expects an unknown memory.
    pub fn all(folder: &Path) -> Result<Vec<Self>, Failure> {
        let entries = fs::read_dir(folder).map_err(|error| format!("`{}`: {error}", folder.display()))?;
        let mut files: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
        files.retain(|file| file.extension().is_some_and(|extension| extension == "jsonl"));
        files.sort();
        files.iter().map(|file| Self::read(file)).collect()
    }

    /// The cases of this repository.
    ///
    /// # Errors
    /// Those of [`all`](Self::all).
    pub fn of_repository() -> Result<Vec<Self>, Failure> {
        Self::all(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/cases")))
    }

    fn read(file: &Path) -> Result<Self, Failure> {
        let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let text = fs::read_to_string(file).map_err(|error| format!("`{}`: {error}", file.display()))?;
        let rows = parse_rows(&text).map_err(|error| format!("`{}`, {error}", file.display()))?;
        let (mut items, mut questions, mut categories) = (Vec::<Item>::new(), Vec::new(), Vec::new());
        for row in rows {
            match row {
                Row::Memory { id, by, text, at, session } => {
                    let at = at.as_deref().map_or_else(|| Ok(default_time(items.len())), parse_time)?;
                    items.push(Item { id, session, speaker: by, at, text });
                }
                Row::Query { q, first, category } => {
                    questions.push((q, first));
                    categories.push(category);
                }
            }
        }
        let after = items.len();
        let is_known = |id: &String| items.iter().any(|item| item.id == *id);
        if let Some((query, _)) = questions.iter().find(|(_, first)| first.is_empty() || !first.iter().all(is_known)) {
            return Err(format!("`{}`: the query `{query}` expects an unknown memory", file.display()).into());
        }
        let questions = questions.into_iter().map(|(text, gold)| Question { text, after, gold }).collect();
        Ok(Cases { conversation: Conversation { name, items, questions }, categories })
    }
}

impl Shares {
    /// Asks all queries in process; by words, and with an embedder by meaning too.
    ///
    /// # Errors
    /// The errors of the embedder.
    pub fn of(cases: &[Cases], scoring: &Scoring, embedder: Option<&dyn Embedder>) -> Result<Self, Failure> {
        let mut shares = Shares::default();
        for Cases { conversation, categories } in cases {
            let rankings = Indexed::new(conversation.clone(), embedder)?.rankings(scoring, Surface::Search);
            shares.add(conversation, categories, &rankings);
        }
        Ok(shares)
    }

    /// Adds the rankings of one file.
    pub fn add(&mut self, conversation: &Conversation, categories: &[String], rankings: &[Vec<String>]) {
        for ((question, category), ranking) in conversation.questions.iter().zip(categories).zip(rankings) {
            let is_right = ranking.first().is_some_and(|first| question.gold.contains(first));
            let share = self.by_category.entry(category.clone()).or_default();
            share.all += 1;
            share.right += usize::from(is_right);
            if !is_right {
                let first = ranking.first().cloned();
                self.misses.push((conversation.name.clone(), question.text.clone(), first));
            }
        }
    }

    /// The sum over all categories.
    #[must_use]
    pub fn total(&self) -> Share {
        let add = |sum: Share, share: &Share| Share { right: sum.right + share.right, all: sum.all + share.all };
        self.by_category.values().fold(Share::default(), add)
    }

    /// A row of a Markdown table for each category.
    #[must_use]
    pub fn table(&self, label: &str) -> String {
        let row = |name: &str, share: Share| {
            let percent = 100.0 * share.right as f64 / share.all.max(1) as f64;
            format!("| {name} | {} of {} | {percent:.0} % |\n", share.right, share.all)
        };
        let rows: String = self.by_category.iter().map(|(name, share)| row(name, *share)).collect();
        format!("| first hits, {label} | right | share |\n| --- | --- | --- |\n{rows}{}", row("all", self.total()))
    }
}
