use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use super::{Api, send};

const ID: &str = "0190b5a0-0000-7000-8000-000000000001";

#[tokio::test]
async fn missing_token_is_refused_before_the_body_arrives() {
    let api = Api::start().await;
    let address = api.running.address();
    let answer = tokio::task::spawn_blocking(move || {
        let mut stream = TcpStream::connect(address).expect("a connection");
        stream.set_read_timeout(Some(Duration::from_secs(60))).expect("a timeout");
        let head = format!("POST /workspaces/{ID}/memories HTTP/1.1\r\nhost: a\r\ncontent-length: 1000000\r\n\r\n");
        stream.write_all(head.as_bytes()).expect("the head");
        let mut answer = vec![0; 4096];
        let read = stream.read(&mut answer).expect("an answer");
        String::from_utf8_lossy(&answer[..read]).into_owned()
    });
    let answer = answer.await.expect("an answer");
    assert!(answer.starts_with("HTTP/1.1 401 "), "{answer}");
    assert!(answer.contains("www-authenticate: Bearer realm=\"orgmem\"\r\n"), "{answer}");
}

#[tokio::test]
async fn invalid_token_is_refused_with_the_cause() {
    let api = Api::start().await;
    let missing = send(api.open("GET", "/me")).await;
    missing.is_problem(401, "token_missing", "a token is required: send the header `Authorization: Bearer <token>`");
    let wrong = send(api.open("GET", "/me").bearer_auth("abc")).await;
    wrong.is_problem(401, "token_invalid", "the token is not a JWT (three base64url parts with dots between them)");
    assert!(wrong.header("www-authenticate").contains("error=\"invalid_token\""), "{:?}", wrong.headers);
}

#[tokio::test]
async fn request_id_of_the_caller_is_returned() {
    let api = Api::start().await;
    let given = send(api.open("GET", "/me").header("x-request-id", "retry-7")).await;
    assert_eq!(given.json()["request_id"], "retry-7");
    assert_eq!(given.header("x-request-id"), "retry-7");
    let made = api.get("/version").await;
    assert_eq!(made.header("x-request-id").len(), 36);
}

#[tokio::test]
async fn unknown_addresses_ids_and_methods_are_problems() {
    let api = Api::start().await;
    let nothing = "no endpoint at this address; `/openapi.json` lists the endpoints";
    api.get("/nothing").await.is_problem(404, "not_found", nothing);
    api.get("/workspaces/").await.is_problem(404, "not_found", nothing);
    let no_workspace = "no such workspace, or not yours to see";
    api.get("/workspaces/7").await.is_problem(404, "not_found", no_workspace);
    api.get("/workspaces/7/memories/8").await.is_problem(404, "not_found", no_workspace);
    let other = send(api.request("PUT", "/workspaces")).await;
    other.is_problem(405, "method_not_allowed", "method not allowed; this address supports GET, POST, HEAD");
    assert_eq!(other.header("allow"), "GET, POST, HEAD");
    for path in ["/workspaces?dry_run=true", "/me?q=x"] {
        assert_eq!(send(api.request("TRACE", path)).await.status, 405, "{path}");
    }
    for header in [("if-match", "\"1\""), ("x-run-id", "7"), ("x-audit-context", "no object")] {
        assert_eq!(send(api.request("PUT", "/me").header(header.0, header.1)).await.status, 405, "{}", header.0);
    }
    let made_up = send(api.request("BREW", "/me")).await;
    made_up.is_problem(405, "method_not_allowed", "method not allowed; this address supports GET, HEAD");
}

#[tokio::test]
async fn head_returns_the_headers_of_get() {
    let api = Api::start().await;
    let head = send(api.open("HEAD", "/version")).await;
    let get = api.get("/version").await;
    assert_eq!((head.status, head.text.as_str()), (200, ""));
    assert_eq!(head.header("content-length"), get.text.len().to_string());
    assert_eq!(send(api.open("HEAD", "/me")).await.status, 401);
}

#[tokio::test]
async fn unknown_parameter_is_refused() {
    let api = Api::start().await;
    let path = format!("/workspaces/{ID}?dry_run=true");
    api.get(&path).await.is_problem(400, "invalid_field", "unknown field `dry_run`; leave it out");
    let known = "known fields are `root`, `parent`, `status`, `q`, `limit`, `cursor`";
    let unknown = api.get("/workspaces?limt=5").await;
    unknown.is_problem(400, "invalid_field", &format!("unknown field `limt`; {known}; did you mean `limit`?"));
    assert_eq!(unknown.json()["field"], "limt");
}

#[tokio::test]
async fn responses_forbid_sniffing_and_caching() {
    let api = Api::start().await;
    let answer = api.get("/version").await;
    assert_eq!(answer.header("x-content-type-options"), "nosniff");
    assert_eq!(answer.header("cache-control"), "no-store");
}

#[tokio::test]
async fn docs_page_loads_nothing_from_other_hosts() {
    let api = Api::start().await;
    let near = send(api.open("GET", "/docs")).await;
    assert_eq!((near.status, near.header("location")), (308, "docs/"));
    let page = send(api.open("GET", "/docs/")).await;
    assert!(page.header("content-security-policy").starts_with("default-src 'none'; script-src 'self';"));
    assert!(!page.text.contains("http://") && !page.text.contains("https://"), "{}", page.text);
    for file in ["swagger-ui-bundle.js", "swagger-initializer.js", "swagger-ui.css"] {
        assert_eq!(send(api.open("GET", &format!("/docs/{file}"))).await.status, 200, "{file}");
    }
    let initializer = send(api.open("GET", "/docs/swagger-initializer.js")).await;
    assert!(initializer.text.contains("/openapi.json"), "{}", initializer.text);
    assert_eq!(send(api.open("GET", "/docs/no/such/file")).await.status, 404);
}

#[tokio::test]
async fn metrics_have_patterns_instead_of_ids() {
    let api = Api::start().await;
    let _ = api.get(&format!("/workspaces/{ID}/memory/a-key")).await;
    let _ = api.get("/no/such/address").await;
    let metrics = send(api.open("GET", "/metrics")).await.text;
    assert!(metrics.contains("http_route=\"/workspaces/{id}/memory/{key}\",http_request_method=\"GET\""), "{metrics}");
    assert!(metrics.contains("http_route=\"unknown\""), "{metrics}");
    assert!(!metrics.contains(ID) && !metrics.contains("a-key") && !metrics.contains("/no/such"), "{metrics}");
    assert!(metrics.ends_with("# EOF\n"));
}

#[tokio::test]
async fn large_response_is_compressed_on_request() {
    let api = Api::start().await;
    let plain = send(api.open("GET", "/openapi.json")).await;
    assert_eq!(plain.header("content-encoding"), "");
    let packed = send(api.open("GET", "/openapi.json").header("accept-encoding", "br;q=1, gzip;q=0.5")).await;
    assert_eq!((packed.header("content-encoding"), packed.header("vary")), ("gzip", "accept-encoding"));
    let small = send(api.open("GET", "/version").header("accept-encoding", "gzip")).await;
    assert_eq!(small.header("content-encoding"), "");
}
