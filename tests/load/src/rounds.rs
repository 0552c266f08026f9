//! Alternate measurements, so that other load on the machine affects both sides.

use std::time::Instant;

use serde::Serialize;

use crate::error::Outcome;

/// Median and range of several measurements.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(crate) struct Spread {
    pub(crate) median: f64,
    pub(crate) min: f64,
    pub(crate) max: f64,
}

impl Spread {
    /// `values` has at least one value.
    pub(crate) fn of(values: impl IntoIterator<Item = f64>) -> Self {
        let mut values: Vec<f64> = values.into_iter().collect();
        values.sort_by(f64::total_cmp);
        let at = |index: usize| values.get(index).copied().unwrap_or(f64::NAN);
        let last = values.len().saturating_sub(1);
        Self { median: (at(last / 2) + at(last.div_ceil(2))) / 2.0, min: at(0), max: at(last) }
    }

    pub(crate) fn once(value: f64) -> Self {
        Self { median: value, min: value, max: value }
    }
}

/// Measurements of orgmem and the limit, by round.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pairs(Vec<(f64, f64)>);

impl Pairs {
    /// Measures both `rounds` times; the order alternates.
    pub(crate) fn measure(
        rounds: usize,
        mut ours: impl FnMut() -> Outcome<f64>,
        mut limit: impl FnMut() -> Outcome<f64>,
    ) -> Outcome<Self> {
        let mut pairs = Vec::with_capacity(rounds);
        for round in 0..rounds {
            pairs.push(if round % 2 == 0 {
                let ours = ours()?;
                (ours, limit()?)
            } else {
                let limit = limit()?;
                (ours()?, limit)
            });
        }
        Ok(Self(pairs))
    }

    pub(crate) fn ours(&self) -> Spread {
        Spread::of(self.0.iter().map(|&(ours, _)| ours))
    }

    pub(crate) fn limit(&self) -> Spread {
        Spread::of(self.0.iter().map(|&(_, limit)| limit))
    }

    /// The ratios within each round.
    pub(crate) fn ratio(&self) -> Spread {
        Spread::of(self.0.iter().map(|&(ours, limit)| ours / limit))
    }
}

/// The mean time of `count` steps, in nanoseconds.
pub(crate) fn nanoseconds_each(count: usize, all: impl FnOnce()) -> f64 {
    let begin = Instant::now();
    all();
    begin.elapsed().as_secs_f64() * 1e9 / count as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spread_has_median_minimum_and_maximum() {
        assert_eq!(Spread::of([3.0, 1.0, 2.0]), Spread { median: 2.0, min: 1.0, max: 3.0 });
        assert_eq!(Spread::of([4.0, 1.0, 2.0, 3.0]).median, 2.5);
    }

    #[test]
    fn ratio_compares_values_of_the_same_round() {
        let mut ours = [10.0, 40.0].into_iter();
        let mut limits = [5.0, 10.0].into_iter();
        let next = |values: &mut dyn Iterator<Item = f64>| values.next().ok_or("one value for each round".into());
        let pairs = Pairs::measure(2, || next(&mut ours), || next(&mut limits)).expect("no measurement fails");
        assert_eq!(pairs.ratio(), Spread { median: 3.0, min: 2.0, max: 4.0 });
    }
}
