//! The rates of budgets, by the generic cell rate algorithm: a quota may be used at once and grows back evenly.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use orgmem_hierarchy::WorkspaceId;
use orgmem_policies::rules::BudgetLimit;
use parking_lot::Mutex;

const MINUTE: Duration = Duration::from_secs(60);
const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// The number of remembered rates beyond which those with their whole quota are forgotten.
const MAX_REMEMBERED: usize = 4096;

/// A rate of a budget that is used up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "the budget of workspace `{of}` is used up: it and everything below it may have {limit} {}; try again in \
     {retry_after_seconds} s", rate.unit()
)]
pub struct BudgetRateExceeded {
    /// The workspace whose budget it is.
    pub of: WorkspaceId,
    /// The rate.
    pub rate: BudgetLimit,
    /// Its value in the budget.
    pub limit: i64,
    /// At least 1.
    pub retry_after_seconds: u64,
}

impl BudgetRateExceeded {
    /// The name of the limit in the rate-limit headers and in the problem.
    pub(crate) fn policy(&self) -> String {
        format!("budget-{}", self.rate.as_str())
    }

    /// The time in which the whole quota grows back.
    pub(crate) fn window(&self) -> Duration {
        window(self.rate)
    }
}

/// The rates of one server. Each server counts what it serves.
pub(crate) struct BudgetRates {
    start: Instant,
    /// The time since `start` at which the whole quota is available again, in nanoseconds.
    full_at: Mutex<HashMap<(WorkspaceId, BudgetLimit), u128>>,
}

impl Default for BudgetRates {
    fn default() -> Self {
        Self { start: Instant::now(), full_at: Mutex::default() }
    }
}

impl BudgetRates {
    /// Counts `amount` for the rate of each of these budgets, or for none of them.
    ///
    /// # Errors
    /// [`BudgetRateExceeded`] of the first that has no quota left.
    pub(crate) fn spend(
        &self,
        budgets: &[(WorkspaceId, i64)],
        rate: BudgetLimit,
        amount: usize,
    ) -> Result<(), BudgetRateExceeded> {
        self.spend_at(self.start.elapsed(), budgets, rate, amount)
    }

    /// The part of the quota `limit` that is not available now.
    pub(crate) fn used(&self, of: WorkspaceId, rate: BudgetLimit, limit: i64) -> i64 {
        self.used_at(self.start.elapsed(), of, rate, limit)
    }

    fn spend_at(
        &self,
        now: Duration,
        budgets: &[(WorkspaceId, i64)],
        rate: BudgetLimit,
        amount: usize,
    ) -> Result<(), BudgetRateExceeded> {
        let now = now.as_nanos();
        let mut full_at = self.full_at.lock();
        let mut next = Vec::with_capacity(budgets.len());
        for &(of, limit) in budgets {
            let (quota, step) = quota(rate, limit);
            // more than the whole quota needs the whole quota
            let amount = u128::try_from(amount).unwrap_or(u128::MAX).min(quota);
            let known = full_at.get(&(of, rate)).copied().unwrap_or_default().max(now);
            // a lowered limit does not make a caller wait for longer than its own window
            let then = known.min(now + quota * step) + amount * step;
            let wait = then.saturating_sub(now + quota * step);
            if wait > 0 {
                let seconds = wait.div_ceil(Duration::from_secs(1).as_nanos()).max(1);
                let retry_after_seconds = u64::try_from(seconds).unwrap_or(u64::MAX);
                return Err(BudgetRateExceeded { of, rate, limit, retry_after_seconds });
            }
            next.push(((of, rate), then));
        }
        if full_at.len() >= MAX_REMEMBERED {
            full_at.retain(|_, at| *at > now);
        }
        full_at.extend(next);
        Ok(())
    }

    fn used_at(&self, now: Duration, of: WorkspaceId, rate: BudgetLimit, limit: i64) -> i64 {
        let (quota, step) = quota(rate, limit);
        let full_at = self.full_at.lock().get(&(of, rate)).copied().unwrap_or_default();
        let used = full_at.saturating_sub(now.as_nanos()).div_ceil(step).min(quota);
        i64::try_from(used).unwrap_or(i64::MAX)
    }
}

/// The quota, and the nanoseconds in which one of it grows back.
fn quota(rate: BudgetLimit, limit: i64) -> (u128, u128) {
    let quota = u128::try_from(limit.max(1)).unwrap_or(1);
    (quota, (window(rate).as_nanos() / quota).max(1))
}

fn window(rate: BudgetLimit) -> Duration {
    match rate {
        BudgetLimit::EmbeddingsPerDay => DAY,
        BudgetLimit::Memories | BudgetLimit::Bytes | BudgetLimit::WritesPerMinute | BudgetLimit::SearchesPerMinute => {
            MINUTE
        }
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    const WRITES: BudgetLimit = BudgetLimit::WritesPerMinute;

    fn of(number: u128) -> WorkspaceId {
        WorkspaceId::from(Uuid::from_u128(number))
    }

    fn at(millis: u64) -> Duration {
        Duration::from_millis(millis)
    }

    #[test]
    fn quota_may_be_used_at_once_and_grows_back_evenly() {
        let rates = BudgetRates::default();
        let spend = |now, amount| rates.spend_at(at(now), &[(of(1), 6)], WRITES, amount);
        assert_eq!((spend(0, 4), spend(0, 2)), (Ok(()), Ok(())));
        assert_eq!(rates.used_at(at(0), of(1), WRITES, 6), 6);
        let refused = spend(0, 1).expect_err("no quota");
        assert_eq!((refused.of, refused.limit, refused.retry_after_seconds), (of(1), 6, 10));
        assert_eq!(spend(9_999, 1).map_err(|refused| refused.retry_after_seconds), Err(1));
        assert_eq!(spend(10_000, 1), Ok(()));
        assert_eq!(rates.used_at(at(40_000), of(1), WRITES, 6), 3);
    }

    #[test]
    fn more_than_the_whole_quota_needs_the_whole_quota() {
        let rates = BudgetRates::default();
        assert_eq!(rates.spend_at(at(0), &[(of(1), 6)], WRITES, 50), Ok(()));
        assert!(rates.spend_at(at(59_999), &[(of(1), 6)], WRITES, 50).is_err());
        assert_eq!(rates.spend_at(at(60_000), &[(of(1), 6)], WRITES, 50), Ok(()));
    }

    #[test]
    fn refused_amount_counts_for_no_budget() {
        let rates = BudgetRates::default();
        let budgets = [(of(1), 10), (of(2), 2)];
        assert_eq!(rates.spend_at(at(0), &budgets, WRITES, 2), Ok(()));
        assert_eq!(rates.spend_at(at(0), &budgets, WRITES, 2).map_err(|refused| refused.of), Err(of(2)));
        assert_eq!(rates.used_at(at(0), of(1), WRITES, 10), 2);
    }

    #[test]
    fn rates_and_budgets_do_not_affect_each_other() {
        let rates = BudgetRates::default();
        assert_eq!(rates.spend_at(at(0), &[(of(1), 1)], WRITES, 1), Ok(()));
        assert_eq!(rates.spend_at(at(0), &[(of(2), 1)], WRITES, 1), Ok(()));
        assert_eq!(rates.spend_at(at(0), &[(of(1), 1)], BudgetLimit::SearchesPerMinute, 1), Ok(()));
        assert_eq!(rates.spend_at(at(0), &[(of(1), 1)], BudgetLimit::EmbeddingsPerDay, 1), Ok(()));
        let refused = rates.spend_at(at(60_000), &[(of(1), 1)], BudgetLimit::EmbeddingsPerDay, 1);
        assert_eq!(refused.map_err(|refused| refused.retry_after_seconds), Err(24 * 60 * 60 - 60));
    }

    #[test]
    fn lowered_limit_waits_at_most_one_window() {
        let rates = BudgetRates::default();
        assert_eq!(rates.spend_at(at(0), &[(of(1), 1_000)], WRITES, 1_000), Ok(()));
        let refused = rates.spend_at(at(0), &[(of(1), 1)], WRITES, 1);
        assert_eq!(refused.map_err(|refused| refused.retry_after_seconds), Err(60));
    }

    #[test]
    fn rates_with_their_whole_quota_are_forgotten() {
        let rates = BudgetRates::default();
        for number in 0..2 * MAX_REMEMBERED {
            let now = at(u64::try_from(number).expect("small") * 100_000);
            assert_eq!(rates.spend_at(now, &[(of(number as u128), 1)], WRITES, 1), Ok(()));
        }
        assert!(rates.full_at.lock().len() <= MAX_REMEMBERED);
    }
}
