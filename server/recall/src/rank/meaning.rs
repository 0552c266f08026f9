//! Scores by the similarity of embeddings.

use super::base_scores::BaseScores;
use super::fusion::agreement_factor;
use super::searcher::{Searcher, SegmentView};
use crate::index::VectorColumn;
use crate::query::Query;
use crate::tuning::{MIN_MEANING_SHARE, Scoring};
use crate::vector::{Embedding, sketch};

impl<S: Copy> Searcher<'_, S> {
    /// Raises the memories that are similar to the query, by a share of the best score by words: 1 for the nearest, 0 at
    /// the cutoff.
    ///
    /// Typical cosines depend on the model and the query, so they are compared with that of the nearest. `missing` is the
    /// factor of [`missing_words_factor`](Self::missing_words_factor).
    pub(super) fn add_meaning(&self, scoring: &Scoring, query: &Query, missing: f64, base: &mut BaseScores) {
        // without a match by words, meaning has the scale of its own weight
        let full = scoring.meaning * missing * if base.best() > 0.0 { base.best() } else { 1.0 };
        for embedding in query.meaning.iter().filter(|_| full > 0.0) {
            let by_view = self.cosines(scoring, embedding);
            let nearest =
                by_view.iter().flat_map(|(_, cosines)| cosines).map(|(_, cosine)| *cosine).fold(0.0, f64::max);
            let full = full * agreement_factor(scoring, base, &by_view);
            let cutoff = scoring.cosine_cutoff_ratio * nearest;
            let added = |cosine: f64| {
                let share = (cosine - cutoff) / (nearest - cutoff);
                let is_related = nearest >= scoring.min_cosine && cosine > cutoff;
                is_related.then_some((full * share, share >= MIN_MEANING_SHARE))
            };
            by_view.iter().for_each(|(view, cosines)| base.add_meaning(*view, cosines, added));
        }
    }

    /// The cosine of each visible document with a vector on the shortlist, by view: that of its nearest chunk.
    fn cosines(&self, scoring: &Scoring, query: &Embedding) -> Vec<(u32, Vec<(u32, f64)>)> {
        let mut by_view = Vec::new();
        let shortlist = Shortlist::of(self, scoring, query);
        let mut first = 0;
        for (view_number, view, column) in self.comparable(query) {
            let mut cosines: Vec<(u32, f64)> = Vec::new();
            for (number, doc) in column.docs().enumerate() {
                if !shortlist.contains(first + number) || !view.is_visible(doc) {
                    continue;
                }
                let cosine = column.cosine(number, query);
                match cosines.last_mut() {
                    Some((last, nearest)) if *last == doc => *nearest = nearest.max(cosine),
                    _ => cosines.push((doc, cosine)),
                }
            }
            first += column.len();
            by_view.push((view_number, cosines));
        }
        by_view
    }

    /// The vectors that are comparable with the query, in a fixed order, invisible documents included.
    fn comparable(&self, query: &Embedding) -> impl Iterator<Item = (u32, &SegmentView<'_, S>, &VectorColumn)> {
        (0..).zip(&self.views).flat_map(move |(number, view)| {
            let columns = view.segment.vectors.iter().filter(|column| column.is_comparable(query));
            columns.map(move |column| (number, view, column))
        })
    }
}

/// The vectors that are compared exactly: those with the nearest sketches, or all if they are few.
///
/// Depends on the visible vectors only: not on hidden ones, and not on the distribution over segments.
struct Shortlist {
    /// The distance of each sketch, in the order of [`Searcher::comparable`]; empty if all vectors are compared.
    distances: Vec<u16>,
    /// Maximum distance.
    radius: u16,
}

impl Shortlist {
    fn of<S: Copy>(searcher: &Searcher<'_, S>, scoring: &Scoring, query: &Embedding) -> Self {
        let mut list = Shortlist { distances: Vec::new(), radius: u16::MAX };
        let visible = |(_, view, column): (u32, &SegmentView<'_, S>, &VectorColumn)| match view.is_all_visible() {
            true => column.len(),
            false => column.docs().filter(|doc| view.is_visible(*doc)).count(),
        };
        if searcher.comparable(query).map(visible).sum::<usize>() <= scoring.exact_vectors {
            return list;
        }
        let sketch: Vec<u64> = sketch(query.vector.values()).collect();
        // visible vectors by distance
        let mut counts = vec![0; query.vector.dimensions() + 1];
        for (_, view, column) in searcher.comparable(query) {
            let start = list.distances.len();
            list.distances.extend(column.distances(&sketch));
            let visible = list.distances[start..].iter().zip(column.docs()).filter(|(_, doc)| view.is_visible(*doc));
            visible.for_each(|(distance, _)| counts[usize::from(*distance)] += 1);
        }
        // all vectors at the last distance are included, so that no order among equals matters
        let mut within = 0;
        let is_enough = |count: &usize| {
            within += count;
            within >= scoring.shortlist
        };
        list.radius = counts.iter().position(is_enough).map_or(u16::MAX, |distance| distance as u16);
        list
    }

    /// Whether the list contains a vector, by its number in the order of [`Searcher::comparable`].
    fn contains(&self, number: usize) -> bool {
        self.distances.get(number).is_none_or(|distance| *distance <= self.radius)
    }
}
