//! Scores of memories without their context, and the boosts that depend on author, pronouns and date.

use std::collections::{HashMap, HashSet};

use foldhash::fast::RandomState;
use uuid::Uuid;

use super::searcher::{DocRef, Searcher};
use crate::index::{Field, PronounTotals, Symbol};
use crate::query::{Date, Query};
use crate::tuning::{DATE_FIT_MONTH, DATE_FIT_OTHER_DAY, DATE_FIT_YEAR, PRIOR_COUNT, Scoring};

/// The scores of the documents that match, or that were compared by meaning.
pub(super) struct BaseScores {
    /// The documents of each view, ascending.
    by_view: Vec<Vec<BaseScore>>,
    best: f64,
}

/// The score of one document.
#[derive(Clone, Copy, Debug)]
pub(super) struct BaseScore {
    pub(super) doc: u32,
    /// NaN if none was computed.
    similarity: f32,
    /// 0 for a document that was compared only.
    pub(super) score: f64,
    /// Whether the score comes from a weak similarity only.
    is_weak: bool,
}

impl BaseScore {
    /// The score of a match by words.
    pub(super) fn by_words(doc: u32, score: f64) -> Self {
        BaseScore { doc, similarity: f32::NAN, score, is_weak: false }
    }

    /// Whether the document matches by words, or by meaning strongly enough.
    pub(super) fn is_match(&self) -> bool {
        self.score > 0.0 && !self.is_weak
    }

    pub(super) fn similarity(&self) -> Option<f64> {
        (!self.similarity.is_nan()).then(|| f64::from(self.similarity))
    }

    /// Sets the cosine, and adds the score for it, if any; the second value says whether that suffices for a match.
    fn add_meaning(&mut self, cosine: f64, added: Option<(f64, bool)>) {
        self.similarity = cosine as f32;
        if let Some((score, is_match)) = added {
            self.is_weak |= self.score == 0.0 && !is_match;
            self.score += score;
        }
    }
}

impl BaseScores {
    /// The scores by words: a sorted list for each view.
    pub(super) fn new(by_view: Vec<Vec<BaseScore>>) -> Self {
        let mut base = BaseScores { by_view, best: 0.0 };
        base.update_best();
        base
    }

    /// Each view with the scores of its documents, ascending.
    pub(super) fn by_view(&self) -> impl Iterator<Item = (u32, &[BaseScore])> {
        (0..).zip(&self.by_view).map(|(view, scores)| (view, &**scores))
    }

    #[inline]
    pub(super) fn get(&self, at: DocRef) -> Option<&BaseScore> {
        let scores = &self.by_view[at.view as usize];
        // if all documents have a score, they are at their numbers
        if let Some(score) = scores.get(at.doc as usize).filter(|score| score.doc == at.doc) {
            return Some(score);
        }
        scores.binary_search_by_key(&at.doc, |score| score.doc).ok().map(|number| &scores[number])
    }

    pub(super) fn score(&self, at: DocRef) -> f64 {
        self.get(at).map_or(0.0, |score| score.score)
    }

    /// Merges the cosines of some documents of a view, ascending; `added` gives the score for a cosine.
    pub(super) fn add_meaning(
        &mut self,
        view: u32,
        cosines: &[(u32, f64)],
        added: impl Fn(f64) -> Option<(f64, bool)>,
    ) {
        let scores = &mut self.by_view[view as usize];
        let mut merged = Vec::with_capacity(cosines.len().max(scores.len()));
        let mut rest = scores.iter().copied().peekable();
        for &(doc, cosine) in cosines {
            merged.extend(std::iter::from_fn(|| rest.next_if(|score| score.doc < doc)));
            let mut score = rest.next_if(|score| score.doc == doc).unwrap_or(BaseScore::by_words(doc, 0.0));
            score.add_meaning(cosine, added(cosine));
            merged.push(score);
        }
        merged.extend(rest);
        *scores = merged;
    }

    /// The scores of the matches of a view.
    fn matches_mut(&mut self, view: usize) -> impl Iterator<Item = (u32, &mut f64)> {
        self.by_view[view].iter_mut().filter(|it| it.score > 0.0).map(|it| (it.doc, &mut it.score))
    }

    /// The best score at the time of the last [`update_best`](Self::update_best); 0 without a match.
    pub(super) fn best(&self) -> f64 {
        self.best
    }

    pub(super) fn update_best(&mut self) {
        self.best = self.by_view.iter().flatten().map(|score| score.score).fold(0.0, f64::max);
    }
}

impl<S: Copy> Searcher<'_, S> {
    /// Reduces, for a question in the first person, the scores of authors who are probably not the asker: they address
    /// others more often than they speak of themselves. For a question about what the addressee said, those who are probably
    /// the asker. Sources of one author are different speakers.
    pub(super) fn penalize_other_speakers(&self, scoring: &Scoring, query: &Query, base: &mut BaseScores) {
        let penalty = match (query.asks_addressee, query.is_first_person) {
            (true, _) => -scoring.first_person_penalty,
            (false, true) => scoring.second_person_penalty,
            (false, false) => return,
        };
        if penalty == 0.0 {
            return;
        }
        let mut stats: HashMap<(Uuid, &str), PronounTotals, RandomState> = HashMap::default();
        for view in &self.views {
            for &(source, totals) in &view.segment.pronouns {
                stats.entry((view.author, view.segment.string(source))).or_default().add(totals);
            }
            for (_, row) in view.hidden() {
                let key = (view.author, view.segment.string(row.field(Field::Source)));
                stats.entry(key).or_default().subtract(row.pronouns());
            }
        }
        for (number, view) in self.views.iter().enumerate() {
            let factor = |&(source, _): &(Symbol, PronounTotals)| {
                let stats = stats.get(&(view.author, view.segment.string(source))).copied();
                (source, speaker_factor(penalty, stats.unwrap_or_default()))
            };
            let factors: Vec<(Symbol, f64)> = view.segment.pronouns.iter().map(factor).collect();
            for (doc, score) in base.matches_mut(number) {
                let source = view.segment.row(doc).field(Field::Source);
                let found = factors.binary_search_by_key(&source, |(source, _)| *source);
                *score *= found.map_or(1.0, |at| factors[at].1);
            }
        }
    }

    /// Raises the memories of authors whom the query names, unless it names all authors.
    pub(super) fn boost_named_authors(&self, scoring: &Scoring, query: &Query, base: &mut BaseScores) {
        let is_named = |byline| query.clauses_naming(byline).into_iter().any(|clause| query.is_content(clause));
        let (named, others): (Vec<_>, Vec<_>) =
            self.views.iter().enumerate().partition(|(_, view)| is_named(view.byline));
        let named_authors: HashSet<Uuid, RandomState> = named.iter().map(|(_, view)| view.author).collect();
        if others.iter().all(|(_, view)| named_authors.contains(&view.author)) {
            return;
        }
        let boost = scoring.author_name_boost * base.best();
        for (number, _) in named {
            base.matches_mut(number).for_each(|(_, score)| *score += boost);
        }
    }

    /// Makes the memories of the days and months that the query names its matches, and those that name one of the days
    /// relative to their own. A year says too little.
    ///
    /// # Complexity
    /// O(visible memories), and the postings of expressions such as `yesterday`.
    pub(super) fn match_dates(&self, query: &Query, base: &mut BaseScores) {
        let named: Vec<&Date> = query.dates.iter().filter(|date| date.month.is_some()).collect();
        // a query by meaning only has no words
        if named.is_empty() || query.clauses.is_empty() {
            return;
        }
        for (scores, view) in base.by_view.iter_mut().zip(&self.views) {
            let said = self.said_dates(view, &query.dates);
            let compared = scores.len();
            for (doc, row) in view.visible_rows() {
                let date = calendar_date(row.day());
                // another day of the named month is no match
                let is_of_date = named.iter().any(|named| date_fit(named, date) >= DATE_FIT_MONTH);
                if !is_of_date && said.binary_search_by_key(&doc, |(doc, _)| *doc).is_err() {
                    continue;
                }
                match scores[..compared].binary_search_by_key(&doc, |score| score.doc) {
                    Ok(at) => scores[at] = BaseScore { score: 1.0, is_weak: false, ..scores[at] },
                    Err(_) => scores.push(BaseScore::by_words(doc, 1.0)),
                }
            }
            scores.sort_unstable_by_key(|score| score.doc);
        }
    }

    /// Raises the memories of dates that the query names, and those that name one of them relative to their own day.
    pub(super) fn boost_dates(&self, scoring: &Scoring, query: &Query, base: &mut BaseScores) {
        if query.dates.is_empty() || scoring.date_boost == 0.0 {
            return;
        }
        let share = scoring.date_boost * base.best();
        for (number, view) in self.views.iter().enumerate() {
            let said = self.said_dates(view, &query.dates);
            for (doc, score) in base.matches_mut(number) {
                let day = view.segment.row(doc).day();
                let fit = query.dates.iter().map(|named| date_fit_of_day(named, day)).fold(0.0, f64::max);
                let said = said.binary_search_by_key(&doc, |(doc, _)| *doc).map_or(0.0, |at| said[at].1);
                *score += share * fit.max(said);
            }
        }
    }
}

/// The factor for the scores of a speaker: 1 if words of the first person are at least as frequent as of the second; for a
/// negative penalty, if they are at most as frequent.
fn speaker_factor(penalty: f64, stats: PronounTotals) -> f64 {
    let (first, second) = (stats.first as f64, stats.second as f64);
    let first_share = (first + PRIOR_COUNT / 2.0) / (first + second + PRIOR_COUNT);
    (-(penalty * (0.5 - first_share)).max(0.0)).exp()
}

/// Year, month and day of a day, counted since 1970.
fn calendar_date(day: i64) -> (i64, u8, u8) {
    // in the 400-year cycle that begins in March, so that the leap day is the last day
    let days = day.saturating_add(719_468);
    let (era, day_of_era) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * from_march + 2) / 5 + 1;
    let month = if from_march < 10 { from_march + 3 } else { from_march - 9 };
    (year_of_era + era * 400 + i64::from(month <= 2), month as u8, day as u8)
}

/// How well a day, counted since 1970, fits a date of the query, 0 to 1.
pub(super) fn date_fit_of_day(named: &Date, day: i64) -> f64 {
    date_fit(named, calendar_date(day))
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
    use super::calendar_date;
    use crate::index::MICROSECONDS_PER_DAY;

    #[test]
    fn calendar_date_of_known_days_is_correct() {
        let date = calendar_date;
        let at = |time: i64| calendar_date(time.div_euclid(MICROSECONDS_PER_DAY));
        assert_eq!(date(0), (1970, 1, 1));
        assert_eq!(date(-1), (1969, 12, 31));
        assert_eq!(date(11_016), (2000, 2, 29));
        assert_eq!(date(19_485), (2023, 5, 8));
        assert_eq!(at(-1), (1969, 12, 31));
        assert_eq!(at(i64::MAX).0, 294_247);
        assert_eq!(at(i64::MIN).0, -290_308);
    }
}
