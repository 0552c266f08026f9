//! Direct access to the tables of either database.

use diesel::connection::SimpleConnection;
use diesel::sql_types::Text;
use diesel::{Connection, PgConnection, QueryableByName, RunQueryDsl, SqliteConnection, sql_query};
use orgmem_store::StoreConfig;

pub enum Tables {
    Sqlite(Box<SqliteConnection>),
    Postgres(Box<PgConnection>),
}

/// Audit rows of reads are written asynchronously.
const WITHOUT_READS: &str = "WHERE verb NOT IN ('search_memories', 'read_memory', 'read_history', 'explain_memory', \
     'count_memories', 'list_values', 'read_entry', 'list_entries', 'list_episodes', 'search_session', 'read_access_log', \
     'read_run', 'watch_events', 'list_pages', 'read_page', 'read_evidence', 'list_skills', 'read_skill',
     'read_records', 'list_reviews', 'list_grants', 'read_document', 'list_documents', \
     'read_rows', 'read_processors')";

/// Columns that depend on the asynchronous rows.
const ASYNC_COLUMNS: [&str; 4] = ["access_seq", "sealed_seq", "last_used_at", "episodes_bound"];

/// The condition for the compared rows of a table; `None` if none are compared.
fn compared_rows(table: &str) -> Option<&'static str> {
    match table {
        "access_log" => Some(WITHOUT_READS),
        "episodes" => Some("WHERE activity_type <> 'memory_read'"),
        "access_seals" | "audit_ranges" | "org_days" => None,
        // written with the audit rows of reads
        "memory_uses" => None,
        // computed from the memories by a job
        "memory_segments" | "segment_progress" => None,
        "text_blocks" | "text_workspaces" | "text_progress" | "episode_changes" => None,
        _ => Some(""),
    }
}

#[derive(QueryableByName)]
struct Line {
    #[diesel(sql_type = Text)]
    line: String,
}

impl Tables {
    pub fn of(config: &StoreConfig) -> Result<Self, String> {
        let describe = |error: diesel::ConnectionError| error.to_string();
        match config {
            StoreConfig::Sqlite { path, .. } => {
                let mut conn = SqliteConnection::establish(&path.display().to_string()).map_err(describe)?;
                conn.batch_execute("PRAGMA busy_timeout = 10000").map_err(|error| error.to_string())?;
                Ok(Self::Sqlite(Box::new(conn)))
            }
            StoreConfig::Postgres { url, .. } => {
                Ok(Self::Postgres(Box::new(PgConnection::establish(url).map_err(describe)?)))
            }
        }
    }

    /// Returns the column `line` of a query. `ID(column)` is an id as 32 hex digits on both databases.
    pub fn try_query(&mut self, query: &str) -> Result<Vec<String>, String> {
        let lines = match self {
            Self::Sqlite(conn) => sql_query(with_ids(query, "lower(hex(", "))")).load::<Line>(&mut **conn),
            Self::Postgres(conn) => {
                sql_query(with_ids(query, "replace((", ")::text, '-', '')")).load::<Line>(&mut **conn)
            }
        };
        let lines = lines.map_err(|error| format!("`{query}`: {error}"))?;
        Ok(lines.into_iter().map(|line| line.line).collect())
    }

    pub fn execute(&mut self, statement: &str) -> Result<(), String> {
        let result = match self {
            Self::Sqlite(conn) => conn.batch_execute(statement),
            Self::Postgres(conn) => conn.batch_execute(statement),
        };
        result.map_err(|error| format!("`{statement}`: {error}"))
    }

    /// All rows of all tables, sorted, each with the name of its table. Excludes rows that the server writes
    /// asynchronously: audit entries of reads, and seals.
    #[must_use]
    pub fn dump(&mut self) -> Vec<String> {
        let mut rows: Vec<_> = self.names().iter().flat_map(|table| self.rows(table)).collect();
        rows.sort();
        rows
    }

    fn names(&mut self) -> Vec<String> {
        self.query(match self {
            Self::Sqlite(_) => {
                "SELECT name AS line FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
            }
            Self::Postgres(_) => "SELECT tablename::text AS line FROM pg_tables WHERE schemaname = 'public'",
        })
    }

    fn rows(&mut self, table: &str) -> Vec<String> {
        let Some(condition) = compared_rows(table) else { return Vec::new() };
        match self {
            Self::Sqlite(_) => {
                let columns = self.query(&format!("SELECT name AS line FROM pragma_table_info('{table}')"));
                let columns = columns.iter().filter(|column| !ASYNC_COLUMNS.contains(&column.as_str()));
                let quoted: Vec<_> = columns.map(|column| format!("quote(\"{column}\")")).collect();
                let row = quoted.join(" || '|' || ");
                self.query(&format!("SELECT '{table} ' || {row} AS line FROM \"{table}\" {condition}"))
            }
            Self::Postgres(_) => {
                let excluded: String = ASYNC_COLUMNS.iter().map(|count| format!(" - '{count}'")).collect();
                let row = format!("(to_jsonb(t){excluded})::text");
                self.query(&format!("SELECT '{table} ' || {row} AS line FROM \"{table}\" t {condition}"))
            }
        }
    }

    fn query(&mut self, query: &str) -> Vec<String> {
        self.try_query(query).unwrap_or_else(|error| panic!("{error}"))
    }
}

/// Replaces each `ID(column)`.
fn with_ids(query: &str, before: &str, after: &str) -> String {
    let mut parts = query.split("ID(");
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (column, rest) = part.split_once(')').unwrap_or((part, ""));
        text.push_str(&format!("{before}{column}{after}{rest}"));
    }
    text
}
