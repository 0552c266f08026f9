//! A writer that is held up, so that what is written meanwhile shares a commit.

use std::sync::mpsc;

use orgmem_store::{Store, StoreError};

use super::orgs::Org;

/// Keeps the writer of an org from its next write until it is let go on.
pub(crate) struct BlockedWriter {
    store: Store,
    go_on: mpsc::Sender<()>,
    held: tokio::task::JoinHandle<Result<(), StoreError>>,
}

impl BlockedWriter {
    pub(crate) fn begin(store: &Store, org: &Org) -> Self {
        let (reached, begun) = mpsc::channel();
        let (go_on, waited) = mpsc::channel::<()>();
        let (at, org) = (store.clone(), org.id);
        let held = tokio::spawn(async move {
            let hold = at.write(org, move |_| {
                reached.send(()).ok();
                waited.recv().ok();
                Ok::<_, StoreError>(())
            });
            hold.await
        });
        begun.recv().expect("the writer comes to it");
        Self { store: store.clone(), go_on, held }
    }

    /// Once so many wait.
    pub(crate) async fn end(self, waiting: usize) {
        while self.store.load().waiting_writes < waiting {
            tokio::task::yield_now().await;
        }
        self.go_on.send(()).expect("it waits");
        self.held.await.expect("no panic").expect("nothing is written");
    }
}
