//! Server-sent events.

use serde_json::Value;

use crate::callers::Caller;

#[derive(Debug)]
pub struct EventStream {
    response: reqwest::Response,
    text: String,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    pub event: String,
    pub id: Option<i64>,
    pub data: Value,
}

impl Caller {
    /// Subscribes at this address, after the event with id `after` or from now on.
    pub async fn subscribe(&self, path: &str, after: Option<i64>) -> EventStream {
        let mut request = self.request("GET", path);
        if let Some(after) = after {
            request = request.header("last-event-id", after.to_string());
        }
        let response = request.open().await.unwrap_or_else(|error| panic!("{path}: {error:?}"));
        assert_eq!(response.status().as_u16(), 200, "{path}");
        let kind = response.headers().get("content-type").and_then(|kind| kind.to_str().ok());
        assert_eq!(kind, Some("text/event-stream"), "{path}");
        EventStream { response, text: String::new() }
    }
}

impl EventStream {
    /// The next event, or `None` at the end of the stream. Skips keep-alive comments.
    pub async fn next(&mut self) -> Option<Event> {
        loop {
            while let Some((block, rest)) = self.text.split_once("\n\n") {
                let event = parse(block);
                self.text = rest.to_owned();
                if event.is_some() {
                    return event;
                }
            }
            let chunk = self.response.chunk().await.expect("the stream goes on or ends")?;
            self.text.push_str(std::str::from_utf8(&chunk).expect("a stream of ASCII and whole characters"));
        }
    }

    /// The events until the end of the stream.
    pub async fn rest(mut self) -> Vec<Event> {
        let mut all = Vec::new();
        while let Some(event) = self.next().await {
            all.push(event);
        }
        all
    }
}

fn parse(block: &str) -> Option<Event> {
    let field = |name: &str| block.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "));
    let kind = field("event")?.to_owned();
    let id = field("id").map(|id| id.parse().expect("a number"));
    let data = serde_json::from_str(field("data").expect("data")).expect("JSON");
    Some(Event { event: kind, id, data })
}
