//! The limit on SQLite: prepared statements, one durable transaction per group.

use std::collections::{BTreeMap, VecDeque};
use std::time::Instant;

use rusqlite::types::Value;
use rusqlite::{CachedStatement, Connection, OpenFlags, params_from_iter};

use super::{APPENDED_TABLES, AppendedTable, Group, Mirror, WriteCounts, counts_of, grouped};
use crate::error::Outcome;
use crate::storage::{Kind, Storage};

type Row = Vec<Value>;

/// The settings of the store's writer, except those for deletions.
const SETTINGS: &str = "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cache_size = -8000; \
     PRAGMA journal_size_limit = 67108864;";

const PARTITION: &str = "INSERT INTO memory_partitions (org_id, author_id, scope, team_id, live_count, version, \
     last_write_at) VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET \
     live_count = live_count + excluded.live_count, version = excluded.version, last_write_at = excluded.last_write_at";

const ORG: &str = "INSERT INTO orgs (org_id, version, last_seq, tree_version, auth_version, index_floor, created_at) \
     VALUES (?, ?, ?, 1, 0, 0, 0) ON CONFLICT DO UPDATE SET version = excluded.version, last_seq = excluded.last_seq";

const ENTRY: &str = "INSERT INTO entries (org_id, workspace_id, key, value, version, expires_at, updated_at, \
     subject) VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET value = excluded.value, \
     version = excluded.version, updated_at = excluded.updated_at";

pub(super) struct Sqlite {
    server: Connection,
    target: Connection,
    /// The database of `target`.
    _storage: Storage,
    /// The last row that was read from the server, by table.
    cursors: [Value; APPENDED_TABLES.len()],
    pending: VecDeque<Vec<Group<Row>>>,
    /// Column indexes of `memories`.
    columns: BTreeMap<String, usize>,
}

impl Sqlite {
    pub(super) fn new(storage: &Storage) -> Outcome<Self> {
        let server = Connection::open_with_flags(storage.file(), OpenFlags::SQLITE_OPEN_READ_ONLY)?;
        let mirror = Storage::with_tables(Kind::Sqlite)?;
        let target = Connection::open(mirror.file())?;
        target.execute_batch(SETTINGS)?;
        let columns = {
            let statement = server.prepare("SELECT * FROM memories")?;
            statement.column_names().into_iter().map(str::to_owned).zip(0..).collect()
        };
        let cursors = APPENDED_TABLES.map(|_| Value::Integer(0));
        let mut mirror = Self { server, target, _storage: mirror, cursors, pending: VecDeque::new(), columns };
        // skips existing rows
        mirror.read_appended()?;
        Ok(mirror)
    }

    fn rows(&self, query: &str, after: Value) -> Outcome<Vec<Row>> {
        let mut statement = self.server.prepare_cached(query)?;
        let count = statement.column_count();
        let rows = statement.query_map([after], |row| (0..count).map(|column| row.get(column)).collect())?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// The rows read_appended since the last call.
    fn read_appended(&mut self) -> Outcome<[Vec<Row>; APPENDED_TABLES.len()]> {
        let mut appended = APPENDED_TABLES.map(|_| Vec::new());
        for (index, AppendedTable { name, cursor, order }) in APPENDED_TABLES.iter().enumerate() {
            let query = format!("SELECT *, {cursor} FROM {name} WHERE {cursor} > ? ORDER BY {order}");
            let mut rows = self.rows(&query, self.cursors[index].clone())?;
            for row in &mut rows {
                self.cursors[index] = row.pop().unwrap_or(Value::Null);
            }
            appended[index] = rows;
        }
        Ok(appended)
    }

    fn column(&self, name: &str) -> Outcome<usize> {
        self.columns.get(name).copied().ok_or_else(|| format!("`memories` has no `{name}`").into())
    }

    /// The changes of a group to rows that are updated: partitions and the org.
    fn updates(&self, group: &Group<Row>) -> Outcome<(Vec<Row>, Row)> {
        let key = ["org_id", "author_id", "scope", "team_id"].map(|name| self.column(name));
        let [org, author, scope, team] = key.map(|column| column.unwrap_or_default());
        let (updated, seq) = (self.column("updated_at")?, self.column("seq")?);
        let mut partitions: Vec<Row> = Vec::new();
        for row in group.memories() {
            let key = [org, author, scope, team].map(|column| row[column].clone());
            match partitions.iter_mut().find(|partition| partition[..4] == key) {
                Some(partition) => {
                    if let Value::Integer(live) = &mut partition[4] {
                        *live += 1;
                    }
                    partition[6] = row[updated].clone();
                }
                None => {
                    let rest = [Value::Integer(1), Value::Integer(group.version), row[updated].clone()];
                    partitions.push(key.into_iter().chain(rest).collect());
                }
            }
        }
        let last = group.memories().last().ok_or("an empty group")?;
        Ok((partitions, vec![last[org].clone(), Value::Integer(group.version), last[seq].clone()]))
    }
}

/// A prepared `INSERT` of whole rows.
fn insert<'c>(target: &'c Connection, table: &str, rows: &[Row]) -> Outcome<CachedStatement<'c>> {
    let columns = rows.first().map_or(0, Vec::len);
    Ok(target.prepare_cached(&format!("INSERT INTO {table} VALUES (?{})", ", ?".repeat(columns.saturating_sub(1))))?)
}

fn execute(statement: &mut CachedStatement<'_>, rows: &[Row]) -> Outcome<()> {
    for row in rows {
        statement.execute(params_from_iter(row))?;
    }
    Ok(())
}

impl Mirror for Sqlite {
    fn read(&mut self) -> Outcome<WriteCounts> {
        let appended = self.read_appended()?;
        let version = self.column("org_version")?;
        let groups = grouped(appended, |row| match row[version] {
            Value::Integer(version) => Ok(version),
            _ => Err("a memory without a version".into()),
        })?;
        let counts = counts_of(&groups);
        self.pending.push_back(groups);
        Ok(counts)
    }

    fn write(&mut self) -> Outcome<f64> {
        let groups = self.pending.pop_front().ok_or("nothing was read")?;
        let updates = groups.iter().map(|group| self.updates(group)).collect::<Outcome<Vec<_>>>()?;
        let first = groups.first().ok_or("nothing was written")?;
        let inserts =
            APPENDED_TABLES.iter().zip(&first.rows).map(|(table, rows)| insert(&self.target, table.name, rows));
        let mut inserts: Vec<CachedStatement<'_>> = inserts.collect::<Outcome<_>>()?;
        let (mut partition, mut org) = (self.target.prepare_cached(PARTITION)?, self.target.prepare_cached(ORG)?);
        let begin = Instant::now();
        for (group, (partitions, org_row)) in groups.iter().zip(&updates) {
            self.target.execute_batch("BEGIN IMMEDIATE")?;
            for (insert, rows) in inserts.iter_mut().zip(&group.rows) {
                execute(insert, rows)?;
            }
            execute(&mut partition, partitions)?;
            execute(&mut org, std::slice::from_ref(org_row))?;
            self.target.execute_batch("COMMIT")?;
        }
        Ok(counts_of(&groups).memories as f64 / begin.elapsed().as_secs_f64())
    }

    fn put(&mut self, count: usize, group: usize) -> Outcome<f64> {
        let rows = self.rows("SELECT * FROM entries WHERE version > ?", 0.into())?;
        let org = rows.first().and_then(|row| row.first()).ok_or("no entries")?.clone();
        let (mut entry, mut org_row) = (self.target.prepare_cached(ENTRY)?, self.target.prepare_cached(ORG)?);
        let rows: Vec<Row> = rows.iter().cycle().take(count).cloned().collect();
        let begin = Instant::now();
        for (version, group) in (1..).zip(rows.chunks(group)) {
            self.target.execute_batch("BEGIN IMMEDIATE")?;
            execute(&mut entry, group)?;
            org_row.execute((&org, version, 0))?;
            self.target.execute_batch("COMMIT")?;
        }
        Ok(count as f64 / begin.elapsed().as_secs_f64())
    }

    fn commits(&mut self) -> Outcome<i64> {
        Ok(self.server.query_row("SELECT sum(version) FROM orgs", [], |row| row.get(0))?)
    }

    fn write_singly(&mut self, count: usize) -> Outcome<f64> {
        let groups = self.pending.pop_front().ok_or("nothing was read")?;
        let rows: Vec<Row> = groups.iter().flat_map(Group::memories).take(count).cloned().collect();
        let mut memories = insert(&self.target, "memories", &rows)?;
        let begin = Instant::now();
        execute(&mut memories, &rows)?;
        Ok(begin.elapsed().as_secs_f64() * 1e6 / rows.len() as f64)
    }
}
