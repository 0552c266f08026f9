//! Drafts of profiles.

use orgmem_hierarchy::Scope;

use super::expiry::MAX_TTL_SECONDS;
use super::field_scrubber::{FieldScrubber, within};
use super::memory::{confidence, kind_word};
use super::{DraftFault, FieldRedaction};
use crate::scrub::{Scrubbed, Scrubber};
use crate::{Injection, Isolation, ProfileSettings, Retention};

/// Characters of a name.
pub const MAX_NAME: usize = 50;
/// Excluded kinds of a profile.
pub const MAX_EXCLUDED: usize = 32;
/// Memories of a context block.
pub const MAX_LIMIT: i64 = 50;
/// Memories of a profile.
pub const MAX_ENTRIES: i64 = 1_000_000;
/// Tokens of a context block.
pub const MAX_TOKENS: i64 = 1_000_000;

const TOKENS: &str = "a number from 1 to 1000000";

/// A profile with valid, consistent settings.
#[derive(Clone, Debug)]
pub struct ProfileDraft {
    name: Scrubbed,
    settings: ProfileSettings,
    redactions: Vec<FieldRedaction>,
}

impl ProfileDraft {
    /// Checks a new profile, or the result of a change.
    ///
    /// # Errors
    /// [`DraftFault`] of the first invalid field.
    ///
    /// # Source
    /// `docs/spec/profiles.md`, "Fields".
    pub fn check(name: &str, settings: ProfileSettings, scrubber: &Scrubber) -> Result<Self, DraftFault> {
        let mut scrub = FieldScrubber::new(scrubber);
        let name = scrub.line("name", name, MAX_NAME)?;
        let ProfileSettings { isolation, excluded_kinds, subjects, sessions, retention, injection, page_scope, within } =
            settings;
        let settings = ProfileSettings {
            isolation,
            excluded_kinds: kinds(excluded_kinds)?,
            subjects,
            sessions,
            retention: checked_retention(retention)?,
            injection: checked_injection(injection, isolation)?,
            page_scope,
            within,
        };
        Ok(Self { name, settings, redactions: scrub.redactions() })
    }

    /// Unique in its workspace.
    #[must_use]
    pub fn name(&self) -> &str {
        self.name.as_str()
    }

    /// The settings.
    #[must_use]
    pub fn settings(&self) -> &ProfileSettings {
        &self.settings
    }

    /// Credentials that were replaced.
    #[must_use]
    pub fn redactions(&self) -> &[FieldRedaction] {
        &self.redactions
    }
}

fn kinds(given: Vec<String>) -> Result<Vec<String>, DraftFault> {
    within("excluded_kinds", given.len(), MAX_EXCLUDED, "kinds")?;
    let mut kinds: Vec<String> = Vec::with_capacity(given.len());
    for kind in given {
        kind_word(&kind).map_err(|_| DraftFault::Form {
            field: "excluded_kinds",
            expected: "a list of kinds: lower-case words of at most 32 letters, digits, `_` and `-`",
        })?;
        if !kinds.contains(&kind) {
            kinds.push(kind);
        }
    }
    Ok(kinds)
}

fn checked_retention(retention: Retention) -> Result<Retention, DraftFault> {
    if retention.max_age_seconds.is_some_and(|age| !(1..=MAX_TTL_SECONDS).contains(&age)) {
        let expected = "a positive number of seconds, at most 100 years";
        return Err(DraftFault::Form { field: "retention.max_age_seconds", expected });
    }
    if retention.max_entries.is_some_and(|most| !(1..=MAX_ENTRIES).contains(&most)) {
        return Err(DraftFault::Form { field: "retention.max_entries", expected: "a number from 1 to 1000000" });
    }
    Ok(retention)
}

/// The size in tokens of a working set that a caller requests.
///
/// # Errors
/// [`DraftFault::Form`]: not from 1 to 1,000,000.
pub fn check_token_budget(requested: u64) -> Result<usize, DraftFault> {
    let refused = DraftFault::Form { field: "token_budget", expected: TOKENS };
    let checked = usize::try_from(requested).ok().filter(|tokens| (1..=MAX_TOKENS as usize).contains(tokens));
    checked.ok_or(refused)
}

fn checked_injection(injection: Injection, isolation: Isolation) -> Result<Injection, DraftFault> {
    let form = |field, expected| Err(DraftFault::Form { field, expected });
    if !(1..=MAX_LIMIT).contains(&injection.limit) {
        return form("injection.limit", "a number from 1 to 50; to inject nothing, give `strategy` `off`");
    }
    if confidence(injection.min_confidence).is_err() {
        return form("injection.min_confidence", "a number from 0 to 1");
    }
    if injection.token_budget.is_some_and(|budget| !(1..=MAX_TOKENS).contains(&budget)) {
        return form("injection.token_budget", TOKENS);
    }
    if isolation != Isolation::Tree && injection.scopes.contains(&Scope::Global) {
        let expected = "without `GLOBAL`, which a profile with isolation `team`, `isolated` or `profile` does not read";
        return form("injection.scopes", expected);
    }
    let scopes = Scope::ALL.into_iter().filter(|scope| injection.scopes.contains(scope)).collect();
    Ok(Injection { scopes, ..injection })
}
