use std::future::{Ready, ready};

use actix_web::dev::Payload;
use actix_web::{FromRequest, HttpRequest};

use crate::http::credentials;
use crate::http::error::HttpError;

/// Proof that the request comes from the console's own page, the first parameter of the handlers of sessions.
pub(in crate::http) struct FromConsole;

impl FromRequest for FromConsole {
    type Error = HttpError;
    type Future = Ready<Result<Self, HttpError>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(credentials::from_console(request.headers()).map(|()| Self))
    }
}
