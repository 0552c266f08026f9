//! Queries as people type them, and statements that changed.

use chrono::TimeDelta;
use orgmem_tests::{Caller, On, TestApp, for_each_store, id_of};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::mcp::use_tool;

for_each_store!(
    result_names_what_the_words_were_understood_as,
    word_of_an_unreadable_memory_is_neither_found_nor_named,
    word_of_a_removed_memory_is_neither_found_nor_named,
    quoted_question_is_explained_by_its_words,
    newest_version_comes_first_and_is_named_by_the_older_one,
    unreadable_version_changes_nothing,
);

async fn found(caller: &Caller, workspace: Uuid, query: &str) -> Vec<Value> {
    caller.get(&format!("/workspaces/{workspace}/memories?{query}")).await.expect(200).items()
}

fn ids(items: &[Value]) -> Vec<Uuid> {
    items.iter().map(|item| id_of(item, "id")).collect()
}

async fn result_names_what_the_words_were_understood_as(on: On) {
    let app = TestApp::new(on).await;
    let bot = app.plant("acme\n  bot").await.id("bot");
    let agent = app.agent(bot);
    let cluster = agent.commit(bot, "LOCAL", "the kubernetes cluster runs in Frankfurt").await;
    let other = agent.commit(bot, "LOCAL", "the cluster of grapes is ripe").await;
    let items = found(&agent, bot, "q=Kuberentes+cluster").await;
    assert_eq!(ids(&items), [cluster, other]);
    assert_eq!(items[0]["understood"], json!({"kuberentes": "kubernetes"}));
    assert_eq!(items[1].get("understood"), None);
    let items = found(&agent, bot, "q=kube").await;
    assert_eq!((ids(&items), &items[0]["understood"]), (vec![cluster], &json!({"kube": "kube*"})));
    for query in ["q=kubernetes", "q=kubernetes+cluster&explain=true", ""] {
        assert!(found(&agent, bot, query).await.iter().all(|item| item.get("understood").is_none()), "{query}");
    }
    let count = agent.get(&format!("/workspaces/{bot}/memories/count?q=Kuberentes")).await.expect(200).json();
    assert_eq!(count, json!({"count": 1}));
    let why = agent.get(&format!("/workspaces/{bot}/memories/{cluster}/why?q=Kuberentes")).await.expect(200).json();
    assert_eq!((&why["cause"], &why["rank"]), (&json!("found"), &json!(1)));
    let orgs = app.viewer(bot).get("/search?q=Kuberentes").await.expect(200).items();
    assert_eq!(orgs[0]["memories"][0]["understood"], json!({"kuberentes": "kubernetes"}));
    let result = use_tool(&agent, "search_memory", json!({"query": "Kuberentes"})).await;
    assert_eq!(result["structuredContent"]["understood"], json!({"kuberentes": "kubernetes"}));
    let text = result["content"][0]["text"].as_str().expect("text");
    assert!(text.starts_with("understood kuberentes as kubernetes\n"), "{text}");
    let result = use_tool(&agent, "search_memory", json!({"query": "kubernetes"})).await;
    assert_eq!(result["structuredContent"].get("understood"), None);
}

async fn word_of_an_unreadable_memory_is_neither_found_nor_named(on: On) {
    let app = TestApp::new(on).await;
    let org = app.plant("acme\n  lead\n    bot\n    peer\nother\n  stranger").await;
    let bot = org.id("bot");
    for (author, text) in [("peer", "kubernetes is my secret"), ("stranger", "kubernetes in another org")] {
        app.agent(org.id(author)).commit(org.id(author), "LOCAL", text).await;
    }
    let own = app.agent(bot).commit(bot, "LOCAL", "the gateway is open").await;
    for query in
        ["q=kuberentes", "q=kube", "q=kubernets&explain=true", "q=secretkubernetes", "q=%22my+kubernetes+secret%22"]
    {
        let items = found(&app.agent(bot), bot, query).await;
        assert_eq!(items, [] as [Value; 0], "{query}");
    }
    let items = found(&app.agent(bot), bot, "q=kuberentes+gatway").await;
    assert_eq!((ids(&items), &items[0]["understood"]), (vec![own], &json!({"gatway": "gateway"})));
}

async fn word_of_a_removed_memory_is_neither_found_nor_named(on: On) {
    let app = TestApp::new(on).await;
    let bot = app.plant("acme\n  bot").await.id("bot");
    let (agent, admin) = (app.agent(bot), app.admin());
    let [deleted, redacted] = ["the kubernetes cluster", "the grafana board"];
    let deleted = agent.commit(bot, "LOCAL", deleted).await;
    let redacted = agent.commit(bot, "LOCAL", redacted).await;
    agent.commit(bot, "LOCAL", "the cluster of grapes").await;
    assert_eq!(ids(&found(&agent, bot, "q=kuberentes").await), [deleted]);
    assert_eq!(ids(&found(&agent, bot, "q=grafanna").await), [redacted]);
    agent.delete(&format!("/workspaces/{bot}/memories/{deleted}")).await.expect(200);
    admin.post(&format!("/workspaces/{bot}/memories/{redacted}/redact"), json!({"reason": "a slip"})).await.expect(200);
    for query in ["q=kuberentes", "q=grafanna", "q=kube", "q=graf"] {
        assert_eq!(found(&agent, bot, query).await, [] as [Value; 0], "{query}");
    }
}

async fn quoted_question_is_explained_by_its_words(on: On) {
    let app = TestApp::new(on).await;
    let bot = app.plant("acme\n  bot").await.id("bot");
    let agent = app.agent(bot);
    let memory = agent.commit(bot, "LOCAL", "the maintenance window is on Sundays").await;
    let query = "q=%22When+is+the+maintenance+window%3F%22";
    let items = found(&agent, bot, query).await;
    assert_eq!(ids(&items), [memory]);
    let words = "when is the maintenance window";
    assert_eq!(items[0]["understood"], json!({format!("\"{words}\""): words}));
    let why = agent.get(&format!("/workspaces/{bot}/memories/{memory}/why?{query}")).await.expect(200).json();
    assert_eq!(why["cause"], "found");
    assert_eq!(ids(&found(&agent, bot, "q=%22maintenance+window%22").await), [memory]);
    assert_eq!(found(&agent, bot, "q=%22purple+elephant%22").await, [] as [Value; 0]);
}

async fn newest_version_comes_first_and_is_named_by_the_older_one(on: On) {
    let app = TestApp::new(on).await;
    let bot = app.plant("acme\n  bot").await.id("bot");
    let agent = app.agent(bot);
    let older = json!({"scope": "LOCAL", "content": "The Acme office is in Lisbon.", "pin": true, "confidence": 1.0});
    let older = agent.commit_with(bot, older).await;
    app.advance(TimeDelta::minutes(1));
    let newer = agent.commit(bot, "LOCAL", "The Acme office is in Riga now, since this week.").await;
    app.advance(TimeDelta::minutes(1));
    let other = agent.commit(bot, "LOCAL", "The Borealis office is in Turin.").await;
    let items = found(&agent, bot, "q=where+is+the+Acme+office%3F&explain=true").await;
    assert_eq!(ids(&items), [newer, older, other]);
    assert_eq!(items[1]["outdated_by"], json!(newer));
    assert!([0, 2].iter().all(|at| items[*at].get("outdated_by").is_none()));
    for item in &items {
        let parts = item["explanation"]["parts"].as_array().expect("parts");
        let sum: f64 = parts.iter().map(|part| part["value"].as_f64().expect("a number")).sum();
        assert!((sum - item["score"].as_f64().expect("a score")).abs() < 1e-9, "{item}");
    }
    let explained = |at: usize| items[at]["explanation"]["parts"].to_string().contains("\"version\"");
    assert_eq!([0, 1, 2].map(explained), [true, true, false]);
    let why = agent.get(&format!("/workspaces/{bot}/memories/{older}/why?q=Acme+office")).await.expect(200).json();
    assert_eq!(why["rank"], 2);
    let newest = found(&agent, bot, "q=Acme+office&order=recent").await;
    assert!(newest.iter().all(|item| item.get("outdated_by").is_none()));
}

async fn unreadable_version_changes_nothing(on: On) {
    let app = TestApp::new(on).await;
    let org = app.plant("acme\n  lead\n    bot\n    peer").await;
    let (bot, peer) = (org.id("bot"), org.id("peer"));
    let own = app.agent(bot).commit(bot, "LOCAL", "The Acme office is in Lisbon.").await;
    app.advance(TimeDelta::minutes(1));
    app.agent(peer).commit(peer, "LOCAL", "The Acme office is in Riga.").await;
    let items = found(&app.agent(bot), bot, "q=Acme+office").await;
    assert_eq!((ids(&items), items[0].get("outdated_by")), (vec![own], None));
    let shared = app.agent(peer).commit(peer, "TEAM", "The Acme office is in Turin.").await;
    let items = found(&app.agent(bot), bot, "q=Acme+office").await;
    assert_eq!((ids(&items), &items[1]["outdated_by"]), (vec![shared, own], &json!(shared)));
}
