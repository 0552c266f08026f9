//! Extractors: the parameters of handlers. An extractor that fails ends the request with an
//! [`HttpError`](super::error::HttpError).

mod authenticated;
mod body;
mod conditions;
#[cfg(feature = "console")]
mod from_console;
mod json;
mod path;
mod query;

pub(super) use authenticated::Authenticated;
pub(super) use conditions::{Expected, expected_version};
#[cfg(feature = "console")]
pub(super) use from_console::FromConsole;
pub(super) use json::{Bulk, Document, JsonBody, Posted, Raw};
pub(super) use path::{
    EntryPath, EpisodePath, MemoryPath, ProfilePath, RelationPath, RunPath, TokenPath, WorkspacePath,
};
pub(super) use query::Query;
