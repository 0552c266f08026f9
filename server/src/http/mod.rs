//! REST: requests in, calls of services, answers out. Nothing is decided here.
//!
//! A request passes the boundary (its id, its caller, its time, its problem, its log line), then extractors take it
//! apart, a handler calls the service of its name, and the answer is written. docs/api-design.md tells the rules.
//!
//! Source: product.md, section 4.

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
mod problems;
mod request_id;
mod server;
mod state;
#[cfg(test)]
mod tests;

pub(crate) use server::{Listening, listen};
pub(crate) use state::AppState;
