//! `LISTEN` and `NOTIFY`: servers on one database wake each other's watchers.
//!
//! Notices are sent by a connection of their own and not by the commits that they are about: PostgreSQL lets one
//! transaction with a notice commit at a time. One that is lost is no harm, as watchers look by themselves now and then.

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

/// How often notices are looked for and sent.
const EVERY: Duration = Duration::from_millis(25);

/// How long a server that does not answer is left alone.
const PATIENCE: Duration = Duration::from_secs(1);

/// Sends and hears notices until the store is gone.
pub(super) fn start(url: String, core: &Arc<Core>) -> std::io::Result<()> {
    let core = Arc::downgrade(core);
    let work = move || {
        while core.strong_count() > 0 {
            if let Err(error) = exchange(&url, &core) {
                tracing::debug!(%error, "the other servers cannot be told what happened here");
                std::thread::sleep(PATIENCE);
            }
        }
    };
    std::thread::Builder::new().name("orgmem-notices".into()).spawn(work).map(drop)
}

fn exchange(url: &str, core: &Weak<Core>) -> Result<(), StoreError> {
    let mut conn = open::writer(url)?;
    // a notice need not outlive a crash, and the connection may be silent for long
    conn.batch_execute(&format!("SET synchronous_commit = off; LISTEN {CHANNEL}"))?;
    while let Some(core) = core.upgrade() {
        for org in core.notifier.to_tell() {
            append_audit_entries(&mut conn, org)?;
        }
        for notice in conn.notifications_iter() {
            if let Ok(org) = Uuid::try_parse(&notice?.payload) {
                core.notifier.wake(OrgId::from(org));
            }
        }
        drop(core);
        std::thread::sleep(EVERY);
    }
    Ok(())
}

fn append_audit_entries(conn: &mut Conn, org: OrgId) -> Result<(), StoreError> {
    let notice = diesel::sql_query("SELECT pg_notify($1, $2)");
    notice.bind::<Text, _>(CHANNEL).bind::<Text, _>(org.uuid().to_string()).execute(conn)?;
    Ok(())
}
