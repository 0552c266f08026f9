use std::io::{Read, Write};
use std::net::{Shutdown, TcpStream};
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

/// A client that closes its connection is seen to close its half of it. The stream would go on for ever.
#[tokio::test]
async fn request_ends_when_its_client_closes_the_connection() {
    let api = Api::start().await;
    let org = api.post("/workspaces", r#"{"name": "acme"}"#).await.json();
    let head = format!(
        "GET /workspaces/{}/events HTTP/1.1\r\nhost: a\r\nauthorization: Bearer {}\r\n\r\n",
        org["id"].as_str().expect("an id"),
        api.token
    );
    let address = api.running.address();
    let stream = tokio::task::spawn_blocking(move || {
        let mut connection = TcpStream::connect(address).expect("a connection");
        // only a failing test waits for it
        connection.set_read_timeout(Some(Duration::from_secs(60))).expect("a time limit");
        connection.write_all(head.as_bytes()).expect("a request");
        let mut first = [0; 16];
        connection.read_exact(&mut first).expect("the stream begins");
        connection.shutdown(Shutdown::Write).expect("half of the connection is closed");
        let mut rest = Vec::new();
        connection.read_to_end(&mut rest).map(drop)
    });
    stream.await.expect("no panic").expect("the server closes the other half");
}
