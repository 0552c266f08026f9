//! What raises or holds back a memory for what it is, not for what it says.

use std::collections::{HashMap, HashSet};

use foldhash::fast::RandomState;
use uuid::Uuid;

use super::names::Names;
use super::own::Own;
use super::scoring::Scoring;
use super::shelves::{Shelves, View};
use crate::query::{Date, Query};
use crate::segment::{Symbol, Voice};

/// Words of the first and second person that a voice is taken to have had before any was heard.
const UNHEARD: f64 = 10.0;

impl<S: Copy> Shelves<'_, S> {
    /// Holds back those who are not the asker of a question in the first person.
    ///
    /// Whoever speaks of himself may be the one who asks; whoever addresses others more than that is not. Voices are
    /// told apart by author and source.
    pub(super) fn weigh_voices(&self, scoring: &Scoring, query: &Query, own: &mut Own) {
        if !query.is_first_person || scoring.voice == 0.0 {
            return;
        }
        let mut voices: HashMap<(Uuid, &str), Voice, RandomState> = HashMap::default();
        for view in &self.views {
            for (source, voice) in voices_of(view) {
                *voices.entry((view.author, view.pack.string(source))).or_default() += voice;
            }
        }
        for view in &self.views {
            let mut known: Vec<(Symbol, f64)> = Vec::new();
            for (doc, row) in view.pack.rows() {
                let score = own.of_mut(view.place(doc));
                if *score > 0.0 {
                    let factor = known.iter().find(|(source, _)| *source == row.source).map(|(_, factor)| *factor);
                    *score *= factor.unwrap_or_else(|| {
                        let voice = voices.get(&(view.author, view.pack.string(row.source))).copied();
                        let factor = held_back(scoring, voice.unwrap_or_default());
                        known.push((row.source, factor));
                        factor
                    });
                }
            }
        }
    }

    /// Raises what is by an author whom the query names, unless it names all of them.
    pub(super) fn raise_named(&self, scoring: &Scoring, query: &Query, names: &Names<'_>, own: &mut Own) {
        let is_named = |view: &View<'_, S>| names.naming(view.byline).iter().any(|&unit| query.is_content(unit));
        let named: Vec<bool> = self.views.iter().map(is_named).collect();
        let authors_of = |views: &mut dyn Iterator<Item = &View<'_, S>>| -> HashSet<Uuid, RandomState> {
            views.map(|view| view.author).collect()
        };
        let all = authors_of(&mut self.views.iter());
        let those = authors_of(&mut self.views.iter().zip(&named).filter(|(_, named)| **named).map(|(view, _)| view));
        if those.len() == all.len() {
            return;
        }
        let share = scoring.named * own.best();
        for (view, _) in self.views.iter().zip(named).filter(|(_, named)| *named) {
            (0..view.pack.len()).for_each(|doc| own.raise(view.place(doc), share));
        }
    }

    /// Raises what was made when the query says.
    pub(super) fn raise_dated(&self, scoring: &Scoring, query: &Query, own: &mut Own) {
        if query.dates.is_empty() || scoring.dates == 0.0 {
            return;
        }
        let share = scoring.dates * own.best();
        for view in &self.views {
            for (doc, row) in view.pack.rows() {
                let place = view.place(doc);
                if own.of(place) > 0.0 {
                    let date = civil(row.created_at);
                    let best = query.dates.iter().map(|asked| agreement(asked, date)).fold(0.0, f64::max);
                    own.raise(place, share * best);
                }
            }
        }
    }
}

/// How the docs of a view that are there speak, by source.
fn voices_of<S>(view: &View<'_, S>) -> Vec<(Symbol, Voice)> {
    if view.shows_all() {
        return view.pack.voices().to_vec();
    }
    let shown = view.pack.rows().filter(|(doc, _)| view.shows(*doc));
    shown.map(|(_, row)| (row.source, row.voice)).collect()
}

/// What is left of the score of whoever has this voice: 1 when he speaks of himself at least as often as to others.
fn held_back(scoring: &Scoring, voice: Voice) -> f64 {
    let (first, second) = (f64::from(voice.first), f64::from(voice.second));
    let of_himself = (first + UNHEARD / 2.0) / (first + second + UNHEARD);
    (-scoring.voice * (0.5 - of_himself).max(0.0)).exp()
}

/// Year, month and day of a time in µs since 1970, UTC.
fn civil(time: i64) -> (i64, u8, u8) {
    // by the calendar of 400 years that begin in March, so that the leap day is the last
    let days = time.div_euclid(86_400_000_000) + 719_468;
    let (era, day_of_era) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * from_march + 2) / 5 + 1;
    let month = if from_march < 10 { from_march + 3 } else { from_march - 9 };
    (year_of_era + era * 400 + i64::from(month <= 2), month as u8, day as u8)
}

/// How well a day agrees with what was asked, 0 to 1. A question may well be a day off, less often a month.
fn agreement(asked: &Date, (year, month, day): (i64, u8, u8)) -> f64 {
    let differs = |asked: Option<i64>, is: i64| asked.is_some_and(|asked| asked != is);
    if differs(asked.year, year) || differs(asked.month.map(i64::from), month.into()) {
        return 0.0;
    }
    match (asked.month, asked.day) {
        (None, _) => 0.2,
        (Some(_), None) => 0.7,
        (Some(_), Some(asked)) if asked == day => 1.0,
        (Some(_), Some(_)) => 0.4,
    }
}

#[cfg(test)]
mod tests {
    use super::civil;

    #[test]
    fn days_are_those_of_the_calendar() {
        let day = |days: i64| civil(days * 86_400_000_000);
        assert_eq!(day(0), (1970, 1, 1));
        assert_eq!(day(-1), (1969, 12, 31));
        assert_eq!(day(11_016), (2000, 2, 29));
        assert_eq!(day(19_485), (2023, 5, 8));
        assert_eq!(civil(-1), (1969, 12, 31));
        assert_eq!(civil(i64::MAX).0, 294_247);
        assert_eq!(civil(i64::MIN).0, -290_308);
    }
}
