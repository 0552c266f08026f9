use std::future::{Ready, ready};

use actix_web::dev::Payload;
use actix_web::{FromRequest, HttpRequest};

use crate::http::credentials;
use crate::http::error::HttpError;

/// The console's own page sends this, and no other page. The first parameter of what opens and closes sessions.
pub(in crate::http) struct FromConsole;

impl FromRequest for FromConsole {
    type Error = HttpError;
    type Future = Ready<Result<Self, HttpError>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(credentials::from_console(request.headers()).map(|()| Self))
    }
}
