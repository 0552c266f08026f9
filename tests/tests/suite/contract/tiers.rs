//! Tiers: the filter, and the end of a session in every response.

use orgmem_tests::{On, TestApp, for_each_store};
use serde_json::{Value, json};

for_each_store!(session_only_memory_is_gone_from_the_end_of_its_session, tier_selects_in_lists_searches_and_counts);

async fn session_only_memory_is_gone_from_the_end_of_its_session(on: On) {
    let app = TestApp::new(on).await;
    let org = app.plant("acme\n  bot\n  peer").await;
    let (bot, peer) = (org.id("bot"), org.id("peer"));
    let (agent, at) = (app.agent(bot), |rest: &str| format!("/workspaces/{bot}{rest}"));
    let lone = json!({"content": "x", "scope": "LOCAL", "session_only": true});
    let refused = agent.post(&at("/memories"), lone).await.refused(400, "invalid_field");
    assert_eq!(refused["field"], "session_only", "{refused}");
    let memory = |content: &str, session_only: bool| json!({"content": content, "scope": "TEAM", "session_id": "call/7", "session_only": session_only});
    let going = agent.commit_with(bot, memory("the compass goes", true)).await;
    let moved = agent.commit_with(bot, memory("the compass is promoted", true)).await;
    let stays = agent.commit_with(bot, memory("the compass stays", false)).await;
    let clear = json!({"session_id": null});
    agent.patch(&at(&format!("/memories/{moved}")), clear).await.refused(400, "invalid_field");
    agent.patch(&at(&format!("/memories/{moved}")), json!({"session_only": false})).await.expect(200);
    let found = |reader| {
        let app = &app;
        async move { app.agent(reader).search(reader, &[("q", "compass")]).await.ids() }
    };
    assert!(found(peer).await.contains(&going));
    let ended = agent.post(&at("/sessions/call%2F7/end"), Value::Null).await.expect(200).json();
    assert_eq!(ended, json!({"session_id": "call/7", "ended": 1}));
    for reader in [bot, peer] {
        let mut ids = found(reader).await;
        let mut expected = vec![moved, stays];
        ids.sort_unstable();
        expected.sort_unstable();
        assert_eq!(ids, expected);
    }
    agent.get(&at(&format!("/memories/{going}"))).await.refused(404, "not_found");
    let why = app.admin().get(&at(&format!("/memories/{going}/why?q=compass"))).await.expect(200).json();
    assert_eq!((&why["cause"], &why["rule"]), (&json!("expired"), &json!("session_end")));
    let again = agent.post(&at("/sessions/call%2F7/end"), Value::Null).await.expect(200).json();
    assert_eq!(again["ended"], 0);
    app.agent(peer).post(&at("/sessions/call%2F7/end"), Value::Null).await.refused(403, "forbidden");
}

async fn tier_selects_in_lists_searches_and_counts(on: On) {
    let app = TestApp::new(on).await;
    let bot = app.plant("acme\n  bot").await.id("bot");
    let agent = app.agent(bot);
    let memory = |fields: Value| {
        let mut memory = json!({"content": "deploys happen on tuesdays", "scope": "LOCAL"});
        memory.as_object_mut().expect("an object").extend(fields.as_object().expect("an object").clone());
        memory
    };
    let tenant = agent.commit_with(bot, memory(json!({"session_id": "s"}))).await;
    let user = agent.commit_with(bot, memory(json!({"subject": "ada"}))).await;
    let session =
        agent.commit_with(bot, memory(json!({"subject": "ada", "session_id": "s", "session_only": true}))).await;
    let document = json!({"title": "Deploys", "content": "deploys happen on tuesdays", "scope": "LOCAL"});
    agent.post(&format!("/workspaces/{bot}/documents"), document).await.expect(201);
    for (tier, id) in [("tenant", tenant), ("user", user), ("session", session)] {
        for query in [vec![("tier", tier)], vec![("tier", tier), ("q", "deploys")]] {
            let items = agent.search(bot, &query).await.items();
            assert_eq!(
                items.iter().map(|item| (&item["id"], &item["tier"])).collect::<Vec<_>>(),
                [(&json!(id), &json!(tier))]
            );
            let path = orgmem_tests::with_query(&format!("/workspaces/{bot}/memories/count"), &query);
            assert_eq!(agent.get(&path).await.expect(200).json(), json!({"count": 1}));
        }
    }
    let passages = agent.search(bot, &[("tier", "knowledge"), ("q", "deploys")]).await.items();
    assert_eq!(passages.iter().map(|item| &item["tier"]).collect::<Vec<_>>(), ["knowledge"]);
    for query in [[("tier", "knowledge"), ("in", "memories")], [("tier", "user"), ("in", "documents")]] {
        let path = orgmem_tests::with_query(&format!("/workspaces/{bot}/memories"), &query);
        agent.get(&path).await.refused(400, "invalid_field");
    }
}
