//! Dates that a question names: `in May 2023`, `on 8 May`, `2023-05-08`, `last December`.

use std::collections::HashMap;
use std::sync::LazyLock;

use foldhash::fast::RandomState;

/// Dates that a query keeps.
const MAX_DATES: usize = 8;

/// What stands between the parts of a date and says nothing.
const FILLERS: [&str; 9] = ["th", "st", "nd", "rd", "of", "the", "de", "di", "del"];

/// What comes before the name of a month where it is one.
const BEFORE_MONTHS: [&str; 22] = [
    "in", "of", "since", "during", "last", "this", "next", "by", "until", "before", "after", "early", "late", "mid",
    "im", "en", "em", "seit", "depuis", "desde", "nel", "de",
];

static MONTHS: LazyLock<HashMap<&str, (u8, bool), RandomState>> = LazyLock::new(|| {
    let lines = include_str!("months.txt").lines().filter(|line| !line.starts_with('#'));
    let names = (1..).zip(lines).flat_map(|(month, line)| line.split(' ').map(move |name| (name, month)));
    names.map(|(name, month)| (name.trim_end_matches('?'), (month, !name.ends_with('?')))).collect()
});

/// A day, a month or a year that a question names.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Date {
    pub(crate) year: Option<i64>,
    pub(crate) month: Option<u8>,
    pub(crate) day: Option<u8>,
}

/// The dates in a text of these words, each folded and without marks, and with the number of parts of the chunk that it
/// is one of.
pub(super) fn dates<'t>(words: impl Iterator<Item = (&'t str, u32)>) -> Vec<Date> {
    let telling = words.filter(|(word, _)| !FILLERS.contains(word));
    let words: Vec<Word<'_>> = telling.map(|(word, siblings)| Word::of(word, siblings)).collect();
    let mut found: Vec<Date> = Vec::new();
    let mut at = 0;
    while at < words.len() && found.len() < MAX_DATES {
        let (date, len) = date_at(&words, at);
        if let Some(date) = date.filter(|date| !found.contains(date)) {
            found.push(date);
        }
        at += len;
    }
    found
}

/// A word as far as dates care.
#[derive(Clone, Copy)]
struct Word<'t> {
    text: &'t str,
    /// Parts of the chunk that it is one of.
    siblings: u32,
    month: Option<(u8, bool)>,
    number: Option<i64>,
}

impl<'t> Word<'t> {
    fn of(text: &'t str, siblings: u32) -> Self {
        let number = text.bytes().all(|b| b.is_ascii_digit()).then(|| text.parse().ok()).flatten();
        Word { text, siblings, month: MONTHS.get(text).copied(), number }
    }

    fn year(self) -> Option<i64> {
        self.number.filter(|year| (1900..2100).contains(year))
    }

    fn day(self) -> Option<u8> {
        self.number.and_then(|day| u8::try_from(day).ok()).filter(|day| (1..=31).contains(day))
    }
}

/// The date that begins with this word, and how many words it takes.
fn date_at(words: &[Word<'_>], at: usize) -> (Option<Date>, usize) {
    let word = |at: usize| words.get(at).copied();
    let year = |at: usize| word(at).and_then(Word::year);
    let day = |at: usize| word(at).and_then(Word::day);
    let month = |at: usize| word(at).and_then(|word| word.month);
    // 2023-05-08, 2023-05
    if let (Some(first), Some(second)) = (word(at), word(at + 1))
        && let (Some(year), Some(number)) = (first.year(), second.day().filter(|&number| number <= 12))
        && first.siblings > 1
        && second.siblings == first.siblings
    {
        let day = (first.siblings > 2).then(|| day(at + 2)).flatten();
        return (Some(Date { year: Some(year), month: Some(number), day }), if day.is_some() { 3 } else { 2 });
    }
    // 8 May 2023, 8 May
    if let (Some(day), Some((number, _))) = (day(at), month(at + 1)) {
        let year = year(at + 2);
        return (Some(Date { year, month: Some(number), day: Some(day) }), if year.is_some() { 3 } else { 2 });
    }
    // May 8 2023, May 2023, May 8, in May
    if let Some((number, is_certain)) = month(at) {
        let day = day(at + 1);
        let year = year(at + 1 + usize::from(day.is_some()));
        let is_told = || at.checked_sub(1).and_then(word).is_some_and(|before| BEFORE_MONTHS.contains(&before.text));
        let is_month = is_certain || day.is_some() || year.is_some() || is_told();
        let len = 1 + usize::from(day.is_some()) + usize::from(year.is_some());
        return (is_month.then_some(Date { year, month: Some(number), day }), if is_month { len } else { 1 });
    }
    (year(at).map(|year| Date { year: Some(year), ..Date::default() }), 1)
}
