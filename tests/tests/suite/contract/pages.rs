//! Lists page by cursors, which survive what is inserted meanwhile.

use std::collections::BTreeSet;

use chrono::TimeDelta;
use orgmem_tests::{Caller, On, TestApp, for_each_store, id_of};
use serde_json::json;
use uuid::Uuid;

for_each_store!(
    a_list_of_memories_pages_through_what_was_there_when_it_began,
    a_search_pages_through_what_was_there_when_it_began,
    every_other_list_tells_each_row_once_though_rows_are_added,
    a_page_has_at_most_as_many_rows_as_are_allowed,
);

async fn a_list_of_memories_pages_through_what_was_there_when_it_began(on: On) {
    memories_page(on, "").await;
}

async fn a_search_pages_through_what_was_there_when_it_began(on: On) {
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
    let mut told = Vec::new();
    while let Some(path) = at {
        let page = agent.get(&path).await.expect(200);
        assert!(page.ids().len() == 3 || page.next().is_none(), "{}", page.describe());
        told.extend(page.ids());
        at = page.next();
        // better, newer, pinned: all of it would come first
        let late = json!({"scope": "TEAM", "content": "falcon orbit falcon orbit", "pin": told.len() < 15});
        agent.commit_with(bot, late).await;
    }
    assert_eq!(told.iter().copied().collect::<BTreeSet<_>>(), there);
    assert_eq!(told.len(), there.len(), "one was told twice");
    if query.is_empty() {
        assert_eq!(told, whole, "newest first");
    }
}

async fn every_other_list_tells_each_row_once_though_rows_are_added(on: On) {
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
        let mut told = Vec::new();
        while let Some(path) = at {
            let page = operator.get(&path).await.expect(200);
            told.extend(page.items().iter().map(name));
            at = page.next();
            if told.len() < 6 {
                add(&app, &operator, &agent, (acme, bot), &format!("b{}-{}", told.len(), list.len())).await;
            }
        }
        let unique: BTreeSet<_> = told.iter().collect();
        assert_eq!(unique.len(), told.len(), "{list} tells a row twice: {told:?}");
        let missing: Vec<_> = there.iter().map(name).filter(|name| !unique.contains(name)).collect();
        assert!(missing.is_empty(), "{list} does not tell {missing:?}");
    }
}

/// One more of everything.
async fn add(app: &TestApp, operator: &Caller, agent: &Caller, (acme, bot): (Uuid, Uuid), name: &str) {
    operator.create(name, Some(acme)).await;
    agent.post(&format!("/workspaces/{bot}/memory"), json!({"key": name, "value": 1})).await.expect(200);
    let episode = json!({"activity_type": "agent_log", "summary": format!("lantern {name}")});
    agent.post(&format!("/workspaces/{bot}/activity"), episode).await.expect(201);
    agent.commit(bot, "LOCAL", &format!("lantern of {name}")).await;
    app.advance(TimeDelta::microseconds(1));
}

async fn a_page_has_at_most_as_many_rows_as_are_allowed(on: On) {
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
    // exactly full is not followed by an empty page
    let (all, pages) = agent.all_pages(&at("?limit=30")).await;
    assert_eq!((all.len(), pages), (60, 2));
}
