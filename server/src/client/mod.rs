//! A thin typed client of the REST interface, for the command line and for tests.
//!
//! Each call has a method with the name of its handler; requests and responses are [`orgmem_types`]. The client has no
//! state except address and token, follows no redirects, and never sends a token for loopback through a proxy.
//!
//! ```no_run
//! # async fn example() -> Result<(), orgmem::client::ClientError> {
//! use orgmem::client::{Address, Client};
//! use orgmem_types::ListMemories;
//!
//! let client = Client::new(Address::parse("http://127.0.0.1:7070")?, Some("eyJhbGciOi…".into()))?;
//! let me = client.me().await?;
//! if let Some(workspace) = me.workspace_id {
//!     let query = ListMemories { q: Some("rate limits".into()), ..ListMemories::default() };
//!     for memory in client.search_memories(workspace, &query).await?.items {
//!         println!("{}", memory.content);
//!     }
//! }
//! # Ok(())
//! # }
//! ```
//!
//! Source: `docs/spec/rest.md`.

mod access;
mod address;
mod call;
mod entries;
mod error;
#[cfg(test)]
pub(crate) mod fake;
mod memories;
mod page;
mod profiles;
mod redactions;
mod runs;
mod server;
#[cfg(test)]
mod tests;
mod tokens;
mod versions;
mod workspaces;

pub use address::Address;
pub use call::Client;
pub use error::ClientError;
pub use page::Page;
pub use server::Pulse;
