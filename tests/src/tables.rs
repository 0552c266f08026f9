//! A look into the tables, past the server: what is there, on either database.

use diesel::connection::SimpleConnection;
use diesel::sql_types::Text;
use diesel::{Connection, PgConnection, QueryableByName, RunQueryDsl, SqliteConnection, sql_query};
use orgmem_store::StoreConfig;

/// The tables of a store, which a server may be using.
pub enum Tables {
    /// Of the embedded database.
    Sqlite(Box<SqliteConnection>),
    /// Of the other.
    Postgres(Box<PgConnection>),
}

/// What is told of reads, some time after them.
const NOT_OF_READS: &str = "WHERE verb NOT IN ('search_memories', 'read_memory', 'read_history', 'explain_memory', \
     'count_memories', 'read_entry', 'list_entries', 'list_episodes', 'search_session', 'read_access_log', \
     'read_run', 'watch_events')";

/// Columns that count such rows, or tell when the last one was made.
const COUNTS: [&str; 3] = ["access_seq", "sealed_seq", "last_used_at"];

/// Which rows of a table are compared; none where none are.
fn rows_of(table: &str) -> Option<&'static str> {
    match table {
        "access_log" => Some(NOT_OF_READS),
        "episodes" => Some("WHERE activity_type <> 'memory_read'"),
        "access_seals" | "audit_ranges" => None,
        _ => Some(""),
    }
}

/// One line of whatever was asked for.
#[derive(QueryableByName)]
struct Line {
    #[diesel(sql_type = Text)]
    line: String,
}

impl Tables {
    /// Those of this store.
    ///
    /// # Errors
    /// What the database says.
    pub fn of(config: &StoreConfig) -> Result<Self, String> {
        let told = |error: diesel::ConnectionError| error.to_string();
        match config {
            StoreConfig::Sqlite { path, .. } => {
                let mut conn = SqliteConnection::establish(&path.display().to_string()).map_err(told)?;
                conn.batch_execute("PRAGMA busy_timeout = 10000").map_err(|error| error.to_string())?;
                Ok(Self::Sqlite(Box::new(conn)))
            }
            StoreConfig::Postgres { url, .. } => {
                Ok(Self::Postgres(Box::new(PgConnection::establish(url).map_err(told)?)))
            }
        }
    }

    /// The lines that a query gives, which names its one column `line`. `ID(column)` is an id in 32 digits on both.
    ///
    /// # Errors
    /// What the database says.
    pub fn ask(&mut self, query: &str) -> Result<Vec<String>, String> {
        let lines = match self {
            Self::Sqlite(conn) => sql_query(with_ids(query, "lower(hex(", "))")).load::<Line>(&mut **conn),
            Self::Postgres(conn) => {
                sql_query(with_ids(query, "replace((", ")::text, '-', '')")).load::<Line>(&mut **conn)
            }
        };
        let lines = lines.map_err(|error| format!("`{query}`: {error}"))?;
        Ok(lines.into_iter().map(|line| line.line).collect())
    }

    /// Carries out a statement that gives nothing.
    ///
    /// # Errors
    /// What the database says.
    pub fn execute(&mut self, statement: &str) -> Result<(), String> {
        let done = match self {
            Self::Sqlite(conn) => conn.batch_execute(statement),
            Self::Postgres(conn) => conn.batch_execute(statement),
        };
        done.map_err(|error| format!("`{statement}`: {error}"))
    }

    /// Every row of every table, each with the name of its table, sorted: what must not have changed when nothing may.
    /// What is told of reads is left out, and what is sealed by and by.
    ///
    /// # Panics
    /// When they cannot be read.
    #[must_use]
    pub fn dump(&mut self) -> Vec<String> {
        let mut rows: Vec<_> = self.names().iter().flat_map(|table| self.rows(table)).collect();
        rows.sort();
        rows
    }

    fn names(&mut self) -> Vec<String> {
        self.must(match self {
            Self::Sqlite(_) => {
                "SELECT name AS line FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
            }
            Self::Postgres(_) => "SELECT tablename::text AS line FROM pg_tables WHERE schemaname = 'public'",
        })
    }

    fn rows(&mut self, table: &str) -> Vec<String> {
        let Some(which) = rows_of(table) else { return Vec::new() };
        match self {
            Self::Sqlite(_) => {
                let columns = self.must(&format!("SELECT name AS line FROM pragma_table_info('{table}')"));
                let columns = columns.iter().filter(|column| !COUNTS.contains(&column.as_str()));
                let quoted: Vec<_> = columns.map(|column| format!("quote(\"{column}\")")).collect();
                let row = quoted.join(" || '|' || ");
                self.must(&format!("SELECT '{table} ' || {row} AS line FROM \"{table}\" {which}"))
            }
            Self::Postgres(_) => {
                let counts: String = COUNTS.iter().map(|count| format!(" - '{count}'")).collect();
                let row = format!("(to_jsonb(t){counts})::text");
                self.must(&format!("SELECT '{table} ' || {row} AS line FROM \"{table}\" t {which}"))
            }
        }
    }

    fn must(&mut self, query: &str) -> Vec<String> {
        self.ask(query).unwrap_or_else(|error| panic!("{error}"))
    }
}

/// The query with each `ID(column)` between these.
fn with_ids(query: &str, before: &str, after: &str) -> String {
    let mut parts = query.split("ID(");
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (column, rest) = part.split_once(')').unwrap_or((part, ""));
        text.push_str(&format!("{before}{column}{after}{rest}"));
    }
    text
}
