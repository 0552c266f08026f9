//! Texts and questions of real conversations.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};
use serde::Deserialize;

use crate::error::Outcome;

/// How long a memory of a workload is, about, in bytes.
const LENGTH: usize = 200;

/// The org that comes with the program, for where there are no conversations.
const DEMO: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../server/demo");

/// Where the conversations lie when nobody says so: beside the checkout.
const BESIDE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/quality");

/// What is committed and what is asked.
#[derive(Debug)]
pub(crate) struct Texts {
    /// Pieces of half a memory's length.
    halves: Vec<String>,
    questions: Vec<String>,
    /// Where they are from, for the report.
    pub(crate) source: String,
}

#[derive(Deserialize)]
struct Item {
    text: String,
}

#[derive(Deserialize)]
struct Asked {
    question: String,
}

impl Texts {
    /// Those of all conversations in `folder`; where none is named and none lie beside the checkout, the texts of the
    /// demo org.
    pub(crate) fn load(folder: Option<PathBuf>) -> Outcome<Self> {
        match folder.or_else(|| Some(PathBuf::from(BESIDE)).filter(|beside| beside.is_dir())) {
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
                let Asked { question } = serde_json::from_str(line)?;
                questions.push(question);
            }
        }
        let source = format!("{} sets of real conversations", sets.len());
        Self::of(halves, questions, source)
    }

    fn of_demo() -> Outcome<Self> {
        let mut halves = Vec::new();
        for file in std::fs::read_dir(DEMO).map_err(|error| format!("`{DEMO}`: {error}"))? {
            let file = file?.path();
            if file.extension().is_some_and(|extension| extension == "yaml") {
                // folded texts, which is all that matters here
                let text = std::fs::read_to_string(file)?;
                halves.extend(text.split("content:").skip(1).flat_map(|text| {
                    let end = text.find("scope:").unwrap_or(text.len());
                    pieces(text[..end].trim_start_matches([' ', '>', '|', '-']), LENGTH / 2)
                }));
            }
        }
        let questions = halves.iter().step_by(3).map(|half| half.chars().take(60).collect()).collect();
        Self::of(halves, questions, "the demo org's texts, as no folder of conversations was named".into())
    }

    fn of(halves: Vec<String>, mut questions: Vec<String>, source: String) -> Outcome<Self> {
        if halves.is_empty() || questions.is_empty() {
            return Err(
                "there are no texts: `--quality` names a folder of `*/corpus.jsonl` and `*/queries.jsonl`".into()
            );
        }
        let mut seen = HashSet::new();
        questions.retain(|question| seen.insert(question.clone()));
        shuffle(&mut questions);
        Ok(Self { halves, questions, source })
    }

    /// The text of memory `number`: two pieces of conversations, so that there are as many different ones as are
    /// asked for, with the words of real ones. About 200 bytes.
    pub(crate) fn memory(&self, number: usize) -> String {
        let count = self.halves.len();
        let (first, turn) = (number % count, number / count);
        let second = (first + 1 + turn * 7919) % count;
        format!("{} {}", self.halves[first], self.halves[second])
    }

    /// Real questions, in an order that has nothing to do with that of the texts.
    pub(crate) fn questions(&self) -> &[String] {
        &self.questions
    }
}

/// A text in pieces of about `length` bytes, cut between words; a short one whole.
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
    fn texts_are_cut_between_words() {
        assert_eq!(pieces("one two  three four", 7), ["one two", "three four"]);
        assert_eq!(pieces("short", 100), ["short"]);
        assert!(pieces(" ", 100).is_empty());
    }

    #[test]
    fn without_conversations_the_demo_org_has_texts() {
        let texts = Texts::of_demo().expect("the demo org lies beside");
        assert!(texts.halves.len() > 400 && texts.questions().len() > 100);
        let all: HashSet<String> = (0..10_000).map(|number| texts.memory(number)).collect();
        assert!(all.len() > 9_900, "{} different ones", all.len());
    }
}
