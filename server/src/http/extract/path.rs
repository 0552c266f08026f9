//! Ids in addresses. An id that is not a UUID is reported like an absent resource.

use std::future::{Ready, ready};

use actix_web::dev::Payload;
use actix_web::{FromRequest, HttpRequest};
use utoipa::IntoParams;
use uuid::Uuid;

use crate::decode::percent_decoded;
use crate::http::error::HttpError;

/// `/workspaces/{id}`.
#[derive(IntoParams)]
#[into_params(parameter_in = Path)]
pub(in crate::http) struct WorkspacePath {
    /// The workspace.
    pub(in crate::http) id: Uuid,
}

/// `/lookup/{id}`.
#[derive(IntoParams)]
#[into_params(parameter_in = Path)]
pub(in crate::http) struct LookupPath {
    /// The profile or memory.
    pub(in crate::http) id: Uuid,
}

/// `/workspaces/{id}/reach/{other}`.
#[derive(IntoParams)]
#[into_params(parameter_in = Path)]
pub(in crate::http) struct RelationPath {
    /// The workspace.
    pub(in crate::http) id: Uuid,
    /// The other workspace.
    pub(in crate::http) other: Uuid,
}

/// `/workspaces/{id}/memories/{mid}`.
#[derive(IntoParams)]
#[into_params(parameter_in = Path)]
pub(in crate::http) struct MemoryPath {
    /// The reading workspace.
    pub(in crate::http) id: Uuid,
    /// The memory.
    pub(in crate::http) mid: Uuid,
}

/// `/workspaces/{id}/documents/{did}`.
#[derive(IntoParams)]
#[into_params(parameter_in = Path)]
pub(in crate::http) struct DocumentPath {
    /// The reading workspace.
    pub(in crate::http) id: Uuid,
    /// The document.
    pub(in crate::http) did: Uuid,
}

/// `/workspaces/{id}/runs/{rid}`.
#[derive(IntoParams)]
#[into_params(parameter_in = Path)]
pub(in crate::http) struct RunPath {
    /// The workspace of the run.
    pub(in crate::http) id: Uuid,
    /// The run.
    pub(in crate::http) rid: Uuid,
}

/// `/workspaces/{id}/profiles/{pid}`.
#[derive(IntoParams)]
#[into_params(parameter_in = Path)]
pub(in crate::http) struct ProfilePath {
    /// The workspace of the profile.
    pub(in crate::http) id: Uuid,
    /// The profile.
    pub(in crate::http) pid: Uuid,
}

/// `/workspaces/{id}/pages/{pid}`.
#[derive(IntoParams)]
#[into_params(parameter_in = Path)]
pub(in crate::http) struct PagePath {
    /// The workspace of the page.
    pub(in crate::http) id: Uuid,
    /// The page.
    pub(in crate::http) pid: Uuid,
}

/// `/workspaces/{id}/skills/{name}`.
#[derive(IntoParams)]
#[into_params(parameter_in = Path)]
pub(in crate::http) struct SkillPath {
    /// The reading workspace.
    pub(in crate::http) id: Uuid,
    /// The name of the skill.
    pub(in crate::http) name: String,
}

/// `/workspaces/{id}/activity/{eid}`.
#[derive(IntoParams)]
#[into_params(parameter_in = Path)]
pub(in crate::http) struct EpisodePath {
    /// The workspace.
    pub(in crate::http) id: Uuid,
    /// The episode.
    pub(in crate::http) eid: Uuid,
}

/// `/workspaces/{id}/turns/{tid}`.
#[derive(IntoParams)]
#[into_params(parameter_in = Path)]
pub(in crate::http) struct TurnPath {
    /// The workspace.
    pub(in crate::http) id: Uuid,
    /// The turn.
    pub(in crate::http) tid: Uuid,
}

/// `/workspaces/{id}/memory/{key}`.
#[derive(IntoParams)]
#[into_params(parameter_in = Path)]
pub(in crate::http) struct EntryPath {
    /// The workspace.
    pub(in crate::http) id: Uuid,
    /// The key, percent-encoded; `/` is `%2F`.
    pub(in crate::http) key: String,
}

/// `/workspaces/{id}/records/{entity}`.
#[derive(IntoParams)]
#[into_params(parameter_in = Path)]
pub(in crate::http) struct RecordPath {
    /// The workspace; for a write the root of the tree.
    pub(in crate::http) id: Uuid,
    /// The entity, percent-encoded; `/` is `%2F`.
    pub(in crate::http) entity: String,
}

/// `/workspaces/{id}/sessions/{sid}`.
#[derive(IntoParams)]
#[into_params(parameter_in = Path)]
pub(in crate::http) struct SessionPath {
    /// The workspace.
    pub(in crate::http) id: Uuid,
    /// The session, percent-encoded; `/` is `%2F`.
    pub(in crate::http) sid: String,
}

/// `/workspaces/{id}/collections/{name}`.
#[derive(IntoParams)]
#[into_params(parameter_in = Path)]
pub(in crate::http) struct CollectionPath {
    /// The workspace.
    pub(in crate::http) id: Uuid,
    /// The name of the collection.
    pub(in crate::http) name: String,
}

/// `/workspaces/{id}/processors/{name}`.
#[derive(IntoParams)]
#[into_params(parameter_in = Path)]
pub(in crate::http) struct ProcessorPath {
    /// The workspace.
    pub(in crate::http) id: Uuid,
    /// The name of the processor.
    pub(in crate::http) name: String,
}

/// `/workspaces/{id}/collections/{name}/rows/{key}`.
#[derive(IntoParams)]
#[into_params(parameter_in = Path)]
pub(in crate::http) struct RowPath {
    /// The workspace.
    pub(in crate::http) id: Uuid,
    /// The name of the collection.
    pub(in crate::http) name: String,
    /// The key, percent-encoded; `/` is `%2F`.
    pub(in crate::http) key: String,
}

/// `/workspaces/{id}/reviews/{rid}`.
#[derive(IntoParams)]
#[into_params(parameter_in = Path)]
pub(in crate::http) struct ReviewPath {
    /// The workspace of the item, or one above it.
    pub(in crate::http) id: Uuid,
    /// The review.
    pub(in crate::http) rid: Uuid,
}

/// `/workspaces/{id}/grants/{gid}`.
#[derive(IntoParams)]
#[into_params(parameter_in = Path)]
pub(in crate::http) struct GrantPath {
    /// The workspace.
    pub(in crate::http) id: Uuid,
    /// The grant.
    pub(in crate::http) gid: Uuid,
}

/// `/admin/providers/{name}`.
#[derive(IntoParams)]
#[into_params(parameter_in = Path)]
pub(in crate::http) struct ProviderPath {
    /// The name of the provider in the settings.
    pub(in crate::http) name: String,
}

/// `/tokens/{jti}`.
#[derive(IntoParams)]
#[into_params(parameter_in = Path)]
pub(in crate::http) struct TokenPath {
    /// The id of the token.
    pub(in crate::http) jti: Uuid,
}

fn id_in(request: &HttpRequest, name: &str, resource: &'static str) -> Result<Uuid, HttpError> {
    let text = request.match_info().get(name).unwrap_or_default();
    Uuid::try_parse(text).map_err(|_| HttpError::NoSuchId(resource))
}

/// A text in the address.
///
/// actix leaves `%`, `/` and `+` encoded, because patterns may match them, and replaces bytes that are not UTF-8, so that
/// only the address as sent has them.
pub(in crate::http) fn text_in(request: &HttpRequest, name: &str) -> Result<String, HttpError> {
    percent_decoded(name, request.uri().path())?;
    let text = request.match_info().get(name).unwrap_or_default();
    Ok(percent_decoded(name, text)?)
}

macro_rules! from_path {
    ($($path:ident($request:ident) $read:block)*) => {$(
        impl FromRequest for $path {
            type Error = HttpError;
            type Future = Ready<Result<Self, HttpError>>;

            fn from_request($request: &HttpRequest, _: &mut Payload) -> Self::Future {
                ready($read)
            }
        }
    )*};
}

fn workspace(request: &HttpRequest) -> Result<Uuid, HttpError> {
    id_in(request, "id", "workspace")
}

from_path! {
    WorkspacePath(request) { workspace(request).map(|id| Self { id }) }
    LookupPath(request) { id_in(request, "id", "profile or memory").map(|id| Self { id }) }
    RelationPath(request) {
        workspace(request).and_then(|id| Ok(Self { id, other: id_in(request, "other", "workspace")? }))
    }
    MemoryPath(request) {
        workspace(request).and_then(|id| Ok(Self { id, mid: id_in(request, "mid", "memory")? }))
    }
    DocumentPath(request) {
        workspace(request).and_then(|id| Ok(Self { id, did: id_in(request, "did", "document")? }))
    }
    RunPath(request) {
        workspace(request).and_then(|id| Ok(Self { id, rid: id_in(request, "rid", "run")? }))
    }
    ProfilePath(request) {
        workspace(request).and_then(|id| Ok(Self { id, pid: id_in(request, "pid", "profile")? }))
    }
    PagePath(request) {
        workspace(request).and_then(|id| Ok(Self { id, pid: id_in(request, "pid", "page")? }))
    }
    EpisodePath(request) {
        workspace(request).and_then(|id| Ok(Self { id, eid: id_in(request, "eid", "episode")? }))
    }
    TurnPath(request) {
        workspace(request).and_then(|id| Ok(Self { id, tid: id_in(request, "tid", "turn")? }))
    }
    EntryPath(request) { workspace(request).and_then(|id| Ok(Self { id, key: text_in(request, "key")? })) }
    RecordPath(request) { workspace(request).and_then(|id| Ok(Self { id, entity: text_in(request, "entity")? })) }
    SessionPath(request) { workspace(request).and_then(|id| Ok(Self { id, sid: text_in(request, "sid")? })) }
    GrantPath(request) {
        workspace(request).and_then(|id| Ok(Self { id, gid: id_in(request, "gid", "grant")? }))
    }
    ReviewPath(request) {
        workspace(request).and_then(|id| Ok(Self { id, rid: id_in(request, "rid", "review")? }))
    }
    ProcessorPath(request) { workspace(request).and_then(|id| Ok(Self { id, name: text_in(request, "name")? })) }
    CollectionPath(request) { workspace(request).and_then(|id| Ok(Self { id, name: text_in(request, "name")? })) }
    RowPath(request) {
        let texts = |id| Ok(Self { id, name: text_in(request, "name")?, key: text_in(request, "key")? });
        workspace(request).and_then(texts)
    }
    SkillPath(request) { workspace(request).and_then(|id| Ok(Self { id, name: text_in(request, "name")? })) }
    ProviderPath(request) { text_in(request, "name").map(|name| Self { name }) }
    TokenPath(request) { id_in(request, "jti", "token").map(|jti| Self { jti }) }
}
