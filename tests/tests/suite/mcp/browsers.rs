//! MCP for pages of other origins: preflight requests, the headers of responses, and refused hosts and origins.

use orgmem_tests::{Caller, On, Request, Response, TestApp, for_each_store};
use serde_json::json;

for_each_store!(
    preflight_of_an_allowed_page_needs_no_token,
    response_to_an_allowed_page_is_readable,
    foreign_page_and_host_are_refused_without_headers,
);

const PAGE: &str = "http://localhost:5173";

async fn preflight_of_an_allowed_page_needs_no_token(on: On) {
    let app = TestApp::new(on).await;
    let bot = app.plant("acme\n  bot").await.id("bot");
    for address in ["/mcp".to_owned(), format!("/workspaces/{bot}/mcp")] {
        for page in [PAGE, "http://127.0.0.1:6274", "http://[::1]:1"] {
            let response = preflight(&app.anonymous(), &address, page).send_unchecked().await.expect(204);
            assert!(response.body.is_empty());
            assert_eq!(response.header("access-control-allow-origin"), Some(page));
            let names = response.header("access-control-allow-headers").unwrap_or_default().to_owned();
            for name in [
                "authorization",
                "content-type",
                "mcp-protocol-version",
                "mcp-session-id",
                "last-event-id",
                "mcp-method",
            ] {
                assert!(names.split(", ").any(|allowed| allowed == name), "{name}: {names}");
            }
            let methods = response.header("access-control-allow-methods").unwrap_or_default();
            assert!(["GET", "POST", "DELETE"].iter().all(|method| methods.contains(method)), "{methods}");
            assert_eq!(response.header("vary"), Some("Origin"));
            // a page must not use the session of the console
            assert_eq!(response.header("access-control-allow-credentials"), None);
            assert!(!names.contains("x-orgmem-console"), "{names}");
        }
    }
    // other addresses are not for pages of other origins
    let other = preflight(&app.anonymous(), "/workspaces", PAGE).send_unchecked().await;
    assert_eq!((other.status, other.header("access-control-allow-origin")), (401, None));
}

async fn response_to_an_allowed_page_is_readable(on: On) {
    let app = TestApp::new(on).await;
    let bot = app.plant("acme\n  bot").await.id("bot");
    let ping = json!({"jsonrpc": "2.0", "id": 1, "method": "ping"});
    for (caller, method, status) in
        [(app.agent(bot), "POST", 200), (app.anonymous(), "POST", 401), (app.agent(bot), "GET", 405)]
    {
        let request = caller.request(method, "/mcp").header("origin", PAGE);
        let request = if method == "POST" { request.json(&ping) } else { request };
        let response = request.send_unchecked().await.expect(status);
        assert_eq!(response.header("access-control-allow-origin"), Some(PAGE), "{method} {status}");
        let exposed = response.header("access-control-expose-headers").unwrap_or_default();
        for name in ["mcp-session-id", "mcp-protocol-version", "www-authenticate", "x-request-id"] {
            assert!(exposed.contains(name), "{name}: {exposed}");
        }
    }
    // clients besides browsers
    let response = app.agent(bot).request("POST", "/mcp").json(&ping).send().await.expect(200);
    assert_eq!(response.header("access-control-allow-origin"), None);
}

async fn foreign_page_and_host_are_refused_without_headers(on: On) {
    let app = TestApp::new(on).await;
    let bot = app.plant("acme\n  bot").await.id("bot");
    let set = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {
        "name": "memory_set", "arguments": {"key": "a", "value": 5}}});
    let before = app.dump();
    let check = |response: Response| {
        response.refused(403, "forbidden");
        assert_eq!(response.header("access-control-allow-origin"), None);
    };
    for origin in [
        "https://evil.example",
        "http://localhost.evil.example",
        "http://127.0.0.1:evil.com",
        "http://localhost:80/",
        "null",
    ] {
        check(preflight(&app.anonymous(), "/mcp", origin).send_unchecked().await);
        check(app.agent(bot).request("POST", "/mcp").header("origin", origin).json(&set).send_unchecked().await);
    }
    for host in ["127.0.0.1:evil.com", "127.0.0.1.evil.com", "localhost:70700", "evil.example"] {
        check(app.agent(bot).request("POST", "/mcp").header("host", host).json(&set).send_unchecked().await);
        check(preflight(&app.anonymous(), "/mcp", PAGE).header("host", host).send_unchecked().await);
    }
    assert_eq!(app.dump(), before);
}

fn preflight(caller: &Caller, address: &str, page: &str) -> Request {
    let request = caller.request("OPTIONS", address).header("origin", page);
    let names = "authorization,content-type,mcp-protocol-version";
    request.header("access-control-request-method", "POST").header("access-control-request-headers", names)
}
