//! Reads of skills. Who may use a skill is decided at each read: the reader must reach the skill and every source.

use std::collections::BTreeMap;

use orgmem_hierarchy::{Via, WorkspaceId};
use orgmem_policies::ReadPass;
use orgmem_policies::audit::AuditAction;
use orgmem_policies::claims::{corrected, corrected_title};
use orgmem_policies::rules::{ProcedureUse, SkillStatus};
use orgmem_policies::skill_package::{PackageFile, SkillSource, SkillText, difference, hash_of, render};
use orgmem_store::{AuditRecord, ReadPlan, ReadTx, SkillFilter, SourceRef, StoredSkill, StoredSkillVersion};
use orgmem_types as wire;
use sha2::{Digest, Sha256};
use uuid::Uuid;

use super::call::{Call, ReadCall};
use super::claims::Claimed;
use super::evidence::time;
use super::{App, AppError};
use crate::auth::VerifiedClaims;
use crate::skill_archive::pack;

/// A response, or that the caller already has it.
pub(crate) enum Etag<T> {
    Unchanged(String),
    Changed(String, T),
}

/// A version of a skill that the workspace can read, with its package.
pub(super) struct ReadableSkill {
    pub(super) skill: StoredSkill,
    pub(super) version: StoredSkillVersion,
    pub(super) via: Via,
    pub(super) text: SkillText,
    pub(super) files: Vec<PackageFile>,
}

impl App {
    /// What the workspace can use now, by name; or its drafts, its withdrawn skills, or candidates.
    ///
    /// # Source
    /// `docs/spec/skills.md`, "Reading".
    pub(crate) async fn list_skills(
        &self,
        auth: &VerifiedClaims,
        workspace: Uuid,
        request: wire::ListSkills,
        known: Option<&str>,
    ) -> Result<Etag<Vec<wire::Skill>>, AppError> {
        let known = known.map(str::to_owned);
        if request.status == Some(wire::SkillStatus::Candidate) {
            let org = self.read(auth.call(workspace), |call| call.reads(call.workspace).map(|_| call.org)).await?;
            self.write_reads_of(org).await;
        }
        self.read_audited(auth.call(workspace).plan(ReadPlan::Scan), move |call| {
            let skills = match request.status {
                None | Some(wire::SkillStatus::Active) => {
                    let usable = call.usable_skills()?;
                    usable.into_iter().map(|skill| call.skill_to_wire(skill, false)).collect::<Result<Vec<_>, _>>()?
                }
                Some(wire::SkillStatus::Candidate) => call.candidates()?,
                Some(wire::SkillStatus::Draft) => call.own_skills(|skill| skill.draft_version.is_some())?,
                Some(wire::SkillStatus::Withdrawn) => {
                    call.own_skills(|skill| skill.status == SkillStatus::Withdrawn)?
                }
            };
            // strings and numbers always serialize
            let tag = hex::encode(Sha256::digest(serde_json::to_vec(&skills).unwrap_or_default()));
            if known.as_deref() == Some(tag.as_str()) {
                // the caller learns nothing that it does not have
                return Ok((Etag::Unchanged(tag), None));
            }
            let sources = skills.iter().flat_map(|skill| &skill.sources);
            let record = AuditRecord::new(AuditAction::ListSkills, call.workspace)
                .about(sources.map(|source| (source.memory_id, source.version)))
                .context_field("skills", skills.len());
            Ok((Etag::Changed(tag, skills), Some(record)))
        })
        .await
    }

    /// A skill with the files of its package.
    ///
    /// # Errors
    /// [`AppError::NotFound`] for a skill that the workspace cannot use and does not have.
    pub async fn read_skill(
        &self,
        auth: &VerifiedClaims,
        workspace: Uuid,
        name: &str,
        request: wire::ReadSkill,
    ) -> Result<wire::SkillDetail, AppError> {
        let name = name.to_owned();
        self.read_audited(auth.call(workspace).plan(ReadPlan::Scan), move |call| {
            let found = call.skill(&name, request.version)?;
            let record = record_of(call, &found);
            let is_own = found.skill.workspace == call.workspace;
            let versions = match is_own {
                true => call.tx.skill_versions(call.org, found.skill.id)?,
                false => Vec::new(),
            };
            let used_by = match call.caller.role().is_person() {
                true => call.users_of(&found.version.sources)?,
                false => Vec::new(),
            };
            let files =
                found.files.iter().map(|file| wire::SkillFile { path: file.path.clone(), text: file.text.clone() });
            let files = files.collect();
            let skill = call.skill_to_wire(found, is_own)?;
            let versions = versions.into_iter().map(version_to_wire).collect();
            Ok((wire::SkillDetail { skill, files, versions, used_by }, record))
        })
        .await
    }

    /// The package of a skill as a tar.gz file.
    ///
    /// # Errors
    /// As for [`App::read_skill`].
    pub(crate) async fn read_skill_package(
        &self,
        auth: &VerifiedClaims,
        workspace: Uuid,
        name: &str,
        request: wire::ReadSkill,
        known: Option<&str>,
    ) -> Result<Etag<Vec<u8>>, AppError> {
        let (name, known) = (name.to_owned(), known.map(str::to_owned));
        let found = self.read_audited(auth.call(workspace).plan(ReadPlan::Scan), move |call| {
            let found = call.skill(&name, request.version)?;
            let hash = hash_of(&found.files);
            if known.as_deref() == Some(hash.as_str()) {
                return Ok((Etag::Unchanged(hash), None));
            }
            let record = record_of(call, &found);
            Ok((Etag::Changed(hash, (found.skill.name, found.files)), Some(record)))
        });
        Ok(match found.await? {
            Etag::Unchanged(hash) => Etag::Unchanged(hash),
            Etag::Changed(hash, (name, files)) => {
                let packed = pack(&name, &files);
                let too_long = |_| AppError::Field { field: "name", expected: "a name that a package can have".into() };
                Etag::Changed(hash, packed.map_err(too_long)?)
            }
        })
    }

    /// The difference of two versions of a skill of the workspace.
    ///
    /// # Errors
    /// [`AppError::NotFound`] for a skill or a version that the workspace does not have.
    pub async fn diff_skill(
        &self,
        auth: &VerifiedClaims,
        workspace: Uuid,
        name: &str,
        request: wire::DiffSkill,
    ) -> Result<wire::SkillDiff, AppError> {
        let name = name.to_owned();
        self.read_audited(auth.call(workspace).plan(ReadPlan::Scan), move |call| {
            let skill = call.own_skill(&name)?.ok_or(AppError::SKILL_NOT_FOUND)?;
            let latest = skill.last_version;
            let from = request.from.or(skill.active_version).unwrap_or((latest - 1).max(1));
            let to = request.to.or(skill.draft_version).unwrap_or(latest);
            let (one, other) = (call.skill(&name, Some(from))?, call.skill(&name, Some(to))?);
            let record = record_of(call, &other).about(one.version.sources.iter().copied());
            Ok((wire::SkillDiff { from, to, diff: difference(&one.files, &other.files) }, record))
        })
        .await
    }
}

impl<Tx: ReadTx + ?Sized> Call<'_, Tx> {
    /// The active skills that the workspace can use, by name. Of several with one name, the nearest one counts.
    pub(super) fn usable_skills(&mut self) -> Result<Vec<ReadableSkill>, AppError> {
        let pass = self.reads(self.workspace)?;
        let active = SkillFilter { status: Some(SkillStatus::Active), ..SkillFilter::default() };
        let mut usable: BTreeMap<String, ReadableSkill> = BTreeMap::new();
        for skill in self.tx.skills(self.org, &active)? {
            let Some(version) = skill.active_version else { continue };
            if let Some(found) = self.readable(&pass, skill, version)? {
                let name = found.skill.name.clone();
                match usable.get(&name) {
                    Some(nearer) if order(nearer) <= order(&found) => {}
                    _ => drop(usable.insert(name, found)),
                }
            }
        }
        Ok(usable.into_values().collect())
    }

    /// A skill that the workspace can use; or a version of an own one, by default the one in use or its draft.
    pub(super) fn skill(&mut self, name: &str, version: Option<i64>) -> Result<ReadableSkill, AppError> {
        if version.is_none()
            && let Some(found) = self.usable_skills()?.into_iter().find(|found| found.skill.name == name)
        {
            return Ok(found);
        }
        let pass = self.reads(self.workspace)?;
        let skill = self.own_skill(name)?.ok_or(AppError::SKILL_NOT_FOUND)?;
        let version = version.or(skill.active_version).or(skill.draft_version).unwrap_or(skill.last_version);
        self.readable(&pass, skill, version)?.ok_or(AppError::SKILL_NOT_FOUND)
    }

    pub(super) fn own_skill(&mut self, name: &str) -> Result<Option<StoredSkill>, AppError> {
        // no column holds a name of another form
        if !orgmem_policies::skill_package::is_name(name) {
            return Ok(None);
        }
        let filter = SkillFilter { workspace: Some(self.workspace), name: Some(name.to_owned()), status: None };
        Ok(self.tx.skills(self.org, &filter)?.pop())
    }

    /// A version of a skill, if the reader reaches the skill and every source.
    fn readable(
        &mut self,
        pass: &ReadPass,
        skill: StoredSkill,
        version: i64,
    ) -> Result<Option<ReadableSkill>, AppError> {
        let mut parts = pass.reach().parts().iter();
        let part = parts.find(|part| part.author() == skill.workspace && part.covers(skill.scope, skill.team));
        let Some(via) = part.map(|part| part.via()) else { return Ok(None) };
        let versions = self.tx.skill_versions(self.org, skill.id)?;
        let Some(version) = versions.into_iter().find(|known| known.version == version) else { return Ok(None) };
        let Some(mut sources) = self.tx.skill_sources(pass, &version.sources)? else { return Ok(None) };
        let description = self.correct_sources(&mut sources, &version.description)?;
        let text = SkillText {
            name: skill.name.clone(),
            version: version.version,
            workspace: skill.workspace,
            description,
            sources,
            approved_by: version.approved_by.clone(),
            is_auto: version.is_auto,
            evidence: serde_json::from_str(&version.evidence).unwrap_or_default(),
        };
        let files = render(&text);
        Ok(Some(ReadableSkill { skill, version, via, text, files }))
    }

    /// Puts the records in place of stale claims of the sources, and returns the description without them: a runtime loads the
    /// package as text.
    fn correct_sources(&mut self, sources: &mut [SkillSource], description: &str) -> Result<String, AppError> {
        let checked = self.check_claims(sources.iter().map(|source| Claimed::untracked(source.claims.as_deref())))?;
        for (source, checked) in sources.iter_mut().zip(&checked) {
            source.content = corrected(&source.content, checked).into_owned();
            source.title = source.title.take().map(|title| corrected_title(&title, checked).into_owned());
        }
        Ok(corrected_title(description, &checked.concat()).into_owned())
    }

    pub(super) fn own_skills(&mut self, shows: impl Fn(&StoredSkill) -> bool) -> Result<Vec<wire::Skill>, AppError> {
        let pass = self.reads(self.workspace)?;
        let filter = SkillFilter { workspace: Some(self.workspace), ..SkillFilter::default() };
        let mut skills = Vec::new();
        for skill in self.tx.skills(self.org, &filter)?.into_iter().filter(|skill| shows(skill)) {
            let version = skill.draft_version.unwrap_or(skill.last_version);
            skills.push(match self.readable(&pass, skill.clone(), version)? {
                Some(found) => self.skill_to_wire(found, true)?,
                // nothing of it can be read any more
                None => {
                    let name = self.names(&[skill.workspace])?.of(skill.workspace);
                    bare(&skill, name, true)
                }
            });
        }
        Ok(skills)
    }

    pub(super) fn skill_to_wire(&mut self, found: ReadableSkill, is_own: bool) -> Result<wire::Skill, AppError> {
        let ReadableSkill { skill, version, via, text, files } = found;
        let name = self.names(&[skill.workspace])?.of(skill.workspace);
        Ok(wire::Skill {
            description: text.shown_description(),
            via: Some(via),
            version: Some(version.version),
            hash: Some(hash_of(&files)),
            sources: sources_to_wire(&version.sources),
            approved_by: version.approved_by,
            approved_at: version.approved_at,
            ..bare(&skill, name, is_own)
        })
    }

    /// The workspaces that used these versions, among those that the caller covers.
    fn users_of(&mut self, sources: &[SourceRef]) -> Result<Vec<wire::SkillUser>, AppError> {
        let mut uses: Vec<ProcedureUse> = Vec::new();
        for source in sources {
            uses.extend(self.tx.uses_of_version(self.org, *source)?);
        }
        let mut users: BTreeMap<WorkspaceId, (u64, i64)> = BTreeMap::new();
        for used in uses {
            let (count, last) = users.entry(used.workspace).or_insert((0, used.at));
            (*count, *last) = (*count + 1, used.at.max(*last));
        }
        let top = self.caller.workspace();
        {
            let tree = self.tx.tree(self.org)?;
            users.retain(|user, _| top.is_none_or(|top| tree.is_within(*user, top)));
        }
        let ids: Vec<WorkspaceId> = users.keys().copied().collect();
        let names = self.names(&ids)?;
        let to_wire = |(user, (uses, last)): (WorkspaceId, (u64, i64))| wire::SkillUser {
            workspace_id: user.uuid(),
            workspace_name: names.of(user),
            uses,
            last_at: time(last),
        };
        Ok(users.into_iter().map(to_wire).collect())
    }
}

/// The place of a skill among those of one name: the nearest first, then the oldest.
fn order(found: &ReadableSkill) -> (u8, Uuid) {
    let distance = match found.via {
        Via::Itself => 0,
        Via::Parent => 1,
        Via::Sibling => 2,
        Via::Child => 3,
        Via::Org => 4,
    };
    (distance, found.skill.id)
}

/// A skill without what its sources give.
fn bare(skill: &StoredSkill, workspace_name: String, is_own: bool) -> wire::Skill {
    wire::Skill {
        id: Some(skill.id),
        name: skill.name.clone(),
        description: String::new(),
        status: match skill.status {
            SkillStatus::Draft => wire::SkillStatus::Draft,
            SkillStatus::Active => wire::SkillStatus::Active,
            SkillStatus::Withdrawn => wire::SkillStatus::Withdrawn,
        },
        failing: skill.failing,
        workspace_id: skill.workspace.uuid(),
        workspace_name,
        scope: skill.scope,
        team: skill.team.map(WorkspaceId::uuid),
        via: None,
        version: None,
        active_version: skill.active_version,
        draft_version: skill.draft_version.filter(|_| is_own),
        hash: None,
        sources: Vec::new(),
        evidence: None,
        approved_by: None,
        approved_at: None,
        withdrawn_because: skill.cause.map(|cause| cause.as_str().to_owned()),
        updated_at: Some(skill.updated_at).filter(|_| is_own),
        redactions: Vec::new(),
    }
}

pub(super) fn sources_to_wire(sources: &[SourceRef]) -> Vec<wire::SkillSource> {
    sources.iter().map(|&(memory_id, version)| wire::SkillSource { memory_id, version }).collect()
}

fn version_to_wire(version: StoredSkillVersion) -> wire::SkillVersion {
    wire::SkillVersion {
        version: version.version,
        sources: sources_to_wire(&version.sources),
        drafted_by: version.drafted_by,
        drafted_at: version.drafted_at,
        approved_by: version.approved_by,
        approved_at: version.approved_at,
    }
}

fn record_of(call: &ReadCall<'_>, found: &ReadableSkill) -> AuditRecord {
    AuditRecord::new(AuditAction::ReadSkill, call.workspace)
        .about(found.version.sources.iter().copied())
        .context_field("skill_id", found.skill.id.to_string())
        .context_field("version", found.version.version)
        .with_read_episode(&call.caller, |_| "read a skill".to_owned(), None)
}
