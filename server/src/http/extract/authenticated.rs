use std::future::{Ready, ready};
use std::ops::Deref;
use std::sync::Arc;

use actix_web::dev::Payload;
use actix_web::{FromRequest, HttpMessage, HttpRequest};

use crate::auth::{TokenRefusal, VerifiedClaims};
use crate::http::error::HttpError;

/// The caller's verified claims. Always a handler's first parameter.
///
/// The boundary verified the token before the framework looked at the path, the query or the body, so that strangers
/// cannot make the server read what they send. Extractors alone would not do: the framework polls all of a handler's
/// extractors, and while a token waits for the keys of its provider the body would be read already.
pub(in crate::http) struct Authenticated(Arc<VerifiedClaims>);

impl Authenticated {
    /// The claims, for what outlives the handler.
    pub(in crate::http) fn shared(&self) -> Arc<VerifiedClaims> {
        Arc::clone(&self.0)
    }
}

impl Deref for Authenticated {
    type Target = VerifiedClaims;

    fn deref(&self) -> &VerifiedClaims {
        &self.0
    }
}

impl FromRequest for Authenticated {
    type Error = HttpError;
    type Future = Ready<Result<Self, HttpError>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let claims = request.extensions().get::<Arc<VerifiedClaims>>().cloned();
        ready(claims.map(Self).ok_or(HttpError::Token(TokenRefusal::Missing)))
    }
}
