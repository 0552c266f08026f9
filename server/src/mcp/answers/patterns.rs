//! The facts for the files of a change as models read them.

use orgmem_types as wire;
use schemars::JsonSchema;
use serde::Serialize;
use uuid::Uuid;

use super::ToolResult;

/// Facts, the most confident first.
#[derive(Debug, Serialize, JsonSchema)]
pub(in crate::mcp) struct FoundPatterns {
    patterns: Vec<FoundPattern>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    more: bool,
}

#[derive(Debug, Serialize, JsonSchema)]
struct FoundPattern {
    memory_id: Uuid,
    content: String,
    confidence: f64,
    files: Vec<String>,
    /// Keys of rows.
    sources: Vec<String>,
}

impl From<wire::Patterns> for FoundPatterns {
    fn from(found: wire::Patterns) -> Self {
        let pattern = |wire::Pattern { files, memory }: wire::Pattern| {
            let keys = memory.metadata.as_ref().and_then(|metadata| metadata.get("source_row_keys"));
            let keys = keys.and_then(|keys| keys.as_array()).map(Vec::as_slice).unwrap_or_default();
            let sources = keys.iter().filter_map(|key| key.as_str().map(str::to_owned)).collect();
            FoundPattern {
                memory_id: memory.id,
                content: memory.content,
                confidence: memory.confidence,
                files,
                sources,
            }
        };
        Self { patterns: found.patterns.into_iter().map(pattern).collect(), more: found.more }
    }
}

impl ToolResult for FoundPatterns {
    fn text(&self) -> String {
        if self.patterns.is_empty() {
            return "no patterns for these files".to_owned();
        }
        let line = |pattern: &FoundPattern| {
            let FoundPattern { memory_id, content, confidence, files, sources } = pattern;
            let (files, sources) = (files.join(", "), sources.join(", "));
            format!("{confidence} {memory_id}: {content}\nfiles: {files}\nsources: {sources}")
        };
        let more = if self.more { "\nmore: name fewer files" } else { "" };
        format!("{}{more}", self.patterns.iter().map(line).collect::<Vec<_>>().join("\n"))
    }
}
