//! Bodies: JSON, and YAML for imports.

use std::future::ready;
use std::marker::PhantomData;
use std::sync::Arc;

use actix_web::dev::Payload;
use actix_web::http::header::HeaderName;
use actix_web::web::Data;
use actix_web::{FromRequest, HttpMessage, HttpRequest};
use bytes::Bytes;
use futures_util::future::LocalBoxFuture;
use orgmem_policies::{Permission, ServerAction};
use orgmem_store::Requester;
use serde::de::DeserializeOwned;
use sha2::{Digest, Sha256};
use uuid::Uuid;

use super::{body, client_call};
use crate::app::{AppError, Idempotency};
use crate::auth::VerifiedClaims;
use crate::config::LimitSettings;
use crate::decode::{self, ReadFault};
use crate::http::error::{BodyFault, HttpError};
use crate::http::headers;
use crate::http::state::AppState;

const IDEMPOTENCY_KEY: HeaderName = HeaderName::from_static("idempotency-key");
const MAX_KEY_BYTES: usize = 255;

/// Nesting limit of an import, which bounds the recursion of the parser.
const MAX_DEPTH: usize = 127;

/// Bodies of at most this size are read without a decision before, and parsed on the thread of their connection.
pub(super) const INLINE_BYTES: usize = 64 * 1024;

/// A JSON body. Unknown fields are refused.
pub(in crate::http) struct JsonBody<T>(pub(in crate::http) T);

/// The bytes of a body whose content type is JSON.
pub(in crate::http) struct Raw {
    pub(in crate::http) body: Bytes,
    pub(in crate::http) idempotency: Option<Idempotency>,
}

/// The body of a POST with its idempotency key.
pub(in crate::http) struct Posted<T, F = Plain> {
    pub(in crate::http) body: T,
    pub(in crate::http) idempotency: Option<Idempotency>,
    form: PhantomData<F>,
}

/// The larger body of a batch.
pub(in crate::http) type Bulk<T> = Posted<T, Large>;

/// The larger body of an import that is an array.
pub(in crate::http) type BulkList<T> = Posted<Vec<T>, LargeList>;

/// The larger body of an import, JSON or YAML.
pub(in crate::http) type Document<T> = Posted<T, JsonOrYaml>;

/// The larger body of many records, JSON or one of them a line.
pub(in crate::http) type Lines<T> = Posted<T, JsonOrLines>;

/// The accepted media types of a body, and its size limit.
pub(in crate::http) trait BodyFormat: 'static {
    /// The accepted media types, for messages.
    const ACCEPTED: &'static str;

    fn limit_bytes(limits: &LimitSettings) -> usize;

    fn accepts(media_type: &str) -> bool;

    /// Parses a body of an accepted media type.
    fn read<T: DeserializeOwned>(media_type: &str, body: &[u8], json_depth: usize) -> Result<T, ReadFault>;

    /// Decides whether the caller may send a large body, before it is read.
    fn admit(_: &AppState, _: &VerifiedClaims, _: Option<Uuid>) -> impl Future<Output = Result<(), AppError>> {
        ready(Ok(()))
    }
}

/// JSON up to `limits.body_bytes`.
pub(in crate::http) struct Plain;
/// JSON up to `limits.bulk_body_bytes`.
pub(in crate::http) struct Large;
/// A JSON array up to `limits.bulk_body_bytes`.
pub(in crate::http) struct LargeList;
/// JSON or YAML up to `limits.bulk_body_bytes`.
pub(in crate::http) struct JsonOrYaml;

/// A JSON object with the list `records`, or one of them a line, up to `limits.bulk_body_bytes`.
pub(in crate::http) struct JsonOrLines;

impl BodyFormat for Plain {
    const ACCEPTED: &'static str = "`application/json`";

    fn limit_bytes(limits: &LimitSettings) -> usize {
        limits.body_bytes
    }

    fn accepts(media_type: &str) -> bool {
        media_type == "application/json"
    }

    fn read<T: DeserializeOwned>(_: &str, body: &[u8], json_depth: usize) -> Result<T, ReadFault> {
        decode::json(body, json_depth)
    }
}

impl BodyFormat for Large {
    const ACCEPTED: &'static str = Plain::ACCEPTED;

    fn limit_bytes(limits: &LimitSettings) -> usize {
        limits.bulk_body_bytes
    }

    fn accepts(media_type: &str) -> bool {
        Plain::accepts(media_type)
    }

    fn read<T: DeserializeOwned>(media_type: &str, body: &[u8], json_depth: usize) -> Result<T, ReadFault> {
        Plain::read(media_type, body, json_depth)
    }

    async fn admit(state: &AppState, auth: &VerifiedClaims, workspace: Option<Uuid>) -> Result<(), AppError> {
        match workspace {
            Some(workspace) => state.app.admit(auth, workspace, Permission::WriteMemories).await,
            // the path is refused with its own words
            None => Ok(()),
        }
    }
}

impl BodyFormat for LargeList {
    const ACCEPTED: &'static str = Plain::ACCEPTED;

    fn limit_bytes(limits: &LimitSettings) -> usize {
        limits.bulk_body_bytes
    }

    fn accepts(media_type: &str) -> bool {
        Plain::accepts(media_type)
    }

    fn read<T: DeserializeOwned>(_: &str, body: &[u8], json_depth: usize) -> Result<T, ReadFault> {
        decode::json_list(body, json_depth)
    }

    async fn admit(state: &AppState, auth: &VerifiedClaims, _: Option<Uuid>) -> Result<(), AppError> {
        state.app.admit_to_server(auth, ServerAction::ImportOrg).await
    }
}

impl BodyFormat for JsonOrYaml {
    const ACCEPTED: &'static str = "`application/json` or `application/yaml`";

    fn limit_bytes(limits: &LimitSettings) -> usize {
        limits.bulk_body_bytes
    }

    fn accepts(media_type: &str) -> bool {
        Plain::accepts(media_type) || is_yaml(media_type)
    }

    /// Each level of a tree nests twice, so the limit of other bodies is too low here.
    fn read<T: DeserializeOwned>(media_type: &str, body: &[u8], _: usize) -> Result<T, ReadFault> {
        if is_yaml(media_type) { decode::yaml(body, MAX_DEPTH) } else { decode::json(body, MAX_DEPTH) }
    }

    async fn admit(state: &AppState, auth: &VerifiedClaims, _: Option<Uuid>) -> Result<(), AppError> {
        state.app.admit_to_server(auth, ServerAction::ImportOrg).await
    }
}

impl BodyFormat for JsonOrLines {
    const ACCEPTED: &'static str = "`application/x-ndjson` or `application/json`";

    fn limit_bytes(limits: &LimitSettings) -> usize {
        limits.bulk_body_bytes
    }

    fn accepts(media_type: &str) -> bool {
        Plain::accepts(media_type) || is_lines(media_type)
    }

    fn read<T: DeserializeOwned>(media_type: &str, body: &[u8], json_depth: usize) -> Result<T, ReadFault> {
        if is_lines(media_type) {
            decode::json(&object_of_lines(body), json_depth)
        } else {
            decode::json(body, json_depth)
        }
    }

    async fn admit(state: &AppState, auth: &VerifiedClaims, workspace: Option<Uuid>) -> Result<(), AppError> {
        match workspace {
            Some(workspace) => state.app.admit(auth, workspace, Permission::WriteRecords).await,
            // the path is refused with its own words
            None => Ok(()),
        }
    }
}

pub(super) fn is_lines(media_type: &str) -> bool {
    matches!(media_type, "application/x-ndjson" | "application/ndjson" | "application/jsonl")
}

/// The lines that are not blank, as the list of a JSON object.
fn object_of_lines(body: &[u8]) -> Vec<u8> {
    const BEGIN: &[u8] = br#"{"records":["#;
    let mut object = Vec::with_capacity(body.len() + BEGIN.len() + 2);
    object.extend_from_slice(BEGIN);
    for line in body.split(|byte| *byte == b'\n').filter(|line| !line.trim_ascii().is_empty()) {
        if object.len() > BEGIN.len() {
            object.push(b',');
        }
        object.extend_from_slice(line);
    }
    object.extend_from_slice(b"]}");
    object
}

fn is_yaml(media_type: &str) -> bool {
    matches!(media_type, "application/yaml" | "text/yaml" | "application/x-yaml" | "text/x-yaml")
}

impl<T: DeserializeOwned + Send + 'static> FromRequest for JsonBody<T> {
    type Error = HttpError;
    type Future = LocalBoxFuture<'static, Result<Self, HttpError>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let reading = read_body::<T, Plain>(request.clone(), payload.take());
        Box::pin(async move { Ok(Self(reading.await?.0)) })
    }
}

impl FromRequest for Raw {
    type Error = HttpError;
    type Future = LocalBoxFuture<'static, Result<Self, HttpError>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let (request, payload) = (request.clone(), payload.take());
        Box::pin(async move {
            let (limits, key) = (limits(&request)?, idempotency_key(&request)?);
            if !Plain::accepts(&body::media_type(&request, Plain::ACCEPTED)?) {
                return Err(BodyFault::ContentType(Plain::ACCEPTED).into());
            }
            let body = body::read(&request, payload, limits.body_bytes, limits.body_timeout).await?;
            let idempotency = idempotency(key, &request, &body);
            Ok(Self { body, idempotency })
        })
    }
}

impl<T: DeserializeOwned + Send + 'static, F: BodyFormat> FromRequest for Posted<T, F> {
    type Error = HttpError;
    type Future = LocalBoxFuture<'static, Result<Self, HttpError>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let (request, payload) = (request.clone(), payload.take());
        Box::pin(async move {
            let key = idempotency_key(&request)?;
            let (body, bytes) = read_body::<T, F>(request.clone(), payload).await?;
            Ok(Self { body, idempotency: idempotency(key, &request, &bytes), form: PhantomData })
        })
    }
}

/// The parsed body and its bytes. A large one is read only for a caller who may send it, and parsed off the threads of
/// connections.
async fn read_body<T: DeserializeOwned + Send + 'static, F: BodyFormat>(
    request: HttpRequest,
    payload: Payload,
) -> Result<(T, Bytes), HttpError> {
    let limits = limits(&request)?;
    let media_type = body::media_type(&request, F::ACCEPTED)?;
    if !F::accepts(&media_type) {
        return Err(BodyFault::ContentType(F::ACCEPTED).into());
    }
    let call = client_call(&request);
    if body::declared_length(&request).is_none_or(|length| length > INLINE_BYTES) {
        admit::<F>(&request, call.workspace).await?;
    }
    let bytes = body::read(&request, payload, F::limit_bytes(limits), limits.body_timeout).await?;
    if bytes.is_empty() {
        return Err(BodyFault::Missing(F::ACCEPTED).into());
    }
    let (depth, text) = (limits.json_depth, bytes.clone());
    let parse = move || F::read(&media_type, &text, depth).or_else(|fault| decode::foreign_json(&text, &call, fault));
    // only small ones come without a token
    let parsed = match requester(&request) {
        Some((state, requester)) => {
            let is_large = bytes.len() > INLINE_BYTES;
            state.app.off_connections(requester, is_large, parse).await.map_err(AppError::from)?
        }
        None => parse(),
    };
    Ok((parsed?, bytes))
}

/// Whose turn a large body takes.
fn requester(request: &HttpRequest) -> Option<(&AppState, Requester)> {
    let auth = request.extensions().get::<Arc<VerifiedClaims>>().cloned()?;
    let state = request.app_data::<Data<AppState>>()?;
    Some((state, state.app.requester(&auth)))
}

pub(super) async fn admit<F: BodyFormat>(request: &HttpRequest, workspace: Option<Uuid>) -> Result<(), HttpError> {
    let auth = request.extensions().get::<Arc<VerifiedClaims>>().cloned();
    let state = request.app_data::<Data<AppState>>();
    match (state, auth) {
        (Some(state), Some(auth)) => Ok(F::admit(state, &auth, workspace).await?),
        // an address without a token accepts small bodies only
        _ => Ok(()),
    }
}

pub(super) fn limits(request: &HttpRequest) -> Result<&LimitSettings, HttpError> {
    request.app_data::<Data<AppState>>().map(|state| &state.limits).ok_or(HttpError::NoSuchAddress)
}

pub(super) fn idempotency_key(request: &HttpRequest) -> Result<Option<String>, HttpError> {
    let Some(value) = headers::single_value(request.headers(), &IDEMPOTENCY_KEY, "Idempotency-Key")? else {
        return Ok(None);
    };
    let key = value.to_str().unwrap_or_default();
    if key.is_empty() || key.len() > MAX_KEY_BYTES || !key.bytes().all(|byte| byte.is_ascii_graphic()) {
        let expected = "1 to 255 visible ASCII characters, without spaces";
        return Err(HttpError::Header { name: "Idempotency-Key", expected });
    }
    Ok(Some(key.to_owned()))
}

pub(super) fn idempotency(key: Option<String>, request: &HttpRequest, body: &[u8]) -> Option<Idempotency> {
    key.map(|key| Idempotency { key, body_hash: hash(request, body) })
}

/// SHA-256 of the method, the address and the body.
fn hash(request: &HttpRequest, body: &[u8]) -> [u8; 32] {
    let mut hash = Sha256::new();
    for part in [request.method().as_str(), request.path(), request.query_string()] {
        hash.update(part);
        hash.update([0]);
    }
    hash.update(body);
    hash.finalize().into()
}
