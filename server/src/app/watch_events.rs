//! Event streams of workspaces.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::Arc;

use orgmem_hierarchy::WorkspaceId;
use orgmem_policies::audit::{AuditAction, EventKind};
use orgmem_policies::{EventPass, ReadPass};
use orgmem_store::{AuditRecord, Event, ReadPlan, SERVER, Subscription};
use orgmem_types as wire;
use parking_lot::Mutex;
use uuid::Uuid;

use super::call::ReadCall;
use super::memory_rows::one_memory;
use super::wire::object;
use super::{App, AppError};
use crate::auth::VerifiedClaims;

/// Maximum number of events that are read in one snapshot.
const BATCH: usize = 256;

/// Maximum size of the memories of the events that are read at once, not counting the last one.
const BATCH_BYTES: usize = 128 * 1024;

/// The number of open streams of this server, by token id and bound workspace.
#[derive(Default)]
pub(super) struct Streams(Mutex<HashMap<(Uuid, Option<WorkspaceId>), usize>>);

impl Streams {
    fn open(self: Arc<Self>, auth: &VerifiedClaims) -> OpenStream {
        let key = (auth.identity().jti, auth.identity().workspace);
        *self.0.lock().entry(key).or_default() += 1;
        OpenStream { streams: self, key }
    }

    pub(super) fn of_token(&self, jti: Uuid) -> usize {
        self.0.lock().iter().filter(|((open, _), _)| *open == jti).map(|(_, count)| count).sum()
    }

    /// Streams of all tokens that are bound to this workspace.
    pub(super) fn of_workspace(&self, workspace: WorkspaceId) -> usize {
        self.0.lock().iter().filter(|((_, bound), _)| *bound == Some(workspace)).map(|(_, count)| count).sum()
    }
}

/// A stream in [`Streams`], counted until it is dropped.
struct OpenStream {
    streams: Arc<Streams>,
    key: (Uuid, Option<WorkspaceId>),
}

impl Drop for OpenStream {
    fn drop(&mut self) {
        let mut open = self.streams.0.lock();
        if let Entry::Occupied(mut count) = open.entry(self.key) {
            *count.get_mut() -= 1;
            if *count.get() == 0 {
                count.remove();
            }
        }
    }
}

/// An open event stream and its position.
pub struct Watcher {
    app: Arc<App>,
    auth: Arc<VerifiedClaims>,
    workspace: Uuid,
    below: bool,
    /// Whether events carry the memories.
    memories: bool,
    after: i64,
    subscriptions: [Subscription; 2],
    open: Option<OpenStream>,
}

/// The next events of a stream.
pub struct News {
    /// In ascending order of their numbers.
    pub events: Vec<wire::Event>,
    /// The number of the last event that was read.
    pub until: i64,
    /// Whether more events can be read immediately.
    pub more: bool,
    /// Whether events were deleted before they were read: the client must read the current state.
    pub missed: bool,
}

impl App {
    /// Opens a stream as the workspace, after the event with this number or from now on.
    pub async fn watch_events(
        self: Arc<Self>,
        auth: Arc<VerifiedClaims>,
        workspace: Uuid,
        parameters: &wire::WatchEvents,
        after: Option<i64>,
    ) -> Result<Watcher, AppError> {
        let below = parameters.subtree.unwrap_or(false);
        let memories = parameters.memories.unwrap_or(true);
        let begin = self.read(auth.call(workspace).plan(ReadPlan::PointLookup), move |call| {
            let top = call.workspace;
            call.watches(top, below)?;
            Ok((call.org, call.tx.last_event(call.org)?))
        });
        let (org, last) = begin.await?;
        // the token of an admin is revoked in the org of the server
        let subscriptions = [self.store.watch(org), self.store.watch(SERVER)];
        let open = Some(Arc::clone(&self.streams).open(&auth));
        Ok(Watcher { app: self, auth, workspace, below, memories, after: after.unwrap_or(last), subscriptions, open })
    }
}

impl Watcher {
    /// The number of the last event that was read.
    #[must_use]
    pub fn after(&self) -> i64 {
        self.after
    }

    /// The events since the last call. Each call admits the caller and decides in the current tree.
    ///
    /// # Errors
    /// [`AppError`] once the token has expired or was revoked, or the workspace was removed; the stream is closed then.
    pub async fn news(&mut self) -> Result<News, AppError> {
        let news = self.read_news().await;
        if news.is_err() {
            // before the client receives the error
            self.open = None;
        }
        news
    }

    async fn read_news(&mut self) -> Result<News, AppError> {
        if self.app.auth.is_over(&self.auth, self.app.now()) {
            return Err(AppError::Expired);
        }
        let (below, memories, after) = (self.below, self.memories, self.after);
        let reading = self.app.read_audited(self.auth.call(self.workspace).plan(ReadPlan::Scan), move |call| {
            let top = call.workspace;
            let pass = call.watches(top, below)?;
            let page = call.tx.events_after(&pass, after, BATCH)?;
            let mut news = News { events: Vec::new(), until: page.until, more: page.more, missed: page.missed };
            let mut bytes = 0;
            for event in page.events {
                if bytes >= BATCH_BYTES {
                    (news.until, news.more) = (event.seq - 1, true);
                    break;
                }
                if !below && is_excluded(call, &pass, &event)? {
                    continue;
                }
                let memory = if memories { read_memory(call, &pass, below, &event)? } else { None };
                bytes += memory.as_ref().map_or(0, |memory| memory.content.len());
                news.events.push(to_wire(call, event, memory)?);
            }
            let seen: Vec<(Uuid, i64)> =
                news.events.iter().filter_map(|event| event.memory.as_ref()).map(|m| (m.id, m.version)).collect();
            let record = (!seen.is_empty()).then(|| AuditRecord::new(AuditAction::WatchEvents, top).about(seen));
            Ok((news, record))
        });
        let news = reading.await?;
        self.after = news.until;
        Ok(news)
    }

    /// Skips the events that were not read.
    ///
    /// # Returns
    /// The number of the last one.
    ///
    /// # Errors
    /// As [`news`](Self::news).
    pub async fn skip(&mut self) -> Result<i64, AppError> {
        let reading = self.app.read(self.auth.call(self.workspace).plan(ReadPlan::PointLookup), |call| {
            Ok(call.tx.last_event(call.org)?)
        });
        self.after = reading.await?;
        Ok(self.after)
    }

    /// Waits until there may be new events.
    pub async fn woken(&mut self) {
        let [org, server] = &mut self.subscriptions;
        tokio::select! {
            () = org.woken() => {}
            () = server.woken() => {}
        }
    }
}

impl ReadCall<'_> {
    fn watches(&mut self, top: WorkspaceId, below: bool) -> Result<EventPass, AppError> {
        let profile = self.tx.default_settings(self.org, top)?;
        self.pass(|caller, tree| EventPass::grant(caller, tree, top, &profile, below))
    }
}

/// Whether an event is about a memory of a kind, or of a profile, that the reader's profile excludes.
fn is_excluded(call: &mut ReadCall<'_>, pass: &EventPass, event: &Event) -> Result<bool, AppError> {
    let reads = pass.reads();
    let has_users = !reads.users().is_open();
    let is_limited = !reads.excluded_kinds().is_empty() || !reads.within().is_empty() || has_users;
    // of an end user or none: what is not about a memory, or about one that is gone, may be about another
    let Some(memory) = event.memory.filter(|_| is_limited) else { return Ok(has_users && !is_of_tree(event.kind)) };
    let Some(labels) = call.tx.memory_labels(call.org, memory)? else { return Ok(has_users) };
    let is_of_user = reads.users().permits(labels.subject.as_deref(), labels.session.as_deref());
    Ok(!is_of_user || reads.excludes(&labels.kind) || !reads.permits_profile(labels.profile))
}

/// Whether events of this kind are about workspaces.
fn is_of_tree(kind: EventKind) -> bool {
    kind.as_str().starts_with("workspace_")
}

fn to_wire(call: &mut ReadCall<'_>, event: Event, memory: Option<wire::Memory>) -> Result<wire::Event, AppError> {
    let mut details = object(&event.details).unwrap_or_default();
    call.hide_others(&mut details)?;
    Ok(wire::Event {
        seq: event.seq,
        kind: event.kind.to_string(),
        at: event.at,
        workspace_id: event.workspace.uuid(),
        memory_id: event.memory,
        scope: event.partition.map(|(scope, _)| scope),
        memory: memory.map(Box::new),
        details,
    })
}

/// The memory of an event about new content.
fn read_memory(
    call: &mut ReadCall<'_>,
    pass: &EventPass,
    below: bool,
    event: &Event,
) -> Result<Option<wire::Memory>, AppError> {
    match (event.kind, event.memory) {
        (EventKind::MemoryCommitted | EventKind::MemoryEdited, Some(id)) => {
            readable(call, pass, below, event.workspace, id)
        }
        _ => Ok(None),
    }
}

/// The current memory as the workspace reads it or, in a stream over a subtree, as its author does where the caller may
/// read as the author.
fn readable(
    call: &mut ReadCall<'_>,
    pass: &EventPass,
    below: bool,
    author: WorkspaceId,
    memory: Uuid,
) -> Result<Option<wire::Memory>, AppError> {
    let own = match below {
        true => {
            let profile = call.tx.default_settings(call.org, author)?;
            ReadPass::grant(&call.caller, &*call.tx.tree(call.org)?, author, &profile).ok()
        }
        false => None,
    };
    one_memory(call, own.as_ref().unwrap_or(pass.reads()), memory)
}
