//! Lines that are kept beside memories: why somebody takes content away, whose it is, and of which session.

use super::cleaner::Cleaner;
use super::memory::MAX_LABEL;
use super::{DraftFault, FieldRedaction};
use crate::scrub::{Scrubbed, Scrubber};

/// Characters of a reason, at most.
const MAX_REASON: usize = 500;

/// The reason of a redaction or an erasure: one scrubbed line. It is kept, so it must not repeat what is taken away.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReasonDraft {
    text: Scrubbed,
    redactions: Vec<FieldRedaction>,
}

impl ReasonDraft {
    /// Checks and scrubs what a caller gave as its reason.
    ///
    /// # Errors
    /// [`DraftFault`] when it is blank, longer than 500 characters or not one line.
    pub fn check(text: &str, scrubber: &Scrubber) -> Result<Self, DraftFault> {
        let mut cleaner = Cleaner::new(scrubber);
        let text = cleaner.line("reason", text, MAX_REASON)?;
        Ok(Self { text, redactions: cleaner.redactions() })
    }

    /// The line.
    #[must_use]
    pub fn as_str(&self) -> &str {
        self.text.as_str()
    }

    /// What was replaced in it.
    #[must_use]
    pub fn redactions(&self) -> &[FieldRedaction] {
        &self.redactions
    }
}

/// A subject in the form in which memories have it.
///
/// # Errors
/// [`DraftFault`] when no memory can have such a subject.
pub fn check_subject(text: &str, scrubber: &Scrubber) -> Result<Scrubbed, DraftFault> {
    Cleaner::new(scrubber).line("subject", text, MAX_LABEL)
}

/// A session in the form in which memories have it.
///
/// # Errors
/// [`DraftFault`] when no memory can have such a session.
pub fn check_session(text: &str, scrubber: &Scrubber) -> Result<Scrubbed, DraftFault> {
    Cleaner::new(scrubber).line("session_id", text, MAX_LABEL)
}
