//! Drafts of single lines: reasons, subjects and sessions.

use super::field_scrubber::FieldScrubber;
use super::memory::MAX_LABEL;
use super::{DraftFault, FieldRedaction};
use crate::scrub::{Scrubbed, Scrubber};

/// Maximum length of a reason in characters.
pub const MAX_REASON: usize = 500;

/// The reason of a redaction or an erasure: one scrubbed line. It is stored, so it must not repeat the removed content.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReasonDraft {
    text: Scrubbed,
    redactions: Vec<FieldRedaction>,
}

impl ReasonDraft {
    /// Checks and scrubs a reason.
    ///
    /// # Errors
    /// [`DraftFault`] when it is blank, longer than 500 characters or not one line.
    pub fn check(text: &str, scrubber: &Scrubber) -> Result<Self, DraftFault> {
        Self::check_field("reason", text, scrubber)
    }

    /// Checks and scrubs the note of a report, by the rules of a reason.
    ///
    /// # Errors
    /// As for [`ReasonDraft::check`].
    pub fn check_note(text: &str, scrubber: &Scrubber) -> Result<Self, DraftFault> {
        Self::check_field("note", text, scrubber)
    }

    fn check_field(field: &'static str, text: &str, scrubber: &Scrubber) -> Result<Self, DraftFault> {
        let mut scrub = FieldScrubber::new(scrubber);
        let text = scrub.line(field, text, MAX_REASON)?;
        Ok(Self { text, redactions: scrub.redactions() })
    }

    /// The scrubbed line.
    #[must_use]
    pub fn as_str(&self) -> &str {
        self.text.as_str()
    }

    /// Credentials that were replaced.
    #[must_use]
    pub fn redactions(&self) -> &[FieldRedaction] {
        &self.redactions
    }
}

/// A subject in its stored form.
///
/// # Errors
/// [`DraftFault`] when no memory can have such a subject.
pub fn check_subject(text: &str, scrubber: &Scrubber) -> Result<Scrubbed, DraftFault> {
    FieldScrubber::new(scrubber).line("subject", text, MAX_LABEL)
}

/// The same for a field `end_user`, as requests for tokens name it.
///
/// # Errors
/// As for [`check_subject`].
pub fn check_end_user(text: &str, scrubber: &Scrubber) -> Result<Scrubbed, DraftFault> {
    FieldScrubber::new(scrubber).line("end_user", text, MAX_LABEL)
}

/// A session in its stored form.
///
/// # Errors
/// [`DraftFault`] when no memory can have such a session.
pub fn check_session(text: &str, scrubber: &Scrubber) -> Result<Scrubbed, DraftFault> {
    FieldScrubber::new(scrubber).line("session_id", text, MAX_LABEL)
}
