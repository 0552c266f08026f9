//! A thin typed client of the REST interface, for the command line and for tests.
//!
//! Each operation of `/openapi.json` has a method with its name in `calls`, which is generated; requests and responses are
//! [`orgmem_types`]. The client has no state except address and token, follows no redirects, and never sends a token for
//! loopback through a proxy.
//!
//! ```no_run
//! # async fn example() -> Result<(), orgmem::client::ClientError> {
//! use orgmem::client::{Address, Client};
//! use orgmem_types::ListMemories;
//!
//! let client = Client::new(Address::parse("http://127.0.0.1:7070")?, Some("eyJhbGciOi…".into()))?;
//! let me = client.read_me().await?;
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

mod address;
mod call;
mod calls;
mod error;
mod events;
#[cfg(test)]
pub(crate) mod fake;
mod health;
mod page;
mod request;
mod skills;
#[cfg(test)]
mod tests;
mod uploads;

pub use address::Address;
pub use call::Client;
pub use error::ClientError;
pub use events::Events;
pub use health::Pulse;
pub use page::Page;
pub use request::Document;
use request::RequestParts;
