//! What each memory scores by itself.

/// The scores of all docs of all views, by place.
pub(super) struct Own {
    scores: Vec<f64>,
    best: f64,
}

impl Own {
    pub(super) fn new(docs: usize) -> Self {
        Own { scores: vec![0.0; docs], best: 0.0 }
    }

    pub(super) fn of(&self, place: usize) -> f64 {
        self.scores[place]
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

    /// Measures the best; what is raised later does not change it.
    pub(super) fn settle(&mut self) {
        self.best = self.scores.iter().copied().fold(0.0, f64::max);
    }

    /// The best score by words alone; 0 when nothing matches.
    pub(super) fn best(&self) -> f64 {
        self.best
    }
}
