//! One attempt at a turn: what the model reads, and what it states.

use orgmem_hierarchy::{OrgId, WorkspaceId};
use orgmem_policies::drafts::Speaker;
use orgmem_policies::turns::Proposal;
use orgmem_store::{Episode, StoredTurn};
use serde::Deserialize;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use uuid::Uuid;

/// The most bytes of messages in a request. The last ones of a turn are read.
const REQUEST_BYTES: usize = 64 * 1024;

/// A turn that an attempt works on.
#[derive(Clone, Debug)]
pub(super) struct Attempt {
    pub(super) org: OrgId,
    pub(super) workspace: WorkspaceId,
    pub(super) turn: StoredTurn,
    pub(super) id: Uuid,
    /// The number of attempts before.
    pub(super) earlier: i64,
    pub(super) messages: Vec<(usize, Episode)>,
}

impl Attempt {
    pub(super) fn place(&self) -> (OrgId, WorkspaceId, Uuid) {
        (self.org, self.workspace, self.turn.id)
    }

    pub(super) fn subject(&self) -> Option<&str> {
        self.messages.first().and_then(|(_, message)| message.subject.as_deref())
    }

    /// The texts that a fact may rest on, by position; empty for others.
    pub(super) fn texts(&self) -> Vec<&str> {
        let mut texts = vec![""; self.turn.episodes.len()];
        for (position, message) in self.messages.iter().filter(|(_, message)| is_quotable(message)) {
            if let (Some(text), Some(summary)) = (texts.get_mut(*position), &message.summary) {
                *text = summary;
            }
        }
        texts
    }

    /// What the model reads; `None` if there is nothing to read.
    pub(super) fn request(&self) -> Option<String> {
        let mut listed = Vec::new();
        let mut bytes = 0;
        for (position, message) in self.messages.iter().rev().filter(|(_, message)| is_quotable(message)) {
            let content = message.summary.as_deref().unwrap_or_default();
            bytes += content.len();
            if bytes > REQUEST_BYTES {
                break;
            }
            listed.push(json!({"message": position + 1, "role": message.actor, "content": content}));
        }
        listed.reverse();
        (!listed.is_empty()).then(|| Value::Array(listed).to_string())
    }
}

fn is_quotable(message: &Episode) -> bool {
    message.actor.as_deref().and_then(Speaker::named).is_some_and(Speaker::is_quotable)
}

#[derive(Deserialize)]
struct Answer {
    facts: Vec<Stated>,
}

/// A fact of an answer. What is absent fails a rule of grounding.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Stated {
    message: usize,
    quote: String,
    fact: String,
    about: String,
    confidence: Option<f64>,
    subject: Option<String>,
}

/// The facts in the answer of a model, which may be in a code block.
pub(super) fn stated_in(answer: &str) -> Option<Vec<Proposal>> {
    let text = answer.trim();
    let text = text.strip_prefix("```json").or_else(|| text.strip_prefix("```")).unwrap_or(text);
    let text = text.strip_suffix("```").unwrap_or(text);
    let Answer { facts } = serde_json::from_str(text.trim()).ok()?;
    let proposal = |Stated { message, quote, fact, about, confidence, subject }| Proposal {
        message,
        quote,
        fact,
        about,
        confidence,
        subject,
    };
    Some(facts.into_iter().map(proposal).collect())
}

/// The id of the memory about a thing: a later fact about it is its next version.
pub(super) fn memory_id(workspace: WorkspaceId, subject: Option<&str>, about: &str) -> Uuid {
    let digest = Sha256::new()
        .chain_update("orgmem turn fact\0")
        .chain_update(workspace.uuid().as_bytes())
        .chain_update(subject.map_or_else(String::new, |subject| format!("{}:{subject}", subject.len())))
        .chain_update("\0")
        .chain_update(about)
        .finalize();
    let mut bytes = [0; 16];
    bytes.copy_from_slice(&digest[..16]);
    uuid::Builder::from_custom_bytes(bytes).into_uuid()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_in_code_blocks_are_read_and_others_are_not() {
        let answer =
            "```json\n{\"facts\": [{\"message\": 1, \"quote\": \"q\", \"fact\": \"f\", \"about\": \"a\"}]}\n```";
        let stated = stated_in(answer).expect("facts");
        assert_eq!((stated.len(), stated[0].message, stated[0].quote.as_str()), (1, 1, "q"));
        assert_eq!(stated_in("{\"facts\": []}"), Some(Vec::new()));
        for nonsense in ["", "no facts", "[]", "{}", "{\"facts\": 3}", "{\"facts\": [{\"message\": -1}]}"] {
            assert_eq!(stated_in(nonsense), None, "{nonsense}");
        }
    }

    #[test]
    fn each_thing_of_each_end_user_has_a_memory_of_its_own() {
        let at = |n| WorkspaceId::from(Uuid::from_u128(n));
        let ids = [
            memory_id(at(1), Some("ada"), "address"),
            memory_id(at(2), Some("ada"), "address"),
            memory_id(at(1), Some("bob"), "address"),
            memory_id(at(1), None, "address"),
            memory_id(at(1), Some("ada"), "name"),
        ];
        let different: std::collections::BTreeSet<Uuid> = ids.into_iter().collect();
        assert_eq!(different.len(), ids.len());
        assert_eq!(ids[0], memory_id(at(1), Some("ada"), "address"));
    }
}
