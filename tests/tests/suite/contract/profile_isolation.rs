//! The isolation `profile`: a workspace reads only what was committed into the profile.

use orgmem_tests::{Caller, On, TestApp, for_each_store, id_of};
use serde_json::{Value, json};
use uuid::Uuid;

use super::profiles::{make, profiles};

for_each_store!(
    isolated_default_profile_reads_only_its_memories_at_every_entry_point,
    context_of_an_isolated_profile_has_only_its_memories,
    search_in_an_isolated_profile_is_independent_of_other_memories,
    default_profile_stays_listed_when_another_becomes_the_default,
);

/// A bot with memories in its default profile and in the profile `night`, and readable memories of others.
struct Fixture {
    app: TestApp,
    bot: Uuid,
    agent: Caller,
    night: Uuid,
    /// Of the profile `night`.
    inside: Uuid,
    /// Own, of the default profile.
    outside: Uuid,
    /// Of other workspaces.
    others: [Uuid; 2],
}

impl Fixture {
    async fn new(on: On) -> Self {
        let app = TestApp::new(on).await;
        let org = app.plant("acme\n  bot\n  peer").await;
        let (acme, bot, peer) = (org.id("acme"), org.id("bot"), org.id("peer"));
        let night = make(&app.admin(), bot, json!({"name": "night", "isolation": "profile"})).await;
        let agent = app.agent(bot);
        let outside = agent.commit(bot, "LOCAL", "the lighthouse is white").await;
        let inside = json!({"content": "the lighthouse is lit", "scope": "LOCAL", "profile_id": night});
        let inside = agent.commit_with(bot, inside).await;
        let others = [
            app.agent(peer).commit(peer, "TEAM", "the lighthouse of the peer").await,
            app.agent(acme).commit(acme, "GLOBAL", "every lighthouse is inspected").await,
        ];
        Self { app, bot, agent, night, inside, outside, others }
    }

    async fn make_night_the_default(&self) {
        let at = profiles(self.bot, &format!("/{}", self.night));
        self.app.admin().patch(&at, json!({"is_default": true})).await.expect(200);
    }

    fn memories(&self, rest: &str) -> String {
        format!("/workspaces/{}/memories{rest}", self.bot)
    }
}

async fn isolated_default_profile_reads_only_its_memories_at_every_entry_point(on: On) {
    let fixture = Fixture::new(on).await;
    let Fixture { app, bot, agent, night, inside, outside, others } = &fixture;
    let day = make(&app.admin(), *bot, json!({"name": "day"})).await;
    let elsewhere = json!({"content": "the lighthouse keeper sleeps", "scope": "TEAM", "profile_id": day});
    let elsewhere = agent.commit_with(*bot, elsewhere).await;
    assert_eq!(agent.search(*bot, &[("q", "lighthouse")]).await.ids().len(), 5);
    fixture.make_night_the_default().await;
    // a memory without a profile belongs to the current default
    let mut expected = [*inside, *outside];
    expected.sort_unstable();
    for caller in [agent.clone(), app.viewer(*bot), app.admin()] {
        for query in [&[("q", "lighthouse")][..], &[], &[("q", "lighthouse"), ("order", "recent")]] {
            let mut found = caller.search(*bot, query).await.ids();
            found.sort_unstable();
            assert_eq!(found, expected, "{query:?}");
        }
        let count = caller.get(&fixture.memories("/count?q=lighthouse")).await.expect(200).json();
        assert_eq!(count["count"], 2);
        for hidden in [elsewhere, others[0], others[1]] {
            for rest in ["", "/history"] {
                caller.get(&fixture.memories(&format!("/{hidden}{rest}"))).await.refused(404, "not_found");
            }
        }
        caller.get(&fixture.memories(&format!("/{inside}"))).await.expect(200);
        let session = caller.get(&format!("/workspaces/{bot}/session-search?kind=memory")).await.expect(200).items();
        let mut session: Vec<Uuid> = session.iter().map(|hit| id_of(hit, "id")).collect();
        session.sort_unstable();
        assert_eq!(session, expected);
        let words = caller.get(&format!("/workspaces/{bot}/session-search?kind=memory&q=keeper")).await.expect(200);
        assert_eq!(words.items(), Vec::<Value>::new());
        let summary = caller.get(&profiles(*bot, &format!("/{day}/summary"))).await.expect(200).json();
        assert_eq!((&summary["count"], &summary["summary"]), (&json!(0), &json!("")));
    }
    for hidden in [elsewhere, others[0]] {
        let why = app.admin().get(&fixture.memories(&format!("/{hidden}/why?q=lighthouse"))).await.expect(200).json();
        assert_eq!((&why["cause"], &why["readable"]), (&json!("isolated"), &json!(false)), "{why}");
        assert!(why["reason"].as_str().is_some_and(|reason| reason.contains("isolation `profile`")), "{why}");
    }
    let events = agent.subscribe(&format!("/workspaces/{bot}/events?follow=false"), Some(0)).await.rest().await;
    let named = |id: &Uuid| events.iter().any(|event| event.data["memory_id"] == json!(id));
    assert!(expected.iter().all(named) && ![elsewhere, others[0], others[1]].iter().any(named));
    // a memory outside the profile can still be deleted
    agent.delete(&fixture.memories(&format!("/{elsewhere}"))).await.expect(200);
    let invalid = json!({"name": "x", "isolation": "profile", "injection": {"scopes": ["GLOBAL"]}});
    app.admin().post(&profiles(*bot, ""), invalid).await.refused(400, "invalid_field");
    assert_eq!(app.admin().get(&profiles(*bot, &format!("/{night}"))).await.json()["isolation"], "profile");
}

async fn context_of_an_isolated_profile_has_only_its_memories(on: On) {
    let fixture = Fixture::new(on).await;
    let Fixture { app, bot, agent, night, inside, outside, others } = &fixture;
    let ids = |context: &Value, list: &str, name: &str| -> Vec<Uuid> {
        context[list].as_array().expect("a list").iter().map(|item| id_of(item, name)).collect()
    };
    let path = format!("/workspaces/{bot}/context");
    for request in [json!({"profile_id": night}), json!({"profile_id": night, "query": "lighthouse"})] {
        let context = agent.post(&path, request.clone()).await.expect(200).json();
        assert_eq!(ids(&context, "entries", "id"), [*inside], "{request}");
        let shown = app.admin().post(&path, request.clone()).await.expect(200).json();
        let mut left_out = ids(&shown, "left_out", "memory_id");
        left_out.sort_unstable();
        let mut hidden = [*outside, others[0], others[1]];
        hidden.sort_unstable();
        assert_eq!(left_out, hidden, "{request}");
        assert!(shown["left_out"].as_array().expect("a list").iter().all(|item| item["why"] == "isolation"), "{shown}");
    }
    // a memory belongs to one profile, so two isolated profiles have no common memory
    fixture.make_night_the_default().await;
    let day = make(&app.admin(), *bot, json!({"name": "day", "isolation": "profile"})).await;
    let context = agent.post(&path, json!({"profile_id": day})).await.expect(200).json();
    assert_eq!(context["block"], "");
}

async fn search_in_an_isolated_profile_is_independent_of_other_memories(on: On) {
    let mut pages = Vec::new();
    for with_others in [true, false] {
        let app = TestApp::new(on).await;
        let bot = app.plant("acme\n  bot").await.id("bot");
        let agent = app.agent(bot);
        let night = make(&app.admin(), bot, json!({"name": "night", "isolation": "profile", "is_default": true})).await;
        let day = make(&app.admin(), bot, json!({"name": "day"})).await;
        for (number, content) in ["falcon canvas", "falcon falcon pepper", "canvas lantern"].into_iter().enumerate() {
            let id = Uuid::from_u128(100 + number as u128);
            agent.commit_with(bot, json!({"id": id, "content": content, "scope": "LOCAL", "profile_id": night})).await;
            for number in 0..if with_others { 5 } else { 0 } {
                let content = format!("canvas lantern {number}");
                let other = json!({"content": content, "scope": "LOCAL", "profile_id": day, "session_id": "s"});
                agent.commit_with(bot, other).await;
            }
        }
        let mut found = Vec::new();
        for query in ["?q=canvas+lantern+falcon", "?q=fal*", "?q=canvas&neighbours=2", "?q=lantern&collapse=true"] {
            let (items, _) = agent.all_pages(&format!("/workspaces/{bot}/memories{query}")).await;
            assert!(!items.is_empty(), "{query}");
            let facts = |item: &Value| (item["id"].clone(), item["score"].clone(), item.get("neighbours").cloned());
            found.extend(items.iter().map(facts));
        }
        pages.push(found);
    }
    assert_eq!(pages[0], pages[1]);
}

async fn default_profile_stays_listed_when_another_becomes_the_default(on: On) {
    let app = TestApp::new(on).await;
    let bot = app.plant("acme\n  bot").await.id("bot");
    let admin = app.admin();
    let listed = async || -> Vec<(Uuid, String, bool)> {
        let all = admin.get(&profiles(bot, "")).await.expect(200).items();
        let row = |item: &Value| {
            (id_of(item, "id"), item["name"].as_str().expect("a name").to_owned(), item["is_default"] == true)
        };
        all.iter().map(row).collect()
    };
    assert_eq!(listed().await, [(bot, "default".to_owned(), true)]);
    // its name is taken, also for the profile that replaces it
    let namesake = json!({"name": "default", "is_default": true});
    admin.post(&profiles(bot, ""), namesake).await.refused(409, "profile_named");
    let quiet = make(&admin, bot, json!({"name": "quiet", "is_default": true})).await;
    let expected = [(quiet, "quiet".to_owned(), true), (bot, "default".to_owned(), false)];
    assert_eq!(listed().await, expected);
    let read = admin.get(&profiles(bot, &format!("/{bot}"))).await.expect(200).json();
    assert_eq!((&read["name"], &read["is_default"]), (&json!("default"), &json!(false)));
    // it can become the default again, by its id
    admin.patch(&profiles(bot, &format!("/{bot}")), json!({"is_default": true})).await.expect(200);
    assert_eq!(listed().await, [(bot, "default".to_owned(), true), (quiet, "quiet".to_owned(), false)]);
    admin.patch(&profiles(bot, &format!("/{quiet}")), json!({"is_default": true})).await.expect(200);
    admin.delete(&profiles(bot, &format!("/{bot}"))).await.expect(200);
    assert_eq!(listed().await, [(quiet, "quiet".to_owned(), true)]);
}
