//! Wake-ups for the watchers of an org. A missed wake-up loses no data: the tables are authoritative, and watchers also
//! poll them.

use std::collections::{HashMap, HashSet};

use orgmem_hierarchy::OrgId;
use parking_lot::Mutex;
use tokio::sync::watch;

/// Wakes its holder after a commit in an org.
#[derive(Clone, Debug)]
pub struct Subscription(watch::Receiver<()>);

impl Subscription {
    /// Waits for a commit after the previous call. Never returns if the store is gone.
    pub async fn woken(&mut self) {
        if self.0.changed().await.is_err() {
            std::future::pending::<()>().await;
        }
    }
}

/// The watchers of each org, and the orgs with commits that other servers have not been notified of.
#[derive(Default)]
pub(crate) struct Notifier {
    watched: Mutex<HashMap<OrgId, watch::Sender<()>>>,
    /// None if this server does not share its database.
    elsewhere: Option<Mutex<HashSet<OrgId>>>,
}

impl Notifier {
    /// The notifier of a database shared with other servers.
    pub(crate) fn shared() -> Self {
        Self { elsewhere: Some(Mutex::default()), ..Self::default() }
    }

    pub(crate) fn watch(&self, org: OrgId) -> Subscription {
        let mut watched = self.watched.lock();
        watched.retain(|_, sender| sender.receiver_count() > 0);
        Subscription(watched.entry(org).or_insert_with(|| watch::channel(()).0).subscribe())
    }

    /// Wakes the watchers here and queues a notice for other servers, after a commit here.
    pub(crate) fn wake_all(&self, org: OrgId) {
        self.wake(org);
        if let Some(elsewhere) = &self.elsewhere {
            elsewhere.lock().insert(org);
        }
    }

    /// Wakes the watchers here, after a commit here or on another server.
    pub(crate) fn wake(&self, org: OrgId) {
        if let Some(sender) = self.watched.lock().get(&org) {
            sender.send_replace(());
        }
    }

    /// Drains the orgs with commits that other servers have not been notified of.
    pub(crate) fn take_unnotified(&self) -> Vec<OrgId> {
        self.elsewhere.as_ref().map(|orgs| orgs.lock().drain().collect()).unwrap_or_default()
    }
}
