use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use super::{Api, sent};

const ID: &str = "0190b5a0-0000-7000-8000-000000000001";

#[tokio::test]
async fn a_stranger_is_refused_before_the_body_arrives() {
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
async fn a_token_that_is_not_believed_is_told_why() {
    let api = Api::start().await;
    let missing = sent(api.open("GET", "/me")).await;
    missing.is_problem(401, "token_missing", "a token is required: send the header `Authorization: Bearer <token>`");
    let wrong = sent(api.open("GET", "/me").bearer_auth("abc")).await;
    wrong.is_problem(401, "token_invalid", "the token is not a JWT: three parts of base64url, with dots between");
    assert!(wrong.header("www-authenticate").contains("error=\"invalid_token\""), "{:?}", wrong.headers);
}

#[tokio::test]
async fn a_request_keeps_the_id_that_its_caller_gave() {
    let api = Api::start().await;
    let given = sent(api.open("GET", "/me").header("x-request-id", "retry-7")).await;
    assert_eq!(given.json()["request_id"], "retry-7");
    assert_eq!(given.header("x-request-id"), "retry-7");
    let made = api.get("/version").await;
    assert_eq!(made.header("x-request-id").len(), 36);
}

#[tokio::test]
async fn what_is_not_there_is_a_problem_too() {
    let api = Api::start().await;
    let nothing = "there is nothing at this address; `/openapi.json` lists what there is";
    api.get("/nothing").await.is_problem(404, "not_found", nothing);
    api.get("/workspaces/").await.is_problem(404, "not_found", nothing);
    let no_workspace = "no such workspace, or not yours to see";
    api.get("/workspaces/7").await.is_problem(404, "not_found", no_workspace);
    api.get("/workspaces/7/memories/8").await.is_problem(404, "not_found", no_workspace);
    let other = sent(api.request("PUT", "/workspaces")).await;
    other.is_problem(405, "method_not_allowed", "this address takes GET, POST, HEAD");
    assert_eq!(other.header("allow"), "GET, POST, HEAD");
    let made_up = sent(api.request("BREW", "/me")).await;
    made_up.is_problem(405, "method_not_allowed", "this address takes GET, HEAD");
}

#[tokio::test]
async fn head_answers_as_get_does_but_for_the_body() {
    let api = Api::start().await;
    let head = sent(api.open("HEAD", "/version")).await;
    let get = api.get("/version").await;
    assert_eq!((head.status, head.text.as_str()), (200, ""));
    assert_eq!(head.header("content-length"), get.text.len().to_string());
    assert_eq!(sent(api.open("HEAD", "/me")).await.status, 401);
}

#[tokio::test]
async fn a_parameter_that_nobody_reads_is_refused() {
    let api = Api::start().await;
    let path = format!("/workspaces/{ID}?dry_run=true");
    api.get(&path).await.is_problem(400, "invalid_field", "`dry_run` is not known here; leave it out");
    let known = "known are `root`, `parent`, `status`, `q`, `limit`, `cursor`";
    let unknown = api.get("/workspaces?limt=5").await;
    unknown.is_problem(400, "invalid_field", &format!("`limt` is not known here; {known}"));
    assert_eq!(unknown.json()["field"], "limt");
}

#[tokio::test]
async fn answers_are_not_sniffed_and_not_kept() {
    let api = Api::start().await;
    let answer = api.get("/version").await;
    assert_eq!(answer.header("x-content-type-options"), "nosniff");
    assert_eq!(answer.header("cache-control"), "no-store");
}

#[tokio::test]
async fn the_docs_ask_no_other_host() {
    let api = Api::start().await;
    let near = sent(api.open("GET", "/docs")).await;
    assert_eq!((near.status, near.header("location")), (308, "docs/"));
    let page = sent(api.open("GET", "/docs/")).await;
    assert!(page.header("content-security-policy").starts_with("default-src 'none'; script-src 'self';"));
    assert!(!page.text.contains("http://") && !page.text.contains("https://"), "{}", page.text);
    for file in ["swagger-ui-bundle.js", "swagger-initializer.js", "swagger-ui.css"] {
        assert_eq!(sent(api.open("GET", &format!("/docs/{file}"))).await.status, 200, "{file}");
    }
    let initializer = sent(api.open("GET", "/docs/swagger-initializer.js")).await;
    assert!(initializer.text.contains("/openapi.json"), "{}", initializer.text);
    assert_eq!(sent(api.open("GET", "/docs/no/such/file")).await.status, 404);
}

#[tokio::test]
async fn requests_are_counted_by_pattern_and_never_by_id() {
    let api = Api::start().await;
    let _ = api.get(&format!("/workspaces/{ID}/memory/a-key")).await;
    let _ = api.get("/no/such/address").await;
    let metrics = sent(api.open("GET", "/metrics")).await.text;
    assert!(metrics.contains("http_route=\"/workspaces/{id}/memory/{key}\",http_request_method=\"GET\""), "{metrics}");
    assert!(metrics.contains("http_route=\"unknown\""), "{metrics}");
    assert!(!metrics.contains(ID) && !metrics.contains("a-key") && !metrics.contains("/no/such"), "{metrics}");
    assert!(metrics.ends_with("# EOF\n"));
}

#[tokio::test]
async fn a_large_answer_is_compressed_for_those_who_ask() {
    let api = Api::start().await;
    let plain = sent(api.open("GET", "/openapi.json")).await;
    assert_eq!(plain.header("content-encoding"), "");
    let packed = sent(api.open("GET", "/openapi.json").header("accept-encoding", "br;q=1, gzip;q=0.5")).await;
    assert_eq!((packed.header("content-encoding"), packed.header("vary")), ("gzip", "accept-encoding"));
    let small = sent(api.open("GET", "/version").header("accept-encoding", "gzip")).await;
    assert_eq!(small.header("content-encoding"), "");
}
