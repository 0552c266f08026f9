//! The handlers: each calls the service of the same name and wraps the result.
//!
//! A handler is named `<verb>_<resource>`, which is also the id of its operation in `/openapi.json`.

pub(super) mod access_log;
pub(super) mod admin;
pub(super) mod budgets;
#[cfg(feature = "console")]
pub(super) mod console;
pub(super) mod context;
pub(super) mod docs;
pub(super) mod documents;
pub(super) mod entries;
pub(super) mod episodes;
pub(super) mod events;
pub(super) mod evidence;
pub(super) mod grants;
pub(super) mod health;
pub(super) mod lookup;
pub(super) mod mcp;
pub(super) mod memories;
pub(super) mod memory_tool;
pub(super) mod metadata_values;
pub(super) mod namespaces;
pub(super) mod orgs;
pub(super) mod pages;
pub(super) mod processors;
pub(super) mod profiles;
pub(super) mod providers;
pub(super) mod reach;
pub(super) mod records;
pub(super) mod redactions;
pub(super) mod reviews;
pub(super) mod rows;
pub(super) mod runs;
pub(super) mod session;
pub(super) mod skills;
pub(super) mod tokens;
pub(super) mod turns;
pub(super) mod versions;
pub(super) mod why;
pub(super) mod workspaces;

use actix_web::web::Data;

type App = Data<crate::app::App>;
