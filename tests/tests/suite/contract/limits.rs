//! Limits on load: the refusal, its headers, and the callers that it does not affect.

use orgmem_tests::{Caller, On, TestApp, for_each_store};
use serde_json::{Value, json};
use uuid::Uuid;

for_each_store!(
    streams_of_a_token_are_limited_and_other_callers_are_not,
    ended_stream_makes_room_for_another,
    rate_of_a_token_is_limited_and_other_callers_are_not,
    rate_of_an_org_limits_its_callers_and_not_another_org,
    batch_of_messages_counts_each_message,
    console_session_counts_as_its_token,
    calls_without_a_token_are_never_limited,
    foreign_workspace_in_the_address_counts_for_the_own_org,
);

async fn app(on: On, settings: &[(&str, &str)]) -> TestApp {
    let limited = |builder, (name, value): &(&str, &str)| {
        orgmem_tests::Builder::with(builder, &format!("ORGMEM_LIMITS_{name}"), value)
    };
    settings.iter().fold(TestApp::builder(on), limited).start().await
}

fn events(of: Uuid) -> String {
    format!("/workspaces/{of}/events")
}

fn quota(response: &orgmem_tests::Response) -> [Option<&str>; 3] {
    ["ratelimit-policy", "ratelimit", "retry-after"].map(|name| response.header(name))
}

async fn streams_of_a_token_are_limited_and_other_callers_are_not(on: On) {
    let app = app(on, &[("CALLER_STREAMS", "2")]).await;
    let org = app.plant("acme\n  bot").await;
    let bot = org.id("bot");
    let agent = app.agent(bot);
    let open = [agent.subscribe(&events(bot), None).await, agent.subscribe(&events(bot), None).await];
    let refused = agent.get(&events(bot)).await;
    let problem = refused.refused(429, "too_many_in_flight");
    let detail = "this token may have 2 event streams open (`limits.caller.streams`); close one of them first";
    assert_eq!(problem["detail"], detail);
    assert_eq!((&problem["limit"], &problem["violated-policies"]), (&json!(2), &json!(["caller-streams"])));
    let [policy, current, wait] = quota(&refused);
    assert_eq!(policy, Some("\"caller-streams\";q=2;qu=\"concurrent-requests\""));
    assert_eq!((current, wait), (Some("\"caller-streams\";r=0;t=5"), Some("5")));
    app.agent(bot).subscribe(&events(bot), None).await;
    agent.get("/me").await.expect(200);
    drop(open);
}

async fn ended_stream_makes_room_for_another(on: On) {
    let app = app(on, &[("CALLER_STREAMS", "1")]).await;
    let org = app.plant("acme").await;
    let acme = org.id("acme");
    let agent = app.agent(acme);
    for _ in 0..3 {
        let stream = agent.subscribe(&format!("{}?follow=false", events(acme)), None).await;
        assert_eq!(stream.rest().await.len(), 1);
    }
}

async fn rate_of_a_token_is_limited_and_other_callers_are_not(on: On) {
    let app = app(on, &[("CALLER_REQUESTS_PER_MINUTE", "2")]).await;
    let org = app.plant("acme\n  bot").await;
    let bot = org.id("bot");
    let agent = app.agent(bot);
    let first = agent.get("/me").await.expect(200);
    let [policy, current, wait] = quota(&first);
    assert_eq!((policy, current, wait), (Some("\"caller\";q=2;w=60"), Some("\"caller\";r=1;t=30"), None));
    agent.post(&format!("/workspaces/{bot}/memories"), json!({"content": "x", "scope": "LOCAL"})).await.expect(201);
    let refused = agent.post(&format!("/workspaces/{bot}/memories"), json!({"content": "y", "scope": "LOCAL"})).await;
    let problem = refused.refused(429, "rate_limited");
    assert_eq!(problem["violated-policies"], json!(["caller"]));
    let detail = problem["detail"].as_str().unwrap_or_default();
    assert!(detail.starts_with("this token may send 2 requests a minute (`limits.caller.requests_per_minute`); "));
    let wait: u64 = refused.header("retry-after").and_then(|seconds| seconds.parse().ok()).expect("seconds");
    assert!((1..=30).contains(&wait), "{wait}");
    assert_eq!(refused.header("ratelimit"), Some(&*format!("\"caller\";r=0;t={wait}")));
    let others = app.agent(bot);
    assert_eq!(others.search(bot, &[]).await.items().len(), 1, "the refused commit changed nothing");
    let metrics = app.anonymous().get("/metrics").await.expect(200);
    let text = String::from_utf8(metrics.body).expect("text");
    assert!(text.contains("orgmem_limited_requests_total{limit=\"caller\"} 1"), "{text}");
}

async fn rate_of_an_org_limits_its_callers_and_not_another_org(on: On) {
    let app = app(on, &[("ORG_REQUESTS_PER_MINUTE", "2")]).await;
    let org = app.plant("acme\n  bot\nrival").await;
    for workspace in ["acme", "bot"] {
        app.agent(org.id(workspace)).get("/me").await.expect(200);
    }
    let refused = app.agent(org.id("bot")).get("/me").await;
    assert_eq!(refused.refused(429, "rate_limited")["violated-policies"], json!(["org"]));
    app.agent(org.id("rival")).get("/me").await.expect(200);
}

async fn call_mcp(agent: &Caller, messages: usize) -> orgmem_tests::Response {
    let ping = |id| json!({"jsonrpc": "2.0", "id": id, "method": "ping"});
    let batch: Value = (0..messages).map(ping).collect();
    agent.post("/mcp", batch).await
}

async fn batch_of_messages_counts_each_message(on: On) {
    let app = app(on, &[("CALLER_REQUESTS_PER_MINUTE", "5")]).await;
    let org = app.plant("acme").await;
    let agent = app.agent(org.id("acme"));
    call_mcp(&agent, 3).await.expect(200);
    call_mcp(&agent, 3).await.refused(429, "rate_limited");
    app.agent(org.id("acme")).get("/me").await.expect(200);
}

async fn console_session_counts_as_its_token(on: On) {
    let app = app(on, &[("CALLER_REQUESTS_PER_MINUTE", "1")]).await;
    let org = app.plant("acme").await;
    let token = app.token("viewer", Some(org.id("acme"))).text();
    app.bearer(&token).get("/me").await.expect(200);
    let request = app.anonymous().request("POST", "/console/session").header("x-orgmem-console", "1");
    request.json(json!({"token": token})).send().await.refused(429, "rate_limited");
}

async fn calls_without_a_token_are_never_limited(on: On) {
    let app = app(on, &[("SERVER_REQUESTS_PER_MINUTE", "1"), ("SERVER_REQUESTS_IN_FLIGHT", "1")]).await;
    app.admin().get("/me").await.expect(200);
    app.admin().get("/me").await.refused(429, "rate_limited");
    for path in ["/healthz", "/readyz", "/metrics", "/version"] {
        let response = app.anonymous().get(path).await.expect(200);
        assert_eq!(quota(&response), [None; 3], "{path}");
    }
}

async fn foreign_workspace_in_the_address_counts_for_the_own_org(on: On) {
    let app = app(on, &[("ORG_REQUESTS_PER_MINUTE", "1")]).await;
    let org = app.plant("acme\nrival").await;
    let rival = org.id("rival");
    app.agent(rival).get(&format!("/workspaces/{}", org.id("acme"))).await.refused(404, "not_found");
    app.agent(rival).get("/me").await.refused(429, "rate_limited");
    app.agent(org.id("acme")).get("/me").await.expect(200);
}
