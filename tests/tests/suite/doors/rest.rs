//! Every route, by every caller, from every position: whether it opens, and what it reveals.

use std::collections::BTreeSet;

use chrono::TimeDelta;
use orgmem_tests::doors::{Door, May, ROUTES, Where};
use orgmem_tests::{Answer, On, for_each_store};
use serde_json::Value;

use super::knock::knock;
use super::world::{POSITIONS, Who, World};

for_each_store!(
    every_route_opens_to_those_it_is_for_and_to_nobody_else,
    two_workspaces_are_compared_within_a_tree_and_nowhere_else,
    a_memory_that_cannot_be_read_answers_like_an_absent_one,
);

async fn every_route_opens_to_those_it_is_for_and_to_nobody_else(on: On) {
    let world = World::plant(on).await;
    // an admin's token says no workspace to act as; what else MCP answers is tried tool by tool
    let routes = || ROUTES.iter().filter(|door| door.operation != "call_mcp");
    for door in routes() {
        refuses(&world, door).await;
    }
    for door in routes() {
        for who in Who::ALL {
            for position in positions(door) {
                if is_success(expected(&world, door, who, position)) {
                    opens(&world, on, door, who, position).await;
                }
            }
        }
    }
}

/// Everybody whom a door is not for is refused; all absent things answer alike, and nothing changes.
async fn refuses(world: &World, door: &Door) {
    let before = world.app.dump();
    let mut absent = BTreeSet::new();
    for who in Who::ALL {
        for position in positions(door) {
            let status = expected(world, door, who, position);
            if is_success(status) {
                continue;
            }
            let request = knock(world, who, door, position);
            let asked = request.text();
            let answer = request.send().await;
            let about = format!("{who:?} at {position}: {}", answer.shown());
            assert_eq!(answer.status, status, "{about}");
            let mut revealed = world.revealed(Who::Stranger, &told(&answer));
            revealed.retain(|mark| !asked.contains(mark));
            assert!(revealed.is_empty(), "a refusal reveals {revealed:?}: {about}");
            if status == 404 {
                absent.insert(told(&answer));
            }
        }
    }
    assert!(absent.len() <= 1, "what is absent and what is foreign differ: {absent:#?}");
    assert_eq!(world.app.dump(), before, "a refusal of {} changed the store", door.operation);
}

/// Whom a door is for comes through, and sees nothing that is not theirs.
async fn opens(world: &World, on: On, door: &Door, who: Who, position: &str) {
    // after a removal nothing is where it was
    let fresh = if door.operation == "remove_workspace" { Some(World::plant(on).await) } else { None };
    let world = fresh.as_ref().unwrap_or(world);
    let answer = knock(world, who, door, position).send().await;
    assert_eq!(answer.status, expected(world, door, who, position), "{who:?} at {position}: {}", answer.shown());
    let revealed = world.revealed(who, &told(&answer));
    assert!(revealed.is_empty(), "{who:?} at {position} may not see {revealed:?}: {}", answer.shown());
    if door.operation == "revoke_tokens" {
        // tokens issued from now on are younger
        world.app.pass(TimeDelta::seconds(1));
    }
}

/// What an answer tells: its body, without the id of the request.
pub(super) fn told(answer: &Answer) -> String {
    let mut body = match serde_json::from_slice(&answer.body) {
        Ok(Value::Object(body)) => body,
        _ => return String::from_utf8_lossy(&answer.body).into_owned(),
    };
    body.remove("request_id");
    Value::Object(body).to_string()
}

pub(super) fn is_success(status: u16) -> bool {
    status < 400
}

/// Where a door can be tried: at every position, if it is about a workspace at all.
fn positions(door: &Door) -> &'static [&'static str] {
    let names_one = ["{id}", "{jti}"].iter().any(|parameter| door.address.contains(parameter))
        || door.operation == "check_access"
        || door.case == "below a parent";
    if names_one { &POSITIONS } else { &POSITIONS[..1] }
}

/// What the oracle says that `who` is answered.
///
/// Source: product.md, section 3.
pub(super) fn expected(world: &World, door: &Door, who: Who, position: &str) -> u16 {
    let success = success(door);
    let role = match (door.may, who) {
        (May::Anybody, _) => return success,
        (_, Who::Stranger | Who::Removed) => return 401,
        (_, Who::Role(role)) => role,
    };
    if positions(door).len() == 1 {
        return if door.may == May::Anyone || door.may.of(role) != Where::Nowhere { success } else { 403 };
    }
    let (own, at) = (world.at("own"), world.at(position));
    let is_below = at == own || world.oracle.is_below(at, own);
    let is_near = role == "admin" || world.oracle.same_tree(own, at);
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
    let is_open = match door.may.of(role) {
        Where::Nowhere => false,
        Where::Own => at == own,
        Where::Below => is_below,
        Where::Everywhere => true,
    };
    match is_open {
        true => success,
        // the ids of tokens are not known to those who may not revoke them
        false if door.operation == "revoke_token" => 404,
        false => 403,
    }
}

fn success(door: &Door) -> u16 {
    match door.operation {
        "create_workspace" | "commit_memory" | "start_run" | "create_profile" | "append_episode" | "issue_token" => 201,
        "find_docs" | "find_console_folder" => 308,
        "find_console" => 307,
        _ => 200,
    }
}

async fn two_workspaces_are_compared_within_a_tree_and_nowhere_else(on: On) {
    let world = World::plant(on).await;
    let own = world.at("own");
    for who in [Who::Role("agent"), Who::Role("viewer"), Who::Role("operator"), Who::Role("admin")] {
        let mut absent = BTreeSet::new();
        for position in POSITIONS {
            let other = world.at(position);
            let relation = world.caller(who).get(&format!("/workspaces/{own}/reach/{other}")).await;
            if world.oracle.same_tree(own, other) {
                // that both are told by name is what this door is for
                let told = told(&relation.clone().expect(200)).replace(&other.to_string(), "");
                let revealed = world.revealed(who, &told.replace(&world.name(other), ""));
                assert!(revealed.is_empty(), "{who:?}, {position}: {revealed:?}; {}", relation.shown());
            } else {
                relation.refused(404, "not_found");
                absent.insert(told(&relation));
            }
            let pair = serde_json::json!({"caller_id": own, "target_id": other});
            let allowed = world.caller(who).post("/registry/check-access", pair).await.expect(200).json();
            assert_eq!(allowed["allowed"], world.oracle.check_access(own, other), "{position}");
        }
        assert_eq!(absent.len(), 1, "{absent:#?}");
    }
}

async fn a_memory_that_cannot_be_read_answers_like_an_absent_one(on: On) {
    let world = World::plant(on).await;
    let own = world.at("own");
    let absent = uuid::Uuid::from_u128(77);
    for who in [Who::Role("agent"), Who::Role("viewer"), Who::Role("operator"), Who::Role("admin")] {
        let caller = world.caller(who);
        let at = |id| format!("/workspaces/{own}/memories/{id}");
        let like_absent = told(&caller.get(&at(absent)).await.expect(404));
        for memory in world.oracle.memories() {
            let answer = caller.get(&at(memory.id)).await;
            if world.oracle.can_read_memory(own, memory) {
                assert_eq!(answer.expect(200).id("id"), memory.id);
            } else {
                assert_eq!(told(&answer.expect(404)), like_absent, "{memory:?}");
            }
        }
        if who == Who::Role("viewer") {
            continue;
        }
        // forgetting: the same, but for one's own alone
        let before = world.app.dump();
        let like_absent = told(&caller.delete(&at(absent)).await.expect(404));
        let covers = |author| match who {
            Who::Role("agent") => author == own,
            Who::Role("operator") => author == own || world.oracle.is_below(author, own),
            _ => true,
        };
        for memory in world.oracle.memories() {
            if !(world.oracle.can_read_memory(own, memory) && covers(memory.author)) {
                let answer = caller.delete(&at(memory.id)).await.expect(404);
                assert_eq!(told(&answer), like_absent, "{memory:?}");
            }
        }
        assert_eq!(world.app.dump(), before);
    }
}
