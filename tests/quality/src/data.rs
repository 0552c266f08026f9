//! Data sets: conversations with questions and the items that answer them.

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

use chrono::{DateTime, NaiveDate, NaiveDateTime, NaiveTime, Utc};
use serde::Deserialize;
use serde::de::DeserializeOwned;

/// The error of all fallible functions of this crate.
pub type Failure = Box<dyn Error + Send + Sync>;

/// A data set: one folder with `corpus.jsonl` and `queries.jsonl`.
#[derive(Clone, Debug)]
pub struct Set {
    /// The name of the folder.
    pub name: String,
    /// In the order of `corpus.jsonl`.
    pub conversations: Vec<Conversation>,
}

/// Items and the questions about them.
#[derive(Clone, Debug)]
pub struct Conversation {
    /// Unique in its set.
    pub name: String,
    /// In the order of `corpus.jsonl`, which is the order of commits.
    pub items: Vec<Item>,
    /// Sorted by [`Question::after`].
    pub questions: Vec<Question>,
}

/// A message, a note or a fact; it becomes one memory.
#[derive(Clone, Debug)]
pub struct Item {
    /// Unique in its conversation.
    pub id: String,
    /// Absent in text without sessions.
    pub session: Option<String>,
    /// The author.
    pub speaker: String,
    /// The time of the commit. An item without a timestamp gets a fixed time plus its position in seconds.
    pub at: DateTime<Utc>,
    /// The content.
    pub text: String,
}

/// A question with its expected results.
#[derive(Clone, Debug)]
pub struct Question {
    /// The query.
    pub text: String,
    /// The number of items that exist when the question is asked.
    pub after: usize,
    /// The ids of the items that together hold the answer, in no order.
    pub gold: Vec<String>,
}

#[derive(Deserialize)]
struct ItemRow {
    conv: String,
    id: String,
    session: Option<String>,
    speaker: String,
    timestamp: Option<String>,
    text: String,
    seq: Option<i64>,
}

#[derive(Deserialize)]
struct QuestionRow {
    conv: String,
    question: String,
    gold_ids: Vec<String>,
    before: Option<i64>,
}

impl Set {
    /// All sets of `folder`, sorted by name.
    ///
    /// # Errors
    /// When `folder` contains no set, or a set cannot be read.
    pub fn all(folder: &Path) -> Result<Vec<Self>, Failure> {
        let entries = fs::read_dir(folder).map_err(|error| format!("`{}`: {error}", folder.display()))?;
        let mut folders: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
        folders.retain(|folder| folder.join("corpus.jsonl").is_file());
        folders.sort();
        if folders.is_empty() {
            return Err(format!("`{}` contains no folder with a `corpus.jsonl`", folder.display()).into());
        }
        folders.iter().map(|folder| Self::read(folder)).collect()
    }

    /// The set, reduced to its first `count` conversations.
    #[must_use]
    pub fn first(mut self, count: usize) -> Self {
        self.conversations.truncate(count);
        self
    }

    fn read(folder: &Path) -> Result<Self, Failure> {
        let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let items = read_rows(&folder.join("corpus.jsonl"))?;
        let questions = read_rows(&folder.join("queries.jsonl"))?;
        Self::from_rows(name, items, questions)
    }

    fn from_rows(name: String, items: Vec<ItemRow>, questions: Vec<QuestionRow>) -> Result<Self, Failure> {
        let mut conversations: Vec<Conversation> = Vec::new();
        // for each conversation the `seq` of its items
        let mut sequences: Vec<Vec<Option<i64>>> = Vec::new();
        for row in items {
            let known = conversations.iter().position(|conversation| conversation.name == row.conv);
            let index = known.unwrap_or_else(|| {
                conversations.push(Conversation { name: row.conv.clone(), items: Vec::new(), questions: Vec::new() });
                sequences.push(Vec::new());
                conversations.len() - 1
            });
            let ItemRow { id, session, speaker, timestamp, text, seq, .. } = row;
            let items = &mut conversations[index].items;
            let at = timestamp.as_deref().map_or_else(|| Ok(default_time(items.len())), parse_time)?;
            items.push(Item { id, session, speaker, at, text });
            sequences[index].push(seq);
        }
        for row in questions {
            let index = conversations.iter().position(|conversation| conversation.name == row.conv);
            let index = index.ok_or_else(|| format!("a question names the unknown conversation `{}`", row.conv))?;
            let exists = |seq: &&Option<i64>| match (seq, row.before) {
                (Some(seq), Some(before)) => *seq < before,
                _ => true,
            };
            let after = sequences[index].iter().take_while(exists).count();
            conversations[index].questions.push(Question { text: row.question, after, gold: row.gold_ids });
        }
        for conversation in &mut conversations {
            conversation.questions.sort_by_key(|question| question.after);
        }
        Ok(Self { name, conversations })
    }
}

impl Conversation {
    /// The distinct speakers, in order of appearance.
    #[must_use]
    pub fn speakers(&self) -> Vec<&str> {
        let mut speakers: Vec<&str> = Vec::new();
        for item in &self.items {
            if !speakers.contains(&item.speaker.as_str()) {
                speakers.push(&item.speaker);
            }
        }
        speakers
    }
}

fn read_rows<T: DeserializeOwned>(file: &Path) -> Result<Vec<T>, Failure> {
    let text = fs::read_to_string(file).map_err(|error| format!("`{}`: {error}", file.display()))?;
    parse_rows(&text).map_err(|error| format!("`{}`, {error}", file.display()).into())
}

pub(crate) fn parse_rows<T: DeserializeOwned>(text: &str) -> Result<Vec<T>, Failure> {
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let row = |(index, line)| serde_json::from_str(line).map_err(|error| format!("line {}: {error}", index + 1).into());
    lines.map(row).collect()
}

/// Accepts a date (midnight) and a date with a time, both in UTC.
pub(crate) fn parse_time(text: &str) -> Result<DateTime<Utc>, Failure> {
    let time = text.parse::<NaiveDateTime>();
    let time = time.or_else(|_| text.parse::<NaiveDate>().map(|day| day.and_time(NaiveTime::MIN)));
    Ok(time
        .map_err(|error| format!("the timestamp `{text}` is neither a date nor a date and a time: {error}"))?
        .and_utc())
}

/// 2024-01-01T00:00:00Z plus `position` seconds, so that times have the order of the items.
pub(crate) fn default_time(position: usize) -> DateTime<Utc> {
    const START: i64 = 1_704_067_200;
    DateTime::from_timestamp(START + position as i64, 0).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::{Set, parse_rows};

    fn read(corpus: &str, queries: &str) -> Set {
        let items = parse_rows(corpus).expect("the corpus is valid");
        let questions = parse_rows(queries).expect("the queries are valid");
        Set::from_rows("set".into(), items, questions).expect("the set is valid")
    }

    #[test]
    fn items_without_session_and_timestamp_keep_their_order() {
        let corpus = r#"
            {"conv": "a", "id": "1", "session": null, "speaker": "notes", "timestamp": null, "text": "first"}
            {"conv": "a", "id": "2", "speaker": "notes", "text": "second"}"#;
        let set = read(corpus, "");
        let [first, second] = &set.conversations[0].items[..] else { panic!("{set:?}") };
        assert_eq!((&first.session, &second.session), (&None, &None));
        assert_eq!((second.at - first.at).num_seconds(), 1);
    }

    #[test]
    fn sessions_and_timestamps_are_read() {
        let corpus = r#"
            {"conv": "a", "id": "1", "session": "s", "speaker": "Ines", "timestamp": "2025-03-03", "text": "first"}
            {"conv": "a", "id": "2", "session": "s", "speaker": "Mei", "timestamp": "2025-03-03T09:30:00", "text": "second"}"#;
        let set = read(corpus, "");
        let [first, second] = &set.conversations[0].items[..] else { panic!("{set:?}") };
        assert_eq!(first.session.as_deref(), Some("s"));
        assert_eq!(first.at.to_rfc3339(), "2025-03-03T00:00:00+00:00");
        assert_eq!(second.at.to_rfc3339(), "2025-03-03T09:30:00+00:00");
        assert_eq!(set.conversations[0].speakers(), ["Ines", "Mei"]);
    }

    #[test]
    fn questions_are_sorted_by_the_number_of_existing_items() {
        let corpus = r#"
            {"conv": "a", "id": "1", "speaker": "notes", "seq": 1, "text": "first"}
            {"conv": "a", "id": "2", "speaker": "notes", "seq": 2, "text": "second"}"#;
        let queries = r#"
            {"conv": "a", "question": "all?", "gold_ids": ["2"]}
            {"conv": "a", "question": "one?", "gold_ids": ["1"], "before": 2}"#;
        let set = read(corpus, queries);
        let questions = set.conversations[0].questions.iter().map(|question| (question.text.as_str(), question.after));
        assert_eq!(questions.collect::<Vec<_>>(), [("one?", 1), ("all?", 2)]);
    }

    #[test]
    fn a_question_of_an_unknown_conversation_is_an_error() {
        let questions = parse_rows(r#"{"conv": "b", "question": "?", "gold_ids": []}"#).expect("the query is valid");
        let error = Set::from_rows("set".into(), Vec::new(), questions).expect_err("there is no conversation");
        assert!(error.to_string().contains("`b`"), "{error}");
    }
}
