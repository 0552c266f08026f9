use actix_web::http::Method;

/// The authentication of an address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum EndpointAuth {
    Token {
        /// Methods whose handlers read the query; other methods refuse one.
        queries: Vec<Method>,
        /// Methods whose handlers support conditions on a version; other methods that write refuse conditions.
        versioned: Vec<Method>,
    },
    /// No token needed.
    Open,
}
