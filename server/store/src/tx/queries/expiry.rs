//! Removals by the server itself, by a rule: each has an audit row with the rule, in the transaction of the removal.
//!
//! One row names all memories that one rule removes from one workspace in one batch of the sweep.

use std::collections::BTreeMap;

use diesel::prelude::*;
use orgmem_hierarchy::{OrgId, WorkspaceId};
use orgmem_policies::audit::{AuditAction, EventKind};
use orgmem_policies::rules::{Expiry, ExpiryRule, expiry_summary};
use serde_json::Value;
use uuid::Uuid;

use super::Tx;
use super::memory_rows::MemoryRow;
use crate::StoreError;
use crate::columns::{Id, TextEnum, Time};
use crate::contract::{AuditRecord, MemoryStatus, key_hash};
use crate::engine::RowContext;
use crate::schema::{entries, memories, memory_versions};

/// The workspace, the rule and the profile that one audit row is about.
type RemovalKey = (WorkspaceId, Option<ExpiryRule>, Option<Uuid>);

/// The removals that one audit row names: ids and versions, and the number of earlier versions removed with them.
#[derive(Default)]
struct Removals {
    memories: Vec<(Uuid, i64)>,
    earlier_versions: usize,
}

/// Ids of memories, each with its version.
type MemoryVersions = Vec<(Uuid, i64)>;

impl Tx<'_> {
    /// Deletes the content of the memories that are still expired. Their rows remain as records of the expiry.
    pub(crate) fn reclaim_memories(&mut self, org: OrgId, ids: &[Uuid]) -> Result<(), StoreError> {
        let mut removed = BTreeMap::new();
        for &id in ids {
            if let Some(row) = self.memory_row(org, id)?.filter(|row| row.is_expired(Time(self.now))) {
                let profile = self.profile_of_rule(&row)?;
                self.reclaim_row(row, profile, &mut removed)?;
            }
        }
        self.record_removals(removed)
    }

    /// Expires memories by a rule: of `profile`, or of their session.
    pub(crate) fn expire_memories(
        &mut self,
        rows: &[MemoryRow],
        rule: ExpiryRule,
        profile: Option<Uuid>,
    ) -> Result<(), StoreError> {
        let mut removed = BTreeMap::new();
        let expiry = Some(Expiry { at: self.now, rule: Some(rule) });
        for row in rows {
            self.reclaim_row(row.clone().expiring(expiry), profile, &mut removed)?;
        }
        self.record_removals(removed)
    }

    /// The profile that a memory belongs to, if the rule of its expiry is part of a profile.
    fn profile_of_rule(&mut self, row: &MemoryRow) -> Result<Option<Uuid>, StoreError> {
        if !row.expiry_rule.is_some_and(|rule| rule.0.is_of_profile()) {
            return Ok(None);
        }
        match row.profile_id {
            Some(profile) => Ok(Some(profile.0)),
            None => Ok(Some(self.default_profile(row.org_id.org(), row.author_id.workspace())?.id)),
        }
    }

    fn reclaim_row(
        &mut self,
        row: MemoryRow,
        profile: Option<Uuid>,
        removed: &mut BTreeMap<RemovalKey, Removals>,
    ) -> Result<(), StoreError> {
        let (org, id, author) = (row.org_id.org(), row.id.0, row.author_id.workspace());
        let org_version = self.touch(org)?;
        self.remove_from_index(&row, org_version)?;
        let versions = self.drop_versions(org, id)?;
        self.uncount_content(&row, org_version)?;
        let rule = row.expiry_rule.map(|rule| rule.0);
        let removals = removed.entry((author, rule, profile)).or_default();
        removals.memories.push((id, row.version));
        removals.earlier_versions += versions;
        // a superseded memory has no readers
        if row.status.0 == MemoryStatus::Live {
            let fields = [("version", row.version.into()), ("rule", rule_name(rule))];
            let partition = Some((row.scope.0, row.team_id.team()));
            self.push_event(Time(self.now), EventKind::MemoryDeleted, author, Some(row.id), partition, &fields)?;
        }
        let row = MemoryRow { org_version, ..row.emptied() };
        diesel::update(memories::table.find((row.org_id, row.id))).set(&row).execute(self.writing()?)?;
        Ok(())
    }

    fn record_removals(&mut self, removed: BTreeMap<RemovalKey, Removals>) -> Result<(), StoreError> {
        for ((author, rule, profile), Removals { memories, earlier_versions }) in removed {
            let summary = expiry_summary(memories.len(), rule);
            let mut record = AuditRecord::new(AuditAction::ExpireMemories, author)
                .about(memories)
                .context_field("rule", rule_name(rule))
                .context_field("versions", earlier_versions)
                .with_episode(summary, None)
                // each memory has its own event
                .event_kind(None);
            if let Some(profile) = profile {
                record = record.context_field("profile_id", profile.to_string());
            }
            self.record(record)?;
        }
        Ok(())
    }

    /// Deletes the earlier versions that are still expired.
    pub(crate) fn reclaim_versions(&mut self, org: OrgId, due: &[(Uuid, i64)]) -> Result<(), StoreError> {
        let mut removed: BTreeMap<(WorkspaceId, Option<ExpiryRule>), MemoryVersions> = BTreeMap::new();
        let now = Time(self.now);
        for &(memory, version) in due {
            let key = (Id::from(org), Id(memory), version);
            let found: Option<(Id, Option<TextEnum<ExpiryRule>>)> = memory_versions::table
                .find(key)
                .filter(memory_versions::expires_at.le(now))
                .select((memory_versions::author_id, memory_versions::expiry_rule))
                .first(self.drained()?)
                .optional()
                .row_context("memory_versions", (memory, version))?;
            let Some((author, rule)) = found else { continue };
            self.uncount_versions(
                org,
                Box::new(memory_versions::memory_id.eq(Id(memory)).and(memory_versions::version.eq(version))),
            )?;
            diesel::delete(memory_versions::table.find(key)).execute(self.writing()?)?;
            self.withdraw_skills_of_version(org, (memory, version))?;
            removed.entry((author.workspace(), rule.map(|rule| rule.0))).or_default().push((memory, version));
        }
        for ((author, rule), versions) in removed {
            let record = AuditRecord::new(AuditAction::ExpireVersions, author).about(versions);
            self.record(record.context_field("rule", rule_name(rule)))?;
        }
        Ok(())
    }

    /// Deletes the values of the entries that are still expired. Their versions remain, so that none is used again.
    pub(crate) fn reclaim_entries(&mut self, org: OrgId, due: &[(Uuid, String)]) -> Result<(), StoreError> {
        let mut removed: BTreeMap<WorkspaceId, Vec<Value>> = BTreeMap::new();
        let now = Time(self.now);
        for (workspace, key) in due {
            let (row, id) = ((Id::from(org), Id(*workspace), key), WorkspaceId::from(*workspace));
            let version: Option<i64> = entries::table
                .find(row)
                .filter(entries::expires_at.le(now))
                .select(entries::version)
                .first(self.drained()?)
                .optional()
                .row_context("entries", (*workspace, key))?;
            let Some(version) = version else { continue };
            let cleared = (
                entries::value.eq(None::<String>),
                entries::expires_at.eq(None::<Time>),
                entries::subject.eq(None::<String>),
            );
            diesel::update(entries::table.find(row)).set(cleared).execute(self.writing()?)?;
            let fields = [("key", key.as_str().into()), ("version", version.into()), ("change", "expired".into())];
            self.push_event(now, EventKind::KvChanged, id, None, None, &fields)?;
            removed.entry(id).or_default().push(key_hash(key).into());
        }
        for (workspace, hashes) in removed {
            let record = AuditRecord::new(AuditAction::ExpireEntries, workspace)
                .context_field("rule", ExpiryRule::ExpiresAt.as_str())
                .context_field("entries", hashes.len())
                .context_field("key_hashes", hashes)
                // each entry has its own event
                .event_kind(None);
            self.record(record)?;
        }
        Ok(())
    }
}

/// The rule in an audit row or an event; null where it was not stored.
fn rule_name(rule: Option<ExpiryRule>) -> Value {
    rule.map(ExpiryRule::as_str).into()
}
