//! The limit of keyword search: SQLite's FTS5 with its own ranking, without HTTP.

use rusqlite::Connection;
use tempfile::TempDir;

use crate::corpus::Corpus;
use crate::error::Outcome;
use crate::texts::Texts;

/// Stop words; without them a question matches far fewer texts.
const STOP_WORDS: &str = "a about all am an and any are as at be been being but by can could did do does doing done for \
    from had has have how i if in into is it its just like me more my no not of on or our out s should so some t than \
    that the their them then there these they this to up us was we were what when where which while who why will with \
    would you your";

pub(crate) struct Fts {
    conn: Connection,
    _folder: TempDir,
}

impl Fts {
    pub(crate) fn of(corpus: &Corpus, texts: &Texts) -> Outcome<Self> {
        let folder = TempDir::with_prefix("orgmem-load-")?;
        let conn = Connection::open(folder.path().join("fts.db"))?;
        // the cache holds the whole database
        conn.execute_batch(
            "PRAGMA journal_mode = WAL; PRAGMA cache_size = -500000; BEGIN; \
             CREATE TABLE texts (id INTEGER PRIMARY KEY, content TEXT NOT NULL); \
             CREATE TABLE documents (id INTEGER PRIMARY KEY, partition INTEGER NOT NULL); \
             CREATE VIRTUAL TABLE fts USING fts5 (content, content='texts', content_rowid='id');",
        )?;
        {
            let mut text = conn.prepare("INSERT INTO texts VALUES (?, ?)")?;
            let mut document = conn.prepare("INSERT INTO documents VALUES (?, ?)")?;
            for (number, partition) in (0_i64..).zip(corpus.partitions()) {
                text.execute((number, texts.memory(number as usize)))?;
                document.execute((number, partition))?;
            }
        }
        conn.execute_batch(
            "INSERT INTO fts (fts) VALUES ('rebuild'); INSERT INTO fts (fts) VALUES ('optimize'); COMMIT; ANALYZE;",
        )?;
        Ok(Self { conn, _folder: folder })
    }

    /// Fetches the best ten of these partitions and returns their number.
    pub(crate) fn search(&self, partitions: &[i64], question: &str) -> Outcome<usize> {
        best(&self.conn, partitions, &expression(question))
    }
}

/// Fetches the best ten by `bm25()` in these partitions and returns their number.
///
/// The filter is a join on a narrow table, and only the texts of the best ten are read; no other form was faster.
pub(crate) fn best(conn: &Connection, partitions: &[i64], expression: &str) -> Outcome<usize> {
    let ids: Vec<String> = partitions.iter().map(ToString::to_string).collect();
    let mut found = conn.prepare_cached(&format!(
        "SELECT texts.id, texts.content FROM (SELECT fts.rowid AS id FROM fts \
         JOIN documents ON documents.id = fts.rowid WHERE fts MATCH ?1 AND documents.partition IN ({}) ORDER BY bm25(fts) LIMIT 10) \
         AS best JOIN texts ON texts.id = best.id",
        ids.join(", ")
    ))?;
    let rows = found.query_map([expression], |row| Ok((row.get::<_, i64>(0)?, row.get::<_, String>(1)?)))?;
    Ok(rows.collect::<Result<Vec<_>, _>>()?.len())
}

pub(crate) fn is_stop_word(word: &str) -> bool {
    STOP_WORDS.split_whitespace().any(|stop| stop == word)
}

/// A question as an FTS5 expression: any of its words.
pub(crate) fn expression(question: &str) -> String {
    let lower = question.to_lowercase();
    let words = lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let all: Vec<&str> = words.collect();
    let significant: Vec<&str> = all.iter().copied().filter(|word| !is_stop_word(word)).collect();
    let words = if significant.is_empty() { all } else { significant };
    let quoted: Vec<String> = words.into_iter().map(|word| format!("\"{word}\"")).collect();
    if quoted.is_empty() { "\"\"".into() } else { quoted.join(" OR ") }
}

#[cfg(test)]
mod tests {
    use super::expression;

    #[test]
    fn expression_of_question_omits_stop_words() {
        assert_eq!(expression("When did Caroline go to the group?"), r#""caroline" OR "go" OR "group""#);
        assert_eq!(expression("What is it?"), r#""what" OR "is" OR "it""#);
    }
}
