//! Which episodes may reach a page.

use std::collections::BTreeSet;

use orgmem_recall::fold_text;

use crate::Episode;

/// Activity types that the server writes by itself.
pub const SERVER_TYPES: [&str; 6] =
    ["memory_write", "memory_read", "memory_forget", "memory_expire", "memory_redact", "skill_promotion"];

/// Why an episode reaches no page. The order is the order of the checks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Exclusion {
    /// Its content was redacted or erased.
    Redacted,
    /// The server wrote it.
    Server,
    /// A later episode corrects it.
    Superseded,
    /// It lacks an actor, a channel or a correlation id.
    Provenance,
    /// It declares no kind, and the rules require one.
    NoKind,
    /// Its kind is excluded.
    ExcludedKind,
}

impl Exclusion {
    /// All reasons.
    pub const ALL: [Self; 6] =
        [Self::Redacted, Self::Server, Self::Superseded, Self::Provenance, Self::NoKind, Self::ExcludedKind];
}

/// The rules of a workspace.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rules {
    require_kind: bool,
    excluded_kinds: BTreeSet<String>,
}

impl Rules {
    /// Rules with these excluded kinds. Case, width and surrounding white space of a kind do not matter.
    pub fn new<K: AsRef<str>>(require_kind: bool, excluded_kinds: impl IntoIterator<Item = K>) -> Self {
        let excluded_kinds = excluded_kinds.into_iter().map(|kind| folded_kind(kind.as_ref())).collect();
        Self { require_kind, excluded_kinds }
    }

    /// Why the episode may not reach a page; `None` if it may. The words of the episode have no effect.
    ///
    /// ```
    /// use orgmem_compact::Rules;
    ///
    /// let rules = Rules::new(true, ["payment"]);
    /// assert!(rules.excludes("Payment "));
    /// assert!(!rules.excludes("delivery"));
    /// ```
    #[must_use]
    pub fn exclusion(&self, episode: &Episode) -> Option<Exclusion> {
        let has = |field: &Option<String>| field.as_ref().is_some_and(|field| !field.trim().is_empty());
        let has_provenance = has(&episode.actor) && has(&episode.channel) && has(&episode.correlation);
        let kind = episode.kind.as_deref().filter(|kind| !kind.trim().is_empty());
        let checks = [
            (Exclusion::Redacted, episode.is_redacted),
            (Exclusion::Server, SERVER_TYPES.contains(&episode.activity_type.as_str())),
            (Exclusion::Superseded, episode.is_superseded),
            (Exclusion::Provenance, !has_provenance),
            (Exclusion::NoKind, self.require_kind && kind.is_none()),
            (Exclusion::ExcludedKind, kind.is_some_and(|kind| self.excludes(kind))),
        ];
        checks.into_iter().find_map(|(exclusion, applies)| applies.then_some(exclusion))
    }

    /// Whether episodes of this kind reach no page.
    #[must_use]
    pub fn excludes(&self, kind: &str) -> bool {
        self.excluded_kinds.contains(&folded_kind(kind))
    }
}

/// A kind without what does not matter in comparisons: case, width and surrounding white space.
#[must_use]
pub fn folded_kind(kind: &str) -> String {
    fold_text(kind.trim())
}
