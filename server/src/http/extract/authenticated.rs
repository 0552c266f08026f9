use std::future::{Ready, ready};
use std::ops::Deref;
use std::sync::Arc;

use actix_web::dev::Payload;
use actix_web::{FromRequest, HttpMessage, HttpRequest};

use crate::auth::{TokenRefusal, VerifiedClaims};
use crate::http::error::HttpError;

/// The caller's verified claims, the first parameter of a handler.
///
/// The boundary verifies the token before actix reads the path, the query or the body, so unauthenticated clients cannot
/// make the server read a body. An extractor would be too late: actix polls all extractors of a handler together, so a
/// body would be read while the token waits for the keys of its provider.
pub(in crate::http) struct Authenticated(Arc<VerifiedClaims>);

impl Authenticated {
    /// The claims, for streams that outlive the handler.
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
