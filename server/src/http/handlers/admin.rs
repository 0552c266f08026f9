//! The server as a whole, for admins.

use std::sync::Arc;

use actix_web::http::header::CONTENT_TYPE;
use actix_web::web::Data;
use actix_web::{HttpMessage, HttpRequest, HttpResponse};
use bytes::Bytes;
use futures_util::stream::{Stream, unfold};
use orgmem_types::{
    AdminTree, AdminTreeQuery, DryRun, ExportMemories, ExportedMemory, MemoriesImport, ScrubQuery, ScrubResponse,
    ServerStats,
};
use serde_json::Value;
use tokio_util::sync::CancellationToken;

use super::App;
use crate::app::MemoryExport;
use crate::auth::TokenRefusal;
use crate::http::answer::{Answer, ok};
use crate::http::extract::{Authenticated, BulkList, Query};
use crate::http::headers::HeadOnly;
use crate::http::openapi::Conflict;
use crate::http::state::AppState;
use crate::limits::{InFlightPermit, LimitKeys, LimitKind};

/// Lists every org with its numbers; with `days`, also its activity by day, and the facts that call for an action.
#[utoipa::path(
    get, path = "/admin/tree", tag = "admin",
    params(AdminTreeQuery),
    responses((status = 200, body = AdminTree, description = "the orgs, by creation")),
)]
pub(crate) async fn read_admin_tree(auth: Authenticated, app: App, Query(query): Query<AdminTreeQuery>) -> Answer {
    ok(&app.admin_tree(&auth, query).await?)
}

/// Reads the numbers of the server.
#[utoipa::path(
    get, path = "/admin/stats", tag = "admin",
    responses((status = 200, body = ServerStats, description = "the current numbers")),
)]
pub(crate) async fn read_admin_stats(auth: Authenticated, app: App) -> Answer {
    ok(&app.admin_stats(&auth).await?)
}

/// Exports the memories of the server, or of one org, as the array that `POST /admin/memories/import` takes.
///
/// The response is streamed, some hundred memories in each snapshot. It ends without its last bracket if it is incomplete.
#[utoipa::path(
    get, path = "/admin/memories/export", tag = "admin",
    params(ExportMemories),
    responses((status = 200, body = Vec<ExportedMemory>, description = "the memories, by org and id")),
)]
pub(crate) async fn export_memories(
    auth: Authenticated,
    app: App,
    state: Data<AppState>,
    Query(query): Query<ExportMemories>,
    request: HttpRequest,
) -> Answer {
    let keys = request.extensions().get::<LimitKeys>().copied().ok_or(TokenRefusal::Missing)?;
    let in_flight = state.load.begin(keys, LimitKind::Streams, 1)?;
    let mut export = Arc::clone(&app).export_memories(auth.shared(), &query).await?;
    // an error of the first pages is a problem; a later one can only end the stream
    let first = export.next().await?.unwrap_or_default();
    let second = export.next().await?;
    let Some(second) = second else { return ok(&first) };
    let mut response = HttpResponse::Ok();
    response.insert_header((CONTENT_TYPE, "application/json"));
    if request.extensions().contains::<HeadOnly>() {
        return Ok(response.finish());
    }
    let (pages, stopping) = (vec![second, first], state.stopping.clone());
    let stream = ArrayStream { export, pages, is_begun: false, stopping, _in_flight: in_flight };
    Ok(response.streaming(stream.bytes()))
}

/// An array that is written page by page, each when the client has received the previous ones.
struct ArrayStream {
    export: MemoryExport,
    /// Pages that were read already, the last one first.
    pages: Vec<Vec<ExportedMemory>>,
    is_begun: bool,
    stopping: CancellationToken,
    /// Counts the stream until it is dropped.
    _in_flight: InFlightPermit,
}

impl ArrayStream {
    fn bytes(self) -> impl Stream<Item = Result<Bytes, std::io::Error>> {
        unfold(Some(self), |stream| async move {
            let mut stream = stream?;
            match stream.next().await {
                Ok(Some(page)) => Some((Ok(stream.written(&page)), Some(stream))),
                Ok(None) => Some((Ok(Bytes::from_static(b"]")), None)),
                // the client finds an incomplete response
                Err(error) => Some((Err(error), None)),
            }
        })
    }

    async fn next(&mut self) -> Result<Option<Vec<ExportedMemory>>, std::io::Error> {
        if let Some(page) = self.pages.pop() {
            return Ok(Some(page));
        }
        let stopping = self.stopping.clone();
        let page = tokio::select! {
            () = stopping.cancelled() => return Err(std::io::Error::other("the server stops")),
            page = self.export.next() => page,
        };
        page.map_err(|error| {
            tracing::warn!(%error, "an export of memories is incomplete");
            std::io::Error::other(error.to_string())
        })
    }

    /// The page without the brackets of its own array.
    fn written(&mut self, page: &[ExportedMemory]) -> Bytes {
        // strings, numbers and lists of them always serialize
        let mut json = serde_json::to_vec(page).unwrap_or_default();
        json.pop();
        if let (true, Some(bracket)) = (self.is_begun, json.first_mut()) {
            *bracket = b',';
        }
        self.is_begun = true;
        json.into()
    }
}

/// Imports memories that another platform or tool exported, each on its own. A memory that exists already is skipped.
///
/// With `dry_run=true` nothing is imported, and the response lists what would be.
#[utoipa::path(
    post, path = "/admin/memories/import", tag = "admin",
    params(DryRun),
    request_body = Vec<ExportedMemory>,
    responses((status = 200, body = MemoriesImport, description = "the outcome, with the reason of each error"), Conflict),
)]
pub(crate) async fn import_memories(
    auth: Authenticated,
    app: App,
    Query(query): Query<DryRun>,
    body: BulkList<Value>,
) -> Answer {
    ok(&app.import_memories(&auth, body.body, query.dry_run.unwrap_or_default()).await?)
}

/// Applies the current rules for credentials to the next stored rows, some hundred in one transaction.
///
/// With `dry_run=true` nothing is changed, and the response counts what would be.
#[utoipa::path(
    post, path = "/admin/scrub", tag = "admin",
    params(ScrubQuery),
    responses((status = 200, body = ScrubResponse, description = "the counts, and the cursor of the next rows")),
)]
pub(crate) async fn scrub_stored(auth: Authenticated, app: App, Query(query): Query<ScrubQuery>) -> Answer {
    ok(&app.scrub_stored(&auth, query).await?)
}
