//! Results of the tools that work by namespace.

use chrono::{DateTime, Utc};
use orgmem_types as wire;
use schemars::JsonSchema;
use serde::Serialize;
use uuid::Uuid;

use super::ToolResult;
use super::memories::replaced;
use super::text::{self, Head};

/// A committed memory. Members with their default value are absent.
#[derive(Debug, Serialize, JsonSchema)]
pub(in crate::mcp) struct CommittedToNamespace {
    id: Uuid,
    namespace: String,
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "text::serialize_optional_seconds")]
    expires_at: Option<DateTime<Utc>>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pending: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    redactions: Vec<wire::Redaction>,
}

impl From<wire::CommittedToNamespace> for CommittedToNamespace {
    fn from(memory: wire::CommittedToNamespace) -> Self {
        Self {
            id: memory.id,
            namespace: memory.namespace,
            expires_at: memory.expires_at,
            pending: memory.pending,
            redactions: memory.redactions,
        }
    }
}

impl ToolResult for CommittedToNamespace {
    fn text(&self) -> String {
        let head = Head::default().word(&self.id.to_string()).word(&self.namespace);
        let head = head.field("expires_at", self.expires_at.as_ref().map(text::seconds));
        let head = if self.pending { head.word("pending until the run completes") } else { head.word("committed") };
        head.end() + &replaced(&self.redactions)
    }
}

#[derive(Debug, Serialize, JsonSchema)]
pub(in crate::mcp) struct NamespaceList {
    namespaces: Vec<Namespace>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Namespace {
    name: String,
    display_name: String,
    writable: bool,
}

impl From<Vec<wire::NamespaceInfo>> for NamespaceList {
    fn from(listed: Vec<wire::NamespaceInfo>) -> Self {
        let namespace =
            |wire::NamespaceInfo { name, display_name, writable, .. }| Namespace { name, display_name, writable };
        Self { namespaces: listed.into_iter().map(namespace).collect() }
    }
}

impl ToolResult for NamespaceList {
    fn text(&self) -> String {
        let line = |namespace: &Namespace| {
            let head = Head::default().word(&namespace.name).word(&format!("({})", namespace.display_name));
            let head = if namespace.writable { head } else { head.word("read-only") };
            head.end()
        };
        text::list(self.namespaces.iter().map(line), "no namespaces", None)
    }
}
