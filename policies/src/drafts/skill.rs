//! Drafts of skills: name and description.

use super::field_scrubber::FieldScrubber;
use super::{DraftFault, FieldRedaction};
use crate::scrub::Scrubber;
use crate::skill_package::{MAX_DESCRIPTION, is_name};

/// A skill with a valid name and a scrubbed description.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SkillDraft {
    name: String,
    description: String,
    redactions: Vec<FieldRedaction>,
}

impl SkillDraft {
    /// Checks the name, and scrubs the description.
    ///
    /// # Errors
    /// [`DraftFault`] for a name of another form, one that looks like a credential, and for a description that is blank,
    /// longer than 1,024 characters or not one line.
    ///
    /// # Source
    /// `docs/spec/skills.md`, "Drafts".
    pub fn check(name: &str, description: &str, scrubber: &Scrubber) -> Result<Self, DraftFault> {
        let form = DraftFault::Form {
            field: "name",
            expected: "lower-case letters, digits and single hyphens, at most 64 characters",
        };
        let mut scrub = FieldScrubber::new(scrubber);
        // a credential in the name would be replaced by text that is no name
        let scrubbed = scrub.line("name", name, usize::MAX)?;
        if !is_name(scrubbed.as_str()) {
            return Err(form);
        }
        let description = scrub.line("description", description, MAX_DESCRIPTION)?;
        Ok(Self { name: name.to_owned(), description: description.as_str().to_owned(), redactions: scrub.redactions() })
    }

    /// Unique in its workspace.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What the skill does and when to use it.
    #[must_use]
    pub fn description(&self) -> &str {
        &self.description
    }

    /// Credentials that were replaced.
    #[must_use]
    pub fn redactions(&self) -> &[FieldRedaction] {
        &self.redactions
    }
}
