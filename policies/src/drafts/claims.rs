//! Claims: statements about records, declared by the writer of an episode or a memory.

use serde_json::{Value, json};

use super::DraftFault;
use super::field_scrubber::{no_nul, not_blank, within};

/// Maximum number of claims of one episode or memory.
pub const MAX_CLAIMS: usize = 16;
/// Characters of the entity and of the field of a claim.
pub const MAX_CLAIM_NAME: usize = 200;
/// Bytes of the value of a claim.
pub const MAX_CLAIM_VALUE_BYTES: usize = 1024;

/// An unchecked claim.
#[derive(Clone, Debug, PartialEq)]
pub struct ClaimInput {
    /// The thing that the record describes.
    pub entity: String,
    /// Field of the record.
    pub field: String,
    /// A string, a number or a boolean.
    pub value: Value,
}

/// The claims as a JSON array, not scrubbed yet; `None` for an empty list.
///
/// # Source
/// `docs/spec/activity.md`, "Claims".
pub(super) fn check(claims: Option<Vec<ClaimInput>>) -> Result<Option<Value>, DraftFault> {
    let claims = claims.unwrap_or_default();
    within("claims", claims.len(), MAX_CLAIMS, "claims")?;
    let checked = claims.into_iter().map(check_one).collect::<Result<Vec<_>, _>>()?;
    Ok((!checked.is_empty()).then_some(Value::Array(checked)))
}

fn check_one(claim: ClaimInput) -> Result<Value, DraftFault> {
    let entity = check_name("claims.entity", &claim.entity)?;
    let field = check_name("claims.field", &claim.field)?;
    check_value("claims.value", &claim.value)?;
    Ok(json!({"entity": entity, "field": field, "value": claim.value}))
}

/// Checks the value of a claim or of a field of a record.
pub(super) fn check_value(what: &'static str, value: &Value) -> Result<(), DraftFault> {
    match value {
        Value::String(text) => {
            within(what, text.len(), MAX_CLAIM_VALUE_BYTES, "bytes")?;
            no_nul(what, text)
        }
        Value::Number(_) | Value::Bool(_) => Ok(()),
        Value::Null | Value::Array(_) | Value::Object(_) => {
            Err(DraftFault::Form { field: what, expected: "a string, a number or a boolean" })
        }
    }
}

pub(super) fn check_name<'t>(what: &'static str, text: &'t str) -> Result<&'t str, DraftFault> {
    let text = text.trim();
    not_blank(what, text)?;
    within(what, text.chars().count(), MAX_CLAIM_NAME, "characters")?;
    no_nul(what, text)?;
    if text.chars().any(char::is_control) {
        return Err(DraftFault::Form { field: what, expected: "one line without control characters" });
    }
    Ok(text)
}
