//! Events, as server-sent events.

use std::sync::Arc;
use std::time::Duration;

use actix_web::http::header::{CONTENT_TYPE, HeaderName};
use actix_web::web::Data;
use actix_web::{HttpMessage, HttpRequest, HttpResponse};
use bytes::Bytes;
use futures_util::stream::{Stream, unfold};
use orgmem_types::WatchEvents;
use tokio_util::sync::CancellationToken;

use crate::app::{AppError, News, Watcher};
use crate::http::answer::Answer;
use crate::http::boundary::HeadAlone;
use crate::http::error::HttpError;
use crate::http::extract::{Authenticated, Query, WorkspacePath};
use crate::http::headers;
use crate::http::openapi::Gone;
use crate::http::state::AppState;

const LAST_EVENT_ID: HeaderName = HeaderName::from_static("last-event-id");

/// Who is told nothing for so long is told that the stream is alive.
const HEARTBEAT: Duration = Duration::from_secs(15);

/// A watcher looks by itself so often, should a wake-up be lost.
const LOOK_EVERY: Duration = Duration::from_secs(2);

/// Watches what happens to the workspace and to what it can read: server-sent events in the order in which they were
/// committed, resumable by `Last-Event-ID`. The event `resync` says that some are kept no longer, so look anew and go on.
#[utoipa::path(
    get, path = "/workspaces/{id}/events", tag = "events",
    params(WorkspacePath, WatchEvents, ("Last-Event-ID" = Option<String>, Header)),
    responses((status = 200, body = String, content_type = "text/event-stream", description = "the stream"), Gone),
)]
pub(crate) async fn watch_events(
    auth: Authenticated,
    path: WorkspacePath,
    app: super::App,
    state: Data<AppState>,
    Query(query): Query<WatchEvents>,
    request: HttpRequest,
) -> Answer {
    let after = last_event(&request)?;
    let below = query.subtree.unwrap_or(false);
    let watcher = Arc::clone(&app).watch_events(auth.shared(), path.id, below, after).await?;
    let follows = query.follow.unwrap_or(true);
    // who wants the head alone takes no events, and would hold the stream open for nothing
    let start = if request.extensions().contains::<HeadAlone>() { At::End } else { At::Start };
    let stream = Telling { watcher, follows, stopping: state.stopping.clone(), state: start, silent: Duration::ZERO };
    let mut response = HttpResponse::Ok();
    response.insert_header((CONTENT_TYPE, "text/event-stream")).insert_header(("x-accel-buffering", "no"));
    Ok(response.streaming(stream.bytes()))
}

/// The number in `Last-Event-ID`. One that was never given is for the store to find out.
fn last_event(request: &HttpRequest) -> Result<Option<i64>, HttpError> {
    let Some(id) = headers::one(request.headers(), &LAST_EVENT_ID, "Last-Event-ID")? else { return Ok(None) };
    let id = id.to_str().ok().filter(|id| !id.is_empty() && id.bytes().all(|digit| digit.is_ascii_digit()));
    let id = id.and_then(|id| id.parse().ok());
    id.map(Some).ok_or(HttpError::Header { name: "Last-Event-ID", expected: "the id of an event of this stream" })
}

/// A stream that is being told. It reads on when the client has taken what it was told, so a slow one costs no memory.
struct Telling {
    watcher: Watcher,
    follows: bool,
    stopping: CancellationToken,
    state: At,
    silent: Duration,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum At {
    Start,
    Look,
    Wait,
    End,
}

impl Telling {
    fn bytes(self) -> impl Stream<Item = Result<Bytes, std::io::Error>> {
        unfold(self, |mut event_field| async move {
            let text = event_field.next().await?;
            Some((Ok(Bytes::from(text)), event_field))
        })
    }

    /// The next piece of the stream; none at its end.
    async fn next(&mut self) -> Option<String> {
        loop {
            match self.state {
                At::Start => {
                    self.state = At::Look;
                    return Some(format!("event: ready\nid: {}\ndata: {{}}\n\n", self.watcher.after()));
                }
                At::Look => match self.watcher.news().await {
                    Ok(news) => {
                        self.state = match (news.more, self.follows) {
                            (true, _) => At::Look,
                            (false, true) => At::Wait,
                            (false, false) => At::End,
                        };
                        if let Some(text) = written(&news) {
                            self.silent = Duration::ZERO;
                            return Some(text);
                        }
                    }
                    Err(error) => {
                        self.state = At::End;
                        return Some(farewell(&error));
                    }
                },
                At::Wait => {
                    let stopping = self.stopping.clone();
                    let is_woken = tokio::select! {
                        () = stopping.cancelled() => return None,
                        () = self.watcher.woken() => true,
                        () = tokio::time::sleep(LOOK_EVERY) => false,
                    };
                    self.state = At::Look;
                    self.silent += if is_woken { Duration::ZERO } else { LOOK_EVERY };
                    if self.silent >= HEARTBEAT {
                        self.silent = Duration::ZERO;
                        return Some(format!(": still here\nid: {}\n\n", self.watcher.after()));
                    }
                }
                At::End => return None,
            }
        }
    }
}

/// News as a stream tells them; none where there is nothing to tell.
fn written(news: &News) -> Option<String> {
    let mut text = String::new();
    if news.missed {
        text.push_str(&format!("event: resync\nid: {}\ndata: {{}}\n\n", news.until));
    }
    for event in &news.events {
        // members are words, numbers and objects of them, which always have a JSON form, on one line
        let data = serde_json::to_string(event).unwrap_or_default();
        text.push_str(&format!("event: {}\nid: {}\ndata: {data}\n\n", event.kind, event.seq));
    }
    (!text.is_empty()).then_some(text)
}

/// Why the stream ends.
fn farewell(error: &AppError) -> String {
    let problem = error.problem();
    let data = serde_json::json!({"code": problem.code, "detail": problem.detail});
    format!("event: end\ndata: {data}\n\n")
}
