//! Enumerations of the wire types as arguments. clap refuses other words with the list of the possible values.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use orgmem_hierarchy::{Scope, UnknownScope};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde::de::IntoDeserializer;
use serde::de::value::{Error, StrDeserializer};

use crate::decode::PROFILE_SCOPES;

/// The sources that a client may claim.
pub(crate) const CLAIMABLE_SOURCES: [&str; 6] = ["agent", "user", "tool", "eval", "manual", "runtime"];
/// All sources.
pub(crate) const SOURCES: [&str; 7] = ["agent", "user", "tool", "eval", "manual", "runtime", "processor"];
pub(crate) const MODES: [&str; 4] = ["auto", "keyword", "semantic", "hybrid"];
/// What a search is about.
pub(crate) const SEARCHED_ITEMS: [&str; 7] = [
    "memories",
    "documents",
    "pages",
    "memories,documents",
    "memories,pages",
    "pages,documents",
    "memories,pages,documents",
];
pub(crate) const TIERS: [&str; 4] = ["session", "user", "tenant", "knowledge"];
pub(crate) const ORDERS: [&str; 3] = ["relevance", "recent", "confidence"];
pub(crate) const SESSION_ORDERS: [&str; 2] = ["recent", "relevance"];
/// The kinds of results of a session search.
pub(crate) const HIT_KINDS: [&str; 2] = ["activity", "memory"];
pub(crate) const ROLES: [&str; 4] = ["agent", "viewer", "operator", "admin"];
pub(crate) const STATES: [&str; 2] = ["live", "removed"];
/// The treatments of the children of a removed workspace.
pub(crate) const CHILDREN: [&str; 2] = ["promote", "cascade"];

/// A scope, in any case, or its name in systems with profiles and entries.
pub(crate) fn scope() -> impl TypedValueParser<Value = Scope> {
    let word = |scope: Scope| {
        let theirs = PROFILE_SCOPES.iter().filter(move |(_, ours)| *ours == scope).map(|(word, _)| *word);
        PossibleValue::new(scope.as_str())
            .aliases(theirs.filter(move |word| !word.eq_ignore_ascii_case(scope.as_str())))
    };
    PossibleValuesParser::new(Scope::ALL.map(word)).try_map(|word| {
        let theirs = PROFILE_SCOPES.iter().find(|(theirs, _)| word.eq_ignore_ascii_case(theirs));
        let ours = theirs.map_or_else(|| word.to_uppercase().parse::<Scope>(), |(_, scope)| Ok(*scope));
        ours.map_err(|UnknownScope| "unknown scope")
    })
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

/// The word of a value on the wire.
pub(crate) fn name_of(value: &impl Serialize) -> String {
    let word = serde_json::to_value(value).ok();
    word.as_ref().and_then(|word| word.as_str()).unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use clap::Command;
    use orgmem_types::{
        ChildrenRemoval, Mode, Order, Role, SearchedItems, SessionHitKind, SessionOrder, Source, WorkspaceStatus,
    };

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
        all_deserialize::<SearchedItems>(&SEARCHED_ITEMS);
        all_deserialize::<Order>(&ORDERS);
        all_deserialize::<SessionOrder>(&SESSION_ORDERS);
        all_deserialize::<SessionHitKind>(&HIT_KINDS);
        all_deserialize::<Role>(&ROLES);
        all_deserialize::<WorkspaceStatus>(&STATES);
        all_deserialize::<ChildrenRemoval>(&CHILDREN);
    }
}
