use super::wording;

/// The reason why input cannot be read, for the sender.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum ReadFault {
    #[error("the body must be UTF-8; byte {offset} is not")]
    NotUtf8 { offset: usize },
    #[error("`{name}` in the address must be UTF-8, percent-encoded: `ä` is `%C3%A4`")]
    AddressNotUtf8 {
        /// The name of the parameter or part, as sent but shortened.
        name: String,
    },
    #[error("the body is not {language}: {reason}")]
    Malformed {
        /// `JSON` or `YAML`.
        language: &'static str,
        /// The fault and its position.
        reason: String,
    },
    /// Arrays and objects nest too deep.
    #[error("the body nests deeper than {limit} levels; reduce the nesting")]
    TooDeep { limit: usize },
    /// The parsed values would need many times the memory of the body.
    #[error("the body has too many values for its {bytes} bytes; send it in parts")]
    TooManyValues { bytes: usize },
    /// Well-formed input that does not have the expected type.
    #[error("{reason}")]
    Field {
        /// Such as `memories[3].scope`; empty for the whole input.
        path: String,
        /// A message that names the field.
        reason: String,
    },
}

impl ReadFault {
    /// Converts an error of serde.
    pub(super) fn field(path: &serde_path_to_error::Path, message: &str) -> Self {
        let (path, reason) = wording::reword(path, message);
        Self::Field { path, reason }
    }
}
