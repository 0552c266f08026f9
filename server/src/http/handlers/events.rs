//! The stream of server-sent events.

use std::sync::Arc;
use std::time::{Duration, Instant};

use actix_web::http::header::{CONTENT_TYPE, HeaderName};
use actix_web::web::Data;
use actix_web::{HttpMessage, HttpRequest, HttpResponse};
use bytes::Bytes;
use futures_util::stream::{Stream, unfold};
use orgmem_types::WatchEvents;
use tokio_util::sync::CancellationToken;

use crate::app::{AppError, News, Watcher};
use crate::auth::TokenRefusal;
use crate::http::answer::Answer;
use crate::http::error::HttpError;
use crate::http::extract::{Authenticated, Query, WorkspacePath};
use crate::http::headers;
use crate::http::headers::HeadOnly;
use crate::http::openapi::Gone;
use crate::http::state::AppState;
use crate::limits::{InFlightPermit, LimitKeys, LimitKind};

const LAST_EVENT_ID: HeaderName = HeaderName::from_static("last-event-id");

/// An idle stream sends a comment this often.
const HEARTBEAT: Duration = Duration::from_secs(15);

/// A stream polls this often, in case a notification is lost.
const POLL_EVERY: Duration = Duration::from_secs(2);

/// Streams the events of the workspace and of the memories that it can read: server-sent events in commit order,
/// resumable by `Last-Event-ID`. The event `resync` means that events are missing, because they were deleted or the client
/// reads too slowly: reload, then continue.
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
    let keys = request.extensions().get::<LimitKeys>().copied().ok_or(TokenRefusal::Missing)?;
    let in_flight = state.load.begin(keys, LimitKind::Streams, 1)?;
    let watcher = Arc::clone(&app).watch_events(auth.shared(), path.id, &query, after).await?;
    let follows = query.follow.unwrap_or(true);
    // the response to HEAD has no events, so its stream ends at once
    let start = match request.extensions().contains::<HeadOnly>() {
        true => StreamState::Ended,
        false => StreamState::Start,
    };
    let pace = ReaderPace { limit: state.slow_reader, sent_at: None };
    let stream = EventStream {
        pace,
        watcher,
        follows,
        stopping: state.stopping.clone(),
        state: start,
        idle: Duration::ZERO,
        _in_flight: in_flight,
    };
    let mut response = HttpResponse::Ok();
    response.insert_header((CONTENT_TYPE, "text/event-stream")).insert_header(("x-accel-buffering", "no"));
    Ok(response.streaming(stream.bytes()))
}

/// The number in `Last-Event-ID`. The store checks that such an event existed.
fn last_event(request: &HttpRequest) -> Result<Option<i64>, HttpError> {
    let Some(id) = headers::single_value(request.headers(), &LAST_EVENT_ID, "Last-Event-ID")? else { return Ok(None) };
    let id = id.to_str().ok().filter(|id| !id.is_empty() && id.bytes().all(|digit| digit.is_ascii_digit()));
    let id = id.and_then(|id| id.parse().ok());
    id.map(Some).ok_or(HttpError::Header { name: "Last-Event-ID", expected: "the id of an event of this stream" })
}

/// The time that the client takes to receive a piece.
struct ReaderPace {
    limit: Duration,
    sent_at: Option<Instant>,
}

impl ReaderPace {
    /// Whether the client took too long for the last piece. The connection asks for the next one when it has passed on most
    /// of the last one.
    fn is_slow(&mut self) -> bool {
        self.sent_at.take().is_some_and(|at| at.elapsed() >= self.limit)
    }
}

/// An open stream. It reads further events only after the client received the previous ones, so a slow client needs no
/// buffer.
struct EventStream {
    pace: ReaderPace,
    watcher: Watcher,
    follows: bool,
    stopping: CancellationToken,
    state: StreamState,
    idle: Duration,
    /// Counts the stream until it is dropped.
    _in_flight: InFlightPermit,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum StreamState {
    Start,
    Reading,
    Waiting,
    Ended,
}

impl EventStream {
    fn bytes(self) -> impl Stream<Item = Result<Bytes, std::io::Error>> {
        unfold(self, |mut stream| async move {
            let text = if stream.pace.is_slow() { stream.give_up().await } else { stream.next().await }?;
            stream.pace.sent_at = Some(Instant::now());
            Some((Ok(Bytes::from(text)), stream))
        })
    }

    /// Ends the stream of a slow reader, which continues after the current events when it connects again.
    async fn give_up(&mut self) -> Option<String> {
        if self.state == StreamState::Ended {
            return None;
        }
        self.state = StreamState::Ended;
        Some(match self.watcher.skip().await {
            Ok(last) => format!("event: resync\nid: {last}\ndata: {{}}\n\n"),
            Err(error) => end_event(&error),
        })
    }

    /// The next piece of the stream, `None` at its end.
    async fn next(&mut self) -> Option<String> {
        loop {
            match self.state {
                StreamState::Start => {
                    self.state = StreamState::Reading;
                    return Some(format!("event: ready\nid: {}\ndata: {{}}\n\n", self.watcher.after()));
                }
                StreamState::Reading => match self.watcher.news().await {
                    Ok(news) => {
                        self.state = match (news.more, self.follows) {
                            (true, _) => StreamState::Reading,
                            (false, true) => StreamState::Waiting,
                            (false, false) => StreamState::Ended,
                        };
                        if let Some(text) = event_text(&news) {
                            self.idle = Duration::ZERO;
                            return Some(text);
                        }
                    }
                    Err(error) => {
                        self.state = StreamState::Ended;
                        return Some(end_event(&error));
                    }
                },
                StreamState::Waiting => {
                    let stopping = self.stopping.clone();
                    let is_woken = tokio::select! {
                        () = stopping.cancelled() => return None,
                        () = self.watcher.woken() => true,
                        () = tokio::time::sleep(POLL_EVERY) => false,
                    };
                    self.state = StreamState::Reading;
                    self.idle += if is_woken { Duration::ZERO } else { POLL_EVERY };
                    if self.idle >= HEARTBEAT {
                        self.idle = Duration::ZERO;
                        return Some(format!(": still here\nid: {}\n\n", self.watcher.after()));
                    }
                }
                StreamState::Ended => return None,
            }
        }
    }
}

/// The events as text, `None` without any.
fn event_text(news: &News) -> Option<String> {
    let mut text = String::new();
    if news.missed {
        text.push_str(&format!("event: resync\nid: {}\ndata: {{}}\n\n", news.until));
    }
    for event in &news.events {
        // strings, numbers and objects of them always serialize, on one line
        let data = serde_json::to_string(event).unwrap_or_default();
        text.push_str(&format!("event: {}\nid: {}\ndata: {data}\n\n", event.kind, event.seq));
    }
    (!text.is_empty()).then_some(text)
}

/// The event with the reason for the end of the stream.
fn end_event(error: &AppError) -> String {
    let problem = error.problem();
    let data = serde_json::json!({"code": problem.code, "detail": problem.detail});
    format!("event: end\ndata: {data}\n\n")
}
