//! Which words of a query are one of an author's name.

use std::borrow::Cow;

use crate::byline::Byline;
use crate::query::{Query, Wanted, What};
use crate::text::without_marks;

/// The words of a query that may be names, by the numbers of their units.
pub(super) struct Names<'q>(Vec<(usize, Name<'q>)>);

enum Name<'q> {
    Whole(Cow<'q, str>),
    Beginning(&'q str),
}

impl<'q> Names<'q> {
    pub(super) fn of(query: &'q Query) -> Self {
        let name = |what: &'q What| match what {
            What::Word(Wanted::Word(word)) => Some(Name::Whole(without_marks(word))),
            What::Word(Wanted::Prefix(prefix)) => Some(Name::Beginning(prefix)),
            What::Phrase(_) | What::Pair(..) => None,
        };
        let units = query.units.iter().enumerate();
        Names(units.filter_map(|(unit, asked)| Some((unit, name(&asked.what)?))).collect())
    }

    /// The units that name whoever has this byline.
    pub(super) fn naming(&self, byline: &Byline) -> Vec<usize> {
        let is_in = |name: &Name<'_>| match name {
            Name::Whole(word) => byline.has(word),
            Name::Beginning(prefix) => byline.has_prefix(prefix),
        };
        self.0.iter().filter(|(_, name)| is_in(name)).map(|(unit, _)| *unit).collect()
    }
}
