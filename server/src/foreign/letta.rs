//! Agent files of Letta: the core memory blocks. Also an array of archival passages, which agent files do not have.

use std::collections::HashMap;
use std::io::Read;

use orgmem_types::{Object, Source};
use serde::Deserialize;
use serde_json::Value;
use uuid::Uuid;

use super::draft::Labels;
use super::{ForeignError, Output, Target, document, record};
use crate::decode::shortened;

const NAME: &str = "letta";

#[derive(Deserialize)]
struct Block {
    #[serde(default)]
    id: String,
    #[serde(default)]
    label: String,
    #[serde(default)]
    value: String,
    description: Option<String>,
    read_only: Option<bool>,
    metadata: Option<Object>,
    tags: Option<Vec<String>>,
}

const BLOCK_FIELDS: [&str; 7] = ["id", "label", "value", "description", "read_only", "metadata", "tags"];

#[derive(Deserialize)]
struct Passage {
    id: Option<String>,
    text: String,
    created_at: Option<String>,
    tags: Option<Vec<String>>,
    metadata: Option<Object>,
}

const PASSAGE_FIELDS: [&str; 5] = ["id", "text", "created_at", "tags", "metadata"];

/// Members of an agent that its blocks have as metadata.
#[derive(Deserialize)]
struct Agent {
    name: Option<String>,
    block_ids: Option<Vec<String>>,
}

pub(super) fn read(file: impl Read, target: &Target, output: &mut Output<'_>) -> Result<(), ForeignError> {
    let mut agents_of: HashMap<String, Vec<String>> = HashMap::new();
    document::read(file, &mut |position, value| {
        let at = position.to_string();
        match (&*position.member, position.index) {
            ("", Some(_)) => passage(&at, value, target, output),
            ("agents", Some(_)) => agent(&at, value, &mut agents_of, output),
            ("blocks" | "core_memory", Some(_)) => block(&at, value, target, &agents_of, output),
            ("agents" | "blocks" | "core_memory", None) if !value.is_null() => {
                let reason = format!("it must be an array, not {}", record::name_of(&value));
                Err(ForeignError::record(at, reason))
            }
            (member, index) => {
                if !record::is_empty(&value) {
                    let list = if index.is_some() { "[]" } else { "" };
                    output.unmapped(format!("{}{list}", shortened(member)));
                }
                Ok(())
            }
        }
    })
}

/// Remembers which blocks the agent has. Everything else of it is counted; of its messages, each one.
fn agent(
    at: &str,
    mut value: Value,
    agents_of: &mut HashMap<String, Vec<String>>,
    output: &mut Output<'_>,
) -> Result<(), ForeignError> {
    if let Some(Value::Array(messages)) = value.as_object_mut().and_then(|agent| agent.remove("messages")) {
        output.unmapped_many("agents[].messages[]", messages.len() as u64);
    }
    let Agent { name, block_ids } = record::read(at, "agents[].", value, &["name", "block_ids", "id"], output)?;
    output.count("agents");
    for id in block_ids.into_iter().flatten() {
        agents_of.entry(id).or_default().extend(name.clone());
    }
    Ok(())
}

fn block(
    at: &str,
    value: Value,
    target: &Target,
    agents_of: &HashMap<String, Vec<String>>,
    output: &mut Output<'_>,
) -> Result<(), ForeignError> {
    let block: Block = record::read(at, "blocks[].", value, &BLOCK_FIELDS, output)?;
    output.count("blocks");
    let mut memory = target.memory(block.value)?;
    // the ids of a file are only unique within it
    memory.id = Some(target.id_of(&[NAME, "block", &block.label, &memory.content]));
    memory.source = Some(Source::Agent);
    memory.kind = Some("block".into());
    memory.metadata = block.metadata.filter(|metadata| !metadata.is_empty());
    memory.set_title(&block.label);
    memory.add_tags(block.tags.iter().flatten().map(String::as_str));
    let agents = agents_of.get(&block.id).cloned().unwrap_or_default();
    memory.add_tags(agents.iter().map(String::as_str));
    if !agents.is_empty() {
        memory.note(NAME, "agents", agents);
    }
    if let Some(description) = block.description {
        memory.note(NAME, "description", description);
    }
    if block.read_only == Some(true) {
        memory.note(NAME, "read_only", true);
    }
    target.give(at, memory, output)
}

fn passage(at: &str, value: Value, target: &Target, output: &mut Output<'_>) -> Result<(), ForeignError> {
    let passage: Passage = record::read(at, "[].", value, &PASSAGE_FIELDS, output)?;
    output.count("passages");
    let mut memory = target.memory(passage.text)?;
    let own = passage.id.as_deref().and_then(|id| Uuid::try_parse(id.strip_prefix("passage-").unwrap_or(id)).ok());
    let id = passage.id.as_deref().unwrap_or_default();
    memory.id = Some(own.unwrap_or_else(|| target.id_of(&[NAME, "passage", id, &memory.content])));
    memory.source = Some(Source::Agent);
    memory.metadata = passage.metadata.filter(|metadata| !metadata.is_empty());
    memory.set_created_at(passage.created_at.as_deref());
    memory.add_tags(passage.tags.iter().flatten().map(String::as_str));
    target.give(at, memory, output)
}
