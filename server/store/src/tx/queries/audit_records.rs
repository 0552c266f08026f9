//! Recording of operations: a row of the audit log, an event and an episode, in the transaction of the operation.

use std::collections::BTreeMap;

use diesel::prelude::*;
use orgmem_hierarchy::{OrgId, Scope, WorkspaceId};
use orgmem_policies::audit::{AuditAction, EventKind};
use orgmem_policies::rules::MemoryChange;
use orgmem_policies::{Role, rules};
use serde_json::Value;

use super::Tx;
use super::episodes::EpisodeRow;
use super::insert::{Outgoing, write_rows};
use super::memory_episodes::names_memory;
use super::memory_rows::MemoryRow;
use crate::StoreError;
use crate::clock::id_of;
use crate::columns::{Id, TextEnum, Time};
use crate::contract::{Actor, AuditEpisode, AuditRecord, MemoryStatus};
use crate::schema::{access_log, events};

/// A row of `access_log`.
#[derive(Clone, Debug, Queryable, Selectable, Insertable)]
#[diesel(table_name = access_log, treat_none_as_default_value = false)]
pub(crate) struct StoredAuditRow {
    pub(crate) org_id: Id,
    pub(crate) seq: i64,
    pub(crate) at: Time,
    pub(crate) verb: TextEnum<AuditAction>,
    pub(crate) subject: String,
    pub(crate) role: TextEnum<Role>,
    pub(crate) token_id: Option<Id>,
    pub(crate) workspace_id: Id,
    pub(crate) run_id: Option<Id>,
    pub(crate) content_hash: Option<Vec<u8>>,
    pub(crate) memories: Vec<u8>,
    pub(crate) context: String,
}

/// A row of `events`.
#[derive(Clone, Debug, Queryable, Selectable, Insertable)]
#[diesel(table_name = events, treat_none_as_default_value = false)]
pub(crate) struct EventRow {
    pub(crate) org_id: Id,
    pub(crate) seq: i64,
    pub(crate) at: Time,
    pub(crate) kind: TextEnum<EventKind>,
    pub(crate) workspace_id: Id,
    pub(crate) memory_id: Option<Id>,
    pub(crate) scope: Option<TextEnum<Scope>>,
    pub(crate) team_id: Option<Id>,
    pub(crate) details: String,
}

pub(crate) fn insert_access(out: &mut Outgoing<'_>, rows: Vec<StoredAuditRow>) -> Result<(), StoreError> {
    write_rows!(out, rows, rows => diesel::insert_into(access_log::table).values(rows));
    Ok(())
}

pub(crate) fn insert_events(out: &mut Outgoing<'_>, rows: Vec<EventRow>) -> Result<(), StoreError> {
    write_rows!(out, rows, rows => diesel::insert_into(events::table).values(rows));
    Ok(())
}

impl Tx<'_> {
    pub(crate) fn set_actor(&mut self, actor: Actor) {
        self.actor = actor;
    }

    pub(crate) fn record(&mut self, record: AuditRecord) -> Result<i64, StoreError> {
        let (actor, at) = (self.actor.clone(), Time(self.now));
        self.note(at, &record)?;
        self.record_by(&actor, at, &record)
    }

    /// Appends the episode of a record, if it has one. This does not mark the org as changed: a write marks it
    /// separately, and a read does not affect the caches.
    pub(crate) fn note(&mut self, at: Time, record: &AuditRecord) -> Result<(), StoreError> {
        let Some(AuditEpisode { summary, session_id }) = &record.episode else { return Ok(()) };
        // an operation that is recorded later gets an id of its own time
        let id = if at.0 < self.now { id_of(at.0) } else { self.core.ids.next(self.now) };
        let activity_type = rules::activity_type(record.action).to_owned();
        let mut row = EpisodeRow::bare(self.org.into(), record.workspace.into(), Id(id), activity_type);
        row.method = Some(record.action.as_str().to_owned());
        row.summary = Some(summary.clone());
        row.target_id = record.memories.first().map(|(id, _)| Id(*id));
        row.status = Some("ok".to_owned());
        row.session_id = session_id.clone();
        row.names_target = names_memory(record.action, summary, session_id.as_deref());
        self.append_row(row)
    }

    /// Records an operation that `actor` performed at `at`, without its episode.
    pub(crate) fn record_by(&mut self, actor: &Actor, at: Time, record: &AuditRecord) -> Result<i64, StoreError> {
        let org = self.org;
        let &AuditRecord { action, workspace, run, event_kind, visible_to, .. } = record;
        let AuditRecord { memories, content_hash, context, event_fields, .. } = record;
        if let Some(kind) = event_kind {
            let memory_id = <[_; 1]>::try_from(memories.as_slice()).ok().map(|[(id, _)]| Id(id));
            self.push_event(at, kind, workspace, memory_id, visible_to, event_fields)?;
        }
        let through = actor.workspace.filter(|through| *through != workspace).map(|through| through.to_string().into());
        let request: Option<Value> = actor.request.as_deref().map(Value::from);
        let own =
            [("through", through.as_ref()), ("request_id", request.as_ref()), ("caller", actor.context.as_deref())];
        let own = own.into_iter().filter_map(|(name, value)| Some((name, value?)));
        let contexts = context.iter().map(|(name, value)| (*name, value));
        let seq = self.next_access_seq(org)?;
        self.pending.access.push(StoredAuditRow {
            org_id: org.into(),
            seq,
            at,
            verb: TextEnum(action),
            subject: actor.subject.to_string(),
            role: TextEnum(actor.role),
            token_id: actor.token.map(Id),
            workspace_id: workspace.into(),
            run_id: run.or(actor.run).map(Id),
            content_hash: content_hash.clone(),
            memories: encode_memories(memories),
            context: json_object(contexts.chain(own)),
        });
        Ok(seq)
    }

    /// Adds an event for operations that have their own audit rows, visible to all readers of the partition.
    pub(crate) fn announce(
        &mut self,
        kind: EventKind,
        workspace: WorkspaceId,
        visible_to: (Scope, Option<WorkspaceId>),
        event_fields: &[(&'static str, Value)],
    ) -> Result<(), StoreError> {
        self.push_event(Time(self.now), kind, workspace, None, Some(visible_to), event_fields)
    }

    /// Adds an event for a change of the staged memories of a run, visible to those who may read its workspace.
    pub(crate) fn announce_run(&mut self, workspace: WorkspaceId, run: uuid::Uuid) -> Result<(), StoreError> {
        let event_fields = [("run_id", run.to_string().into())];
        self.push_event(Time(self.now), EventKind::RunChanged, workspace, None, None, &event_fields)
    }

    pub(crate) fn push_event(
        &mut self,
        at: Time,
        kind: EventKind,
        workspace: WorkspaceId,
        memory_id: Option<Id>,
        visible_to: Option<(Scope, Option<WorkspaceId>)>,
        event_fields: &[(&'static str, Value)],
    ) -> Result<(), StoreError> {
        let org = self.org;
        let seq = self.next_event_seq(org)?;
        self.pending.events.push(EventRow {
            org_id: org.into(),
            seq,
            at,
            kind: TextEnum(kind),
            workspace_id: workspace.into(),
            memory_id,
            scope: visible_to.map(|(scope, _)| TextEnum(scope)),
            team_id: visible_to.and_then(|(_, team)| team).map(Id::from),
            details: json_object(event_fields.iter().map(|(name, value)| (*name, value))),
        });
        Ok(())
    }

    /// The next sequence number of the org's audit log. This does not mark the org as changed, because a read does not
    /// affect the caches.
    fn next_access_seq(&mut self, org: OrgId) -> Result<i64, StoreError> {
        let view = self.view(org)?;
        Ok(view.changes.row_delta.next_access(&view.row))
    }

    /// The next sequence number of the org's events. It marks the org as changed.
    fn next_event_seq(&mut self, org: OrgId) -> Result<i64, StoreError> {
        let view = self.view(org)?;
        Ok(view.changes.row_delta.next_event(&view.row))
    }

    /// Records a change of a memory. `memory` is its last row with content.
    pub(crate) fn record_memory(&mut self, change: MemoryChange, memory: &MemoryRow) -> Result<i64, StoreError> {
        self.record(memory_record(change, memory))
    }
}

/// The record of a change of a memory. `memory` is its last row with content.
pub(crate) fn memory_record(change: MemoryChange, memory: &MemoryRow) -> AuditRecord {
    let (team, action) = (memory.team_id.team(), change.action());
    let session_id = memory.authored.session_id.clone().filter(|_| !change.is_removal());
    let mut record = AuditRecord::new(action, memory.author_id.workspace())
        .about([(memory.id.0, memory.version)])
        .hashed(memory.content_hash.clone())
        .in_run(memory.run_id.map(|run| run.0))
        .visible_to(memory.scope.0, team)
        .event_field("version", memory.version)
        .with_episode(change.summary(memory.scope.0, &memory.authored.kind), session_id);
    if let (AuditAction::CommitMemory, Some(old)) = (action, memory.supersedes) {
        record = record.context_field("supersedes", old.0.to_string()).event_field("supersedes", old.0.to_string());
    }
    // a superseded memory has no readers, so its commit gets no event
    if memory.status.0 == MemoryStatus::Superseded && action == AuditAction::CommitMemory {
        record = record.event_kind(None);
    }
    record
}

/// For each memory, 16 bytes of its id and 8 big-endian bytes of its version.
fn encode_memories(memories: &[(uuid::Uuid, i64)]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(memories.len() * 24);
    for (id, version) in memories {
        bytes.extend_from_slice(id.as_bytes());
        bytes.extend_from_slice(&version.to_be_bytes());
    }
    bytes
}

/// A JSON object of these members, sorted by name; the last value of a duplicate name wins.
fn json_object<'m>(members: impl Iterator<Item = (&'m str, &'m Value)>) -> String {
    // a map from strings to JSON values always serializes
    serde_json::to_string(&members.collect::<BTreeMap<_, _>>()).unwrap_or_default()
}
