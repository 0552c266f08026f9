//! What each memory scores by itself.

/// The scores of all docs of all views, by place.
pub(super) struct Own {
    scores: Vec<f64>,
    /// Those that have a score for little of what they mean; empty while there is none.
    faint: Vec<bool>,
    /// How near each is to what the query means, where that was looked at; empty while nothing was.
    similarities: Vec<f32>,
    best: f64,
}

impl Own {
    pub(super) fn new(docs: usize) -> Self {
        Own { scores: vec![0.0; docs], faint: Vec::new(), similarities: Vec::new(), best: 0.0 }
    }

    pub(super) fn of(&self, place: usize) -> f64 {
        self.scores[place]
    }

    /// Whether it is found by itself: for its words, or for what it means.
    pub(super) fn is_match(&self, place: usize) -> bool {
        self.scores[place] > 0.0 && !self.faint.get(place).is_some_and(|faint| *faint)
    }

    /// The cosine of what it means and what the query means.
    pub(super) fn similarity(&self, place: usize) -> Option<f64> {
        self.similarities.get(place).filter(|cosine| !cosine.is_nan()).map(|cosine| f64::from(*cosine))
    }

    pub(super) fn resemble(&mut self, place: usize, cosine: f64) {
        self.similarities.resize(self.scores.len(), f32::NAN);
        self.similarities[place] = cosine as f32;
    }

    pub(super) fn of_mut(&mut self, place: usize) -> &mut f64 {
        &mut self.scores[place]
    }

    /// Adds to the score of what matches.
    pub(super) fn raise(&mut self, place: usize, by: f64) {
        if self.scores[place] > 0.0 {
            self.scores[place] += by;
        }
    }

    /// Adds what a doc counts for what it means, and says whether that alone is enough to be found for.
    pub(super) fn mean(&mut self, place: usize, by: f64, is_enough: bool) {
        if self.scores[place] == 0.0 && !is_enough {
            self.faint.resize(self.scores.len(), false);
            self.faint[place] = true;
        }
        self.scores[place] += by;
    }

    /// Measures the best; what is raised later does not change it.
    pub(super) fn settle(&mut self) {
        self.best = self.scores.iter().copied().fold(0.0, f64::max);
    }

    /// The best score by words and meaning alone; 0 when nothing matches.
    pub(super) fn best(&self) -> f64 {
        self.best
    }
}
