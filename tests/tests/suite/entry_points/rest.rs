//! Every route, by every caller, for every position: the status, and the data that it reveals.

use std::collections::BTreeSet;

use chrono::TimeDelta;
use orgmem_tests::entry_points::{Access, Extent, ROUTES, Route};
use orgmem_tests::{On, Response, for_each_store};
use serde_json::Value;

use super::fixture::{CallerKind, Fixture, POSITIONS};
use super::probe::probe;

for_each_store!(
    route_permits_only_the_listed_callers,
    reach_compares_only_workspaces_of_one_tree,
    unreadable_memory_equals_absent_memory,
);

async fn route_permits_only_the_listed_callers(on: On) {
    let fixture = Fixture::create(on).await;
    // an admin's token has no workspace to act as; the tools are tested separately
    let routes = || ROUTES.iter().filter(|route| route.operation != "call_mcp");
    for route in routes() {
        check_refusals(&fixture, route).await;
    }
    for route in routes() {
        for caller_kind in CallerKind::ALL {
            for position in positions(route) {
                if is_success(expected(&fixture, route, caller_kind, position)) {
                    check_permitted(&fixture, on, route, caller_kind, position).await;
                }
            }
        }
    }
}

/// Checks the refusals of a route: the same response for all absent workspaces, and no change of the store.
async fn check_refusals(fixture: &Fixture, route: &Route) {
    let before = fixture.app.dump();
    let mut absent = BTreeSet::new();
    for caller_kind in CallerKind::ALL {
        for position in positions(route) {
            let status = expected(fixture, route, caller_kind, position);
            if is_success(status) {
                continue;
            }
            let request = probe(fixture, caller_kind, route, position);
            let request_text = request.text();
            let response = request.send().await;
            let about = format!("{caller_kind:?} at {position}: {}", response.describe());
            assert_eq!(response.status, status, "{about}");
            let mut revealed = fixture.revealed(CallerKind::Anonymous, &comparable_body(&response));
            revealed.retain(|mark| !request_text.contains(mark));
            assert!(revealed.is_empty(), "a refusal reveals {revealed:?}: {about}");
            if status == 404 {
                absent.insert(comparable_body(&response));
            }
        }
    }
    assert!(absent.len() <= 1, "what is absent and what is foreign differ: {absent:#?}");
    assert_eq!(fixture.app.dump(), before, "a refusal of {} changed the store", route.operation);
}

/// Checks a permitted call: it reveals only data that the caller may see.
async fn check_permitted(fixture: &Fixture, on: On, route: &Route, caller_kind: CallerKind, position: &str) {
    // a removal changes the fixture
    let fresh = if route.operation == "remove_workspace" { Some(Fixture::create(on).await) } else { None };
    let fixture = fresh.as_ref().unwrap_or(fixture);
    let response = probe(fixture, caller_kind, route, position).send().await;
    assert_eq!(
        response.status,
        expected(fixture, route, caller_kind, position),
        "{caller_kind:?} at {position}: {}",
        response.describe()
    );
    let revealed = fixture.revealed(caller_kind, &comparable_body(&response));
    assert!(revealed.is_empty(), "{caller_kind:?} at {position} may not see {revealed:?}: {}", response.describe());
    if route.operation == "revoke_tokens" {
        // later tokens must be younger
        fixture.app.advance(TimeDelta::seconds(1));
    }
}

/// The body without the request id.
pub(super) fn comparable_body(response: &Response) -> String {
    let Ok(Value::Object(mut body)) = serde_json::from_slice(&response.body) else {
        return String::from_utf8_lossy(&response.body).into_owned();
    };
    body.remove("request_id");
    Value::Object(body).to_string()
}

pub(super) fn is_success(status: u16) -> bool {
    status < 400
}

/// The tested positions: all, if the route names a workspace.
fn positions(route: &Route) -> &'static [&'static str] {
    let names_one = ["{id}", "{jti}"].iter().any(|parameter| route.address.contains(parameter))
        || route.operation == "check_access"
        || route.case == "below a parent";
    if names_one { &POSITIONS } else { &POSITIONS[..1] }
}

/// The expected status. Source: docs/spec/rest.md.
pub(super) fn expected(fixture: &Fixture, route: &Route, caller_kind: CallerKind, position: &str) -> u16 {
    let success = success(route);
    let role = match (route.access, caller_kind) {
        (Access::Public, _) => return success,
        (_, CallerKind::Anonymous | CallerKind::Removed) => return 401,
        (_, CallerKind::Role(role)) => role,
    };
    if positions(route).len() == 1 {
        let is_permitted = route.access == Access::AnyToken || route.access.of(role) != Extent::None;
        return match (is_permitted, route.operation) {
            // the server has no providers
            (true, "promote_provider" | "demote_provider") => 404,
            (true, _) => success,
            (false, _) => 403,
        };
    }
    let (own, at) = (fixture.at("own"), fixture.at(position));
    let is_below = at == own || fixture.oracle.is_below(at, own);
    let is_near = role == "admin" || fixture.oracle.same_tree(own, at);
    match (route.operation, route.case, position) {
        // =
        ("revoke_token", _, "absent") if role == "admin" => return success,
        ("revoke_token", _, "removed" | "removed-nephew") => return 404,
        // the operator does not cover the current parent
        ("patch_workspace", "a new parent", "own") | ("set_budget" | "remove_budget", _, "own")
            if role == "operator" =>
        {
            return 403;
        }
        ("patch_workspace", "a new parent", "root" | "foreign-root") if role == "admin" => return 409,
        _ => {}
    }
    match position {
        "removed" if role != "agent" => return 410,
        "removed-nephew" if role == "admin" => return 410,
        "removed" | "removed-nephew" | "absent" => return 404,
        _ if !is_near => return 404,
        _ => {}
    }
    let writes_records = matches!(route.operation, "put_record" | "patch_record" | "delete_record" | "write_records");
    if writes_records && fixture.oracle.parent(at).is_some() {
        return 403;
    }
    let is_permitted = match route.access.of(role) {
        Extent::None => false,
        Extent::OwnWorkspace => at == own,
        Extent::Subtree => is_below,
        Extent::All => true,
    };
    match is_permitted {
        // the rule belongs to the org
        true if route.operation == "change_skill_rule" && !matches!(position, "root" | "foreign-root") => 400,
        true => success,
        // token ids are hidden from callers that may not revoke them
        false if route.operation == "revoke_token" => 404,
        false => 403,
    }
}

fn success(route: &Route) -> u16 {
    match route.operation {
        "create_workspace"
        | "commit_memory"
        | "commit_namespace_memory"
        | "start_run"
        | "create_profile"
        | "append_episode"
        | "add_turn"
        | "issue_token"
        | "draft_skill"
        | "add_document"
        | "give_grant"
        | "import_template" => 201,
        "find_docs" | "find_console_folder" => 308,
        "find_console" => 307,
        _ => 200,
    }
}

async fn reach_compares_only_workspaces_of_one_tree(on: On) {
    let fixture = Fixture::create(on).await;
    let own = fixture.at("own");
    for caller_kind in
        [CallerKind::Role("agent"), CallerKind::Role("viewer"), CallerKind::Role("operator"), CallerKind::Role("admin")]
    {
        let mut absent = BTreeSet::new();
        for position in POSITIONS {
            let other = fixture.at(position);
            let relation = fixture.caller(caller_kind).get(&format!("/workspaces/{own}/reach/{other}")).await;
            if fixture.oracle.same_tree(own, other) {
                // the route reveals both names on purpose
                let body = comparable_body(&relation.clone().expect(200)).replace(&other.to_string(), "");
                let revealed = fixture.revealed(caller_kind, &body.replace(&fixture.name(other), ""));
                assert!(revealed.is_empty(), "{caller_kind:?}, {position}: {revealed:?}; {}", relation.describe());
            } else {
                relation.refused(404, "not_found");
                absent.insert(comparable_body(&relation));
            }
            let pair = serde_json::json!({"caller_id": own, "target_id": other});
            let allowed = fixture.caller(caller_kind).post("/registry/check-access", pair).await.expect(200).json();
            assert_eq!(allowed["allowed"], fixture.oracle.check_access(own, other), "{position}");
        }
        assert_eq!(absent.len(), 1, "{absent:#?}");
    }
}

async fn unreadable_memory_equals_absent_memory(on: On) {
    let fixture = Fixture::create(on).await;
    let own = fixture.at("own");
    let absent = uuid::Uuid::from_u128(77);
    for caller_kind in
        [CallerKind::Role("agent"), CallerKind::Role("viewer"), CallerKind::Role("operator"), CallerKind::Role("admin")]
    {
        let caller = fixture.caller(caller_kind);
        let at = |id| format!("/workspaces/{own}/memories/{id}");
        let like_absent = comparable_body(&caller.get(&at(absent)).await.expect(404));
        for memory in fixture.oracle.memories() {
            let response = caller.get(&at(memory.id)).await;
            if fixture.oracle.can_read_memory(own, memory) {
                assert_eq!(response.expect(200).id("id"), memory.id);
            } else {
                assert_eq!(comparable_body(&response.expect(404)), like_absent, "{memory:?}");
            }
        }
        if caller_kind == CallerKind::Role("viewer") {
            continue;
        }
        // deletion: the same, except for covered authors
        let before = fixture.app.dump();
        let like_absent = comparable_body(&caller.delete(&at(absent)).await.expect(404));
        let covers = |author| match caller_kind {
            CallerKind::Role("agent") => author == own,
            CallerKind::Role("operator") => author == own || fixture.oracle.is_below(author, own),
            _ => true,
        };
        for memory in fixture.oracle.memories() {
            if !(fixture.oracle.can_read_memory(own, memory) && covers(memory.author)) {
                let response = caller.delete(&at(memory.id)).await.expect(404);
                assert_eq!(comparable_body(&response), like_absent, "{memory:?}");
            }
        }
        assert_eq!(fixture.app.dump(), before);
    }
}
