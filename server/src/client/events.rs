use std::time::Duration;

use orgmem_types as wire;
use reqwest::{Method, Response};
use uuid::Uuid;

use super::{Client, ClientError};

/// A stream has no end; a server that is gone closes it.
const STREAM_TIMEOUT: Duration = Duration::from_secs(10 * 365 * 24 * 3_600);

/// An open event stream.
#[derive(Debug)]
pub struct Events {
    client: Client,
    response: Response,
    /// Bytes of the event that has not ended yet.
    received: Vec<u8>,
    is_incomplete: bool,
}

impl Client {
    /// Opens the event stream of a workspace, after the event with the number `after` or from now on.
    ///
    /// `GET /workspaces/{id}/events`
    ///
    /// # Errors
    /// [`ClientError`].
    pub async fn watch_events(
        &self,
        id: Uuid,
        query: &wire::WatchEvents,
        after: Option<i64>,
    ) -> Result<Events, ClientError> {
        let mut request = self.request(Method::GET, &["workspaces", &id.to_string(), "events"])?.query(query);
        if let Some(after) = after {
            request = request.header("last-event-id", after);
        }
        let response = self.send(request.timeout(STREAM_TIMEOUT)).await?;
        Ok(Events { client: self.clone(), response, received: Vec::new(), is_incomplete: false })
    }
}

impl Events {
    /// Whether the server left out events that it no longer retains.
    #[must_use]
    pub fn is_incomplete(&self) -> bool {
        self.is_incomplete
    }

    /// The next event; `None` when the server ended the stream. Comments and events about the stream are skipped.
    ///
    /// # Errors
    /// [`ClientError`].
    pub async fn next(&mut self) -> Result<Option<wire::Event>, ClientError> {
        loop {
            while let Some(end) = self.received.windows(2).position(|two| two == b"\n\n") {
                let block: Vec<u8> = self.received.drain(..end + 2).collect();
                self.is_incomplete |= block.starts_with(b"event: resync\n");
                if let Some(event) = event(&block) {
                    return Ok(Some(event));
                }
            }
            match self.response.chunk().await.map_err(|error| self.client.unreachable(&error))? {
                Some(chunk) => self.received.extend_from_slice(&chunk),
                None => return Ok(None),
            }
        }
    }
}

/// The data of a block of lines, if it is an event.
fn event(block: &[u8]) -> Option<wire::Event> {
    let text = String::from_utf8_lossy(block);
    let data: String = text.lines().filter_map(|line| line.strip_prefix("data:")).collect();
    serde_json::from_str(&data).ok()
}
