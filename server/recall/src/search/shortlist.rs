//! Which vectors are worth comparing with what is asked, where there are very many.

use super::scoring::Scoring;
use super::shelves::{Shelves, View};
use crate::segment::Vectors;
use crate::vector::{Embedding, Sketch};

/// The vectors that are near at a glance; all of them, where they are few enough to look at each.
///
/// Depends on the vectors that are there and on nothing else: neither on what is hidden, nor on how they are spread over
/// packs.
pub(super) struct Shortlist {
    /// How far the sketch of each vector is from that of what is asked, in the order of [`Shelves::comparable`]; empty
    /// where all are compared.
    distances: Vec<u16>,
    /// The greatest distance that is near.
    radius: u16,
}

impl Shortlist {
    pub(super) fn of<S: Copy>(shelves: &Shelves<'_, S>, scoring: &Scoring, asked: &Embedding) -> Self {
        let mut list = Shortlist { distances: Vec::new(), radius: u16::MAX };
        if shelves.comparable_count(asked) <= scoring.exact_vectors {
            return list;
        }
        let sketch = Sketch::of(&asked.vector);
        // a place for each distance there can be
        let mut counts = vec![0; asked.vector.dimensions() + 1];
        for (view, vectors) in shelves.comparable(asked) {
            let start = list.distances.len();
            list.distances.extend(vectors.distances(&sketch));
            let those_there = list.distances[start..].iter().zip(vectors.docs()).filter(|(_, doc)| view.shows(**doc));
            those_there.for_each(|(distance, _)| counts[usize::from(*distance)] += 1);
        }
        // whoever is as far as the last one is in as well, so that no order among equals decides
        let mut within = 0;
        let is_enough = |count: &usize| {
            within += count;
            within >= scoring.shortlist
        };
        list.radius = counts.iter().position(is_enough).map_or(u16::MAX, |distance| distance as u16);
        list
    }

    /// Whether a vector is on it, by its number in the order of [`Shelves::comparable`].
    pub(super) fn has(&self, number: usize) -> bool {
        self.distances.get(number).is_none_or(|distance| *distance <= self.radius)
    }
}

impl<S: Copy> Shelves<'_, S> {
    /// The vectors that are of the space of what is asked, those of docs that are not there included, in an order that is
    /// always the same.
    pub(super) fn comparable(&self, asked: &Embedding) -> impl Iterator<Item = (&View<'_, S>, &Vectors)> {
        self.views.iter().flat_map(move |view| {
            let of_space = view.pack.vectors.iter().filter(|vectors| vectors.are_comparable(asked));
            of_space.map(move |vectors| (view, vectors))
        })
    }

    /// How many of them are there.
    fn comparable_count(&self, asked: &Embedding) -> usize {
        let there = |(view, vectors): (&View<'_, S>, &Vectors)| match view.shows_all() {
            true => vectors.docs().len(),
            false => vectors.docs().iter().filter(|doc| view.shows(**doc)).count(),
        };
        self.comparable(asked).map(there).sum()
    }
}
