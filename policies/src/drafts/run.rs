//! Drafts of runs.

use super::field_scrubber::FieldScrubber;
use super::memory::MAX_LABEL;
use super::{DraftFault, FieldRedaction};
use crate::scrub::{Scrubbed, Scrubber};

/// Session and label of a run, scrubbed.
#[derive(Clone, Debug)]
pub struct RunDraft {
    session_id: Option<Scrubbed>,
    label: Option<Scrubbed>,
    redactions: Vec<FieldRedaction>,
}

impl RunDraft {
    /// Checks and scrubs session and label.
    ///
    /// # Errors
    /// [`DraftFault`] when one of the two is blank, longer than 200 characters or not one line.
    ///
    /// # Source
    /// `docs/spec/runs.md`, "Fields".
    pub fn check(session_id: Option<&str>, label: Option<&str>, scrubber: &Scrubber) -> Result<Self, DraftFault> {
        let mut scrub = FieldScrubber::new(scrubber);
        let session_id = scrub.line_if("session_id", session_id, MAX_LABEL)?;
        let label = scrub.line_if("label", label, MAX_LABEL)?;
        Ok(Self { session_id, label, redactions: scrub.redactions() })
    }

    /// Session of the run.
    #[must_use]
    pub fn session_id(&self) -> Option<&str> {
        self.session_id.as_ref().map(Scrubbed::as_str)
    }

    /// Name for people.
    #[must_use]
    pub fn label(&self) -> Option<&str> {
        self.label.as_ref().map(Scrubbed::as_str)
    }

    /// Credentials that were replaced.
    #[must_use]
    pub fn redactions(&self) -> &[FieldRedaction] {
        &self.redactions
    }
}
