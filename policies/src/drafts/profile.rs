//! A profile on its way into the store.

use orgmem_hierarchy::Scope;

use super::cleaner::{Cleaner, within};
use super::memory::kind_word;
use super::{DraftFault, FieldRedaction};
use crate::profiles::{Isolation, ReadRules, Strategy};
use crate::scrub::{Scrubbed, Scrubber};

const MAX_NAME: usize = 100;
const MAX_KINDS: usize = 32;
const MAX_ENTRIES: i64 = 1_000_000;
const CENTURY: i64 = 100 * 366 * 24 * 3600;
const MAX_LIMIT: i64 = 50;
const MAX_BUDGET: i64 = 1_000_000;

/// What a caller wants a profile to be, whole and unchecked.
#[derive(Clone, Debug)]
pub struct ProfileInput {
    /// What people call it.
    pub name: String,
    /// Memories older than this are deleted.
    pub max_age_seconds: Option<i64>,
    /// Of more than so many memories the oldest are deleted.
    pub max_entries: Option<i64>,
    /// How far the workspace reads.
    pub isolation: Isolation,
    /// Kinds that it reads nothing of.
    pub excluded_kinds: Vec<String>,
    /// How memories are chosen for a block.
    pub strategy: Strategy,
    /// How many go into a block at most.
    pub limit: i64,
    /// Of these scopes; of any when empty.
    pub scopes: Vec<Scope>,
    /// With at least this confidence.
    pub min_confidence: Option<f64>,
    /// How many tokens a block may take.
    pub token_budget: Option<i64>,
}

/// A profile that may be stored: within the limits, scrubbed.
#[derive(Clone, Debug)]
pub struct ProfileDraft(ProfileFields);

/// What a [`ProfileDraft`] holds; the fields are those of [`ProfileInput`].
#[derive(Clone, Debug)]
#[allow(missing_docs, reason = "the fields are those of the input, checked")]
pub struct ProfileFields {
    pub name: Scrubbed,
    pub max_age_seconds: Option<i64>,
    pub max_entries: Option<i64>,
    pub rules: ReadRules,
    pub strategy: Strategy,
    pub limit: i64,
    pub scopes: Vec<Scope>,
    pub min_confidence: Option<f64>,
    pub token_budget: Option<i64>,
    /// What was replaced.
    pub redactions: Vec<FieldRedaction>,
}

impl ProfileDraft {
    /// Checks and scrubs what a caller sent.
    ///
    /// # Errors
    /// [`DraftFault`], naming the first field that cannot be accepted.
    ///
    /// # Source
    /// product.md, section 4.6.
    pub fn check(input: ProfileInput, scrubber: &Scrubber) -> Result<Self, DraftFault> {
        let mut cleaner = Cleaner::new(scrubber);
        let name = cleaner.line("name", &input.name, MAX_NAME)?;
        within("excluded_kinds", input.excluded_kinds.len(), MAX_KINDS, "kinds")?;
        let mut kinds = Vec::with_capacity(input.excluded_kinds.len());
        for kind in &input.excluded_kinds {
            let kind = kind_word(kind).map_err(|_| DraftFault::Form {
                field: "excluded_kinds",
                expected: "kinds of memories, such as `fact` or `summary`",
            })?;
            kinds.push(kind.to_owned());
        }
        let mut scopes = input.scopes;
        scopes.sort_unstable();
        scopes.dedup();
        if input.min_confidence.is_some_and(|least| !(0.0..=1.0).contains(&least)) {
            return Err(DraftFault::Form { field: "min_confidence", expected: "a number from 0 to 1" });
        }
        let fields = ProfileFields {
            name,
            max_age_seconds: positive("max_age_seconds", input.max_age_seconds, CENTURY, "a positive number of seconds, at most 100 years")?,
            max_entries: positive("max_entries", input.max_entries, MAX_ENTRIES, "a number from 1 to 1000000")?,
            rules: ReadRules::new(input.isolation, kinds),
            strategy: input.strategy,
            limit: positive("limit", Some(input.limit), MAX_LIMIT, "a number from 1 to 50")?.unwrap_or(MAX_LIMIT),
            scopes,
            min_confidence: input.min_confidence,
            token_budget: positive("token_budget", input.token_budget, MAX_BUDGET, "a number from 1 to 1000000")?,
            redactions: cleaner.redactions(),
        };
        Ok(Self(fields))
    }

    /// What it holds.
    #[must_use]
    pub fn fields(&self) -> &ProfileFields {
        &self.0
    }
}

fn positive(
    field: &'static str,
    given: Option<i64>,
    most: i64,
    expected: &'static str,
) -> Result<Option<i64>, DraftFault> {
    match given {
        Some(given) if !(1..=most).contains(&given) => Err(DraftFault::Form { field, expected }),
        given => Ok(given),
    }
}
