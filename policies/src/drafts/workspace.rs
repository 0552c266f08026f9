//! Drafts of workspaces.

use serde_json::{Map, Value};

use super::field_scrubber::FieldScrubber;
use super::{DraftFault, FieldRedaction};
use crate::scrub::{Scrubbed, ScrubbedJson, Scrubber};

/// Characters of a name.
pub const MAX_NAME: usize = 200;
/// Characters of a role.
pub const MAX_ROLE: usize = 100;
const MAX_METADATA_BYTES: usize = 64 * 1024;

/// The checked fields of a new workspace.
#[derive(Clone, Debug)]
pub struct WorkspaceDraft(WorkspaceFields);

/// The fields of a [`WorkspaceDraft`].
#[derive(Clone, Debug)]
pub struct WorkspaceFields {
    /// Id of the key.
    pub name: Scrubbed,
    /// Function of the agent, in a word.
    pub role: Option<Scrubbed>,
    /// Any JSON object.
    pub metadata: Option<ScrubbedJson>,
    /// Credentials that were replaced.
    pub redactions: Vec<FieldRedaction>,
}

impl WorkspaceDraft {
    /// Checks and scrubs input.
    ///
    /// # Errors
    /// [`DraftFault`] of the first invalid field.
    pub fn check(
        name: &str,
        role: Option<&str>,
        metadata: Option<Map<String, Value>>,
        scrubber: &Scrubber,
    ) -> Result<Self, DraftFault> {
        let mut scrub = FieldScrubber::new(scrubber);
        Ok(Self(WorkspaceFields {
            name: scrub.line("name", name, MAX_NAME)?,
            role: scrub.line_if("role", role, MAX_ROLE)?,
            metadata: scrub.object_if("metadata", metadata, MAX_METADATA_BYTES)?,
            redactions: scrub.redactions(),
        }))
    }

    /// The checked fields.
    #[must_use]
    pub fn fields(&self) -> &WorkspaceFields {
        &self.0
    }
}

/// Checked changes of a workspace.
#[derive(Clone, Debug)]
pub struct WorkspaceChange(WorkspaceChangeFields);

/// The fields of a [`WorkspaceChange`]; `None` keeps the current value.
#[derive(Clone, Debug, Default)]
pub struct WorkspaceChangeFields {
    /// New name.
    pub name: Option<Scrubbed>,
    /// New role; `Some(None)` clears it.
    pub role: Option<Option<Scrubbed>>,
    /// New metadata; `Some(None)` clears it.
    pub metadata: Option<Option<ScrubbedJson>>,
    /// Credentials that were replaced.
    pub redactions: Vec<FieldRedaction>,
}

impl WorkspaceChange {
    /// Checks and scrubs input.
    ///
    /// # Errors
    /// [`DraftFault`] of the first invalid field.
    pub fn check(
        name: Option<&str>,
        role: Option<Option<&str>>,
        metadata: Option<Option<Map<String, Value>>>,
        scrubber: &Scrubber,
    ) -> Result<Self, DraftFault> {
        let mut scrub = FieldScrubber::new(scrubber);
        Ok(Self(WorkspaceChangeFields {
            name: scrub.line_if("name", name, MAX_NAME)?,
            role: role.map(|role| scrub.line_if("role", role, MAX_ROLE)).transpose()?,
            metadata: metadata.map(|metadata| scrub.object_if("metadata", metadata, MAX_METADATA_BYTES)).transpose()?,
            redactions: scrub.redactions(),
        }))
    }

    /// A change of the metadata only; without any, it clears them.
    #[must_use]
    pub(super) fn of_metadata(metadata: Option<ScrubbedJson>) -> Self {
        Self(WorkspaceChangeFields { metadata: Some(metadata), ..WorkspaceChangeFields::default() })
    }

    /// The change with other metadata. The replacements of the former metadata stay listed.
    ///
    /// # Errors
    /// [`DraftFault`] for the field `metadata`.
    pub fn with_metadata(&self, metadata: Map<String, Value>, scrubber: &Scrubber) -> Result<Self, DraftFault> {
        let mut scrub = FieldScrubber::new(scrubber);
        let mut fields = self.0.clone();
        fields.metadata = Some(scrub.object_if("metadata", Some(metadata), MAX_METADATA_BYTES)?);
        fields.redactions.extend(scrub.redactions());
        Ok(Self(fields))
    }

    /// Whether no field changes.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.name.is_none() && self.0.role.is_none() && self.0.metadata.is_none()
    }

    /// The checked fields.
    #[must_use]
    pub fn fields(&self) -> &WorkspaceChangeFields {
        &self.0
    }
}
