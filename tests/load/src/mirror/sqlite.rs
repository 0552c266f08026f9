//! The limit on SQLite: prepared statements, one transaction a group, as durable as ours.

use std::collections::{BTreeMap, VecDeque};
use std::time::Instant;

use rusqlite::types::Value;
use rusqlite::{CachedStatement, Connection, OpenFlags, params_from_iter};

use super::{APPENDED, Appended, Group, Mirror, Taken, grouped, taken};
use crate::error::Outcome;
use crate::home::{Home, Kind};

type Row = Vec<Value>;

/// As the writer of the store has it, but for what only deletions need.
const SETTINGS: &str = "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cache_size = -8000; \
     PRAGMA journal_size_limit = 67108864;";

const SHELF: &str = "INSERT INTO memory_partitions VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET \
     live_count = live_count + excluded.live_count, version = excluded.version, last_write_at = excluded.last_write_at";

const ORG: &str = "INSERT INTO orgs (org_id, version, last_seq, tree_version, auth_version, index_floor, created_at) \
     VALUES (?, ?, ?, 1, 0, 0, 0) ON CONFLICT DO UPDATE SET version = excluded.version, last_seq = excluded.last_seq";

const ENTRY: &str = "INSERT INTO entries VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET \
     value = excluded.value, version = excluded.version, updated_at = excluded.updated_at";

pub(super) struct Sqlite {
    server: Connection,
    own: Connection,
    /// Where `own` is.
    _home: Home,
    /// Up to where the server's rows were read, table by table.
    marks: [Value; APPENDED.len()],
    waiting: VecDeque<Vec<Group<Row>>>,
    /// Where columns stand in a row of `memories`.
    columns: BTreeMap<String, usize>,
}

impl Sqlite {
    pub(super) fn new(home: &Home) -> Outcome<Self> {
        let server = Connection::open_with_flags(home.file(), OpenFlags::SQLITE_OPEN_READ_ONLY)?;
        let mirror = Home::with_tables(Kind::Sqlite)?;
        let own = Connection::open(mirror.file())?;
        own.execute_batch(SETTINGS)?;
        let columns = {
            let statement = server.prepare("SELECT * FROM memories")?;
            statement.column_names().into_iter().map(str::to_owned).zip(0..).collect()
        };
        let marks = APPENDED.map(|_| Value::Integer(0));
        let mut mirror = Self { server, own, _home: mirror, marks, waiting: VecDeque::new(), columns };
        // what is there already is not for the mirror
        mirror.appended()?;
        Ok(mirror)
    }

    fn rows(&self, query: &str, after: Value) -> Outcome<Vec<Row>> {
        let mut statement = self.server.prepare_cached(query)?;
        let count = statement.column_count();
        let rows = statement.query_map([after], |row| (0..count).map(|column| row.get(column)).collect())?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// What was appended since this was last asked.
    fn appended(&mut self) -> Outcome<[Vec<Row>; APPENDED.len()]> {
        let mut appended = APPENDED.map(|_| Vec::new());
        for (place, Appended { name, mark, order }) in APPENDED.iter().enumerate() {
            let query = format!("SELECT *, {mark} FROM {name} WHERE {mark} > ? ORDER BY {order}");
            let mut rows = self.rows(&query, self.marks[place].clone())?;
            for row in &mut rows {
                self.marks[place] = row.pop().unwrap_or(Value::Null);
            }
            appended[place] = rows;
        }
        Ok(appended)
    }

    fn column(&self, name: &str) -> Outcome<usize> {
        self.columns.get(name).copied().ok_or_else(|| format!("`memories` has no `{name}`").into())
    }

    /// What a group does to the rows that are kept up to date: shelves and the org.
    fn kept(&self, group: &Group<Row>) -> Outcome<(Vec<Row>, Row)> {
        let key = ["org_id", "author_id", "scope", "team_id"].map(|name| self.column(name));
        let [org, author, scope, team] = key.map(|column| column.unwrap_or_default());
        let (updated, seq) = (self.column("updated_at")?, self.column("seq")?);
        let mut shelves: Vec<Row> = Vec::new();
        for row in group.memories() {
            let key = [org, author, scope, team].map(|column| row[column].clone());
            match shelves.iter_mut().find(|shelf| shelf[..4] == key) {
                Some(shelf) => {
                    if let Value::Integer(live) = &mut shelf[4] {
                        *live += 1;
                    }
                    shelf[6] = row[updated].clone();
                }
                None => {
                    let rest = [Value::Integer(1), Value::Integer(group.version), row[updated].clone()];
                    shelves.push(key.into_iter().chain(rest).collect());
                }
            }
        }
        let last = group.memories().last().ok_or("an empty group")?;
        Ok((shelves, vec![last[org].clone(), Value::Integer(group.version), last[seq].clone()]))
    }
}

/// `INSERT` of whole rows, prepared once.
fn insert<'c>(own: &'c Connection, table: &str, rows: &[Row]) -> Outcome<CachedStatement<'c>> {
    let columns = rows.first().map_or(0, Vec::len);
    Ok(own.prepare_cached(&format!("INSERT INTO {table} VALUES (?{})", ", ?".repeat(columns.saturating_sub(1))))?)
}

fn execute(statement: &mut CachedStatement<'_>, rows: &[Row]) -> Outcome<()> {
    for row in rows {
        statement.execute(params_from_iter(row))?;
    }
    Ok(())
}

impl Mirror for Sqlite {
    fn read(&mut self) -> Outcome<Taken> {
        let appended = self.appended()?;
        let change = self.column("org_version")?;
        let groups = grouped(appended, |row| match row[change] {
            Value::Integer(change) => Ok(change),
            _ => Err("a memory without a change".into()),
        })?;
        let taken = taken(&groups);
        self.waiting.push_back(groups);
        Ok(taken)
    }

    fn write(&mut self) -> Outcome<f64> {
        let groups = self.waiting.pop_front().ok_or("nothing was read")?;
        let kept = groups.iter().map(|group| self.kept(group)).collect::<Outcome<Vec<_>>>()?;
        let first = groups.first().ok_or("nothing was written")?;
        let inserts = APPENDED.iter().zip(&first.rows).map(|(table, rows)| insert(&self.own, table.name, rows));
        let mut inserts: Vec<CachedStatement<'_>> = inserts.collect::<Outcome<_>>()?;
        let (mut shelf, mut org) = (self.own.prepare_cached(SHELF)?, self.own.prepare_cached(ORG)?);
        let begin = Instant::now();
        for (group, (shelves, org_row)) in groups.iter().zip(&kept) {
            self.own.execute_batch("BEGIN IMMEDIATE")?;
            for (insert, rows) in inserts.iter_mut().zip(&group.rows) {
                execute(insert, rows)?;
            }
            execute(&mut shelf, shelves)?;
            execute(&mut org, std::slice::from_ref(org_row))?;
            self.own.execute_batch("COMMIT")?;
        }
        Ok(taken(&groups).memories as f64 / begin.elapsed().as_secs_f64())
    }

    fn put(&mut self, count: usize, group: usize) -> Outcome<f64> {
        let rows = self.rows("SELECT * FROM entries WHERE version > ?", 0.into())?;
        let org = rows.first().and_then(|row| row.first()).ok_or("there are no entries")?.clone();
        let (mut entry, mut org_row) = (self.own.prepare_cached(ENTRY)?, self.own.prepare_cached(ORG)?);
        let rows: Vec<Row> = rows.iter().cycle().take(count).cloned().collect();
        let begin = Instant::now();
        for (version, group) in (1..).zip(rows.chunks(group)) {
            self.own.execute_batch("BEGIN IMMEDIATE")?;
            execute(&mut entry, group)?;
            org_row.execute((&org, version, 0))?;
            self.own.execute_batch("COMMIT")?;
        }
        Ok(count as f64 / begin.elapsed().as_secs_f64())
    }

    fn commits(&mut self) -> Outcome<i64> {
        Ok(self.server.query_row("SELECT sum(version) FROM orgs", [], |row| row.get(0))?)
    }

    fn write_singly(&mut self, count: usize) -> Outcome<f64> {
        let groups = self.waiting.pop_front().ok_or("nothing was read")?;
        let rows: Vec<Row> = groups.iter().flat_map(Group::memories).take(count).cloned().collect();
        let mut memories = insert(&self.own, "memories", &rows)?;
        let begin = Instant::now();
        execute(&mut memories, &rows)?;
        Ok(begin.elapsed().as_secs_f64() * 1e6 / rows.len() as f64)
    }
}
