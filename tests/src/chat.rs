//! A stub of OpenAI's chat completions, with selectable faults.

use std::sync::Arc;

use parking_lot::Mutex;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// What the stub does with a request.
#[derive(Clone, Debug)]
pub enum ChatMode {
    /// Answers with this text.
    Says(String),
    /// Answers with this status.
    Refuse(u16),
    /// Answers with HTML.
    Nonsense,
    Redirect,
    HangUp,
    /// Never answers.
    Nothing,
}

pub struct StubChat {
    address: String,
    shared: Arc<Shared>,
}

struct Shared {
    mode: Mutex<ChatMode>,
    /// The head and the body of each request.
    requests: Mutex<Vec<(String, Value)>>,
}

impl StubChat {
    pub async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = format!("http://{}/v1", listener.local_addr().expect("an address"));
        let shared = Arc::new(Shared { mode: Mutex::new(ChatMode::Nothing), requests: Mutex::default() });
        let serving = Arc::clone(&shared);
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let shared = Arc::clone(&serving);
                tokio::spawn(async move { shared.serve(stream).await });
            }
        });
        Self { address, shared }
    }

    #[must_use]
    pub fn address(&self) -> &str {
        &self.address
    }

    pub fn set(&self, mode: ChatMode) {
        *self.shared.mode.lock() = mode;
    }

    #[must_use]
    pub fn requests(&self) -> Vec<(String, Value)> {
        self.shared.requests.lock().clone()
    }
}

impl Shared {
    async fn serve(&self, mut stream: TcpStream) -> Option<()> {
        let mut bytes = Vec::new();
        let (head, mut body) = loop {
            let mut piece = [0; 4096];
            let read = stream.read(&mut piece).await.ok().filter(|read| *read > 0)?;
            bytes.extend_from_slice(&piece[..read]);
            if let Some(end) = bytes.windows(4).position(|four| four == b"\r\n\r\n") {
                break (String::from_utf8_lossy(&bytes[..end]).into_owned(), bytes[end + 4..].to_vec());
            }
        };
        let length = head.lines().find_map(|line| line.to_lowercase().strip_prefix("content-length: ")?.parse().ok());
        let length: usize = length.unwrap_or_default();
        while body.len() < length {
            let mut piece = [0; 4096];
            let read = stream.read(&mut piece).await.ok().filter(|read| *read > 0)?;
            body.extend_from_slice(&piece[..read]);
        }
        self.requests.lock().push((head, serde_json::from_slice(&body).ok()?));
        let mode = self.mode.lock().clone();
        let (status, header, body) = match mode {
            ChatMode::Says(text) => {
                let message = json!({"role": "assistant", "content": text});
                let choice = json!({"index": 0, "message": message, "finish_reason": "stop"});
                (200, "x: y", json!({"id": "c", "object": "chat.completion", "choices": [choice]}).to_string())
            }
            ChatMode::Refuse(status) => (status, "x: y", "{}".to_owned()),
            ChatMode::Nonsense => (200, "x: y", "<html>hello</html>".to_owned()),
            ChatMode::Redirect => (302, "location: http://127.0.0.1:1/elsewhere", String::new()),
            ChatMode::HangUp => return None,
            ChatMode::Nothing => std::future::pending().await,
        };
        let length = body.len();
        let response =
            format!("HTTP/1.1 {status} X\r\n{header}\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n{body}");
        stream.write_all(response.as_bytes()).await.ok()
    }
}
