//! The sittings of all views, put together.

use std::collections::HashMap;

use foldhash::fast::RandomState;

use super::shelves::Shelves;
use crate::segment::{Seat, Sitting};

/// When something was made: the time, and what came after what at that time.
type When = (i64, i64);

/// What was made together, on whichever shelves it lies.
pub(super) struct Gathering<'a> {
    /// Whether it is a session; else a day.
    pub(super) is_session: bool,
    first: When,
    last: When,
    /// The seats in each view, in order.
    runs: Vec<(u32, &'a [Seat])>,
}

/// What names a sitting in whatever pack.
#[derive(PartialEq, Eq, Hash)]
enum Name<'a> {
    Session(&'a str),
    Day(i64),
}

/// A memory that is there: its view, and its number there.
pub(super) type Place = (u32, u32);

impl<'a, S: Copy> Shelves<'a, S> {
    /// All sittings, in no order that means anything.
    pub(super) fn gatherings(&self) -> Vec<Gathering<'a>> {
        let mut numbers = HashMap::<_, _, RandomState>::default();
        let mut all: Vec<Gathering<'a>> = Vec::new();
        for (number, view) in (0..).zip(&self.views) {
            for (sitting, seats) in view.pack.sittings.iter() {
                let is_shown = |seat: &&Seat| view.shows(seat.doc);
                let (Some(first), Some(last)) = (seats.iter().find(is_shown), seats.iter().rfind(is_shown)) else {
                    continue;
                };
                let (first, last) = ((first.created_at, first.number), (last.created_at, last.number));
                let name = match sitting {
                    Sitting::Session(session) => Name::Session(view.pack.string(session)),
                    Sitting::Day(day) => Name::Day(day),
                };
                let is_session = matches!(name, Name::Session(_));
                let known = *numbers.entry(name).or_insert(all.len());
                match all.get_mut(known) {
                    Some(gathering) => {
                        gathering.first = gathering.first.min(first);
                        gathering.last = gathering.last.max(last);
                        gathering.runs.push((number, seats));
                    }
                    None => all.push(Gathering { is_session, first, last, runs: vec![(number, seats)] }),
                }
            }
        }
        all
    }

    /// The memories of `gathering` in the order in which they were made.
    pub(super) fn seated(&self, gathering: &Gathering<'_>, seated: &mut Vec<(Seat, u32)>) {
        seated.clear();
        for &(number, seats) in &gathering.runs {
            let view = &self.views[number as usize];
            seated.extend(seats.iter().filter(|seat| view.shows(seat.doc)).map(|&seat| (seat, number)));
        }
        if gathering.runs.len() > 1 {
            // by runs that are in order already
            seated.sort_by_key(|(seat, _)| (seat.created_at, seat.number, seat.id));
        }
    }
}

impl Gathering<'_> {
    /// Its memories, in no order, those that are not there included.
    pub(super) fn places(&self) -> impl Iterator<Item = Place> {
        self.runs.iter().flat_map(|&(view, seats)| seats.iter().map(move |seat| (view, seat.doc)))
    }
}

/// How many sittings came after each, of those that began before `until`.
pub(super) fn ages(gatherings: &[Gathering<'_>], until: Option<i64>) -> Vec<usize> {
    let counted = gatherings.iter().filter(|gathering| until.is_none_or(|until| gathering.first.0 < until));
    let mut lasts: Vec<When> = counted.map(|gathering| gathering.last).collect();
    lasts.sort_unstable();
    gatherings.iter().map(|gathering| lasts.len() - lasts.partition_point(|last| *last <= gathering.last)).collect()
}
