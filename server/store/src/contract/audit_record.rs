//! Audit records: the common source of an audit row, of an event for subscribers and, for operations on memories, of an
//! episode for session search.

use std::sync::Arc;

use orgmem_hierarchy::{Scope, WorkspaceId};
use orgmem_policies::audit::{AuditAction, EventKind};
use orgmem_policies::{Caller, Role};
use serde_json::Value;
use sha2::{Digest, Sha256};
use uuid::Uuid;

use super::Difference;

/// The caller, or the server itself, that the audit log names for an operation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Actor {
    pub(crate) subject: Arc<str>,
    pub(crate) role: Role,
    pub(crate) token: Option<Uuid>,
    pub(crate) workspace: Option<WorkspaceId>,
    pub(crate) request: Option<Arc<str>>,
    pub(crate) run: Option<Uuid>,
    pub(crate) context: Option<Arc<Value>>,
}

impl Actor {
    /// The actor of a request. `workspace` is the workspace of the call, `run` the run that the request names.
    #[must_use]
    pub fn caller(
        caller: &Caller,
        workspace: Option<WorkspaceId>,
        request: Option<Arc<str>>,
        run: Option<Uuid>,
    ) -> Self {
        let (role, token) = (caller.role(), caller.jti());
        Self { subject: caller.shared_subject(), role, token, workspace, request, run, context: None }
    }

    /// The server itself, as an admin without a token.
    #[must_use]
    pub fn server() -> Self {
        Self {
            subject: "orgmem".into(),
            role: Role::Admin,
            token: None,
            workspace: None,
            request: None,
            run: None,
            context: None,
        }
    }

    /// Sets the context that the caller adds to its rows: an object that was checked and scrubbed.
    #[must_use]
    pub fn with_context(self, context: Option<Arc<Value>>) -> Self {
        Self { context, ..self }
    }
}

/// Members of a JSON object; the last value of a repeated name counts.
pub(crate) type JsonFields = Vec<(&'static str, Value)>;

/// An operation of one workspace, or on it.
///
/// It may contain ids, versions, hashes and counts, but never content: the record outlives the content.
#[derive(Clone, Debug, PartialEq)]
pub struct AuditRecord {
    pub(crate) action: AuditAction,
    pub(crate) workspace: WorkspaceId,
    pub(crate) memories: Vec<(Uuid, i64)>,
    pub(crate) content_hash: Option<Vec<u8>>,
    pub(crate) run: Option<Uuid>,
    pub(crate) context: JsonFields,
    pub(crate) event_kind: Option<EventKind>,
    pub(crate) event_fields: JsonFields,
    pub(crate) visible_to: Option<(Scope, Option<WorkspaceId>)>,
    pub(crate) episode: Option<AuditEpisode>,
    pub(crate) differences: Vec<Difference>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct AuditEpisode {
    pub(crate) summary: String,
    pub(crate) session_id: Option<String>,
}

impl AuditRecord {
    /// A record of `action` by `workspace` or on it. The action determines the kind of the event.
    #[must_use]
    pub fn new(action: AuditAction, workspace: WorkspaceId) -> Self {
        Self {
            action,
            workspace,
            memories: Vec::new(),
            content_hash: None,
            run: None,
            context: JsonFields::new(),
            event_kind: action.event_kind(),
            event_fields: JsonFields::new(),
            visible_to: None,
            episode: None,
            differences: Vec::new(),
        }
    }

    /// Adds differences between claims and records that the operation found. Each opens a review, once.
    #[must_use]
    pub fn with_differences(mut self, differences: Vec<Difference>) -> Self {
        self.differences = differences;
        self
    }

    /// Adds memories, each as its id and version.
    #[must_use]
    pub fn about(mut self, memories: impl IntoIterator<Item = (Uuid, i64)>) -> Self {
        self.memories.extend(memories);
        self
    }

    /// Sets the SHA-256 of the content written or removed.
    #[must_use]
    pub fn hashed(mut self, content_hash: impl Into<Vec<u8>>) -> Self {
        self.content_hash = Some(content_hash.into());
        self
    }

    /// Sets the run of the operation. Without it, the run that the request names counts.
    #[must_use]
    pub fn in_run(mut self, run: Option<Uuid>) -> Self {
        self.run = run;
        self
    }

    /// Adds a field to the audit row. The row is permanent, so the value must be neither content nor data that may have
    /// to be erased.
    #[must_use]
    pub fn context_field(mut self, name: &'static str, value: impl Into<Value>) -> Self {
        self.context.push((name, value.into()));
        self
    }

    /// Adds a field to the event. The value must not be content, but may be data that is erased with the workspace.
    #[must_use]
    pub fn event_field(mut self, name: &'static str, value: impl Into<Value>) -> Self {
        self.event_fields.push((name, value.into()));
        self
    }

    /// Overrides the kind of the event; `None` suppresses the event.
    #[must_use]
    pub fn event_kind(mut self, kind: Option<EventKind>) -> Self {
        self.event_kind = kind;
        self
    }

    /// Announces the event to all readers of this partition of the workspace, not only to those that may subscribe to
    /// the workspace.
    #[must_use]
    pub fn visible_to(mut self, scope: Scope, team: Option<WorkspaceId>) -> Self {
        self.visible_to = Some((scope, team));
        self
    }

    /// Adds an episode to the activity log of the workspace. The episode outlives the content, so `summary` must not
    /// contain any of it.
    #[must_use]
    pub fn with_episode(mut self, summary: String, session_id: Option<String>) -> Self {
        self.episode = Some(AuditEpisode { summary, session_id });
        self
    }

    /// Adds an episode if `reader` is an agent and received memories. Reads by people are no activity of the workspace.
    /// `summary` receives the number of memories. They may belong to other authors, so it may contain only their number
    /// and scope.
    ///
    /// Source: `docs/spec/activity.md`, "Episodes of the server".
    #[must_use]
    pub fn with_read_episode(
        self,
        reader: &Caller,
        summary: impl FnOnce(usize) -> String,
        session_id: Option<String>,
    ) -> Self {
        if reader.role() != Role::Agent || self.memories.is_empty() {
            return self;
        }
        let summary = summary(self.memories.len());
        self.with_episode(summary, session_id)
    }
}

/// The SHA-256 of the key of an entry in hexadecimal digits, as the audit log contains it.
#[must_use]
pub fn key_hash(key: &str) -> String {
    let mut digits = [0; 64];
    // cannot fail: the buffer has two digits for each of the 32 bytes
    let _ = hex::encode_to_slice(Sha256::digest(key), &mut digits);
    String::from_utf8_lossy(&digits).into_owned()
}
