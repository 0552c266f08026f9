//! The days on which the visible memories were committed.

use super::searcher::Searcher;
use crate::index::MICROSECONDS_PER_DAY;

/// The days (UTC, since 1970) with a visible memory, as bits of words of 64 days.
pub(super) struct ActiveDays {
    /// Each word with its number, ascending, and the number of days in later words.
    words: Vec<(i64, u64, usize)>,
}

impl ActiveDays {
    /// The days that begin before `until`.
    pub(super) fn of<S: Copy>(searcher: &Searcher<'_, S>, until: Option<i64>) -> Self {
        let mut words: Vec<(i64, u64)> = Vec::new();
        let mut hidden: Vec<i64> = Vec::new();
        for view in &searcher.views {
            hidden.clear();
            hidden.extend(view.hidden().map(|(_, row)| row.day()));
            hidden.sort_unstable();
            let mut rest = &hidden[..];
            for (day, docs) in view.segment.newest.days() {
                let (own, later) = rest.split_at(rest.partition_point(|hidden| *hidden <= day));
                rest = later;
                let begins_before = |until| day.saturating_mul(MICROSECONDS_PER_DAY) < until;
                if own.len() < docs as usize && until.is_none_or(begins_before) {
                    add(&mut words, day);
                }
            }
        }
        words.sort_unstable_by_key(|(number, _)| *number);
        let merge = |(next, bits): &mut (i64, u64), (number, last): &mut (i64, u64)| {
            let is_same = next == number;
            *last |= if is_same { *bits } else { 0 };
            is_same
        };
        words.dedup_by(merge);
        let mut later = 0;
        let mut words: Vec<(i64, u64, usize)> = words
            .into_iter()
            .rev()
            .map(|(number, bits)| {
                let days_after = later;
                later += bits.count_ones() as usize;
                (number, bits, days_after)
            })
            .collect();
        words.reverse();
        ActiveDays { words }
    }

    /// How many of the days are after `day`.
    pub(super) fn later_than(&self, day: i64) -> usize {
        let (number, bit) = (day.div_euclid(64), day.rem_euclid(64));
        let at = self.words.partition_point(|word| word.0 < number);
        match self.words.get(at) {
            Some(&(found, bits, later)) if found == number => later + (bits >> bit >> 1).count_ones() as usize,
            Some(&(_, bits, later)) => later + bits.count_ones() as usize,
            None => 0,
        }
    }
}

/// Adds a day; days of one view are ascending, so that most share the last word.
fn add(words: &mut Vec<(i64, u64)>, day: i64) {
    let (number, bit) = (day.div_euclid(64), 1 << day.rem_euclid(64));
    match words.last_mut() {
        Some((last, bits)) if *last == number => *bits |= bit,
        _ => words.push((number, bit)),
    }
}
