//! Parses input of clients. A fault names the path of the field and the accepted values, in the same words for JSON, YAML
//! and queries.
//!
//! Faults repeat only names of fields and short words of the input, because it may contain secrets.

mod depth;
mod fault;
mod foreign;
#[cfg(test)]
mod fuzz;
mod json;
mod query;
#[cfg(test)]
mod tests;
mod wording;
mod yaml;

pub(crate) use depth::nests_deeper;
pub(crate) use fault::ReadFault;
pub(crate) use foreign::{
    ClientCall, PROFILE_SCOPES, foreign_json, foreign_query, names as foreign_names, rewrite_scope, rewrite_template,
    upper_case_scope,
};
pub(crate) use json::{any_json, json, json_list, json_value};
pub(crate) use query::{percent_decoded, query};
pub(crate) use wording::shortened;
pub(crate) use yaml::yaml;
