//! Changes of skills, and what follows from changes of their sources: drafts of new versions, withdrawals, approvals by the
//! rule of the org. They happen in the transaction of the change, each with its audit row, event and episode.

use std::collections::BTreeSet;

use diesel::prelude::*;
use orgmem_hierarchy::OrgId;
use orgmem_policies::audit::{AuditAction, EventKind};
use orgmem_policies::rules::{
    ProcedureUse, SkillApproval, SkillRule, SkillStatus, WithdrawalCause, evidence_of_sources,
};
use uuid::Uuid;

use super::Tx;
use super::audit_log::decode_memories;
use super::memory_rows::MemoryRow;
use super::skills::{SkillRow, SkillVersionRow, TABLE, VERSIONS, encode};
use crate::StoreError;
use crate::columns::{Id, TextEnum, Time};
use crate::contract::{Approval, AuditRecord, MemoryStatus, SourceRef};
use crate::engine::RowContext;
use crate::schema::{memories, memory_uses, skill_rules, skill_sources, skill_versions, skills};

/// The approver that the server names for itself.
const SERVER: &str = "orgmem";

impl Tx<'_> {
    /// Stores the draft of a skill's next version; a draft that waits is replaced.
    pub(super) fn store_draft(
        &mut self,
        row: &mut SkillRow,
        description: &str,
        sources: &[SourceRef],
        by: &str,
    ) -> Result<(), StoreError> {
        let version = row.draft_version.unwrap_or(row.last_version + 1);
        let draft = SkillVersionRow {
            org_id: row.org_id,
            skill_id: row.id,
            version,
            description: description.to_owned(),
            sources: encode(sources),
            drafted_by: by.to_owned(),
            drafted_at: Time(self.now),
            approved_by: None,
            approved_at: None,
            is_auto: false,
            evidence: "[]".to_owned(),
        };
        let key = (skill_versions::org_id, skill_versions::skill_id, skill_versions::version);
        let insert = diesel::insert_into(skill_versions::table).values(&draft).on_conflict(key).do_update().set(&draft);
        insert.execute(self.writing()?)?;
        self.link_sources(row.org_id, row.id, sources)?;
        (row.draft_version, row.last_version) = (Some(version), version);
        row.updated_at = Time(self.now);
        self.store_skill(row)?;
        let record = record(AuditAction::DraftSkill, row, version)
            .about(sources.iter().copied())
            .event_field("change", "drafted")
            .with_episode(format!("drafted version {version} of a skill"), None);
        self.record(record).map(drop)
    }

    /// Makes the draft with the version of the approval the active version.
    pub(super) fn approve_row(&mut self, mut row: SkillRow, approval: &Approval) -> Result<(), StoreError> {
        let Approval { version, by, is_auto, evidence } = approval;
        self.touch(row.org_id.org())?;
        let was_active = row.status.0 == SkillStatus::Active;
        let approved = (
            skill_versions::approved_by.eq(Some(by.as_str())),
            skill_versions::approved_at.eq(Some(Time(self.now))),
            skill_versions::is_auto.eq(*is_auto),
            skill_versions::evidence.eq(evidence.as_str()),
        );
        let of_version = skill_versions::table.find((row.org_id, row.id, *version));
        diesel::update(of_version).set(approved).execute(self.writing()?)?;
        row.status = TextEnum(SkillStatus::Active);
        (row.active_version, row.draft_version) = (Some(*version), row.draft_version.filter(|draft| draft != version));
        (row.failing, row.reason, row.updated_at) = (false, None, Time(self.now));
        self.store_skill(&row)?;
        let sources = self.sources_of(&row, *version)?;
        let rule = if *is_auto { "auto" } else { "operator" };
        let mut record = record(AuditAction::ApproveSkill, &row, *version)
            .about(sources)
            .context_field("approval", rule)
            .visible_to(row.scope.0, row.team_id.team())
            .with_episode(format!("approved version {version} of a skill"), None);
        if was_active {
            record = record.event_kind(Some(EventKind::SkillChanged)).event_field("change", "approved");
        }
        self.record(record).map(drop)
    }

    /// Withdraws a skill. If the content of a source is gone, nothing that was made of it remains.
    pub(super) fn withdraw_row(&mut self, mut row: SkillRow, cause: WithdrawalCause) -> Result<(), StoreError> {
        let removes_text = cause == WithdrawalCause::SourceRemoved;
        if row.status.0 == SkillStatus::Withdrawn && !removes_text {
            return Ok(());
        }
        self.touch(row.org_id.org())?;
        let was_active = row.status.0 == SkillStatus::Active;
        let version = row.active_version.or(row.draft_version).unwrap_or(row.last_version);
        row.status = TextEnum(SkillStatus::Withdrawn);
        (row.active_version, row.failing) = (None, false);
        (row.reason, row.updated_at) = (Some(TextEnum(cause)), Time(self.now));
        if removes_text {
            // the name may be made of the title
            row.name = format!("withdrawn-{}", row.id.0.simple());
            row.draft_version = None;
            self.delete_versions(row.org_id, row.id)?;
        }
        self.store_skill(&row)?;
        let mut record = record(AuditAction::WithdrawSkill, &row, version)
            .context_field("cause", cause.as_str())
            .event_field("cause", cause.as_str())
            .with_episode(format!("withdrew a skill: {}", cause.as_str()), None);
        if was_active {
            record = record.visible_to(row.scope.0, row.team_id.team());
        }
        self.record(record).map(drop)
    }

    /// Withdraws the skills that were made of a memory.
    pub(crate) fn withdraw_skills_of(
        &mut self,
        org: OrgId,
        memory: Uuid,
        cause: WithdrawalCause,
    ) -> Result<(), StoreError> {
        for row in self.skills_of(org.into(), Id(memory))? {
            self.withdraw_row(row, cause)?;
        }
        Ok(())
    }

    /// Withdraws the skills whose active version or draft was made of this version of a memory.
    pub(crate) fn withdraw_skills_of_version(&mut self, org: OrgId, source: SourceRef) -> Result<(), StoreError> {
        for row in self.skills_of(org.into(), Id(source.0))? {
            for version in [row.active_version, row.draft_version].into_iter().flatten() {
                if self.sources_of(&row, version)?.contains(&source) {
                    self.withdraw_row(row, WithdrawalCause::SourceRemoved)?;
                    break;
                }
            }
        }
        Ok(())
    }

    /// Drafts new versions of the skills that were made of a memory, after a change of the memory.
    pub(crate) fn redraft_skills_of(&mut self, memory: &MemoryRow) -> Result<(), StoreError> {
        if memory.status.0 != MemoryStatus::Live {
            return Ok(());
        }
        let by = self.actor.subject.to_string();
        for mut row in self.skills_of(memory.org_id, memory.id)? {
            let Some(current) = row.draft_version.or(row.active_version) else { continue };
            let versions = self.version_rows_of(row.org_id, row.id)?;
            let Some(current) = versions.into_iter().find(|known| known.version == current) else { continue };
            let mut sources = decode_memories(&current.sources);
            for (id, version) in &mut sources {
                if *id == memory.id.0 {
                    *version = memory.version;
                }
            }
            self.store_draft(&mut row, &current.description, &sources, &by)?;
        }
        Ok(())
    }

    /// Gives the uses and the skills of a version of a memory its new number, after a change that leaves no earlier version.
    pub(crate) fn renumber_source(&mut self, org: Id, memory: Id, from: i64, to: i64) -> Result<(), StoreError> {
        let uses = memory_uses::table
            .filter(memory_uses::org_id.eq(org))
            .filter(memory_uses::memory_id.eq(memory))
            .filter(memory_uses::version.eq(from));
        diesel::update(uses).set(memory_uses::version.eq(to)).execute(self.writing()?)?;
        for row in self.skills_of(org, memory)? {
            for version in self.version_rows_of(org, row.id)? {
                let mut sources = decode_memories(&version.sources);
                for source in sources.iter_mut().filter(|source| **source == (memory.0, from)) {
                    source.1 = to;
                }
                let of_version = skill_versions::table.find((org, row.id, version.version));
                diesel::update(of_version)
                    .set(skill_versions::sources.eq(encode(&sources)))
                    .execute(self.writing()?)?;
            }
        }
        Ok(())
    }

    /// Judges the skills that were made of these memories by their evidence: marks those that are failing, and approves
    /// drafts where the rule of the org does.
    pub(crate) fn assess_skills_of(&mut self, memories: &BTreeSet<Uuid>) -> Result<(), StoreError> {
        let org = self.org;
        let mut known: Option<SkillRule> = None;
        for memory in memories {
            for row in self.skills_of(org.into(), Id(*memory))? {
                let rule = match known {
                    Some(rule) => rule,
                    None => *known.insert(self.skill_rule(org)?),
                };
                self.assess(row, &rule)?;
            }
        }
        Ok(())
    }

    fn assess(&mut self, mut row: SkillRow, rule: &SkillRule) -> Result<(), StoreError> {
        if let (SkillStatus::Active, Some(active)) = (row.status.0, row.active_version) {
            let evidence = self.evidence_of(&row, active)?;
            let failing = evidence.iter().any(|(_, uses)| rule.is_failing(uses));
            if failing && rule.withdraw_failing {
                return self.withdraw_row(row, WithdrawalCause::Failing);
            }
            if failing != row.failing {
                self.touch(row.org_id.org())?;
                (row.failing, row.updated_at) = (failing, Time(self.now));
                self.store_skill(&row)?;
                let change = if failing { "failing" } else { "recovered" };
                let record = record(AuditAction::WithdrawSkill, &row, active)
                    .context_field("change", change)
                    .event_kind(Some(EventKind::SkillChanged))
                    .event_field("change", change)
                    .visible_to(row.scope.0, row.team_id.team())
                    .with_episode(format!("a skill is {change}"), None);
                self.record(record)?;
            }
        }
        if let (SkillApproval::Auto, Some(version)) = (rule.approval, row.draft_version) {
            let evidence = self.evidence_of(&row, version)?;
            if !evidence.is_empty() && evidence.iter().all(|(_, uses)| rule.shortfall(uses).is_empty()) {
                let evidence = evidence_of_sources(&evidence).to_string();
                let approval = Approval { version, by: SERVER.to_owned(), is_auto: true, evidence };
                return self.approve_row(row, &approval);
            }
        }
        Ok(())
    }

    fn evidence_of(&mut self, row: &SkillRow, version: i64) -> Result<Vec<(Uuid, Vec<ProcedureUse>)>, StoreError> {
        let org = row.org_id.org();
        let sources = self.sources_of(row, version)?;
        sources.into_iter().map(|source| Ok((source.0, self.uses_of_version(org, source)?))).collect()
    }

    fn sources_of(&mut self, row: &SkillRow, version: i64) -> Result<Vec<SourceRef>, StoreError> {
        let sources: Option<Vec<u8>> = skill_versions::table
            .find((row.org_id, row.id, version))
            .select(skill_versions::sources)
            .first(self.drained()?)
            .optional()
            .row_context(VERSIONS, row.id.0)?;
        Ok(sources.map(|sources| decode_memories(&sources)).unwrap_or_default())
    }

    /// The skills with a version that was made of a memory.
    fn skills_of(&mut self, org: Id, memory: Id) -> Result<Vec<SkillRow>, StoreError> {
        skills::table
            .inner_join(
                skill_sources::table
                    .on(skill_sources::org_id.eq(skills::org_id).and(skill_sources::skill_id.eq(skills::id))),
            )
            .filter(skill_sources::org_id.eq(org))
            .filter(skill_sources::memory_id.eq(memory))
            .order(skills::id)
            .select(SkillRow::as_select())
            .load(self.drained()?)
            .row_context(TABLE, memory.0)
    }

    fn store_skill(&mut self, row: &SkillRow) -> Result<(), StoreError> {
        diesel::update(skills::table.find((row.org_id, row.id))).set(row).execute(self.writing()?)?;
        Ok(())
    }

    fn delete_versions(&mut self, org: Id, skill: Id) -> Result<(), StoreError> {
        let conn = self.writing()?;
        diesel::delete(skill_versions::table)
            .filter(skill_versions::org_id.eq(org))
            .filter(skill_versions::skill_id.eq(skill))
            .execute(conn)?;
        diesel::delete(skill_sources::table)
            .filter(skill_sources::org_id.eq(org))
            .filter(skill_sources::skill_id.eq(skill))
            .execute(conn)?;
        for table in [TABLE, VERSIONS] {
            self.pending.deleted_from.push(table);
        }
        Ok(())
    }

    /// Deletes the skills and rules of workspaces, and withdraws those of others that were made of their memories. Their
    /// memories still exist.
    pub(crate) fn erase_skills_of(&mut self, org: OrgId, gone: &[Id]) -> Result<(), StoreError> {
        let org_id = Id::from(org);
        let own: Vec<Id> = skills::table
            .filter(skills::org_id.eq(org_id))
            .filter(skills::workspace_id.eq_any(gone))
            .select(skills::id)
            .load(self.drained()?)
            .row_context(TABLE, org)?;
        for skill in &own {
            self.delete_versions(org_id, *skill)?;
        }
        let conn = self.writing()?;
        diesel::delete(skills::table)
            .filter(skills::org_id.eq(org_id))
            .filter(skills::workspace_id.eq_any(gone))
            .execute(conn)?;
        diesel::delete(skill_rules::table)
            .filter(skill_rules::org_id.eq(org_id))
            .filter(skill_rules::workspace_id.eq_any(gone))
            .execute(conn)?;
        let written = memories::table
            .filter(memories::org_id.eq(org_id))
            .filter(memories::author_id.eq_any(gone))
            .select(memories::id);
        let sources: Vec<Id> = skill_sources::table
            .filter(skill_sources::org_id.eq(org_id))
            .filter(skill_sources::memory_id.eq_any(written))
            .select(skill_sources::memory_id)
            .distinct()
            .load(conn)
            .row_context("skill_sources", org)?;
        for memory in sources {
            self.withdraw_skills_of(org, memory.0, WithdrawalCause::SourceRemoved)?;
        }
        Ok(())
    }
}

/// The record of a step. It names the skill by its id: a name may be made of content.
fn record(action: AuditAction, row: &SkillRow, version: i64) -> AuditRecord {
    let id = row.id.0.to_string();
    AuditRecord::new(action, row.workspace_id.workspace())
        .context_field("skill_id", id.clone())
        .context_field("version", version)
        .event_field("skill_id", id)
        .event_field("version", version)
}
