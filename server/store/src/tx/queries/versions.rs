//! Edits and earlier versions of memories.

use diesel::prelude::*;
use orgmem_hierarchy::{OrgId, Scope};
use orgmem_policies::rules::{EditFacts, EditPlan, WithdrawalCause, is_editable};
use orgmem_policies::{EditPass, ReadPass};
use uuid::Uuid;

use super::Tx;
use super::authored_columns::AuthoredColumns;
use super::memory_rows::MemoryRow;
use super::version_rows::VersionRow;
use crate::StoreError;
use crate::columns::{Id, TextEnum, Time};
use crate::contract::{Analysed, Edited, History, MemoryVersion, NoEdit, ReadyEdit, VersionChange, VersionConflict};
use crate::engine::RowContext;
use crate::schema::memory_versions;

/// The version, scope, team, kind, subject and session of an earlier version.
type EarlierRow = (i64, TextEnum<Scope>, Id, String, Option<String>, Option<String>);

impl Tx<'_> {
    pub(crate) fn memory_versions(
        &mut self,
        pass: &ReadPass,
        id: Uuid,
        before: Option<i64>,
        limit: usize,
    ) -> Result<Option<History>, StoreError> {
        let Some((row, _)) = self.readable_row(pass, id)? else { return Ok(None) };
        let (org, author, now) = (row.org_id, row.author_id.workspace(), Time(self.now));
        let is_requested = |version: i64| before.is_none_or(|before| version < before);
        let is_readable = |scope, team| {
            let mut parts = pass.reach().parts().iter().filter(|part| part.author() == author);
            parts.any(|part| part.covers(scope, team))
        };
        let mut versions: Vec<MemoryVersion> = Vec::new();
        if is_requested(row.version) {
            versions.extend(VersionRow::of(&row).map(MemoryVersion::try_from).transpose()?);
        }
        let earlier: Vec<EarlierRow> = memory_versions::table
            .filter(memory_versions::org_id.eq(org))
            .filter(memory_versions::memory_id.eq(Id(id)))
            .filter(memory_versions::expires_at.is_null().or(memory_versions::expires_at.gt(now)))
            .order(memory_versions::version.desc())
            .select((
                memory_versions::version,
                memory_versions::scope,
                memory_versions::team_id,
                memory_versions::kind,
                memory_versions::subject,
                memory_versions::session_id,
            ))
            .load(self.drained()?)
            .row_context("memory_versions", id)?;
        // the kind of an earlier version may be excluded for the reader, whatever the current kind, and so its end user
        let readable = earlier.into_iter().filter(|(version, scope, team, kind, subject, session)| {
            is_requested(*version)
                && is_readable(scope.0, team.team())
                && !pass.excludes(kind)
                && pass.users().permits(subject.as_deref(), session.as_deref())
        });
        let readable: Vec<i64> =
            readable.map(|(version, ..)| version).take(limit.saturating_sub(versions.len())).collect();
        let rows: Vec<VersionRow> = memory_versions::table
            .filter(memory_versions::org_id.eq(org))
            .filter(memory_versions::memory_id.eq(Id(id)))
            .filter(memory_versions::version.eq_any(readable))
            .order(memory_versions::version.desc())
            .select(VersionRow::as_select())
            .load(self.conn()?)
            .row_context("memory_versions", id)?;
        for row in rows {
            versions.push(row.try_into()?);
        }
        versions.truncate(limit);
        Ok(Some(History { author, versions }))
    }

    pub(crate) fn edit_facts(
        &mut self,
        pass: &EditPass,
        id: Uuid,
        if_match: Option<i64>,
        change: &VersionChange,
    ) -> Result<Result<EditFacts, NoEdit>, StoreError> {
        let row = self.memory_row(pass.org(), id)?;
        let Some(current) = row.filter(|row| is_editable(&row.location(), pass.author(), self.now)) else {
            return Ok(Err(NoEdit::NoMemory));
        };
        if self.is_of_other_user(pass.user(), &current)? {
            return Ok(Err(NoEdit::NoMemory));
        }
        if let Some(expected) = if_match.filter(|&expected| expected != current.version) {
            return Ok(Err(NoEdit::Conflict(VersionConflict { expected, current: Some(current.version) })));
        }
        let Some(next) = self.changed(&current, change)? else { return Ok(Err(NoEdit::NoVersion)) };
        if matches!(change, VersionChange::Restore(_)) && self.is_of_other_user(pass.user(), &next)? {
            return Ok(Err(NoEdit::NoVersion));
        }
        let (subject, session) = next.end_user();
        let other_end_user = pass.user().check_write(subject, session).err();
        let becomes_pinned = next.authored.pin && !current.authored.pin;
        let bytes = if current.has_same_content_as(&next) { 0 } else { next.bytes() };
        Ok(Ok(EditFacts {
            id,
            budgets: self.budgets_above(pass.org(), pass.author())?,
            bytes,
            profile: self.profile_of(&next)?,
            lacks_session: next.authored.session_only && next.authored.session_id.is_none(),
            other_end_user,
            new_kind: (next.authored.kind != current.authored.kind).then_some(next.authored.kind),
            becomes_pinned,
            pinned: if becomes_pinned { self.pinned_by(pass.org(), pass.author())? } else { Vec::new() },
        }))
    }

    pub(crate) fn edit_memory(
        &mut self,
        pass: &EditPass,
        plan: &EditPlan,
        change: &VersionChange,
    ) -> Result<Edited, StoreError> {
        let id = plan.id();
        let found = self.memory_row(pass.org(), id)?;
        let missing = || StoreError::unreadable("memories", id, "the memory of the plan does not exist");
        let current = found.ok_or_else(missing)?;
        let next = self.changed(&current, change)?.filter(|next| !current.has_same_content_as(next));
        let Some(next) = next else { return Ok(to_edited(&current)) };
        let (title, content) = (next.authored.title.as_deref(), next.content.as_deref().unwrap_or_default());
        let analysed = change.analysed().filter(|analysed| analysed.has_title(title)).cloned();
        let analysed = analysed.unwrap_or_else(|| Analysed::of(title, content));
        let org_version = self.touch(pass.org())?;
        let row = MemoryRow {
            content_hash: analysed.content_hash.to_vec(),
            writer_role: TextEnum(pass.role()),
            version: current.version + 1,
            seq: self.next_seq(pass.org())?,
            org_version,
            updated_at: Time(self.now),
            ..next
        };
        let end = row.expires_at.map(|at| at.0);
        let row = row.expiring(plan.expiry(current.expiry(), end, self.now));
        self.record_memory(change.kind(), &row)?;
        let edited = to_edited(&row);
        self.replace(&current, row, &analysed)?;
        Ok(edited)
    }

    /// The row after a change, with the metadata of the write as before; `None` if the earlier version to restore does
    /// not exist.
    fn changed(&mut self, current: &MemoryRow, change: &VersionChange) -> Result<Option<MemoryRow>, StoreError> {
        let version = match change {
            VersionChange::Edit(edit) => return edited(current, edit).map(Some),
            VersionChange::Restore(version) if *version == current.version => return Ok(Some(current.clone())),
            VersionChange::Restore(version) => *version,
        };
        let now = Time(self.now);
        let earlier: Option<VersionRow> = memory_versions::table
            .find((current.org_id, current.id, version))
            .filter(memory_versions::expires_at.is_null().or(memory_versions::expires_at.gt(now)))
            .select(VersionRow::as_select())
            .first(self.drained()?)
            .optional()
            .row_context("memory_versions", (current.id, version))?;
        Ok(earlier.map(|earlier| restored(current, earlier)))
    }

    /// Stores a memory as an earlier version before a change. If it is expired or its content is deleted, deletes its
    /// earlier versions instead.
    pub(crate) fn keep_version(&mut self, row: &MemoryRow) -> Result<(), StoreError> {
        let Some(version) = VersionRow::of(row).filter(|_| !row.is_expired(Time(self.now))) else {
            let org_version = self.touch(row.org_id.org())?;
            self.uncount_content(row, org_version)?;
            return self.drop_versions(row.org_id.org(), row.id.0).map(drop);
        };
        diesel::insert_into(memory_versions::table).values(version).execute(self.writing()?)?;
        Ok(())
    }

    /// Deletes the earlier versions of a memory, and what was made of it: its uses and its skills. Returns the number of
    /// versions.
    pub(crate) fn drop_versions(&mut self, org: OrgId, id: Uuid) -> Result<usize, StoreError> {
        self.forget_uses(org.into(), Id(id))?;
        self.withdraw_skills_of(org, id, WithdrawalCause::SourceRemoved)?;
        self.drop_reviews(org.into(), Id(id))?;
        self.uncount_versions(org, Box::new(memory_versions::memory_id.eq(Id(id))))?;
        let earlier = memory_versions::table
            .filter(memory_versions::org_id.eq(Id::from(org)))
            .filter(memory_versions::memory_id.eq(Id(id)));
        Ok(diesel::delete(earlier).execute(self.writing()?)?)
    }
}

fn edited(current: &MemoryRow, ReadyEdit { edit, .. }: &ReadyEdit) -> Result<MemoryRow, StoreError> {
    let mut fields = edit.apply(current.authored_fields()?);
    Ok(MemoryRow {
        content: Some(std::mem::take(&mut fields.content)),
        expires_at: fields.expires_at.map(Time),
        authored: fields.into(),
        ..current.clone()
    })
}

/// The earlier version's fields, with the current pin and expiry.
fn restored(current: &MemoryRow, earlier: VersionRow) -> MemoryRow {
    let authored = AuthoredColumns { pin: current.authored.pin, ..earlier.authored.into() };
    MemoryRow { content: Some(earlier.content), authored, ..current.clone() }
}

fn to_edited(row: &MemoryRow) -> Edited {
    Edited {
        version: row.version,
        scope: row.scope.0,
        team: row.team_id.team(),
        namespace: row.authored.namespace.clone(),
        kind: row.authored.kind.clone(),
        run: row.run_id.map(|run| run.0),
        created_at: row.created_at.0,
        expires_at: row.expires_at.map(|at| at.0),
    }
}
