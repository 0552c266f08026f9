//! A server for tests: it returns the configured reply for each target, and records the requests.

use std::sync::{Arc, Mutex};

use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};

use super::{Address, Client};

pub(crate) struct Reply {
    pub(crate) status: u16,
    /// Header lines, each with its line break.
    pub(crate) headers: &'static str,
    pub(crate) body: String,
}

impl Reply {
    /// 200 with `body` as JSON.
    pub(crate) fn ok(body: &impl serde::Serialize) -> Self {
        Self { status: 200, headers: "", body: serde_json::to_string(body).expect("JSON") }
    }
}

/// A running fake server.
pub(crate) struct Fake {
    pub(crate) address: Address,
    requests: Arc<Mutex<Vec<String>>>,
}

impl Fake {
    /// Serves `replies` by target, such as `/me` or `/workspaces?q=bot&limit=500`; 404 for other targets.
    pub(crate) async fn start(replies: Vec<(&'static str, Reply)>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = format!("http://{}", listener.local_addr().expect("an address"));
        let requests = Arc::new(Mutex::new(Vec::new()));
        let (replies, recorded) = (Arc::new(replies), Arc::clone(&requests));
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(answer(stream, Arc::clone(&replies), Arc::clone(&recorded)));
            }
        });
        Self { address: Address::parse(&address).expect("an address"), requests }
    }

    /// A client with the token `t`.
    pub(crate) fn client(&self) -> Client {
        Client::new(self.address.clone(), Some("t".into())).expect("a client")
    }

    /// The heads of the requests so far.
    pub(crate) fn requests(&self) -> Vec<String> {
        self.requests.lock().expect("not poisoned").clone()
    }
}

/// Answers one request and closes the connection.
async fn answer(stream: TcpStream, replies: Arc<Vec<(&'static str, Reply)>>, requests: Arc<Mutex<Vec<String>>>) {
    let mut stream = BufReader::new(stream);
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        if stream.read_line(&mut head).await.unwrap_or(0) == 0 {
            return;
        }
    }
    let target = head.split(' ').nth(1).unwrap_or_default().to_owned();
    requests.lock().expect("not poisoned").push(head);
    let not_found = Reply { status: 404, headers: "", body: "not found".to_owned() };
    let Reply { status, headers, body } =
        replies.iter().find(|(path, _)| *path == target).map_or(&not_found, |(_, reply)| reply);
    let length = body.len();
    let text = format!("HTTP/1.1 {status} X\r\nContent-Length: {length}\r\nConnection: close\r\n{headers}\r\n{body}");
    let _ = stream.write_all(text.as_bytes()).await;
}
