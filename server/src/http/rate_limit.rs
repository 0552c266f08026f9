//! The rate-limit headers (draft-ietf-httpapi-ratelimit-headers-10) and `Retry-After`.

use actix_web::http::header::{HeaderMap, HeaderName, HeaderValue, RETRY_AFTER};

use crate::limits::{BudgetRateExceeded, LimitExceeded, LimitLevel, RateStatus};

const RATE_LIMIT: HeaderName = HeaderName::from_static("ratelimit");
const RATE_LIMIT_POLICY: HeaderName = HeaderName::from_static("ratelimit-policy");

/// Adds the quota of the caller. The quotas of the org and of the server depend on the load of others, so they appear only
/// in a refusal.
pub(super) fn add_status(headers: &mut HeaderMap, status: RateStatus) {
    if headers.contains_key(&RATE_LIMIT) {
        return;
    }
    let (name, RateStatus { limit, remaining }) = (LimitLevel::Caller.name(), status);
    let policy = format!("\"{name}\";q={limit};w=60");
    let current = format!("\"{name}\";r={remaining};t={}", status.reset_seconds());
    for (name, value) in fields(&policy, &current) {
        headers.insert(name, value);
    }
}

/// The headers of a 429.
pub(super) fn of_refusal(exceeded: &LimitExceeded) -> Vec<(HeaderName, HeaderValue)> {
    let (name, seconds) = (exceeded.policy(), exceeded.retry_after_seconds);
    let policy = format!("\"{name}\";q={};{}", exceeded.limit, exceeded.unit());
    let mut headers: Vec<_> = fields(&policy, &format!("\"{name}\";r=0;t={seconds}")).collect();
    headers.push((RETRY_AFTER, seconds.into()));
    headers
}

/// The headers of a 429 of a budget.
pub(super) fn of_budget(exceeded: &BudgetRateExceeded) -> Vec<(HeaderName, HeaderValue)> {
    let (name, seconds) = (exceeded.policy(), exceeded.retry_after_seconds);
    let policy = format!("\"{name}\";q={};w={}", exceeded.limit, exceeded.window().as_secs());
    let mut headers: Vec<_> = fields(&policy, &format!("\"{name}\";r=0;t={seconds}")).collect();
    headers.push((RETRY_AFTER, seconds.into()));
    headers
}

fn fields(policy: &str, current: &str) -> impl Iterator<Item = (HeaderName, HeaderValue)> + use<> {
    // names of levels, digits and punctuation are valid in a header
    let value = |text: &str| HeaderValue::from_str(text).ok();
    [(RATE_LIMIT_POLICY, value(policy)), (RATE_LIMIT, value(current))]
        .into_iter()
        .filter_map(|(name, value)| Some((name, value?)))
}
