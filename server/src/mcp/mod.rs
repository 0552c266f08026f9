//! MCP: the tools for agents, over streamable HTTP. The command line bridges stdio to it.
//!
//! The server speaks the current, stateless revision of the protocol and the earlier revisions with the `initialize`
//! handshake, without sessions. Tools call the same services as REST. Refusals and invalid arguments are tool errors
//! with the reason and the allowed values, so that the model can correct the call.
//!
//! Source: `docs/spec/mcp.md`.

mod answers;
mod arguments;
mod browsers;
mod http;
mod lenient;
mod message;
mod resources;
mod schema;
mod stdio;
mod tools;

pub use self::http::McpEndpoint;
pub(crate) use self::http::TransportRefusal;
pub use browsers::BrowserAccess;
pub(crate) use browsers::is_preflight;
pub use stdio::{Bridge, SkillChanges};
pub use tools::{ActsAs, Tools};
