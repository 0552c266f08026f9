//! The form of problems, and request ids.

use orgmem_tests::{On, Response, TestApp, for_each_store};
use serde_json::json;
use uuid::Uuid;

for_each_store!(every_problem_has_the_same_form, every_response_has_a_request_id);

async fn every_problem_has_the_same_form(on: On) {
    let app = TestApp::new(on).await;
    let org = app.plant("acme\n  dev\n    bot").await;
    let bot = org.id("bot");
    let (agent, memories) = (app.agent(bot), format!("/workspaces/{bot}/memories"));
    check(&agent.post(&memories, json!({})).await, 400, "invalid_field");
    check(&agent.request("POST", &memories).body("application/json", "{").send().await, 400, "bad_request");
    check(&agent.get(&format!("{memories}?cursor=x")).await, 400, "invalid_cursor");
    check(&agent.get(&format!("{memories}?mode=semantic")).await, 400, "not_configured");
    check(&app.anonymous().get("/me").await, 401, "token_missing");
    check(&app.bearer("x").get("/me").await, 401, "token_invalid");
    check(&agent.get(&format!("/workspaces/{bot}/tree")).await, 403, "forbidden");
    let global = json!({"content": "x", "scope": "GLOBAL"});
    check(&agent.post(&memories, global).await, 403, "scope_forbidden");
    check(&agent.get(&format!("{memories}/{}", Uuid::nil())).await, 404, "not_found");
    check(&app.anonymous().get("/nowhere").await, 404, "not_found");
    let put = agent.request("PUT", &memories).json(json!({})).send_unchecked().await;
    check(&put, 405, "method_not_allowed");
    assert_eq!(put.header("allow"), Some("GET, POST, HEAD"));
    check(&app.admin().delete(&format!("/workspaces/{}", org.id("dev"))).await, 409, "confirmation_required");
    let under_itself = json!({"parent_id": bot});
    check(&app.admin().patch(&format!("/workspaces/{bot}"), under_itself).await, 409, "tree_conflict");
    check(&agent.request("POST", &memories).body("text/plain", "x").send().await, 415, "unsupported_media_type");
    app.admin().delete(&format!("/workspaces/{bot}")).await.expect(200);
    check(&app.admin().get(&memories).await, 410, "gone");
}

/// RFC 9457, with the additional member `error`.
fn check(response: &Response, status: u16, code: &str) {
    let problem = response.refused(status, code);
    assert_eq!(response.header("content-type"), Some("application/problem+json"), "{}", response.describe());
    assert_eq!(problem["type"], format!("urn:orgmem:problem:{code}"));
    assert_eq!(problem["detail"], problem["error"]);
    assert_eq!(problem["request_id"].as_str(), response.header("x-request-id"));
    // the one exception is a value for clients of an older platform
    let status = if code == "confirmation_required" { json!(code) } else { json!(status) };
    assert_eq!(problem["status"], status);
    let detail = problem["detail"].as_str().unwrap_or_default();
    assert!(!detail.is_empty() && !detail.ends_with('.'), "{detail}");
    assert!(detail.starts_with(|first: char| first.is_lowercase() || first == '`'), "{detail}");
    assert!(problem["title"].as_str().is_some_and(|title| !title.is_empty()), "{problem}");
}

async fn every_response_has_a_request_id(on: On) {
    let app = TestApp::new(on).await;
    for path in ["/healthz", "/me", "/nowhere", "/workspaces", "/docs/"] {
        for caller in [app.admin(), app.anonymous()] {
            let own = caller.request("GET", path).header("x-request-id", "trace-7").send_unchecked().await;
            assert_eq!(own.header("x-request-id"), Some("trace-7"), "{path}");
            let (one, other) = (caller.get(path).await, caller.get(path).await);
            assert!(one.header("x-request-id").is_some(), "{path}");
            assert_ne!(one.header("x-request-id"), other.header("x-request-id"), "{path}");
        }
    }
}
