//! The limit of session-search: the SQL statements for the same rows, run by the driver.

use std::collections::HashMap;

use orgmem_hierarchy::WorkspaceId;
use postgres::types::ToSql;
use postgres::{Client, NoTls, Statement};
use rusqlite::types::Value;
use rusqlite::{Connection, OpenFlags, params_from_iter};

use crate::error::Outcome;
use crate::storage::Storage;

/// Rows of a page, and one more to detect another page.
const ROWS: usize = 51;

/// The two tables, each with the column that is searched for words.
const STATEMENTS: [(&str, &str); 2] = [
    (
        "SELECT id, activity_type, method, summary, status, error_detail, request_body, response_body, created_at \
         FROM episodes WHERE org_id = {1} AND workspace_id = {2}{words} ORDER BY id DESC LIMIT 51",
        "folded",
    ),
    (
        "SELECT m.id, m.scope, m.kind, m.content, m.created_at FROM memories m JOIN memory_index i ON \
         i.org_id = m.org_id AND i.author_id = m.author_id AND i.scope = m.scope AND i.team_id = m.team_id AND \
         i.memory_id = m.id WHERE m.org_id = {1} AND m.author_id = {2} AND m.status = 'live'{words} \
         ORDER BY m.created_at DESC, m.id DESC LIMIT 51",
        "i.folded",
    ),
];

pub(crate) enum BareSql {
    Sqlite(Connection),
    Postgres { client: Box<Client>, prepared: HashMap<String, Statement> },
}

impl BareSql {
    pub(crate) fn on(storage: &Storage) -> Outcome<Self> {
        Ok(match storage.database() {
            None => Self::Sqlite(Connection::open_with_flags(storage.file(), OpenFlags::SQLITE_OPEN_READ_ONLY)?),
            Some(url) => Self::Postgres { client: Box::new(Client::connect(url, NoTls)?), prepared: HashMap::new() },
        })
    }

    /// Fetches the newest rows of a workspace with all these words and returns their number.
    pub(crate) fn fetch(&mut self, org: WorkspaceId, workspace: WorkspaceId, words: &[&str]) -> Outcome<usize> {
        let patterns: Vec<String> = words.iter().map(|word| format!("%{word}%")).collect();
        let mut found = 0;
        for (statement, column) in STATEMENTS {
            found += match self {
                Self::Sqlite(conn) => {
                    sqlite(conn, &with_parameters(statement, column, "", words.len()), org, workspace, &patterns)?
                }
                Self::Postgres { client, prepared } => {
                    let text = with_parameters(statement, column, "::text::uuid", words.len());
                    let statement = match prepared.get(&text) {
                        Some(statement) => statement.clone(),
                        None => prepared.entry(text.clone()).or_insert(client.prepare(&text)?).clone(),
                    };
                    let keys = [org, workspace].map(|id| id.uuid().to_string());
                    let values: Vec<_> =
                        keys.iter().chain(&patterns).map(|value| value as &(dyn ToSql + Sync)).collect();
                    client.query(&statement, &values)?.len()
                }
            };
        }
        Ok(found.min(ROWS))
    }
}

fn sqlite(
    conn: &Connection,
    text: &str,
    org: WorkspaceId,
    workspace: WorkspaceId,
    patterns: &[String],
) -> Outcome<usize> {
    let keys = [org, workspace].map(|id| Value::Blob(id.uuid().as_bytes().to_vec()));
    let values = keys.into_iter().chain(patterns.iter().cloned().map(Value::Text));
    let mut statement = conn.prepare_cached(text)?;
    let columns = statement.column_count();
    let rows = statement.query_map(params_from_iter(values), |row| {
        (0..columns).map(|column| row.get(column)).collect::<Result<Vec<Value>, _>>()
    })?;
    Ok(rows.collect::<Result<Vec<_>, _>>()?.len())
}

/// Inserts the parameters and one condition per word.
fn with_parameters(statement: &str, column: &str, cast: &str, words: usize) -> String {
    let words: String = (0..words).map(|word| format!(" AND {column} LIKE ${}", word + 3)).collect();
    statement.replace("{1}", &format!("$1{cast}")).replace("{2}", &format!("$2{cast}")).replace("{words}", &words)
}
