//! Bodies that cannot be read.

use orgmem_tests::{On, TestApp, for_each_store};
use serde_json::json;

use super::room::Room;

for_each_store!(
    a_body_that_is_no_json_is_refused_where_it_breaks,
    a_body_that_nests_too_deep_is_refused,
    a_body_of_other_bytes_is_refused,
    a_body_of_another_kind_is_refused,
    a_body_that_is_too_large_is_refused_before_it_is_read,
    a_body_that_does_not_arrive_is_refused_in_time,
    a_stranger_does_not_get_to_send_a_body,
);

async fn a_body_that_is_no_json_is_refused_where_it_breaks(on: On) {
    let at = "agent POST /workspaces/{bot}/memories";
    Room::new(on)
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

async fn a_body_that_nests_too_deep_is_refused(on: On) {
    let deep = |levels: usize| format!("{}1{}", "[".repeat(levels), "]".repeat(levels));
    let entry = |levels| format!("{{\"key\": \"deep\", \"value\": {}}}", deep(levels));
    let metadata = format!("{{\"content\": \"x\", \"scope\": \"LOCAL\", \"metadata\": {{\"a\": {}}}}}", deep(70));
    Room::new(on)
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

async fn a_body_of_other_bytes_is_refused(on: On) {
    let room = Room::new(on).await;
    let address = room.filled("/workspaces/{bot}/memories");
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
        let response = room.caller("agent").request("POST", &address).body("application/json", bytes).send().await;
        room.check_answer(&response, expected);
    }
    room.nothing_changed();
}

async fn a_body_of_another_kind_is_refused(on: On) {
    let room = Room::new(on).await;
    let address = room.filled("/workspaces/{bot}/memories");
    let body = json!({"content": "x", "scope": "LOCAL"}).to_string();
    let agent = room.caller("agent");
    for kind in
        ["text/plain", "application/x-www-form-urlencoded", "application/yaml", "application/json; charset=latin1"]
    {
        let response = agent.request("POST", &address).body(kind, body.clone()).send().await;
        room.check_answer(
            &response,
            "415 unsupported_media_type: the body must be `application/json`; set `Content-Type` accordingly",
        );
    }
    let packed = agent.request("POST", &address).json(json!({})).header("content-encoding", "gzip").send().await;
    room.check_answer(
        &packed,
        "415 unsupported_media_type: the body must be uncompressed; send it without `Content-Encoding`",
    );
    room.nothing_changed();
    let accepted = agent.request("POST", &address).body("application/json; charset=UTF-8", body).send().await;
    accepted.expect(201);
}

async fn a_body_that_is_too_large_is_refused_before_it_is_read(on: On) {
    let room = Room::new(on).await;
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
        let request = room.caller("agent").request("POST", &room.filled(address));
        let response = request.body("application/json", body.clone()).send().await;
        room.check_answer(&response, expected);
        assert!(response.json()["limit_bytes"].is_u64(), "{}", response.describe());
    }
    room.nothing_changed();
}

async fn a_body_that_does_not_arrive_is_refused_in_time(on: On) {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    let room = Room::within(TestApp::builder(on).with("ORGMEM_LIMITS_BODY_TIMEOUT_SECONDS", "1").start().await).await;
    let agent = room.caller("agent");
    let head = format!(
        "POST {} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer {}\r\ncontent-type: application/json\r\n\
         content-length: 50\r\n\r\n{{\"content\"",
        room.filled("/workspaces/{bot}/memories"),
        agent.token().unwrap_or_default(),
    );
    let mut connection =
        tokio::net::TcpStream::connect(room.app.address().trim_start_matches("http://")).await.expect("it listens");
    connection.write_all(head.as_bytes()).await.expect("it reads");
    let mut response = vec![0; 4096];
    let read = connection.read(&mut response).await.expect("it answers");
    let response = String::from_utf8_lossy(&response[..read]).into_owned();
    assert!(response.starts_with("HTTP/1.1 408 "), "{response}");
    assert!(response.contains("\"code\":\"request_timeout\""), "{response}");
    room.nothing_changed();
}

/// The response comes though most of the body never does.
async fn a_stranger_does_not_get_to_send_a_body(on: On) {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    let room = Room::new(on).await;
    let head = "POST /orgs/import HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 60000000\r\n\r\n[";
    let mut connection =
        tokio::net::TcpStream::connect(room.app.address().trim_start_matches("http://")).await.expect("it listens");
    connection.write_all(head.as_bytes()).await.expect("it reads");
    let mut response = vec![0; 4096];
    let read = connection.read(&mut response).await.expect("it answers");
    let response = String::from_utf8_lossy(&response[..read]).into_owned();
    assert!(response.starts_with("HTTP/1.1 401 "), "{response}");
    room.nothing_changed();
}
