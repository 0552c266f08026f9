//! Reclaims expired rows in batches, so that it does not block other writes for long.

use std::collections::BTreeMap;

use diesel::prelude::*;
use orgmem_hierarchy::OrgId;

use super::{Condition, Tx, idempotency, registry};
use crate::StoreError;
use crate::columns::{Id, Time};
use crate::contract::Due;
use crate::engine::RowContext;
use crate::schema::{
    documents, entries, idempotency_keys, memories, memory_index, memory_versions, orgs, profiles, revocations, runs,
    segment_progress, text_progress, tokens,
};

/// Rows per table and sweep.
const BATCH: i64 = 500;

/// The number of org versions for which the index retains tombstones, so that other servers can apply the removals.
const TOMBSTONE_VERSIONS: i64 = 10_000;

/// An org with its version, its floor, and the versions of its segments and text blocks.
type BehindRow = (Id, i64, i64, Option<i64>, Option<i64>);

impl Tx<'_> {
    pub(crate) fn due(&mut self) -> Result<Vec<(OrgId, Due)>, StoreError> {
        let now = Time(self.now);
        let answers_cutoff = Time(self.now - idempotency::KEPT);
        let tokens_cutoff = Time(self.now - registry::LEEWAY);
        let conn = self.conn()?;
        let mut due: BTreeMap<OrgId, Due> = BTreeMap::new();
        let expired: Vec<(Id, Id)> = memories::table
            .filter(memories::expires_at.le(now))
            .filter(memories::content.is_not_null())
            .limit(BATCH)
            .select((memories::org_id, memories::id))
            .load(conn)
            .row_context("memories", "expired")?;
        for (org, Id(memory)) in expired {
            due.entry(org.org()).or_default().memories.push(memory);
        }
        let expired: Vec<(Id, Id)> = documents::table
            .filter(documents::expires_at.le(now))
            .limit(BATCH)
            .select((documents::org_id, documents::id))
            .load(conn)
            .row_context("documents", "expired")?;
        for (org, Id(document)) in expired {
            due.entry(org.org()).or_default().documents.push(document);
        }
        let expired: Vec<(Id, Id, i64)> = memory_versions::table
            .filter(memory_versions::expires_at.le(now))
            .limit(BATCH)
            .select((memory_versions::org_id, memory_versions::memory_id, memory_versions::version))
            .load(conn)
            .row_context("memory_versions", "expired")?;
        for (org, Id(memory), version) in expired {
            due.entry(org.org()).or_default().versions.push((memory, version));
        }
        let expired: Vec<(Id, Id, String)> = entries::table
            .filter(entries::expires_at.le(now))
            .limit(BATCH)
            .select((entries::org_id, entries::workspace_id, entries::key))
            .load(conn)
            .row_context("entries", "expired")?;
        for (org, Id(workspace), key) in expired {
            due.entry(org.org()).or_default().entries.push((workspace, key));
        }
        for (org, grant) in self.expired_grants(BATCH)? {
            due.entry(org).or_default().grants.push(grant);
        }
        let conn = self.conn()?;
        let old: Vec<(Id, String, String)> = idempotency_keys::table
            .filter(idempotency_keys::created_at.le(answers_cutoff))
            .limit(BATCH)
            .select((idempotency_keys::org_id, idempotency_keys::owner, idempotency_keys::key))
            .load(conn)
            .row_context("idempotency_keys", "old")?;
        for (org, owner, key) in old {
            due.entry(org.org()).or_default().answers.push((owner, key));
        }
        let expired: Vec<(Id, Id)> = revocations::table
            .filter(revocations::expires_at.le(tokens_cutoff))
            .limit(BATCH)
            .select((revocations::org_id, revocations::jti))
            .load(conn)
            .row_context("revocations", "expired")?;
        for (org, Id(jti)) in expired {
            due.entry(org.org()).or_default().revocations.push(jti);
        }
        let expired: Vec<(Id, Id)> = tokens::table
            .filter(tokens::expires_at.le(tokens_cutoff))
            .limit(BATCH)
            .select((tokens::org_id, tokens::jti))
            .load(conn)
            .row_context("tokens", "expired")?;
        for (org, Id(jti)) in expired {
            due.entry(org.org()).or_default().tokens.push(jti);
        }
        let progress = segment_progress::org_version.nullable();
        let texts = text_progress::org_version.nullable();
        let behind: Vec<BehindRow> = orgs::table
            .left_join(segment_progress::table.on(segment_progress::org_id.eq(orgs::org_id)))
            .left_join(text_progress::table.on(text_progress::org_id.eq(orgs::org_id)))
            .filter(orgs::version.gt(orgs::index_floor + 2 * TOMBSTONE_VERSIONS))
            // segments and text blocks without a removal need its tombstone
            .filter(segment_progress::org_version.is_null().or(segment_progress::org_version.gt(orgs::index_floor)))
            .filter(text_progress::org_version.is_null().or(text_progress::org_version.gt(orgs::index_floor)))
            .limit(BATCH)
            .select((orgs::org_id, orgs::version, orgs::index_floor, progress, texts))
            .load(conn)
            .row_context("orgs", "behind")?;
        for (org, version, floor, segments, texts) in behind {
            let until = (version - TOMBSTONE_VERSIONS).min(segments.unwrap_or(i64::MAX)).min(texts.unwrap_or(i64::MAX));
            due.entry(org.org()).or_default().index_until = Some(until).filter(|until| *until > floor);
        }
        let late: Vec<(Id, Id)> = runs::table
            // a literal, as the partial index does not match a bound parameter
            .filter(Condition("status = 'open'"))
            .filter(runs::times_out_at.le(now))
            .limit(BATCH)
            .select((runs::org_id, runs::id))
            .load(conn)
            .row_context("runs", "late")?;
        for (org, Id(run)) in late {
            due.entry(org.org()).or_default().runs.push(run);
        }
        let due_profiles: Vec<(Id, Id)> = profiles::table
            .filter(profiles::retention_due_at.le(now))
            .limit(BATCH)
            .select((profiles::org_id, profiles::id))
            .load(conn)
            .row_context("profiles", "due")?;
        for (org, Id(profile)) in due_profiles {
            due.entry(org.org()).or_default().profiles.push(profile);
        }
        Ok(due.into_iter().collect())
    }

    pub(crate) fn reclaim(&mut self, org: OrgId, due: &Due) -> Result<(), StoreError> {
        self.reclaim_memories(org, &due.memories)?;
        self.reclaim_documents(org, &due.documents)?;
        self.reclaim_versions(org, &due.versions)?;
        self.reclaim_entries(org, &due.entries)?;
        self.reclaim_grants(org, &due.grants)?;
        let org_id = Id::from(org);
        let answers_cutoff = Time(self.now - idempotency::KEPT);
        let conn = self.writing()?;
        for (owner, key) in &due.answers {
            let row = idempotency_keys::table.find((org_id, owner, key));
            diesel::delete(row).filter(idempotency_keys::created_at.le(answers_cutoff)).execute(conn)?;
        }
        for &jti in &due.revocations {
            diesel::delete(revocations::table.find((org_id, Id(jti)))).execute(conn)?;
        }
        for &jti in &due.tokens {
            diesel::delete(tokens::table.find((org_id, Id(jti)))).execute(conn)?;
        }
        for &run in &due.runs {
            self.time_out(org, run)?;
        }
        for &profile in &due.profiles {
            self.enforce_retention(org, profile)?;
        }
        if let Some(until) = due.index_until {
            let tombstones = memory_index::table
                .filter(memory_index::org_id.eq(org_id))
                .filter(memory_index::org_version.le(until))
                .filter(memory_index::doc.is_null());
            diesel::delete(tombstones).execute(self.writing()?)?;
            self.view(org)?.changes.row_delta.raise_index_floor(until);
        }
        Ok(())
    }
}
