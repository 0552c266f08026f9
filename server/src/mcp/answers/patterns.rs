//! The facts for the files of a change as models read them.

use orgmem_types as wire;
use schemars::JsonSchema;
use serde::Serialize;
use uuid::Uuid;

use super::ToolResult;
use super::memories::FoundMemory;

/// Facts, the most confident first.
#[derive(Debug, Serialize, JsonSchema)]
pub(in crate::mcp) struct FoundPatterns {
    patterns: Vec<FoundPattern>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    more: bool,
}

#[derive(Debug, Serialize, JsonSchema)]
struct FoundPattern {
    files: Vec<String>,
    memory: FoundMemory,
}

impl FoundPatterns {
    /// The facts as `reader` reads them.
    pub(in crate::mcp) fn new(found: wire::Patterns, reader: Uuid) -> Self {
        let pattern = |pattern: wire::Pattern| FoundPattern {
            files: pattern.files,
            memory: FoundMemory::new(pattern.memory, reader),
        };
        Self { patterns: found.patterns.into_iter().map(pattern).collect(), more: found.more }
    }
}

impl ToolResult for FoundPatterns {
    fn text(&self) -> String {
        if self.patterns.is_empty() {
            return "no patterns for these files".to_owned();
        }
        let line = |pattern: &FoundPattern| format!("{}\nfiles: {}", pattern.memory.line(), pattern.files.join(", "));
        let more = if self.more { "\nmore: name fewer files" } else { "" };
        format!("{}{more}", self.patterns.iter().map(line).collect::<Vec<_>>().join("\n"))
    }
}
