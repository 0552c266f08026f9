//! Export of the memories of the server as an array, and its import elsewhere.

use chrono::TimeDelta;
use orgmem_tests::{On, Shell, TestApp, for_each_store};
use serde_json::{Value, json};
use uuid::Uuid;

for_each_store!(
    export_has_every_readable_memory_of_every_org,
    exported_array_is_imported_elsewhere_and_exported_again,
    long_export_is_one_array,
    export_is_refused_without_permission,
);

const EXPORT: &str = "/admin/memories/export";
const IMPORT: &str = "/admin/memories/import";

async fn export(app: &TestApp, query: &str) -> Vec<Value> {
    app.admin().get(&format!("{EXPORT}{query}")).await.expect(200).items()
}

fn contents(memories: &[Value]) -> Vec<&str> {
    let mut contents: Vec<&str> = memories.iter().filter_map(|memory| memory["content"].as_str()).collect();
    contents.sort_unstable();
    contents
}

async fn export_has_every_readable_memory_of_every_org(on: On) {
    let app = TestApp::new(on).await;
    assert_eq!(export(&app, "").await, Vec::<Value>::new());
    let acme = app.plant("acme\n  dev\n    bot\n  gone").await;
    let other = app.admin().create("globex", None).await;
    let (root, bot, gone) = (acme.id("acme"), acme.id("bot"), acme.id("gone"));
    let agent = app.agent(bot);
    let full = json!({
        "content": "[MEMORY id=1 scope=TEAM]: full", "scope": "TEAM", "team": acme.id("dev"), "title": "A title",
        "namespace": "ops", "kind": "summary", "source": "tool", "confidence": 0.75, "tags": ["a", "b"],
        "metadata": {"n": 1}, "subject": "ada", "session_id": "s-1", "pin": true,
        "expires_at": app.now() + TimeDelta::days(1),
    });
    let full = agent.commit_with(bot, full).await;
    app.agent(root).commit(root, "GLOBAL", "global").await;
    app.agent(other).commit(other, "LOCAL", "elsewhere").await;
    app.agent(gone).commit(gone, "LOCAL", "of a removed workspace").await;
    app.admin().delete(&format!("/workspaces/{gone}")).await.expect(200);
    let at = |rest: &str| format!("/workspaces/{bot}{rest}");
    let old = agent.commit(bot, "LOCAL", "superseded").await;
    agent.commit_with(bot, json!({"content": "newer", "scope": "LOCAL", "supersedes": old})).await;
    let redacted = agent.commit(bot, "LOCAL", "redacted").await;
    let reason = json!({"reason": "asked for"});
    app.admin().post(&at(&format!("/memories/{redacted}/redact")), reason).await.expect(200);
    let deleted = agent.commit(bot, "LOCAL", "deleted").await;
    agent.delete(&at(&format!("/memories/{deleted}"))).await.expect(200);
    agent.commit_with(bot, json!({"content": "expired", "scope": "LOCAL", "ttl_seconds": 60})).await;
    let run = agent.post(&at("/runs"), json!({})).await.expect(201).id("run_id");
    agent.commit_with(bot, json!({"content": "pending", "scope": "LOCAL", "run_id": run})).await;
    app.advance(TimeDelta::minutes(2));
    let all = export(&app, "").await;
    assert_eq!(contents(&all), ["[_MEMORY id=1 scope=TEAM]: full", "elsewhere", "global", "newer"]);
    let exported = all.iter().find(|memory| memory["id"] == json!(full)).expect("the first one");
    let read = app.admin().get(&at(&format!("/memories/{full}"))).await.expect(200).json();
    for field in exported.as_object().expect("an object").keys() {
        assert_eq!(exported[field], read[field], "{field}");
    }
    assert_eq!(exported.as_object().map(|fields| fields.len()), Some(18));
    let ids: Vec<(Uuid, &str)> = vec![(root, "acme"), (other, "globex")];
    for (org, name) in ids {
        let expected: Vec<&Value> =
            all.iter().filter(|memory| (memory["workspace_name"] == "globex") == (name == "globex")).collect();
        let part = export(&app, &format!("?org_id={org}")).await;
        assert_eq!(part.iter().collect::<Vec<_>>(), expected, "{name}");
    }
    // each org's log names the memories that were exported from it
    let log =
        app.admin().get(&format!("/workspaces/{root}/access-log?action=export_memories")).await.expect(200).items();
    let named: Vec<usize> = log.iter().map(|row| row["memories"].as_array().map_or(0, Vec::len)).collect();
    assert_eq!(named, [3, 3], "{log:#?}");
}

/// A tree with the same ids in another server.
async fn create(app: &TestApp, ids: &[(Uuid, &str, Option<Uuid>)]) {
    for (id, name, parent) in ids {
        let body = json!({"id": id, "name": name, "parent_id": parent});
        app.admin().post("/workspaces", body).await.expect(201);
    }
}

async fn exported_array_is_imported_elsewhere_and_exported_again(on: On) {
    let (here, there) = (TestApp::new(on).await, TestApp::builder(on).as_program().start().await);
    let [root, dev, bot] = [1, 2, 3].map(Uuid::from_u128);
    let tree = [(root, "acme", None), (dev, "dev", Some(root)), (bot, "bot", Some(dev))];
    create(&here, &tree).await;
    create(&there, &tree).await;
    for number in 0..20 {
        let scope = ["LOCAL", "TEAM"][number % 2];
        let memory = json!({
            "content": format!("number {number}, \"quoted\"\n\u{1F980}"), "scope": scope, "pin": number == 3,
            "tags": [format!("t{number}")], "metadata": {"number": number, "deep": {"list": [1, null]}},
            "source": (["agent", "user", "tool", "eval", "runtime"][number % 5]),
            "subject": ((number % 3 == 0).then_some("ada")),
        });
        here.agent([dev, bot][number % 2]).commit_with([dev, bot][number % 2], memory).await;
        here.advance(TimeDelta::milliseconds(1500));
    }
    here.operator(root).commit_with(root, json!({"content": "manual", "scope": "GLOBAL", "source": "manual"})).await;
    let array = export(&here, "").await;
    assert_eq!(array.len(), 21);
    let shell = Shell::to(&there);
    std::fs::write(shell.home().join("all.json"), json!(array).to_string()).expect("written");
    let line = "orgmem import --json --from platform all.json";
    let tried = shell.enter(&format!("{line} --dry-run")).await.success();
    let tried: Value = serde_json::from_str(&tried.out).expect("JSON");
    assert_eq!((&tried["imported"], &tried["unmapped"]), (&json!(21), &json!({})), "{tried}");
    assert_eq!(export(&there, "").await, Vec::<Value>::new());
    let _ = shell.enter(line).await.success();
    assert_eq!(export(&there, "").await, array);
    let again = shell.enter(line).await.success();
    let again: Value = serde_json::from_str(&again.out).expect("JSON");
    assert_eq!((&again["imported"], &again["exist"]), (&json!(0), &json!(21)), "{again}");
}

async fn long_export_is_one_array(on: On) {
    let app = TestApp::new(on).await;
    let acme = app.plant("acme\n  bot").await;
    let bot = acme.id("bot");
    // three pages
    let id = |number: u128| Uuid::from_u128(number + 1);
    let memory = |number: u128| json!({"id": id(number), "content": format!("memory {number}"), "scope": "LOCAL", "workspace_id": bot});
    let array: Vec<Value> = (0..450).map(memory).collect();
    let outcome = app.admin().post(IMPORT, &array).await.expect(200).json();
    assert_eq!(outcome["imported"], 450);
    let exported = export(&app, "").await;
    let ids: Vec<Value> = exported.iter().map(|memory| memory["id"].clone()).collect();
    assert_eq!(ids, (0..450).map(|number| json!(id(number))).collect::<Vec<_>>());
    let head = app.admin().request("HEAD", EXPORT).send_unchecked().await.expect(200);
    assert!(head.body.is_empty());
}

async fn export_is_refused_without_permission(on: On) {
    let app = TestApp::new(on).await;
    let acme = app.plant("acme\n  bot").await;
    let bot = acme.id("bot");
    app.agent(bot).commit(bot, "LOCAL", "own").await;
    for caller in [app.agent(bot), app.viewer(acme.id("acme")), app.operator(acme.id("acme"))] {
        caller.get(EXPORT).await.refused(403, "forbidden");
        caller.get(&format!("{EXPORT}?org_id={}", acme.id("acme"))).await.refused(403, "forbidden");
    }
    app.anonymous().get(EXPORT).await.refused(401, "token_missing");
    // a workspace that is no root names no org
    for absent in [bot, Uuid::from_u128(404)] {
        app.admin().get(&format!("{EXPORT}?org_id={absent}")).await.refused(404, "not_found");
    }
    app.admin().get(&format!("{EXPORT}?org=1")).await.refused(400, "invalid_field");
}
