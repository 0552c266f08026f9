//! Provenance of memories.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::DraftFault;
use crate::Role;

/// Origin of a memory, as claimed by the author.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Source {
    /// An agent.
    Agent,
    /// A statement of an end user.
    User,
    /// Output of a tool.
    Tool,
    /// Result of an evaluation.
    Eval,
    /// Written by a person.
    Manual,
    /// The agent's runtime.
    Runtime,
    /// A processor of the server.
    Processor,
}

/// Invalid name of a source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown source; use `agent`, `user`, `tool`, `eval`, `manual`, `runtime` or `processor`")]
pub struct UnknownSource;

impl Source {
    /// All sources.
    pub const ALL: [Self; 7] =
        [Self::Agent, Self::User, Self::Tool, Self::Eval, Self::Manual, Self::Runtime, Self::Processor];

    /// The name in JSON and storage.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Agent => "agent",
            Self::User => "user",
            Self::Tool => "tool",
            Self::Eval => "eval",
            Self::Manual => "manual",
            Self::Runtime => "runtime",
            Self::Processor => "processor",
        }
    }

    /// The source of a memory by `role`: the claimed one, or the default of the role.
    ///
    /// # Errors
    /// [`DraftFault::Source`] when the role may not claim it.
    ///
    /// # Source
    /// `docs/spec/callers.md`, "Provenance".
    pub(super) fn of(claimed: Option<Self>, role: Role) -> Result<Self, DraftFault> {
        let refused = |claimed: Self, allowed| Err(DraftFault::Source { claimed: claimed.as_str(), allowed });
        match (claimed, role.is_person()) {
            (None, false) => Ok(Self::Agent),
            (None, true) => Ok(Self::Manual),
            (Some(Self::Manual), false) => refused(Self::Manual, "`agent`, `tool`, `eval`, `runtime`, `user`"),
            (Some(Self::Processor), _) => {
                refused(Self::Processor, "`agent`, `tool`, `eval`, `runtime`, `user`, or as a person `manual`")
            }
            (Some(source), _) => Ok(source),
        }
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Source {
    type Err = UnknownSource;

    fn from_str(text: &str) -> Result<Self, UnknownSource> {
        Self::ALL.into_iter().find(|source| source.as_str() == text).ok_or(UnknownSource)
    }
}
