use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use super::{Api, send};

async fn refused(api: &Api, body: impl Into<reqwest::Body>, code: &str, detail: &str) {
    let request = api.request("POST", "/workspaces").header("content-type", "application/json");
    send(request.body(body)).await.is_problem(400, code, detail);
}

#[tokio::test]
async fn unreadable_body_is_refused_with_the_position() {
    let api = Api::start().await;
    refused(&api, "", "bad_request", "the body is missing; send `application/json`").await;
    let cut = "the body is not JSON: EOF while parsing a value at line 1 column 8";
    refused(&api, "{\"name\":", "bad_request", cut).await;
    refused(&api, vec![b'{', 0xff], "bad_request", "the body must be UTF-8; byte 1 is not").await;
    let deep = format!("{{\"name\": \"a\", \"metadata\": {}", "{\"a\":".repeat(100_000));
    refused(&api, deep, "bad_request", "the body nests deeper than 64 levels; reduce the nesting").await;
    let unknown = "unknown field `parent`; known fields are `name`, `parent_id`, `id`, `role`, `metadata`; did you mean `parent_id`?";
    refused(&api, r#"{"name": "a", "parent": null}"#, "invalid_field", unknown).await;
    refused(&api, r#"{"name": 1}"#, "invalid_field", "`name` must be a string, not `1`").await;
    refused(&api, "[]", "invalid_field", "the body must be an object, not an array").await;
}

#[tokio::test]
async fn unsupported_media_type_is_refused() {
    let api = Api::start().await;
    let kind = "the body must be `application/json`; set `Content-Type` accordingly";
    for content_type in ["text/plain", "application/x-www-form-urlencoded", "application/json; charset=latin1", ""] {
        let request = api.request("POST", "/workspaces").header("content-type", content_type).body("{}");
        send(request).await.is_problem(415, "unsupported_media_type", kind);
    }
    let request = api.request("POST", "/workspaces").header("content-type", "application/json");
    let packed = send(request.header("content-encoding", "gzip").body("{}")).await;
    let plain = "the body must be uncompressed; send it without `Content-Encoding`";
    packed.is_problem(415, "unsupported_media_type", plain);
    let document = "the body must be `application/json` or `application/yaml`; set `Content-Type` accordingly";
    let request = api.request("POST", "/orgs/import").header("content-type", "text/plain").body("name: a");
    send(request).await.is_problem(415, "unsupported_media_type", document);
    let request = api.request("POST", "/orgs/import").header("content-type", "text/yaml").body("nam: a");
    assert_eq!(send(request).await.json()["field"], "nam");
}

#[tokio::test]
async fn too_large_body_is_refused_with_and_without_content_length() {
    let api = Api::with(|settings| settings.limits.body_bytes = 1000).await;
    let detail = "the body has more than 1000 bytes; send a smaller one";
    let body = "x".repeat(1001);
    let declared = api.post("/workspaces", &body).await;
    declared.is_problem(413, "too_large", detail);
    assert_eq!(declared.json()["limit_bytes"], 1000);
    let pieces = body.into_bytes().chunks(100).map(|piece| Ok::<_, std::io::Error>(piece.to_vec())).collect::<Vec<_>>();
    let stream = reqwest::Body::wrap_stream(futures_util::stream::iter(pieces));
    let request = api.request("POST", "/workspaces").header("content-type", "application/json");
    send(request.body(stream)).await.is_problem(413, "too_large", detail);
}

/// The only worker answers the second request after it has counted the first, whose body does not arrive.
#[tokio::test]
async fn bytes_in_flight_are_limited() {
    let api = Api::with(|settings| {
        settings.limits.body_bytes = 1000;
        settings.limits.load.caller.bytes_in_flight = 1500;
    });
    let api = api.await;
    let (address, token) = (api.running.address(), api.token.clone());
    let waiting = tokio::task::spawn_blocking(move || {
        let mut stream = TcpStream::connect(address).expect("a connection");
        let head = format!(
            "POST /workspaces HTTP/1.1\r\nhost: a\r\nauthorization: Bearer {token}\r\nexpect: 100-continue\r\n\
             content-type: application/json\r\ncontent-length: 1000\r\n\r\n"
        );
        stream.write_all(head.as_bytes()).expect("the head");
        let mut answer = vec![0; 4096];
        let read = stream.read(&mut answer).expect("an answer");
        (String::from_utf8_lossy(&answer[..read]).into_owned(), stream)
    });
    let (answer, stream) = waiting.await.expect("an answer");
    assert!(answer.starts_with("HTTP/1.1 100 "), "{answer}");
    let second = api.post("/workspaces", &format!("{:600}", "{\"name\": \"a\"}")).await;
    let detail = "this token may have 1500 bytes of bodies in flight (`limits.caller.bytes_in_flight`); try again when a \
                  request has its response, or send a smaller body";
    second.is_problem(429, "too_many_in_flight", detail);
    let policy = "\"caller-bytes\";q=1500;qu=\"content-bytes\"";
    assert_eq!((second.header("ratelimit-policy"), second.header("retry-after")), (policy, "1"));
    assert_eq!(api.post("/workspaces", "{\"name\": \"a\"}").await.status, 201);
    drop(stream);
}

#[tokio::test]
async fn body_without_a_token_is_small() {
    let api = Api::start().await;
    let request = api.open("POST", "/console/session").header("content-type", "application/json");
    let request = request.header("x-orgmem-console", "1").body(format!("{{\"token\": \"{}\"}}", "x".repeat(20_000)));
    send(request).await.is_problem(413, "too_large", "the body has more than 16384 bytes; send a smaller one");
}

/// The framework closes connections of which it reads the rest itself.
#[tokio::test]
async fn body_of_a_refused_request_is_read_so_that_its_connection_serves_the_next() {
    let api = Api::start().await;
    let address = api.running.address();
    let answers = tokio::task::spawn_blocking(move || {
        let mut stream = TcpStream::connect(address).expect("a connection");
        let head =
            "POST /workspaces HTTP/1.1\r\nhost: a\r\nauthorization: Bearer none\r\ncontent-length: 4000000\r\n\r\n";
        let next = "GET /healthz HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n";
        stream.write_all(&[head.as_bytes(), &vec![b' '; 4_000_000], next.as_bytes()].concat()).expect("requests");
        let mut answers = String::new();
        stream.read_to_string(&mut answers).expect("answers");
        answers
    });
    let answers = answers.await.expect("answers");
    assert!(answers.starts_with("HTTP/1.1 401 ") && answers.contains("HTTP/1.1 200 OK"), "{answers}");
}

#[tokio::test]
async fn slow_body_times_out() {
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
async fn invalid_idempotency_key_is_refused() {
    let api = Api::start().await;
    let detail = "the header `Idempotency-Key` must be 1 to 255 visible ASCII characters, without spaces";
    for key in ["", "two words", &"k".repeat(256)] {
        let request = api.request("POST", "/workspaces").header("content-type", "application/json");
        let answer = send(request.header("idempotency-key", key).body("{\"name\": \"a\"}")).await;
        answer.is_problem(400, "invalid_field", detail);
    }
}
