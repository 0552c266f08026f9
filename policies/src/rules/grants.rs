//! Grants: how many a workspace may have.

use super::RuleViolation;
use crate::MAX_GRANTS;

/// Evidence that a grant may be stored.
///
/// ```compile_fail
/// let plan = orgmem_policies::rules::GrantPlan { private: () };
/// ```
#[derive(Clone, Copy, Debug)]
pub struct GrantPlan {
    #[expect(dead_code, reason = "only this module makes plans")]
    private: (),
}

/// Decides whether a workspace with `count` grants that have not expired may have another one.
///
/// # Errors
/// [`RuleViolation::TooManyGrants`].
///
/// # Source
/// `docs/spec/tiers.md`, "Grants".
pub fn check_grants(count: i64) -> Result<GrantPlan, RuleViolation> {
    if count >= MAX_GRANTS { Err(RuleViolation::TooManyGrants) } else { Ok(GrantPlan { private: () }) }
}
