//! Another way to find memories by keywords: SQLite's FTS5 with its own ranking, asked directly.

use rusqlite::Connection;
use tempfile::TempDir;

use crate::error::Outcome;
use crate::library::Library;
use crate::texts::Texts;

/// Words that nobody looks for; without them a question matches far fewer texts.
const STOP_WORDS: &str = "a about all am an and any are as at be been being but by can could did do does doing done for \
    from had has have how i if in into is it its just like me more my no not of on or our out s should so some t than \
    that the their them then there these they this to up us was we were what when where which while who why will with \
    would you your";

/// The same texts with the same filter.
pub(crate) struct Fts {
    conn: Connection,
    _folder: TempDir,
}

impl Fts {
    pub(crate) fn of(library: &Library, texts: &Texts) -> Outcome<Self> {
        let folder = TempDir::with_prefix("orgmem-load-")?;
        let conn = Connection::open(folder.path().join("fts.db"))?;
        // all of it in memory once it was read
        conn.execute_batch(
            "PRAGMA journal_mode = WAL; PRAGMA cache_size = -500000; BEGIN; \
             CREATE TABLE texts (id INTEGER PRIMARY KEY, content TEXT NOT NULL); \
             CREATE TABLE places (id INTEGER PRIMARY KEY, shelf INTEGER NOT NULL); \
             CREATE VIRTUAL TABLE fts USING fts5 (content, content='texts', content_rowid='id');",
        )?;
        {
            let mut text = conn.prepare("INSERT INTO texts VALUES (?, ?)")?;
            let mut place = conn.prepare("INSERT INTO places VALUES (?, ?)")?;
            for (number, shelf) in (0_i64..).zip(library.shelves()) {
                text.execute((number, texts.memory(number as usize)))?;
                place.execute((number, shelf))?;
            }
        }
        conn.execute_batch(
            "INSERT INTO fts (fts) VALUES ('rebuild'); INSERT INTO fts (fts) VALUES ('optimize'); COMMIT; ANALYZE;",
        )?;
        Ok(Self { conn, _folder: folder })
    }

    /// The best ten of what lies on these shelves; says how many there were.
    pub(crate) fn search(&self, shelves: &[i64], question: &str) -> Outcome<usize> {
        best(&self.conn, shelves, &expression(question))
    }
}

/// The best ten by `bm25()` in the table `fts` of what lies on these shelves; says how many there were.
///
/// The filter is a join on a narrow table, and the texts are read of the best alone: no spelling of it was faster.
pub(crate) fn best(conn: &Connection, shelves: &[i64], expression: &str) -> Outcome<usize> {
    let list: Vec<String> = shelves.iter().map(ToString::to_string).collect();
    let mut found = conn.prepare_cached(&format!(
        "SELECT texts.id, texts.content FROM (SELECT fts.rowid AS id FROM fts \
         JOIN places ON places.id = fts.rowid WHERE fts MATCH ?1 AND places.shelf IN ({}) ORDER BY bm25(fts) LIMIT 10) \
         AS best JOIN texts ON texts.id = best.id",
        list.join(", ")
    ))?;
    let rows = found.query_map([expression], |row| Ok((row.get::<_, i64>(0)?, row.get::<_, String>(1)?)))?;
    Ok(rows.collect::<Result<Vec<_>, _>>()?.len())
}

/// Whether a word says nothing of what a question is about.
pub(crate) fn is_stop_word(word: &str) -> bool {
    STOP_WORDS.split_whitespace().any(|stop| stop == word)
}

/// A question as FTS5 takes it: any of its words.
pub(crate) fn expression(question: &str) -> String {
    let lower = question.to_lowercase();
    let words = lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let all: Vec<&str> = words.collect();
    let telling: Vec<&str> = all.iter().copied().filter(|word| !is_stop_word(word)).collect();
    let words = if telling.is_empty() { all } else { telling };
    let quoted: Vec<String> = words.into_iter().map(|word| format!("\"{word}\"")).collect();
    if quoted.is_empty() { "\"\"".into() } else { quoted.join(" OR ") }
}

#[cfg(test)]
mod tests {
    use super::expression;

    #[test]
    fn a_question_is_its_telling_words() {
        assert_eq!(expression("When did Caroline go to the group?"), r#""caroline" OR "go" OR "group""#);
        assert_eq!(expression("What is it?"), r#""what" OR "is" OR "it""#);
    }
}
