use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use super::Api;

#[tokio::test]
async fn accepted_request_finishes_before_the_server_stops() {
    let api = Api::start().await;
    let (address, token) = (api.running.address(), api.token.clone());
    let mut stream = TcpStream::connect(address).expect("a connection");
    let head = format!(
        "POST /workspaces HTTP/1.1\r\nhost: a\r\nauthorization: Bearer {token}\r\n\
         content-type: application/json\r\ncontent-length: 12\r\n\r\n{{\"nam"
    );
    stream.write_all(head.as_bytes()).expect("the first half");
    // the server has read the head: it has one thread, and a later request got its response
    assert_eq!(api.get("/healthz").await.status, 200);
    let stopping = tokio::spawn(api.running.stop());
    tokio::time::sleep(Duration::from_millis(200)).await;
    assert!(!stopping.is_finished(), "it waits for the second half");
    let answer = tokio::task::spawn_blocking(move || {
        stream.write_all(b"\": \"an\"}").expect("the second half");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("an answer");
        answer
    });
    let answer = answer.await.expect("an answer");
    assert!(answer.starts_with("HTTP/1.1 "), "{answer}");
    stopping.await.expect("the end");
    assert!(TcpStream::connect(address).is_err(), "the port is closed");
}

#[tokio::test]
async fn idle_connections_do_not_delay_the_stop() {
    let api = Api::start().await;
    assert_eq!(api.get("/healthz").await.status, 200);
    let started = Instant::now();
    api.running.stop().await;
    assert!(started.elapsed() < Duration::from_secs(5), "{:?}", started.elapsed());
}
