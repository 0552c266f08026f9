//! A request to each route, for the workspace at a position.

use orgmem_tests::Request;
use orgmem_tests::entry_points::Route;
use serde_json::{Value, json};
use uuid::Uuid;

use super::fixture::{CallerKind, Fixture, KEYS};

pub(super) fn probe(fixture: &Fixture, caller_kind: CallerKind, route: &Route, position: &str) -> Request {
    let request = fixture.caller(caller_kind).request(route.method, &address(fixture, caller_kind, route, position));
    let request = match route.address {
        "/console/session" => request.header("x-orgmem-console", "1"),
        _ => request,
    };
    match body(fixture, caller_kind, route, position) {
        Some(body) => request.json(body),
        None => request,
    }
}

fn address(fixture: &Fixture, caller_kind: CallerKind, route: &Route, position: &str) -> String {
    let at = fixture.at(position);
    let key = match (route.operation, caller_kind) {
        ("drop_entry", CallerKind::Role(role)) if KEYS.contains(&role) => role,
        _ => "state",
    };
    let token = fixture.ids.tokens.get(&at).copied().unwrap_or(Uuid::from_u128(9));
    let filled = route.address.replace("{id}", &at.to_string()).replace("{other}", &at.to_string());
    let memory = match route.operation {
        "redact_memory" => fixture.redacted_at(position),
        "read_evidence" | "report_outcome" => fixture.ids.procedures.get(&at).copied().unwrap_or(Uuid::from_u128(7)),
        "forget_namespace_memory" => fixture.spare_memory_at(position, caller_kind),
        _ => fixture.memory_at(position, caller_kind),
    };
    let filled = filled.replace("/skills/{name}", "/skills/violin").replace("/providers/{name}", "/providers/violin");
    let filled =
        filled.replace("/processors/{name}", &format!("/processors/{}", fixture.processor_for(route, caller_kind)));
    let filled = filled.replace("/rows/{key}", &format!("/rows/{}", fixture.row_for(route, caller_kind)));
    let filled =
        filled.replace("/collections/{name}", &format!("/collections/{}", fixture.collection_for(route, caller_kind)));
    let filled = filled.replace("{mid}", &memory.to_string()).replace("{key}", key);
    let review = fixture.ids.reviews.get(&at).copied().unwrap_or(Uuid::from_u128(6));
    let filled = filled.replace("/reviews/{rid}", &format!("/reviews/{review}"));
    let filled = filled.replace("{gid}", &fixture.grant_at(position, caller_kind).to_string());
    let run = fixture.ids.runs.get(&at).copied().unwrap_or(Uuid::from_u128(8));
    let filled =
        filled.replace("{rid}", &run.to_string()).replace("{jti}", &token.to_string()).replace("{file}", "index.html");
    let episode = fixture.ids.episodes.get(&at).copied().unwrap_or(Uuid::from_u128(5));
    let filled = filled.replace("{eid}", &episode.to_string());
    let turn = fixture.ids.turns.get(&at).copied().unwrap_or(Uuid::from_u128(5));
    let filled = filled.replace("{tid}", &turn.to_string());
    let filled = filled.replace("{entity}", "shirt").replace("{sid}", "s-1");
    let document = fixture.document_at(position, route, caller_kind);
    let filled = filled.replace("{did}", &document.to_string());
    let page = fixture.ids.pages.get(&at).copied().unwrap_or(Uuid::from_u128(7));
    let filled = filled.replace("/pages/{pid}", &format!("/pages/{page}"));
    let filled = filled.replace("{pid}", &fixture.profile_at(position, route, caller_kind).to_string());
    let query = match route.operation {
        "list_metadata_values" => "?member=violin",
        "run_processor" => "?dry_run=true",
        "list_pages" => "?q=violin",
        "search_memories" | "search_namespace" | "search_orgs" | "search_session" => "?q=violin",
        "remove_workspace" => "?children=cascade",
        "import_org" | "import_memories" | "erase_content" | "scrub_stored" => "?dry_run=true",
        "watch_events" => "?follow=false",
        "list_erasures" => return format!("{filled}?org_id={}", fixture.at("foreign-root")),
        _ => "",
    };
    format!("{filled}{query}")
}

fn body(fixture: &Fixture, caller_kind: CallerKind, route: &Route, position: &str) -> Option<Value> {
    let at = fixture.at(position);
    Some(match (route.operation, route.case) {
        ("create_workspace", "below a parent") => json!({"name": "newcomer", "parent_id": at}),
        ("create_workspace", _) => json!({"name": "newcomer"}),
        ("patch_workspace", "a new name") => json!({"name": fixture.name(at)}),
        // to the current parent: requires the permission to move and changes nothing
        ("patch_workspace", _) => json!({"parent_id": fixture.oracle.parent(at).unwrap_or(fixture.at("own"))}),
        ("set_budget", _) => json!({"memories": 1_000_000, "searches_per_minute": 1_000_000}),
        ("import_org", _) => json!({"name": "newcomer"}),
        ("import_memories", _) => {
            json!([{"content": "x", "scope": "LOCAL", "workspace_id": fixture.at("foreign-root")}])
        }
        ("import_template", _) => json!({"template": {"name": "a", "workspaces": [{"name": "a newcomer's template"}]}}),
        ("check_access", _) => json!({"caller_id": at, "target_id": at}),
        ("commit_memory", _) => json!({"scope": "LOCAL", "content": "a new violin"}),
        ("commit_namespace_memory", _) => json!({"content": "a new violin"}),
        ("commit_batch", _) => json!({"memories": [{"scope": "LOCAL", "content": "a new violin"}]}),
        ("touch_memories", _) => {
            json!({"memories": [{"id": fixture.memory_at(position, caller_kind), "ttl_seconds": 3600}]})
        }
        ("draft_skill", _) => {
            let procedure = fixture.ids.procedures.get(&at).copied().unwrap_or(Uuid::from_u128(7));
            json!({"memory_ids": [procedure], "name": "violin"})
        }
        // repeated, it changes nothing
        ("approve_skill", _) => json!({"version": 1}),
        ("change_skill_rule", _) => json!({}),
        ("report_outcome", _) => json!({"outcome": "success"}),
        ("edit_memory", _) => json!({"confidence": 0.75}),
        ("restore_memory", _) => json!({"version": 1}),
        ("redact_memory" | "redact_episode" | "redact_document", _) => json!({"reason": "a test"}),
        ("redact_memories", _) => json!({"reason": "a test", "memories": [fixture.redacted_at(position)]}),
        ("erase_content", _) => json!({"org_id": fixture.at("foreign-root"), "subject": "nobody", "reason": "a test"}),
        ("create_profile", _) => json!({"name": format!("{caller_kind:?}")}),
        ("change_profile", _) => json!({"isolation": "tree"}),
        ("inject_context", _) => json!({"query": "violin"}),
        ("start_run" | "compact_pages", _) => json!({}),
        ("decide_review", _) => json!({"decision": "dismissed"}),
        ("give_grant", _) => {
            json!({"subject": "ada", "sessions": ["s-1"], "to": {"workspace": at}, "evidence": "a test"})
        }
        ("put_record" | "patch_record", _) => json!({"fields": {"price": {"value": 1}}, "as_of": fixture.app.now()}),
        ("add_document", _) => json!({"title": "new", "content": "a new violin", "scope": "LOCAL"}),
        ("edit_document", _) => json!({"tags": ["violin"]}),
        ("define_processor", _) => json!({"built_in": "bug-import", "set": {"collection": "bugs"}}),
        ("find_patterns", _) => json!({"paths": ["src/violin.rs"]}),
        ("promote_provider" | "demote_provider", _) => json!({"surface": "phone"}),
        ("put_collection", _) => json!({"key": "id"}),
        ("write_rows", _) => json!([{"id": "new", "name": "a new violin"}]),
        ("withdraw_rows", _) => json!({"keys": ["absent"], "reason": "a test"}),
        ("write_records", _) => json!({"records": [{"entity": "other", "as_of": fixture.app.now()}]}),
        ("run_memory_tool", "a view") => json!({"command": "view", "path": "/memories"}),
        ("run_memory_tool", _) => json!({"command": "create", "path": "/memories/violin.md", "file_text": "a violin"}),
        ("stage_output", _) => json!({"__lf_memory_writes": [{"content": "a new violin"}]}),
        // a failed run commits nothing, so later probes are not affected
        ("finish_run", _) => json!({"status": "failed"}),
        ("put_entry", _) => json!({"key": "new", "value": 1}),
        ("call_mcp_as", _) => json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"}),
        ("append_episode", _) => json!({"activity_type": "agent_log"}),
        ("add_turn", _) => json!({"session_id": "s", "messages": [{"content": "a new violin"}]}),
        ("issue_token", "an agent's") => json!({"role": "agent"}),
        ("issue_token", _) => json!({"role": "viewer"}),
        ("open_session", _) => json!({"token": fixture.caller(caller_kind).token().unwrap_or("of.no.one")}),
        _ => return None,
    })
}
