//! Event streams: each visible event once and in order, and a resync after a gap.

use std::collections::HashSet;

use orgmem_tests::generators::Seeded;
use orgmem_tests::{Caller, Event, On, TestApp, for_each_store, id_of};
use serde_json::{Value, json};
use uuid::Uuid;

for_each_store!(
    resumed_stream_has_every_event_once_and_in_order,
    no_event_is_missed_after_disconnections_at_any_event,
    subscribers_receive_only_visible_events,
    stream_without_memories_records_no_read,
    deleted_memory_has_no_content_in_events,
    subscriber_behind_retention_receives_resync,
    invalid_event_id_is_refused,
    stream_ends_with_its_token_or_workspace,
    move_changes_the_visible_events,
    head_request_opens_no_stream,
);

fn stream(of: Uuid, query: &str) -> String {
    format!("/workspaces/{of}/events{query}")
}

/// The events after `after`, from a stream that ends there.
async fn events_after(caller: &Caller, of: Uuid, query: &str, after: i64) -> Vec<Event> {
    let mut received = caller.subscribe(&stream(of, query), Some(after)).await.rest().await;
    assert_eq!(received.remove(0).event, "ready");
    received
}

fn kinds(received: &[Event]) -> Vec<&str> {
    received.iter().map(|received| received.event.as_str()).collect()
}

async fn resumed_stream_has_every_event_once_and_in_order(on: On) {
    const WRITERS: usize = 8;
    const EACH: usize = 25;
    let app = TestApp::new(on).await;
    let second = if on == On::Postgres { Some(app.second_server().await) } else { None };
    let org = app.plant("acme\n  dev\n    bot\n    peer").await;
    let (bot, peer) = (org.id("bot"), org.id("peer"));
    let mut watching = app.agent(peer).subscribe(&stream(peer, ""), None).await;
    let mut at = watching.next().await.expect("a beginning").id.expect("where it begins");
    let mut writers = tokio::task::JoinSet::new();
    for writer in 0..WRITERS {
        // half of them write to the second server, if it exists
        let agent = match &second {
            Some(second) if writer % 2 == 0 => app.agent(bot).at(second),
            _ => app.agent(bot),
        };
        writers.spawn(async move {
            for n in 0..EACH {
                agent.commit(bot, "TEAM", &format!("memory {n} of {writer}")).await;
            }
        });
    }
    let mut received = HashSet::new();
    let mut stays = 1;
    while received.len() < WRITERS * EACH {
        let event = watching.next().await.expect("the stream goes on");
        match event.event.as_str() {
            "ready" => assert_eq!(event.id, Some(at), "it goes on where it was left"),
            "memory_committed" => {
                let id = event.id.expect("every event has one");
                assert!(id > at, "{id} after {at}");
                at = id;
                assert!(received.insert(id_of(&event.data, "memory_id")), "duplicate event: {:?}", event.data);
            }
            other => panic!("{other}: {:?}", event.data),
        }
        stays -= 1;
        if stays == 0 {
            // disconnect and resume, on the second server if it exists, after pseudo-random numbers of events
            stays = 1 + (at * 7919 % 23);
            let agent = match &second {
                Some(second) if at % 2 == 0 => app.agent(peer).at(second),
                _ => app.agent(peer),
            };
            watching = agent.subscribe(&stream(peer, ""), Some(at)).await;
        }
    }
    writers.join_all().await;
    let after = events_after(&app.agent(peer), peer, "?follow=false", at).await;
    assert_eq!(after, [], "nothing more was written");
}

/// Thousands of events in batches, and a client that disconnects within batches and between them, and resumes on any
/// server.
async fn no_event_is_missed_after_disconnections_at_any_event(on: On) {
    const WRITERS: usize = 6;
    const BATCHES: usize = 7;
    const EACH: usize = 80;
    let app = TestApp::new(on).await;
    let second = if on == On::Postgres { Some(app.second_server().await) } else { None };
    let org = app.plant("acme\n  dev\n    bot\n    peer").await;
    let (bot, peer) = (org.id("bot"), org.id("peer"));
    let mut seeded = Seeded::new(500);
    let mut watching = app.agent(peer).subscribe(&stream(peer, ""), None).await;
    let mut at = watching.next().await.expect("a beginning").id.expect("where it begins");
    let mut writers = tokio::task::JoinSet::new();
    for writer in 0..WRITERS {
        let agent = match &second {
            Some(second) if writer % 2 == 0 => app.agent(bot).at(second),
            _ => app.agent(bot),
        };
        writers.spawn(async move {
            for batch in 0..BATCHES {
                let memory = |n| json!({"content": format!("{n} of batch {batch} of {writer}"), "scope": "TEAM"});
                let body = json!({"memories": (0..EACH).map(memory).collect::<Vec<_>>()});
                let response = agent.post(&format!("/workspaces/{bot}/memories/batch"), body).await.expect(200).json();
                assert_eq!(response["committed"], EACH);
            }
        });
    }
    let (mut received, mut cuts) = (HashSet::new(), 0);
    let mut stays = 1;
    while received.len() < WRITERS * BATCHES * EACH {
        let event = watching.next().await.expect("the stream goes on");
        match event.event.as_str() {
            "ready" => assert_eq!(event.id, Some(at), "it goes on where it was left"),
            "memory_committed" => {
                let id = event.id.expect("every event has one");
                assert!(id > at, "{id} after {at}");
                at = id;
                assert!(received.insert(id_of(&event.data, "memory_id")), "duplicate event: {:?}", event.data);
            }
            other => panic!("{other}: {:?}", event.data),
        }
        stays -= 1;
        if stays == 0 {
            cuts += 1;
            stays = seeded.one_of(&[1, 2, 7, 40, 150, 151, 400]);
            let agent = match &second {
                Some(second) if seeded.one_of(&[true, false]) => app.agent(peer).at(second),
                _ => app.agent(peer),
            };
            watching = agent.subscribe(&stream(peer, ""), Some(at)).await;
        }
    }
    writers.join_all().await;
    assert!(cuts > 10, "{cuts}");
    assert_eq!(events_after(&app.agent(peer), peer, "?follow=false", at).await, [], "nothing more was written");
}

async fn subscribers_receive_only_visible_events(on: On) {
    let app = TestApp::new(on).await;
    let org = app.plant("acme\n  dev\n    bot\n    peer\n  ops").await;
    let (acme, dev, bot, peer, ops) = (org.id("acme"), org.id("dev"), org.id("bot"), org.id("peer"), org.id("ops"));
    let from = app.admin().subscribe(&stream(acme, "?follow=false"), None).await.rest().await[0].id.expect("an id");
    app.agent(bot).commit(bot, "LOCAL", "for itself").await;
    app.agent(bot).commit(bot, "TEAM", "for the team").await;
    app.admin().commit(acme, "GLOBAL", "for all").await;
    app.agent(bot).post(&format!("/workspaces/{bot}/memory"), json!({"key": "state", "value": 1})).await.expect(200);
    let episode = json!({"activity_type": "agent_log"});
    app.agent(bot).post(&format!("/workspaces/{bot}/activity"), episode).await.expect(201);
    app.admin().patch(&format!("/workspaces/{ops}"), json!({"name": "operations"})).await.expect(200);
    let told_to = async |caller: Caller, of: Uuid, query: &str| {
        events_after(&caller, of, &format!("?follow=false{query}"), from).await
    };
    let of_bot = told_to(app.agent(bot), bot, "").await;
    let own = ["memory_committed", "memory_committed", "memory_committed", "kv_changed", "activity_logged"];
    assert_eq!(kinds(&of_bot), own);
    assert_eq!(of_bot[0].data["memory"]["content"], "for itself");
    let contents = |received: &[Event]| -> Vec<Value> {
        received.iter().map(|received| received.data["memory"]["content"].clone()).collect()
    };
    let of_peer = told_to(app.agent(peer), peer, "").await;
    assert_eq!(kinds(&of_peer), ["memory_committed", "memory_committed"]);
    for content in contents(&of_peer) {
        assert!(content.as_str().is_some_and(|content| content.starts_with("[MEMORY id=")), "{content} is not quoted");
    }
    assert_eq!(kinds(&told_to(app.agent(ops), ops, "").await), ["memory_committed", "workspace_edited"]);
    let below_dev = told_to(app.viewer(dev), dev, "&subtree=true").await;
    // also memories of ancestors that dev reads
    assert_eq!(kinds(&below_dev), own);
    assert_eq!(contents(&below_dev)[..3], [json!("for itself"), json!("for the team"), json!("for all")]);
    assert_eq!(below_dev[3].data["details"]["key"], "state");
    assert_eq!(told_to(app.viewer(acme), acme, "&subtree=true").await.len(), 6);
    app.agent(bot).get(&stream(bot, "?subtree=true")).await.refused(403, "forbidden");
    app.agent(bot).get(&stream(peer, "?follow=false")).await.refused(403, "forbidden");
    // a subscriber that received the content has read the memory
    let rows = app.admin().get(&format!("/workspaces/{peer}/access-log?action=watch_events")).await.expect(200).items();
    assert_eq!(rows[0]["memories"].as_array().map(Vec::len), Some(2));
}

async fn stream_without_memories_records_no_read(on: On) {
    let app = TestApp::new(on).await;
    let org = app.plant("acme\n  bot\n  peer").await;
    let (acme, bot, peer) = (org.id("acme"), org.id("bot"), org.id("peer"));
    let memory = app.agent(bot).commit(bot, "TEAM", "for the team").await;
    for (caller, of, subtree) in [(app.agent(peer), peer, ""), (app.viewer(acme), acme, "&subtree=true")] {
        let received = events_after(&caller, of, &format!("?follow=false&memories=false{subtree}"), 1).await;
        let committed = received.iter().find(|event| event.event == "memory_committed").expect("the event");
        assert_eq!(committed.data["memory_id"], json!(memory));
        assert_eq!(committed.data["scope"], "TEAM");
        assert_eq!(committed.data.get("memory"), None);
        let log = format!("/workspaces/{of}/access-log?action=watch_events");
        assert!(app.admin().get(&log).await.expect(200).items().is_empty());
    }
    app.agent(bot).get(&stream(bot, "?memories=perhaps")).await.refused(400, "invalid_field");
}

async fn deleted_memory_has_no_content_in_events(on: On) {
    let app = TestApp::new(on).await;
    let bot = app.plant("acme\n  bot").await.id("bot");
    let memory = app.agent(bot).commit(bot, "LOCAL", "quetzalcoatlus nests here").await;
    app.agent(bot).delete(&format!("/workspaces/{bot}/memories/{memory}")).await.expect(200);
    let received = events_after(&app.agent(bot), bot, "?follow=false", 0).await;
    assert_eq!(kinds(&received), ["workspace_created", "memory_committed", "memory_deleted"]);
    assert!(!format!("{received:?}").contains("quetzal"));
}

async fn subscriber_behind_retention_receives_resync(on: On) {
    let app = TestApp::new(on).await;
    let bot = app.plant("acme\n  bot").await.id("bot");
    for n in 0..5 {
        app.agent(bot).commit(bot, "LOCAL", &format!("memory {n}")).await;
    }
    let all = events_after(&app.agent(bot), bot, "?follow=false", 0).await;
    let last = all[all.len() - 1].id.expect("an id");
    let resync = vec![Event { event: "resync".into(), id: Some(last), data: json!({}) }];
    assert_eq!(events_after(&app.agent(bot), bot, "?follow=false", last + 100).await, resync, "it was never given");
    app.execute_sql(&format!("DELETE FROM events WHERE seq <= {}", last - 2));
    assert_eq!(events_after(&app.agent(bot), bot, "?follow=false", 1).await, resync, "what follows is kept no longer");
    assert_eq!(
        events_after(&app.agent(bot), bot, "?follow=false", last - 2).await,
        all[all.len() - 2..],
        "nothing is missed"
    );
    app.execute_sql("DELETE FROM events");
    assert_eq!(events_after(&app.agent(bot), bot, "?follow=false", last - 1).await, resync);
    assert_eq!(events_after(&app.agent(bot), bot, "?follow=false", last).await, [], "nothing is missed");
}

async fn invalid_event_id_is_refused(on: On) {
    let app = TestApp::new(on).await;
    let bot = app.plant("acme\n  bot").await.id("bot");
    for id in ["x", "", "-1", "1.5", "0x1", "99999999999999999999", " 1 2"] {
        let request = app.agent(bot).request("GET", &stream(bot, "?follow=false")).header("last-event-id", id);
        request.send().await.refused(400, "invalid_field");
    }
    app.agent(bot).get(&stream(bot, "?follow=perhaps")).await.refused(400, "invalid_field");
}

async fn stream_ends_with_its_token_or_workspace(on: On) {
    let app = TestApp::new(on).await;
    let second = if on == On::Postgres { Some(app.second_server().await) } else { None };
    let org = app.plant("acme\n  bot\n  peer\n  late").await;
    let at = |caller: Caller| second.as_ref().map_or(caller.clone(), |second| caller.at(second));
    let (bot, peer, late) = (org.id("bot"), org.id("peer"), org.id("late"));
    let mut of_bot = at(app.agent(bot)).subscribe(&stream(bot, ""), None).await;
    let mut of_peer = at(app.agent(peer)).subscribe(&stream(peer, ""), None).await;
    let mut of_late = at(app.agent(late)).subscribe(&stream(late, ""), None).await;
    for watching in [&mut of_bot, &mut of_peer, &mut of_late] {
        assert_eq!(watching.next().await.expect("a beginning").event, "ready");
    }
    app.advance(chrono::TimeDelta::seconds(1));
    app.admin().delete(&format!("/workspaces/{bot}/tokens")).await.expect(200);
    let end = of_bot.rest().await;
    assert_eq!((kinds(&end), &end[0].data["code"]), (vec!["end"], &json!("token_invalid")));
    app.admin().delete(&format!("/workspaces/{peer}")).await.expect(200);
    assert_eq!(kinds(&of_peer.rest().await), ["end"]);
    app.advance(chrono::TimeDelta::days(2));
    app.admin().commit(late, "LOCAL", "something happens").await;
    assert_eq!(kinds(&of_late.rest().await), ["end"], "the token has expired");
}

async fn move_changes_the_visible_events(on: On) {
    let app = TestApp::new(on).await;
    let org = app.plant("acme\n  dev\n    bot\n    peer\n  ops").await;
    let (bot, peer, ops) = (org.id("bot"), org.id("peer"), org.id("ops"));
    let from = app.agent(peer).subscribe(&stream(peer, "?follow=false"), None).await.rest().await[0].id.expect("an id");
    app.agent(bot).commit(bot, "TEAM", "while they are siblings").await;
    assert_eq!(kinds(&events_after(&app.agent(peer), peer, "?follow=false", from).await), ["memory_committed"]);
    app.admin().move_workspace(bot, ops).await;
    app.agent(bot).commit(bot, "TEAM", "after it went").await;
    assert_eq!(kinds(&events_after(&app.agent(peer), peer, "?follow=false", from).await), Vec::<&str>::new());
    assert_eq!(
        kinds(&events_after(&app.agent(ops), ops, "?follow=false", from).await),
        ["memory_committed", "memory_committed"]
    );
    let moved = events_after(&app.admin(), bot, "?follow=false&subtree=true", from).await;
    let moved = moved.iter().find(|received| received.event == "workspace_moved").expect("the event exists");
    assert_eq!(id_of(&moved.data["details"], "parent_id"), ops);
}

async fn head_request_opens_no_stream(on: On) {
    let app = TestApp::new(on).await;
    let bot = app.plant("acme\n  bot").await.id("bot");
    let open = async || {
        let path = format!("/workspaces/{bot}/tokens?dry_run=true");
        app.admin().delete(&path).await.expect(200).json()["streams"].clone()
    };
    for query in ["", "?follow=true", "?follow=false"] {
        let head = app.agent(bot).request("HEAD", &stream(bot, query)).send_unchecked().await.expect(200);
        assert_eq!((head.header("content-type"), head.body.as_slice()), (Some("text/event-stream"), b"".as_slice()));
        assert_eq!(open().await, 0, "{query}");
    }
    let watching = app.agent(bot).subscribe(&stream(bot, ""), None).await;
    assert_eq!(open().await, 1);
    drop(watching);
}
