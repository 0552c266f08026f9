//! The rest of a body that the answer did not need, such as the body of a refused request.
//!
//! A client that still sends would not see the answer if its connection closed. The framework therefore reads the rest after
//! the answer, but without a pause as long as bytes arrive: one client could hold the thread that its connection shares with
//! others. So the rest is read before the answer, in turns with the other connections.

use std::cell::RefCell;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll};
use std::time::Duration;

use actix_web::HttpMessage;
use actix_web::dev::{Payload, ServiceRequest};
use actix_web::error::PayloadError;
use actix_web::web::Bytes;
use futures_util::{Stream, StreamExt};

/// The most that is read of the rest of a body.
const MAX_BYTES: usize = 16 << 20;

/// The longest wait for more bytes: a client that is slower costs the thread nothing, and has its answer sooner.
const MAX_PAUSE: Duration = Duration::from_millis(20);

/// The longest time in all.
const MAX_TIME: Duration = Duration::from_secs(1);

/// The body of a request, of which the handler reads what it needs.
pub(super) struct UnreadBody(Option<SharedBody>);

impl UnreadBody {
    /// Replaces the body of the request by a share of it.
    pub(super) fn of(request: &mut ServiceRequest) -> Self {
        let payload = request.take_payload();
        if !matches!(payload, Payload::H1 { .. }) {
            request.set_payload(payload);
            return Self(None);
        }
        let body = SharedBody(Rc::new(RefCell::new(Some(payload))));
        request.set_payload(Payload::Stream { payload: Box::pin(body.clone()) });
        Self(Some(body))
    }

    /// Reads and discards the rest.
    pub(super) async fn discard(self) {
        let Some(mut body) = self.0 else { return };
        let rest = async {
            let mut bytes = 0;
            while bytes < MAX_BYTES
                && let Ok(Some(Ok(chunk))) = tokio::time::timeout(MAX_PAUSE, body.next()).await
            {
                bytes += chunk.len();
                tokio::task::yield_now().await;
            }
        };
        // a longer rest is left to the framework
        drop(tokio::time::timeout(MAX_TIME, rest).await);
    }
}

/// A body until its end or an error.
#[derive(Clone)]
struct SharedBody(Rc<RefCell<Option<Payload>>>);

impl Stream for SharedBody {
    type Item = Result<Bytes, PayloadError>;

    fn poll_next(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let mut payload = self.0.borrow_mut();
        let Some(open) = payload.as_mut() else { return Poll::Ready(None) };
        let next = Pin::new(open).poll_next(context);
        if matches!(next, Poll::Ready(None | Some(Err(_)))) {
            *payload = None;
        }
        next
    }
}
