//! Settings of profiles. A profile narrows the reach of its workspace in the tree and never widens it.
//!
//! Source: `docs/spec/profiles.md`.

use std::fmt;
use std::str::FromStr;

use orgmem_hierarchy::{Readable, Scope};
use uuid::Uuid;

macro_rules! text_enum {
    ($(#[$doc:meta])* $name:ident, $unknown:ident: $message:literal { $($(#[$each:meta])* $variant:ident = $text:literal,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
        pub enum $name {
            $($(#[$each])* $variant,)*
        }

        /// A text that is not one of the known values.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
        #[error($message)]
        pub struct $unknown;

        impl $name {
            /// The text in storage and on the wire.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => $text,)*
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
                    $($text => Ok(Self::$variant),)*
                    _ => Err($unknown),
                }
            }
        }
    };
}

text_enum! {
    /// The part of its reach that a workspace reads.
    Isolation, UnknownIsolation: "`isolation` is `tree`, `team`, `isolated` or `profile`" {
        /// All of it.
        #[default]
        Tree = "tree",
        /// Its own memories and those of its teams; no GLOBAL memories of others.
        Team = "team",
        /// Only its own memories.
        Isolated = "isolated",
        /// Only its own memories of the profile.
        Profile = "profile",
    }
}

text_enum! {
    /// The order of memories in a context block.
    Strategy, UnknownStrategy: "`strategy` is `confidence`, `recent`, `relevance` or `off`" {
        /// By confidence, then the newest first.
        Confidence = "confidence",
        /// Pinned memories first, then the newest.
        Recent = "recent",
        /// The best match of the query first; without a query own memories and those of others in turn.
        #[default]
        Relevance = "relevance",
        /// No memories.
        Off = "off",
    }
}

text_enum! {
    /// Whether the memories of end users, or of sessions, are read together.
    Sharing, UnknownSharing: "`subjects` and `sessions` are `open` or `separate`" {
        /// They are.
        #[default]
        Open = "open",
        /// A call reads those that it names.
        Separate = "separate",
    }
}

/// Limits on the age and number of the memories of a profile.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Retention {
    /// Seconds from the last write of a memory to its expiry.
    pub max_age_seconds: Option<i64>,
    /// The largest number of memories.
    pub max_entries: Option<i64>,
}

/// The selection of memories for a context block.
#[derive(Clone, Debug, PartialEq)]
pub struct Injection {
    /// The order of the memories.
    pub strategy: Strategy,
    /// The largest number of memories.
    pub limit: i64,
    /// The scopes to include; all when empty.
    pub scopes: Vec<Scope>,
    /// The lowest confidence to include, from 0 to 1.
    pub min_confidence: Option<f64>,
    /// The largest size of the block in estimated tokens; see `docs/spec/profiles.md`, "The context block".
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
    /// The default of [`Injection::limit`].
    ///
    /// Source: `docs/spec/profiles.md`, "Fields".
    pub const LIMIT: i64 = 5;
}

/// The settings of a profile. The default narrows nothing; it applies to a workspace without a stored default profile.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ProfileSettings {
    /// The part of its reach that the workspace reads.
    pub isolation: Isolation,
    /// Kinds of memories that the workspace neither commits nor recalls.
    pub excluded_kinds: Vec<String>,
    /// Whether the memories of end users are read together.
    pub subjects: Sharing,
    /// Whether the memories of sessions are read together.
    pub sessions: Sharing,
    /// Limits on age and number.
    pub retention: Retention,
    /// The selection for context blocks.
    pub injection: Injection,
    /// Who reads the pages of the workspace. Only the default profile decides.
    pub page_scope: Scope,
    /// With the isolation `profile`, the profiles that a readable memory must belong to, all at once; otherwise empty. The
    /// store sets it.
    pub within: Vec<ProfileRef>,
}

/// A profile, and how a memory belongs to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProfileRef {
    /// The id of the profile.
    pub id: Uuid,
    /// Whether memories without a profile belong to it.
    pub is_default: bool,
}

impl ProfileRef {
    /// Whether a memory with this profile belongs to the profile.
    #[must_use]
    pub fn contains(&self, profile: Option<Uuid>) -> bool {
        profile.map_or(self.is_default, |profile| profile == self.id)
    }
}

/// Why a profile hides a memory that the tree allows the workspace to read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Withheld {
    /// The isolation excludes its scope.
    Isolation(Isolation),
    /// The profile excludes its kind.
    Kind,
}

impl ProfileSettings {
    /// Whether isolation, excluded kinds, separation and retention are the defaults. Injection and the scope of pages do not count.
    #[must_use]
    pub fn changes_nothing(&self) -> bool {
        self.isolation == Isolation::Tree
            && self.excluded_kinds.is_empty()
            && !self.separates()
            && self.retention == Retention::default()
    }

    /// Whether end users or sessions are separate.
    #[must_use]
    pub fn separates(&self) -> bool {
        self.subjects == Sharing::Separate || self.sessions == Sharing::Separate
    }

    /// Settings with only the separation of end users and sessions.
    #[must_use]
    pub fn separation(&self) -> Self {
        Self { subjects: self.subjects, sessions: self.sessions, ..Self::default() }
    }

    /// Whether memories of this kind are neither committed nor recalled.
    #[must_use]
    pub fn excludes(&self, kind: &str) -> bool {
        self.excluded_kinds.iter().any(|excluded| excluded == kind)
    }

    /// Whether the workspace reads this part of its reach. It always reads its own memories.
    #[must_use]
    pub fn permits(&self, part: &Readable) -> bool {
        match part {
            Readable::Own(_) => true,
            Readable::Team { .. } => self.isolates(false, Scope::Team).is_none(),
            Readable::Org(_) => self.isolates(false, Scope::Global).is_none(),
        }
    }

    /// Why the isolation hides a memory of `scope`; `None` where it does not. `is_own` is true for memories of the
    /// workspace itself.
    #[must_use]
    pub fn isolates(&self, is_own: bool, scope: Scope) -> Option<Withheld> {
        let permitted = match self.isolation {
            _ if is_own => true,
            Isolation::Tree => true,
            Isolation::Team => scope != Scope::Global,
            Isolation::Isolated | Isolation::Profile => false,
        };
        (!permitted).then_some(Withheld::Isolation(self.isolation))
    }

    /// Whether the isolation permits own memories of this profile.
    #[must_use]
    pub fn permits_profile(&self, profile: Option<Uuid>) -> bool {
        self.within.iter().all(|within| within.contains(profile))
    }

    /// Why the profile hides a memory of `scope` and `kind` that belongs to `profile`; `None` where it does not. Isolation
    /// comes before the kind.
    #[must_use]
    pub fn withholds(&self, is_own: bool, scope: Scope, kind: &str, profile: Option<Uuid>) -> Option<Withheld> {
        let by_profile = || (!self.permits_profile(profile)).then_some(Withheld::Isolation(Isolation::Profile));
        let by_kind = || self.excludes(kind).then_some(Withheld::Kind);
        self.isolates(is_own, scope).or_else(by_profile).or_else(by_kind)
    }

    /// The intersection of two profiles: the stricter isolation and separation, and the kinds that either excludes. Retention and
    /// injection are those of `other`, the scope of pages is that of the first.
    #[must_use]
    pub fn and(&self, other: &Self) -> Self {
        let isolation = match (self.isolation, other.isolation) {
            (Isolation::Profile, _) | (_, Isolation::Profile) => Isolation::Profile,
            (Isolation::Isolated, _) | (_, Isolation::Isolated) => Isolation::Isolated,
            (Isolation::Team, _) | (_, Isolation::Team) => Isolation::Team,
            (Isolation::Tree, Isolation::Tree) => Isolation::Tree,
        };
        let mut excluded_kinds = self.excluded_kinds.clone();
        excluded_kinds.extend(other.excluded_kinds.iter().filter(|kind| !self.excludes(kind)).cloned());
        let mut within = self.within.clone();
        within.extend(other.within.iter().filter(|profile| !self.within.contains(profile)));
        let stricter = |one: Sharing, other: Sharing| if one == Sharing::Separate { one } else { other };
        Self {
            isolation,
            excluded_kinds,
            subjects: stricter(self.subjects, other.subjects),
            sessions: stricter(self.sessions, other.sessions),
            retention: other.retention,
            injection: other.injection.clone(),
            page_scope: self.page_scope,
            within,
        }
    }
}

impl Withheld {
    /// The sentence for a response.
    #[must_use]
    pub fn say(self, kind: &str) -> String {
        match self {
            Self::Isolation(Isolation::Isolated) => {
                "the workspace's profile has isolation `isolated`: it reads only its own memories".to_owned()
            }
            Self::Isolation(Isolation::Profile) => {
                "the workspace's profile has isolation `profile`: it reads only memories that were committed into that profile"
                    .to_owned()
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
    fn isolation_permits_exactly_its_parts_of_the_reach() {
        let permitted =
            |isolation| parts().map(|part| ProfileSettings { isolation, ..Default::default() }.permits(&part));
        assert_eq!(permitted(Isolation::Tree), [true, true, true]);
        assert_eq!(permitted(Isolation::Team), [true, true, false]);
        assert_eq!(permitted(Isolation::Isolated), [true, false, false]);
        assert_eq!(permitted(Isolation::Profile), [true, false, false]);
    }

    #[test]
    fn intersection_permits_exactly_the_parts_that_both_permit() {
        let of = |isolation, kind: &str| ProfileSettings {
            isolation,
            excluded_kinds: vec![kind.to_owned()],
            ..ProfileSettings::default()
        };
        let all = [Isolation::Tree, Isolation::Team, Isolation::Isolated, Isolation::Profile];
        for one in all {
            for other in all {
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
    fn default_profile_changes_nothing() {
        let settings = ProfileSettings::default();
        assert!(settings.changes_nothing());
        for scope in Scope::ALL {
            assert_eq!(settings.withholds(false, scope, "fact", Some(Uuid::from_u128(7))), None);
        }
        assert_eq!((settings.injection.strategy, settings.injection.limit), (Strategy::Relevance, 5));
    }

    #[test]
    fn isolation_by_profile_permits_exactly_the_memories_of_all_profiles() {
        let (night, day) = (Uuid::from_u128(1), Uuid::from_u128(2));
        let of = |id, is_default| ProfileSettings {
            isolation: Isolation::Profile,
            within: vec![ProfileRef { id, is_default }],
            ..ProfileSettings::default()
        };
        let permitted = |settings: &ProfileSettings| {
            [Some(night), Some(day), None]
                .map(|profile| settings.withholds(true, Scope::Local, "fact", profile).is_none())
        };
        assert_eq!(permitted(&of(night, false)), [true, false, false]);
        assert_eq!(permitted(&of(day, true)), [false, true, true]);
        assert_eq!(permitted(&of(day, true).and(&of(day, true))), [false, true, true]);
        assert_eq!(permitted(&of(day, true).and(&of(night, false))), [false, false, false]);
        assert_eq!(permitted(&ProfileSettings::default().and(&of(night, false))), [true, false, false]);
    }
}
