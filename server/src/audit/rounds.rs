//! Work for many orgs, which goes on side by side: what is written at the same time shares a commit, and an org that is
//! held up does not hold up the others.

use std::collections::HashSet;
use std::pin::pin;
use std::sync::Arc;

use futures_util::future::BoxFuture;
use futures_util::stream::FuturesUnordered;
use futures_util::{FutureExt, StreamExt};
use orgmem_hierarchy::OrgId;
use tokio::sync::Semaphore;

/// So many orgs at once: enough to share commits, and a small part of what may wait for the store's writers.
const AT_ONCE: usize = 64;

/// What goes on, for each org at most once. It goes on while it is waited for.
pub(super) struct Rounds<'w> {
    orgs: HashSet<OrgId>,
    going_on: FuturesUnordered<BoxFuture<'w, OrgId>>,
    turns: Arc<Semaphore>,
}

impl<'w> Rounds<'w> {
    pub(super) fn new() -> Self {
        Self { orgs: HashSet::new(), going_on: FuturesUnordered::new(), turns: Arc::new(Semaphore::new(AT_ONCE)) }
    }

    /// Begins a round: `work` for each of these orgs but those for which it still goes on.
    pub(super) fn begin<F>(&mut self, orgs: Vec<OrgId>, work: impl Fn(OrgId) -> F)
    where
        F: Future<Output = ()> + Send + 'w,
    {
        for org in orgs {
            if !self.orgs.insert(org) {
                continue;
            }
            let (turns, work) = (Arc::clone(&self.turns), work(org));
            let in_turn = async move {
                // the semaphore is never closed
                let _turn = turns.acquire_owned().await;
                work.await;
                org
            };
            self.going_on.push(in_turn.boxed());
        }
    }

    /// Lets it go on until `comes` has come, and gives that.
    pub(super) async fn until<T>(&mut self, comes: impl Future<Output = T>) -> T {
        let mut comes = pin!(comes);
        loop {
            tokio::select! {
                came = &mut comes => return came,
                Some(org) = self.going_on.next() => self.orgs.remove(&org),
            };
        }
    }

    /// Lets it go on until all of it has ended.
    pub(super) async fn finish(&mut self) {
        while let Some(org) = self.going_on.next().await {
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
    fn an_org_that_is_held_up_does_not_hold_up_the_others() {
        let (orgs, begun) = (orgs(3), Mutex::new(Vec::new()));
        let mut rounds = Rounds::new();
        for _ in 0..2 {
            rounds.begin(orgs.clone(), |org| {
                let (held_up, begun) = (orgs[0], &begun);
                async move {
                    begun.lock().push(org);
                    if org == held_up {
                        pending::<()>().await;
                    }
                }
            });
            assert_eq!(rounds.finish().now_or_never(), None, "one of them goes on");
        }
        let times = |org| begun.lock().iter().filter(|begun| **begun == org).count();
        assert_eq!(orgs.iter().map(|org| times(*org)).collect::<Vec<_>>(), [1, 2, 2]);
        assert_eq!(rounds.until(ready(7)).now_or_never(), Some(7), "it is not waited for");
    }

    #[test]
    fn there_is_a_bound_to_what_goes_on_at_once() {
        let begun = Mutex::new(0);
        let mut rounds = Rounds::new();
        rounds.begin(orgs(1000), |_| async {
            *begun.lock() += 1;
            pending::<()>().await;
        });
        assert_eq!(rounds.finish().now_or_never(), None);
        assert_eq!(*begun.lock(), AT_ONCE);
    }
}
