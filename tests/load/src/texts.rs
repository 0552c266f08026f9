//! Texts and questions of conversations.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};
use serde::Deserialize;

use crate::error::Outcome;

/// Approximate size of a memory, in bytes.
const LENGTH: usize = 200;

/// The demo org, for runs without conversations.
const DEMO: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../server/demo");

#[derive(Debug)]
pub(crate) struct Texts {
    /// Pieces with half of a memory's size.
    halves: Vec<String>,
    questions: Vec<String>,
    /// The source, for the report.
    pub(crate) source: String,
}

#[derive(Deserialize)]
struct Item {
    text: String,
}

#[derive(Deserialize)]
struct Query {
    question: String,
}

impl Texts {
    /// All conversations in `folder`; without a folder the texts of the demo org.
    pub(crate) fn load(folder: Option<PathBuf>) -> Outcome<Self> {
        match folder {
            Some(folder) => Self::of_conversations(&folder),
            None => Self::of_demo(),
        }
    }

    fn of_conversations(folder: &Path) -> Outcome<Self> {
        let mut sets: Vec<PathBuf> = std::fs::read_dir(folder)
            .map_err(|error| format!("`{}`: {error}", folder.display()))?
            .map(|entry| Ok(entry?.path()))
            .collect::<Outcome<_>>()?;
        sets.retain(|set| set.join("corpus.jsonl").is_file());
        sets.sort();
        let (mut halves, mut questions) = (Vec::new(), Vec::new());
        for set in &sets {
            for line in std::fs::read_to_string(set.join("corpus.jsonl"))?.lines() {
                let Item { text } = serde_json::from_str(line)?;
                halves.extend(pieces(&text, LENGTH / 2));
            }
            for line in std::fs::read_to_string(set.join("queries.jsonl"))?.lines() {
                let Query { question } = serde_json::from_str(line)?;
                questions.push(question);
            }
        }
        let source = format!("{} sets of conversations", sets.len());
        Self::of(halves, questions, source)
    }

    fn of_demo() -> Outcome<Self> {
        let mut halves = Vec::new();
        for file in std::fs::read_dir(DEMO).map_err(|error| format!("`{DEMO}`: {error}"))? {
            let file = file?.path();
            if file.extension().is_some_and(|extension| extension == "yaml") {
                // a simple split at `content:` suffices here
                let text = std::fs::read_to_string(file)?;
                halves.extend(text.split("content:").skip(1).flat_map(|text| {
                    let end = text.find("scope:").unwrap_or(text.len());
                    pieces(text[..end].trim_start_matches([' ', '>', '|', '-']), LENGTH / 2)
                }));
            }
        }
        let questions = halves.iter().step_by(3).map(|half| half.chars().take(60).collect()).collect();
        Self::of(halves, questions, "the demo org's texts, because `--quality` is not set".into())
    }

    fn of(halves: Vec<String>, mut questions: Vec<String>, source: String) -> Outcome<Self> {
        if halves.is_empty() || questions.is_empty() {
            return Err("no texts: `--quality` must name a folder of `*/corpus.jsonl` with `*/queries.jsonl`".into());
        }
        let mut seen = HashSet::new();
        questions.retain(|question| seen.insert(question.clone()));
        shuffle(&mut questions);
        Ok(Self { halves, questions, source })
    }

    /// The text of memory `number`, about 200 bytes: two pieces, so that there are many different texts with the words
    /// of real ones.
    pub(crate) fn memory(&self, number: usize) -> String {
        let count = self.halves.len();
        let (first, turn) = (number % count, number / count);
        let second = (first + 1 + turn * 7919) % count;
        format!("{} {}", self.halves[first], self.halves[second])
    }

    /// Questions, in an order independent of the texts.
    pub(crate) fn questions(&self) -> &[String] {
        &self.questions
    }
}

/// Splits a text between words into pieces of about `length` bytes.
fn pieces(text: &str, length: usize) -> Vec<String> {
    let mut pieces = Vec::new();
    let mut piece = String::new();
    for word in text.split_whitespace() {
        if !piece.is_empty() {
            piece.push(' ');
        }
        piece.push_str(word);
        if piece.len() >= length {
            pieces.push(std::mem::take(&mut piece));
        }
    }
    if !piece.is_empty() && (pieces.is_empty() || piece.len() > length / 2) {
        pieces.push(piece);
    }
    pieces
}

fn shuffle(questions: &mut [String]) {
    let mut random = SmallRng::seed_from_u64(3);
    for last in (1..questions.len()).rev() {
        questions.swap(last, random.random_range(0..=last));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_split_between_words() {
        assert_eq!(pieces("one two  three four", 7), ["one two", "three four"]);
        assert_eq!(pieces("short", 100), ["short"]);
        assert!(pieces(" ", 100).is_empty());
    }

    #[test]
    fn demo_org_has_enough_texts_and_questions() {
        let texts = Texts::of_demo().expect("the demo org exists");
        assert!(texts.halves.len() > 400 && texts.questions().len() > 100);
        let all: HashSet<String> = (0..10_000).map(|number| texts.memory(number)).collect();
        assert!(all.len() > 9_900, "{} different texts", all.len());
    }
}
