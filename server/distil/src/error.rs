//! The faults of a definition.

use thiserror::Error;

/// Why a definition cannot be used. Each message names the value and what would work.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum DefinitionError {
    /// Not JSON, an unknown field, a missing field or a value of another type.
    #[error("the definition cannot be read: {0}")]
    Unreadable(String),
    /// A text that breaks a rule of its field.
    #[error("`{field}` is `{value}`; it must be {rule}")]
    Text {
        /// The path of the field.
        field: String,
        /// The text, cut to 60 characters.
        value: String,
        /// The rule.
        rule: &'static str,
    },
    /// A number outside its range.
    #[error("`{field}` is {value}; it must be from {least} to {most}")]
    Number {
        /// The path of the field.
        field: String,
        /// The number.
        value: f64,
        /// The smallest allowed value.
        least: f64,
        /// The largest allowed value.
        most: f64,
    },
    /// A list with too few or too many entries.
    #[error("`{field}` has {found} entries; it must have {least} to {most}")]
    Length {
        /// The path of the field.
        field: String,
        /// The number of entries.
        found: usize,
        /// The smallest allowed number.
        least: usize,
        /// The largest allowed number.
        most: usize,
    },
    /// Two dimensions have one name, or one spelling has two meanings.
    #[error("`{field}` contains `{value}` twice; each may occur once")]
    Duplicate {
        /// The path of the field.
        field: String,
        /// The repeated text.
        value: String,
    },
    /// A template that cannot be filled.
    #[error("`template` {fault}; it may contain {known}, and `{{{{` for a brace")]
    Template {
        /// What is wrong, and where.
        fault: String,
        /// The usable names.
        known: String,
    },
    /// A schedule that is no cron expression.
    #[error("`schedule` is `{value}`: {fault}; a cron expression has five fields, for example `0 */6 * * *`")]
    Schedule {
        /// The expression.
        value: String,
        /// The fault.
        fault: String,
    },
}
