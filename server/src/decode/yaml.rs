use serde::de::DeserializeOwned;
use serde_saphyr::budget::BudgetBreach;
use serde_saphyr::{Error, Options};

use super::ReadFault;

/// Maximum number of nodes: enough for the largest default body, at about 60 bytes per node.
const NODES: usize = 1_000_000;

/// Maximum number of nodes recorded for aliases.
const ANCHORED_NODES: usize = 100_000;

/// Reads YAML 1.2, which includes JSON.
///
/// The expansion of aliases is limited, so a small text cannot expand to a huge one.
///
/// # Arguments
/// `max_depth`: the maximum nesting of sequences and mappings.
///
/// # Errors
/// [`ReadFault`], which names the field.
pub(crate) fn yaml<T: DeserializeOwned>(bytes: &[u8], max_depth: usize) -> Result<T, ReadFault> {
    let text = str::from_utf8(bytes).map_err(|error| ReadFault::NotUtf8 { offset: error.valid_up_to() })?;
    let mut path = None;
    let read = serde_saphyr::with_deserializer_from_str_with_options(text, options(max_depth), |deserializer| {
        serde_path_to_error::deserialize(deserializer).map_err(|error| {
            path = Some(error.path().clone());
            error.into_inner()
        })
    });
    read.map_err(|error| fault(error.without_snippet(), path.as_ref(), max_depth))
}

fn options(max_depth: usize) -> Options {
    serde_saphyr::options! {
        budget: serde_saphyr::budget! {
            max_depth: max_depth,
            max_nodes: NODES,
            max_events: 2 * NODES,
            max_recorded_anchor_events: ANCHORED_NODES,
        },
        with_snippet: false,
        strict_booleans: true,
    }
}

fn fault(error: &Error, path: Option<&serde_path_to_error::Path>, limit: usize) -> ReadFault {
    if let Error::AliasError { error, .. } = error {
        return fault(error, path, limit);
    }
    match (error, path) {
        (Error::Budget { breach: BudgetBreach::Depth { .. }, .. }, _) => ReadFault::TooDeep { limit },
        (Error::Budget { .. }, _) => ReadFault::Malformed {
            language: "acceptable YAML",
            reason: "its aliases expand to more than is allowed; write out less, or send it in parts".into(),
        },
        (error, Some(path)) => match type_error(error) {
            Some(message) => ReadFault::field(path, &message),
            None => malformed(error, limit),
        },
        (error, None) => malformed(error, limit),
    }
}

fn malformed(error: &Error, limit: usize) -> ReadFault {
    // the parser's own limit is only recognizable by its message
    if error.to_string().starts_with("recursion limit exceeded") {
        return ReadFault::TooDeep { limit };
    }
    let reason = HINTS.iter().fold(error.to_string(), |reason, hint| reason.replace(hint, ""));
    ReadFault::Malformed { language: "YAML", reason }
}

/// Hints of the parser for programmers.
const HINTS: [&str; 2] =
    [", set DuplicateKeyPolicy in Options if acceptable", "; use from_str_multiple or from_str_multiple_with_options"];

/// The message of a type error in the words of serde; `None` for a syntax error.
fn type_error(error: &Error) -> Option<String> {
    Some(match error {
        Error::Message { msg, .. } => msg.clone(),
        Error::SerdeInvalidType { unexpected, expected, .. } => {
            format!("invalid type: {unexpected}, expected {expected}")
        }
        Error::Unexpected { expected, .. } => format!("expected {expected}"),
        Error::InvalidScalar { ty, .. } => format!("invalid type: string, expected {ty}"),
        Error::SerdeInvalidValue { unexpected, expected, .. } => {
            format!("invalid value: {unexpected}, expected {expected}")
        }
        Error::SerdeInvalidLength { len, expected, .. } => format!("invalid length {len}, expected {expected}"),
        Error::SerdeUnknownVariant { variant, expected, .. } => {
            format!("unknown variant `{variant}`, expected {}", listed(expected))
        }
        Error::SerdeUnknownField { field, expected, .. } => {
            format!("unknown field `{field}`, expected {}", listed(expected))
        }
        Error::SerdeMissingField { field, .. } => format!("missing field `{field}`"),
        _ => return None,
    })
}

fn listed(names: &[&str]) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}
