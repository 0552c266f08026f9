//! Which memories were made together, and in which order.
//!
//! What has a session belongs to its session; what has none, to the day (UTC) it was made on.

use uuid::Uuid;

use super::pack::{Row, Symbol};

const DAY: i64 = 86_400_000_000;

/// What memories that were made together have in common, within a pack.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Sitting {
    Session(Symbol),
    /// Days since 1970.
    Day(i64),
}

/// A memory in the order of its sitting.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Seat {
    pub(crate) created_at: i64,
    pub(crate) number: i64,
    pub(crate) id: Uuid,
    pub(crate) doc: u32,
}

/// The sittings of a pack.
#[derive(Debug, Default)]
pub(crate) struct Sittings {
    /// Each, and where its seats end.
    ends: Box<[(Sitting, u32)]>,
    seats: Box<[Seat]>,
}

impl Sittings {
    pub(super) fn of(rows: &[Row]) -> Self {
        let mut seated: Vec<(Sitting, Seat)> = (0..)
            .zip(rows)
            .map(|(doc, row)| {
                let sitting = match row.session_id {
                    Symbol::NONE => Sitting::Day(row.created_at.div_euclid(DAY)),
                    session => Sitting::Session(session),
                };
                (sitting, Seat { created_at: row.created_at, number: row.number, id: row.id, doc })
            })
            .collect();
        seated.sort_unstable();
        let mut end = 0;
        let ends = seated.chunk_by(|(a, _), (b, _)| a == b).map(|together| {
            end += together.len() as u32;
            (together[0].0, end)
        });
        Sittings { ends: ends.collect(), seats: seated.iter().map(|(_, seat)| *seat).collect() }
    }

    /// Each sitting with its seats in order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (Sitting, &[Seat])> {
        let mut start = 0;
        self.ends.iter().map(move |&(sitting, end)| {
            let seats = &self.seats[start..end as usize];
            start = end as usize;
            (sitting, seats)
        })
    }

    /// The seats of one sitting, in order.
    pub(crate) fn of_one(&self, sitting: Sitting) -> &[Seat] {
        let Ok(found) = self.ends.binary_search_by_key(&sitting, |(other, _)| *other) else { return &[] };
        let start = found.checked_sub(1).map_or(0, |before| self.ends[before].1);
        &self.seats[start as usize..self.ends[found].1 as usize]
    }

    pub(super) fn size_bytes(&self) -> usize {
        size_of_val(&*self.ends) + size_of_val(&*self.seats)
    }
}
