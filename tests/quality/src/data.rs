//! Sets of conversations as the folder has them.

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

use chrono::{DateTime, NaiveDate, NaiveDateTime, NaiveTime, Utc};
use serde::Deserialize;
use serde::de::DeserializeOwned;

/// Any error.
pub type Failure = Box<dyn Error + Send + Sync>;

/// Conversations of one kind.
#[derive(Clone, Debug)]
pub struct Set {
    /// The name of its folder.
    pub name: String,
    /// In the order of the file.
    pub conversations: Vec<Conversation>,
}

/// What was said, and what was asked of it.
#[derive(Clone, Debug)]
pub struct Conversation {
    /// Its name.
    pub name: String,
    /// In the order in which they were said.
    pub items: Vec<Item>,
    /// In the order in which they are asked.
    pub questions: Vec<Question>,
}

/// One thing that was said.
#[derive(Clone, Debug)]
pub struct Item {
    /// Unique in its conversation.
    pub id: String,
    /// The session.
    pub session: String,
    /// Whoever said it.
    pub speaker: String,
    /// When the session was.
    pub at: DateTime<Utc>,
    /// The text.
    pub text: String,
}

/// One question.
#[derive(Clone, Debug)]
pub struct Question {
    /// The question itself.
    pub text: String,
    /// The number of items that had been said by then.
    pub after: usize,
    /// The ids of the items that answer it together.
    pub gold: Vec<String>,
}

#[derive(Deserialize)]
struct ItemRow {
    conv: String,
    id: String,
    session: String,
    speaker: String,
    timestamp: String,
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
    /// All sets of `folder`, by name.
    ///
    /// # Errors
    /// When there is none, or one that cannot be read.
    pub fn all(folder: &Path) -> Result<Vec<Self>, Failure> {
        let entries = fs::read_dir(folder).map_err(|error| format!("`{}`: {error}", folder.display()))?;
        let mut folders: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
        folders.retain(|folder| folder.join("corpus.jsonl").is_file());
        folders.sort();
        if folders.is_empty() {
            return Err(format!("`{}` has no folder with a `corpus.jsonl` in it", folder.display()).into());
        }
        folders.iter().map(|folder| Self::read(folder)).collect()
    }

    /// The set with the first `most` of its conversations.
    #[must_use]
    pub fn first(mut self, most: usize) -> Self {
        self.conversations.truncate(most);
        self
    }

    fn read(folder: &Path) -> Result<Self, Failure> {
        let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let mut conversations: Vec<Conversation> = Vec::new();
        // the number of the session that each item was kept in, where the set has it
        let mut numbers: Vec<Vec<Option<i64>>> = Vec::new();
        for row in rows::<ItemRow>(&folder.join("corpus.jsonl"))? {
            let known = conversations.iter().position(|conversation| conversation.name == row.conv);
            let at = known.unwrap_or_else(|| {
                conversations.push(Conversation { name: row.conv.clone(), items: Vec::new(), questions: Vec::new() });
                numbers.push(Vec::new());
                conversations.len() - 1
            });
            let time = time(&row.timestamp)?;
            let ItemRow { id, session, speaker, text, seq, .. } = row;
            conversations[at].items.push(Item { id, session, speaker, at: time, text });
            numbers[at].push(seq);
        }
        for row in rows::<QuestionRow>(&folder.join("queries.jsonl"))? {
            let at = conversations.iter().position(|conversation| conversation.name == row.conv);
            let at = at.ok_or_else(|| format!("a question of `{}`, which is not there", row.conv))?;
            let came_before = |number: &&Option<i64>| match (number, row.before) {
                (Some(number), Some(before)) => *number < before,
                _ => true,
            };
            let after = numbers[at].iter().take_while(came_before).count();
            conversations[at].questions.push(Question { text: row.question, after, gold: row.gold_ids });
        }
        for conversation in &mut conversations {
            conversation.questions.sort_by_key(|question| question.after);
        }
        Ok(Self { name, conversations })
    }
}

impl Conversation {
    /// Everybody who speaks, in order of appearance.
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

fn rows<T: DeserializeOwned>(file: &Path) -> Result<Vec<T>, Failure> {
    let text = fs::read_to_string(file).map_err(|error| format!("`{}`: {error}", file.display()))?;
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let row = |(number, line)| {
        serde_json::from_str(line).map_err(|error| format!("`{}`, line {}: {error}", file.display(), number + 1).into())
    };
    lines.map(row).collect()
}

/// A day, or a day and a time.
fn time(text: &str) -> Result<DateTime<Utc>, Failure> {
    let time = text.parse::<NaiveDateTime>();
    let time = time.or_else(|_| text.parse::<NaiveDate>().map(|day| day.and_time(NaiveTime::MIN)));
    Ok(time.map_err(|error| format!("`{text}` is no time: {error}"))?.and_utc())
}
