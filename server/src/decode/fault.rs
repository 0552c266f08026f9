use super::wording;

/// Why something that was sent cannot be read. The sender can mend it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum ReadFault {
    /// A byte that no text has.
    #[error("the body must be UTF-8; byte {at} is not")]
    NotUtf8 {
        /// Its position, the first being 0.
        at: usize,
    },
    /// It is not of the language it should be in.
    #[error("the body is not {language}: {reason}")]
    Malformed {
        /// `JSON` or `YAML`.
        language: &'static str,
        /// What is wrong, and where.
        reason: String,
    },
    /// Arrays and objects within each other, deeper than allowed.
    #[error("the body nests deeper than {limit} levels; reduce the nesting")]
    TooDeep {
        /// How deep it may be.
        limit: usize,
    },
    /// It is well-formed, but not what is asked for here.
    #[error("{reason}")]
    Field {
        /// The path of the field, such as `memories[3].scope`; empty for the whole.
        path: String,
        /// The sentence, which names the field.
        reason: String,
    },
}

impl ReadFault {
    /// The fault at `path` that serde reports with `message`.
    pub(super) fn field(path: &serde_path_to_error::Path, message: &str) -> Self {
        let (path, reason) = wording::reword(path, message);
        Self::Field { path, reason }
    }
}
