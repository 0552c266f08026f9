//! Days that memories name relative to the day on which they were made: `last night`, `tomorrow`, `on Friday`.

use std::sync::LazyLock;

use super::base_scores::date_fit_of_day;
use super::lookup::TermLookup;
use super::plan::{PlannedClause, Target, TermKey};
use super::searcher::{Searcher, SegmentView};
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

impl SaidDay {
    /// How well the day fits one of these dates, if it is said on `said_on`, in days since 1970. Only exact days fit.
    fn fit(self, dates: &[Date], said_on: i64) -> f64 {
        let is_named = |day: i64| dates.iter().any(|named| named.day.is_some() && date_fit_of_day(named, day) == 1.0);
        match self {
            SaidDay::Distance(days) => f64::from(u8::from(is_named(said_on.saturating_add(days)))),
            SaidDay::Weekday(weekday) => {
                // 1 January 1970 was a Thursday
                let is_weekday = |day: &i64| (day + 3).rem_euclid(7) == weekday;
                let near = (1..=7).flat_map(|days| [said_on.saturating_sub(days), said_on.saturating_add(days)]);
                if near.filter(is_weekday).any(is_named) { DATE_FIT_WEEKDAY } else { 0.0 }
            }
        }
    }
}

impl<S: Copy> Searcher<'_, S> {
    /// The documents of a view that name one of the dates relative to their own day, ascending, with the fit of the best.
    /// Without a day in the dates, none.
    ///
    /// # Complexity
    /// O(occurrences of the expressions).
    pub(super) fn said_dates(&self, view: &SegmentView<'_, S>, dates: &[Date]) -> Vec<(u32, f64)> {
        let mut found: Vec<(u32, f64)> = Vec::new();
        if dates.iter().all(|date| date.day.is_none()) {
            return found;
        }
        let passages = &view.segment.passages;
        for language in &view.segment.languages {
            let expressions = EXPRESSIONS.iter().filter(|of| of.language.is_none_or(|of| of == language.language));
            let mut clauses: Vec<PlannedClause<'_>> = Vec::new();
            let mut days = Vec::new();
            let mut add = |target| {
                let number = clauses.len();
                clauses.push(PlannedClause { number, weight: 1.0, is_boost: false, target });
                number
            };
            for Expression { day, words, .. } in expressions {
                let mut word = |word| add(Target::Term(TermKey::Stem(language.language.stem(word))));
                let number = match words.map(|each| each.map(&mut word)) {
                    [Some(first), Some(second)] => add(Target::Pair(first, second)),
                    [only, _] => only.unwrap_or_default(),
                };
                days.push((number, *day));
            }
            let lookup = TermLookup::new(view, language, &clauses, &[], 0);
            for (number, day) in days {
                lookup.find(&clauses[number]).1.for_each(|passage, _| {
                    let doc = passages.doc(passage);
                    if view.is_visible(doc) {
                        let fit = day.fit(dates, view.segment.row(doc).day());
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
    use super::{EXPRESSIONS, SaidDay};
    use crate::query::Date;
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
