//! Entries: getting, listing, putting, dropping.

use std::collections::HashSet;

use chrono::{DateTime, Utc};
use diesel::prelude::*;
use orgmem_policies::audit::AuditAction;
use orgmem_policies::drafts::EntryDraft;
use orgmem_policies::{ActPass, ViewPass};
use sha2::{Digest, Sha256};

use super::Tx;
use super::insert::{Outgoing, write_rows};
use super::upsert::Upsert;
use crate::StoreError;
use crate::cache::EntryRow;
use crate::columns::{Id, Time, holds_nul, row_limit};
use crate::contract::{AuditRecord, Entry, VersionConflict, key_hash};
use crate::engine::RowContext;
use crate::schema::entries;

/// Puts rows in the place of those with the same keys.
pub(crate) fn upsert(out: &mut Outgoing<'_>, mut rows: Vec<EntryRow>) -> Result<(), StoreError> {
    // one statement must not name a row twice: the newest of each key stands for the others
    let mut seen = HashSet::with_capacity(rows.len());
    rows.reverse();
    rows.retain(|row| seen.insert((row.org_id, row.workspace_id, row.key.clone())));
    let on_conflict = " ON CONFLICT (org_id, workspace_id, key) DO UPDATE SET value = excluded.value, \
        version = excluded.version, expires_at = excluded.expires_at, updated_at = excluded.updated_at";
    write_rows!(out, rows, rows => Upsert { insert: diesel::insert_into(entries::table).values(rows), on_conflict });
    Ok(())
}

impl Tx<'_> {
    pub(crate) fn entry(&mut self, pass: &ViewPass, key: &str) -> Result<Option<Entry>, StoreError> {
        let waiting = self.pending.entries.iter().rev().find(|row| row.is_of(pass.org(), pass.workspace(), key));
        if let Some(row) = waiting {
            return Ok(row.clone().live(self.now));
        }
        if holds_nul(key) {
            return Ok(None);
        }
        let view = self.view(pass.org())?;
        let (cache, version, is_own) = (view.cache.clone(), view.row.version, view.changes.row_delta.touched);
        if !is_own && let Some(row) = cache.entries.known(version, pass.workspace(), key) {
            return Ok(row.and_then(|row| row.live(self.now)));
        }
        let row: Option<EntryRow> = entries::table
            .find((Id::from(pass.org()), Id::from(pass.workspace()), key))
            .select(EntryRow::as_select())
            .first(self.conn()?)
            .optional()
            .row_context("entries", (pass.workspace(), key))?;
        if !is_own {
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
        let mut rows = entries::table
            .filter(entries::org_id.eq(Id::from(pass.org())))
            .filter(entries::workspace_id.eq(Id::from(pass.workspace())))
            .filter(entries::value.is_not_null())
            .filter(entries::expires_at.is_null().or(entries::expires_at.gt(Time(self.now))))
            .order(entries::key)
            .limit(row_limit(limit))
            .select(EntryRow::as_select())
            .into_boxed();
        // one lower bound, the higher of the two: SQLite begins its walk at the first that it is given
        rows = match after {
            Some(after) if after >= prefix => rows.filter(entries::key.gt(after)),
            _ => rows.filter(entries::key.ge(prefix)),
        };
        if let Some(behind) = behind_all_with(prefix) {
            rows = rows.filter(entries::key.lt(behind));
        }
        let rows = rows.load(self.drained()?).row_context("entries", pass.workspace())?;
        Ok(rows.into_iter().filter_map(|row| row.live(self.now)).collect())
    }
}

/// The first text, in the order of bytes, behind every text that begins with `prefix`; none where no text is behind
/// them.
fn behind_all_with(prefix: &str) -> Option<String> {
    let mut chars: Vec<char> = prefix.chars().collect();
    while let Some(last) = chars.pop() {
        // UTF-8 sorts as its characters do, and the step goes over those that are none
        if let Some(next) = (last..=char::MAX).nth(1) {
            chars.push(next);
            return Some(chars.into_iter().collect());
        }
    }
    None
}

/// What is known of a key: its last version and whether there is an entry at it now.
struct TreeSource {
    version: i64,
    live: bool,
}

impl TreeSource {
    const NEVER: Self = Self { version: 0, live: false };

    fn of(version: i64, has_value: bool, expires_at: Option<Time>, now: DateTime<Utc>) -> Self {
        Self { version, live: has_value && expires_at.is_none_or(|at| at.0 > now) }
    }

    /// Whether the write that named `expected`, or no version, may happen.
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
        let held = self.held(pass, key)?;
        if let Err(conflict) = held.check(fields.if_match_version) {
            return Ok(Err(conflict));
        }
        let version = held.version + 1;
        let value = fields.value.to_string();
        self.record(changed(AuditAction::PutEntry, pass, key, version).hashed(Sha256::digest(&value).to_vec()))?;
        self.write_entry(pass, key, Some(value), version, fields.expires_at.map(Time))?;
        Ok(Ok(version))
    }

    pub(crate) fn drop_entry(
        &mut self,
        pass: &ActPass,
        key: &str,
        if_match: Option<i64>,
    ) -> Result<Result<bool, VersionConflict>, StoreError> {
        let held = self.held(pass, key)?;
        if let Err(conflict) = held.check(if_match) {
            return Ok(Err(conflict));
        }
        if held.live {
            self.record(changed(AuditAction::DropEntry, pass, key, held.version))?;
            self.trace_entry(pass, key)?;
            self.write_entry(pass, key, None, held.version, None)?;
        }
        Ok(Ok(held.live))
    }
}

/// What is told of an entry that changed. The access log keeps its key as a hash, the event as it is.
fn changed(action: AuditAction, pass: &ActPass, key: &str, version: i64) -> AuditRecord {
    let record = AuditRecord::new(action, pass.workspace())
        .context_field("key_hash", key_hash(key))
        .context_field("version", version);
    let done = if action == AuditAction::DropEntry { "dropped" } else { "put" };
    record.event_field("key", key).event_field("version", version).event_field("change", done)
}

impl Tx<'_> {
    fn held(&mut self, pass: &ActPass, key: &str) -> Result<TreeSource, StoreError> {
        let waiting = self.pending.entries.iter().rev().find(|row| row.is_of(pass.org(), pass.workspace(), key));
        if let Some(row) = waiting {
            return Ok(TreeSource::of(row.version, row.value.is_some(), row.expires_at, self.now));
        }
        if holds_nul(key) {
            return Ok(TreeSource::NEVER);
        }
        let found: Option<(i64, bool, Option<Time>)> = entries::table
            .find((Id::from(pass.org()), Id::from(pass.workspace()), key))
            .select((entries::version, entries::value.is_not_null(), entries::expires_at))
            .first(self.conn()?)
            .optional()
            .row_context("entries", (pass.workspace(), key))?;
        Ok(found.map_or(TreeSource::NEVER, |(version, has_value, at)| TreeSource::of(version, has_value, at, self.now)))
    }

    /// Notes what is about to go, as the table has it.
    fn trace_entry(&mut self, pass: &ActPass, key: &str) -> Result<(), StoreError> {
        let value: Option<Option<String>> = entries::table
            .find((Id::from(pass.org()), Id::from(pass.workspace()), key))
            .select(entries::value)
            .first(self.drained()?)
            .optional()
            .row_context("entries", (pass.workspace(), key))?;
        if let Some(value) = value.flatten() {
            self.pending.trace("entries", value.as_bytes());
        }
        Ok(())
    }

    fn write_entry(
        &mut self,
        pass: &ActPass,
        key: &str,
        value: Option<String>,
        version: i64,
        expires_at: Option<Time>,
    ) -> Result<(), StoreError> {
        self.touch(pass.org())?;
        self.pending.entries.push(EntryRow {
            org_id: pass.org().into(),
            workspace_id: pass.workspace().into(),
            key: key.to_owned(),
            value,
            version,
            expires_at,
            updated_at: Time(self.now),
        });
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::behind_all_with;

    #[test]
    fn the_end_of_a_prefix_is_behind_all_that_begin_with_it() {
        let check = |prefix: &str, end: Option<&str>| assert_eq!(behind_all_with(prefix).as_deref(), end, "{prefix:?}");
        check("", None);
        check("a", Some("b"));
        check("plan/", Some("plan0"));
        check("\u{d7ff}", Some("\u{e000}"));
        check("a\u{10ffff}", Some("b"));
        check("\u{10ffff}\u{10ffff}", None);
    }
}
