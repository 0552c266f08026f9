use actix_web::http::Method;

/// Who may come to an address at all, as its description says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum EndpointAuth {
    /// Whoever brings a token.
    Token {
        /// The methods whose handlers read the query; for the others it must be empty.
        queries: Vec<Method>,
        /// The methods whose handlers hold what they change to a version; the others that change something refuse
        /// conditions.
        versioned: Vec<Method>,
    },
    /// Everybody.
    Open,
}
