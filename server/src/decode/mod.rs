//! What clients send, read into types. What cannot be read is told by the path of its field and what would be
//! accepted, in the same words whether it came as JSON, as YAML or in a query.
//!
//! Nothing that was sent is repeated in a fault, except names of fields and short words: it may be a secret.

mod depth;
mod fault;
mod json;
mod query;
#[cfg(test)]
mod tests;
mod wording;
mod yaml;

pub(crate) use depth::nests_deeper;
pub(crate) use fault::ReadFault;
pub(crate) use json::{any_json, json, json_value};
pub(crate) use query::query;
pub(crate) use wording::shortened;
pub(crate) use yaml::yaml;
