//! `LISTEN` and `NOTIFY`: servers on one database wake each other's watchers.
//!
//! A separate connection sends the notices, not the commits themselves, because PostgreSQL serialises commits of
//! transactions with notices. A lost notice does no harm, as watchers also poll the tables.

use std::sync::{Arc, Weak};
use std::time::Duration;

use diesel::connection::SimpleConnection;
use diesel::prelude::*;
use diesel::sql_types::Text;
use orgmem_hierarchy::OrgId;
use uuid::Uuid;

use super::{Conn, open};
use crate::StoreError;
use crate::engine::Core;

const CHANNEL: &str = "orgmem_events";

/// Interval of the exchange of notices.
const INTERVAL: Duration = Duration::from_millis(25);

/// Delay before the next attempt after an error.
const RETRY_DELAY: Duration = Duration::from_secs(1);

/// Starts a thread that sends and receives notices until the store is dropped.
pub(super) fn start(url: String, core: &Arc<Core>) -> std::io::Result<()> {
    let core = Arc::downgrade(core);
    let work = move || {
        while core.strong_count() > 0 {
            if let Err(error) = exchange(&url, &core) {
                tracing::debug!(%error, "could not exchange notices with other servers");
                std::thread::sleep(RETRY_DELAY);
            }
        }
    };
    std::thread::Builder::new().name("orgmem-notices".into()).spawn(work).map(drop)
}

fn exchange(url: &str, core: &Weak<Core>) -> Result<(), StoreError> {
    let mut conn = open::writer(url)?;
    // a notice need not survive a crash, so its commit need not wait for the disk
    conn.batch_execute(&format!("SET synchronous_commit = off; LISTEN {CHANNEL}"))?;
    while let Some(core) = core.upgrade() {
        for org in core.notifier.take_unnotified() {
            notify(&mut conn, org)?;
        }
        for notice in conn.notifications_iter() {
            if let Ok(org) = Uuid::try_parse(&notice?.payload) {
                core.notifier.wake(OrgId::from(org));
            }
        }
        drop(core);
        std::thread::sleep(INTERVAL);
    }
    Ok(())
}

fn notify(conn: &mut Conn, org: OrgId) -> Result<(), StoreError> {
    let notice = diesel::sql_query("SELECT pg_notify($1, $2)");
    notice.bind::<Text, _>(CHANNEL).bind::<Text, _>(org.uuid().to_string()).execute(conn)?;
    Ok(())
}
