//! Somebody who watches the stream of events.

use serde_json::Value;

use crate::callers::Caller;

/// An open stream of server-sent events.
#[derive(Debug)]
pub struct Watching {
    response: reqwest::Response,
    text: String,
}

/// One event of a stream.
#[derive(Clone, Debug, PartialEq)]
pub struct Seen {
    /// What it is called.
    pub event: String,
    /// Its id, if it has one.
    pub id: Option<i64>,
    /// What it says.
    pub data: Value,
}

impl Caller {
    /// Watches at this address, after the event with this id or from now on.
    ///
    /// # Panics
    /// When it is refused.
    pub async fn watch(&self, path: &str, after: Option<i64>) -> Watching {
        let mut request = self.request("GET", path);
        if let Some(after) = after {
            request = request.header("last-event-id", after.to_string());
        }
        let response = request.open().await.unwrap_or_else(|error| panic!("{path}: {error:?}"));
        assert_eq!(response.status().as_u16(), 200, "{path}");
        let kind = response.headers().get("content-type").and_then(|kind| kind.to_str().ok());
        assert_eq!(kind, Some("text/event-stream"), "{path}");
        Watching { response, text: String::new() }
    }
}

impl Watching {
    /// The next event; none when the stream has ended. What only keeps it alive is passed over.
    ///
    /// # Panics
    /// When the stream breaks off or is not as it should be.
    pub async fn next(&mut self) -> Option<Seen> {
        loop {
            while let Some((block, rest)) = self.text.split_once("\n\n") {
                let seen = seen(block);
                self.text = rest.to_owned();
                if seen.is_some() {
                    return seen;
                }
            }
            let chunk = self.response.chunk().await.expect("the stream goes on or ends")?;
            self.text.push_str(std::str::from_utf8(&chunk).expect("a stream of ASCII and whole characters"));
        }
    }

    /// All that is told until the stream ends.
    pub async fn rest(mut self) -> Vec<Seen> {
        let mut all = Vec::new();
        while let Some(seen) = self.next().await {
            all.push(seen);
        }
        all
    }
}

fn seen(block: &str) -> Option<Seen> {
    let field = |name: &str| block.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "));
    let event = field("event")?.to_owned();
    let id = field("id").map(|id| id.parse().expect("a number"));
    let data = serde_json::from_str(field("data").expect("data")).expect("JSON");
    Some(Seen { event, id, data })
}
