//! Extractors: the parameters of handlers. An extractor that fails ends the request with an
//! [`HttpError`](super::error::HttpError).

mod authenticated;
mod body;
mod conditions;
#[cfg(feature = "console")]
mod from_console;
mod json;
mod path;
mod query;
mod rows;
mod upload;

use actix_web::HttpRequest;
use actix_web::http::Method;
use uuid::Uuid;

use crate::decode::ClientCall;

pub(super) use authenticated::Authenticated;
pub(super) use conditions::{Expected, expected_version};
#[cfg(feature = "console")]
pub(super) use from_console::FromConsole;
pub(super) use json::{Bulk, BulkList, Document, JsonBody, Lines, Posted, Raw};
pub(super) use path::{
    CollectionPath, DocumentPath, EntryPath, EpisodePath, GrantPath, LookupPath, MemoryPath, PagePath, ProcessorPath,
    ProfilePath, ProviderPath, RecordPath, RelationPath, ReviewPath, RowPath, RunPath, SessionPath, SkillPath,
    TokenPath, TurnPath, WorkspacePath, text_in,
};
pub(super) use query::Query;
pub(super) use rows::Rows;
pub(super) use upload::{NewDocument, Source};

/// The operation of a request, for the fields of existing clients.
fn client_call(request: &HttpRequest) -> ClientCall {
    let method = if request.method() == Method::HEAD { &Method::GET } else { request.method() };
    ClientCall {
        operation: format!("{method} {}", request.match_pattern().unwrap_or_default()),
        workspace: request.match_info().get("id").and_then(|id| Uuid::try_parse(id).ok()),
    }
}
