//! Drafts of the namespaces of the memory-plugin contract.

use std::fmt;
use std::str::FromStr;

use chrono::{DateTime, Utc};
use serde_json::{Map, Value};

use super::DraftFault;
use super::expiry::expiry;
use super::field_scrubber::within;
use super::workspace::{WorkspaceChange, WorkspaceDraft};
use crate::scrub::Scrubber;

/// Bytes of a name.
pub const MAX_PLUGIN_NAME: usize = 256;

/// The form of a name, for messages.
pub const PLUGIN_NAME_FORM: &str = "a lower-case word, `:` and then letters, digits, `_`, `:`, `.` and `-`, at most 256 \
    characters together, such as `workspace:7f3a` or `custom:notes`";

/// The name of the workspaces of namespaces is a line of at most this many characters; longer names are shortened there.
const SHOWN: usize = 200;

/// The kind of a namespace, which the platform assigns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PluginNamespaceKind {
    /// Of one workspace of the platform.
    Workspace,
    /// Of a team.
    Team,
    /// Of an org.
    Org,
    /// Any other.
    Custom,
}

/// A word that is no kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown kind; use `workspace`, `team`, `org` or `custom`")]
pub struct UnknownPluginNamespaceKind;

impl PluginNamespaceKind {
    /// All kinds.
    pub const ALL: [Self; 4] = [Self::Workspace, Self::Team, Self::Org, Self::Custom];

    /// The name in JSON and storage.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Workspace => "workspace",
            Self::Team => "team",
            Self::Org => "org",
            Self::Custom => "custom",
        }
    }
}

impl fmt::Display for PluginNamespaceKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for PluginNamespaceKind {
    type Err = UnknownPluginNamespaceKind;

    fn from_str(text: &str) -> Result<Self, UnknownPluginNamespaceKind> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == text).ok_or(UnknownPluginNamespaceKind)
    }
}

/// Checks the name of a namespace: `^[a-z]+:[A-Za-z0-9_:.\-]+$`, at most 256 characters. Names are stored unchanged, so one
/// that looks like a credential is refused.
///
/// # Errors
/// [`DraftFault`] for the field `field`.
///
/// # Source
/// `docs/spec/plugin.md`, "Namespaces".
pub fn check_plugin_name(field: &'static str, name: &str, scrubber: &Scrubber) -> Result<(), DraftFault> {
    within(field, name.len(), MAX_PLUGIN_NAME, "bytes")?;
    let is_word = |word: &str| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_lowercase());
    let is_rest = |rest: &str| {
        let permitted = |byte: u8| byte.is_ascii_alphanumeric() || b"_:.-".contains(&byte);
        !rest.is_empty() && rest.bytes().all(permitted)
    };
    if !name.split_once(':').is_some_and(|(word, rest)| is_word(word) && is_rest(rest)) {
        return Err(DraftFault::Form { field, expected: PLUGIN_NAME_FORM });
    }
    match scrubber.scrub_entry(name, Value::Null) {
        Ok(_) => Ok(()),
        Err(refused) => Err(DraftFault::CredentialKey { field, kind: refused.kind.to_string() }),
    }
}

/// A checked namespace.
#[derive(Clone, Debug)]
pub struct PluginNamespaceDraft {
    name: String,
    kind: PluginNamespaceKind,
    expires_at: Option<DateTime<Utc>>,
    workspace: WorkspaceDraft,
}

impl PluginNamespaceDraft {
    /// Checks and scrubs the fields of a namespace that is written at `now`.
    ///
    /// # Errors
    /// [`DraftFault`] of the first invalid field.
    pub fn check(
        name: &str,
        kind: PluginNamespaceKind,
        expires_at: Option<DateTime<Utc>>,
        metadata: Option<Map<String, Value>>,
        scrubber: &Scrubber,
        now: DateTime<Utc>,
    ) -> Result<Self, DraftFault> {
        check_plugin_name("name", name, scrubber)?;
        let expires_at = expiry(expires_at, None, now)?;
        // all characters of a name are ASCII
        let workspace = WorkspaceDraft::check(&name[..name.len().min(SHOWN)], None, metadata, scrubber)?;
        Ok(Self { name: name.to_owned(), kind, expires_at, workspace })
    }

    /// The name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The kind.
    #[must_use]
    pub fn kind(&self) -> PluginNamespaceKind {
        self.kind
    }

    /// Exclusive end of validity, in whole microseconds.
    #[must_use]
    pub fn expires_at(&self) -> Option<DateTime<Utc>> {
        self.expires_at
    }

    /// The workspace of a new namespace.
    #[must_use]
    pub fn workspace(&self) -> &WorkspaceDraft {
        &self.workspace
    }

    /// The stored form of the metadata.
    #[must_use]
    pub fn metadata(&self) -> Option<String> {
        self.workspace.fields().metadata.as_ref().map(ToString::to_string)
    }

    /// The change of the workspace of an existing namespace.
    #[must_use]
    pub fn change(&self) -> WorkspaceChange {
        WorkspaceChange::of_metadata(self.workspace.fields().metadata.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(name: &str) -> Result<(), DraftFault> {
        check_plugin_name("name", name, Scrubber::built_in())
    }

    #[test]
    fn names_of_the_contract_are_accepted() {
        for name in [
            "workspace:7f3a2b1c-0d4e-4f5a-8b6c-9d0e1f2a3b4c",
            "team:a",
            "org:Acme_1.x-y",
            "custom:a:b:c",
            "z:..",
            "custom:-",
        ] {
            assert_eq!(check(name), Ok(()), "{name}");
        }
        assert_eq!(check(&format!("custom:{}", "a.".repeat(124))), Ok(()));
    }

    #[test]
    fn other_names_are_refused() {
        for name in ["", ":", "a:", ":a", "A:b", "a1:b", "a b:c", "a:b c", "a:é", "a", "a:b/c", "a:b\n", "é:a"] {
            assert!(matches!(check(name), Err(DraftFault::Form { field: "name", .. })), "{name:?}");
        }
        let long = format!("custom:{}", "a.".repeat(125));
        assert!(matches!(check(&long), Err(DraftFault::TooLong { field: "name", length: 257, limit: 256, .. })));
    }

    #[test]
    fn name_that_looks_like_a_credential_is_refused() {
        let name = format!("custom:ghp_{}", "aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1dE3fG5");
        assert!(matches!(check(&name), Err(DraftFault::CredentialKey { field: "name", .. })));
    }
}
