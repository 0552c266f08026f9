//! Profiles: how a workspace remembers. What it lets its workspace read narrows what the tree allows, and never widens
//! it.
//!
//! Source: product.md, section 4.6.

use std::fmt;
use std::str::FromStr;

use orgmem_hierarchy::{Readable, Scope};

macro_rules! words {
    ($(#[$doc:meta])* $name:ident, $unknown:ident: $told:literal { $($(#[$each:meta])* $word:ident = $spelled:literal,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
        pub enum $name {
            $($(#[$each])* $word,)*
        }

        /// A text that names none of them.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
        #[error($told)]
        pub struct $unknown;

        impl $name {
            /// The word in storage and on the wire.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$word => $spelled,)*
                }
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.as_str())
            }
        }

        impl FromStr for $name {
            type Err = $unknown;

            fn from_str(text: &str) -> Result<Self, $unknown> {
                match text {
                    $($spelled => Ok(Self::$word),)*
                    _ => Err($unknown),
                }
            }
        }
    };
}

words! {
    /// How far a workspace reads.
    Isolation, UnknownIsolation: "`isolation` is `tree`, `team` or `isolated`" {
        /// As far as the tree lets it.
        #[default]
        Tree = "tree",
        /// Not what is shared with the whole org: its own memories, and those of its teams.
        Team = "team",
        /// Its own memories alone.
        Isolated = "isolated",
    }
}

words! {
    /// In which order memories go into a block for a prompt.
    Strategy, UnknownStrategy: "`strategy` is `confidence`, `recent`, `relevance` or `off`" {
        /// The most confident first, then the newest.
        #[default]
        Confidence = "confidence",
        /// Pinned ones first, then the newest.
        Recent = "recent",
        /// The best match of the query first; without one as `recent`.
        Relevance = "relevance",
        /// None goes in.
        Off = "off",
    }
}

/// What is kept, and for how long.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Retention {
    /// Seconds from when a memory was last written until it is absent.
    pub max_age_seconds: Option<i64>,
    /// How many memories of the profile are kept.
    pub max_entries: Option<i64>,
}

/// What goes into a block for a prompt.
#[derive(Clone, Debug, PartialEq)]
pub struct Injection {
    /// In which order.
    pub strategy: Strategy,
    /// How many memories at most.
    pub limit: i64,
    /// Of these scopes; of all when empty.
    pub scopes: Vec<Scope>,
    /// With at least this confidence.
    pub min_confidence: Option<f64>,
    /// How many tokens the block has at most, by the estimate of the docs.
    pub token_budget: Option<i64>,
}

impl Default for Injection {
    fn default() -> Self {
        Self {
            strategy: Strategy::default(),
            limit: Self::LIMIT,
            scopes: Vec::new(),
            min_confidence: None,
            token_budget: None,
        }
    }
}

impl Injection {
    /// How many memories go in when nothing is said.
    ///
    /// Source: product.md, section 4.6.
    pub const LIMIT: i64 = 5;
}

/// All that a profile says. The default is that of a workspace for which nobody said anything: it changes nothing.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ProfileSettings {
    /// How far the workspace reads.
    pub isolation: Isolation,
    /// Kinds that the workspace neither commits nor recalls.
    pub excluded_kinds: Vec<String>,
    /// What is kept.
    pub retention: Retention,
    /// What goes into a block for a prompt.
    pub injection: Injection,
}

/// Why a profile keeps a memory from a workspace which the tree would let read it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Withheld {
    /// By how far it reads.
    Isolation(Isolation),
    /// By what it excludes.
    Kind,
}

impl ProfileSettings {
    /// Whether it changes nothing of what the workspace reads, commits or keeps.
    #[must_use]
    pub fn changes_nothing(&self) -> bool {
        self.isolation == Isolation::Tree && self.excluded_kinds.is_empty() && self.retention == Retention::default()
    }

    /// Whether memories of this kind are neither committed nor recalled.
    #[must_use]
    pub fn excludes(&self, kind: &str) -> bool {
        self.excluded_kinds.iter().any(|excluded| excluded == kind)
    }

    /// Whether this part of what the tree lets the workspace read is left to it. Its own always is.
    #[must_use]
    pub fn permits(&self, part: &Readable) -> bool {
        match part {
            Readable::Own(_) => true,
            Readable::Team { .. } => self.isolates(false, Scope::Team).is_none(),
            Readable::Org(_) => self.isolates(false, Scope::Global).is_none(),
        }
    }

    /// Why a memory of this scope, its own or another's, is out of how far the workspace reads; none where it is not.
    #[must_use]
    pub fn isolates(&self, is_own: bool, scope: Scope) -> Option<Withheld> {
        let is_left = match self.isolation {
            _ if is_own => true,
            Isolation::Tree => true,
            Isolation::Team => scope != Scope::Global,
            Isolation::Isolated => false,
        };
        (!is_left).then_some(Withheld::Isolation(self.isolation))
    }

    /// Why a memory is kept from the workspace, which the tree would let it read; none where it is not.
    #[must_use]
    pub fn withholds(&self, is_own: bool, scope: Scope, kind: &str) -> Option<Withheld> {
        self.isolates(is_own, scope).or_else(|| self.excludes(kind).then_some(Withheld::Kind))
    }

    /// What two profiles leave together: as little as the stricter of the two.
    #[must_use]
    pub fn and(&self, other: &Self) -> Self {
        let isolation = match (self.isolation, other.isolation) {
            (Isolation::Isolated, _) | (_, Isolation::Isolated) => Isolation::Isolated,
            (Isolation::Team, _) | (_, Isolation::Team) => Isolation::Team,
            (Isolation::Tree, Isolation::Tree) => Isolation::Tree,
        };
        let mut excluded_kinds = self.excluded_kinds.clone();
        excluded_kinds.extend(other.excluded_kinds.iter().filter(|kind| !self.excludes(kind)).cloned());
        Self { isolation, excluded_kinds, retention: other.retention, injection: other.injection.clone() }
    }
}

impl Withheld {
    /// The sentence a person reads.
    #[must_use]
    pub fn say(self, kind: &str) -> String {
        match self {
            Self::Isolation(Isolation::Isolated) => {
                "the workspace's profile has isolation `isolated`: it reads its own memories alone".to_owned()
            }
            Self::Isolation(isolation) => {
                format!("the workspace's profile has isolation `{isolation}`: it reads nothing that is GLOBAL")
            }
            Self::Kind => format!("the workspace's profile excludes memories of kind `{kind}`"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use orgmem_hierarchy::{Via, WorkspaceId};

    fn parts() -> [Readable; 3] {
        let id = |n| WorkspaceId::from(uuid::Uuid::from_u128(n));
        let team = Readable::Team { author: id(2), lead: id(3), via: Via::Sibling };
        [Readable::Own(id(1)), team, Readable::Org(id(3))]
    }

    #[test]
    fn each_isolation_leaves_what_its_name_says() {
        let left = |isolation| parts().map(|part| ProfileSettings { isolation, ..Default::default() }.permits(&part));
        assert_eq!(left(Isolation::Tree), [true, true, true]);
        assert_eq!(left(Isolation::Team), [true, true, false]);
        assert_eq!(left(Isolation::Isolated), [true, false, false]);
    }

    #[test]
    fn two_profiles_leave_what_both_leave() {
        let of = |isolation, kind: &str| ProfileSettings {
            isolation,
            excluded_kinds: vec![kind.to_owned()],
            ..ProfileSettings::default()
        };
        for one in [Isolation::Tree, Isolation::Team, Isolation::Isolated] {
            for other in [Isolation::Tree, Isolation::Team, Isolation::Isolated] {
                let (a, b) = (of(one, "trace"), of(other, "draft"));
                let both = a.and(&b);
                for part in parts() {
                    assert_eq!(both.permits(&part), a.permits(&part) && b.permits(&part), "{one} {other}");
                }
                assert!(both.excludes("trace") && both.excludes("draft") && !both.excludes("fact"));
            }
        }
    }

    #[test]
    fn a_profile_that_says_nothing_changes_nothing() {
        let settings = ProfileSettings::default();
        assert!(settings.changes_nothing());
        for scope in Scope::ALL {
            assert_eq!(settings.withholds(false, scope, "fact"), None);
        }
        assert_eq!((settings.injection.strategy, settings.injection.limit), (Strategy::Confidence, 5));
    }
}
