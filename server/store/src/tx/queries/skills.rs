//! Skills and their versions.

use diesel::prelude::*;
use orgmem_hierarchy::{OrgId, Scope};
use orgmem_policies::drafts::SkillDraft;
use orgmem_policies::rules::{SkillRule, SkillStatus, WithdrawalCause};
use orgmem_policies::skill_package::SkillSource;
use orgmem_policies::{ActPass, ReadPass, WritePass};
use uuid::Uuid;

use super::Tx;
use super::audit_log::decode_memories;
use super::memory_rows::MemoryRow;
use super::version_rows::VersionRow;
use crate::StoreError;
use crate::columns::{Id, TextEnum, Time};
use crate::contract::{Approval, SkillFilter, SourceRef, StoredSkill, StoredSkillVersion};
use crate::engine::RowContext;
use crate::schema::{memory_versions, skill_rules, skill_sources, skill_versions, skills};

pub(super) const TABLE: &str = "skills";
pub(super) const VERSIONS: &str = "skill_versions";

#[derive(Clone, Debug, Queryable, Selectable, Insertable, AsChangeset)]
#[diesel(table_name = skills, primary_key(org_id, id), treat_none_as_null = true)]
#[diesel(treat_none_as_default_value = false)]
pub(super) struct SkillRow {
    pub(super) org_id: Id,
    pub(super) id: Id,
    pub(super) workspace_id: Id,
    pub(super) name: String,
    pub(super) scope: TextEnum<Scope>,
    pub(super) team_id: Id,
    pub(super) status: TextEnum<SkillStatus>,
    pub(super) active_version: Option<i64>,
    pub(super) draft_version: Option<i64>,
    pub(super) last_version: i64,
    pub(super) failing: bool,
    pub(super) reason: Option<TextEnum<WithdrawalCause>>,
    pub(super) created_at: Time,
    pub(super) updated_at: Time,
}

#[derive(Clone, Debug, Queryable, Selectable, Insertable, AsChangeset)]
#[diesel(table_name = skill_versions, primary_key(org_id, skill_id, version), treat_none_as_null = true)]
#[diesel(treat_none_as_default_value = false)]
pub(super) struct SkillVersionRow {
    pub(super) org_id: Id,
    pub(super) skill_id: Id,
    pub(super) version: i64,
    pub(super) description: String,
    pub(super) sources: Vec<u8>,
    pub(super) drafted_by: String,
    pub(super) drafted_at: Time,
    pub(super) approved_by: Option<String>,
    pub(super) approved_at: Option<Time>,
    pub(super) is_auto: bool,
    pub(super) evidence: String,
}

impl From<SkillRow> for StoredSkill {
    fn from(row: SkillRow) -> Self {
        Self {
            id: row.id.0,
            workspace: row.workspace_id.workspace(),
            name: row.name,
            scope: row.scope.0,
            team: row.team_id.team(),
            status: row.status.0,
            active_version: row.active_version,
            draft_version: row.draft_version,
            last_version: row.last_version,
            failing: row.failing,
            cause: row.reason.map(|cause| cause.0),
            updated_at: row.updated_at.0,
        }
    }
}

impl From<SkillVersionRow> for StoredSkillVersion {
    fn from(row: SkillVersionRow) -> Self {
        Self {
            version: row.version,
            description: row.description,
            sources: decode_memories(&row.sources),
            drafted_by: row.drafted_by,
            drafted_at: row.drafted_at.0,
            approved_by: row.approved_by,
            approved_at: row.approved_at.map(|at| at.0),
            is_auto: row.is_auto,
            evidence: row.evidence,
        }
    }
}

/// For each source, 16 bytes of its id and 8 big-endian bytes of its version.
pub(super) fn encode(sources: &[SourceRef]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(sources.len() * 24);
    for (memory, version) in sources {
        bytes.extend_from_slice(memory.as_bytes());
        bytes.extend_from_slice(&version.to_be_bytes());
    }
    bytes
}

impl Tx<'_> {
    pub(crate) fn skill_rule(&mut self, org: OrgId) -> Result<SkillRule, StoreError> {
        let stored: Option<String> = skill_rules::table
            .filter(skill_rules::org_id.eq(Id::from(org)))
            .select(skill_rules::rule)
            .first(self.drained()?)
            .optional()
            .row_context("skill_rules", org)?;
        let unreadable = |_| StoreError::unreadable("skill_rules", org, "the rule is not the JSON of a rule");
        stored.map_or_else(|| Ok(SkillRule::default()), |rule| serde_json::from_str(&rule).map_err(unreadable))
    }

    pub(crate) fn set_skill_rule(&mut self, pass: &ActPass, rule: &SkillRule) -> Result<(), StoreError> {
        let (org_id, workspace_id) = (Id::from(pass.org()), Id::from(pass.workspace()));
        self.touch(pass.org())?;
        // a struct of numbers always serializes
        let text = serde_json::to_string(rule).unwrap_or_default();
        let values = (
            skill_rules::org_id.eq(org_id),
            skill_rules::workspace_id.eq(workspace_id),
            skill_rules::rule.eq(text.as_str()),
        );
        diesel::insert_into(skill_rules::table)
            .values(values)
            .on_conflict((skill_rules::org_id, skill_rules::workspace_id))
            .do_update()
            .set(skill_rules::rule.eq(text.as_str()))
            .execute(self.writing()?)?;
        Ok(())
    }

    pub(crate) fn skills(&mut self, org: OrgId, filter: &SkillFilter) -> Result<Vec<StoredSkill>, StoreError> {
        let mut rows = skills::table
            .filter(skills::org_id.eq(Id::from(org)))
            .order((skills::name, skills::id))
            .select(SkillRow::as_select())
            .into_boxed();
        if let Some(workspace) = filter.workspace {
            rows = rows.filter(skills::workspace_id.eq(Id::from(workspace)));
        }
        if let Some(name) = &filter.name {
            rows = rows.filter(skills::name.eq(name));
        }
        if let Some(status) = filter.status {
            rows = rows.filter(skills::status.eq(TextEnum(status)));
        }
        let rows: Vec<SkillRow> = rows.load(self.drained()?).row_context(TABLE, org)?;
        Ok(rows.into_iter().map(StoredSkill::from).collect())
    }

    pub(crate) fn skill_versions(&mut self, org: OrgId, skill: Uuid) -> Result<Vec<StoredSkillVersion>, StoreError> {
        let rows = self.version_rows_of(org.into(), Id(skill))?;
        Ok(rows.into_iter().map(StoredSkillVersion::from).collect())
    }

    /// The versions of a skill, newest first.
    pub(super) fn version_rows_of(&mut self, org: Id, skill: Id) -> Result<Vec<SkillVersionRow>, StoreError> {
        skill_versions::table
            .filter(skill_versions::org_id.eq(org))
            .filter(skill_versions::skill_id.eq(skill))
            .order(skill_versions::version.desc())
            .select(SkillVersionRow::as_select())
            .load(self.drained()?)
            .row_context(VERSIONS, skill.0)
    }

    pub(crate) fn skill_sources(
        &mut self,
        pass: &ReadPass,
        sources: &[SourceRef],
    ) -> Result<Option<Vec<SkillSource>>, StoreError> {
        let mut found = Vec::with_capacity(sources.len());
        for &(memory, version) in sources {
            let Some(source) = self.skill_source(pass, memory, version)? else { return Ok(None) };
            found.push(source);
        }
        Ok(Some(found))
    }

    /// A version of a memory that the reader can read now, if it also reads that version.
    fn skill_source(&mut self, pass: &ReadPass, memory: Uuid, version: i64) -> Result<Option<SkillSource>, StoreError> {
        let Some((row, _)) = self.readable_row(pass, memory)? else { return Ok(None) };
        let author = row.author_id.workspace();
        let source = |scope: Scope, title: Option<String>, content: String, claims: Option<String>| SkillSource {
            memory,
            version,
            author,
            scope,
            title,
            content,
            claims,
        };
        if row.version == version {
            let MemoryRow { scope, authored, content, .. } = row;
            return Ok(content.map(|content| source(scope.0, authored.title, content, authored.claims)));
        }
        let earlier: Option<VersionRow> = memory_versions::table
            .find((row.org_id, row.id, version))
            .filter(memory_versions::expires_at.is_null().or(memory_versions::expires_at.gt(Time(self.now))))
            .select(VersionRow::as_select())
            .first(self.conn()?)
            .optional()
            .row_context("memory_versions", (memory, version))?;
        let Some(earlier) = earlier else { return Ok(None) };
        let mut parts = pass.reach().parts().iter().filter(|part| part.author() == author);
        let is_readable = parts.any(|part| part.covers(earlier.scope.0, earlier.team_id.team()))
            && !pass.excludes(&earlier.authored.kind)
            && pass.users().permits(earlier.authored.subject.as_deref(), earlier.authored.session_id.as_deref());
        Ok(is_readable
            .then(|| source(earlier.scope.0, earlier.authored.title, earlier.content, earlier.authored.claims)))
    }

    pub(crate) fn draft_skill(
        &mut self,
        pass: &WritePass,
        draft: &SkillDraft,
        sources: &[SourceRef],
        by: &str,
    ) -> Result<StoredSkill, StoreError> {
        let (org_id, now) = (Id::from(pass.org()), Time(self.now));
        self.touch(pass.org())?;
        let known: Option<SkillRow> = skills::table
            .filter(skills::org_id.eq(org_id))
            .filter(skills::workspace_id.eq(Id::from(pass.author())))
            .filter(skills::name.eq(draft.name()))
            .select(SkillRow::as_select())
            .first(self.drained()?)
            .optional()
            .row_context(TABLE, pass.author())?;
        let is_new = known.is_none();
        let mut row = known.unwrap_or_else(|| SkillRow {
            org_id,
            id: Id(self.core.ids.next(self.now)),
            workspace_id: pass.author().into(),
            name: draft.name().to_owned(),
            scope: TextEnum(pass.scope()),
            team_id: Id::of_team(pass.team()),
            status: TextEnum(SkillStatus::Draft),
            active_version: None,
            draft_version: None,
            last_version: 0,
            failing: false,
            reason: None,
            created_at: now,
            updated_at: now,
        });
        if row.active_version.is_none() {
            // an active version keeps its scope until the draft is approved under the same one
            (row.scope, row.team_id) = (TextEnum(pass.scope()), Id::of_team(pass.team()));
            row.status = TextEnum(SkillStatus::Draft);
            row.reason = None;
        }
        if is_new {
            diesel::insert_into(skills::table).values(&row).execute(self.writing()?)?;
        }
        self.store_draft(&mut row, draft.description(), sources, by)?;
        Ok(row.into())
    }

    pub(crate) fn approve_skill(&mut self, pass: &ActPass, skill: Uuid, approval: &Approval) -> Result<(), StoreError> {
        match self.skill_row(pass.org().into(), Id(skill))? {
            Some(row) if row.workspace_id == pass.workspace().into() => self.approve_row(row, approval),
            Some(_) | None => Ok(()),
        }
    }

    pub(crate) fn withdraw_skill(&mut self, pass: &ActPass, skill: Uuid) -> Result<(), StoreError> {
        match self.skill_row(pass.org().into(), Id(skill))? {
            Some(row) if row.workspace_id == pass.workspace().into() => {
                self.withdraw_row(row, WithdrawalCause::Operator)
            }
            Some(_) | None => Ok(()),
        }
    }

    fn skill_row(&mut self, org: Id, skill: Id) -> Result<Option<SkillRow>, StoreError> {
        skills::table
            .find((org, skill))
            .select(SkillRow::as_select())
            .first(self.drained()?)
            .optional()
            .row_context(TABLE, skill.0)
    }

    /// Lists the memories of a version under the skill.
    pub(super) fn link_sources(&mut self, org: Id, skill: Id, sources: &[SourceRef]) -> Result<(), StoreError> {
        for (memory, _) in sources {
            let values = (
                skill_sources::org_id.eq(org),
                skill_sources::memory_id.eq(Id(*memory)),
                skill_sources::skill_id.eq(skill),
            );
            diesel::insert_into(skill_sources::table)
                .values(values)
                .on_conflict_do_nothing()
                .execute(self.writing()?)?;
        }
        Ok(())
    }
}
