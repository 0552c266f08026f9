//! The arguments of the tool for patterns.

use orgmem_types as wire;
use schemars::JsonSchema;
use serde::Deserialize;

use super::ToolArguments;

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::mcp) struct PatternsForChange {
    /// Paths of changed files.
    #[serde(default)]
    pub paths: Option<Vec<String>>,
    /// A unified diff, whose files are added.
    pub diff: Option<String>,
}

impl ToolArguments for PatternsForChange {
    const OTHER_NAMES: &[(&str, &str)] = &[("files", "paths")];
}

impl From<PatternsForChange> for wire::FindPatterns {
    fn from(sent: PatternsForChange) -> Self {
        Self { paths: sent.paths.unwrap_or_default(), diff: sent.diff }
    }
}
