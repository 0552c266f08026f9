//! The memories that `get_all()` of mem0 returns, as JSON: `{"results": […]}`, or the list itself.

use std::io::Read;

use orgmem_types::{Object, Source};
use serde::Deserialize;
use serde_json::Value;
use uuid::Uuid;

use super::draft::Labels;
use super::{ForeignError, Output, Target, document, record};

const NAME: &str = "mem0";

#[derive(Deserialize)]
struct Memory {
    id: Option<String>,
    memory: Option<String>,
    metadata: Option<Object>,
    created_at: Option<String>,
    updated_at: Option<String>,
    user_id: Option<String>,
    agent_id: Option<String>,
    app_id: Option<String>,
    run_id: Option<String>,
    actor_id: Option<String>,
    role: Option<String>,
    categories: Option<Vec<String>>,
    expiration_date: Option<String>,
}

/// The fields of [`Memory`].
const FIELDS: [&str; 13] = [
    "id",
    "memory",
    "metadata",
    "created_at",
    "updated_at",
    "user_id",
    "agent_id",
    "app_id",
    "run_id",
    "actor_id",
    "role",
    "categories",
    "expiration_date",
];

/// An edge of the graph memory. Releases name its end `target` or `destination`.
#[derive(Deserialize)]
struct Relation {
    source: String,
    relationship: String,
    #[serde(alias = "target")]
    destination: String,
}

pub(super) fn read(file: impl Read, target: &Target, output: &mut Output<'_>) -> Result<(), ForeignError> {
    document::read(file, &mut |position, value| {
        let at = position.to_string();
        match (&*position.member, position.index) {
            ("" | "results", Some(_)) => memory(&at, value, target, output),
            ("relations", Some(_)) => relation(&at, value, target, output),
            ("results", None) if value.is_null() => Ok(()),
            ("results", None) => {
                let reason = format!("`results` must be an array, not {}", record::name_of(&value));
                Err(ForeignError::record(at, reason))
            }
            (member, _) => {
                if !record::is_empty(&value) {
                    output.unmapped(crate::decode::shortened(member));
                }
                Ok(())
            }
        }
    })
}

fn memory(at: &str, value: Value, target: &Target, output: &mut Output<'_>) -> Result<(), ForeignError> {
    let found: Memory = record::read(at, "results[].", value, &FIELDS, output)?;
    output.count("memories");
    let mut memory = target.memory(found.memory.unwrap_or_default())?;
    let user = found.user_id.as_deref().unwrap_or_default();
    memory.id = Some(match found.id.as_deref().map(Uuid::try_parse) {
        Some(Ok(id)) => id,
        Some(Err(_)) => target.id_of(&[NAME, "id", found.id.as_deref().unwrap_or_default()]),
        None => target.id_of(&[NAME, "text", user, &memory.content]),
    });
    memory.metadata = found.metadata;
    memory.source = Some(match found.role.as_deref() {
        Some("user") => Source::User,
        _ => Source::Agent,
    });
    memory.set_created_at(found.created_at.as_deref());
    memory.set_expires_at(found.expiration_date.as_deref());
    memory.set_subject(found.user_id.as_deref());
    memory.set_session(found.run_id.as_deref());
    memory.add_tags(found.categories.iter().flatten().map(String::as_str));
    let others = [
        ("updated_at", found.updated_at),
        ("agent_id", found.agent_id),
        ("app_id", found.app_id),
        ("actor_id", found.actor_id),
        ("role", found.role),
    ];
    for (name, value) in others {
        if let Some(value) = value {
            memory.note(NAME, name, value);
        }
    }
    target.give(at, memory, output)
}

fn relation(at: &str, value: Value, target: &Target, output: &mut Output<'_>) -> Result<(), ForeignError> {
    let known = ["source", "relationship", "destination", "target"];
    let Relation { source, relationship, destination } = record::read(at, "relations[].", value, &known, output)?;
    output.count("relations");
    let mut memory = target.memory(format!("{source} {relationship} {destination}"))?;
    memory.id = Some(target.id_of(&[NAME, "relation", &source, &relationship, &destination]));
    memory.source = Some(Source::Agent);
    memory.kind = Some("relation".into());
    memory.add_tags([&*source, &*destination]);
    for (name, value) in [("source", source), ("relationship", relationship), ("destination", destination)] {
        memory.note(NAME, name, value);
    }
    target.give(at, memory, output)
}
