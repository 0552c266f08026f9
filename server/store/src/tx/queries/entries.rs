//! Entries: get, list, put and drop.

use std::collections::{BTreeMap, HashSet};

use chrono::{DateTime, Utc};
use diesel::prelude::*;
use orgmem_hierarchy::{OrgId, WorkspaceId};
use orgmem_policies::audit::{AuditAction, EventKind};
use orgmem_policies::drafts::EntryDraft;
use orgmem_policies::{ActPass, ViewPass};
use serde::Deserialize;
use sha2::{Digest, Sha256};

use super::Tx;
use super::end_users::entries_of_users;
use super::insert::{Outgoing, write_rows};
use super::upsert::Upsert;
use crate::StoreError;
use crate::cache::EntryRow;
use crate::columns::{Id, TextEnum, Time, holds_nul, row_limit};
use crate::contract::{AuditRecord, Entry, VersionConflict, key_hash};
use crate::engine::RowContext;
use crate::schema::{entries, events};

/// Inserts rows, or replaces those with the same keys.
pub(crate) fn upsert(out: &mut Outgoing<'_>, mut rows: Vec<EntryRow>) -> Result<(), StoreError> {
    // one statement must not write a row twice, so only the newest row of each key is written
    let mut seen = HashSet::with_capacity(rows.len());
    rows.reverse();
    rows.retain(|row| seen.insert((row.org_id, row.workspace_id, row.key.clone())));
    let on_conflict = " ON CONFLICT (org_id, workspace_id, key) DO UPDATE SET value = excluded.value, \
        version = excluded.version, expires_at = excluded.expires_at, updated_at = excluded.updated_at, \
        subject = excluded.subject";
    write_rows!(out, rows, rows => Upsert { insert: diesel::insert_into(entries::table).values(rows), on_conflict });
    Ok(())
}

impl Tx<'_> {
    pub(crate) fn entry(&mut self, pass: &ViewPass, key: &str) -> Result<Option<Entry>, StoreError> {
        let users = self.users_of(pass.org(), pass.workspace(), pass.user())?;
        let found = self.any_entry(pass, key)?;
        Ok(found.filter(|entry| users.permits(entry.subject.as_deref(), None)))
    }

    fn any_entry(&mut self, pass: &ViewPass, key: &str) -> Result<Option<Entry>, StoreError> {
        let buffered = self.pending.entries.iter().rev().find(|row| row.is_of(pass.org(), pass.workspace(), key));
        if let Some(row) = buffered {
            return Ok(row.clone().live(self.now));
        }
        if holds_nul(key) {
            return Ok(None);
        }
        let view = self.view(pass.org())?;
        let (cache, version, has_own_changes) =
            (view.cache.clone(), view.row.version, view.changes.row_delta.is_touched());
        if !has_own_changes && let Some(row) = cache.entries.known(version, pass.workspace(), key) {
            return Ok(row.and_then(|row| row.live(self.now)));
        }
        let row: Option<EntryRow> = entries::table
            .find((Id::from(pass.org()), Id::from(pass.workspace()), key))
            .select(EntryRow::as_select())
            .first(self.conn()?)
            .optional()
            .row_context("entries", (pass.workspace(), key))?;
        if !has_own_changes {
            cache.entries.keep(version, pass.workspace(), key, row.as_ref());
            self.core.caches.weigh(pass.org(), &cache);
        }
        Ok(row.and_then(|row| row.live(self.now)))
    }

    pub(crate) fn list_entries(
        &mut self,
        pass: &ViewPass,
        prefix: &str,
        after: Option<&str>,
        limit: usize,
    ) -> Result<Vec<Entry>, StoreError> {
        if holds_nul(prefix) || after.is_some_and(holds_nul) {
            return Ok(Vec::new());
        }
        let users = self.users_of(pass.org(), pass.workspace(), pass.user())?;
        let mut rows = entries::table
            .filter(entries::org_id.eq(Id::from(pass.org())))
            .filter(entries::workspace_id.eq(Id::from(pass.workspace())))
            .filter(entries::value.is_not_null())
            .filter(entries::expires_at.is_null().or(entries::expires_at.gt(Time(self.now))))
            .order(entries::key)
            .limit(row_limit(limit))
            .select(EntryRow::as_select())
            .into_boxed();
        if !users.is_open() {
            rows = rows.filter(entries_of_users(&users));
        }
        // only the higher lower bound, because SQLite starts its scan at the first bound that it is given
        rows = match after {
            Some(after) if after >= prefix => rows.filter(entries::key.gt(after)),
            _ => rows.filter(entries::key.ge(prefix)),
        };
        if let Some(end) = prefix_end(prefix) {
            rows = rows.filter(entries::key.lt(end));
        }
        let rows = rows.load(self.drained()?).row_context("entries", pass.workspace())?;
        Ok(rows.into_iter().filter_map(|row| row.live(self.now)).collect())
    }
}

/// The exclusive upper bound, in byte order, of the texts that begin with `prefix`; none if they have no upper bound.
pub(super) fn prefix_end(prefix: &str) -> Option<String> {
    let mut chars: Vec<char> = prefix.chars().collect();
    while let Some(last) = chars.pop() {
        // UTF-8 sorts by code point, and a range of characters omits the surrogates
        if let Some(next) = (last..=char::MAX).nth(1) {
            chars.push(next);
            return Some(chars.into_iter().collect());
        }
    }
    None
}

/// The key in the details of an event.
#[derive(Deserialize)]
struct EventOfKey {
    key: String,
}

/// The last version of a key, and whether it has a live entry.
struct EntryState {
    version: i64,
    live: bool,
    subject: Option<String>,
}

impl EntryState {
    const NEVER_WRITTEN: Self = Self { version: 0, live: false, subject: None };

    fn of(
        version: i64,
        has_value: bool,
        expires_at: Option<Time>,
        subject: Option<String>,
        now: DateTime<Utc>,
    ) -> Self {
        Self { version, live: has_value && expires_at.is_none_or(|at| at.0 > now), subject }
    }

    /// Accepts a write that expects version `expected`; 0 expects no live entry, none accepts any version.
    fn check(&self, expected: Option<i64>) -> Result<(), VersionConflict> {
        let current = self.live.then_some(self.version);
        match expected {
            Some(expected) if expected != current.unwrap_or(0) => Err(VersionConflict { expected, current }),
            _ => Ok(()),
        }
    }
}

impl Tx<'_> {
    pub(crate) fn put_entry(
        &mut self,
        pass: &ActPass,
        draft: &EntryDraft,
    ) -> Result<Result<i64, VersionConflict>, StoreError> {
        let fields = draft.fields();
        let key = fields.key.as_str();
        let current = self.entry_state(pass, key)?;
        if self.is_entry_of_other_user(pass, &current)? {
            return Ok(Err(VersionConflict { expected: 0, current: Some(current.version) }));
        }
        if let Err(conflict) = current.check(fields.if_match_version) {
            return Ok(Err(conflict));
        }
        let version = current.version + 1;
        let value = fields.value.to_string();
        self.record(
            entry_record(AuditAction::PutEntry, pass.workspace(), key, version).hashed(Sha256::digest(&value).to_vec()),
        )?;
        let subject = fields.subject.as_ref().map(|subject| subject.as_str().to_owned());
        self.write_entry(pass, key, Some((value, subject)), version, fields.expires_at.map(Time))?;
        Ok(Ok(version))
    }

    pub(crate) fn drop_entry(
        &mut self,
        pass: &ActPass,
        key: &str,
        if_match: Option<i64>,
    ) -> Result<Result<bool, VersionConflict>, StoreError> {
        let current = self.entry_state(pass, key)?;
        if self.is_entry_of_other_user(pass, &current)? {
            return Ok(Ok(false));
        }
        if let Err(conflict) = current.check(if_match) {
            return Ok(Err(conflict));
        }
        if current.live {
            self.record(entry_record(AuditAction::DropEntry, pass.workspace(), key, current.version))?;
            self.pending.deleted_from.push("entries");
            self.write_entry(pass, key, None, current.version, None)?;
        }
        Ok(Ok(current.live))
    }
}

/// The record of a change of an entry. The audit log stores a hash of the key, the event the key itself.
fn entry_record(action: AuditAction, workspace: WorkspaceId, key: &str, version: i64) -> AuditRecord {
    let record =
        AuditRecord::new(action, workspace).context_field("key_hash", key_hash(key)).context_field("version", version);
    let done = if action == AuditAction::DropEntry { "dropped" } else { "put" };
    record.event_field("key", key).event_field("version", version).event_field("change", done)
}

impl Tx<'_> {
    /// Whether the live entry is of an end user that the call is not for.
    fn is_entry_of_other_user(&mut self, pass: &ActPass, current: &EntryState) -> Result<bool, StoreError> {
        let subject = current.subject.as_deref().filter(|_| current.live);
        let users = self.users_of(pass.org(), pass.workspace(), pass.user())?;
        let bound = pass.user().bound().subject.as_deref().filter(|_| current.live);
        Ok(!users.permits(subject, None) || bound.is_some_and(|bound| subject != Some(bound)))
    }

    fn entry_state(&mut self, pass: &ActPass, key: &str) -> Result<EntryState, StoreError> {
        let buffered = self.pending.entries.iter().rev().find(|row| row.is_of(pass.org(), pass.workspace(), key));
        if let Some(row) = buffered {
            let state = EntryState::of(row.version, row.value.is_some(), row.expires_at, row.subject.clone(), self.now);
            return Ok(state);
        }
        if holds_nul(key) {
            return Ok(EntryState::NEVER_WRITTEN);
        }
        let found: Option<(i64, bool, Option<Time>, Option<String>)> = entries::table
            .find((Id::from(pass.org()), Id::from(pass.workspace()), key))
            .select((entries::version, entries::value.is_not_null(), entries::expires_at, entries::subject))
            .first(self.conn()?)
            .optional()
            .row_context("entries", (pass.workspace(), key))?;
        Ok(found.map_or(EntryState::NEVER_WRITTEN, |(version, has_value, at, subject)| {
            EntryState::of(version, has_value, at, subject, self.now)
        }))
    }

    /// Deletes all entries about an end user, of every workspace of the org, with their keys and the events that name
    /// the keys. Returns their number.
    pub(crate) fn erase_entries_about(&mut self, org: OrgId, subject: &str) -> Result<i64, StoreError> {
        let org_id = Id::from(org);
        let rows: Vec<(Id, String)> = entries::table
            .filter(entries::org_id.eq(org_id))
            .filter(entries::subject.eq(subject))
            .select((entries::workspace_id, entries::key))
            .load(self.drained()?)
            .row_context("entries", "of a subject")?;
        let mut keys: BTreeMap<Id, HashSet<String>> = BTreeMap::new();
        let count = i64::try_from(rows.len()).unwrap_or(i64::MAX);
        for (workspace_id, key) in rows {
            self.pending.deleted_from.push("entries");
            diesel::delete(entries::table.find((org_id, workspace_id, &key))).execute(self.writing()?)?;
            keys.entry(workspace_id).or_default().insert(key);
        }
        for (workspace, keys) in keys {
            self.erase_events_of_keys(org_id, workspace, &keys)?;
        }
        Ok(count)
    }

    /// Deletes the events that name one of these keys.
    fn erase_events_of_keys(&mut self, org: Id, workspace: Id, keys: &HashSet<String>) -> Result<(), StoreError> {
        let of_entries: Vec<(i64, String)> = events::table
            .filter(events::org_id.eq(org))
            .filter(events::workspace_id.eq(workspace))
            .filter(events::kind.eq(TextEnum(EventKind::KvChanged)))
            .select((events::seq, events::details))
            .load(self.drained()?)
            .row_context("events", "of entries")?;
        for (seq, details) in of_entries {
            let key = serde_json::from_str::<EventOfKey>(&details).map(|event| event.key);
            if key.is_ok_and(|key| keys.contains(&key)) {
                self.pending.deleted_from.push("events");
                diesel::delete(events::table.find((org, seq))).execute(self.writing()?)?;
            }
        }
        Ok(())
    }

    /// Drops the entries of a workspace whose keys have these hashes, up to these versions.
    ///
    /// # Returns
    /// The number of dropped entries.
    ///
    /// # Complexity
    /// O(entries of the workspace).
    pub(crate) fn drop_entries_by_hash(
        &mut self,
        org: OrgId,
        workspace: WorkspaceId,
        hashes: &BTreeMap<&str, i64>,
    ) -> Result<usize, StoreError> {
        let rows: Vec<(String, i64)> = entries::table
            .filter(entries::org_id.eq(Id::from(org)))
            .filter(entries::workspace_id.eq(Id::from(workspace)))
            .filter(entries::value.is_not_null())
            .select((entries::key, entries::version))
            .load(self.drained()?)
            .row_context("entries", workspace)?;
        let mut dropped = 0;
        for (key, version) in rows {
            let Some(last) = hashes.get(key_hash(&key).as_str()).copied().filter(|last| version <= *last) else {
                continue;
            };
            self.record(entry_record(AuditAction::DropEntry, workspace, &key, last))?;
            self.pending.deleted_from.push("entries");
            self.touch(org)?;
            self.pending.entries.push(EntryRow {
                org_id: org.into(),
                workspace_id: workspace.into(),
                key,
                value: None,
                version: last,
                expires_at: None,
                updated_at: Time(self.now),
                subject: None,
            });
            dropped += 1;
        }
        Ok(dropped)
    }

    /// Writes a value with its subject, or without both the tombstone of a key.
    fn write_entry(
        &mut self,
        pass: &ActPass,
        key: &str,
        content: Option<(String, Option<String>)>,
        version: i64,
        expires_at: Option<Time>,
    ) -> Result<(), StoreError> {
        self.touch(pass.org())?;
        let (value, subject) = content.map_or((None, None), |(value, subject)| (Some(value), subject));
        self.pending.entries.push(EntryRow {
            org_id: pass.org().into(),
            workspace_id: pass.workspace().into(),
            key: key.to_owned(),
            value,
            version,
            expires_at,
            updated_at: Time(self.now),
            subject,
        });
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::prefix_end;

    #[test]
    fn prefix_end_is_after_all_texts_with_the_prefix() {
        let check = |prefix: &str, end: Option<&str>| assert_eq!(prefix_end(prefix).as_deref(), end, "{prefix:?}");
        check("", None);
        check("a", Some("b"));
        check("plan/", Some("plan0"));
        check("\u{d7ff}", Some("\u{e000}"));
        check("a\u{10ffff}", Some("b"));
        check("\u{10ffff}\u{10ffff}", None);
    }
}
