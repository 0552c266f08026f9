//! A server for tests: it gives each request the answer that was put up for its target, and keeps what it was asked.

use std::sync::{Arc, Mutex};

use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};

use super::{Address, Client};

/// What is answered: status, further header lines, body.
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) headers: &'static str,
    pub(crate) body: String,
}

impl Reply {
    /// 200 with this JSON.
    pub(crate) fn ok(body: &impl serde::Serialize) -> Self {
        Self { status: 200, headers: "", body: serde_json::to_string(body).expect("JSON") }
    }
}

/// A running fake.
pub(crate) struct Fake {
    pub(crate) address: Address,
    asked: Arc<Mutex<Vec<String>>>,
}

impl Fake {
    /// Answers each target, such as `/me` or `/workspaces?q=bot&limit=500`, as `replies` say; others with 404.
    pub(crate) async fn start(replies: Vec<(&'static str, Reply)>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = format!("http://{}", listener.local_addr().expect("an address"));
        let asked = Arc::new(Mutex::new(Vec::new()));
        let (replies, heard) = (Arc::new(replies), Arc::clone(&asked));
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(answer(stream, Arc::clone(&replies), Arc::clone(&heard)));
            }
        });
        Self { address: Address::parse(&address).expect("an address"), asked }
    }

    /// A client of it with the token `t`.
    pub(crate) fn client(&self) -> Client {
        Client::new(self.address.clone(), Some("t".into())).expect("a client")
    }

    /// The heads of the requests so far.
    pub(crate) fn asked(&self) -> Vec<String> {
        self.asked.lock().expect("not poisoned").clone()
    }
}

/// Answers one request and closes the connection.
async fn answer(stream: TcpStream, replies: Arc<Vec<(&'static str, Reply)>>, asked: Arc<Mutex<Vec<String>>>) {
    let mut stream = BufReader::new(stream);
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        if stream.read_line(&mut head).await.unwrap_or(0) == 0 {
            return;
        }
    }
    let target = head.split(' ').nth(1).unwrap_or_default().to_owned();
    asked.lock().expect("not poisoned").push(head);
    let absent = Reply { status: 404, headers: "", body: "nothing here".to_owned() };
    let Reply { status, headers, body } =
        replies.iter().find(|(wanted, _)| *wanted == target).map_or(&absent, |(_, reply)| reply);
    let length = body.len();
    let text = format!("HTTP/1.1 {status} X\r\nContent-Length: {length}\r\nConnection: close\r\n{headers}\r\n{body}");
    let _ = stream.write_all(text.as_bytes()).await;
}
