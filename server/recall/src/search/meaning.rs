//! What memories have in common with a query besides words.

use super::own::Own;
use super::scoring::Scoring;
use super::shelves::Shelves;
use super::shortlist::Shortlist;
use crate::query::Query;
use crate::vector::Embedding;

/// Share of the nearest from which on a memory is found by what it means alone; below, it only stands near to a match.
const NEAR: f64 = 0.5;

impl<S: Copy> Shelves<'_, S> {
    /// How near each memory with a vector on the shortlist is to what is asked: as near as its nearest part is.
    fn cosines(&self, scoring: &Scoring, asked: &Embedding) -> Vec<(usize, f64)> {
        let mut cosines: Vec<(usize, f64)> = Vec::new();
        let shortlist = Shortlist::of(self, scoring, asked);
        let mut first = 0;
        for (view, vectors) in self.comparable(asked) {
            for (number, &doc) in vectors.docs().iter().enumerate() {
                if !shortlist.has(first + number) || !view.shows(doc) {
                    continue;
                }
                let (place, cosine) = (view.place(doc), vectors.cosine(number, asked));
                match cosines.last_mut() {
                    Some((last, nearest)) if *last == place => *nearest = nearest.max(cosine),
                    _ => cosines.push((place, cosine)),
                }
            }
            first += vectors.docs().len();
        }
        cosines
    }

    /// Raises what means something like the query, by a share of the best score by words: the full one for what is
    /// nearest, none for what is not near.
    ///
    /// How near is near depends on the model and on the query, so it is measured by what is nearest.
    pub(super) fn add_meaning(&self, scoring: &Scoring, query: &Query, own: &mut Own) {
        // where no word matches, what is meant stands for itself
        let full = scoring.meaning * if own.best() > 0.0 { own.best() } else { 1.0 };
        for asked in query.meaning.iter().filter(|_| full > 0.0) {
            let cosines = self.cosines(scoring, asked);
            cosines.iter().for_each(|&(place, cosine)| own.resemble(place, cosine));
            let nearest = cosines.iter().map(|(_, cosine)| *cosine).fold(0.0, f64::max);
            if nearest < scoring.near {
                continue;
            }
            let far = scoring.far * nearest;
            for (place, cosine) in cosines.into_iter().filter(|(_, cosine)| *cosine > far) {
                let share = (cosine - far) / (nearest - far);
                own.mean(place, full * share, share >= NEAR);
            }
        }
    }
}
