//! The limit of writing: the rows that the server wrote, written once more by the driver, straight into the same tables,
//! in the groups that shared a commit. Nothing is decided, analysed or answered; one thread does nothing else.

mod postgres;
mod sqlite;

use crate::error::Outcome;
use crate::home::{Home, Kind};

/// Rows that the server wrote, to be written again.
pub(crate) trait Mirror {
    /// Reads what the server wrote since it was last asked; says how many memories that were and in how many commits.
    fn read(&mut self) -> Outcome<Taken>;

    /// Writes what was read first and not yet written; says how many memories a second.
    fn write(&mut self) -> Outcome<f64>;

    /// Writes the server's entries, again and again, `count` in all and `group` in each commit; says how many a second.
    fn put(&mut self, count: usize, group: usize) -> Outcome<f64>;

    /// How many groups of writes the server has committed.
    fn commits(&mut self) -> Outcome<i64>;

    /// Commits rows of what was read first, one alone in each commit; says how many microseconds one takes.
    fn write_singly(&mut self, count: usize) -> Outcome<f64>;
}

/// How the server wrote.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Taken {
    pub(crate) memories: usize,
    pub(crate) commits: usize,
}

/// A mirror of the server whose data is in `home`.
pub(crate) fn of(kind: Kind, home: &Home) -> Outcome<Box<dyn Mirror>> {
    Ok(match kind {
        Kind::Sqlite => Box::new(sqlite::Sqlite::new(home)?),
        Kind::Postgres => Box::new(postgres::Postgres::new(home)?),
    })
}

/// A table that commits append to: one row for each memory, all in the same order.
struct Appended {
    name: &'static str,
    /// The column that grows from row to row, or from commit to commit.
    mark: &'static str,
    /// What it is sorted by.
    order: &'static str,
}

/// The first is that of the memories themselves.
const APPENDED: [Appended; 5] = [
    Appended { name: "memories", mark: "seq", order: "seq" },
    Appended { name: "memory_index", mark: "change", order: "change, memory_id" },
    Appended { name: "episodes", mark: "id", order: "id" },
    Appended { name: "access_log", mark: "seq", order: "seq" },
    Appended { name: "events", mark: "seq", order: "seq" },
];

/// What one commit appended, table by table.
struct Group<R> {
    /// The org's version with it.
    version: i64,
    rows: [Vec<R>; APPENDED.len()],
}

impl<R> Group<R> {
    fn memories(&self) -> &[R] {
        &self.rows[0]
    }
}

/// Puts rows into the groups that shared a commit, which a memory tells.
fn grouped<R>(rows: [Vec<R>; APPENDED.len()], version: impl Fn(&R) -> Outcome<i64>) -> Outcome<Vec<Group<R>>> {
    let counts: Vec<usize> = rows.iter().map(Vec::len).collect();
    if counts.iter().any(|&count| count != counts[0]) {
        let names = APPENDED.map(|table| table.name);
        return Err(format!("rows that do not go together: {counts:?} of {names:?}").into());
    }
    let versions: Vec<i64> = rows[0].iter().map(version).collect::<Outcome<_>>()?;
    let mut rows = rows.map(Vec::into_iter);
    let mut groups = Vec::new();
    for alike in versions.chunk_by(PartialEq::eq) {
        let rows = rows.each_mut().map(|rows| rows.take(alike.len()).collect());
        groups.push(Group { version: alike[0], rows });
    }
    Ok(groups)
}

fn taken<R>(groups: &[Group<R>]) -> Taken {
    Taken { memories: groups.iter().map(|group| group.memories().len()).sum(), commits: groups.len() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_grouped_by_the_commit_of_their_memory() {
        let rows = [[10, 10, 20], [1, 2, 3], [4, 5, 6], [7, 8, 9], [0, 0, 0]].map(Vec::from);
        let groups = grouped(rows, |&version| Ok(version)).expect("they go together");
        let shapes: Vec<_> = groups.iter().map(|group| (group.version, group.rows[1].clone())).collect();
        assert_eq!(shapes, [(10, vec![1, 2]), (20, vec![3])]);
    }

    #[test]
    fn rows_that_do_not_go_together_are_an_error() {
        let rows = [vec![1, 2], vec![1], vec![1, 2], vec![1, 2], vec![1, 2]];
        assert!(grouped(rows, |&version| Ok(version)).is_err());
    }
}
