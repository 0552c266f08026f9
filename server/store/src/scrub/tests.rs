use std::collections::BTreeSet;

use super::*;
use crate::transfer::{Kind, Row};

/// Text columns without text of callers, with the reason.
const EXEMPT: &[(&str, &str)] = &[
    ("memories.scope", "a word of the server"),
    ("memories.status", "a word of the server"),
    ("memories.source", "a word of the server"),
    ("memories.writer_role", "a word of the server"),
    ("memories.expiry_rule", "a word of the server"),
    ("memory_versions.scope", "a word of the server"),
    ("memory_versions.source", "a word of the server"),
    ("memory_versions.writer_role", "a word of the server"),
    ("memory_versions.expiry_rule", "a word of the server"),
    ("documents.scope", "a word of the server"),
    ("documents.status", "a word of the server"),
    ("documents.media_type", "a word of the server"),
    ("documents.writer_role", "a word of the server"),
    ("document_versions.media_type", "a word of the server"),
    ("document_versions.writer_role", "a word of the server"),
    ("memory_partitions.scope", "a word of the server"),
    ("memory_index.scope", "a word of the server"),
    ("memory_index.folded", "computed from the memory"),
    ("redactions.kind", "a hash"),
    ("erasures.what", "a word of the server"),
    ("episodes.activity_type", "a word of the configuration"),
    ("episodes.folded", "computed from the episode"),
    ("pages.tier", "a word of the server"),
    ("pages.made_by", "a word of the server"),
    ("page_work.subject", "follows the episodes"),
    ("page_work.thread", "follows the episodes"),
    ("memory_uses.outcome", "a word of the server"),
    ("memory_uses.reported", "a word of the server"),
    ("skills.scope", "a word of the server"),
    ("skills.status", "a word of the server"),
    ("skills.reason", "a word of the server"),
    ("skill_versions.evidence", "counts of the server"),
    ("skill_rules.rule", "numbers and words of the server"),
    ("events.kind", "a word of the server"),
    ("events.scope", "a word of the server"),
    ("access_log.verb", "a word of the server"),
    ("access_log.role", "a word of the server"),
    ("runs.status", "a word of the server"),
    ("pending_memories.scope", "a word of the server"),
    ("pending_memories.writer_role", "a word of the server"),
    ("profiles.isolation", "a word of the server"),
    ("profiles.subjects", "a word of the server"),
    ("profiles.sessions", "a word of the server"),
    ("profiles.page_scope", "a word of the server"),
    ("redactions.subject", "a hash"),
    ("redactions.session_id", "a hash"),
    ("profiles.strategy", "a word of the server"),
    ("profiles.inject_scopes", "words of the server"),
    ("tokens.role", "a word of the server"),
    ("processor_rows.group_id", "a hash"),
    ("processor_groups.group_id", "a hash"),
    ("processor_groups.fingerprint", "a hash"),
    ("processor_runs.cause", "a word of the server"),
    ("processor_runs.capped", "a word of the server"),
    ("turns.state", "a word of the server"),
    ("turns.refused", "counts by words of the server"),
    ("turns.model", "a name of the configuration"),
    ("turns.error", "a sentence of the server"),
    ("reviews.item_kind", "a word of the server"),
    ("reviews.status", "a word of the server"),
    ("provider_outbox.provider", "a name of the configuration"),
    ("provider_outbox.operation", "a word of the server"),
    ("provider_outbox.surface", "a word of the configuration"),
    ("provider_outbox.query", "scrubbed; for an hour"),
    ("provider_queues.provider", "a name of the configuration"),
    ("provider_items.provider", "a name of the configuration"),
    ("provider_items.surface", "a word of the configuration"),
    ("provider_items.namespace", "made of ids"),
    ("provider_surfaces.provider", "a name of the configuration"),
    ("provider_surfaces.surface", "a word of the configuration"),
    ("provider_surfaces.state", "a word of the server"),
    ("embeddings.name", "the name of a model"),
    ("idempotency_keys.owner", "the id of a token"),
    ("idempotency_keys.key", "a random key, for a day"),
    ("idempotency_keys.answer", "has no content; for a day"),
];

#[test]
fn every_text_column_is_scrubbed_or_exempt() {
    let mut texts = BTreeSet::new();
    for table in tables() {
        let columns = table.columns.iter().filter(|column| column.kind == Kind::Text);
        texts.extend(columns.map(|column| format!("{}.{}", table.name, column.name)));
    }
    let planned = plan().iter().flat_map(|of| {
        of.columns.iter().map(move |(at, _)| format!("{}.{}", of.table.name, of.table.columns[*at].name))
    });
    let mut known: BTreeSet<String> = planned.collect();
    let count = known.len() + EXEMPT.len();
    known.extend(EXEMPT.iter().map(|(column, _)| (*column).to_owned()));
    assert_eq!(known.len(), count, "a column is scrubbed and exempt");
    assert_eq!(texts, known, "a text column is missing: scrub it, or exempt it with a reason");
    let existing: BTreeSet<&str> = tables().iter().map(|table| table.name).collect();
    let listed = COLUMNS.iter().filter(|(table, _)| existing.contains(table));
    assert_eq!(listed.map(|(_, columns)| columns.len()).sum::<usize>() + EXEMPT.len(), texts.len(), "a wrong name");
}

#[test]
fn position_survives_its_text() {
    for number in 0..plan().len() {
        let at = ScrubPosition { table: number, key: Vec::new() };
        let table = &plan()[number].table;
        let row: Row = table
            .columns
            .iter()
            .map(|column| match column.kind {
                Kind::Uuid => Value::Uuid(crate::columns::Id(uuid::Uuid::from_u128(7))),
                Kind::Int => Value::Int(-7),
                Kind::Text => Value::Text("a \"key\"\n".into()),
                _ => Value::Null,
            })
            .collect();
        let after = at.after(&row);
        let json = serde_json::to_string(&after).expect("JSON");
        let read: ScrubPosition = serde_json::from_str(&json).expect("a position");
        assert_eq!(read.key(), Some(key_of(table, &row)), "{}", table.name);
        assert_eq!(at.key(), (table.key.is_empty()).then(Vec::new));
    }
    assert!(ScrubPosition { table: 99, key: Vec::new() }.table().is_none());
    assert_eq!(ScrubPosition { table: 0, key: vec!["7".into()] }.key(), None, "not an id");
}
