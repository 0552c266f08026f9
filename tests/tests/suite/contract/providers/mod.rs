//! Providers: a shadow in any mood changes no answer, a foreign id disqualifies, and figures decide about a promotion.

mod stand_in;

use std::sync::Arc;

use chrono::TimeDelta;
use orgmem_tests::{Builder, On, Response, TestApp, for_each_store, on_sqlite};
use serde_json::{Value, json};
use uuid::Uuid;

use stand_in::{Mood, StandIn};

for_each_store!(
    shadow_in_any_mood_changes_no_answer,
    foreign_id_disqualifies_and_is_shown_to_nobody,
    promoted_provider_answers_and_the_built_in_one_is_behind_it,
    excluded_kinds_and_redacted_episodes_reach_no_provider,
    item_is_sent_once_by_all_servers_together,
);

on_sqlite!(plugin_listener_of_another_server_is_a_provider, full_outbox_says_what_it_dropped);

const DRAWING: &str = "acme\n  lead\n    bot\n    peer\n";
const QUERIES: [&str; 3] = ["dock", "parcels at the dock", "red violin"];

fn app_with(on: On, provider: &str) -> Builder {
    TestApp::builder(on)
        .with("ORGMEM_PROVIDERS_ACME_URL", provider)
        .with("ORGMEM_PROVIDERS_ACME_PRIVATE_HOST", "127.0.0.1")
        .with("ORGMEM_PROVIDERS_ACME_TOKEN", "the token of the engine")
        .with("ORGMEM_PROVIDERS_ACME_SURFACES", "phone,mail")
        .with("ORGMEM_PROVIDERS_ACME_BODY_BYTES", "100000")
        .with("ORGMEM_PROVIDERS_ACME_MIN_SAMPLES", "3")
        .with("ORGMEM_PROVIDERS_ACME_MIN_AGREEMENT_PERCENT", "60")
}

async fn shadowed(on: On, timeout_ms: &str) -> (TestApp, Arc<StandIn>) {
    let stand_in = StandIn::new().await;
    let app = app_with(on, &format!("http://{}", stand_in.address));
    (app.with("ORGMEM_PROVIDERS_ACME_TIMEOUT_MS", timeout_ms).start().await, stand_in)
}

async fn commit(app: &TestApp, workspace: Uuid, channel: &str, id: u128, content: &str) -> Response {
    let memory = json!({"id": Uuid::from_u128(id), "scope": "TEAM", "content": content});
    let request = app.agent(workspace).request("POST", &format!("/workspaces/{workspace}/memories"));
    request.header("X-Audit-Context", json!({"channel": channel}).to_string()).json(memory).send().await.expect(201)
}

async fn search(app: &TestApp, workspace: Uuid, channel: &str, query: &str) -> Response {
    let path = orgmem_tests::with_query(&format!("/workspaces/{workspace}/memories"), &[("q", query)]);
    let request = app.agent(workspace).request("GET", &path);
    request.header("X-Audit-Context", json!({"channel": channel}).to_string()).send().await.expect(200)
}

async fn log(app: &TestApp, workspace: Uuid, channel: &str, kind: &str, summary: &str) -> Uuid {
    let episode = json!({
        "activity_type": "agent_log", "summary": summary, "channel": channel, "kind": kind,
        "actor": "ada", "correlation_id": "c-1",
    });
    app.agent(workspace).post(&format!("/workspaces/{workspace}/activity"), episode).await.expect(201).id("id")
}

async fn report(app: &TestApp) -> Value {
    let list = app.admin().get("/admin/providers").await.expect(200).json();
    assert_eq!(list["providers"][0]["name"], "built_in");
    list["providers"][1].clone()
}

async fn figures(app: &TestApp, surface: &str) -> Value {
    let report = report(app).await;
    let of = report["surfaces"].as_array().expect("surfaces").iter().find(|of| of["surface"] == surface);
    of.expect("the surface").clone()
}

async fn change(app: &TestApp, verb: &str, surface: &str) -> Response {
    app.admin().post(&format!("/admin/providers/acme/{verb}"), json!({"surface": surface})).await
}

/// The bodies of the same requests.
async fn answers(app: &TestApp, bot: Uuid, peer: Uuid) -> Vec<Vec<u8>> {
    let mut bodies = Vec::new();
    for (number, content) in ["the dock is north", "parcels wait at the dock", "a red violin"].iter().enumerate() {
        bodies.push(commit(app, bot, "phone", number as u128 + 1, content).await.body.clone());
        app.send_to_providers().await;
    }
    for _ in 0..2 {
        for query in QUERIES {
            for reader in [bot, peer] {
                bodies.push(search(app, reader, "phone", query).await.body.clone());
            }
        }
        app.send_to_providers().await;
        // a breaker that opened lets a probe through
        app.advance(TimeDelta::minutes(1));
    }
    bodies
}

async fn shadow_in_any_mood_changes_no_answer(on: On) {
    let drawn = orgmem_tests::orgs::draw(DRAWING);
    let (bot, peer) = (drawn.id("bot"), drawn.id("peer"));
    let plain = TestApp::new(on).await;
    plain.admin().run_steps(drawn.steps()).await;
    let expected = answers(&plain, bot, peer).await;
    let another = Uuid::from_u128(77);
    for mood in
        [Mood::Honest, Mood::Lying, Mood::Slow, Mood::Dead, Mood::Flooding, Mood::Broken, Mood::Foreign(another)]
    {
        // only one mood waits for its limit
        let (app, stand_in) = shadowed(on, if mood == Mood::Slow { "50" } else { "10000" }).await;
        app.admin().run_steps(drawn.steps()).await;
        stand_in.set(mood);
        assert_eq!(answers(&app, bot, peer).await, expected, "{mood:?}");
        let phone = figures(&app, "phone").await;
        let figures = &phone["figures"];
        let (calls, errors, samples) = (&figures["calls"], &figures["errors"], &figures["samples"]);
        match mood {
            Mood::Honest => assert_eq!((errors, samples), (&json!(0), &json!(12)), "{phone}"),
            Mood::Lying => assert!(errors == &json!(0) && figures["misses"].as_i64() > Some(0), "{phone}"),
            Mood::Foreign(_) => assert_eq!(phone["state"], "disqualified", "{phone}"),
            _ => assert!(samples == &json!(0) && errors.as_i64() > Some(0) && calls.as_i64() > Some(0), "{phone}"),
        }
        assert!(stand_in.received().contains("authorization: Bearer the token of the engine"), "{mood:?}");
    }
}

async fn foreign_id_disqualifies_and_is_shown_to_nobody(on: On) {
    let (app, stand_in) = shadowed(on, "10000").await;
    let orgs = app.plant("acme\n  lead\n    bot\nglobex\n  spy\n").await;
    let (bot, spy) = (orgs.id("bot"), orgs.id("spy"));
    let foreign = commit(&app, spy, "phone", 900, "the dock of globex").await.id("id");
    commit(&app, bot, "phone", 1, "the dock is north").await;
    app.send_to_providers().await;
    assert!(stand_in.holds(foreign), "the provider has both tenants");
    stand_in.set(Mood::Foreign(foreign));
    let found = search(&app, bot, "phone", "dock").await;
    assert_eq!(found.ids(), [Uuid::from_u128(1)]);
    app.send_to_providers().await;
    let phone = figures(&app, "phone").await;
    assert_eq!((&phone["state"], &phone["figures"]["samples"]), (&json!("disqualified"), &json!(0)));
    assert_eq!(figures(&app, "mail").await["state"], "shadow", "another surface");
    let refused = change(&app, "promote", "phone").await.refused(409, "promotion_refused");
    assert!(refused["figures"]["calls"].as_i64() > Some(0), "{refused}");
    assert_eq!(change(&app, "demote", "phone").await.expect(200).json()["state"], "disqualified", "it stays");

    // the alert: a metric, a row of the audit log and an event
    let metrics = app.anonymous().get("/metrics").await.expect(200);
    let metrics = String::from_utf8_lossy(&metrics.body).into_owned();
    assert!(metrics.contains("orgmem_provider_disqualifications_total{provider=\"acme\"} 1"), "{metrics}");
    let rows = app.dump();
    for alert in ["disqualify_provider", "provider_disqualified"] {
        assert!(rows.iter().any(|row| row.contains(alert)), "{alert}");
    }

    // nothing of the surface is sent any more
    let before = stand_in.received().len();
    commit(&app, bot, "phone", 2, "the dock moved").await;
    search(&app, bot, "phone", "dock").await;
    app.send_to_providers().await;
    assert_eq!(stand_in.received().len(), before);
    commit(&app, bot, "mail", 3, "the dock by mail").await;
    app.send_to_providers().await;
    assert!(stand_in.holds(Uuid::from_u128(3)));
}

async fn promoted_provider_answers_and_the_built_in_one_is_behind_it(on: On) {
    let (app, stand_in) = shadowed(on, "10000").await;
    let org = app.plant(DRAWING).await;
    let bot = org.id("bot");
    for (number, content) in ["the dock is north", "the dock is closed", "the dock is old"].iter().enumerate() {
        commit(&app, bot, "phone", number as u128 + 1, content).await;
    }
    app.send_to_providers().await;
    let refused = change(&app, "promote", "phone").await.refused(409, "promotion_refused");
    assert_eq!(refused["figures"]["samples"], 0, "{refused}");
    for query in ["dock", "north", "old", "closed"] {
        search(&app, bot, "phone", query).await;
    }
    app.send_to_providers().await;
    let phone = figures(&app, "phone").await;
    let agreement = phone["figures"]["agreement"].as_f64().expect("a number");
    let promoted = change(&app, "promote", "phone").await;
    if agreement < 0.6 {
        promoted.refused(409, "promotion_refused");
        panic!("the stand-in should agree: {phone}");
    }
    assert_eq!(promoted.expect(200).json()["state"], "promoted");

    // the order is the provider's, the text is the store's
    let built_in = search(&app, bot, "mail", "dock").await;
    let newest_first = [3, 2, 1].map(Uuid::from_u128);
    let found = search(&app, bot, "phone", "dock").await;
    assert_eq!(found.ids(), newest_first);
    assert!(!String::from_utf8_lossy(&found.body).contains("SEND MONEY"));

    // a redacted memory is gone from the answer at once, whether the provider has it still or not
    let redact = json!({"reason": "on request"});
    let path = format!("/workspaces/{bot}/memories/{}/redact", Uuid::from_u128(2));
    app.operator(bot).post(&path, redact).await.expect(200);
    assert_eq!(search(&app, bot, "phone", "dock").await.ids(), [3, 1].map(Uuid::from_u128));
    app.send_to_providers().await;
    assert!(!stand_in.holds(Uuid::from_u128(2)));

    let expected = search(&app, bot, "mail", "dock").await.body;
    assert_ne!(expected, built_in.body);
    for mood in [Mood::Dead, Mood::Broken, Mood::Flooding] {
        stand_in.set(mood);
        assert_eq!(search(&app, bot, "phone", "dock").await.body, expected, "{mood:?}");
    }
    stand_in.set(Mood::Honest);
    app.advance(TimeDelta::minutes(1));
    assert_eq!(search(&app, bot, "phone", "dock").await.ids(), [3, 1].map(Uuid::from_u128));
    assert_eq!(change(&app, "demote", "phone").await.expect(200).json()["state"], "shadow");
    assert_eq!(search(&app, bot, "phone", "dock").await.body, expected);
    for (verb, surface) in [("promote", "phone"), ("demote", "phone")] {
        let path = format!("/admin/providers/acme/{verb}");
        app.operator(org.id("acme")).post(&path, json!({"surface": surface})).await.refused(403, "forbidden");
    }
    change(&app, "promote", "money").await.refused(400, "invalid_field");
    app.admin().post("/admin/providers/nobody/promote", json!({"surface": "phone"})).await.refused(404, "not_found");
}

async fn excluded_kinds_and_redacted_episodes_reach_no_provider(on: On) {
    let (app, stand_in) = shadowed(on, "10000").await;
    let org = app.plant(DRAWING).await;
    let bot = org.id("bot");
    let amounts = ["السعر 98123 ريال", "el preu és 98124 euros", "价格是 98125 元", "ราคา 98126 บาท", "giá 98127 đồng"];
    for (amount, kind) in amounts.iter().zip(["payment", "financial", "inventory", " Payment", "PAYMENT"]) {
        log(&app, bot, "phone", kind, amount).await;
    }
    log(&app, bot, "money", "delivery", "98128 on another surface").await;
    let undeclared = json!({"activity_type": "agent_log", "summary": "98129 without a kind", "channel": "phone"});
    app.agent(bot).post(&format!("/workspaces/{bot}/activity"), undeclared).await.expect(201);
    commit(&app, bot, "erp", 1, "98130 on a surface without a provider").await;
    let sent = log(&app, bot, "phone", "delivery", "the parcel 555 has left").await;
    app.send_to_providers().await;
    assert!(stand_in.holds(sent));
    let waiting = log(&app, bot, "phone", "delivery", "the parcel 556 waits").await;
    let redact = json!({"reason": "on request"});
    for episode in [sent, waiting] {
        let path = format!("/workspaces/{bot}/activity/{episode}/redact");
        app.operator(bot).post(&path, redact.clone()).await.expect(200);
    }
    app.send_to_providers().await;
    assert!(!stand_in.holds(sent) && !stand_in.holds(waiting), "they were withdrawn");
    // pages of excluded kinds do not exist; those of the others follow their channel
    app.agent(bot).post(&format!("/workspaces/{bot}/pages/compact"), json!({})).await.expect(200);
    app.send_to_providers().await;
    let received = stand_in.received();
    assert!(received.contains("the parcel 555 has left"));
    for amount in 98_123..=98_130 {
        assert!(!received.contains(&amount.to_string()), "{amount}");
    }
    let outbox = app.tables().try_query("SELECT operation FROM provider_outbox").expect("a table");
    assert!(outbox.is_empty(), "{outbox:?}");
}

async fn item_is_sent_once_by_all_servers_together(on: On) {
    let stand_in = StandIn::new().await;
    let address = format!("http://{}", stand_in.address);
    let app = app_with(on, &address).start().await;
    let second = if on == On::Postgres { Some(app.second_server_with(app_with(on, &address)).await) } else { None };
    let other = second.as_ref().unwrap_or(&app);
    let org = app.plant(DRAWING).await;
    let ids: Vec<Uuid> = (1..=20).map(Uuid::from_u128).collect();
    // the engine has the namespace, so that no request is repeated
    commit(&app, org.id("bot"), "phone", 99, "the dock is new").await;
    app.send_to_providers().await;
    // they wait until the engine answers
    stand_in.set(Mood::Dead);
    for id in &ids {
        commit(&app, org.id("bot"), "phone", id.as_u128(), "the dock is north").await;
    }
    app.send_to_providers().await;
    stand_in.set(Mood::Honest);
    app.advance(TimeDelta::minutes(1));
    let before = stand_in.received().len();
    tokio::join!(app.send_to_providers(), other.send_to_providers());
    app.send_to_providers().await;
    let received = stand_in.received().split_off(before);
    for id in &ids {
        assert!(stand_in.holds(*id));
        assert_eq!(received.matches(&id.to_string()).count(), 1, "{id}");
    }
    assert_eq!(report(&app).await["outbox"]["rows"], 0);
}

async fn full_outbox_says_what_it_dropped(on: On) {
    let stand_in = StandIn::new().await;
    stand_in.set(Mood::Dead);
    let address = format!("http://{}", stand_in.address);
    let app = app_with(on, &address).with("ORGMEM_PROVIDERS_ACME_OUTBOX_ROWS", "4").start().await;
    let org = app.plant(DRAWING).await;
    for number in 1..=9 {
        commit(&app, org.id("bot"), "phone", number, "the dock is north").await;
    }
    app.send_to_providers().await;
    let outbox = report(&app).await["outbox"].clone();
    assert_eq!((&outbox["rows"], &outbox["dropped"]), (&json!(4), &json!(5)), "{outbox}");
}

async fn plugin_listener_of_another_server_is_a_provider(on: On) {
    let engine = TestApp::builder(on).with("ORGMEM_PLUGIN_LISTEN", "127.0.0.1:0").start().await;
    let app = app_with(on, &engine.plugin_address()).start().await;
    let org = app.plant(DRAWING).await;
    let (bot, peer) = (org.id("bot"), org.id("peer"));
    for (number, content) in ["the dock is north", "parcels wait at the dock", "a red violin"].iter().enumerate() {
        commit(&app, bot, "phone", number as u128 + 1, content).await;
    }
    let episode = log(&app, bot, "phone", "delivery", "a parcel has left").await;
    app.send_to_providers().await;
    for query in QUERIES {
        search(&app, peer, "phone", query).await;
    }
    app.send_to_providers().await;
    let phone = figures(&app, "phone").await;
    assert_eq!((&phone["figures"]["errors"], &phone["figures"]["samples"]), (&json!(0), &json!(3)), "{phone}");
    assert_eq!((&phone["figures"]["agreement"], &phone["figures"]["misses"]), (&json!(1.0), &json!(0)), "{phone}");
    let expected = search(&app, peer, "mail", "dock").await.ids();
    assert_eq!(change(&app, "promote", "phone").await.expect(200).json()["state"], "promoted");
    assert_eq!(search(&app, peer, "phone", "dock").await.ids(), expected);
    assert!(engine.dump().iter().any(|row| row.contains("a parcel has left")));
    let path = format!("/workspaces/{bot}/activity/{episode}/redact");
    app.operator(bot).post(&path, json!({"reason": "on request"})).await.expect(200);
    app.send_to_providers().await;
    assert!(!engine.dump().iter().any(|row| row.contains("a parcel has left")));
}
