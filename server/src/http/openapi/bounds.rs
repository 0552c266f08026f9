//! Adds the bounds of fields and parameters, from the constants and settings that the checks use.
//!
//! JSON Schema counts characters and cannot limit the size of a value as JSON, so bounds in bytes are described as at most
//! that many characters, and sizes of objects only in words.

use orgmem_policies::DraftLimits;
use orgmem_policies::audit::AuditAction;
use orgmem_policies::drafts::{MAX_MESSAGES, bounds as of};
use orgmem_policies::rules::MAX_BUDGET;
use serde_json::{Map, Value, json};

use crate::app::bounds as of_app;
use crate::auth::MAX_SUBJECT_BYTES;

/// The bounds that a deployment may set.
#[derive(Clone, Debug)]
pub(in crate::http) struct Bounds {
    pub(in crate::http) content: DraftLimits,
    /// The longest life of a token in seconds.
    pub(in crate::http) token_seconds: i64,
    pub(in crate::http) activity_types: Vec<String>,
}

/// A line with a visible character.
fn line(chars: usize) -> Value {
    json!({"minLength": 1, "maxLength": chars, "pattern": "\\S"})
}

fn text(chars: usize) -> Value {
    json!({"maxLength": chars})
}

fn range(from: i64, to: i64) -> Value {
    json!({"minimum": from, "maximum": to})
}

fn items(from: usize, to: usize) -> Value {
    match from {
        0 => json!({"maxItems": to}),
        from => json!({"minItems": from, "maxItems": to}),
    }
}

/// The bounds of fields by schema. `tags[]` is an item of `tags`.
fn of_fields(bounds: &Bounds) -> Vec<(&'static [&'static str], &'static str, Value)> {
    const LABELLED: &[&str] = &["CommitMemory", "PatchMemory", "ImportMemory", "ExportedMemory"];
    const MEMORIES: &[&str] = &["CommitMemory", "CommitToNamespace", "PatchMemory", "ImportMemory", "ExportedMemory"];
    const EPISODES: &[&str] = &["AppendEpisode", "ImportEpisode"];
    const WORKSPACES: &[&str] = &["CreateWorkspace", "PatchWorkspace", "ImportNode"];
    const TURNS: &[&str] = &["AddTurn"];
    const PROFILES: &[&str] = &["CreateProfile", "PatchProfile"];
    const RETENTIONS: &[&str] = &["Retention", "PatchRetention"];
    const INJECTIONS: &[&str] = &["Injection", "PatchInjection"];
    const DOCUMENTS: &[&str] = &["AddDocument", "PatchDocument"];
    const RECORDS: &[&str] = &["PutRecord", "PatchRecord", "RecordLine"];
    const REASONS: &[&str] = &["RedactMemory", "RedactMemories", "Erase", "WithdrawRows"];
    const BUDGETS: &[&str] = &["BudgetLimits"];
    const NAMESPACE: &str = "^(workspace|team|org|custom):";
    let kind = json!({"pattern": format!("^[a-z][a-z0-9_-]{{0,{}}}$", of::KIND_CHARS - 1)});
    let share = range(0, 1);
    let ttl = range(1, of::MAX_TTL_SECONDS);
    let label = line(of::EPISODE_LABEL_CHARS);
    let episode_text = text(of::EPISODE_TEXT_BYTES);
    let mut fields = vec![
        (MEMORIES, "content", line(bounds.content.content_bytes)),
        (MEMORIES, "title", line(of::LABEL_CHARS)),
        (LABELLED, "namespace", line(of::NAMESPACE_CHARS)),
        (MEMORIES, "kind", kind.clone()),
        (MEMORIES, "confidence", share.clone()),
        (MEMORIES, "tags", items(0, of::TAGS)),
        (MEMORIES, "tags[]", line(of::LABEL_CHARS)),
        (MEMORIES, "subject", line(of::LABEL_CHARS)),
        (MEMORIES, "session_id", line(of::LABEL_CHARS)),
        (LABELLED, "ttl_seconds", ttl.clone()),
        (&["CommitToNamespace"], "namespace", json!({"pattern": NAMESPACE})),
        (&["CommitBatch", "TouchMemories"], "memories", items(1, of_app::MAX_BATCH)),
        (&["TouchMemory"], "ttl_seconds", ttl.clone()),
        (&["IssueToken"], "end_user", line(of::LABEL_CHARS)),
        (&["IssueToken"], "session_id", line(of::LABEL_CHARS)),
        (&["PutEntry"], "key", line(of::MAX_KEY_BYTES)),
        (&["PutEntry"], "subject", line(of::ENTRY_SUBJECT_CHARS)),
        (&["PutEntry"], "ttl_seconds", ttl.clone()),
        (&["PutEntry"], "if_match_version", json!({"minimum": 0})),
        (&["AppendEpisode"], "activity_type", json!({"enum": bounds.activity_types})),
        (EPISODES, "subject", label.clone()),
        (EPISODES, "outcome", json!({"pattern": "^(success|failure|neutral)$"})),
        (EPISODES, "salience", share.clone()),
        (EPISODES, "claims", items(0, of::CLAIMS)),
        (MEMORIES, "claims", items(0, of::CLAIMS)),
        (&["Claim"], "entity", line(of::CLAIM_NAME_CHARS)),
        (&["Claim"], "field", line(of::CLAIM_NAME_CHARS)),
        (&["AddTurn"], "messages", items(1, MAX_MESSAGES)),
        (TURNS, "session_id", line(of::EPISODE_LABEL_CHARS)),
        (TURNS, "subject", label.clone()),
        (TURNS, "channel", label.clone()),
        (TURNS, "kind", label.clone()),
        (&["TurnMessage"], "content", line(of::EPISODE_TEXT_BYTES)),
        (EPISODES, "summary", episode_text.clone()),
        (EPISODES, "error_detail", episode_text),
        (EPISODES, "duration_ms", json!({"minimum": 0})),
        (WORKSPACES, "name", line(of::WORKSPACE_NAME_CHARS)),
        (WORKSPACES, "role", line(of::WORKSPACE_ROLE_CHARS)),
        (&["StartRun"], "session_id", line(of::LABEL_CHARS)),
        (&["StartRun"], "label", line(of::LABEL_CHARS)),
        (&["RunOutput"], "__lf_memory_writes", items(0, of_app::MAX_WRITES)),
        (PROFILES, "name", line(of::PROFILE_NAME_CHARS)),
        (PROFILES, "excluded_kinds", items(0, of::EXCLUDED_KINDS)),
        (PROFILES, "excluded_kinds[]", kind),
        (&["CreateProfile"], "seed_entries", items(0, of_app::MAX_SEEDS)),
        (RETENTIONS, "max_age_seconds", ttl),
        (RETENTIONS, "max_entries", range(1, of::PROFILE_ENTRIES)),
        (INJECTIONS, "limit", range(1, of::INJECTED)),
        (INJECTIONS, "min_confidence", share),
        (INJECTIONS, "token_budget", range(1, of::TOKEN_BUDGET)),
        (&["InjectContext"], "session_id", line(of::LABEL_CHARS)),
        (&["InjectContext"], "token_budget", range(1, of::TOKEN_BUDGET)),
        (&["IssueToken"], "expires_in", range(1, bounds.token_seconds)),
        (&["IssueToken"], "subject", line(MAX_SUBJECT_BYTES)),
        (&["OrgTemplate"], "workspaces", json!({"minItems": 1})),
        (BUDGETS, "memories", range(1, MAX_BUDGET)),
        (BUDGETS, "bytes", range(1, MAX_BUDGET)),
        (BUDGETS, "writes_per_minute", range(1, MAX_BUDGET)),
        (BUDGETS, "searches_per_minute", range(1, MAX_BUDGET)),
        (BUDGETS, "embeddings_per_day", range(1, MAX_BUDGET)),
        (REASONS, "reason", line(of::REASON_CHARS)),
        (&["PutCollection"], "key", line(of::COLUMN_CHARS)),
        (&["PutCollection"], "time", line(of::COLUMN_CHARS)),
        (&["WithdrawRows"], "keys", items(1, of_app::MAX_KEYS)),
        (&["PushRecords"], "records", items(1, of_app::MAX_RECORDS)),
        (DOCUMENTS, "title", line(of::LABEL_CHARS)),
        (DOCUMENTS, "content", line(of::MAX_DOCUMENT_BYTES)),
        (DOCUMENTS, "media_type", json!({"pattern": "^[Tt][Ee][Xx][Tt]/"})),
        (DOCUMENTS, "collection", line(of::NAMESPACE_CHARS)),
        (DOCUMENTS, "tags", items(0, of::TAGS)),
        (DOCUMENTS, "tags[]", line(of::LABEL_CHARS)),
        (DOCUMENTS, "author", line(of::LABEL_CHARS)),
        (DOCUMENTS, "source_uri", line(of::MAX_SOURCE_URI)),
        (RECORDS, "source", line(of::LABEL_CHARS)),
        (&["RecordLine"], "entity", line(of::CLAIM_NAME_CHARS)),
        (&["RecordValue"], "unit", line(of::RECORD_UNIT_CHARS)),
        (&["DecideReview"], "note", line(of::REASON_CHARS)),
        (&["GiveGrant"], "subject", line(of::LABEL_CHARS)),
        (&["GiveGrant"], "evidence", line(of::MAX_EVIDENCE_BYTES)),
        (&["GrantReader"], "session", line(of::LABEL_CHARS)),
        (&["RedactMemories"], "memories", items(1, of_app::MAX_AT_ONCE)),
        (&["Erase"], "subject", line(of::LABEL_CHARS)),
    ];
    let labels = ["method", "status", "actor", "channel", "correlation_id", "session_id", "kind"];
    fields.extend(labels.map(|name| (EPISODES, name, label.clone())));
    fields
}

/// The bounds of parameters by name; those of all operations with the parameter.
fn of_parameters() -> [(&'static str, Value); 11] {
    // a list of ids in one text
    let among = format!("^[^,]*(,[^,]*){{0,{}}}$", of_app::MAX_AMONG - 1);
    let id = r"\s*[0-9A-Fa-f-]+\s*";
    let ids = format!("^{id}(,{id}){{0,{}}}$", of_app::MAX_IDS - 1);
    let actions: Vec<&str> = AuditAction::ALL.iter().map(|action| action.as_str()).collect();
    [
        ("among", json!({"pattern": among})),
        ("ids", json!({"pattern": ids})),
        ("member", json!({"minLength": 1})),
        ("metadata", json!({"pattern": r"^\s*\{"})),
        ("days", range(1, of_app::MAX_DAYS.into())),
        ("action", json!({"enum": actions})),
        ("Last-Event-ID", json!({"pattern": "^[0-9]+$"})),
        ("neighbours", range(0, of_app::MAX_NEIGHBOURS.into())),
        ("min_confidence", range(0, 1)),
        ("token_budget", range(1, of::TOKEN_BUDGET)),
        ("Idempotency-Key", json!({"minLength": 1, "maxLength": 255, "pattern": "^[!-~]+$"})),
    ]
}

/// Adds the bounds to a description.
pub(in crate::http) fn add(description: &mut Value, bounds: &Bounds) {
    for (schemas, field, bound) in of_fields(bounds) {
        for schema in schemas {
            let (name, is_item) = field.strip_suffix("[]").map_or((field, false), |name| (name, true));
            let schema = description.pointer_mut(&format!("/components/schemas/{schema}"));
            let Some(property) = schema.and_then(|schema| property(schema, name)) else { continue };
            let target = if is_item { property.get_mut("items") } else { Some(property) };
            merge(target, &bound);
        }
    }
    let operations = description.get_mut("paths").and_then(Value::as_object_mut).into_iter().flatten();
    let operations = operations.flat_map(|(_, item)| item.as_object_mut().into_iter().flatten());
    let parameters = operations.filter_map(|(_, operation)| operation.get_mut("parameters")?.as_array_mut());
    for parameter in parameters.flatten() {
        for (name, bound) in of_parameters() {
            if parameter["name"] == name {
                merge(parameter.get_mut("schema"), &bound);
            }
        }
    }
    describe_encodings(description);
}

/// Describes what the derived description cannot: a header that contains JSON, and a stream, whose events are no string.
fn describe_encodings(description: &mut Value) {
    let operations = description.get_mut("paths").and_then(Value::as_object_mut).into_iter().flatten();
    for (_, operation) in operations.flat_map(|(_, item)| item.as_object_mut().into_iter().flatten()) {
        for parameter in operation.get_mut("parameters").and_then(Value::as_array_mut).into_iter().flatten() {
            if parameter["name"] == "X-Audit-Context"
                && let Some(fields) = parameter.as_object_mut()
            {
                fields.remove("schema");
                fields.insert("content".to_owned(), json!({"application/json": {"schema": {"type": "object"}}}));
            }
        }
        if let Some(stream) = operation.pointer_mut("/responses/200/content/text~1event-stream") {
            *stream = json!({});
        }
    }
}

/// A property of a schema, or of a part of a composed one.
fn property<'s>(schema: &'s mut Value, name: &str) -> Option<&'s mut Value> {
    if schema["properties"][name].is_object() {
        return schema["properties"].get_mut(name);
    }
    schema.get_mut("allOf")?.as_array_mut()?.iter_mut().find_map(|part| part.get_mut("properties")?.get_mut(name))
}

fn merge(schema: Option<&mut Value>, bound: &Value) {
    if let (Some(Value::Object(schema)), Value::Object(bound)) = (schema, bound) {
        let bound: Map<String, Value> = bound.clone();
        schema.extend(bound);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::http::endpoints;

    fn bounds() -> Bounds {
        let content = DraftLimits { content_bytes: 77, value_bytes: 1 };
        Bounds { content, token_seconds: 99, activity_types: vec!["error".into()] }
    }

    #[test]
    fn every_bound_belongs_to_a_described_field() {
        let mut described: Value = serde_json::from_slice(&endpoints::document(&bounds())).expect("JSON");
        for (schemas, field, bound) in of_fields(&bounds()) {
            let name = field.trim_end_matches("[]");
            let mut found = 0;
            for schema in schemas {
                let Some(property) = property(&mut described["components"]["schemas"][*schema], name) else { continue };
                let property = if field == name { &*property } else { &property["items"] };
                found += 1;
                for (key, value) in bound.as_object().into_iter().flatten() {
                    assert_eq!(property[key.as_str()], *value, "{schema} {field}");
                }
            }
            assert!(found > 0, "no schema of {schemas:?} has `{field}`");
        }
    }

    #[test]
    fn settings_of_the_deployment_are_described() {
        let described: Value = serde_json::from_slice(&endpoints::document(&bounds())).expect("JSON");
        let schemas = &described["components"]["schemas"];
        assert_eq!(schemas["CommitMemory"]["properties"]["content"]["maxLength"], 77);
        assert_eq!(schemas["IssueToken"]["properties"]["expires_in"]["maximum"], 99);
        assert_eq!(schemas["AppendEpisode"]["properties"]["activity_type"]["enum"], json!(["error"]));
    }
}
