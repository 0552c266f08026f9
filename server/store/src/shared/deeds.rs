//! The one place where something that was done is told: a row of the access log, an event and an episode, written with
//! the group that did it.

use std::collections::BTreeMap;

use diesel::prelude::*;
use orgmem_hierarchy::{OrgId, Scope, WorkspaceId};
use orgmem_policies::Role;
use orgmem_policies::access::{EventKind, Verb};
use serde_json::Value;

use super::episodes::EpisodeRow;
use super::insert::{Outgoing, write_rows};
use super::memory_rows::MemoryRow;
use super::tx::Tx;
use crate::StoreError;
use crate::clock::id_of;
use crate::columns::{Id, Time, Word};
use crate::contract::{By, Deed, Noted, Status, WriteDeeds};
use crate::schema::{access_log, events};

/// A row of the access log.
#[derive(Clone, Debug, Queryable, Selectable, Insertable)]
#[diesel(table_name = access_log, treat_none_as_default_value = false)]
pub(super) struct AccessRow {
    pub(super) org_id: Id,
    pub(super) seq: i64,
    pub(super) at: Time,
    pub(super) verb: Word<Verb>,
    pub(super) subject: String,
    pub(super) role: Word<Role>,
    pub(super) token_id: Option<Id>,
    pub(super) workspace_id: Id,
    pub(super) run_id: Option<Id>,
    pub(super) content_hash: Option<Vec<u8>>,
    pub(super) memories: Vec<u8>,
    pub(super) context: String,
}

/// An event.
#[derive(Clone, Debug, Queryable, Selectable, Insertable)]
#[diesel(table_name = events, treat_none_as_default_value = false)]
pub(super) struct EventRow {
    pub(super) org_id: Id,
    pub(super) seq: i64,
    pub(super) at: Time,
    pub(super) kind: Word<EventKind>,
    pub(super) workspace_id: Id,
    pub(super) memory_id: Option<Id>,
    pub(super) scope: Option<Word<Scope>>,
    pub(super) team_id: Option<Id>,
    pub(super) details: String,
}

pub(super) fn insert_access(out: &mut Outgoing<'_>, rows: Vec<AccessRow>) -> Result<(), StoreError> {
    write_rows!(out, rows, rows => diesel::insert_into(access_log::table).values(rows));
    Ok(())
}

pub(super) fn insert_events(out: &mut Outgoing<'_>, rows: Vec<EventRow>) -> Result<(), StoreError> {
    write_rows!(out, rows, rows => diesel::insert_into(events::table).values(rows));
    Ok(())
}

impl WriteDeeds for Tx<'_> {
    fn on_behalf_of(&mut self, by: By) {
        self.by = by;
    }

    fn record(&mut self, deed: Deed) -> Result<i64, StoreError> {
        let (by, at) = (self.by.clone(), Time(self.now));
        self.note(at, &deed);
        self.record_by(&by, at, &deed)
    }
}

impl Tx<'_> {
    /// Adds the episode of a deed, if it leaves one. It is no change of the org: who changed something said so, and what
    /// was read is no news to who keeps the org in memory.
    pub(super) fn note(&mut self, at: Time, deed: &Deed) {
        let Some(Noted { summary, session_id }) = &deed.noted else { return };
        // what is told afterwards has its place where it happened
        let id = if at.0 < self.now { id_of(at.0) } else { self.core.ids.next(self.now) };
        let activity_type = activity_type(deed.verb).to_owned();
        let mut row = EpisodeRow::bare(self.org.into(), deed.workspace.into(), Id(id), activity_type);
        row.method = Some(deed.verb.as_str().to_owned());
        row.summary = Some(summary.clone());
        row.target_id = deed.memories.first().map(|(id, _)| Id(*id));
        row.status = Some("ok".to_owned());
        row.session_id = session_id.clone();
        self.append_row(row);
    }

    /// Records what was done at `at` on behalf of `by`, but for its episode.
    pub(super) fn record_by(&mut self, by: &By, at: Time, deed: &Deed) -> Result<i64, StoreError> {
        let org = self.org;
        let &Deed { verb, workspace, run, announced, shelf, .. } = deed;
        let Deed { memories, content_hash, context, details, .. } = deed;
        if let Some(kind) = announced {
            let memory_id = <[_; 1]>::try_from(memories.as_slice()).ok().map(|[(id, _)]| Id(id));
            self.push_event(at, kind, workspace, memory_id, shelf, details)?;
        }
        let through = by.workspace.filter(|through| *through != workspace).map(|through| through.to_string().into());
        let request: Option<Value> = by.request.as_deref().map(Value::from);
        let own = [("through", through.as_ref()), ("request_id", request.as_ref())];
        let own = own.into_iter().filter_map(|(name, value)| Some((name, value?)));
        let told = context.iter().map(|(name, value)| (*name, value));
        let seq = self.next_access_seq(org)?;
        self.pending.access.push(AccessRow {
            org_id: org.into(),
            seq,
            at,
            verb: Word(verb),
            subject: by.subject.to_string(),
            role: Word(by.role),
            token_id: by.token.map(Id),
            workspace_id: workspace.into(),
            run_id: run.or(by.run).map(Id),
            content_hash: content_hash.clone(),
            memories: encode_memories(memories),
            context: text(told.chain(own)),
        });
        Ok(seq)
    }

    /// Announces something that is told of in rows of its own, to all who can read what the workspace shares so.
    pub(super) fn announce(
        &mut self,
        kind: EventKind,
        workspace: WorkspaceId,
        shelf: (Scope, Option<WorkspaceId>),
        details: &[(&'static str, Value)],
    ) -> Result<(), StoreError> {
        self.push_event(Time(self.now), kind, workspace, None, Some(shelf), details)
    }

    /// Announces that a run holds back something else, to those who may look into it: it is its workspace's own.
    pub(super) fn announce_run(&mut self, workspace: WorkspaceId, run: uuid::Uuid) -> Result<(), StoreError> {
        let details = [("run_id", run.to_string().into())];
        self.push_event(Time(self.now), EventKind::RunChanged, workspace, None, None, &details)
    }

    fn push_event(
        &mut self,
        at: Time,
        kind: EventKind,
        workspace: WorkspaceId,
        memory_id: Option<Id>,
        shelf: Option<(Scope, Option<WorkspaceId>)>,
        details: &[(&'static str, Value)],
    ) -> Result<(), StoreError> {
        let org = self.org;
        let seq = self.next_event_seq(org)?;
        self.pending.events.push(EventRow {
            org_id: org.into(),
            seq,
            at,
            kind: Word(kind),
            workspace_id: workspace.into(),
            memory_id,
            scope: shelf.map(|(scope, _)| Word(scope)),
            team_id: shelf.and_then(|(_, team)| team).map(Id::from),
            details: text(details.iter().map(|(name, value)| (*name, value))),
        });
        Ok(())
    }

    /// The number of the next row of this org's access log. It does not count as a change of the org: what was read is
    /// no news to who keeps the org in memory.
    fn next_access_seq(&mut self, org: OrgId) -> Result<i64, StoreError> {
        let view = self.view(org)?;
        view.changes.tally.accesses += 1;
        Ok(view.row.access_seq + view.changes.tally.accesses)
    }

    /// The number of the next event of this org.
    fn next_event_seq(&mut self, org: OrgId) -> Result<i64, StoreError> {
        let view = self.view(org)?;
        view.changes.tally.events += 1;
        Ok(view.row.event_seq + view.changes.tally.events)
    }

    /// Tells what was done to `memory`, whose row is as it was left.
    pub(super) fn record_memory(&mut self, verb: Verb, did: &str, memory: &MemoryRow) -> Result<i64, StoreError> {
        self.record(memory_deed(verb, did, memory))
    }
}

/// What was done to `memory`, whose row is as it was left.
pub(super) fn memory_deed(verb: Verb, did: &str, memory: &MemoryRow) -> Deed {
    let team = memory.team_id.team();
    let mut deed = Deed::new(verb, memory.author_id.workspace())
        .about([(memory.id.0, memory.version)])
        .hashed(memory.content_hash.clone())
        .in_run(memory.run_id.map(|run| run.0))
        .shared(memory.scope.0, team)
        .telling("version", memory.version)
        .noted(format!("{did} a {} {}", memory.scope.0, memory.kind), memory.session_id.clone());
    if let (Verb::CommitMemory, Some(old)) = (verb, memory.supersedes) {
        deed = deed.with("supersedes", old.0.to_string()).telling("supersedes", old.0.to_string());
    }
    // what nobody reads any more is no news
    if memory.status.0 == Status::Superseded && verb == Verb::CommitMemory {
        deed = deed.announced_as(None);
    }
    deed
}

/// The type of the episode of a read.
pub(super) const MEMORY_READ: &str = "memory_read";

/// The type of the episode of what is done to memories.
const fn activity_type(verb: Verb) -> &'static str {
    match verb {
        Verb::ForgetMemory => "memory_forget",
        Verb::RedactMemory | Verb::ScrubMemory => "memory_redact",
        verb if verb.shows_memories() => MEMORY_READ,
        _ => "memory_write",
    }
}

/// Sixteen bytes of the id and eight of the version for each.
fn encode_memories(memories: &[(uuid::Uuid, i64)]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(memories.len() * 24);
    for (id, version) in memories {
        bytes.extend_from_slice(id.as_bytes());
        bytes.extend_from_slice(&version.to_be_bytes());
    }
    bytes
}

/// An object of these members in the order of their names; of two of one name, the later.
fn text<'m>(members: impl Iterator<Item = (&'m str, &'m Value)>) -> String {
    // a map of words to values always has a JSON form
    serde_json::to_string(&members.collect::<BTreeMap<_, _>>()).unwrap_or_default()
}
