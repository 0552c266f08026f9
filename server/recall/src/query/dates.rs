//! Dates in queries: `in May 2023`, `on 8 May`, `2023-05-08`, `last December`.

use std::collections::HashMap;
use std::sync::LazyLock;

use foldhash::fast::RandomState;

use crate::tuning::{MAX_QUERY_DATES, QUERY_YEARS};

/// Words between the parts of a date.
const FILLERS: [&str; 9] = ["th", "st", "nd", "rd", "of", "the", "de", "di", "del"];

/// Words before an ambiguous name of a month that make it a month.
const BEFORE_MONTHS: [&str; 22] = [
    "in", "of", "since", "during", "last", "this", "next", "by", "until", "before", "after", "early", "late", "mid",
    "im", "en", "em", "seit", "depuis", "desde", "nel", "de",
];

static MONTHS: LazyLock<HashMap<&str, Month, RandomState>> = LazyLock::new(|| {
    let lines = include_str!("months.txt").lines().filter(|line| !line.starts_with('#'));
    let names = (1..).zip(lines).flat_map(|(number, line)| line.split(' ').map(move |name| (name, number)));
    let month = |(name, number): (&'static str, u8)| {
        (name.trim_end_matches('?'), Month { number, is_certain: !name.ends_with('?') })
    };
    names.map(month).collect()
});

#[derive(Clone, Copy)]
struct Month {
    /// From 1.
    number: u8,
    is_certain: bool,
}

/// A day, a month or a year.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Date {
    pub(crate) year: Option<i64>,
    pub(crate) month: Option<u8>,
    pub(crate) day: Option<u8>,
}

impl Date {
    /// Whether a word, folded and without diacritics, may be a part of the date.
    pub(crate) fn has_part(&self, word: &str) -> bool {
        let DateWord { month, number, .. } = DateWord::of(word, 1);
        let is_number =
            number.is_some_and(|number| self.year == Some(number) || self.day.map(i64::from) == Some(number));
        is_number || month.is_some_and(|month| self.month == Some(month.number)) || FILLERS.contains(&word)
    }
}

/// The dates in these words, each folded, without diacritics, and with the number of words of its compound.
pub(super) fn dates<'t>(words: impl Iterator<Item = (&'t str, u32)>) -> Vec<Date> {
    let words = words.filter(|(word, _)| !FILLERS.contains(word));
    let words: Vec<DateWord<'_>> = words.map(|(word, siblings)| DateWord::of(word, siblings)).collect();
    let mut found: Vec<Date> = Vec::new();
    let mut at = 0;
    while at < words.len() && found.len() < MAX_QUERY_DATES {
        let (date, len) = date_at(&words, at);
        found.extend(date.filter(|date| !found.contains(date)));
        at += len;
    }
    found
}

#[derive(Clone, Copy)]
struct DateWord<'t> {
    text: &'t str,
    siblings: u32,
    month: Option<Month>,
    number: Option<i64>,
}

impl<'t> DateWord<'t> {
    fn of(text: &'t str, siblings: u32) -> Self {
        let number = text.bytes().all(|b| b.is_ascii_digit()).then(|| text.parse().ok()).flatten();
        DateWord { text, siblings, month: MONTHS.get(text).copied(), number }
    }

    fn year(self) -> Option<i64> {
        self.number.filter(|year| QUERY_YEARS.contains(year))
    }

    fn day(self) -> Option<u8> {
        self.number.and_then(|day| u8::try_from(day).ok()).filter(|day| (1..=31).contains(day))
    }
}

/// The date that begins with this word, if any, and the number of words to advance.
fn date_at(words: &[DateWord<'_>], at: usize) -> (Option<Date>, usize) {
    let word = |at: usize| words.get(at).copied();
    let year = |at: usize| word(at).and_then(DateWord::year);
    let day = |at: usize| word(at).and_then(DateWord::day);
    let month = |at: usize| word(at).and_then(|word| word.month);
    // 2023-05-08, 2023-05
    if let (Some(first), Some(second)) = (word(at), word(at + 1))
        && let (Some(year), Some(number)) = (first.year(), second.day().filter(|&number| number <= 12))
        && first.siblings > 1
        && second.siblings == first.siblings
    {
        let day = (first.siblings > 2).then(|| day(at + 2)).flatten();
        return (Some(Date { year: Some(year), month: Some(number), day }), 2 + usize::from(day.is_some()));
    }
    // 8 May 2023, 8 May
    if let (Some(day), Some(month)) = (day(at), month(at + 1)) {
        let year = year(at + 2);
        return (Some(Date { year, month: Some(month.number), day: Some(day) }), 2 + usize::from(year.is_some()));
    }
    // May 8 2023, May 2023, May 8, in May
    if let Some(Month { number, is_certain }) = month(at) {
        let day = day(at + 1);
        let year = year(at + 1 + usize::from(day.is_some()));
        let follows_preposition =
            || at.checked_sub(1).and_then(word).is_some_and(|previous| BEFORE_MONTHS.contains(&previous.text));
        let is_month = is_certain || day.is_some() || year.is_some() || follows_preposition();
        let date = is_month.then_some(Date { year, month: Some(number), day });
        return (date, 1 + usize::from(day.is_some()) + usize::from(year.is_some()));
    }
    (year(at).map(|year| Date { year: Some(year), ..Date::default() }), 1)
}
