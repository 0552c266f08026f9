//! Pagination by cursors, during concurrent inserts.

use std::collections::BTreeSet;

use chrono::TimeDelta;
use orgmem_tests::{Caller, On, TestApp, for_each_store, id_of};
use serde_json::json;
use uuid::Uuid;

for_each_store!(
    memory_list_pages_through_its_initial_state,
    search_pages_through_its_initial_state,
    other_lists_return_each_row_once_during_inserts,
    page_size_is_limited,
);

async fn memory_list_pages_through_its_initial_state(on: On) {
    memories_page(on, "").await;
}

async fn search_pages_through_its_initial_state(on: On) {
    memories_page(on, "&q=falcon+orbit").await;
}

async fn memories_page(on: On, query: &str) {
    let app = TestApp::new(on).await;
    let org = app.plant("acme\n  bot\n  peer").await;
    let (bot, peer) = (org.id("bot"), org.id("peer"));
    let mut there = BTreeSet::new();
    for number in 0..20 {
        app.advance(TimeDelta::milliseconds(number % 3));
        let (author, words) = if number % 2 == 0 { (bot, "falcon orbit") } else { (peer, "falcon") };
        there.insert(app.agent(author).commit(author, "TEAM", &format!("{words} {number}")).await);
    }
    let agent = app.agent(bot);
    let whole = agent.get(&format!("/workspaces/{bot}/memories?limit=50{query}")).await.expect(200).ids();
    let mut at = Some(format!("/workspaces/{bot}/memories?limit=3{query}"));
    let mut listed = Vec::new();
    while let Some(path) = at {
        let page = agent.get(&path).await.expect(200);
        assert!(page.ids().len() == 3 || page.next().is_none(), "{}", page.describe());
        listed.extend(page.ids());
        at = page.next();
        // better, newer and pinned memories would come first
        let late = json!({"scope": "TEAM", "content": "falcon orbit falcon orbit", "pin": listed.len() < 15});
        agent.commit_with(bot, late).await;
    }
    assert_eq!(listed.iter().copied().collect::<BTreeSet<_>>(), there);
    assert_eq!(listed.len(), there.len(), "duplicate row");
    if query.is_empty() {
        assert_eq!(listed, whole, "newest first");
    }
}

async fn other_lists_return_each_row_once_during_inserts(on: On) {
    let app = TestApp::new(on).await;
    let org = app.plant("acme\n  bot").await;
    let (acme, bot) = (org.id("acme"), org.id("bot"));
    let (operator, agent) = (app.operator(acme), app.agent(bot));
    for number in 0..7 {
        app.advance(TimeDelta::milliseconds(number % 2));
        add(&app, &operator, &agent, (acme, bot), &format!("a{number}")).await;
    }
    for (list, key) in [
        ("/workspaces?limit=2".to_owned(), "id"),
        (format!("/workspaces?limit=2&parent={acme}"), "id"),
        (format!("/workspaces/{bot}/memory?limit=2"), "key"),
        (format!("/workspaces/{bot}/activity?limit=2"), "id"),
        (format!("/workspaces/{bot}/session-search?limit=2"), "id"),
        (format!("/workspaces/{bot}/session-search?limit=2&q=lantern&order=relevance"), "id"),
    ] {
        let name = |item: &serde_json::Value| item[key].as_str().unwrap_or_default().to_owned();
        let (there, pages) = operator.all_pages(&list).await;
        assert!(pages >= there.len() / 2, "{list}");
        let mut at = Some(list.clone());
        let mut listed = Vec::new();
        while let Some(path) = at {
            let page = operator.get(&path).await.expect(200);
            listed.extend(page.items().iter().map(name));
            at = page.next();
            if listed.len() < 6 {
                add(&app, &operator, &agent, (acme, bot), &format!("b{}-{}", listed.len(), list.len())).await;
            }
        }
        let unique: BTreeSet<_> = listed.iter().collect();
        assert_eq!(unique.len(), listed.len(), "{list} returns a row twice: {listed:?}");
        let missing: Vec<_> = there.iter().map(name).filter(|name| !unique.contains(name)).collect();
        assert!(missing.is_empty(), "{list} does not tell {missing:?}");
    }
}

/// Adds one row to each list.
async fn add(app: &TestApp, operator: &Caller, agent: &Caller, (acme, bot): (Uuid, Uuid), name: &str) {
    operator.create(name, Some(acme)).await;
    agent.post(&format!("/workspaces/{bot}/memory"), json!({"key": name, "value": 1})).await.expect(200);
    let episode = json!({"activity_type": "agent_log", "summary": format!("lantern {name}")});
    agent.post(&format!("/workspaces/{bot}/activity"), episode).await.expect(201);
    agent.commit(bot, "LOCAL", &format!("lantern of {name}")).await;
    app.advance(TimeDelta::microseconds(1));
}

async fn page_size_is_limited(on: On) {
    let app = TestApp::new(on).await;
    let org = app.plant("acme\n  bot").await;
    let bot = org.id("bot");
    let agent = app.agent(bot);
    let memories: Vec<_> = (0..60).map(|n| json!({"content": format!("canvas {n}"), "scope": "LOCAL"})).collect();
    agent.post(&format!("/workspaces/{bot}/memories/batch"), json!({"memories": memories})).await.expect(200);
    let at = |limit: &str| format!("/workspaces/{bot}/memories{limit}");
    for (limit, rows) in
        [("", 50), ("?limit=50", 50), ("?limit=51", 50), ("?limit=18446744073709551615", 50), ("?limit=2", 2)]
    {
        let page = agent.get(&at(limit)).await.expect(200);
        assert_eq!(page.items().len(), rows, "{limit}");
        assert!(page.next().is_some(), "{limit}");
    }
    let (all, pages) = agent.all_pages(&at("?limit=7")).await;
    assert_eq!((all.len(), pages), (60, 9));
    let ids: BTreeSet<_> = all.iter().map(|item| id_of(item, "id")).collect();
    assert_eq!(ids.len(), 60);
    // a full last page is not followed by an empty one
    let (all, pages) = agent.all_pages(&at("?limit=30")).await;
    assert_eq!((all.len(), pages), (60, 2));
}
