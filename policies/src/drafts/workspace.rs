//! A workspace's own fields on their way into the store.

use serde_json::{Map, Value};

use super::cleaner::Cleaner;
use super::{DraftFault, FieldRedaction};
use crate::scrub::{Scrubbed, ScrubbedJson, Scrubber};

const MAX_NAME: usize = 200;
const MAX_ROLE: usize = 100;
const MAX_METADATA_BYTES: usize = 64 * 1024;

/// A new workspace's fields that may be stored.
#[derive(Clone, Debug)]
pub struct WorkspaceDraft(WorkspaceFields);

/// What a [`WorkspaceDraft`] holds.
#[derive(Clone, Debug)]
pub struct WorkspaceFields {
    /// Its name.
    pub name: Scrubbed,
    /// What its agent does.
    pub role: Option<Scrubbed>,
    /// Any object.
    pub metadata: Option<ScrubbedJson>,
    /// What was replaced.
    pub redactions: Vec<FieldRedaction>,
}

impl WorkspaceDraft {
    /// Checks and scrubs what a caller sent.
    ///
    /// # Errors
    /// [`DraftFault`], naming the first field that cannot be accepted.
    pub fn check(
        name: &str,
        role: Option<&str>,
        metadata: Option<Map<String, Value>>,
        scrubber: &Scrubber,
    ) -> Result<Self, DraftFault> {
        let mut cleaner = Cleaner::new(scrubber);
        Ok(Self(WorkspaceFields {
            name: cleaner.line("name", name, MAX_NAME)?,
            role: cleaner.line_if("role", role, MAX_ROLE)?,
            metadata: cleaner.object_if("metadata", metadata, MAX_METADATA_BYTES)?,
            redactions: cleaner.redactions(),
        }))
    }

    /// What it holds.
    #[must_use]
    pub fn fields(&self) -> &WorkspaceFields {
        &self.0
    }
}

/// Changes to a workspace's fields that may be stored.
#[derive(Clone, Debug)]
pub struct WorkspaceChange(WorkspaceChangeFields);

/// What a [`WorkspaceChange`] holds; what is absent stays as it is.
#[derive(Clone, Debug, Default)]
pub struct WorkspaceChangeFields {
    /// A new name.
    pub name: Option<Scrubbed>,
    /// A new role, or none any more.
    pub role: Option<Option<Scrubbed>>,
    /// New metadata, or none any more.
    pub metadata: Option<Option<ScrubbedJson>>,
    /// What was replaced.
    pub redactions: Vec<FieldRedaction>,
}

impl WorkspaceChange {
    /// Checks and scrubs what a caller sent.
    ///
    /// # Errors
    /// [`DraftFault`], naming the first field that cannot be accepted.
    pub fn check(
        name: Option<&str>,
        role: Option<Option<&str>>,
        metadata: Option<Option<Map<String, Value>>>,
        scrubber: &Scrubber,
    ) -> Result<Self, DraftFault> {
        let mut cleaner = Cleaner::new(scrubber);
        Ok(Self(WorkspaceChangeFields {
            name: cleaner.line_if("name", name, MAX_NAME)?,
            role: role.map(|role| cleaner.line_if("role", role, MAX_ROLE)).transpose()?,
            metadata: metadata
                .map(|metadata| cleaner.object_if("metadata", metadata, MAX_METADATA_BYTES))
                .transpose()?,
            redactions: cleaner.redactions(),
        }))
    }

    /// Whether nothing changes.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.name.is_none() && self.0.role.is_none() && self.0.metadata.is_none()
    }

    /// What it holds.
    #[must_use]
    pub fn fields(&self) -> &WorkspaceChangeFields {
        &self.0
    }
}
