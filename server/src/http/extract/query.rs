use std::future::{Ready, ready};

use actix_web::dev::Payload;
use actix_web::{FromRequest, HttpRequest};
use serde::de::DeserializeOwned;

use crate::decode;
use crate::http::error::HttpError;

/// The query of the address. Unknown parameters are refused.
pub(in crate::http) struct Query<T>(pub(in crate::http) T);

impl<T: DeserializeOwned> FromRequest for Query<T> {
    type Error = HttpError;
    type Future = Ready<Result<Self, HttpError>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(decode::query(request.query_string()).map(Self).map_err(HttpError::from))
    }
}
