//! The limit on PostgreSQL: `COPY`, one durable transaction per group.

use std::collections::{BTreeMap, VecDeque};
use std::io::{Read, Write};
use std::time::Instant;

use postgres::types::ToSql;
use postgres::{Client, NoTls, Statement};
use uuid::Uuid;

use super::{APPENDED_TABLES, AppendedTable, Group, Mirror, WriteCounts, counts_of, grouped};
use crate::error::Outcome;
use crate::storage::{Kind, Storage};

/// A line of `COPY`, with its newline.
type Row = String;

pub(super) struct Postgres {
    server: Client,
    target: Client,
    _storage: Storage,
    /// The last row that was read from the server, by table.
    cursors: [String; APPENDED_TABLES.len()],
    pending: VecDeque<Vec<Group<Row>>>,
    /// Column names and types, by table.
    columns: [Vec<(String, String)>; APPENDED_TABLES.len()],
}

impl Postgres {
    pub(super) fn new(storage: &Storage) -> Outcome<Self> {
        let connect = |storage: &Storage| -> Outcome<Client> {
            let url = storage.database().ok_or("the storage is not on PostgreSQL")?;
            Ok(Client::connect(url, NoTls)?)
        };
        let mirror = Storage::with_tables(Kind::Postgres)?;
        let (mut server, target) = (connect(storage)?, connect(&mirror)?);
        let mut columns = APPENDED_TABLES.map(|_| Vec::new());
        for (columns, table) in columns.iter_mut().zip(&APPENDED_TABLES) {
            let rows = server.query(
                "SELECT column_name::text, udt_name::text FROM information_schema.columns \
                 WHERE table_name = $1 AND table_schema = current_schema() ORDER BY ordinal_position",
                &[&table.name],
            )?;
            *columns = rows.iter().map(|row| (row.get(0), row.get(1))).collect();
        }
        let cursors =
            APPENDED_TABLES.map(|table| if table.cursor == "id" { Uuid::nil().to_string() } else { "0".into() });
        let mut mirror = Self { server, target, _storage: mirror, cursors, pending: VecDeque::new(), columns };
        // skips existing rows
        mirror.read_appended()?;
        Ok(mirror)
    }

    /// The rows read_appended since the last call.
    fn read_appended(&mut self) -> Outcome<[Vec<Row>; APPENDED_TABLES.len()]> {
        let mut appended = APPENDED_TABLES.map(|_| Vec::new());
        for (index, AppendedTable { name, cursor, order }) in APPENDED_TABLES.iter().enumerate() {
            let after = &self.cursors[index];
            let rows = self.rows(&format!("SELECT * FROM {name} WHERE {cursor} > '{after}' ORDER BY {order}"))?;
            if let Some(last) = rows.last() {
                self.cursors[index] = field(&self.columns[index], last, cursor)?.to_owned();
            }
            appended[index] = rows;
        }
        Ok(appended)
    }

    fn rows(&mut self, query: &str) -> Outcome<Vec<Row>> {
        let mut text = String::new();
        self.server.copy_out(&format!("COPY ({query}) TO STDOUT"))?.read_to_string(&mut text)?;
        Ok(text.split_inclusive('\n').map(str::to_owned).collect())
    }

    /// The changes of a group to rows that are updated: partitions, and the last memory's number.
    fn updates(&self, group: &Group<Row>) -> Outcome<Updates> {
        let mut partitions: BTreeMap<[String; 4], (i64, String)> = BTreeMap::new();
        let mut last_seq = 0;
        for row in group.memories() {
            let field = |name| field(&self.columns[0], row, name).map(str::to_owned);
            let key = [field("org_id")?, field("author_id")?, field("scope")?, field("team_id")?];
            let partition = partitions.entry(key).or_default();
            partition.0 += 1;
            partition.1 = field("updated_at")?;
            last_seq = field("seq")?.parse()?;
        }
        Ok(Updates { partitions, last_seq })
    }

    fn copy(&mut self, table: &str, rows: &[Row]) -> Outcome<()> {
        let mut copy = self.target.copy_in(&format!("COPY {table} FROM STDIN"))?;
        for row in rows {
            copy.write_all(row.as_bytes())?;
        }
        copy.finish()?;
        Ok(())
    }

    fn update(&mut self, (partition, org): &(Statement, Statement), version: i64, updates: &Updates) -> Outcome<()> {
        // one statement for all partitions of a group
        let key = |part: usize| updates.partitions.keys().map(|key| key[part].clone()).collect::<Vec<String>>();
        let (orgs, authors, scopes, teams) = (key(0), key(1), key(2), key(3));
        let live: Vec<String> = updates.partitions.values().map(|(live, _)| live.to_string()).collect();
        let updated_at: Vec<String> = updates.partitions.values().map(|(_, updated_at)| updated_at.clone()).collect();
        let values: [&(dyn ToSql + Sync); 7] = [&orgs, &authors, &scopes, &teams, &live, &version, &updated_at];
        self.target.execute(partition, &values)?;
        self.target.execute(org, &[&orgs[0], &version, &updates.last_seq])?;
        Ok(())
    }
}

fn field<'r>(columns: &[(String, String)], row: &'r str, name: &str) -> Outcome<&'r str> {
    let index = columns.iter().position(|(column, _)| column == name).ok_or("no such column")?;
    row.trim_end_matches('\n').split('\t').nth(index).ok_or_else(|| "the row is too short".into())
}

struct Updates {
    partitions: BTreeMap<[String; 4], (i64, String)>,
    last_seq: i64,
}

const PARTITIONS: &str = "INSERT INTO memory_partitions (org_id, author_id, scope, team_id, live_count, version, \
     last_write_at) SELECT o::uuid, a::uuid, s, t::uuid, l::bigint, $6, w::timestamptz \
     FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $7::text[]) AS u (o, a, s, t, l, w) \
     ON CONFLICT (org_id, author_id, scope, team_id) DO UPDATE SET live_count = memory_partitions.live_count + \
     excluded.live_count, version = excluded.version, last_write_at = excluded.last_write_at";

const ENTRIES: &str = "INSERT INTO entries (org_id, workspace_id, key, value, version, updated_at) SELECT o::uuid, \
     w::uuid, k, v, n::bigint, t::timestamptz \
     FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[]) AS u (o, w, k, v, n, t) \
     ON CONFLICT (org_id, workspace_id, key) DO UPDATE SET value = excluded.value, version = excluded.version, \
     updated_at = excluded.updated_at";

const ORG: &str = "INSERT INTO orgs (org_id, version, last_seq, tree_version, auth_version, index_floor, created_at) \
     VALUES ($1::text::uuid, $2, $3, 1, 0, 0, now()) ON CONFLICT (org_id) DO UPDATE \
     SET version = excluded.version, last_seq = excluded.last_seq";

impl Mirror for Postgres {
    fn read(&mut self) -> Outcome<WriteCounts> {
        let appended = self.read_appended()?;
        let groups = grouped(appended, |row| Ok(field(&self.columns[0], row, "org_version")?.parse()?))?;
        let counts = counts_of(&groups);
        self.pending.push_back(groups);
        Ok(counts)
    }

    fn write(&mut self) -> Outcome<f64> {
        let groups = self.pending.pop_front().ok_or("nothing was read")?;
        let updates = groups.iter().map(|group| self.updates(group)).collect::<Outcome<Vec<_>>>()?;
        let statements = (self.target.prepare(PARTITIONS)?, self.target.prepare(ORG)?);
        let begin = Instant::now();
        for (group, updates) in groups.iter().zip(&updates) {
            self.target.batch_execute("BEGIN")?;
            for (table, rows) in APPENDED_TABLES.iter().zip(&group.rows) {
                self.copy(table.name, rows)?;
            }
            self.update(&statements, group.version, updates)?;
            self.target.batch_execute("COMMIT")?;
        }
        Ok(counts_of(&groups).memories as f64 / begin.elapsed().as_secs_f64())
    }

    fn put(&mut self, count: usize, group: usize) -> Outcome<f64> {
        let rows = self.rows("SELECT org_id, workspace_id, key, value, version, updated_at FROM entries")?;
        let fields: Vec<Vec<&str>> = rows.iter().map(|row| row.trim_end_matches('\n').split('\t').collect()).collect();
        let org = fields.first().and_then(|row| row.first()).ok_or("no entries")?;
        let (entries, org_row) = (self.target.prepare(ENTRIES)?, self.target.prepare(ORG)?);
        // a statement cannot contain a row twice
        let group = group.clamp(1, rows.len());
        let begin = Instant::now();
        for (version, from) in (1_i64..).zip((0..count).step_by(group)) {
            let rows = (from..count.min(from + group)).map(|number| &fields[number % fields.len()]);
            let rows: Vec<&Vec<&str>> = rows.collect();
            let column = |index: usize| rows.iter().map(|row| row[index]).collect::<Vec<&str>>();
            let values: [Vec<&str>; 6] = [0, 1, 2, 3, 4, 5].map(column);
            let values: Vec<&(dyn ToSql + Sync)> = values.iter().map(|value| value as &(dyn ToSql + Sync)).collect();
            self.target.batch_execute("BEGIN")?;
            self.target.execute(&entries, &values)?;
            self.target.execute(&org_row, &[org, &version, &0_i64])?;
            self.target.batch_execute("COMMIT")?;
        }
        Ok(count as f64 / begin.elapsed().as_secs_f64())
    }

    fn commits(&mut self) -> Outcome<i64> {
        Ok(self.server.query_one("SELECT sum(version)::bigint FROM orgs", &[])?.get(0))
    }

    fn write_singly(&mut self, count: usize) -> Outcome<f64> {
        let groups = self.pending.pop_front().ok_or("nothing was read")?;
        let rows: Vec<Row> = groups.iter().flat_map(Group::memories).take(count).cloned().collect();
        // the escapes of `COPY` do not matter for the time
        let rows: Vec<Vec<Option<&str>>> = rows
            .iter()
            .map(|row| row.trim_end_matches('\n').split('\t').map(|field| (field != "\\N").then_some(field)).collect())
            .collect();
        let values: Vec<String> = self.columns[0]
            .iter()
            .enumerate()
            .map(|(index, (_, kind))| format!("${}::text::{kind}", index + 1))
            .collect();
        let insert = self.target.prepare(&format!("INSERT INTO memories VALUES ({})", values.join(", ")))?;
        let begin = Instant::now();
        for row in &rows {
            let values: Vec<&(dyn ToSql + Sync)> = row.iter().map(|field| field as &(dyn ToSql + Sync)).collect();
            self.target.execute(&insert, &values)?;
        }
        Ok(begin.elapsed().as_secs_f64() * 1e6 / rows.len() as f64)
    }
}
