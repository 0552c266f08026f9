//! A document to store: JSON, or a form with a file.

use actix_multipart::{Field, Multipart};
use actix_web::dev::Payload;
use actix_web::http::header::HeaderMap;
use actix_web::{FromRequest, HttpRequest};
use bytes::Bytes;
use futures_util::future::LocalBoxFuture;
use futures_util::{StreamExt, stream};
use orgmem_types::{AddDocument, UploadDocument};
use sha2::{Digest, Sha256};

use super::json::{self, Bulk, Large};
use super::{body, client_call};
use crate::app::{DocumentFile, Idempotency};
use crate::decode::{self, shortened};
use crate::http::error::{BodyFault, HttpError};

const ACCEPTED: &str = "`application/json` or `multipart/form-data`";
const FORM: &str = "multipart/form-data";
/// The parser of forms buffers at most a few of these.
const PIECE_BYTES: usize = 16 * 1024;

/// A document to store, with its idempotency key.
pub(in crate::http) struct NewDocument {
    pub(in crate::http) source: Source,
    pub(in crate::http) idempotency: Option<Idempotency>,
}

pub(in crate::http) enum Source {
    Text(AddDocument),
    File(UploadDocument, DocumentFile),
}

impl FromRequest for NewDocument {
    type Error = HttpError;
    type Future = LocalBoxFuture<'static, Result<Self, HttpError>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let (request, payload) = (request.clone(), payload.take());
        Box::pin(async move {
            match body::media_type(&request, ACCEPTED)?.as_str() {
                FORM => read_form(&request, payload).await,
                "application/json" => {
                    let read = Bulk::from_request(&request, &mut { payload }).await?;
                    Ok(Self { source: Source::Text(read.body), idempotency: read.idempotency })
                }
                _ => Err(BodyFault::ContentType(ACCEPTED).into()),
            }
        })
    }
}

/// Reads the body as that of a batch is: only for a caller who may write, counted, and within its limits.
async fn read_form(request: &HttpRequest, payload: Payload) -> Result<NewDocument, HttpError> {
    let (limits, key) = (json::limits(request)?, json::idempotency_key(request)?);
    json::admit::<Large>(request, client_call(request).workspace).await?;
    let body = body::read(request, payload, limits.bulk_body_bytes, limits.body_timeout).await?;
    let (document, file) = parts(request.headers(), body).await?;
    // the boundary between the parts differs in each attempt
    let mut hash = Sha256::new();
    for part in [&document, &file.bytes] {
        hash.update((part.len() as u64).to_be_bytes());
        hash.update(part);
    }
    let idempotency = json::idempotency(key, request, &hash.finalize());
    let document = decode::json(&document, limits.json_depth)?;
    Ok(NewDocument { source: Source::File(document, file), idempotency })
}

/// The part `document` and the part `file`.
async fn parts(headers: &HeaderMap, body: Bytes) -> Result<(Bytes, DocumentFile), BodyFault> {
    let pieces = (0..body.len()).step_by(PIECE_BYTES).map(|start| start..body.len().min(start + PIECE_BYTES));
    let pieces: Vec<_> = pieces.map(|range| Ok(body.slice(range))).collect();
    let mut form = Multipart::new(headers, stream::iter(pieces));
    let (mut document, mut file) = (None, None);
    while let Some(part) = form.next().await {
        let mut part = part.map_err(unreadable)?;
        let name = part.name().unwrap_or_default().to_owned();
        let is_new = match name.as_str() {
            "document" => document.replace(content(&mut part).await?).is_none(),
            "file" => {
                let bytes = content(&mut part).await?;
                let media_type = part.content_type().map(ToString::to_string);
                let name = part.content_disposition().and_then(|disposition| disposition.get_filename());
                let name = name.and_then(|name| name.rsplit(['/', '\\']).next()).map(str::to_owned);
                file.replace(DocumentFile { bytes, media_type, name }).is_none()
            }
            other => return Err(BodyFault::Form(format!("the form has the unknown part `{}`", shortened(other)))),
        };
        if !is_new {
            return Err(BodyFault::Form(format!("the form has the part `{name}` twice")));
        }
    }
    let missing = |name: &str| BodyFault::Form(format!("the form has no part `{name}`"));
    Ok((document.ok_or_else(|| missing("document"))?, file.ok_or_else(|| missing("file"))?))
}

/// The bytes of a part, which are fewer than those of the body.
async fn content(part: &mut Field) -> Result<Bytes, BodyFault> {
    let mut content = Vec::new();
    while let Some(piece) = part.next().await {
        content.extend_from_slice(&piece.map_err(unreadable)?);
    }
    Ok(content.into())
}

fn unreadable(error: actix_multipart::MultipartError) -> BodyFault {
    BodyFault::Form(format!("the form cannot be read: {error}"))
}
