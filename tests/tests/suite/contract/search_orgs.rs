//! A search over all workspaces shows exactly what the caller could read workspace by workspace.

use std::collections::BTreeSet;

use orgmem_tests::generators::Seeded;
use orgmem_tests::oracle::{Memory, Oracle, Step};
use orgmem_tests::{Caller, On, TestApp, for_each_store, id_of, with_query};
use serde_json::{Value, json};
use uuid::Uuid;

for_each_store!(
    search_over_workspaces_shows_exactly_what_they_read,
    search_over_workspaces_obeys_profiles,
    search_over_workspaces_bounds_memories_and_orgs,
    search_over_workspaces_is_audited_once_per_org,
    search_of_an_agent_is_that_of_its_workspace,
);

/// A large org needs other statements than a small one.
async fn search_over_workspaces_shows_exactly_what_they_read(on: On) {
    for (seed, sizes) in [(1, &[9, 4][..]), (2, &[80])] {
        let mut seeded = Seeded::new(seed);
        let (app, mut oracle) = (TestApp::new(on).await, Oracle::default());
        let mut steps: Vec<Step> = sizes.iter().flat_map(|&size| seeded.org(size)).collect();
        for step in &steps {
            oracle.apply(step).expect("an org can be created");
        }
        while steps.len() < sizes.iter().sum::<usize>() + 60 {
            let step = seeded.step(&oracle);
            if oracle.apply(&step).is_ok() {
                steps.push(step);
            }
        }
        app.admin().run_steps(&steps).await;
        let tops: BTreeSet<Uuid> = (0..5).map(|_| seeded.one_of(&oracle.live())).chain(oracle.roots()).collect();
        for memory in oracle.memories() {
            // a memory is found by its whole text, and others by some of its words
            let query = [("q", memory.content.as_str()), ("limit", "20")];
            for &top in tops.iter().filter(|top| oracle.is_live(**top)) {
                let found = found(&app.viewer(top), &query).await;
                check(&app.viewer(top), &oracle, top, memory, &found).await;
            }
            let found = found(&app.admin(), &query).await;
            for root in oracle.roots().into_iter().filter(|root| oracle.is_live(*root)) {
                let of_root: Vec<Value> = found.iter().filter(|org| id_of(org, "org_id") == root).cloned().collect();
                check(&app.admin(), &oracle, root, memory, &of_root).await;
            }
        }
    }
}

/// Whether `memory` is among the matches if and only if a workspace of the subtree reads it, and each match is what the
/// workspace that reads it receives.
async fn check(caller: &Caller, oracle: &Oracle, top: Uuid, memory: &Memory, found: &[Value]) {
    let is_readable = oracle.subtree(top).into_iter().any(|reader| oracle.can_read_memory(reader, memory));
    let found: Vec<&Value> = found.iter().flat_map(|org| org["memories"].as_array().expect("an array")).collect();
    let is_found = found.iter().any(|item| id_of(item, "id") == memory.id);
    // 20 matches may all be better
    assert!(is_found == is_readable || (is_readable && found.len() == 20), "{} from {top} in\n{oracle}", memory.id);
    let Some(item) = found.into_iter().find(|item| id_of(item, "id") == memory.id) else { return };
    let reader = if item["via"] == "self" { memory.author } else { top };
    let path = with_query(&format!("/workspaces/{reader}/memories"), &[("q", &memory.content)]);
    let there = caller.get(&path).await.expect(200).items();
    let there = there.into_iter().find(|item| id_of(item, "id") == memory.id).expect("its reader finds it");
    assert_eq!(without_score(item), without_score(&there));
}

/// Scores depend on the set of searched memories.
fn without_score(item: &Value) -> Value {
    let mut item = item.clone();
    item.as_object_mut().expect("an object").remove("score");
    item
}

async fn found(caller: &Caller, query: &[(&str, &str)]) -> Vec<Value> {
    caller.get_with("/search", query).await.expect(200).items()
}

/// The contents of all matches.
async fn contents(caller: &Caller, query: &[(&str, &str)]) -> BTreeSet<String> {
    let found = found(caller, query).await;
    let items = found.iter().flat_map(|org| org["memories"].as_array().expect("an array"));
    items.map(|item| item["content"].as_str().expect("a text").to_owned()).collect()
}

fn texts(these: &[&str]) -> BTreeSet<String> {
    these.iter().map(|text| (*text).to_owned()).collect()
}

async fn search_over_workspaces_obeys_profiles(on: On) {
    let app = TestApp::new(on).await;
    let org = app.plant("acme\n  dev\n    bot\n  ops").await;
    let admin = app.admin();
    for (workspace, scope, kind, content) in [
        ("bot", "LOCAL", "fact", "own fact"),
        ("bot", "LOCAL", "trace", "own trace"),
        ("dev", "LOCAL", "trace", "lead trace"),
        ("ops", "TEAM", "fact", "sibling fact"),
        ("ops", "TEAM", "trace", "sibling trace"),
        ("acme", "GLOBAL", "fact", "org fact"),
    ] {
        admin.commit_with(org.id(workspace), json!({"scope": scope, "kind": kind, "content": content})).await;
    }
    let profile = |workspace: &str| format!("/workspaces/{0}/profiles/{0}", org.id(workspace));
    let dev = app.viewer(org.id("dev"));
    let everything = ["own fact", "own trace", "lead trace", "sibling fact", "sibling trace", "org fact"];
    assert_eq!(contents(&dev, &[("limit", "20")]).await, texts(&everything));
    // kinds that the author does not recall
    admin.patch(&profile("bot"), json!({"excluded_kinds": ["trace"]})).await.expect(200);
    let without_own = ["own fact", "lead trace", "sibling fact", "sibling trace", "org fact"];
    assert_eq!(contents(&dev, &[("limit", "20")]).await, texts(&without_own));
    assert_eq!(contents(&dev, &[("q", "trace")]).await, texts(&["lead trace", "sibling trace"]));
    // kinds that the bound workspace does not recall
    admin.patch(&profile("dev"), json!({"excluded_kinds": ["trace"]})).await.expect(200);
    assert_eq!(contents(&dev, &[("limit", "20")]).await, texts(&["own fact", "sibling fact", "org fact"]));
    // what the bound workspace does not read outside of its subtree
    admin.patch(&profile("dev"), json!({"isolation": "team"})).await.expect(200);
    assert_eq!(contents(&dev, &[("limit", "20")]).await, texts(&["own fact", "sibling fact"]));
    admin.patch(&profile("dev"), json!({"isolation": "isolated"})).await.expect(200);
    assert_eq!(contents(&dev, &[("limit", "20")]).await, texts(&["own fact"]));
    // memories outside of the profile of their author
    let day = admin.post(&format!("/workspaces/{}/profiles", org.id("bot")), json!({"name": "day"})).await.expect(201);
    let note = json!({"scope": "LOCAL", "content": "day note", "profile_id": day.id("id")});
    admin.commit_with(org.id("bot"), note).await;
    assert_eq!(contents(&dev, &[("limit", "20")]).await, texts(&["own fact", "day note"]));
    admin.patch(&profile("bot"), json!({"isolation": "profile"})).await.expect(200);
    assert_eq!(contents(&dev, &[("limit", "20")]).await, texts(&["own fact"]));
}

async fn search_over_workspaces_bounds_memories_and_orgs(on: On) {
    let app = TestApp::new(on).await;
    let admin = app.admin();
    let mut roots = Vec::new();
    for at in 0..22 {
        app.advance(chrono::TimeDelta::milliseconds(1));
        let root = admin.create(&format!("org {at}"), None).await;
        let most = if at == 0 { 7 } else { 1 };
        for n in 0..most {
            admin.commit(root, "LOCAL", &format!("harbour note {n}")).await;
        }
        roots.push(root);
    }
    // an org without memories costs no search
    admin.create("empty", None).await;
    let first = admin.get("/search?q=harbour").await.expect(200);
    let sizes: Vec<usize> = first.items().iter().map(|org| org["memories"].as_array().map_or(0, Vec::len)).collect();
    assert_eq!(sizes, [vec![5], vec![1; 19]].concat());
    assert_eq!(first.items()[0]["more"], true);
    assert_eq!(first.items()[1]["more"], false);
    let ids: Vec<Uuid> = first.items().iter().map(|org| id_of(org, "workspace_id")).collect();
    assert_eq!(ids, roots[..20]);
    let next = admin.get(&first.next().expect("two orgs are left")).await.expect(200);
    let ids: Vec<Uuid> = next.items().iter().map(|org| id_of(org, "workspace_id")).collect();
    assert_eq!((ids, next.next()), (roots[20..].to_vec(), None));
    let larger = admin.get("/search?q=harbour&limit=1000").await.expect(200).items();
    assert_eq!(larger[0]["memories"].as_array().map(Vec::len), Some(7));
    let none = admin.get("/search?q=zeppelin").await.expect(200);
    assert!(none.items().is_empty() && none.next().is_some(), "orgs without matches are omitted");
    admin.get("/search?cursor=elsewhere").await.refused(400, "invalid_cursor");
    admin.get("/search?scope=LOCAL").await.refused(400, "invalid_field");
}

async fn search_over_workspaces_is_audited_once_per_org(on: On) {
    let app = TestApp::new(on).await;
    let org = app.plant("acme\n  dev\n    bot\nrival").await;
    let admin = app.admin();
    let found =
        [admin.commit(org.id("bot"), "LOCAL", "harbour").await, admin.commit(org.id("dev"), "TEAM", "harbour").await];
    admin.commit(org.id("rival"), "LOCAL", "garden").await;
    admin.get("/search?q=harbour").await.expect(200);
    for (root, expected) in [("acme", BTreeSet::from(found)), ("rival", BTreeSet::new())] {
        let path = format!("/workspaces/{}/access-log?subtree=true&action=search_memories", org.id(root));
        let rows = admin.get(&path).await.expect(200).items();
        assert_eq!(rows.len(), 1, "{rows:?}");
        let memories = rows[0]["memories"].as_array().expect("an array").iter();
        assert_eq!(memories.map(|memory| id_of(memory, "id")).collect::<BTreeSet<_>>(), expected);
        assert_eq!((&rows[0]["context"]["subtree"], id_of(&rows[0], "workspace_id")), (&json!(true), org.id(root)));
        assert!(!rows[0].to_string().contains("harbour"), "{}", rows[0]);
    }
}

async fn search_of_an_agent_is_that_of_its_workspace(on: On) {
    let app = TestApp::new(on).await;
    let org = app.plant("acme\n  dev\n    bot\n  ops\nrival").await;
    for (workspace, scope) in
        [("bot", "LOCAL"), ("dev", "TEAM"), ("dev", "LOCAL"), ("ops", "TEAM"), ("acme", "GLOBAL"), ("rival", "GLOBAL")]
    {
        app.admin().commit(org.id(workspace), scope, &format!("harbour of {workspace}")).await;
    }
    for name in ["bot", "dev", "acme"] {
        let agent = app.agent(org.id(name));
        let found = found(&agent, &[("q", "harbour"), ("limit", "20")]).await;
        let own = agent.search(org.id(name), &[("q", "harbour")]).await.expect(200).items();
        assert_eq!(found.len(), 1);
        assert_eq!(found[0]["memories"], Value::from(own), "{name}");
    }
}
