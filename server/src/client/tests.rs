use orgmem_types::{
    AdminTreeQuery, DryRun, ImportNode, ImportQuery, ListWorkspaces, PatchWorkspace, PatchedWorkspace, Problem,
    PutEntry,
};
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

use super::fake::{Fake, Reply};
use super::{Address, Client, ClientError, Document};

fn problem() -> Reply {
    let body = json!({
        "type": "urn:orgmem:problem:not_found", "title": "Not found", "status": 404, "code": "not_found",
        "detail": "no such workspace, or not yours to see", "error": "no such workspace, or not yours to see",
        "request_id": "0193", "hint": 7,
    });
    Reply { status: 404, ..Reply::ok(&body) }
}

#[tokio::test]
async fn problem_is_parsed_with_its_additional_members() {
    let fake = Fake::start(vec![("/me", problem())]).await;
    let error = fake.client().read_me().await.expect_err("refused");
    assert_eq!(error.to_string(), "no such workspace, or not yours to see");
    let ClientError::Problem(problem) = error else { panic!("{error:?}") };
    let Problem { status, request_id, more, .. } = *problem;
    assert_eq!((status, request_id.as_deref()), (404, Some("0193")));
    assert_eq!(more["hint"], 7);
}

#[tokio::test]
async fn problem_with_a_word_as_status_is_parsed() {
    let mut reply = problem();
    reply.body = reply.body.replace("\"status\":404", "\"status\":\"confirmation_required\"");
    let fake = Fake::start(vec![("/me", reply)]).await;
    let error = fake.client().read_me().await.expect_err("refused");
    assert!(matches!(error, ClientError::Problem(problem) if problem.status == 404));
}

#[tokio::test]
async fn token_is_sent_and_cursor_is_read() {
    let mut reply = Reply::ok(&json!([]));
    reply.headers = "Link: </workspaces?q=a%26b&cursor=c%2B1>; rel=\"next\"\r\n";
    let fake = Fake::start(vec![("/workspaces?q=a%26b&limit=2", reply)]).await;
    let query = ListWorkspaces { q: Some("a&b".into()), limit: Some(2), ..ListWorkspaces::default() };
    let page = fake.client().list_workspaces(&query).await.expect("a page");
    assert_eq!(page.next.as_deref(), Some("c+1"));
    assert!(fake.requests()[0].to_lowercase().contains("authorization: bearer t\r\n"), "{:?}", fake.requests());
}

#[tokio::test]
async fn foreign_response_is_an_error() {
    let page = Reply { status: 200, headers: "", body: "<html>".to_owned() };
    let fake = Fake::start(vec![("/me", page)]).await;
    let error = fake.client().read_me().await.expect_err("no JSON");
    assert!(matches!(error, ClientError::Foreign { status: 200, .. }), "{error:?}");
    let error = fake.client().read_admin_tree(&AdminTreeQuery::default()).await.expect_err("no problem document");
    assert!(matches!(error, ClientError::Foreign { status: 404, .. }), "{error:?}");
}

#[tokio::test]
async fn redirect_is_not_followed() {
    let away = Reply { status: 307, headers: "Location: /admin/tree\r\n", body: String::new() };
    let fake = Fake::start(vec![("/me", away)]).await;
    let error = fake.client().read_me().await.expect_err("not followed");
    assert!(matches!(error, ClientError::Foreign { status: 307, .. }), "{error:?}");
    assert_eq!(fake.requests().len(), 1);
}

#[tokio::test]
async fn unreachable_server_is_an_error_with_the_cause() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = Address::parse(&format!("http://{}", listener.local_addr().expect("an address"))).expect("one");
    drop(listener);
    let error = Client::new(address.clone(), None).expect("a client").read_pulse().await.expect_err("nobody there");
    assert_eq!(error.to_string(), format!("no server responds at {address}: Connection refused"));
}

#[tokio::test]
async fn clock_is_read_from_the_date_header() {
    let alive = Reply { headers: "Date: Fri, 20 Nov 2026 08:00:00 GMT\r\n", ..Reply::ok(&json!({"status": "ok"})) };
    let fake = Fake::start(vec![("/healthz", alive)]).await;
    let pulse = fake.client().read_pulse().await.expect("alive");
    assert_eq!(pulse.clock.map(|clock| clock.to_rfc3339()).as_deref(), Some("2026-11-20T08:00:00+00:00"));
}

#[tokio::test]
async fn foreign_server_is_not_healthy() {
    for body in ["<html>", "{}", r#"{"status": "fine"}"#, ""] {
        let page = || Reply { status: 200, headers: "", body: body.to_owned() };
        let fake = Fake::start(vec![("/healthz", page()), ("/readyz", page())]).await;
        let (alive, ready) =
            (fake.client().read_pulse().await.map(drop), fake.client().check_readiness().await.map(drop));
        for answer in [alive, ready] {
            assert!(matches!(answer, Err(ClientError::Foreign { status: 200, .. })), "`{body}`: {answer:?}");
        }
    }
}

#[tokio::test]
async fn tls_to_a_plain_server_is_an_error_with_the_remedy() {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let address = format!("https://{}", listener.local_addr().expect("an address"));
    tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.expect("a connection");
        stream.write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n").await.expect("a response");
        // stay open until the client closes the connection
        let _ = stream.read_to_end(&mut Vec::new()).await;
    });
    let client = Client::new(Address::parse(&address).expect("an address"), None).expect("a client");
    let error = client.read_pulse().await.expect_err("it speaks plain HTTP").to_string();
    assert!(error.contains("try http://"), "{error}");
}

#[tokio::test]
async fn key_that_is_invalid_in_a_url_is_not_requested() {
    let fake = Fake::start(vec![]).await;
    for key in [".", ".."] {
        let error = fake.client().read_entry(uuid::Uuid::nil(), key).await.expect_err("not valid in a URL");
        assert!(matches!(error, ClientError::Unaddressable(_)), "{error:?}");
    }
    assert!(fake.requests().is_empty());
}

#[tokio::test]
async fn described_headers_are_sent() {
    let fake = Fake::start(vec![]).await;
    let entry = PutEntry { key: "a".into(), value: json!(1), ttl_seconds: None, if_match_version: None, subject: None };
    let client = fake.client();
    let _ = client.put_entry(uuid::Uuid::nil(), &entry, Some("k1"), Some(3), Some("*")).await;
    let _ = client.put_entry(uuid::Uuid::nil(), &entry, None, None, None).await;
    let requests = fake.requests();
    for header in ["idempotency-key: k1\r\n", "if-match: \"3\"\r\n", "if-none-match: *\r\n"] {
        let name = header.split(' ').next().unwrap_or_default();
        assert!(requests[0].to_lowercase().contains(header), "{requests:?}");
        assert!(!requests[1].to_lowercase().contains(name), "{requests:?}");
    }
}

#[tokio::test]
async fn document_is_sent_as_json_or_as_its_file() {
    let fake = Fake::start(vec![]).await;
    let (client, query) = (fake.client(), ImportQuery { dry_run: true, ungated: false });
    let org: ImportNode = serde_json::from_value(json!({"name": "acme"})).expect("a document");
    let _ = client.import_org(&query, Document::Value(&org), None).await;
    let _ = client.import_org(&query, Document::File(b"name: acme".to_vec()), None).await;
    let requests = fake.requests();
    for (request, media_type) in requests.iter().zip(["application/json", "application/yaml"]) {
        assert!(request.starts_with("POST /orgs/import?dry_run=true&ungated=false "), "{request}");
        assert!(request.contains(&format!("content-type: {media_type}\r\n")), "{request}");
    }
    assert_eq!(requests.len(), 2);
}

#[tokio::test]
async fn change_and_its_dry_run_are_distinguished() {
    let counts = json!({"local": 1, "team": 0, "global": 0});
    let plan = json!({
        "dry_run": true, "workspace_id": uuid::Uuid::nil(), "moved": 1, "removed": 0, "affected": [], "more": 0,
    });
    let done = json!({
        "id": uuid::Uuid::nil(), "name": "bot", "parent_id": null, "org_id": uuid::Uuid::nil(), "role": null,
        "metadata": null, "status": "online", "path": [], "child_count": 0, "descendant_count": 0, "memories": counts,
        "last_write_at": null, "created_at": "2026-11-20T08:00:00Z", "updated_at": "2026-11-20T08:00:00Z",
    });
    let target = |dry_run| match dry_run {
        true => "/workspaces/00000000-0000-0000-0000-000000000000?dry_run=true",
        false => "/workspaces/00000000-0000-0000-0000-000000000000?dry_run=false",
    };
    let fake = Fake::start(vec![(target(true), Reply::ok(&plan)), (target(false), Reply::ok(&done))]).await;
    for dry_run in [true, false] {
        let query = DryRun { dry_run: Some(dry_run) };
        let patched = fake.client().patch_workspace(uuid::Uuid::nil(), &query, &PatchWorkspace::default()).await;
        let is_plan = matches!(patched.expect("a response"), PatchedWorkspace::Planned(_));
        assert_eq!(is_plan, dry_run);
    }
}

#[test]
fn token_that_is_invalid_in_a_header_is_refused() {
    let address = Address::parse("http://127.0.0.1:7070").expect("an address");
    for token in ["a\nb", "a\u{7f}"] {
        let client = Client::new(address.clone(), Some(token.into()));
        assert!(matches!(client, Err(ClientError::Token)), "{token:?}");
    }
    assert!(Client::new(address, Some("abc\n".into())).is_ok(), "the line feed of a file");
}
