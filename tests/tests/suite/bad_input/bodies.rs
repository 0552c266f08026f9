//! Unreadable bodies.

use orgmem_tests::{On, TestApp, for_each_store};
use serde_json::json;

use super::fixture::Fixture;

for_each_store!(
    invalid_json_is_refused_with_its_position,
    deeply_nested_body_is_refused,
    body_that_is_not_utf8_is_refused,
    body_of_another_media_type_is_refused,
    large_body_is_refused_before_it_is_read,
    slow_body_is_refused_after_a_timeout,
    body_of_anonymous_request_is_not_read,
    large_body_of_a_caller_without_the_permission_is_not_read,
    body_with_too_many_values_is_refused,
);

async fn invalid_json_is_refused_with_its_position(on: On) {
    let at = "agent POST /workspaces/{bot}/memories";
    Fixture::new(on)
        .await
        .check(&[
            (at, "{", "400 bad_request: the body is not JSON: EOF while parsing an object at line 1 column 1"),
            (at, "{\"content\": \"x\", \"scope\": \"LOCAL\"", "400 bad_request: the body is not JSON: EOF while parsing an object at line 1 column 33"),
            (at, "{\"content\": \"x\", \"scope\": \"LOCAL\"} and more", "400 bad_request: the body is not JSON: trailing characters at line 1 column 36"),
            (at, "{content: 1}", "400 bad_request: the body is not JSON: key must be a string at line 1 column 2"),
            (at, "{'content': 'x'}", "400 bad_request: the body is not JSON: key must be a string at line 1 column 2"),
            (at, "{\"content\": \"\u{1}\", \"scope\": \"LOCAL\"}", "400 bad_request: the body is not JSON: control character (\\u0000-\\u001F) found while parsing a string at line 1 column 14"),
            (at, "{\"content\": \"\\ud800\", \"scope\": \"LOCAL\"}", "400 bad_request: the body is not JSON: unexpected end of hex escape at line 1 column 20"),
            (at, "{\"content\": \"\\x00\", \"scope\": \"LOCAL\"}", "400 bad_request: the body is not JSON: invalid escape at line 1 column 15"),
            (at, "[]", "400 invalid_field: the body must be an object, not an array"),
            (at, "null", "400 invalid_field: the body must be an object, not null"),
            (at, "\"content\"", "400 invalid_field: the body must be an object, not a string"),
            (at, "7", "400 invalid_field: the body must be an object, not `7`"),
            (at, " ", "400 bad_request: the body is not JSON: EOF while parsing a value at line 1 column 1"),
            (at, "", "415 unsupported_media_type: the body must be `application/json`; set `Content-Type` accordingly"),
            (at, "{}", "400 invalid_field: `content` is missing"),
            ("operator POST /workspaces", "{", "400 bad_request: the body is not JSON: EOF while parsing an object at line 1 column 1"),
            ("operator PATCH /workspaces/{bot}", "{", "400 bad_request: the body is not JSON: EOF while parsing an object at line 1 column 1"),
            ("agent POST /workspaces/{bot}/memories/batch", "{", "400 bad_request: the body is not JSON: EOF while parsing an object at line 1 column 1"),
            ("agent POST /workspaces/{bot}/memory", "{", "400 bad_request: the body is not JSON: EOF while parsing an object at line 1 column 1"),
            ("agent POST /workspaces/{bot}/activity", "{", "400 bad_request: the body is not JSON: EOF while parsing an object at line 1 column 1"),
            ("operator POST /workspaces/{bot}/tokens", "{", "400 bad_request: the body is not JSON: EOF while parsing an object at line 1 column 1"),
            ("admin POST /orgs/import", "{", "400 bad_request: the body is not JSON: EOF while parsing an object at line 1 column 1"),
            ("agent POST /registry/check-access", "{", "400 bad_request: the body is not JSON: EOF while parsing an object at line 1 column 1"),
        ])
        .await;
}

async fn deeply_nested_body_is_refused(on: On) {
    let deep = |levels: usize| format!("{}1{}", "[".repeat(levels), "]".repeat(levels));
    let entry = |levels| format!("{{\"key\": \"deep\", \"value\": {}}}", deep(levels));
    let metadata = format!("{{\"content\": \"x\", \"scope\": \"LOCAL\", \"metadata\": {{\"a\": {}}}}}", deep(70));
    Fixture::new(on)
        .await
        .check(&[
            (
                "agent POST /workspaces/{bot}/memory",
                &entry(70),
                "400 bad_request: the body nests deeper than 64 levels; reduce the nesting",
            ),
            (
                "agent POST /workspaces/{bot}/memory",
                &entry(100_000),
                "400 bad_request: the body nests deeper than 64 levels; reduce the nesting",
            ),
            (
                "agent POST /workspaces/{bot}/memory",
                &"[".repeat(500_000),
                "400 bad_request: the body nests deeper than 64 levels; reduce the nesting",
            ),
            (
                "agent POST /workspaces/{bot}/memories",
                &metadata,
                "400 bad_request: the body nests deeper than 64 levels; reduce the nesting",
            ),
            (
                "admin POST /orgs/import",
                &deep(200_000),
                "400 bad_request: the body nests deeper than 127 levels; reduce the nesting",
            ),
        ])
        .await;
}

async fn body_that_is_not_utf8_is_refused(on: On) {
    let fixture = Fixture::new(on).await;
    let address = fixture.filled("/workspaces/{bot}/memories");
    let tries: [(&[u8], &str); 4] = [
        (b"{\"content\": \"\xff\", \"scope\": \"LOCAL\"}", "400 bad_request: the body must be UTF-8; byte 13 is not"),
        (
            b"{\"content\": \"\xed\xa0\x80\", \"scope\": \"LOCAL\"}",
            "400 bad_request: the body must be UTF-8; byte 13 is not",
        ),
        (b"\xfe\xff\x00{\x00}", "400 bad_request: the body must be UTF-8; byte 0 is not"),
        (
            b"{\"content\": \"a\x00b\", \"scope\": \"LOCAL\"}",
            "400 bad_request: the body is not JSON: control character (\\u0000-\\u001F) found while parsing a string at line 1 column 15",
        ),
    ];
    for (bytes, expected) in tries {
        let response = fixture.caller("agent").request("POST", &address).body("application/json", bytes).send().await;
        fixture.check_response(&response, expected);
    }
    fixture.nothing_changed();
}

async fn body_of_another_media_type_is_refused(on: On) {
    let fixture = Fixture::new(on).await;
    let address = fixture.filled("/workspaces/{bot}/memories");
    let body = json!({"content": "x", "scope": "LOCAL"}).to_string();
    let agent = fixture.caller("agent");
    for kind in
        ["text/plain", "application/x-www-form-urlencoded", "application/yaml", "application/json; charset=latin1"]
    {
        let response = agent.request("POST", &address).body(kind, body.clone()).send().await;
        fixture.check_response(
            &response,
            "415 unsupported_media_type: the body must be `application/json`; set `Content-Type` accordingly",
        );
    }
    let packed = agent.request("POST", &address).json(json!({})).header("content-encoding", "gzip").send().await;
    fixture.check_response(
        &packed,
        "415 unsupported_media_type: the body must be uncompressed; send it without `Content-Encoding`",
    );
    fixture.nothing_changed();
    let accepted = agent.request("POST", &address).body("application/json; charset=UTF-8", body).send().await;
    accepted.expect(201);
}

async fn large_body_is_refused_before_it_is_read(on: On) {
    let fixture = Fixture::new(on).await;
    let large = format!("{{\"content\": \"{}\", \"scope\": \"LOCAL\"}}", "x".repeat(3 << 20));
    let bulk = format!("{{\"memories\": [\"{}\"]}}", "x".repeat(65 << 20));
    for (address, body, expected) in [
        (
            "/workspaces/{bot}/memories",
            &large,
            "413 too_large: the body has more than 2097152 bytes; send a smaller one",
        ),
        ("/workspaces/{bot}/memory", &large, "413 too_large: the body has more than 2097152 bytes; send a smaller one"),
        (
            "/workspaces/{bot}/memories/batch",
            &bulk,
            "413 too_large: the body has more than 67108864 bytes; send a smaller one",
        ),
    ] {
        let request = fixture.caller("agent").request("POST", &fixture.filled(address));
        let response = request.body("application/json", body.clone()).send().await;
        fixture.check_response(&response, expected);
        assert!(response.json()["limit_bytes"].is_u64(), "{}", response.describe());
    }
    fixture.nothing_changed();
}

async fn slow_body_is_refused_after_a_timeout(on: On) {
    let fixture =
        Fixture::within(TestApp::builder(on).with("ORGMEM_LIMITS_BODY_TIMEOUT_SECONDS", "1").start().await).await;
    let response = first_response(&fixture, Some("agent"), "/workspaces/{bot}/memories", 50).await;
    assert!(response.starts_with("HTTP/1.1 408 "), "{response}");
    assert!(response.contains("\"code\":\"request_timeout\""), "{response}");
    fixture.nothing_changed();
}

/// The response arrives before the rest of the body.
async fn body_of_anonymous_request_is_not_read(on: On) {
    let fixture = Fixture::new(on).await;
    let response = first_response(&fixture, None, "/orgs/import", 60_000_000).await;
    assert!(response.starts_with("HTTP/1.1 401 "), "{response}");
    fixture.nothing_changed();
}

async fn large_body_of_a_caller_without_the_permission_is_not_read(on: On) {
    let fixture = Fixture::new(on).await;
    for (caller, address, status) in [
        ("viewer", "/workspaces/{bot}/memories/batch", 403),
        ("agent", "/workspaces/{none}/memories/batch", 404),
        ("agent", "/workspaces/{dev}/runs/{bot}/outputs", 403),
        ("operator", "/orgs/import", 403),
        ("agent", "/org/import", 403),
    ] {
        let response = first_response(&fixture, Some(caller), address, 60_000_000).await;
        assert!(response.starts_with(&format!("HTTP/1.1 {status} ")), "{caller} {address}: {response}");
    }
    fixture.nothing_changed();
}

async fn body_with_too_many_values_is_refused(on: On) {
    let fixture = Fixture::new(on).await;
    let lists = format!("{{\"x\": [{}[]]}}", "[],".repeat(200_000));
    let objects = format!("{{\"key\": \"k\", \"value\": [{}1]}}", "{\"a\":1},".repeat(100_000));
    for (address, body) in [("/workspaces/{bot}/runs/{bot}/outputs", lists), ("/workspaces/{bot}/memory", objects)] {
        let expected =
            format!("413 too_large: the body has too many values for its {} bytes; send it in parts", body.len());
        let request = fixture.caller("agent").request("POST", &fixture.filled(address));
        fixture.check_response(&request.body("application/json", body).send().await, &expected);
    }
    fixture.nothing_changed();
}

/// The beginning of the response to a request that declares a body of `length` bytes and sends one byte of it.
async fn first_response(fixture: &Fixture, caller: Option<&str>, address: &str, length: usize) -> String {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    let token = caller.map(|name| fixture.caller(name));
    let token = token.as_ref().and_then(|caller| caller.token());
    let authorization = token.map(|token| format!("authorization: Bearer {token}\r\n")).unwrap_or_default();
    let head = format!(
        "POST {} HTTP/1.1\r\nhost: localhost\r\n{authorization}content-type: application/json\r\n\
         content-length: {length}\r\n\r\n{{",
        fixture.filled(address),
    );
    let mut connection =
        tokio::net::TcpStream::connect(fixture.app.address().trim_start_matches("http://")).await.expect("it listens");
    connection.write_all(head.as_bytes()).await.expect("it reads");
    let mut response = vec![0; 4096];
    let read = connection.read(&mut response).await.expect("it answers");
    String::from_utf8_lossy(&response[..read]).into_owned()
}
