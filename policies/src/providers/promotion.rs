//! Promotion: a provider answers the reads of a surface if its figures permit it.

use std::fmt;
use std::str::FromStr;

/// The state of a provider on one surface.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum SurfaceState {
    /// It is compared, and answers nothing.
    #[default]
    Shadow,
    /// Reads come from it, and from the built-in provider if it fails.
    Promoted,
    /// It returned an id that a reader may not see. It gets nothing of the surface any more.
    Disqualified,
}

/// Invalid name of a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown state; use `shadow`, `promoted` or `disqualified`")]
pub struct UnknownSurfaceState;

impl SurfaceState {
    /// All states.
    pub const ALL: [Self; 3] = [Self::Shadow, Self::Promoted, Self::Disqualified];

    /// The name in storage and JSON.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Shadow => "shadow",
            Self::Promoted => "promoted",
            Self::Disqualified => "disqualified",
        }
    }
}

impl fmt::Display for SurfaceState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for SurfaceState {
    type Err = UnknownSurfaceState;

    fn from_str(text: &str) -> Result<Self, UnknownSurfaceState> {
        Self::ALL.into_iter().find(|state| state.as_str() == text).ok_or(UnknownSurfaceState)
    }
}

/// What was observed of a provider on one surface.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Figures {
    /// Calls of the provider.
    pub calls: i64,
    /// Calls without a usable response.
    pub errors: i64,
    /// Calls that the provider refused, which are among the errors.
    pub refusals: i64,
    /// Queries whose rankings were compared.
    pub samples: i64,
    /// The sum of the overlaps of the samples.
    pub overlap_sum: f64,
    /// The sum of the rank agreements of the samples.
    pub rank_sum: f64,
    /// Ids of the built-in rankings that the provider did not return.
    pub misses: i64,
    /// Ids of the provider that were not shown, for they were removed or excluded since.
    pub withheld: i64,
    /// The sum of the latencies of the calls, in microseconds.
    pub latency_sum: i64,
    /// The largest latency of a call, in microseconds.
    pub latency_max: i64,
}

impl Figures {
    /// The figures of both.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self {
            calls: self.calls.saturating_add(other.calls),
            errors: self.errors.saturating_add(other.errors),
            refusals: self.refusals.saturating_add(other.refusals),
            samples: self.samples.saturating_add(other.samples),
            overlap_sum: self.overlap_sum + other.overlap_sum,
            rank_sum: self.rank_sum + other.rank_sum,
            misses: self.misses.saturating_add(other.misses),
            withheld: self.withheld.saturating_add(other.withheld),
            latency_sum: self.latency_sum.saturating_add(other.latency_sum),
            latency_max: self.latency_max.max(other.latency_max),
        }
    }

    /// The mean overlap of the first results, from 0 to 1; 0 without samples.
    #[must_use]
    pub fn overlap(&self) -> f64 {
        mean(self.overlap_sum, self.samples)
    }

    /// The mean rank agreement, from 0 to 1; 0 without samples.
    #[must_use]
    pub fn rank_agreement(&self) -> f64 {
        mean(self.rank_sum, self.samples)
    }

    /// The lower one of the two: neither can make up for the other.
    #[must_use]
    pub fn agreement(&self) -> f64 {
        self.overlap().min(self.rank_agreement())
    }

    /// The mean latency of a call in microseconds; 0 without calls.
    #[must_use]
    pub fn latency_mean(&self) -> f64 {
        mean(number(self.latency_sum), self.calls)
    }

    /// The largest latency of a call in microseconds.
    #[must_use]
    pub fn latency_largest(&self) -> f64 {
        number(self.latency_max)
    }

    /// The part of the calls without a usable response, from 0 to 1; 0 without calls.
    #[must_use]
    pub fn error_rate(&self) -> f64 {
        mean(number(self.errors), self.calls)
    }
}

/// What the settings require of a promotion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Thresholds {
    /// The least number of samples.
    pub min_samples: i64,
    /// The least [`agreement`](Figures::agreement).
    pub min_agreement: f64,
    /// The largest [`error_rate`](Figures::error_rate).
    pub max_error_rate: f64,
}

/// Why a promotion is refused, with the figures.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum PromotionRefusal {
    /// After a disqualification.
    #[error(
        "it returned an id that a reader may not see, and is disqualified; a repaired engine begins under a new name"
    )]
    Disqualified,
    /// Too few samples.
    #[error("{samples} of at least {required} queries were compared")]
    Samples {
        /// The compared queries.
        samples: i64,
        /// The required number.
        required: i64,
    },
    /// Too little agreement.
    #[error("its agreement with the built-in provider is {agreement:.3} and must be at least {required:.3}")]
    Agreement {
        /// The agreement.
        agreement: f64,
        /// The required one.
        required: f64,
    },
    /// Too many errors.
    #[error("{error_rate:.3} of its calls fail, and at most {allowed:.3} may")]
    Errors {
        /// The error rate.
        error_rate: f64,
        /// The largest permitted one.
        allowed: f64,
    },
}

/// Checks whether a provider may answer the reads of a surface.
///
/// # Errors
/// The first [`PromotionRefusal`] that applies.
pub fn check_promotion(
    state: SurfaceState,
    figures: &Figures,
    thresholds: &Thresholds,
) -> Result<(), PromotionRefusal> {
    let Thresholds { min_samples, min_agreement, max_error_rate } = *thresholds;
    if state == SurfaceState::Disqualified {
        return Err(PromotionRefusal::Disqualified);
    }
    if figures.samples < min_samples {
        return Err(PromotionRefusal::Samples { samples: figures.samples, required: min_samples });
    }
    let agreement = figures.agreement();
    if agreement.is_nan() || agreement < min_agreement {
        return Err(PromotionRefusal::Agreement { agreement, required: min_agreement });
    }
    let error_rate = figures.error_rate();
    if error_rate.is_nan() || error_rate > max_error_rate {
        return Err(PromotionRefusal::Errors { error_rate, allowed: max_error_rate });
    }
    Ok(())
}

fn mean(sum: f64, count: i64) -> f64 {
    if count > 0 { sum / number(count) } else { 0.0 }
}

/// Figures are far below 2⁵³.
fn number(count: i64) -> f64 {
    count as f64
}
