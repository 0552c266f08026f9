use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use super::{Api, sent};

async fn refused(api: &Api, body: impl Into<reqwest::Body>, code: &str, detail: &str) {
    let request = api.request("POST", "/workspaces").header("content-type", "application/json");
    sent(request.body(body)).await.is_problem(400, code, detail);
}

#[tokio::test]
async fn a_body_that_cannot_be_read_is_told_where() {
    let api = Api::start().await;
    refused(&api, "", "bad_request", "the body is missing; send `application/json`").await;
    let cut = "the body is not JSON: EOF while parsing a value at line 1 column 8";
    refused(&api, "{\"name\":", "bad_request", cut).await;
    refused(&api, vec![b'{', 0xff], "bad_request", "the body must be UTF-8; byte 1 is not").await;
    let deep = format!("{{\"name\": \"a\", \"metadata\": {}", "{\"a\":".repeat(100_000));
    refused(&api, deep, "bad_request", "the body nests deeper than 64 levels; make it flatter").await;
    let unknown = "`parent` is not known here; known are `name`, `parent_id`, `id`, `role`, `metadata`";
    refused(&api, r#"{"name": "a", "parent": null}"#, "invalid_field", unknown).await;
    refused(&api, r#"{"name": 1}"#, "invalid_field", "`name` must be a string, not `1`").await;
    refused(&api, "[]", "invalid_field", "the body must be an object, not an array").await;
}

#[tokio::test]
async fn a_body_of_another_kind_is_refused() {
    let api = Api::start().await;
    let kind = "the body must be `application/json`; say so in `Content-Type`";
    for content_type in ["text/plain", "application/x-www-form-urlencoded", "application/json; charset=latin1", ""] {
        let request = api.request("POST", "/workspaces").header("content-type", content_type).body("{}");
        sent(request).await.is_problem(415, "unsupported_media_type", kind);
    }
    let request = api.request("POST", "/workspaces").header("content-type", "application/json");
    let packed = sent(request.header("content-encoding", "gzip").body("{}")).await;
    let plain = "the body must be sent as it is, without `Content-Encoding`";
    packed.is_problem(415, "unsupported_media_type", plain);
    let document = "the body must be `application/json` or `application/yaml`; say so in `Content-Type`";
    let request = api.request("POST", "/orgs/import").header("content-type", "text/plain").body("name: a");
    sent(request).await.is_problem(415, "unsupported_media_type", document);
    let request = api.request("POST", "/orgs/import").header("content-type", "text/yaml").body("nam: a");
    assert_eq!(sent(request).await.json()["field"], "nam");
}

#[tokio::test]
async fn a_body_that_is_too_large_is_refused_whether_or_not_it_says_so() {
    let api = Api::with(|settings| settings.limits.body_bytes = 1000).await;
    let detail = "the body has more than 1000 bytes; send less at once";
    let body = "x".repeat(1001);
    let declared = api.post("/workspaces", &body).await;
    declared.is_problem(413, "too_large", detail);
    assert_eq!(declared.json()["limit_bytes"], 1000);
    let pieces = body.into_bytes().chunks(100).map(|piece| Ok::<_, std::io::Error>(piece.to_vec())).collect::<Vec<_>>();
    let stream = reqwest::Body::wrap_stream(futures_util::stream::iter(pieces));
    let request = api.request("POST", "/workspaces").header("content-type", "application/json");
    sent(request.body(stream)).await.is_problem(413, "too_large", detail);
}

#[tokio::test]
async fn a_body_that_does_not_come_is_not_waited_for() {
    let api = Api::with(|settings| settings.limits.body_timeout = Duration::from_secs(1)).await;
    let (address, token) = (api.running.address(), api.token.clone());
    let answer = tokio::task::spawn_blocking(move || {
        let mut stream = TcpStream::connect(address).expect("a connection");
        let head = format!(
            "POST /workspaces HTTP/1.1\r\nhost: a\r\nauthorization: Bearer {token}\r\n\
             content-type: application/json\r\ncontent-length: 100\r\n\r\n{{\"name\""
        );
        stream.write_all(head.as_bytes()).expect("the head");
        let mut answer = vec![0; 4096];
        let read = stream.read(&mut answer).expect("an answer");
        String::from_utf8_lossy(&answer[..read]).into_owned()
    });
    let answer = answer.await.expect("an answer");
    assert!(answer.starts_with("HTTP/1.1 408 "), "{answer}");
    assert!(answer.contains("the body did not arrive within 1 seconds"), "{answer}");
}

#[tokio::test]
async fn an_idempotency_key_must_be_one() {
    let api = Api::start().await;
    let detail = "the header `Idempotency-Key` must be 1 to 255 visible ASCII characters, without spaces";
    for key in ["", "two words", &"k".repeat(256)] {
        let request = api.request("POST", "/workspaces").header("content-type", "application/json");
        let answer = sent(request.header("idempotency-key", key).body("{\"name\": \"a\"}")).await;
        answer.is_problem(400, "invalid_field", detail);
    }
}
