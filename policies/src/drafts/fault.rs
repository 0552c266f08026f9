//! What can be wrong with a draft. All of it is the caller's to mend, and all of it answers 400.

/// Why something cannot be stored: which field, and what would be accepted. The text never repeats the content.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DraftFault {
    /// Nothing to see in it.
    #[error("`{field}` must not be blank")]
    Blank {
        /// The field.
        field: &'static str,
    },
    /// Longer than allowed.
    #[error("`{field}` has {length} {unit}; at most {limit} are allowed")]
    TooLong {
        /// The field.
        field: &'static str,
        /// How long it is.
        length: usize,
        /// How long it may be.
        limit: usize,
        /// Of what.
        unit: &'static str,
    },
    /// A character that not every store can hold.
    #[error("`{field}` must not contain the character U+0000")]
    HasNul {
        /// The field.
        field: &'static str,
    },
    /// Not of the form that is asked for.
    #[error("`{field}` must be {expected}")]
    Form {
        /// The field.
        field: &'static str,
        /// What would be accepted.
        expected: &'static str,
    },
    /// Two fields that exclude each other.
    #[error("give `{one}` or `{other}`, not both")]
    Both {
        /// The one.
        one: &'static str,
        /// The other.
        other: &'static str,
    },
    /// A key in the shape of a credential.
    #[error(
        "a key in `{field}` looks like a credential ({kind}); keys are stored as they are, so use one that is none"
    )]
    CredentialKey {
        /// The field.
        field: &'static str,
        /// What it looks like.
        kind: String,
    },
    /// An activity type that this deployment does not know.
    #[error("`activity_type` is unknown; use one of {known}")]
    UnknownActivityType {
        /// Those it knows, quoted and listed.
        known: String,
    },
    /// A provenance that is not the caller's to claim.
    #[error("`source` `{claimed}` may not be claimed by this role; use one of {allowed}")]
    Source {
        /// What was claimed.
        claimed: &'static str,
        /// What would be accepted.
        allowed: &'static str,
    },
}

impl DraftFault {
    /// The field that is wrong, by its name on the wire.
    #[must_use]
    pub fn field(&self) -> &'static str {
        match self {
            Self::Blank { field }
            | Self::TooLong { field, .. }
            | Self::HasNul { field }
            | Self::Form { field, .. }
            | Self::CredentialKey { field, .. } => field,
            Self::Both { one, .. } => one,
            Self::UnknownActivityType { .. } => "activity_type",
            Self::Source { .. } => "source",
        }
    }
}
