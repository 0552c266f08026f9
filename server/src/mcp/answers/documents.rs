//! Documents and their passages as models read them.

use orgmem_types as wire;
use schemars::JsonSchema;
use serde::Serialize;
use uuid::Uuid;

use super::ToolResult;
use crate::app::Listing;

/// Passages, best first.
#[derive(Debug, Serialize, JsonSchema)]
pub(in crate::mcp) struct FoundKnowledge {
    passages: Vec<FoundPassage>,
    /// The `cursor` of the next page; absent on the last page.
    #[serde(skip_serializing_if = "Option::is_none")]
    next: Option<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct FoundPassage {
    document_id: Uuid,
    title: String,
    heading: Vec<String>,
    /// Number of characters before it.
    from: i64,
    content: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    source_uri: Option<String>,
}

impl From<Listing<wire::Memory>> for FoundKnowledge {
    fn from(page: Listing<wire::Memory>) -> Self {
        let passage = |item: wire::Memory| {
            let wire::PassagePlace { document_id, title, heading, from, source_uri, .. } = item.passage?;
            Some(FoundPassage { document_id, title, heading, from, content: item.content, source_uri })
        };
        Self { passages: page.items.into_iter().filter_map(passage).collect(), next: page.next }
    }
}

impl ToolResult for FoundKnowledge {
    fn text(&self) -> String {
        let passage = |passage: &FoundPassage| {
            let path: Vec<&str> = std::iter::once(&passage.title).chain(&passage.heading).map(String::as_str).collect();
            let FoundPassage { document_id, from, content, .. } = passage;
            format!("document {document_id} at {from}: {}\n{content}\n", path.join(" > "))
        };
        let mut text = self.passages.iter().map(passage).collect::<Vec<_>>().join("\n");
        if text.is_empty() {
            "nothing found".clone_into(&mut text);
        }
        if let Some(next) = &self.next {
            text.push_str(&format!("\nnext: {next}"));
        }
        text
    }
}

/// A part of the text of a document.
#[derive(Debug, Serialize, JsonSchema)]
pub(in crate::mcp) struct DocumentText {
    id: Uuid,
    title: String,
    from: i64,
    length: i64,
    /// Number of characters of the whole text.
    chars: i64,
    /// `from` of the next part; absent at the end.
    #[serde(skip_serializing_if = "Option::is_none")]
    next: Option<i64>,
    content: String,
}

impl From<wire::DocumentContent> for DocumentText {
    fn from(part: wire::DocumentContent) -> Self {
        let wire::DocumentContent { id, title, from, length, chars, next, content, .. } = part;
        Self { id, title, from, length, chars, next, content }
    }
}

impl ToolResult for DocumentText {
    fn text(&self) -> String {
        let next = self.next.map(|next| format!("\nnext: from {next} of {}", self.chars)).unwrap_or_default();
        format!("{}\n{}{next}", self.title, self.content)
    }
}
