//! The steps of a skill: drafts, approvals, withdrawals, and the rule of the org.

use std::collections::BTreeSet;

use orgmem_hierarchy::{OrgId, Scope, WorkspaceId};
use orgmem_policies::audit::AuditAction;
use orgmem_policies::drafts::SkillDraft;
use orgmem_policies::rules::{
    ProcedureUse, RuleViolation, SkillApproval, SkillRule, check_skill_scope, evidence_of_sources,
};
use orgmem_policies::skill_package::{description_of, name_of};
use orgmem_policies::{ActPass, MAX_SKILLS, Permission, ViewPass, WritePass};
use orgmem_store::{Approval, AuditRecord, Memory, ReadPlan, SkillFilter, SourceRef, StoredSkill};
use orgmem_types as wire;
use uuid::Uuid;

use super::call::WriteCall;
use super::wire::redactions;
use super::{App, AppError};
use crate::auth::VerifiedClaims;

/// Procedures of a skill.
const MAX_SOURCES: usize = 16;

/// The approver that the server names for itself.
const SERVER: &str = "orgmem";

impl App {
    /// Drafts a version of a skill from procedures that the workspace can read. Where the rule of the org says `auto`, it is
    /// approved if all of them are candidates.
    ///
    /// # Errors
    /// [`AppError::Field`], [`AppError::Draft`]; [`AppError::NotFound`] for a procedure out of reach; [`AppError::Rule`];
    /// [`AppError::Scope`] for a scope that the workspace may not write.
    ///
    /// # Source
    /// `docs/spec/skills.md`, "Drafts".
    pub async fn draft_skill(
        &self,
        auth: &VerifiedClaims,
        workspace: Uuid,
        request: wire::DraftSkill,
    ) -> Result<wire::Skill, AppError> {
        let ids: BTreeSet<Uuid> = request.memory_ids.iter().copied().collect();
        if ids.is_empty() || ids.len() > MAX_SOURCES || ids.len() != request.memory_ids.len() {
            let expected = format!("a list of 1 to {MAX_SOURCES} different ids");
            return Err(AppError::Field { field: "memory_ids", expected });
        }
        let scrubber = self.scrubber;
        self.write_reads_before(auth, workspace, Permission::WriteMemories).await?;
        self.write(auth.call(workspace), move |call| {
            call.refuse_bound("draft skills, which have no end user")?;
            call.spend_writes(Permission::WriteMemories, 1, false)?;
            let at = call.workspace;
            let act = call.pass(|caller, tree| ActPass::grant(caller, Permission::WriteMemories, tree, at))?;
            let mut procedures = Vec::with_capacity(request.memory_ids.len());
            for memory in &request.memory_ids {
                procedures.push(call.procedure(*memory)?);
            }
            let first = procedures.first().ok_or(AppError::MEMORY_NOT_FOUND)?;
            let title = first.authored.title.as_deref();
            let no_name = || AppError::Field {
                field: "name",
                expected: "given, because the title of the first procedure makes none".into(),
            };
            let name = request.name.clone().or_else(|| title.and_then(name_of)).ok_or_else(no_name)?;
            let description = request.description.clone();
            let description = description.unwrap_or_else(|| description_of(title, &first.authored.content));
            let draft = SkillDraft::check(&name, &description, scrubber)?;
            let known = call.own_skill(draft.name())?;
            let (scope, team) = placement(call, &request, &procedures, known.as_ref())?;
            let pass = call.pass(|caller, tree| WritePass::grant(caller, tree, at, scope, team))?;
            let scopes: Vec<(Uuid, Scope)> = procedures.iter().map(|memory| (memory.id, memory.scope)).collect();
            check_skill_scope(scope, &scopes)?;
            if known.is_none() {
                let own = SkillFilter { workspace: Some(at), ..SkillFilter::default() };
                if call.tx.skills(call.org, &own)?.len() >= MAX_SKILLS {
                    return Err(RuleViolation::TooManySkills.into());
                }
            }
            let sources: Vec<SourceRef> = procedures.iter().map(|memory| (memory.id, memory.version)).collect();
            let by = call.caller.subject().to_owned();
            let skill = call.tx.draft_skill(&pass, &draft, &sources, &by)?;
            let rule = call.tx.skill_rule(call.org)?;
            let version = skill.draft_version.unwrap_or(skill.last_version);
            if rule.approval == SkillApproval::Auto {
                let evidence = call.evidence_of(&sources)?;
                if evidence.iter().all(|(_, uses)| rule.shortfall(uses).is_empty()) {
                    let evidence = evidence_of_sources(&evidence).to_string();
                    let approval = Approval { version, by: SERVER.to_owned(), is_auto: true, evidence };
                    call.tx.approve_skill(&act, skill.id, &approval)?;
                }
            }
            let found = call.skill(draft.name(), Some(version))?;
            let skill = call.skill_to_wire(found, true)?;
            Ok(wire::Skill { redactions: redactions(draft.redactions()), ..skill })
        })
        .await
    }

    /// Makes the draft of a skill of the workspace its active version, for operators.
    ///
    /// # Errors
    /// [`RuleViolation::NoDraft`] without a draft, or where it is another version than the requested one.
    ///
    /// # Source
    /// `docs/spec/skills.md`, "Approval".
    pub async fn approve_skill(
        &self,
        auth: &VerifiedClaims,
        workspace: Uuid,
        name: &str,
        request: wire::ApproveSkill,
    ) -> Result<wire::Skill, AppError> {
        let name = name.to_owned();
        self.write_reads_before(auth, workspace, Permission::ManageSkills).await?;
        self.write(auth.call(workspace), move |call| {
            let act = call.manages_skills()?;
            let at = call.workspace;
            let skill = call.own_skill(&name)?.ok_or(AppError::SKILL_NOT_FOUND)?;
            if request.version.is_some() && request.version == skill.active_version {
                // a repetition
                let found = call.skill(&name, request.version)?;
                return call.skill_to_wire(found, true);
            }
            let wanted = |draft: &i64| request.version.is_none_or(|version| version == *draft);
            let version = skill.draft_version.filter(wanted).ok_or_else(|| RuleViolation::NoDraft(name.clone()))?;
            let (scope, team) = (skill.scope, skill.team);
            // the tree and the sources may have changed since the draft
            call.pass(|caller, tree| WritePass::grant(caller, tree, at, scope, team))?;
            let found = call.skill(&name, Some(version))?;
            let scopes: Vec<(Uuid, Scope)> =
                found.text.sources.iter().map(|source| (source.memory, source.scope)).collect();
            check_skill_scope(scope, &scopes)?;
            let evidence = call.evidence_of(&found.version.sources)?;
            let evidence = evidence_of_sources(&evidence).to_string();
            let by = call.caller.subject().to_owned();
            call.tx.approve_skill(&act, skill.id, &Approval { version, by, is_auto: false, evidence })?;
            let found = call.skill(&name, Some(version))?;
            call.skill_to_wire(found, true)
        })
        .await
    }

    /// Withdraws a skill of the workspace, for operators. A repetition changes nothing.
    ///
    /// # Errors
    /// [`AppError::NotFound`] for a skill that the workspace does not have.
    pub async fn withdraw_skill(
        &self,
        auth: &VerifiedClaims,
        workspace: Uuid,
        name: &str,
    ) -> Result<wire::Deleted, AppError> {
        let name = name.to_owned();
        self.write(auth.call(workspace), move |call| {
            let act = call.manages_skills()?;
            let skill = call.own_skill(&name)?.ok_or(AppError::SKILL_NOT_FOUND)?;
            call.tx.withdraw_skill(&act, skill.id)?;
            Ok(wire::Deleted::done())
        })
        .await
    }

    /// The rule of the org.
    pub async fn read_skill_rule(&self, auth: &VerifiedClaims, workspace: Uuid) -> Result<wire::SkillRule, AppError> {
        self.read(auth.call(workspace).plan(ReadPlan::PointLookup), |call| {
            let at = call.workspace;
            call.pass(|caller, tree| ViewPass::grant(caller, Permission::ReadMemories, tree, at))?;
            Ok(rule_to_wire(&call.tx.skill_rule(call.org)?))
        })
        .await
    }

    /// Changes the rule of the org, for operators of its root.
    ///
    /// # Errors
    /// [`AppError::Field`] for an invalid value, and for a workspace that is not the root.
    pub async fn change_skill_rule(
        &self,
        auth: &VerifiedClaims,
        workspace: Uuid,
        request: wire::SkillRule,
    ) -> Result<wire::SkillRule, AppError> {
        let rule = rule(&request);
        rule.check().map_err(|(field, expected)| AppError::Field { field, expected: expected.into() })?;
        self.write(auth.call(workspace), move |call| {
            let act = call.manages_skills()?;
            if call.workspace != call.org.root() {
                return Err(AppError::Field {
                    field: "id",
                    expected: "the id of the root workspace of the org".into(),
                });
            }
            call.tx.set_skill_rule(&act, &rule)?;
            let record = AuditRecord::new(AuditAction::ChangeSkillRule, call.workspace)
                .context_field("rule", serde_json::to_value(rule).unwrap_or_default());
            call.tx.record(record)?;
            Ok(rule_to_wire(&rule))
        })
        .await
    }

    /// Writes the buffered reads of the org for a caller with this permission, so that the evidence includes them.
    async fn write_reads_before(
        &self,
        auth: &VerifiedClaims,
        workspace: Uuid,
        permission: Permission,
    ) -> Result<(), AppError> {
        let org: OrgId = self
            .read(auth.call(workspace).plan(ReadPlan::PointLookup), move |call| {
                let at = call.workspace;
                call.pass(|caller, tree| ActPass::grant(caller, permission, tree, at))?;
                Ok(call.org)
            })
            .await?;
        self.write_reads_of(org).await;
        Ok(())
    }
}

impl WriteCall<'_> {
    fn manages_skills(&mut self) -> Result<ActPass, AppError> {
        let at = self.workspace;
        self.pass(|caller, tree| ActPass::grant(caller, Permission::ManageSkills, tree, at))
    }

    fn evidence_of(&mut self, sources: &[SourceRef]) -> Result<Vec<(Uuid, Vec<ProcedureUse>)>, AppError> {
        sources.iter().map(|source| Ok((source.0, self.tx.uses_of_version(self.org, *source)?))).collect()
    }
}

/// Scope and team of a draft: those of the version in use, or the requested ones, or the narrowest of the procedures.
fn placement(
    call: &mut WriteCall<'_>,
    request: &wire::DraftSkill,
    procedures: &[Memory],
    known: Option<&StoredSkill>,
) -> Result<(Scope, Option<WorkspaceId>), AppError> {
    let requested = request.scope.map(|scope| (scope, request.team.map(WorkspaceId::from)));
    if let Some(active) = known.filter(|known| known.active_version.is_some()) {
        let in_use = (active.scope, active.team);
        return match requested {
            Some(other) if other != in_use => Err(AppError::Field {
                field: "scope",
                expected: format!("{}, as the version in use has it; withdraw the skill to change its scope", in_use.0),
            }),
            Some(_) | None => Ok(in_use),
        };
    }
    if let Some(requested) = requested {
        return Ok(requested);
    }
    let has = |scope: Scope| procedures.iter().any(|memory| memory.scope == scope);
    let is_root = call.workspace == call.org.root();
    if has(Scope::Local) {
        return Ok((Scope::Local, None));
    }
    if !has(Scope::Team) && is_root {
        return Ok((Scope::Global, None));
    }
    let lead = procedures.iter().find_map(|memory| memory.team);
    let at = call.workspace;
    let writable = {
        let tree = call.tx.tree(call.org)?;
        lead.is_none_or(|lead| tree.write(at, Scope::Team, Some(lead)).is_ok())
    };
    Ok(if writable { (Scope::Team, lead) } else { (Scope::Local, None) })
}

fn rule(request: &wire::SkillRule) -> SkillRule {
    SkillRule {
        successes: request.successes,
        runs: request.runs,
        sessions: request.sessions,
        lower_bound: request.lower_bound,
        own_percent: request.own_percent,
        failing_below: request.failing_below,
        failing_uses: request.failing_uses,
        withdraw_failing: request.withdraw_failing,
        approval: match request.approval {
            wire::SkillApproval::Operator => SkillApproval::Operator,
            wire::SkillApproval::Auto => SkillApproval::Auto,
        },
    }
}

fn rule_to_wire(rule: &SkillRule) -> wire::SkillRule {
    wire::SkillRule {
        successes: rule.successes,
        runs: rule.runs,
        sessions: rule.sessions,
        lower_bound: rule.lower_bound,
        own_percent: rule.own_percent,
        failing_below: rule.failing_below,
        failing_uses: rule.failing_uses,
        withdraw_failing: rule.withdraw_failing,
        approval: match rule.approval {
            SkillApproval::Operator => wire::SkillApproval::Operator,
            SkillApproval::Auto => wire::SkillApproval::Auto,
        },
    }
}
