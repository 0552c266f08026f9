//! The end of sessions, and of the memories that end with them.

use chrono::{DateTime, Utc};
use orgmem_hierarchy::{OrgId, WorkspaceId};
use orgmem_policies::ActPass;

use crate::StoreError;

/// A session of a workspace that has session-only memories.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenSession {
    /// The author of its memories.
    pub workspace: WorkspaceId,
    /// The id of the session.
    pub session: String,
}

transaction! {
    forward_session_reads

    /// The reads of open sessions.
    pub trait SessionReads {
        /// Sessions with session-only memories in which nothing was written since `before`, by org, limited to an amount
        /// that one write should process.
        ///
        /// # Complexity
        /// O(session-only memories).
        fn idle_sessions(&mut self, before: DateTime<Utc>) -> Result<Vec<(OrgId, OpenSession)>, StoreError>;
    }
}

transaction! {
    forward_session_writes

    /// The ends of sessions.
    pub trait SessionWrites {
        /// Removes a batch of the session-only memories of a session of the pass's workspace, as by expiry.
        ///
        /// # Returns
        /// The number of removed memories; 0 if there are no more.
        fn end_session(&mut self, pass: &ActPass, session: &str) -> Result<usize, StoreError>;

        /// The same for a session of this job's org, if nothing was written in it since `before`.
        fn end_idle_session(&mut self, session: &OpenSession, before: DateTime<Utc>) -> Result<usize, StoreError>;
    }
}
