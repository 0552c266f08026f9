//! Tiers of memory: how long an item lives, and for whom.
//!
//! Source: `docs/spec/tiers.md`.

/// A tier of memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Tier {
    /// A memory that ends with its session.
    Session,
    /// A memory about one end user.
    User,
    /// A memory about no end user.
    Tenant,
    /// A passage of a document.
    Knowledge,
}

impl Tier {
    /// The tier of a memory. One that ends with its session has the tier `session`, also with a subject.
    ///
    /// ```
    /// use orgmem_policies::Tier;
    ///
    /// assert_eq!(Tier::of_memory(true, true), Tier::Session);
    /// assert_eq!(Tier::of_memory(false, true), Tier::User);
    /// assert_eq!(Tier::of_memory(false, false), Tier::Tenant);
    /// ```
    #[must_use]
    pub const fn of_memory(session_only: bool, has_subject: bool) -> Self {
        match (session_only, has_subject) {
            (true, _) => Self::Session,
            (false, true) => Self::User,
            (false, false) => Self::Tenant,
        }
    }
}
