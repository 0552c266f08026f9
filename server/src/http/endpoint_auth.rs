use actix_web::http::Method;

/// The authentication of an address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum EndpointAuth {
    Token {
        /// The methods that the address serves. The response to another one is 405, whatever the request contains.
        served: Vec<Method>,
        /// Methods whose handlers read no query, so that a request with one is refused.
        without_query: Vec<Method>,
        /// Methods whose handlers write without conditions on a version, so that a request with one is refused.
        without_version: Vec<Method>,
    },
    /// No token needed.
    Open,
    /// The checks of the memory-plugin listener. Its errors have the form of the contract.
    Plugin,
    /// The same without a caller.
    PluginHealth,
}

impl EndpointAuth {
    /// Whether the address belongs to the memory-plugin listener.
    pub(super) fn is_plugin(&self) -> bool {
        matches!(self, Self::Plugin | Self::PluginHealth)
    }
}
