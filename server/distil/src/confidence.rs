//! How far a fact can be trusted, as a sum of parts that a person can check.

use serde::{Deserialize, Serialize};

/// The upper limit of every confidence: a count is evidence, and no proof.
pub const MAX_CONFIDENCE: f64 = 0.95;

/// The weights of a definition, each from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct Weights {
    /// The confidence before any evidence.
    pub baseline: f64,
    /// What many rows add at most.
    pub count_weight: f64,
    /// What the highest mean severity adds.
    pub severity_weight: f64,
}

impl Default for Weights {
    fn default() -> Self {
        Self { baseline: 0.3, count_weight: 0.5, severity_weight: 0.2 }
    }
}

/// A confidence and its parts, each with four decimals.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Confidence {
    /// The baseline of the definition.
    pub baseline: f64,
    /// `count_weight · (1 − 1/√n)`.
    pub count: f64,
    /// `severity_weight · mean severity`.
    pub severity: f64,
    /// The sum, at most [`MAX_CONFIDENCE`].
    pub total: f64,
}

impl Weights {
    /// The confidence from `count` rows, at least 1, with a mean severity from 0 to 1.
    ///
    /// ```
    /// use orgmem_distil::Weights;
    ///
    /// let four = Weights::default().confidence(4, 0.5);
    /// assert_eq!((four.count, four.severity, four.total), (0.25, 0.1, 0.65));
    /// ```
    #[must_use]
    pub fn confidence(&self, count: u64, mean_severity: f64) -> Confidence {
        let by_count = self.count_weight * (1.0 - 1.0 / (count.max(1) as f64).sqrt());
        let by_severity = self.severity_weight * mean_severity;
        let total = (self.baseline + by_count + by_severity).min(MAX_CONFIDENCE);
        Confidence {
            baseline: rounded(self.baseline),
            count: rounded(by_count),
            severity: rounded(by_severity),
            total: rounded(total),
        }
    }
}

/// With four decimals.
pub(crate) fn rounded(value: f64) -> f64 {
    (value * 10_000.0).round() / 10_000.0
}
