use std::time::Duration;

use super::{Api, send};

/// With no time to read, the reader of every piece is slow.
#[tokio::test]
async fn slow_reader_of_a_stream_receives_resync_and_the_stream_ends() {
    let api = Api::with(|settings| settings.slow_reader = Duration::ZERO).await;
    let org = api.post("/workspaces", r#"{"name": "acme"}"#).await.json();
    let id = org["id"].as_str().expect("an id").to_owned();
    for content in ["one", "two"] {
        let memory = format!(r#"{{"content": "{content}", "scope": "LOCAL"}}"#);
        assert_eq!(api.post(&format!("/workspaces/{id}/memories"), &memory).await.status, 201);
    }
    let request = api.request("GET", &format!("/workspaces/{id}/events")).header("last-event-id", "1");
    let stream = send(request).await.text;
    let events: Vec<&str> =
        stream.lines().filter(|line| line.starts_with("event: ") || line.starts_with("id: ")).collect();
    assert_eq!(events, ["event: ready", "id: 1", "event: resync", "id: 3"], "{stream}");
}
