//! Faults of drafts. The caller can correct all of them; the response is 400.

/// An invalid field and the accepted values. The message never repeats content.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DraftFault {
    /// The field has no visible character.
    #[error("`{field}` must not be blank")]
    Blank {
        /// The invalid field.
        field: &'static str,
    },
    /// The field exceeds its maximum length.
    #[error("`{field}` has {length} {unit}; at most {limit} are allowed")]
    TooLong {
        /// The invalid field.
        field: &'static str,
        /// Actual length.
        length: usize,
        /// Maximum length.
        limit: usize,
        /// Unit of the lengths.
        unit: &'static str,
    },
    /// The field contains U+0000, which PostgreSQL cannot store.
    #[error("`{field}` must not contain the character U+0000")]
    HasNul {
        /// The invalid field.
        field: &'static str,
    },
    /// The field has the wrong form.
    #[error("`{field}` must be {expected}")]
    Form {
        /// The invalid field.
        field: &'static str,
        /// The accepted form.
        expected: &'static str,
    },
    /// Two fields exclude each other.
    #[error("give `{one}` or `{other}`, not both")]
    Both {
        /// The first field.
        one: &'static str,
        /// The second field.
        other: &'static str,
    },
    /// A field has no meaning without another one.
    #[error("`{field}` needs a `{needs}`; give both, or leave `{field}` out")]
    Without {
        /// The invalid field.
        field: &'static str,
        /// The missing field.
        needs: &'static str,
    },
    /// A key looks like a credential.
    #[error("a key in `{field}` looks like a credential ({kind}); keys are stored unchanged, so use another one")]
    CredentialKey {
        /// The invalid field.
        field: &'static str,
        /// Kind of credential.
        kind: String,
    },
    /// The deployment does not know the activity type.
    #[error("`activity_type` is unknown; use one of {known}")]
    UnknownActivityType {
        /// The known types, quoted and separated by commas.
        known: String,
    },
    /// The role may not claim the provenance.
    #[error("`source` `{claimed}` may not be claimed by this role; use one of {allowed}")]
    Source {
        /// The claimed provenance.
        claimed: &'static str,
        /// The accepted form.
        allowed: &'static str,
    },
}

impl DraftFault {
    /// Name of the invalid field in JSON.
    #[must_use]
    pub fn field(&self) -> &'static str {
        match self {
            Self::Blank { field }
            | Self::TooLong { field, .. }
            | Self::HasNul { field }
            | Self::Form { field, .. }
            | Self::Without { field, .. }
            | Self::CredentialKey { field, .. } => field,
            Self::Both { one, .. } => one,
            Self::UnknownActivityType { .. } => "activity_type",
            Self::Source { .. } => "source",
        }
    }
}
