//! Days that memories name relative to the day on which they were made: `last night`, `tomorrow`, `on Friday`.

use std::sync::{LazyLock, OnceLock};

use super::base_scores::date_fit_of_day;
use super::lookup::TermLookup;
use super::plan::{PlannedClause, Target, TermKey};
use super::searcher::{Searcher, SegmentView};
use crate::index::Segment;
use crate::query::Date;
use crate::text::Language;
use crate::tuning::DATE_FIT_WEEKDAY;

/// A day relative to that on which something is said.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum SaidDay {
    /// This number of days later.
    Distance(i64),
    /// One of the seven days before or after that is this day of the week; 0 is Monday.
    Weekday(i64),
}

/// No expression means a day that is further away.
const FURTHEST_DAY: i64 = 7;

/// An expression for a day: one word, or two adjacent words.
struct Expression {
    /// `None` for words whose script decides how they are stemmed.
    language: Option<Language>,
    day: SaidDay,
    words: [Option<&'static str>; 2],
}

static EXPRESSIONS: LazyLock<Vec<Expression>> = LazyLock::new(|| {
    let lines = include_str!("said_days.txt").lines().filter(|line| !line.starts_with('#'));
    lines.flat_map(expressions).collect()
});

fn expressions(line: &'static str) -> impl Iterator<Item = Expression> {
    const WEEKDAYS: [&str; 7] = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];
    let mut parts = line.split(' ');
    let (language, day) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
    let language = Language::ALL.into_iter().find(|known| format!("{known:?}") == language);
    let day = match WEEKDAYS.iter().position(|weekday| *weekday == day) {
        Some(number) => SaidDay::Weekday(number as i64),
        None => SaidDay::Distance(day.parse().unwrap_or_default()),
    };
    parts.map(move |expression| {
        let mut words = expression.split('_');
        Expression { language, day, words: [words.next(), words.next()] }
    })
}

/// The expressions of a language as clauses, and the day that each means, by the number of its clause.
struct Expressions {
    clauses: Vec<PlannedClause<'static>>,
    days: Vec<(usize, SaidDay)>,
}

/// The expressions of a language; their words are stemmed once.
fn expressions_of(language: Language) -> &'static Expressions {
    static BY_LANGUAGE: [OnceLock<Expressions>; Language::ALL.len()] = [const { OnceLock::new() }; Language::ALL.len()];
    BY_LANGUAGE[language as usize].get_or_init(|| {
        let (mut clauses, mut days) = (Vec::new(), Vec::new());
        let mut add = |target| {
            let number = clauses.len();
            clauses.push(PlannedClause { number, weight: 1.0, is_boost: false, target });
            number
        };
        let is_of_language = |of: &&Expression| of.language.is_none_or(|of| of == language);
        for Expression { day, words, .. } in EXPRESSIONS.iter().filter(is_of_language) {
            let mut word = |word| add(Target::Term(TermKey::Stem(language.stem(word))));
            let number = match words.map(|each| each.map(&mut word)) {
                [Some(first), Some(second)] => add(Target::Pair(first, second)),
                [only, _] => only.unwrap_or_default(),
            };
            days.push((number, *day));
        }
        Expressions { clauses, days }
    })
}

/// Whether one of these dates is this day.
fn is_named(dates: &[Date], day: i64) -> bool {
    dates.iter().any(|named| named.day.is_some() && date_fit_of_day(named, day) == 1.0)
}

/// The days of the documents of a segment that are at most a week from one of these dates, ascending.
fn days_near(segment: &Segment, dates: &[Date]) -> Vec<i64> {
    let (mut compared, mut last_named) = (i64::MIN, None);
    let is_near = |day: &i64| {
        let (first, last) = (day.saturating_sub(FURTHEST_DAY), day.saturating_add(FURTHEST_DAY));
        // days are ascending, so each is compared once
        let named = (first.max(compared.saturating_add(1))..=last).rev().find(|day| is_named(dates, *day));
        (compared, last_named) = (last, named.or(last_named));
        last_named.is_some_and(|named| named >= first)
    };
    segment.newest.days().map(|(day, _)| day).filter(is_near).collect()
}

impl SaidDay {
    /// How well the day fits one of these dates, if it is said on `said_on`, in days since 1970. Only exact days fit.
    fn fit(self, dates: &[Date], said_on: i64) -> f64 {
        match self {
            SaidDay::Distance(days) => f64::from(u8::from(is_named(dates, said_on.saturating_add(days)))),
            SaidDay::Weekday(weekday) => {
                // 1 January 1970 was a Thursday
                let is_weekday = |day: &i64| (day + 3).rem_euclid(7) == weekday;
                let near =
                    (1..=FURTHEST_DAY).flat_map(|days| [said_on.saturating_sub(days), said_on.saturating_add(days)]);
                if near.filter(is_weekday).any(|day| is_named(dates, day)) { DATE_FIT_WEEKDAY } else { 0.0 }
            }
        }
    }
}

impl<S: Copy> Searcher<'_, S> {
    /// The documents of a view that name one of the dates relative to their own day, ascending, with the fit of the best.
    /// Without a day in the dates, none.
    ///
    /// # Complexity
    /// O(days with a document), and if one of them is within a week of a date, O(occurrences of the expressions).
    pub(super) fn said_dates(&self, view: &SegmentView<'_, S>, dates: &[Date]) -> Vec<(u32, f64)> {
        let mut found: Vec<(u32, f64)> = Vec::new();
        if dates.iter().all(|date| date.day.is_none()) {
            return found;
        }
        let near = days_near(view.segment, dates);
        if near.is_empty() {
            return found;
        }
        let passages = &view.segment.passages;
        for language in &view.segment.languages {
            let Expressions { clauses, days } = expressions_of(language.language);
            let lookup = TermLookup::new(view, language, clauses, &[], 0);
            for (number, day) in days {
                lookup.find(&clauses[*number]).1.for_each(|passage, _| {
                    let doc = passages.doc(passage);
                    let said_on = view.segment.row(doc).day();
                    if near.binary_search(&said_on).is_ok() && view.is_visible(doc) {
                        let fit = day.fit(dates, said_on);
                        found.extend((fit > 0.0).then_some((doc, fit)));
                    }
                });
            }
        }
        found.sort_by(|one, other| one.0.cmp(&other.0).then(other.1.total_cmp(&one.1)));
        found.dedup_by_key(|(doc, _)| *doc);
        found
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::{EXPRESSIONS, SaidDay, days_near};
    use crate::index::{Doc, LiveSegment, MICROSECONDS_PER_DAY, Meta};
    use crate::query::Date;
    use crate::text::analyze;
    use crate::tuning::DATE_FIT_WEEKDAY;

    /// 1 May 2023, a Monday.
    const MAY_FIRST: i64 = 19_478;

    fn may(day: u8) -> [Date; 1] {
        [Date { year: None, month: Some(5), day: Some(day) }]
    }

    #[test]
    fn every_expression_has_words_and_a_day() {
        assert!(EXPRESSIONS.len() > 100);
        for expression in &*EXPRESSIONS {
            assert!(expression.words[0].is_some_and(|word| !word.is_empty()));
            let is_known = |day| matches!(day, SaidDay::Distance(-2..=2) | SaidDay::Weekday(0..=6));
            assert!(is_known(expression.day), "{:?}", expression.words);
        }
        let last_night =
            EXPRESSIONS.iter().find(|each| each.words == [Some("last"), Some("night")]).expect("it is listed");
        assert_eq!(last_night.day, SaidDay::Distance(-1));
    }

    #[test]
    fn days_near_a_date_are_those_that_an_expression_can_relate_to_it() {
        let days = [-40, -9, -8, -7, 0, 3, 7, 8, 30, 372];
        let doc = |(id, distance): (u128, i64)| {
            let meta = Meta {
                id: Uuid::from_u128(id),
                created_at: (MAY_FIRST + distance) * MICROSECONDS_PER_DAY,
                ..Meta::default()
            };
            Doc { meta, analysis: analyze("yesterday"), embeddings: None }
        };
        let docs: Vec<Doc> = (0..).zip(days).map(doc).collect();
        let live = LiveSegment::build(&docs).remove(0);
        let near = |dates: &[Date]| days_near(&live.segment, dates).into_iter().map(|day| day - MAY_FIRST).collect();
        let without_year: Vec<i64> = near(&may(1));
        assert_eq!(without_year, [-7, 0, 3, 7, 372]);
        let of_year: Vec<i64> = near(&[Date { year: Some(2023), ..may(1)[0] }, may(9)[0]]);
        assert_eq!(of_year, [-7, 0, 3, 7, 8, 372]);
        let month: Vec<i64> = near(&[Date { day: None, ..may(1)[0] }]);
        assert!(month.is_empty());
    }

    #[test]
    fn days_fit_relative_to_the_day_of_the_memory() {
        assert_eq!(SaidDay::Distance(-1).fit(&may(1), MAY_FIRST + 1), 1.0);
        assert_eq!(SaidDay::Distance(-1).fit(&may(2), MAY_FIRST + 1), 0.0);
        assert_eq!(SaidDay::Distance(1).fit(&may(1), MAY_FIRST - 1), 1.0);
        let monday = |said_on| SaidDay::Weekday(0).fit(&may(1), said_on);
        assert_eq!([monday(MAY_FIRST + 3), monday(MAY_FIRST - 7)], [DATE_FIT_WEEKDAY; 2]);
        assert_eq!([monday(MAY_FIRST), monday(MAY_FIRST + 8)], [0.0; 2]);
        assert_eq!(SaidDay::Weekday(1).fit(&may(1), MAY_FIRST + 3), 0.0);
        // a month names no day
        let month = [Date { day: None, ..may(1)[0] }];
        assert_eq!(SaidDay::Distance(-1).fit(&month, MAY_FIRST + 1), 0.0);
        assert_eq!(SaidDay::Distance(2).fit(&may(1), i64::MAX), 0.0);
    }
}
