//! Drafts of requests: checked and scrubbed after the caller is authorised, and large ones off the threads that serve
//! connections. This is the only place of the services that starts such work for a request with a body of any size.

use std::sync::{Arc, LazyLock};

use orgmem_policies::drafts::EpisodeTypes;
use orgmem_policies::scrub::Scrubber;
use orgmem_policies::{DraftLimits, Permission, Role, ServerAction, ServerPass, permit};
use orgmem_store::{FairTurns, OrgThreads, ReadPlan, Requester, StoreError};
use serde::Serialize;
use uuid::Uuid;

use super::{App, AppError};
use crate::auth::VerifiedClaims;

/// Requests of at most this size as JSON are drafted on the thread of their connection, in less than a millisecond.
const INLINE_BYTES: usize = 4 * 1024;

/// The turns of large requests that are drafted at once: as many as processors, and two at least, so that one org never takes
/// all. Orgs take turns, and so do the callers of an org.
static TURNS: LazyLock<FairTurns> = LazyLock::new(|| {
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    FairTurns::new(processors.max(2))
});

/// What drafts depend on.
#[derive(Clone)]
pub(super) struct Drafting {
    pub(super) scrubber: &'static Scrubber,
    pub(super) limits: DraftLimits,
    pub(super) episode_types: Arc<EpisodeTypes>,
}

impl App {
    /// Drafts `request` for a write that needs `permission` for `workspace`.
    ///
    /// # Errors
    /// [`AppError`] of a caller without the permission; the errors of `make`.
    pub(super) async fn draft<R, T, F>(
        &self,
        auth: &VerifiedClaims,
        workspace: Uuid,
        permission: Permission,
        request: R,
        make: F,
    ) -> Result<T, AppError>
    where
        R: Serialize + Send + 'static,
        T: Send + 'static,
        F: FnOnce(R, &Drafting) -> Result<T, AppError> + Send + 'static,
    {
        let bytes = json_bytes(&request);
        // the write decides again; an agent's small write as itself needs no second read of its token's status
        let is_own = auth.identity().role == Role::Agent && auth.identity().workspace == Some(workspace.into());
        if !is_own || bytes > INLINE_BYTES {
            self.admit(auth, workspace, permission).await?;
        }
        self.make_draft(self.requester(auth), bytes, request, make).await
    }

    /// As [`draft`](Self::draft), for an action on the server.
    pub(super) async fn draft_for_server<R, T, F>(
        &self,
        auth: &VerifiedClaims,
        action: ServerAction,
        request: R,
        make: F,
    ) -> Result<T, AppError>
    where
        R: Serialize + Send + 'static,
        T: Send + 'static,
        F: FnOnce(R, &Drafting) -> Result<T, AppError> + Send + 'static,
    {
        self.admit_to_server(auth, action).await?;
        self.make_draft(self.requester(auth), json_bytes(&request), request, make).await
    }

    /// Decides before a write whether the caller may spend the server's time on it. The write decides again.
    ///
    /// # Errors
    /// [`AppError`] of a caller without the permission for `workspace`.
    pub(crate) async fn admit(
        &self,
        auth: &VerifiedClaims,
        workspace: Uuid,
        permission: Permission,
    ) -> Result<(), AppError> {
        self.read(auth.call(workspace), move |call| {
            let id = call.workspace;
            call.pass(|caller, tree| permit(caller, permission, tree, id))
        })
        .await
    }

    /// As [`admit`](Self::admit), for an action on the server.
    pub(crate) async fn admit_to_server(&self, auth: &VerifiedClaims, action: ServerAction) -> Result<(), AppError> {
        let granted = move |caller: &_| ServerPass::grant(caller, action).map(drop);
        self.read_server(auth, ReadPlan::Cached, move |_, caller| Ok(granted(caller)?)).await
    }

    /// Makes a draft of `bytes` of content for a caller who is authorised.
    ///
    /// # Errors
    /// Those of `make`.
    pub(super) async fn make_draft<R, T, F>(
        &self,
        requester: Requester,
        bytes: usize,
        request: R,
        make: F,
    ) -> Result<T, AppError>
    where
        R: Send + 'static,
        T: Send + 'static,
        F: FnOnce(R, &Drafting) -> Result<T, AppError> + Send + 'static,
    {
        let (drafting, is_large) = (self.drafting.clone(), bytes > INLINE_BYTES);
        self.drafted.add(is_large, bytes);
        self.off_connections(requester, is_large, move || make(request, &drafting)).await?
    }

    /// Runs large work on threads that may block, in turns, and other work at once.
    ///
    /// # Errors
    /// [`StoreError::Closed`] while the server stops.
    pub(crate) async fn off_connections<T: Send + 'static>(
        &self,
        requester: Requester,
        is_large: bool,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, StoreError> {
        off_connections(self.store.threads(), requester, is_large, work).await
    }
}

async fn off_connections<T: Send + 'static>(
    threads: &OrgThreads,
    requester: Requester,
    is_large: bool,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, StoreError> {
    if is_large { in_turn((&TURNS, threads), requester, work).await } else { Ok(work()) }
}

async fn in_turn<T: Send + 'static>(
    (turns, threads): (&FairTurns, &OrgThreads),
    requester: Requester,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, StoreError> {
    let turn = turns.acquire(requester).await?;
    match threads.run(turn, work).await {
        Ok(done) => Ok(done),
        Err(error) if error.is_panic() => std::panic::resume_unwind(error.into_panic()),
        Err(_) => Err(StoreError::Closed),
    }
}

/// Size of `request` as JSON; without the cost of its text.
fn json_bytes(request: &impl Serialize) -> usize {
    struct Count(usize);
    impl std::io::Write for Count {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0 += bytes.len();
            Ok(bytes.len())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let mut count = Count(0);
    // what cannot be written counts as large
    serde_json::to_writer(&mut count, request).map_or(usize::MAX, |()| count.0)
}

#[cfg(test)]
mod tests {
    use std::thread::current;

    use orgmem_store::SystemClock;

    use super::*;

    #[tokio::test]
    async fn large_draft_is_made_on_another_thread_than_its_connection() {
        let (connection, threads) = (current().id(), &OrgThreads::new(Arc::new(SystemClock)));
        let small = off_connections(threads, Requester::SERVER, false, || current().id()).await.expect("a turn");
        let large = off_connections(threads, Requester::SERVER, true, || current().id()).await.expect("a turn");
        assert_eq!(small, connection);
        assert_ne!(large, connection);
    }

    /// The connection's only thread serves another request while every turn is taken by a draft that does not end.
    #[tokio::test]
    async fn connection_serves_others_while_large_drafts_wait() {
        let threads = OrgThreads::new(Arc::new(SystemClock));
        let (release, wait) = std::sync::mpsc::channel::<()>();
        let wait = Arc::new(std::sync::Mutex::new(wait));
        let flood: Vec<_> = (0..64)
            .map(|_| {
                let (wait, threads) = (Arc::clone(&wait), threads.clone());
                let work = move || wait.lock().expect("no panic").recv().expect("released");
                tokio::spawn(async move { off_connections(&threads, Requester::SERVER, true, work).await })
            })
            .collect();
        tokio::task::yield_now().await;
        let health = async move { off_connections(&threads, Requester::SERVER, false, || "ok").await };
        let health = tokio::spawn(health).await.expect("no panic");
        assert_eq!(health.ok(), Some("ok"));
        assert!(flood.iter().all(|draft| !draft.is_finished()));
        for _ in 0..flood.len() {
            release.send(()).expect("a draft waits");
        }
        for draft in flood {
            draft.await.expect("no panic").expect("a turn");
        }
    }

    /// One org has many large drafts waiting; the draft of another org is made after the one that runs.
    #[tokio::test]
    async fn large_draft_does_not_wait_for_those_of_another_org() {
        let requester = |org: u128, caller| {
            let org = orgmem_hierarchy::OrgId::from(Uuid::from_u128(org));
            Requester { org: Some(org), caller: Uuid::from_u128(caller) }
        };
        let turns = FairTurns::new(1);
        let order = Arc::new(std::sync::Mutex::new(Vec::new()));
        let running = turns.acquire(requester(1, 1)).await.expect("a turn");
        let waiting = [(1, 1), (1, 1), (1, 2), (2, 3)].map(|(org, caller)| {
            let (turns, order) = (turns.clone(), Arc::clone(&order));
            let threads = OrgThreads::new(Arc::new(SystemClock));
            tokio::spawn(async move {
                let note = move || order.lock().expect("no panic").push((org, caller));
                in_turn((&turns, &threads), requester(org, caller), note).await.expect("a turn");
            })
        });
        // the only thread runs each of them until it waits
        tokio::task::yield_now().await;
        drop(running);
        for draft in waiting {
            draft.await.expect("no panic");
        }
        let order = order.lock().expect("no panic").clone();
        assert_eq!(order[0], (2, 3));
        assert_eq!(order[1], (1, 2), "within an org, callers take turns");
    }
}
