//! Blocks a writer, so that later writes share a commit.

use std::sync::mpsc;

use orgmem_store::{Store, StoreError};

use super::orgs::Org;

/// Blocks the writer of an org until `end`.
pub(crate) struct BlockedWriter {
    store: Store,
    go_on: mpsc::Sender<()>,
    blocked: tokio::task::JoinHandle<Result<(), StoreError>>,
}

impl BlockedWriter {
    pub(crate) fn begin(store: &Store, org: &Org) -> Self {
        let (reached, begun) = mpsc::channel();
        let (go_on, waited) = mpsc::channel::<()>();
        let (at, org) = (store.clone(), org.id);
        let blocked = tokio::spawn(async move {
            let hold = at.write(org, move |_| {
                reached.send(()).ok();
                waited.recv().ok();
                Ok::<_, StoreError>(())
            });
            hold.await
        });
        begun.recv().expect("the writer comes to it");
        Self { store: store.clone(), go_on, blocked }
    }

    /// Unblocks the writer when `waiting` writes are queued.
    pub(crate) async fn end(self, waiting: usize) {
        while self.store.load().waiting_writes < waiting {
            tokio::task::yield_now().await;
        }
        self.go_on.send(()).expect("it waits");
        self.blocked.await.expect("no panic").expect("nothing is written");
    }
}
