//! The arguments of the tools that work by namespace.

use chrono::{DateTime, TimeDelta, Utc};
use orgmem_types as wire;
use schemars::JsonSchema;
use serde::Deserialize;

use super::ToolArguments;
use super::memories::lower_case;

/// Lifetime of a summary without `expires_at`.
///
/// Source: `docs/spec/mcp.md`, "Tools".
const SUMMARY_DAYS: i64 = 30;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::mcp) struct CommitMemoryV2 {
    pub content: String,
    /// A writable one; your own by default.
    pub namespace: Option<String>,
    pub kind: Option<String>,
    pub expires_at: Option<DateTime<Utc>>,
    pub pin: Option<bool>,
}

impl ToolArguments for CommitMemoryV2 {}

impl From<CommitMemoryV2> for wire::CommitToNamespace {
    fn from(sent: CommitMemoryV2) -> Self {
        Self {
            content: sent.content,
            namespace: sent.namespace,
            kind: sent.kind.as_deref().map(lower_case),
            expires_at: sent.expires_at,
            pin: sent.pin.unwrap_or_default(),
            ..Self::default()
        }
    }
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::mcp) struct CommitSummary {
    pub content: String,
    pub namespace: Option<String>,
    /// In 30 days by default.
    pub expires_at: Option<DateTime<Utc>>,
}

impl ToolArguments for CommitSummary {}

impl CommitSummary {
    pub(in crate::mcp) fn into_request(self, now: DateTime<Utc>) -> wire::CommitToNamespace {
        wire::CommitToNamespace {
            content: self.content,
            namespace: self.namespace,
            kind: Some("summary".to_owned()),
            expires_at: self.expires_at.or_else(|| now.checked_add_signed(TimeDelta::days(SUMMARY_DAYS))),
            ..wire::CommitToNamespace::default()
        }
    }
}

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::mcp) struct NoArguments {}

impl ToolArguments for NoArguments {}
