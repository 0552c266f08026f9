//! The handlers: each takes the request apart, calls the service of its name, and wraps what that gives.
//!
//! A handler is named `<verb>_<resource>`, and so is its operation in `/openapi.json`.

pub(super) mod access_log;
pub(super) mod admin;
#[cfg(feature = "console")]
pub(super) mod console;
pub(super) mod context;
pub(super) mod docs;
pub(super) mod entries;
pub(super) mod episodes;
pub(super) mod events;
pub(super) mod health;
pub(super) mod mcp;
pub(super) mod memories;
pub(super) mod orgs;
pub(super) mod profiles;
pub(super) mod reach;
pub(super) mod redactions;
pub(super) mod runs;
pub(super) mod session;
pub(super) mod tokens;
pub(super) mod versions;
pub(super) mod why;
pub(super) mod workspaces;

use actix_web::web::Data;

/// The services, as handlers take them.
type App = Data<crate::app::App>;
