//! What was done, said once: from it come the row of the access log, the event for those who watch and, for what is
//! done to memories, the episode that session-search finds.

use std::sync::Arc;

use orgmem_hierarchy::{Scope, WorkspaceId};
use orgmem_policies::audit::{AuditAction, EventKind};
use orgmem_policies::{Caller, Role};
use serde_json::Value;
use sha2::{Digest, Sha256};
use uuid::Uuid;

/// On whose behalf something is done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Actor {
    pub(crate) subject: Arc<str>,
    pub(crate) role: Role,
    pub(crate) token: Option<Uuid>,
    pub(crate) workspace: Option<WorkspaceId>,
    pub(crate) request: Option<Arc<str>>,
    pub(crate) run: Option<Uuid>,
}

impl Actor {
    /// This caller, who came with this request and says to be in this run; `workspace` is the one that the call is
    /// about.
    #[must_use]
    pub fn caller(
        caller: &Caller,
        workspace: Option<WorkspaceId>,
        request: Option<Arc<str>>,
        run: Option<Uuid>,
    ) -> Self {
        let (role, token) = (caller.role(), caller.jti());
        Self { subject: caller.shared_subject(), role, token, workspace, request, run }
    }

    /// The server itself.
    #[must_use]
    pub fn server() -> Self {
        Self { subject: "orgmem".into(), role: Role::Admin, token: None, workspace: None, request: None, run: None }
    }
}

/// Names and values; of two of one name, the later counts.
pub(crate) type JsonFields = Vec<(&'static str, Value)>;

/// Something that was done, as one workspace.
///
/// It may name ids, versions, hashes and counts. It never holds content: what it says stays when the content goes.
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
}

/// The episode of a deed: what session-search finds of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct AuditEpisode {
    pub(crate) summary: String,
    pub(crate) session_id: Option<String>,
}

impl AuditRecord {
    /// `action`, done as `workspace` or to it.
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
        }
    }

    /// It was about these memories, each in this version.
    #[must_use]
    pub fn about(mut self, memories: impl IntoIterator<Item = (Uuid, i64)>) -> Self {
        self.memories.extend(memories);
        self
    }

    /// The SHA-256 of the content that it was about.
    #[must_use]
    pub fn hashed(mut self, content_hash: impl Into<Vec<u8>>) -> Self {
        self.content_hash = Some(content_hash.into());
        self
    }

    /// It was done in this run.
    #[must_use]
    pub fn in_run(mut self, run: Option<Uuid>) -> Self {
        self.run = run;
        self
    }

    /// The access log has this beside: for good, so no content and nothing that could have to be erased.
    #[must_use]
    pub fn context_field(mut self, name: &'static str, value: impl Into<Value>) -> Self {
        self.context.push((name, value.into()));
        self
    }

    /// The event has this beside: no content, but what may be erased with its workspace.
    #[must_use]
    pub fn event_field(mut self, name: &'static str, value: impl Into<Value>) -> Self {
        self.event_fields.push((name, value.into()));
        self
    }

    /// It is event_kind as this, or not at all, and not as its action usually is.
    #[must_use]
    pub fn event_kind(mut self, kind: Option<EventKind>) -> Self {
        self.event_kind = kind;
        self
    }

    /// It is event_kind to all who can read what the workspace shares so, and not only to who may watch the workspace.
    #[must_use]
    pub fn visible_to(mut self, scope: Scope, team: Option<WorkspaceId>) -> Self {
        self.visible_to = Some((scope, team));
        self
    }

    /// It leaves an episode in the workspace's log. It outlives what it is about, so it says nothing of what stood in
    /// it.
    #[must_use]
    pub fn with_episode(mut self, summary: String, session_id: Option<String>) -> Self {
        self.episode = Some(AuditEpisode { summary, session_id });
        self
    }

    /// It leaves an episode if `reader` is an agent that got memories by it: what people read in a workspace is nothing
    /// that happened there. `summary` is given the number of memories; they may be others', so it says nothing else of
    /// them than that and their scope.
    ///
    /// Source: product.md, section 4.4.
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

/// How the access log names the key of an entry: SHA-256, in hexadecimal digits.
#[must_use]
pub fn key_hash(key: &str) -> String {
    let mut digits = [0; 64];
    // there is room for two digits a byte
    let _ = hex::encode_to_slice(Sha256::digest(key), &mut digits);
    String::from_utf8_lossy(&digits).into_owned()
}
