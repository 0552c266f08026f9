//! The limit on PostgreSQL: `COPY`, its fastest way in, one transaction a group, as durable as ours.

use std::collections::{BTreeMap, VecDeque};
use std::io::{Read, Write};
use std::time::Instant;

use postgres::types::ToSql;
use postgres::{Client, NoTls, Statement};
use uuid::Uuid;

use super::{APPENDED, Appended, Group, Mirror, Taken, grouped, taken};
use crate::error::Outcome;
use crate::home::{Home, Kind};

/// A row as `COPY` writes it, with the end of its line.
type Row = String;

pub(super) struct Postgres {
    server: Client,
    own: Client,
    _home: Home,
    /// Up to where the server's rows were read, table by table.
    marks: [String; APPENDED.len()],
    waiting: VecDeque<Vec<Group<Row>>>,
    /// Names and types of the columns of each table.
    columns: [Vec<(String, String)>; APPENDED.len()],
}

impl Postgres {
    pub(super) fn new(home: &Home) -> Outcome<Self> {
        let connect = |home: &Home| -> Outcome<Client> {
            let url = home.database().ok_or("this home is not on PostgreSQL")?;
            Ok(Client::connect(url, NoTls)?)
        };
        let mirror = Home::with_tables(Kind::Postgres)?;
        let (mut server, own) = (connect(home)?, connect(&mirror)?);
        let mut columns = APPENDED.map(|_| Vec::new());
        for (columns, table) in columns.iter_mut().zip(&APPENDED) {
            let rows = server.query(
                "SELECT column_name::text, udt_name::text FROM information_schema.columns \
                 WHERE table_name = $1 AND table_schema = current_schema() ORDER BY ordinal_position",
                &[&table.name],
            )?;
            *columns = rows.iter().map(|row| (row.get(0), row.get(1))).collect();
        }
        let marks = APPENDED.map(|table| if table.mark == "id" { Uuid::nil().to_string() } else { "0".into() });
        let mut mirror = Self { server, own, _home: mirror, marks, waiting: VecDeque::new(), columns };
        // what is there already is not for the mirror
        mirror.appended()?;
        Ok(mirror)
    }

    /// What was appended since this was last asked.
    fn appended(&mut self) -> Outcome<[Vec<Row>; APPENDED.len()]> {
        let mut appended = APPENDED.map(|_| Vec::new());
        for (place, Appended { name, mark, order }) in APPENDED.iter().enumerate() {
            let after = &self.marks[place];
            let rows = self.rows(&format!("SELECT * FROM {name} WHERE {mark} > '{after}' ORDER BY {order}"))?;
            if let Some(last) = rows.last() {
                self.marks[place] = field(&self.columns[place], last, mark)?.to_owned();
            }
            appended[place] = rows;
        }
        Ok(appended)
    }

    fn rows(&mut self, query: &str) -> Outcome<Vec<Row>> {
        let mut text = String::new();
        self.server.copy_out(&format!("COPY ({query}) TO STDOUT"))?.read_to_string(&mut text)?;
        Ok(text.split_inclusive('\n').map(str::to_owned).collect())
    }

    /// What a group does to the rows that are kept up to date: shelves, and the number of the last memory.
    fn kept(&self, group: &Group<Row>) -> Outcome<Kept> {
        let mut shelves: BTreeMap<[String; 4], (i64, String)> = BTreeMap::new();
        let mut last_seq = 0;
        for row in group.memories() {
            let field = |name| field(&self.columns[0], row, name).map(str::to_owned);
            let key = [field("org_id")?, field("author_id")?, field("scope")?, field("team_id")?];
            let shelf = shelves.entry(key).or_default();
            shelf.0 += 1;
            shelf.1 = field("updated_at")?;
            last_seq = field("seq")?.parse()?;
        }
        Ok(Kept { shelves, last_seq })
    }

    fn copy(&mut self, table: &str, rows: &[Row]) -> Outcome<()> {
        let mut copy = self.own.copy_in(&format!("COPY {table} FROM STDIN"))?;
        for row in rows {
            copy.write_all(row.as_bytes())?;
        }
        copy.finish()?;
        Ok(())
    }

    fn keep(&mut self, (shelf, org): &(Statement, Statement), version: i64, kept: &Kept) -> Outcome<()> {
        // all shelves of a group with one statement
        let key = |part: usize| kept.shelves.keys().map(|key| key[part].clone()).collect::<Vec<String>>();
        let (orgs, authors, scopes, teams) = (key(0), key(1), key(2), key(3));
        let live: Vec<String> = kept.shelves.values().map(|(live, _)| live.to_string()).collect();
        let at: Vec<String> = kept.shelves.values().map(|(_, at)| at.clone()).collect();
        let values: [&(dyn ToSql + Sync); 7] = [&orgs, &authors, &scopes, &teams, &live, &version, &at];
        self.own.execute(shelf, &values)?;
        self.own.execute(org, &[&orgs[0], &version, &kept.last_seq])?;
        Ok(())
    }
}

/// One column of a row.
fn field<'r>(columns: &[(String, String)], row: &'r str, name: &str) -> Outcome<&'r str> {
    let place = columns.iter().position(|(column, _)| column == name).ok_or("no such column")?;
    row.trim_end_matches('\n').split('\t').nth(place).ok_or_else(|| "a row that is too short".into())
}

struct Kept {
    shelves: BTreeMap<[String; 4], (i64, String)>,
    last_seq: i64,
}

const SHELVES: &str = "INSERT INTO memory_partitions SELECT o::uuid, a::uuid, s, t::uuid, l::bigint, $6, w::timestamptz \
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
    fn read(&mut self) -> Outcome<Taken> {
        let appended = self.appended()?;
        let groups = grouped(appended, |row| Ok(field(&self.columns[0], row, "org_version")?.parse()?))?;
        let taken = taken(&groups);
        self.waiting.push_back(groups);
        Ok(taken)
    }

    fn write(&mut self) -> Outcome<f64> {
        let groups = self.waiting.pop_front().ok_or("nothing was read")?;
        let kept = groups.iter().map(|group| self.kept(group)).collect::<Outcome<Vec<_>>>()?;
        let statements = (self.own.prepare(SHELVES)?, self.own.prepare(ORG)?);
        let begin = Instant::now();
        for (group, kept) in groups.iter().zip(&kept) {
            self.own.batch_execute("BEGIN")?;
            for (table, rows) in APPENDED.iter().zip(&group.rows) {
                self.copy(table.name, rows)?;
            }
            self.keep(&statements, group.version, kept)?;
            self.own.batch_execute("COMMIT")?;
        }
        Ok(taken(&groups).memories as f64 / begin.elapsed().as_secs_f64())
    }

    fn put(&mut self, count: usize, group: usize) -> Outcome<f64> {
        let rows = self.rows("SELECT org_id, workspace_id, key, value, version, updated_at FROM entries")?;
        let fields: Vec<Vec<&str>> = rows.iter().map(|row| row.trim_end_matches('\n').split('\t').collect()).collect();
        let org = fields.first().and_then(|row| row.first()).ok_or("there are no entries")?;
        let (entries, org_row) = (self.own.prepare(ENTRIES)?, self.own.prepare(ORG)?);
        // a row twice in one statement is refused: as many as there are rows fit into one
        let group = group.clamp(1, rows.len());
        let begin = Instant::now();
        for (version, from) in (1_i64..).zip((0..count).step_by(group)) {
            let rows = (from..count.min(from + group)).map(|number| &fields[number % fields.len()]);
            let rows: Vec<&Vec<&str>> = rows.collect();
            let column = |place: usize| rows.iter().map(|row| row[place]).collect::<Vec<&str>>();
            let values: [Vec<&str>; 6] = [0, 1, 2, 3, 4, 5].map(column);
            let values: Vec<&(dyn ToSql + Sync)> = values.iter().map(|value| value as &(dyn ToSql + Sync)).collect();
            self.own.batch_execute("BEGIN")?;
            self.own.execute(&entries, &values)?;
            self.own.execute(&org_row, &[org, &version, &0_i64])?;
            self.own.batch_execute("COMMIT")?;
        }
        Ok(count as f64 / begin.elapsed().as_secs_f64())
    }

    fn commits(&mut self) -> Outcome<i64> {
        Ok(self.server.query_one("SELECT sum(version)::bigint FROM orgs", &[])?.get(0))
    }

    fn write_singly(&mut self, count: usize) -> Outcome<f64> {
        let groups = self.waiting.pop_front().ok_or("nothing was read")?;
        let rows: Vec<Row> = groups.iter().flat_map(Group::memories).take(count).cloned().collect();
        // what `COPY` escapes does not matter here: only how long it takes does
        let rows: Vec<Vec<Option<&str>>> = rows
            .iter()
            .map(|row| row.trim_end_matches('\n').split('\t').map(|field| (field != "\\N").then_some(field)).collect())
            .collect();
        let values: Vec<String> = self.columns[0]
            .iter()
            .enumerate()
            .map(|(place, (_, kind))| format!("${}::text::{kind}", place + 1))
            .collect();
        let insert = self.own.prepare(&format!("INSERT INTO memories VALUES ({})", values.join(", ")))?;
        let begin = Instant::now();
        for row in &rows {
            let values: Vec<&(dyn ToSql + Sync)> = row.iter().map(|field| field as &(dyn ToSql + Sync)).collect();
            self.own.execute(&insert, &values)?;
        }
        Ok(begin.elapsed().as_secs_f64() * 1e6 / rows.len() as f64)
    }
}
