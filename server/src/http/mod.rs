//! REST: translates requests into calls of services, and their results into responses. It holds no business rules.
//!
//! The boundary assigns the request id, authenticates the caller, enforces the time limit, writes problems and logs.
//! Extractors parse the request, and the handler calls the service of the same name. See docs/api-design.md.
//!
//! Source: `docs/spec/rest.md`.

mod answer;
mod boundary;
mod compress;
mod credentials;
mod endpoint_auth;
mod endpoints;
mod error;
mod extract;
mod handlers;
mod headers;
mod openapi;
mod plugin;
mod problems;
mod rate_limit;
mod request_id;
mod server;
mod state;
#[cfg(test)]
mod tests;
mod unread_body;

pub(crate) use server::{Listening, listen, listen_plugin};
pub(crate) use state::{AppState, Description};
