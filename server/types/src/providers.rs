//! Providers: their figures, promotion and demotion.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// `GET /admin/providers`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ProviderList {
    /// The providers of the settings, the built-in one first.
    pub providers: Vec<ProviderReport>,
}

/// A provider with its figures.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ProviderReport {
    /// The name in the settings; `built_in` for the built-in provider.
    pub name: String,
    /// The version that it reports; absent if it does not answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// What it says it can do.
    #[serde(default)]
    pub capabilities: Vec<String>,
    /// Why it does not answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// What waits for it.
    pub outbox: ProviderOutbox,
    /// What a promotion requires; absent for the built-in provider.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub thresholds: Option<ProviderThresholds>,
    /// The surfaces that it shadows.
    pub surfaces: Vec<ProviderSurface>,
}

/// What waits for a provider, in all orgs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ProviderOutbox {
    pub rows: i64,
    pub bytes: i64,
    /// What was dropped because an outbox was full or a query too old.
    pub dropped: i64,
}

/// The requirements of a promotion.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ProviderThresholds {
    pub min_samples: i64,
    /// From 0 to 1.
    pub min_agreement: f64,
    /// From 0 to 1.
    pub max_error_rate: f64,
}

/// A provider on one surface.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ProviderSurface {
    /// A value of `channel`.
    pub surface: String,
    pub state: ProviderState,
    /// The last change of the state; absent before the first observation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub changed_at: Option<DateTime<Utc>>,
    pub figures: ProviderFigures,
    /// Why a promotion would be refused now; absent where it would not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refusal: Option<String>,
}

/// The state of a provider on one surface.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ProviderState {
    /// It is compared, and answers nothing.
    Shadow,
    /// It answers the reads, with the built-in provider behind it.
    Promoted,
    /// It returned an id that a reader may not see.
    Disqualified,
}

/// What was observed on one surface.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ProviderFigures {
    /// Compared queries.
    pub samples: i64,
    /// The lower one of `overlap` and `rank_agreement`.
    pub agreement: f64,
    /// The mean part of the first ten results that both have, from 0 to 1.
    pub overlap: f64,
    /// The mean part of pairs of common results in the same order, from 0 to 1.
    pub rank_agreement: f64,
    /// Results of the built-in provider that it did not return.
    pub misses: i64,
    /// Results that were removed or excluded since they were sent.
    pub withheld: i64,
    /// Calls.
    pub calls: i64,
    /// Calls without a usable response.
    pub errors: i64,
    /// Calls that it refused, among the errors.
    pub refusals: i64,
    /// The part of the calls without a usable response, from 0 to 1.
    pub error_rate: f64,
    /// The mean latency of a call in milliseconds.
    pub latency_mean_ms: f64,
    /// The largest latency of a call in milliseconds.
    pub latency_max_ms: f64,
}

/// `POST /admin/providers/{name}/promote` and `…/demote`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ChangeProvider {
    /// A surface that the provider shadows.
    pub surface: String,
}
