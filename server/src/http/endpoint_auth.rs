use actix_web::http::Method;

/// The authentication of an address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum EndpointAuth {
    Token {
        /// Methods whose handlers read no query, so that a request with one is refused. A method that the address does not
        /// serve is absent: its response is 405, whatever the request contains.
        without_query: Vec<Method>,
        /// Methods whose handlers write without conditions on a version, so that a request with one is refused.
        without_version: Vec<Method>,
    },
    /// No token needed.
    Open,
}
