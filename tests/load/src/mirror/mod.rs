//! The limit of writes: the driver inserts the rows that the server wrote into the same tables, in the same groups per
//! commit. One thread does nothing else.

mod postgres;
mod sqlite;

use crate::error::Outcome;
use crate::storage::{Kind, Storage};

pub(crate) trait Mirror {
    /// Reads the rows that the server wrote since the last call, and returns the numbers of memories and commits.
    fn read(&mut self) -> Outcome<WriteCounts>;

    /// Writes the rows of the oldest read, and returns memories per second.
    fn write(&mut self) -> Outcome<f64>;

    /// Writes the server's entries repeatedly, `count` in all and `group` per commit, and returns entries per second.
    fn put(&mut self, count: usize, group: usize) -> Outcome<f64>;

    /// The number of commits of the server.
    fn commits(&mut self) -> Outcome<i64>;

    /// Commits memories of the oldest read, one per commit, and returns microseconds per commit.
    fn write_singly(&mut self, count: usize) -> Outcome<f64>;
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct WriteCounts {
    pub(crate) memories: usize,
    pub(crate) commits: usize,
}

pub(crate) fn of(kind: Kind, storage: &Storage) -> Outcome<Box<dyn Mirror>> {
    Ok(match kind {
        Kind::Sqlite => Box::new(sqlite::Sqlite::new(storage)?),
        Kind::Postgres => Box::new(postgres::Postgres::new(storage)?),
    })
}

/// A table to which each commit appends one row per memory, in the same order.
struct AppendedTable {
    name: &'static str,
    /// The column that grows with each row or commit.
    cursor: &'static str,
    order: &'static str,
}

/// The first is `memories`.
const APPENDED_TABLES: [AppendedTable; 5] = [
    AppendedTable { name: "memories", cursor: "seq", order: "seq" },
    AppendedTable { name: "memory_index", cursor: "org_version", order: "org_version, memory_id" },
    AppendedTable { name: "episodes", cursor: "id", order: "id" },
    AppendedTable { name: "access_log", cursor: "seq", order: "seq" },
    AppendedTable { name: "events", cursor: "seq", order: "seq" },
];

/// The rows of one commit, by table.
struct Group<R> {
    /// The org's version after the commit.
    version: i64,
    rows: [Vec<R>; APPENDED_TABLES.len()],
}

impl<R> Group<R> {
    fn memories(&self) -> &[R] {
        &self.rows[0]
    }
}

/// Groups rows by the commit of their memory.
fn grouped<R>(rows: [Vec<R>; APPENDED_TABLES.len()], version: impl Fn(&R) -> Outcome<i64>) -> Outcome<Vec<Group<R>>> {
    let counts: Vec<usize> = rows.iter().map(Vec::len).collect();
    if counts.iter().any(|&count| count != counts[0]) {
        let names = APPENDED_TABLES.map(|table| table.name);
        return Err(format!("different row counts: {counts:?} of {names:?}").into());
    }
    let versions: Vec<i64> = rows[0].iter().map(version).collect::<Outcome<_>>()?;
    let mut rows = rows.map(Vec::into_iter);
    let mut groups = Vec::new();
    for versions_of_commit in versions.chunk_by(PartialEq::eq) {
        let rows = rows.each_mut().map(|rows| rows.take(versions_of_commit.len()).collect());
        groups.push(Group { version: versions_of_commit[0], rows });
    }
    Ok(groups)
}

fn counts_of<R>(groups: &[Group<R>]) -> WriteCounts {
    WriteCounts { memories: groups.iter().map(|group| group.memories().len()).sum(), commits: groups.len() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_grouped_by_commit_of_their_memory() {
        let rows = [[10, 10, 20], [1, 2, 3], [4, 5, 6], [7, 8, 9], [0, 0, 0]].map(Vec::from);
        let groups = grouped(rows, |&version| Ok(version)).expect("the counts are equal");
        let shapes: Vec<_> = groups.iter().map(|group| (group.version, group.rows[1].clone())).collect();
        assert_eq!(shapes, [(10, vec![1, 2]), (20, vec![3])]);
    }

    #[test]
    fn different_row_counts_are_an_error() {
        let rows = [vec![1, 2], vec![1], vec![1, 2], vec![1, 2], vec![1, 2]];
        assert!(grouped(rows, |&version| Ok(version)).is_err());
    }
}
