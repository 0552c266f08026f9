//! The console's files and sessions. `server/console/web/tests` tests its pages in a browser.

use orgmem_tests::{Caller, On, Request, Response, TestApp, for_each_store};
use serde_json::json;

for_each_store!(
    root_redirects_browsers_to_the_console,
    console_is_served_with_security_headers,
    embed_page_is_framed_only_by_configured_origins,
    token_is_exchanged_for_a_cookie,
    session_writes_require_the_console_header,
    session_ends_with_its_token,
    invalid_token_opens_no_session,
);

/// The header that the console adds.
const FROM_CONSOLE: (&str, &str) = ("x-orgmem-console", "1");

fn opening(app: &TestApp, proof: serde_json::Value) -> Request {
    app.anonymous().request("POST", "/console/session").header(FROM_CONSOLE.0, FROM_CONSOLE.1).json(proof)
}

fn cookie(response: &Response) -> String {
    response.header("set-cookie").and_then(|cookie| cookie.split(';').next()).unwrap_or_default().to_owned()
}

async fn session_of(app: &TestApp, caller: &Caller) -> String {
    cookie(&opening(app, json!({"token": caller.token()})).send().await.expect(200))
}

async fn root_redirects_browsers_to_the_console(on: On) {
    let app = TestApp::new(on).await;
    for (path, status) in [("/", 307), ("/console", 308)] {
        let response = app.anonymous().get(path).await.expect(status);
        // relative, for a proxy with a path prefix
        assert_eq!(response.header("location"), Some("console/"));
    }
}

async fn console_is_served_with_security_headers(on: On) {
    let app = TestApp::new(on).await;
    for (path, kind) in [("/console/", "text/html"), ("/console/console.js", "text/javascript")] {
        let response = app.anonymous().get(path).await.expect(200);
        let header = |name| response.header(name).unwrap_or_default();
        assert!(header("content-type").starts_with(kind), "{path}");
        let policy = header("content-security-policy");
        assert!(policy.contains("default-src 'none'") && policy.contains("script-src 'self'"), "{policy}");
        assert!(policy.contains("frame-ancestors 'none'") && !policy.contains("unsafe"), "{policy}");
        assert_eq!(header("x-content-type-options"), "nosniff");
        assert_eq!(header("referrer-policy"), "no-referrer");
        let again = app.anonymous().request("GET", path).header("if-none-match", header("etag")).send().await;
        assert!(again.expect(304).body.is_empty());
    }
    app.anonymous().get("/console/absent.js").await.refused(404, "not_found");
}

async fn embed_page_is_framed_only_by_configured_origins(on: On) {
    let framers = "https://app.example.org,http://localhost:3000";
    let app = TestApp::builder(on).with("ORGMEM_CONSOLE_FRAMERS", framers).start().await;
    let unset = TestApp::new(on).await;
    let id = uuid::Uuid::now_v7();
    let page = format!("/console/embed/w/{id}");
    // an OpenAPI parameter cannot span path segments
    let response = app.anonymous().request("GET", &page).send_unchecked().await.expect(200);
    let policy = response.header("content-security-policy").unwrap_or_default();
    assert!(policy.ends_with("; frame-ancestors https://app.example.org http://localhost:3000"), "{policy}");
    assert!(policy.starts_with("default-src 'none'; script-src 'self'; ") && !policy.contains("unsafe"), "{policy}");
    assert_eq!(response.header("x-frame-options"), None);
    let framers = r#"<meta name="orgmem-framers" content="https://app.example.org http://localhost:3000">"#;
    assert!(String::from_utf8_lossy(&response.body).contains(framers), "{}", response.describe());
    let elsewhere = [
        "",
        "w/1",
        "embed",
        "embed/w/",
        "embed/w/1/",
        "embed/w/1/state",
        "embed/system",
        "console.js",
        "embed/w/console.js",
    ];
    let elsewhere = elsewhere.map(|path| (&app, format!("/console/{path}")));
    for (app, path) in elsewhere.into_iter().chain([(&unset, page)]) {
        let response = app.anonymous().request("GET", &path).send_unchecked().await;
        let Some(policy) = response.header("content-security-policy") else {
            response.refused(404, "not_found");
            continue;
        };
        assert!(policy.ends_with("; frame-ancestors 'none'"), "{path}: {policy}");
        assert_eq!(response.header("x-frame-options"), Some("DENY"), "{path}");
    }
}

async fn token_is_exchanged_for_a_cookie(on: On) {
    let app = TestApp::new(on).await;
    let org = app.plant("acme\n  bot").await;
    let bot = org.id("bot");
    let response = opening(&app, json!({"token": app.agent(bot).token()})).send().await.expect(200);
    assert_eq!(response.json()["workspace_id"], json!(bot));
    let set = response.header("set-cookie").unwrap_or_default();
    for part in ["HttpOnly", "SameSite=Strict", "Path=/", "Max-Age="] {
        assert!(set.contains(part), "{set}");
    }
    assert!(!set.contains("Secure"), "the page came without TLS: {set}");
    let over_tls = opening(&app, json!({"token": app.agent(bot).token()})).header("origin", "https://mem.example");
    assert!(over_tls.send().await.expect(200).header("set-cookie").is_some_and(|set| set.ends_with("; Secure")));
    let me = app.anonymous().request("GET", "/me").header("cookie", cookie(&response)).send().await.expect(200);
    assert_eq!(me.json()["role"], "agent");
    let root = format!("/workspaces/{}", org.id("acme"));
    app.anonymous().request("GET", &root).header("cookie", cookie(&response)).send().await.refused(403, "forbidden");
}

async fn session_writes_require_the_console_header(on: On) {
    let app = TestApp::new(on).await;
    let org = app.plant("acme").await;
    let acme = org.id("acme");
    let cookie = session_of(&app, &app.agent(acme)).await;
    let path = format!("/workspaces/{acme}/memories");
    let write = || app.anonymous().request("POST", &path).header("cookie", &cookie);
    let memory = json!({"scope": "LOCAL", "content": "written in the console"});
    write().json(&memory).send().await.refused(403, "forbidden");
    let elsewhere = write().header(FROM_CONSOLE.0, FROM_CONSOLE.1).header("sec-fetch-site", "same-site");
    elsewhere.json(&memory).send().await.refused(403, "forbidden");
    write().header(FROM_CONSOLE.0, FROM_CONSOLE.1).json(&memory).send().await.expect(201);
    let found = app.agent(acme).search(acme, &[("q", "console")]).await;
    assert_eq!(found.ids().len(), 1);
    let open = app.anonymous().request("POST", "/console/session").json(json!({"token": app.agent(acme).token()}));
    open.send().await.refused(403, "forbidden");
}

async fn session_ends_with_its_token(on: On) {
    let app = TestApp::new(on).await;
    let org = app.plant("acme").await;
    let cookie = session_of(&app, &app.viewer(org.id("acme"))).await;
    let me = || app.anonymous().request("GET", "/me").header("cookie", &cookie);
    me().send().await.expect(200);
    let close = app.anonymous().request("DELETE", "/console/session").header(FROM_CONSOLE.0, FROM_CONSOLE.1);
    let closed = close.send().await.expect(200);
    assert!(closed.header("set-cookie").is_some_and(|set| set.contains("Max-Age=0")), "{}", closed.describe());
    app.advance(chrono::TimeDelta::days(400));
    me().send().await.refused(401, "token_invalid");
}

async fn invalid_token_opens_no_session(on: On) {
    let app = TestApp::new(on).await;
    opening(&app, json!({"token": "of.no.one"})).send().await.refused(401, "token_invalid");
    opening(&app, json!({"code": "guessed"})).send().await.refused(403, "forbidden");
    for proof in [json!({}), json!({"token": "a.b.c", "code": "d"}), json!({"token": "a".repeat(4_000)})] {
        assert_eq!(opening(&app, proof).send().await.refused(400, "invalid_field")["field"], "token");
    }
}
