//! Requests to hosts that the settings name: sources of record and providers.
//!
//! Redirects and proxies are not followed, addresses that are not public are refused unless their host is named, bodies are
//! bounded, and a host that fails repeatedly gets no requests for a while.

mod breaker;
mod client;

pub(crate) use breaker::Breaker;
pub(crate) use client::{FetchFault, OutboundClient};

use std::path::PathBuf;

/// A host that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum OutboundError {
    /// The file of a secret cannot be read.
    #[error("the file `{path}` of `{table}` cannot be read: {cause}", path = .path.display())]
    Unreadable {
        /// The table of the settings.
        table: String,
        /// The file.
        path: PathBuf,
        /// The error of the system.
        cause: std::io::Error,
    },
    /// The value of a header has other characters than a header may have, or is empty.
    #[error("the secret of `{0}` must be one line of visible ASCII")]
    Header(String),
    /// The client cannot be made.
    #[error("no HTTP client for `{0}`: {1}")]
    Client(String, String),
}
