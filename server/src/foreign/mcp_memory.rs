//! The file of the reference MCP server for memory: a knowledge graph as lines of JSON.

use std::io::BufRead;

use orgmem_types::Source;
use serde::Deserialize;
use serde_json::Value;

use super::draft::Labels;
use super::{ForeignError, Output, Target, lines, record};

const NAME: &str = "mcp_memory";

#[derive(Deserialize)]
struct Entity {
    name: String,
    #[serde(default, rename = "entityType")]
    entity_type: String,
    #[serde(default)]
    observations: Vec<String>,
}

#[derive(Deserialize)]
struct Relation {
    from: String,
    to: String,
    #[serde(rename = "relationType")]
    relation_type: String,
}

pub(super) fn read(file: impl BufRead, target: &Target, output: &mut Output<'_>) -> Result<(), ForeignError> {
    lines::read(file, |number, line| {
        let at = format!("line {number}");
        let value: Value = serde_json::from_str(line).map_err(|error| {
            let text = error.to_string();
            let reason = text.rsplit_once(" at line ").map_or(&*text, |(reason, _)| reason);
            ForeignError::record(&at, format!("it is not JSON: {reason}"))
        })?;
        match value.get("type").and_then(Value::as_str) {
            Some("entity") => entity(&at, value, target, output),
            Some("relation") => relation(&at, value, target, output),
            Some(other) => {
                // the tool ignores such lines
                output.unmapped(format!("lines of the type `{}`", crate::decode::shortened(other)));
                Ok(())
            }
            None if value.is_object() => {
                Err(ForeignError::record(at, "`type` is missing; it is `entity` or `relation`"))
            }
            None => Err(ForeignError::record(at, format!("it must be an object, not {}", record::name_of(&value)))),
        }
    })
}

fn entity(at: &str, value: Value, target: &Target, output: &mut Output<'_>) -> Result<(), ForeignError> {
    let known = ["type", "name", "entityType", "observations"];
    let Entity { name, entity_type, observations } = record::read(at, "entity.", value, &known, output)?;
    output.count("entities");
    // an entity without observations is a memory of its name
    let texts = if observations.is_empty() { vec![name.clone()] } else { observations };
    for text in texts {
        if text != name {
            output.count("observations");
        }
        let mut memory = target.memory(text)?;
        memory.id = Some(target.id_of(&[NAME, "entity", &name, &memory.content]));
        memory.source = Some(Source::Agent);
        memory.set_title(&name);
        memory.add_tags([&*name]);
        if !entity_type.is_empty() {
            memory.set_kind(&entity_type);
            memory.note(NAME, "entity_type", entity_type.as_str());
        }
        memory.note(NAME, "entity", name.as_str());
        target.give(at, memory, output)?;
    }
    Ok(())
}

fn relation(at: &str, value: Value, target: &Target, output: &mut Output<'_>) -> Result<(), ForeignError> {
    let known = ["type", "from", "to", "relationType"];
    let Relation { from, to, relation_type } = record::read(at, "relation.", value, &known, output)?;
    output.count("relations");
    let mut memory = target.memory(format!("{from} {relation_type} {to}"))?;
    memory.id = Some(target.id_of(&[NAME, "relation", &from, &relation_type, &to]));
    memory.source = Some(Source::Agent);
    memory.kind = Some("relation".into());
    memory.add_tags([&*from, &*to]);
    for (name, value) in [("from", from), ("relation_type", relation_type), ("to", to)] {
        memory.note(NAME, name, value);
    }
    target.give(at, memory, output)
}
