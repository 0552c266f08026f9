//! Words of the wire as arguments: what is not one of them is refused with the list of those that are.

use clap::builder::{PossibleValuesParser, TypedValueParser};
use orgmem_hierarchy::{Scope, UnknownScope};
use serde::de::DeserializeOwned;
use serde::de::IntoDeserializer;
use serde::de::value::{Error, StrDeserializer};

/// What a client may claim as a source.
pub(crate) const CLAIMABLE_SOURCES: [&str; 6] = ["agent", "user", "tool", "eval", "manual", "runtime"];
/// Every source there is.
pub(crate) const SOURCES: [&str; 7] = ["agent", "user", "tool", "eval", "manual", "runtime", "processor"];
/// How a search finds.
pub(crate) const MODES: [&str; 4] = ["auto", "keyword", "semantic", "hybrid"];
/// The orders of a search.
pub(crate) const ORDERS: [&str; 3] = ["relevance", "recent", "confidence"];
/// The orders of a session-search.
pub(crate) const SESSION_ORDERS: [&str; 2] = ["recent", "relevance"];
/// The kinds of row of a session-search.
pub(crate) const HIT_KINDS: [&str; 2] = ["activity", "memory"];
/// The roles.
pub(crate) const ROLES: [&str; 4] = ["agent", "viewer", "operator", "admin"];
/// The states of a workspace.
pub(crate) const STATES: [&str; 2] = ["live", "removed"];
/// What may become of children.
pub(crate) const CHILDREN: [&str; 2] = ["promote", "cascade"];

/// A scope, in upper case or lower.
pub(crate) fn scope() -> impl TypedValueParser<Value = Scope> {
    let words = PossibleValuesParser::new(Scope::ALL.map(Scope::as_str));
    words.try_map(|word| word.to_uppercase().parse::<Scope>().map_err(|UnknownScope| "unknown scope"))
}

/// One of `words`, each of which the wire reads as a `T`.
pub(crate) fn of<T>(words: &'static [&'static str]) -> impl TypedValueParser<Value = T>
where
    T: DeserializeOwned + Clone + Send + Sync + 'static,
{
    PossibleValuesParser::new(words).try_map(|word| {
        let word: StrDeserializer<'_, Error> = word.as_str().into_deserializer();
        T::deserialize(word)
    })
}

#[cfg(test)]
mod tests {
    use clap::Command;
    use orgmem_types::{ChildrenRemoval, Mode, Order, Role, SessionHitKind, SessionOrder, Source, WorkspaceStatus};

    use super::*;

    #[track_caller]
    fn all_are_read<T>(words: &'static [&'static str])
    where
        T: DeserializeOwned + Clone + Send + Sync + 'static,
    {
        let parser = of::<T>(words);
        for word in words {
            assert!(parser.parse_ref(&Command::new("any"), None, word.as_ref()).is_ok(), "{word}");
        }
    }

    #[test]
    fn every_word_is_one_of_the_wire() {
        all_are_read::<Source>(&CLAIMABLE_SOURCES);
        all_are_read::<Source>(&SOURCES);
        all_are_read::<Mode>(&MODES);
        all_are_read::<Order>(&ORDERS);
        all_are_read::<SessionOrder>(&SESSION_ORDERS);
        all_are_read::<SessionHitKind>(&HIT_KINDS);
        all_are_read::<Role>(&ROLES);
        all_are_read::<WorkspaceStatus>(&STATES);
        all_are_read::<ChildrenRemoval>(&CHILDREN);
    }
}
