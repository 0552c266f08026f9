//! What happens to an id that a provider returned.

/// What is known of an id of a response.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IdFacts {
    /// Whether the server sent the item to this provider, into a namespace that the search named.
    pub is_in_searched: bool,
    /// Whether the reader can read the item now, by reach, gate and exclusion.
    pub is_readable: bool,
}

/// The decision about an id of a response.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// The item is read from the server's own store.
    Shown,
    /// The item was removed, superseded or moved since it was sent, or the profile of the reader excludes it.
    Withheld,
    /// The reader may not see the id: it is of another tenant, out of reach, or unknown. The provider is disqualified.
    Foreign,
}

impl Verdict {
    /// ```
    /// use orgmem_policies::providers::{IdFacts, Verdict};
    ///
    /// assert_eq!(Verdict::of(IdFacts { is_in_searched: false, is_readable: false }), Verdict::Foreign);
    /// assert_eq!(Verdict::of(IdFacts { is_in_searched: true, is_readable: false }), Verdict::Withheld);
    /// ```
    #[must_use]
    pub const fn of(facts: IdFacts) -> Self {
        match facts {
            // an id that the server did not send can only be guessed, or of another reader, also if it is readable
            IdFacts { is_in_searched: false, .. } => Self::Foreign,
            IdFacts { is_in_searched: true, is_readable: false } => Self::Withheld,
            IdFacts { is_in_searched: true, is_readable: true } => Self::Shown,
        }
    }
}
