//! Waking those who watch an org once there is something new. Who misses a wake-up loses nothing: the tables are the
//! truth, and a watcher looks now and then by itself.

use std::collections::{HashMap, HashSet};

use orgmem_hierarchy::OrgId;
use parking_lot::Mutex;
use tokio::sync::watch;

/// Wakes its holder when something was done in an org.
#[derive(Clone, Debug)]
pub struct Subscription(watch::Receiver<()>);

impl Subscription {
    /// Waits until something was done since it was last waited for; for ever when the store is gone.
    pub async fn woken(&mut self) {
        if self.0.changed().await.is_err() {
            std::future::pending::<()>().await;
        }
    }
}

/// Who watches which org, and which orgs other servers have to hear of.
#[derive(Default)]
pub(crate) struct Notifier {
    watched: Mutex<HashMap<OrgId, watch::Sender<()>>>,
    /// None where there are no other servers.
    elsewhere: Option<Mutex<HashSet<OrgId>>>,
}

impl Notifier {
    /// Those of a database that other servers share.
    pub(crate) fn shared() -> Self {
        Self { elsewhere: Some(Mutex::default()), ..Self::default() }
    }

    pub(crate) fn watch(&self, org: OrgId) -> Subscription {
        let mut watched = self.watched.lock();
        watched.retain(|_, sender| sender.receiver_count() > 0);
        Subscription(watched.entry(org).or_insert_with(|| watch::channel(()).0).subscribe())
    }

    /// Something was committed here.
    pub(crate) fn wake_all(&self, org: OrgId) {
        self.wake(org);
        if let Some(elsewhere) = &self.elsewhere {
            elsewhere.lock().insert(org);
        }
    }

    /// Something was committed, here or elsewhere.
    pub(crate) fn wake(&self, org: OrgId) {
        if let Some(sender) = self.watched.lock().get(&org) {
            sender.send_replace(());
        }
    }

    /// The orgs that other servers have to hear of; they count as told.
    pub(crate) fn to_tell(&self) -> Vec<OrgId> {
        self.elsewhere.as_ref().map(|orgs| orgs.lock().drain().collect()).unwrap_or_default()
    }
}
