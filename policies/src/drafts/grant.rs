//! Drafts of grants.

use chrono::{DateTime, Utc};
use orgmem_hierarchy::WorkspaceId;

use super::expiry::expiry;
use super::field_scrubber::{FieldScrubber, not_blank};
use super::memory::MAX_LABEL;
use super::{DraftFault, FieldRedaction};
use crate::scrub::{Scrubbed, Scrubber};

/// Maximum size of the evidence in bytes.
pub const MAX_EVIDENCE_BYTES: usize = 4 * 1024;

/// Maximum number of sessions of a grant that names them.
pub const MAX_GRANTED_SESSIONS: usize = 100;

const AS_IT_IS: &str = "a name that is stored as it is, without outer white space and unlike a credential";

/// A grant as a caller sends it.
#[derive(Clone, Debug, Default)]
pub struct GrantInput {
    /// The end user who agreed.
    pub subject: String,
    /// The sessions that may be read; all if absent.
    pub sessions: Option<Vec<String>>,
    /// The only session that may read.
    pub to_session: Option<String>,
    /// The workspace that may read.
    pub to_workspace: Option<WorkspaceId>,
    /// Exclusive end of validity.
    pub expires_at: Option<DateTime<Utc>>,
    /// What the end user agreed to.
    pub evidence: String,
}

/// The fields of a checked grant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GrantFields {
    /// The end user who agreed.
    pub subject: Scrubbed,
    /// The sessions that may be read, each once; all if absent.
    pub sessions: Option<Vec<String>>,
    /// The only session that may read.
    pub to_session: Option<Scrubbed>,
    /// The workspace that may read.
    pub to_workspace: WorkspaceId,
    /// Exclusive end of validity.
    pub expires_at: Option<DateTime<Utc>>,
    /// What the end user agreed to.
    pub evidence: Scrubbed,
}

/// A checked and scrubbed grant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GrantDraft {
    fields: GrantFields,
    redactions: Vec<FieldRedaction>,
}

impl GrantDraft {
    /// Checks and scrubs a grant of `workspace`. Names are compared with those of memories, so they must be stored as they
    /// are.
    ///
    /// # Errors
    /// [`DraftFault`] of the first invalid field.
    ///
    /// # Source
    /// `docs/spec/tiers.md`, "Grants".
    pub fn check(
        input: GrantInput,
        workspace: WorkspaceId,
        scrubber: &Scrubber,
        now: DateTime<Utc>,
    ) -> Result<Self, DraftFault> {
        let mut scrub = FieldScrubber::new(scrubber);
        let subject = name(&mut scrub, "subject", &input.subject)?;
        let sessions = input.sessions.map(|sessions| names(&mut scrub, sessions)).transpose()?;
        if input.to_session.is_none() && input.to_workspace.is_none() {
            let expected = "an object with a `session`, a `workspace` or both: who may read";
            return Err(DraftFault::Form { field: "to", expected });
        }
        let to_session = input.to_session.map(|session| name(&mut scrub, "to.session", &session)).transpose()?;
        let expires_at = expiry(input.expires_at, None, now)?;
        not_blank("evidence", &input.evidence)?;
        let evidence = scrub.text("evidence", &input.evidence, MAX_EVIDENCE_BYTES)?;
        let to_workspace = input.to_workspace.unwrap_or(workspace);
        let fields = GrantFields { subject, sessions, to_session, to_workspace, expires_at, evidence };
        Ok(Self { fields, redactions: scrub.redactions() })
    }

    /// The checked fields.
    #[must_use]
    pub fn fields(&self) -> &GrantFields {
        &self.fields
    }

    /// Credentials that were replaced.
    #[must_use]
    pub fn redactions(&self) -> &[FieldRedaction] {
        &self.redactions
    }
}

fn name(scrub: &mut FieldScrubber<'_>, field: &'static str, given: &str) -> Result<Scrubbed, DraftFault> {
    let stored = scrub.line(field, given, MAX_LABEL)?;
    if stored.as_str() == given { Ok(stored) } else { Err(DraftFault::Form { field, expected: AS_IT_IS }) }
}

fn names(scrub: &mut FieldScrubber<'_>, given: Vec<String>) -> Result<Vec<String>, DraftFault> {
    if !(1..=MAX_GRANTED_SESSIONS).contains(&given.len()) {
        return Err(DraftFault::Form { field: "sessions", expected: "`all`, or a list of 1 to 100 session ids" });
    }
    let mut sessions: Vec<String> = Vec::with_capacity(given.len());
    for session in given {
        name(scrub, "sessions", &session)?;
        if !sessions.contains(&session) {
            sessions.push(session);
        }
    }
    Ok(sessions)
}
