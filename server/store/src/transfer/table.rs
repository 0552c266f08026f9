//! The tables of the schema as data: which columns a row has, and whether an export contains it.

use diesel::Column as DieselColumn;
use diesel::sql_types::{BigInt, Binary, Bool, Double, Integer, Nullable, Text};

use crate::columns::sql;
use crate::schema;

/// The type of a column. The code is the first letter of the column's name in a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Uuid,
    Time,
    Int,
    SmallInt,
    Bool,
    Real,
    Text,
    Bytes,
}

impl Kind {
    const ALL: [Self; 8] =
        [Self::Uuid, Self::Time, Self::Int, Self::SmallInt, Self::Bool, Self::Real, Self::Text, Self::Bytes];

    pub(crate) const fn code(self) -> &'static str {
        match self {
            Self::Uuid => "u",
            Self::Time => "t",
            Self::Int => "i",
            Self::SmallInt => "s",
            Self::Bool => "b",
            Self::Real => "r",
            Self::Text => "x",
            Self::Bytes => "y",
        }
    }

    pub(crate) fn of_code(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| name.starts_with(kind.code()))
    }
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Column {
    pub(crate) name: &'static str,
    pub(crate) kind: Kind,
    pub(crate) nullable: bool,
}

/// Whether an export contains the rows of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Content {
    Exported,
    /// The reason, which the header of an export repeats.
    LeftOut(&'static str),
}

/// A table whose rows begin with the id of their org.
#[derive(Debug)]
pub(crate) struct Table {
    pub(crate) name: &'static str,
    pub(crate) columns: Vec<Column>,
    /// Positions in `columns` of the key after the org; empty for `orgs`.
    pub(crate) key: Vec<usize>,
    pub(crate) content: Content,
    /// The column with the workspace of a row.
    pub(crate) workspace: Option<&'static str>,
    /// For rows without one, the table whose row has it, and the column with the id of that row.
    pub(crate) parent: Option<(&'static str, &'static str)>,
    /// Whether the column `subject` is an end user.
    pub(crate) has_subject: bool,
}

impl Table {
    pub(crate) fn position(&self, column: &str) -> Option<usize> {
        self.columns.iter().position(|known| known.name == column)
    }

    pub(crate) fn is_exported(&self) -> bool {
        self.content == Content::Exported
    }

    pub(crate) fn is_orgs(&self) -> bool {
        self.key.is_empty()
    }
}

/// SQL types that rows can be exported with.
trait ColumnType {
    const KIND: Kind;
    const NULLABLE: bool = false;
}

macro_rules! column_types {
    ($($sql_type:ty => $kind:ident,)*) => {
        $(
            impl ColumnType for $sql_type {
                const KIND: Kind = Kind::$kind;
            }
            impl ColumnType for Nullable<$sql_type> {
                const KIND: Kind = Kind::$kind;
                const NULLABLE: bool = true;
            }
        )*
    };
}

column_types! {
    sql::Uuid => Uuid,
    sql::Instant => Time,
    BigInt => Int,
    Integer => SmallInt,
    Bool => Bool,
    Double => Real,
    Text => Text,
    Binary => Bytes,
}

trait Columns {
    fn columns() -> Vec<Column>;
}

fn column<C: DieselColumn<SqlType: ColumnType>>() -> Column {
    Column { name: C::NAME, kind: C::SqlType::KIND, nullable: C::SqlType::NULLABLE }
}

macro_rules! columns_of_tuples {
    ($first:ident $($rest:ident)*) => {
        columns_of_tuples!($($rest)*);
        impl<$first: DieselColumn<SqlType: ColumnType>, $($rest: DieselColumn<SqlType: ColumnType>),*> Columns
            for ($first, $($rest,)*)
        {
            fn columns() -> Vec<Column> {
                vec![column::<$first>(), $(column::<$rest>()),*]
            }
        }
    };
    () => {};
}

columns_of_tuples! {
    A B C D E F G H I J K L M N O P Q R S T U V W X Y Z Aa Bb Cc Dd Ee Ff
}

const KEYS_AND_TOKENS: &str = "the registry of issued tokens: an export contains no keys and no tokens";
const ANSWERS: &str = "stored responses of the last day, which may contain an issued token";
const INDEX: &str = "computed from the memories";
const PROVIDERS: &str = "what the providers of this server have, and their figures";

#[cfg(test)]
const BLOCKS: &str = "computed from the episodes and memories by a job";

/// Tables without a place in [`tables`], with the reason.
#[cfg(test)]
const ELSEWHERE: &[(&str, &str)] = &[
    ("workspace_orgs", "written with the workspaces"),
    ("memory_segments", "computed from the memories by a job"),
    ("segment_progress", "computed from the memories by a job"),
    ("text_blocks", BLOCKS),
    ("text_workspaces", BLOCKS),
    ("text_progress", BLOCKS),
    ("episode_changes", BLOCKS),
];

/// The table with the workspace of a row of `table`, and the column that refers to it.
fn parent_of(table: &str) -> Option<(&'static str, &'static str)> {
    matches!(table, "skill_versions" | "skill_sources").then_some(("skills", "skill_id"))
}

/// One entry for each table, in the order of an export. A row comes after the rows that it refers to.
///
/// The brackets have the column with the workspace whose data the row is, and `subject` for a table whose column of that
/// name is an end user. Rows of a table with neither are only in exports of whole orgs.
macro_rules! tables {
    ($($table:ident ($($key:ident),*) [$($workspace:ident)? $(, $subject:ident)?] $content:expr;)*) => {
        /// All tables with rows of an org, in the order of an export.
        pub(crate) fn tables() -> Vec<Table> {
            vec![$({
                let columns = <<schema::$table::table as diesel::Table>::AllColumns as Columns>::columns();
                let names: &[&str] = &[$(stringify!($key)),*];
                let key = names.iter().filter_map(|name| columns.iter().position(|known| known.name == *name)).collect();
                let brackets: &[&'static str] = &[$(stringify!($workspace),)? $(stringify!($subject),)?];
                Table {
                    name: stringify!($table),
                    columns,
                    key,
                    content: $content,
                    workspace: brackets.first().copied(),
                    parent: parent_of(stringify!($table)),
                    has_subject: brackets.contains(&"subject"),
                }
            }),*]
        }
    };
}

tables! {
    orgs () [] Content::Exported;
    workspaces (id) [id] Content::Exported;
    budgets (workspace_id) [workspace_id] Content::Exported;
    plugin_namespaces (name) [workspace_id] Content::Exported;
    profiles (id) [workspace_id] Content::Exported;
    memory_partitions (author_id, scope, team_id) [] Content::Exported;
    memories (id) [author_id, subject] Content::Exported;
    memory_versions (memory_id, version) [author_id, subject] Content::Exported;
    documents (id) [author_id] Content::Exported;
    document_versions (document_id, version) [author_id] Content::Exported;
    document_passages (id) [author_id] Content::Exported;
    redactions (memory_id) [author_id] Content::Exported;
    erasures (id) [] Content::Exported;
    runs (id) [workspace_id] Content::Exported;
    memory_uses (memory_id, version, voice) [workspace_id] Content::Exported;
    pending_memories (run_id, number) [workspace_id, subject] Content::Exported;
    entries (workspace_id, key) [workspace_id, subject] Content::Exported;
    episodes (workspace_id, id) [workspace_id, subject] Content::Exported;
    pages (workspace_id, id) [workspace_id, subject] Content::Exported;
    page_work (workspace_id, subject, thread) [workspace_id, subject] Content::Exported;
    skills (id) [workspace_id] Content::Exported;
    skill_versions (skill_id, version) [] Content::Exported;
    skill_sources (memory_id, skill_id) [] Content::Exported;
    skill_rules (workspace_id) [workspace_id] Content::Exported;
    records (entity) [] Content::Exported;
    record_fields (entity, field) [] Content::Exported;
    reviews (id) [workspace_id] Content::Exported;
    grants (id) [workspace_id, subject] Content::Exported;
    collections (workspace_id, name) [workspace_id] Content::Exported;
    collection_rows (workspace_id, collection, key) [workspace_id] Content::Exported;
    processors (workspace_id, name) [workspace_id] Content::Exported;
    processor_rows (workspace_id, processor, key) [workspace_id] Content::Exported;
    processor_groups (workspace_id, processor, group_id) [workspace_id] Content::Exported;
    processor_runs (workspace_id, processor, id) [workspace_id] Content::Exported;
    turns (workspace_id, id) [workspace_id] Content::Exported;
    revocations (jti) [] Content::Exported;
    access_log (seq) [workspace_id] Content::Exported;
    access_seals (first_seq) [] Content::Exported;
    audit_ranges (workspace_id, first_seq) [] Content::Exported;
    org_days (day) [] Content::Exported;
    events (seq) [workspace_id] Content::Exported;
    tokens (jti) [] Content::LeftOut(KEYS_AND_TOKENS);
    idempotency_keys (owner, key) [] Content::LeftOut(ANSWERS);
    memory_index (author_id, scope, team_id, memory_id) [] Content::LeftOut(INDEX);
    embeddings (model) [] Content::LeftOut(INDEX);
    provider_outbox (provider, id) [] Content::LeftOut(PROVIDERS);
    provider_queues (provider) [] Content::LeftOut(PROVIDERS);
    provider_items (provider, id) [] Content::LeftOut(PROVIDERS);
    provider_surfaces (provider, surface) [] Content::LeftOut(PROVIDERS);
}

/// Tables whose rows are computed, so that [`tables`] has none of them, although their keys begin with the org.
const COMPUTED: [&str; 6] =
    ["memory_segments", "segment_progress", "text_blocks", "text_workspaces", "text_progress", "episode_changes"];

/// The names of all tables whose keys begin with the org.
pub(crate) fn sharded_tables() -> Vec<&'static str> {
    tables().iter().map(|table| table.name).chain(COMPUTED).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use diesel::prelude::*;
    use diesel::sql_types::Text;
    use diesel::{SqliteConnection, sql_query};
    use diesel_migrations::MigrationHarness;

    use super::*;

    #[derive(QueryableByName)]
    struct Name {
        #[diesel(sql_type = Text)]
        name: String,
    }

    fn names(conn: &mut SqliteConnection, query: &str) -> Vec<String> {
        let rows: Vec<Name> = sql_query(query).load(conn).expect("names");
        rows.into_iter().map(|row| row.name).collect()
    }

    fn migrated() -> SqliteConnection {
        let mut conn = SqliteConnection::establish(":memory:").expect("a database");
        conn.run_pending_migrations(crate::migrations::SQLITE).expect("up");
        conn
    }

    #[test]
    fn every_table_of_the_schema_is_listed() {
        let made = "SELECT name FROM sqlite_schema
            WHERE type = 'table' AND name NOT LIKE '\\_\\_%' ESCAPE '\\' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'";
        let made: BTreeSet<String> = names(&mut migrated(), made).into_iter().collect();
        let listed = tables().iter().map(|table| table.name).chain(ELSEWHERE.iter().map(|(name, _)| *name)).count();
        let known: BTreeSet<String> = tables()
            .iter()
            .map(|table| table.name)
            .chain(ELSEWHERE.iter().map(|(name, _)| *name))
            .map(str::to_owned)
            .collect();
        assert_eq!(made, known, "a table is missing in `tables!`: export it, or leave it out with a reason");
        assert_eq!(listed, known.len());
    }

    #[test]
    fn every_table_with_an_org_is_sharded() {
        let keyed = "SELECT DISTINCT s.name FROM sqlite_schema s, pragma_table_info(s.name) c \
             WHERE s.type = 'table' AND c.name = 'org_id' AND c.pk = 1";
        let keyed: BTreeSet<String> = names(&mut migrated(), keyed).into_iter().collect();
        assert_eq!(keyed, sharded_tables().into_iter().map(str::to_owned).collect());
    }

    #[test]
    fn columns_and_keys_are_those_of_the_schema() {
        let mut conn = migrated();
        for table in tables() {
            let name = table.name;
            let columns = names(&mut conn, &format!("SELECT name FROM pragma_table_info('{name}') ORDER BY cid"));
            assert_eq!(table.columns.iter().map(|column| column.name).collect::<Vec<_>>(), columns, "{name}");
            let key = format!("SELECT name FROM pragma_table_info('{name}') WHERE pk > 1 ORDER BY pk");
            let listed: Vec<_> = table.key.iter().map(|at| table.columns[*at].name).collect();
            assert_eq!(listed, names(&mut conn, &key), "{name}");
            assert!(table.workspace.is_none_or(|column| table.position(column).is_some()), "{name}");
            assert!(!table.has_subject || table.position("subject").is_some(), "{name}");
        }
    }

    #[test]
    fn export_page_lists_every_table() {
        let page = include_str!("../../../../docs/spec/export.md");
        for name in tables().iter().map(|table| table.name).chain(ELSEWHERE.iter().map(|(name, _)| *name)) {
            assert!(page.contains(&format!("| `{name}` |")), "docs/spec/export.md does not list `{name}`");
        }
    }
}
