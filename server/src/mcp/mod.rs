//! MCP: the tools that agents have, over streamable HTTP; the command line bridges stdio to it.
//!
//! Both the current, stateless protocol revision and the earlier ones with the `initialize` handshake are served, without
//! sessions. Tools call the services that REST calls. A refusal is a tool error whose text says the reason and what would
//! be allowed; a mistake in the arguments is one too, so that the model can mend it.
//!
//! Source: product.md, section 5.

mod answers;
mod arguments;
mod http;
mod message;
mod stdio;
mod tools;

pub use self::http::{McpEndpoint, Refused};
pub use stdio::Bridge;
pub use tools::{ActsAs, Tools};
