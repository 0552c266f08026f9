//! The execution strategies of a read, and whom it is for.

use orgmem_hierarchy::OrgId;
use uuid::Uuid;

/// Whom a read is for. Reads that wait for a connection take turns by org, then by caller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Requester {
    /// `None` for the server itself and for callers without an org.
    pub org: Option<OrgId>,
    /// The token; nil for the server itself.
    pub caller: Uuid,
}

impl Requester {
    /// The server itself, for jobs.
    pub const SERVER: Self = Self { org: None, caller: Uuid::nil() };
}

/// The expected cost of a read, which decides the thread that runs it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReadPlan {
    /// Data that is usually cached. If the caches have it and no other server can have changed it, the database is not
    /// queried; else like `PointLookup`.
    Cached,
    /// A few rows by key. On SQLite it runs on the calling thread, because it costs less than a change of threads.
    PointLookup,
    /// A few rows by key, on the blocking pool, because the database may not respond.
    Probe,
    /// Unknown in advance, but usually small. The read starts like `PointLookup`; if large, it restarts like `Scan`.
    /// While many such reads are in flight, it starts like `Scan`.
    Adaptive,
    /// Anything else; runs on the blocking pool.
    Scan,
}

impl ReadPlan {
    /// Whether the read may start on the calling thread.
    pub(crate) fn is_inline(self) -> bool {
        matches!(self, Self::Cached | Self::PointLookup | Self::Adaptive)
    }

    /// Whether the read may use a connection for long.
    pub(crate) fn may_scan(self) -> bool {
        matches!(self, Self::Adaptive | Self::Scan)
    }
}
