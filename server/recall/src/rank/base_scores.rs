//! Scores of memories without their context, and the boosts that depend on author, pronouns and date.

use std::collections::{HashMap, HashSet};

use foldhash::fast::RandomState;
use uuid::Uuid;

use super::searcher::Searcher;
use crate::index::{Field, MICROSECONDS_PER_DAY, PronounStats, Symbol};
use crate::query::{Date, Query};
use crate::tuning::{DATE_FIT_MONTH, DATE_FIT_OTHER_DAY, DATE_FIT_YEAR, PRIOR_COUNT, Scoring};

/// The scores of all documents of all views, by slot.
pub(super) struct BaseScores {
    scores: Vec<f64>,
    /// Documents whose score comes from a weak similarity only; empty if there are none.
    is_weak: Vec<bool>,
    /// Cosines, NaN where none was computed; empty if none was.
    similarities: Vec<f32>,
    best: f64,
}

impl BaseScores {
    pub(super) fn new(slots: usize) -> Self {
        BaseScores { scores: vec![0.0; slots], is_weak: Vec::new(), similarities: Vec::new(), best: 0.0 }
    }

    pub(super) fn score(&self, slot: usize) -> f64 {
        self.scores[slot]
    }

    pub(super) fn score_mut(&mut self, slot: usize) -> &mut f64 {
        &mut self.scores[slot]
    }

    /// Whether the document matches by words, or by meaning strongly enough.
    pub(super) fn is_match(&self, slot: usize) -> bool {
        self.scores[slot] > 0.0 && !self.is_weak.get(slot).is_some_and(|is_weak| *is_weak)
    }

    pub(super) fn similarity(&self, slot: usize) -> Option<f64> {
        self.similarities.get(slot).filter(|cosine| !cosine.is_nan()).map(|cosine| f64::from(*cosine))
    }

    pub(super) fn set_similarity(&mut self, slot: usize, cosine: f64) {
        self.similarities.resize(self.scores.len(), f32::NAN);
        self.similarities[slot] = cosine as f32;
    }

    /// Adds the score for meaning; `is_match` says whether it suffices for a match without words.
    pub(super) fn add_meaning(&mut self, slot: usize, score: f64, is_match: bool) {
        if self.scores[slot] == 0.0 && !is_match {
            self.is_weak.resize(self.scores.len(), false);
            self.is_weak[slot] = true;
        }
        self.scores[slot] += score;
    }

    /// Adds to the score of a document that has one.
    fn boost(&mut self, slot: usize, score: f64) {
        if self.scores[slot] > 0.0 {
            self.scores[slot] += score;
        }
    }

    /// The best score at the time of the last [`update_best`](Self::update_best); 0 without a match.
    pub(super) fn best(&self) -> f64 {
        self.best
    }

    pub(super) fn update_best(&mut self) {
        self.best = self.scores.iter().copied().fold(0.0, f64::max);
    }
}

impl<S: Copy> Searcher<'_, S> {
    /// Reduces, for a question in the first person, the scores of authors who are probably not the asker: they address
    /// others more often than they speak of themselves. Sources of one author are different speakers.
    pub(super) fn penalize_other_speakers(&self, scoring: &Scoring, query: &Query, base: &mut BaseScores) {
        if !query.is_first_person || scoring.second_person_penalty == 0.0 {
            return;
        }
        let mut stats: HashMap<(Uuid, &str), PronounStats, RandomState> = HashMap::default();
        for view in &self.views {
            let mut add = |source: Symbol, pronouns: PronounStats| {
                stats.entry((view.author, view.segment.string(source))).or_default().add(pronouns);
            };
            match view.is_all_visible() {
                true => view.segment.pronouns.iter().for_each(|&(source, pronouns)| add(source, pronouns)),
                false => view.visible_rows().for_each(|(_, row)| add(row.field(Field::Source), row.pronouns)),
            }
        }
        for view in &self.views {
            let factor = |&(source, _): &(Symbol, PronounStats)| {
                let stats = stats.get(&(view.author, view.segment.string(source))).copied();
                (source, speaker_factor(scoring, stats.unwrap_or_default()))
            };
            let factors: Vec<(Symbol, f64)> = view.segment.pronouns.iter().map(factor).collect();
            for (doc, row) in view.segment.rows() {
                let score = base.score_mut(view.slot(doc));
                if *score > 0.0 {
                    let found = factors.binary_search_by_key(&row.field(Field::Source), |(source, _)| *source);
                    *score *= found.map_or(1.0, |at| factors[at].1);
                }
            }
        }
    }

    /// Raises the memories of authors whom the query names, unless it names all authors.
    pub(super) fn boost_named_authors(&self, scoring: &Scoring, query: &Query, base: &mut BaseScores) {
        let is_named = |byline| query.clauses_naming(byline).into_iter().any(|clause| query.is_content(clause));
        let (named, others): (Vec<_>, Vec<_>) = self.views.iter().partition(|view| is_named(view.byline));
        let named_authors: HashSet<Uuid, RandomState> = named.iter().map(|view| view.author).collect();
        if others.iter().all(|view| named_authors.contains(&view.author)) {
            return;
        }
        let boost = scoring.author_name_boost * base.best();
        for view in named {
            (0..view.segment.len()).for_each(|doc| base.boost(view.slot(doc), boost));
        }
    }

    /// Raises the memories of dates that the query names.
    pub(super) fn boost_dates(&self, scoring: &Scoring, query: &Query, base: &mut BaseScores) {
        if query.dates.is_empty() || scoring.date_boost == 0.0 {
            return;
        }
        let share = scoring.date_boost * base.best();
        for view in &self.views {
            for (doc, row) in view.segment.rows() {
                let slot = view.slot(doc);
                if base.score(slot) > 0.0 {
                    let date = calendar_date(row.created_at);
                    let fit = query.dates.iter().map(|named| date_fit(named, date)).fold(0.0, f64::max);
                    base.boost(slot, share * fit);
                }
            }
        }
    }
}

/// The factor for the scores of a speaker: 1 if words of the first person are at least as frequent as of the second.
fn speaker_factor(scoring: &Scoring, stats: PronounStats) -> f64 {
    let (first, second) = (f64::from(stats.first), f64::from(stats.second));
    let first_share = (first + PRIOR_COUNT / 2.0) / (first + second + PRIOR_COUNT);
    (-scoring.second_person_penalty * (0.5 - first_share).max(0.0)).exp()
}

/// Year, month and day of a time in µs since 1970, UTC.
fn calendar_date(time: i64) -> (i64, u8, u8) {
    // in the 400-year cycle that begins in March, so that the leap day is the last day
    let days = time.div_euclid(MICROSECONDS_PER_DAY) + 719_468;
    let (era, day_of_era) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * from_march + 2) / 5 + 1;
    let month = if from_march < 10 { from_march + 3 } else { from_march - 9 };
    (year_of_era + era * 400 + i64::from(month <= 2), month as u8, day as u8)
}

/// How well a day fits a date of the query, 0 to 1.
fn date_fit(named: &Date, (year, month, day): (i64, u8, u8)) -> f64 {
    if named.year.is_some_and(|named| named != year) || named.month.is_some_and(|named| named != month) {
        return 0.0;
    }
    match (named.month, named.day) {
        (None, _) => DATE_FIT_YEAR,
        (Some(_), None) => DATE_FIT_MONTH,
        (Some(_), Some(named)) if named == day => 1.0,
        (Some(_), Some(_)) => DATE_FIT_OTHER_DAY,
    }
}

#[cfg(test)]
mod tests {
    use super::{MICROSECONDS_PER_DAY, calendar_date};

    #[test]
    fn calendar_date_of_known_days_is_correct() {
        let date = |days: i64| calendar_date(days * MICROSECONDS_PER_DAY);
        assert_eq!(date(0), (1970, 1, 1));
        assert_eq!(date(-1), (1969, 12, 31));
        assert_eq!(date(11_016), (2000, 2, 29));
        assert_eq!(date(19_485), (2023, 5, 8));
        assert_eq!(calendar_date(-1), (1969, 12, 31));
        assert_eq!(calendar_date(i64::MAX).0, 294_247);
        assert_eq!(calendar_date(i64::MIN).0, -290_308);
    }
}
