//! A measured figure, its limit and its aim.

use std::fmt;

use serde::Serialize;

use crate::rounds::{Pairs, Spread};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Unit {
    Nanoseconds,
    Microseconds,
    Milliseconds,
    PerSecond,
    Megabytes,
    Count,
    Times,
}

impl Unit {
    const fn symbol(self) -> &'static str {
        match self {
            Self::Nanoseconds => "ns",
            Self::Microseconds => "µs",
            Self::Milliseconds => "ms",
            Self::PerSecond => "/s",
            Self::Megabytes => "MB",
            Self::Count => "",
            Self::Times => "×",
        }
    }
}

/// The aim of the ratio, or of the measurement where there is no limit.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Aim {
    AtMost(f64),
    AtLeast(f64),
}

impl Aim {
    fn is_met_by(self, value: f64) -> bool {
        match self {
            Self::AtMost(most) => value <= most,
            Self::AtLeast(least) => value >= least,
        }
    }
}

impl fmt::Display for Aim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::AtMost(most) => write!(f, "≤ {most}"),
            Self::AtLeast(least) => write!(f, "≥ {least}"),
        }
    }
}

#[derive(Clone, Debug, Serialize)]
pub(crate) struct Figure {
    /// `W1`, `W1b`, …; the subcommand for a workload without a number.
    workload: &'static str,
    name: String,
    unit: Unit,
    ours: Spread,
    #[serde(skip_serializing_if = "Option::is_none")]
    limit: Option<Spread>,
    /// orgmem divided by the limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    ratio: Option<Spread>,
    #[serde(skip_serializing_if = "Option::is_none")]
    aim: Option<Aim>,
    #[serde(skip_serializing_if = "Option::is_none")]
    met: Option<bool>,
}

impl Figure {
    /// A figure without a limit.
    pub(crate) fn value(workload: &'static str, name: impl Into<String>, unit: Unit, ours: Spread) -> Self {
        Self { workload, name: name.into(), unit, ours, limit: None, ratio: None, aim: None, met: None }
    }

    /// A figure measured alternately with its limit.
    pub(crate) fn against_limit(workload: &'static str, name: impl Into<String>, unit: Unit, pairs: &Pairs) -> Self {
        let figure = Self::value(workload, name, unit, pairs.ours());
        Self { limit: Some(pairs.limit()), ratio: Some(pairs.ratio()), ..figure }
    }

    pub(crate) fn with_aim(self, aim: Aim) -> Self {
        let met = aim.is_met_by(self.ratio.unwrap_or(self.ours).median);
        Self { aim: Some(aim), met: Some(met), ..self }
    }
}

impl fmt::Display for Figure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let unit = self.unit.symbol();
        write!(f, "{:<22} {:<56} {:>9} {unit}", self.workload, self.name, short(self.ours.median))?;
        match (self.limit, self.ratio) {
            (Some(limit), Some(ratio)) => {
                write!(f, "  limit {:>9} {unit}  ratio {:.2} ({})", short(limit.median), ratio.median, range(ratio))?;
            }
            _ if self.ours.min < self.ours.max => write!(f, "  ({})", range(self.ours))?,
            _ => {}
        }
        match (self.aim, self.met) {
            (Some(aim), Some(true)) => write!(f, "  aim {aim}: met"),
            (Some(aim), _) => write!(f, "  aim {aim}: NOT MET"),
            _ => Ok(()),
        }
    }
}

fn range(spread: Spread) -> String {
    format!("{}–{}", short(spread.min), short(spread.max))
}

/// About three digits.
fn short(value: f64) -> String {
    match value.abs() {
        0.0..10.0 => format!("{value:.2}"),
        10.0..100.0 => format!("{value:.1}"),
        _ => format!("{value:.0}"),
    }
}
