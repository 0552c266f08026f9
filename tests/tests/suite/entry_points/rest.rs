//! Every route, by every caller, from every position: whether it opens, and what it reveals.

use std::collections::BTreeSet;

use chrono::TimeDelta;
use orgmem_tests::entry_points::{Access, Extent, ROUTES, Route};
use orgmem_tests::{On, Response, for_each_store};
use serde_json::Value;

use super::fixture::{CallerKind, Fixture, POSITIONS};
use super::probe::probe;

for_each_store!(
    every_route_opens_to_those_it_is_for_and_to_nobody_else,
    two_workspaces_are_compared_within_a_tree_and_nowhere_else,
    a_memory_that_cannot_be_read_answers_like_an_absent_one,
);

async fn every_route_opens_to_those_it_is_for_and_to_nobody_else(on: On) {
    let fixture = Fixture::plant(on).await;
    // an admin's token says no workspace to act as; what else MCP answers is tried tool by tool
    let routes = || ROUTES.iter().filter(|door| door.operation != "call_mcp");
    for door in routes() {
        refuses(&fixture, door).await;
    }
    for door in routes() {
        for who in CallerKind::ALL {
            for position in positions(door) {
                if is_success(expected(&fixture, door, who, position)) {
                    opens(&fixture, on, door, who, position).await;
                }
            }
        }
    }
}

/// Everybody whom a door is not for is refused; all absent things response alike, and nothing changes.
async fn refuses(fixture: &Fixture, door: &Route) {
    let before = fixture.app.dump();
    let mut absent = BTreeSet::new();
    for who in CallerKind::ALL {
        for position in positions(door) {
            let status = expected(fixture, door, who, position);
            if is_success(status) {
                continue;
            }
            let request = probe(fixture, who, door, position);
            let asked = request.text();
            let response = request.send().await;
            let about = format!("{who:?} at {position}: {}", response.describe());
            assert_eq!(response.status, status, "{about}");
            let mut revealed = fixture.revealed(CallerKind::Anonymous, &told(&response));
            revealed.retain(|mark| !asked.contains(mark));
            assert!(revealed.is_empty(), "a refusal reveals {revealed:?}: {about}");
            if status == 404 {
                absent.insert(told(&response));
            }
        }
    }
    assert!(absent.len() <= 1, "what is absent and what is foreign differ: {absent:#?}");
    assert_eq!(fixture.app.dump(), before, "a refusal of {} changed the store", door.operation);
}

/// Whom a door is for comes through, and sees nothing that is not theirs.
async fn opens(fixture: &Fixture, on: On, door: &Route, who: CallerKind, position: &str) {
    // after a removal nothing is where it was
    let fresh = if door.operation == "remove_workspace" { Some(Fixture::plant(on).await) } else { None };
    let fixture = fresh.as_ref().unwrap_or(fixture);
    let response = probe(fixture, who, door, position).send().await;
    assert_eq!(
        response.status,
        expected(fixture, door, who, position),
        "{who:?} at {position}: {}",
        response.describe()
    );
    let revealed = fixture.revealed(who, &told(&response));
    assert!(revealed.is_empty(), "{who:?} at {position} may not see {revealed:?}: {}", response.describe());
    if door.operation == "revoke_tokens" {
        // tokens issued from now on are younger
        fixture.app.advance(TimeDelta::seconds(1));
    }
}

/// What a response tells: its body, without the id of the request.
pub(super) fn told(response: &Response) -> String {
    let mut body = match serde_json::from_slice(&response.body) {
        Ok(Value::Object(body)) => body,
        _ => return String::from_utf8_lossy(&response.body).into_owned(),
    };
    body.remove("request_id");
    Value::Object(body).to_string()
}

pub(super) fn is_success(status: u16) -> bool {
    status < 400
}

/// Where a door can be tried: at every position, if it is about a workspace at all.
fn positions(door: &Route) -> &'static [&'static str] {
    let names_one = ["{id}", "{jti}"].iter().any(|parameter| door.address.contains(parameter))
        || door.operation == "check_access"
        || door.case == "below a parent";
    if names_one { &POSITIONS } else { &POSITIONS[..1] }
}

/// What the oracle says that `who` is answered.
///
/// Source: product.md, section 3.
pub(super) fn expected(fixture: &Fixture, door: &Route, who: CallerKind, position: &str) -> u16 {
    let success = success(door);
    let role = match (door.access, who) {
        (Access::Public, _) => return success,
        (_, CallerKind::Anonymous | CallerKind::Removed) => return 401,
        (_, CallerKind::Role(role)) => role,
    };
    if positions(door).len() == 1 {
        return if door.access == Access::AnyToken || door.access.of(role) != Extent::None { success } else { 403 };
    }
    let (own, at) = (fixture.at("own"), fixture.at(position));
    let is_below = at == own || fixture.oracle.is_below(at, own);
    let is_near = role == "admin" || fixture.oracle.same_tree(own, at);
    match (door.operation, door.case, position) {
        // an admin may revoke tokens that were never issued here
        ("revoke_token", _, "absent") if role == "admin" => return success,
        ("revoke_token", _, "removed" | "removed-nephew") => return 404,
        // the parent that it is to stay under is not the operator's
        ("patch_workspace", "a new parent", "own") if role == "operator" => return 403,
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
    let is_open = match door.access.of(role) {
        Extent::None => false,
        Extent::OwnWorkspace => at == own,
        Extent::Subtree => is_below,
        Extent::All => true,
    };
    match is_open {
        true => success,
        // the ids of tokens are not known to those who may not revoke them
        false if door.operation == "revoke_token" => 404,
        false => 403,
    }
}

fn success(door: &Route) -> u16 {
    match door.operation {
        "create_workspace" | "commit_memory" | "start_run" | "create_profile" | "append_episode" | "issue_token" => 201,
        "find_docs" | "find_console_folder" => 308,
        "find_console" => 307,
        _ => 200,
    }
}

async fn two_workspaces_are_compared_within_a_tree_and_nowhere_else(on: On) {
    let fixture = Fixture::plant(on).await;
    let own = fixture.at("own");
    for who in
        [CallerKind::Role("agent"), CallerKind::Role("viewer"), CallerKind::Role("operator"), CallerKind::Role("admin")]
    {
        let mut absent = BTreeSet::new();
        for position in POSITIONS {
            let other = fixture.at(position);
            let relation = fixture.caller(who).get(&format!("/workspaces/{own}/reach/{other}")).await;
            if fixture.oracle.same_tree(own, other) {
                // that both are told by name is what this door is for
                let told = told(&relation.clone().expect(200)).replace(&other.to_string(), "");
                let revealed = fixture.revealed(who, &told.replace(&fixture.name(other), ""));
                assert!(revealed.is_empty(), "{who:?}, {position}: {revealed:?}; {}", relation.describe());
            } else {
                relation.refused(404, "not_found");
                absent.insert(told(&relation));
            }
            let pair = serde_json::json!({"caller_id": own, "target_id": other});
            let allowed = fixture.caller(who).post("/registry/check-access", pair).await.expect(200).json();
            assert_eq!(allowed["allowed"], fixture.oracle.check_access(own, other), "{position}");
        }
        assert_eq!(absent.len(), 1, "{absent:#?}");
    }
}

async fn a_memory_that_cannot_be_read_answers_like_an_absent_one(on: On) {
    let fixture = Fixture::plant(on).await;
    let own = fixture.at("own");
    let absent = uuid::Uuid::from_u128(77);
    for who in
        [CallerKind::Role("agent"), CallerKind::Role("viewer"), CallerKind::Role("operator"), CallerKind::Role("admin")]
    {
        let caller = fixture.caller(who);
        let at = |id| format!("/workspaces/{own}/memories/{id}");
        let like_absent = told(&caller.get(&at(absent)).await.expect(404));
        for memory in fixture.oracle.memories() {
            let response = caller.get(&at(memory.id)).await;
            if fixture.oracle.can_read_memory(own, memory) {
                assert_eq!(response.expect(200).id("id"), memory.id);
            } else {
                assert_eq!(told(&response.expect(404)), like_absent, "{memory:?}");
            }
        }
        if who == CallerKind::Role("viewer") {
            continue;
        }
        // forgetting: the same, but for one's own alone
        let before = fixture.app.dump();
        let like_absent = told(&caller.delete(&at(absent)).await.expect(404));
        let covers = |author| match who {
            CallerKind::Role("agent") => author == own,
            CallerKind::Role("operator") => author == own || fixture.oracle.is_below(author, own),
            _ => true,
        };
        for memory in fixture.oracle.memories() {
            if !(fixture.oracle.can_read_memory(own, memory) && covers(memory.author)) {
                let response = caller.delete(&at(memory.id)).await.expect(404);
                assert_eq!(told(&response), like_absent, "{memory:?}");
            }
        }
        assert_eq!(fixture.app.dump(), before);
    }
}
