//! Isolation by profiles, at every entry point.

use orgmem_tests::{On, TestApp, for_each_store};
use serde_json::{Value, json};
use uuid::Uuid;

use super::profiles::{make, set};

for_each_store!(
    isolation_applies_at_every_entry_point,
    isolation_affects_only_the_reader,
    lifted_isolation_takes_effect_immediately,
);

struct Shared {
    app: TestApp,
    bot: Uuid,
    /// Memories of the bot, of its team, and of the root for all.
    own: Uuid,
    team: Uuid,
    global: Uuid,
}

async fn shared(on: On) -> Shared {
    let app = TestApp::new(on).await;
    let org = app.plant("acme\n  dev\n    bot\n    peer").await;
    let (acme, bot, peer) = (org.id("acme"), org.id("bot"), org.id("peer"));
    let own = app.agent(bot).commit(bot, "TEAM", "the lantern is mine").await;
    let team = app.agent(peer).commit(peer, "TEAM", "a lantern of the peer").await;
    let global = app.agent(acme).commit(acme, "GLOBAL", "every lantern of the org").await;
    Shared { app, bot, own, team, global }
}

impl Shared {
    /// The visible memories of the three, at every entry point.
    async fn visible(&self) -> Vec<Uuid> {
        let (agent, bot) = (self.app.agent(self.bot), self.bot);
        let mut visible: Vec<Vec<Uuid>> = Vec::new();
        for caller in [agent.clone(), self.app.viewer(bot), self.app.admin()] {
            for query in [&[("q", "lantern")][..], &[], &[("order", "confidence")]] {
                visible.push(caller.search(bot, query).await.ids());
            }
            let count = caller.get(&format!("/workspaces/{bot}/memories/count")).await.expect(200).json();
            assert_eq!(count["count"], visible[0].len());
            let mut by_id = Vec::new();
            for id in [self.own, self.team, self.global] {
                let read = caller.get(&format!("/workspaces/{bot}/memories/{id}")).await;
                let history = caller.get(&format!("/workspaces/{bot}/memories/{id}/history")).await;
                assert_eq!(read.status, history.status);
                if read.status == 200 {
                    by_id.push(id);
                } else {
                    read.refused(404, "not_found");
                }
            }
            visible.push(by_id);
        }
        let events = agent.subscribe(&format!("/workspaces/{bot}/events?follow=false"), Some(0)).await.rest().await;
        let committed = events.iter().filter(|event| event.event == "memory_committed");
        visible.push(
            committed.map(|event| event.data["memory_id"].as_str().expect("an id").parse().expect("an id")).collect(),
        );
        let call = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {
            "name": "search_memory", "arguments": {"query": "lantern"}}});
        let found = agent.request("POST", &format!("/workspaces/{bot}/mcp")).json(call);
        let found = found.header("accept", "application/json, text/event-stream").send_unchecked().await;
        let text = String::from_utf8(found.body).expect("text");
        let by_tool = [self.own, self.team, self.global].into_iter().filter(|id| text.contains(&id.to_string()));
        visible.push(by_tool.collect());
        for ids in &mut visible {
            ids.sort_unstable();
            assert_eq!(*ids, in_first_order(ids), "{text}");
        }
        let first = visible[0].clone();
        assert!(visible.iter().all(|ids| *ids == first), "{visible:?} {text}");
        first
    }

    async fn why(&self, id: Uuid) -> Value {
        let path = format!("/workspaces/{}/memories/{id}/why", self.bot);
        self.app.admin().get(&path).await.expect(200).json()["cause"].clone()
    }
}

fn in_first_order(ids: &[Uuid]) -> Vec<Uuid> {
    let mut ids = ids.to_vec();
    ids.dedup();
    ids
}

fn sorted(mut ids: Vec<Uuid>) -> Vec<Uuid> {
    ids.sort_unstable();
    ids
}

async fn isolation_applies_at_every_entry_point(on: On) {
    let fixture = shared(on).await;
    let (own, team, global) = (fixture.own, fixture.team, fixture.global);
    assert_eq!(fixture.visible().await, sorted(vec![own, team, global]));
    set(&fixture.app, fixture.bot, json!({"isolation": "team"})).await;
    assert_eq!(fixture.visible().await, sorted(vec![own, team]));
    assert_eq!(fixture.why(global).await, "isolated");
    set(&fixture.app, fixture.bot, json!({"isolation": "isolated"})).await;
    assert_eq!(fixture.visible().await, [own]);
    assert_eq!((fixture.why(team).await, fixture.why(own).await), (json!("isolated"), json!("found")));
    let path = format!("/workspaces/{}/memories/{team}/why", fixture.bot);
    fixture.app.agent(fixture.bot).get(&path).await.refused(404, "not_found");
    let reach = fixture.app.admin().get(&format!("/workspaces/{}/reach", fixture.bot)).await.expect(200).json();
    let reads = reach["reads"].as_array().expect("rows").iter().filter(|row| row["workspace_id"] != json!(fixture.bot));
    assert_eq!(reads.count(), 0, "{reach}");
}

async fn isolation_affects_only_the_reader(on: On) {
    let fixture = shared(on).await;
    set(&fixture.app, fixture.bot, json!({"isolation": "isolated"})).await;
    let org = fixture.app.admin().get(&format!("/workspaces/{}", fixture.bot)).await.expect(200).json();
    let dev: Uuid = org["parent_id"].as_str().expect("a parent").parse().expect("an id");
    // others still read the memories that it shares
    let found = fixture.app.agent(dev).search(dev, &[("q", "lantern")]).await.ids();
    assert!(found.contains(&fixture.own), "{found:?}");
    let relation =
        fixture.app.admin().get(&format!("/workspaces/{}/reach/{dev}", fixture.bot)).await.expect(200).json();
    let team = relation["rows"].as_array().expect("rows").iter().find(|row| row["scope"] == "TEAM").expect("a row");
    assert_eq!((&team["reads"], &team["read_by"]), (&json!(false), &json!(true)), "{relation}");
    assert!(team["reads_reason"].as_str().expect("a reason").contains("isolation `isolated`"), "{team}");
}

async fn lifted_isolation_takes_effect_immediately(on: On) {
    let fixture = shared(on).await;
    let all = sorted(vec![fixture.own, fixture.team, fixture.global]);
    for _ in 0..3 {
        set(&fixture.app, fixture.bot, json!({"isolation": "isolated"})).await;
        assert_eq!(fixture.app.agent(fixture.bot).search(fixture.bot, &[]).await.ids(), [fixture.own]);
        set(&fixture.app, fixture.bot, json!({"isolation": "tree"})).await;
        assert_eq!(sorted(fixture.app.agent(fixture.bot).search(fixture.bot, &[]).await.ids()), all);
        // a replaced default profile lifts it too
        let strict = json!({"name": format!("strict {}", Uuid::new_v4()), "isolation": "isolated", "is_default": true});
        make(&fixture.app.admin(), fixture.bot, strict).await;
        assert_eq!(fixture.app.agent(fixture.bot).search(fixture.bot, &[]).await.ids(), [fixture.own]);
    }
}
