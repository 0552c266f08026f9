//! One job for many orgs concurrently, so that their writes share commits.

use std::collections::HashSet;
use std::pin::pin;
use std::sync::Arc;

use futures_util::future::BoxFuture;
use futures_util::stream::FuturesUnordered;
use futures_util::{FutureExt, StreamExt};
use orgmem_hierarchy::OrgId;
use tokio::sync::Semaphore;
use tokio::task::yield_now;

/// Running work, at most once for each org. It proceeds only while [`until`](Self::until) or [`finish`](Self::finish)
/// is awaited.
pub(super) struct Rounds<'w> {
    orgs: HashSet<OrgId>,
    running: FuturesUnordered<BoxFuture<'w, OrgId>>,
    permits: Arc<Semaphore>,
}

impl<'w> Rounds<'w> {
    pub(super) fn new(at_once: usize) -> Self {
        Self { orgs: HashSet::new(), running: FuturesUnordered::new(), permits: Arc::new(Semaphore::new(at_once)) }
    }

    /// Starts `work` for each of these orgs, unless it is running for the org already. While it returns that there is
    /// more, it runs again, after the orgs that wait.
    pub(super) fn begin<F>(&mut self, orgs: Vec<OrgId>, work: impl Fn(OrgId) -> F + Copy + Send + 'w)
    where
        F: Future<Output = bool> + Send + 'w,
    {
        for org in orgs {
            if !self.orgs.insert(org) {
                continue;
            }
            let permits = Arc::clone(&self.permits);
            let permitted = async move {
                loop {
                    // the semaphore is never closed
                    let permit = permits.acquire().await;
                    if !work(org).await {
                        return org;
                    }
                    drop(permit);
                    // orgs that have just begun do not wait for a permit yet
                    yield_now().await;
                }
            };
            self.running.push(permitted.boxed());
        }
    }

    /// Runs until `event` completes; returns its value.
    pub(super) async fn until<T>(&mut self, event: impl Future<Output = T>) -> T {
        let mut event = pin!(event);
        loop {
            tokio::select! {
                value = &mut event => return value,
                Some(org) = self.running.next() => self.orgs.remove(&org),
            };
        }
    }

    /// Runs until all started work is complete.
    pub(super) async fn finish(&mut self) {
        while let Some(org) = self.running.next().await {
            self.orgs.remove(&org);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::future::{pending, ready};

    use parking_lot::Mutex;
    use uuid::Uuid;

    use super::*;

    fn orgs(count: u128) -> Vec<OrgId> {
        (1..=count).map(|number| OrgId::from(Uuid::from_u128(number))).collect()
    }

    #[test]
    fn blocked_org_does_not_block_the_others() {
        let (orgs, begun) = (orgs(3), Mutex::new(Vec::new()));
        let mut rounds = Rounds::new(64);
        for _ in 0..2 {
            rounds.begin(orgs.clone(), |org| {
                let (blocked, begun) = (orgs[0], &begun);
                async move {
                    begun.lock().push(org);
                    if org == blocked {
                        pending::<()>().await;
                    }
                    false
                }
            });
            assert_eq!(rounds.finish().now_or_never(), None, "the blocked one runs");
        }
        let times = |org| begun.lock().iter().filter(|begun| **begun == org).count();
        assert_eq!(orgs.iter().map(|org| times(*org)).collect::<Vec<_>>(), [1, 2, 2]);
        assert_eq!(rounds.until(ready(7)).now_or_never(), Some(7), "the blocked one is not awaited");
    }

    #[tokio::test]
    async fn more_work_of_an_org_waits_for_the_other_orgs() {
        let (orgs, begun) = (orgs(3), Mutex::new(Vec::new()));
        let mut rounds = Rounds::new(1);
        rounds.begin(orgs.clone(), |org| {
            let (long, begun) = (orgs[0], &begun);
            async move {
                let mut begun = begun.lock();
                begun.push(org);
                org == long && begun.len() < 5
            }
        });
        rounds.finish().await;
        let expected = [0, 1, 2, 0, 0].map(|number| orgs[number]);
        assert_eq!(*begun.lock(), expected);
    }

    #[test]
    fn work_at_once_is_bounded() {
        let begun = Mutex::new(0);
        let mut rounds = Rounds::new(64);
        rounds.begin(orgs(1000), |_| async {
            *begun.lock() += 1;
            pending().await
        });
        assert_eq!(rounds.finish().now_or_never(), None);
        assert_eq!(*begun.lock(), 64);
    }
}
