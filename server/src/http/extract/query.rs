use std::future::{Ready, ready};

use actix_web::dev::Payload;
use actix_web::{FromRequest, HttpRequest};
use serde::de::DeserializeOwned;

use super::client_call;
use crate::decode;
use crate::http::error::HttpError;

/// The query of the address. Unknown parameters are refused.
pub(in crate::http) struct Query<T>(pub(in crate::http) T);

impl<T: DeserializeOwned> FromRequest for Query<T> {
    type Error = HttpError;
    type Future = Ready<Result<Self, HttpError>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let text = request.query_string();
        let read = decode::query(text).or_else(|fault| decode::foreign_query(text, &client_call(request), fault));
        ready(read.map(Self).map_err(HttpError::from))
    }
}
