use orgmem_types::{ListWorkspaces, Problem};
use serde_json::json;

use super::fake::{Fake, Reply};
use super::{Address, Client, ClientError};

fn problem() -> Reply {
    let body = json!({
        "type": "urn:orgmem:problem:not_found", "title": "Not found", "status": 404, "code": "not_found",
        "detail": "no such workspace, or not yours to see", "error": "no such workspace, or not yours to see",
        "request_id": "0193", "hint": 7,
    });
    Reply { status: 404, ..Reply::ok(&body) }
}

#[tokio::test]
async fn a_refusal_is_read_with_its_words_and_what_it_adds() {
    let fake = Fake::start(vec![("/me", problem())]).await;
    let error = fake.client().me().await.expect_err("refused");
    assert_eq!(error.to_string(), "no such workspace, or not yours to see");
    let ClientError::Problem(problem) = error else { panic!("{error:?}") };
    let Problem { status, request_id, more, .. } = *problem;
    assert_eq!((status, request_id.as_deref()), (404, Some("0193")));
    assert_eq!(more["hint"], 7);
}

#[tokio::test]
async fn a_refusal_that_has_a_word_for_its_status_is_read_too() {
    let mut reply = problem();
    reply.body = reply.body.replace("\"status\":404", "\"status\":\"confirmation_required\"");
    let fake = Fake::start(vec![("/me", reply)]).await;
    let error = fake.client().me().await.expect_err("refused");
    assert!(matches!(error, ClientError::Problem(problem) if problem.status == 404));
}

#[tokio::test]
async fn the_token_is_sent_and_a_page_tells_where_to_go_on() {
    let mut reply = Reply::ok(&json!([]));
    reply.headers = "Link: </workspaces?q=a%26b&cursor=c%2B1>; rel=\"next\"\r\n";
    let fake = Fake::start(vec![("/workspaces?q=a%26b&limit=2", reply)]).await;
    let query = ListWorkspaces { q: Some("a&b".into()), limit: Some(2), ..ListWorkspaces::default() };
    let page = fake.client().list_workspaces(&query).await.expect("a page");
    assert_eq!(page.next.as_deref(), Some("c+1"));
    assert!(fake.asked()[0].to_lowercase().contains("authorization: bearer t\r\n"), "{:?}", fake.asked());
}

#[tokio::test]
async fn what_is_no_answer_of_ours_is_told_as_such() {
    let page = Reply { status: 200, headers: "", body: "<html>".to_owned() };
    let fake = Fake::start(vec![("/me", page)]).await;
    let error = fake.client().me().await.expect_err("no JSON");
    assert!(matches!(error, ClientError::Foreign { status: 200, .. }), "{error:?}");
    let error = fake.client().admin_tree().await.expect_err("no problem document");
    assert!(matches!(error, ClientError::Foreign { status: 404, .. }), "{error:?}");
}

#[tokio::test]
async fn a_redirect_is_not_followed_as_it_could_lead_anywhere() {
    let away = Reply { status: 307, headers: "Location: /admin/tree\r\n", body: String::new() };
    let fake = Fake::start(vec![("/me", away)]).await;
    let error = fake.client().me().await.expect_err("not followed");
    assert!(matches!(error, ClientError::Foreign { status: 307, .. }), "{error:?}");
    assert_eq!(fake.asked().len(), 1);
}

#[tokio::test]
async fn nobody_at_the_address_is_told_with_the_cause() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = Address::parse(&format!("http://{}", listener.local_addr().expect("an address"))).expect("one");
    drop(listener);
    let error = Client::new(address.clone(), None).expect("a client").health().await.expect_err("nobody there");
    assert_eq!(error.to_string(), format!("no server answers at {address}: Connection refused"));
}

#[tokio::test]
async fn the_clock_of_the_server_is_read_from_its_answer() {
    let alive = Reply { status: 200, headers: "Date: Fri, 20 Nov 2026 08:00:00 GMT\r\n", body: String::new() };
    let fake = Fake::start(vec![("/healthz", alive)]).await;
    let pulse = fake.client().health().await.expect("alive");
    assert_eq!(pulse.clock.map(|clock| clock.to_rfc3339()).as_deref(), Some("2026-11-20T08:00:00+00:00"));
}

#[test]
fn a_token_that_no_header_can_carry_is_refused() {
    let address = Address::parse("http://127.0.0.1:7070").expect("an address");
    for token in ["a\nb", "a\u{7f}"] {
        let made = Client::new(address.clone(), Some(token.into()));
        assert!(matches!(made, Err(ClientError::Token)), "{token:?}");
    }
    assert!(Client::new(address, Some("abc\n".into())).is_ok(), "the line feed of a file");
}
