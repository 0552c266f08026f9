//! Many rows: a JSON array, or lines of JSON. They are read later, because bad rows are named and the good ones stored.

use actix_web::dev::Payload;
use actix_web::{FromRequest, HttpRequest};
use futures_util::future::LocalBoxFuture;
use orgmem_policies::Permission;
use serde::de::DeserializeOwned;
use uuid::Uuid;

use super::json::{self, BodyFormat, INLINE_BYTES, JsonOrLines, idempotency, idempotency_key, is_lines, limits};
use super::{body, client_call};
use crate::app::{AppError, Idempotency, RowForm, RowText};
use crate::auth::VerifiedClaims;
use crate::config::LimitSettings;
use crate::decode::{self, ReadFault};
use crate::http::error::{BodyFault, HttpError};
use crate::http::state::AppState;

/// The text of many rows, with its idempotency key: a JSON array up to `limits.body_bytes`, or lines of JSON up to
/// `limits.bulk_body_bytes`.
pub(in crate::http) struct Rows {
    pub(in crate::http) rows: RowText,
    pub(in crate::http) idempotency: Option<Idempotency>,
}

/// The decision about a large body of rows.
struct RowLines;

impl BodyFormat for RowLines {
    const ACCEPTED: &'static str = JsonOrLines::ACCEPTED;

    fn limit_bytes(limits: &LimitSettings) -> usize {
        limits.bulk_body_bytes
    }

    fn accepts(media_type: &str) -> bool {
        JsonOrLines::accepts(media_type)
    }

    fn read<T: DeserializeOwned>(_: &str, body: &[u8], json_depth: usize) -> Result<T, ReadFault> {
        decode::json(body, json_depth)
    }

    async fn admit(state: &AppState, auth: &VerifiedClaims, workspace: Option<Uuid>) -> Result<(), AppError> {
        match workspace {
            Some(workspace) => state.app.admit(auth, workspace, Permission::WriteRows).await,
            // the path is refused with its own words
            None => Ok(()),
        }
    }
}

impl FromRequest for Rows {
    type Error = HttpError;
    type Future = LocalBoxFuture<'static, Result<Self, HttpError>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let (request, payload) = (request.clone(), payload.take());
        Box::pin(async move {
            let (limits, key) = (limits(&request)?, idempotency_key(&request)?);
            let media_type = body::media_type(&request, RowLines::ACCEPTED)?;
            let form = if is_lines(&media_type) { RowForm::Lines } else { RowForm::List };
            if !RowLines::accepts(&media_type) {
                return Err(BodyFault::ContentType(RowLines::ACCEPTED).into());
            }
            if body::declared_length(&request).is_none_or(|length| length > INLINE_BYTES) {
                json::admit::<RowLines>(&request, client_call(&request).workspace).await?;
            }
            let limit = if form == RowForm::Lines { limits.bulk_body_bytes } else { limits.body_bytes };
            let text = body::read(&request, payload, limit, limits.body_timeout).await?;
            if text.is_empty() {
                return Err(BodyFault::Missing(RowLines::ACCEPTED).into());
            }
            let idempotency = idempotency(key, &request, &text);
            Ok(Self { rows: RowText { text, form }, idempotency })
        })
    }
}
