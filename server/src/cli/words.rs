//! Enumerations of the wire types as arguments. clap refuses other words with the list of the possible values.

use clap::builder::{PossibleValuesParser, TypedValueParser};
use orgmem_hierarchy::{Scope, UnknownScope};
use serde::de::DeserializeOwned;
use serde::de::IntoDeserializer;
use serde::de::value::{Error, StrDeserializer};

/// The sources that a client may claim.
pub(crate) const CLAIMABLE_SOURCES: [&str; 6] = ["agent", "user", "tool", "eval", "manual", "runtime"];
/// All sources.
pub(crate) const SOURCES: [&str; 7] = ["agent", "user", "tool", "eval", "manual", "runtime", "processor"];
pub(crate) const MODES: [&str; 4] = ["auto", "keyword", "semantic", "hybrid"];
pub(crate) const ORDERS: [&str; 3] = ["relevance", "recent", "confidence"];
pub(crate) const SESSION_ORDERS: [&str; 2] = ["recent", "relevance"];
/// The kinds of results of a session search.
pub(crate) const HIT_KINDS: [&str; 2] = ["activity", "memory"];
pub(crate) const ROLES: [&str; 4] = ["agent", "viewer", "operator", "admin"];
pub(crate) const STATES: [&str; 2] = ["live", "removed"];
/// The treatments of the children of a removed workspace.
pub(crate) const CHILDREN: [&str; 2] = ["promote", "cascade"];

/// A scope, in any case.
pub(crate) fn scope() -> impl TypedValueParser<Value = Scope> {
    let words = PossibleValuesParser::new(Scope::ALL.map(Scope::as_str));
    words.try_map(|word| word.to_uppercase().parse::<Scope>().map_err(|UnknownScope| "unknown scope"))
}

/// One of `words`, deserialized as a `T`.
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
    fn all_deserialize<T>(words: &'static [&'static str])
    where
        T: DeserializeOwned + Clone + Send + Sync + 'static,
    {
        let parser = of::<T>(words);
        for word in words {
            assert!(parser.parse_ref(&Command::new("any"), None, word.as_ref()).is_ok(), "{word}");
        }
    }

    #[test]
    fn every_word_is_a_wire_value() {
        all_deserialize::<Source>(&CLAIMABLE_SOURCES);
        all_deserialize::<Source>(&SOURCES);
        all_deserialize::<Mode>(&MODES);
        all_deserialize::<Order>(&ORDERS);
        all_deserialize::<SessionOrder>(&SESSION_ORDERS);
        all_deserialize::<SessionHitKind>(&HIT_KINDS);
        all_deserialize::<Role>(&ROLES);
        all_deserialize::<WorkspaceStatus>(&STATES);
        all_deserialize::<ChildrenRemoval>(&CHILDREN);
    }
}
