//! Candidates for skills.

use std::collections::BTreeSet;

use orgmem_hierarchy::WorkspaceId;
use orgmem_policies::claims::{corrected, corrected_title};
use orgmem_policies::rules::{PROCEDURE, UseTally};
use orgmem_policies::skill_package::{description_of, name_of};
use orgmem_store::{ReadTx, SourceRef};
use orgmem_types as wire;

use super::AppError;
use super::call::Call;
use super::claims::Claimed;
use super::evidence::counted;
use super::skills::sources_to_wire;

impl<Tx: ReadTx + ?Sized> Call<'_, Tx> {
    /// The procedures that the workspace reads, whose evidence passes the rule, and that no skill has.
    pub(super) fn candidates(&mut self) -> Result<Vec<wire::Skill>, AppError> {
        let pass = self.reads(self.workspace)?;
        let rule = self.tx.skill_rule(self.org)?;
        let mut taken: BTreeSet<SourceRef> = BTreeSet::new();
        taken.extend(self.usable_skills()?.iter().flat_map(|found| &found.version.sources));
        let drafts = self.own_skills(|skill| skill.draft_version.is_some())?;
        taken.extend(drafts.iter().flat_map(|skill| &skill.sources).map(|source| (source.memory_id, source.version)));
        let mut candidates = Vec::new();
        for memory in self.tx.used_procedures(self.org)? {
            let Some((found, via)) = self.tx.memory(&pass, memory)? else { continue };
            let source = (memory, found.version);
            if found.authored.kind != PROCEDURE || taken.contains(&source) {
                continue;
            }
            let uses = self.tx.uses_of_version(self.org, source)?;
            if !rule.shortfall(&uses).is_empty() {
                continue;
            }
            let title = found.authored.title.as_deref();
            let checked = self.check_claims([Claimed::untracked(found.authored.claims.as_deref())])?.concat();
            let mut description = description_of(title, &corrected(&found.authored.content, &checked));
            description = corrected_title(&description, &checked).into_owned();
            if pass.quotes(found.scope, found.author) {
                let author = self.names(&[found.author])?.stored(found.author);
                description = orgmem_policies::quote::quote(memory, found.scope, &author, &description);
            }
            candidates.push(wire::Skill {
                id: None,
                name: title.and_then(name_of).unwrap_or_default(),
                description,
                status: wire::SkillStatus::Candidate,
                failing: false,
                workspace_id: found.author.uuid(),
                workspace_name: self.names(&[found.author])?.of(found.author),
                scope: found.scope,
                team: found.team.map(WorkspaceId::uuid),
                via: Some(via),
                version: None,
                active_version: None,
                draft_version: None,
                hash: None,
                sources: sources_to_wire(&[source]),
                evidence: Some(counted(&UseTally::of(&rule.counted(&uses)))),
                approved_by: None,
                approved_at: None,
                withdrawn_because: None,
                updated_at: Some(found.updated_at),
                redactions: Vec::new(),
            });
        }
        candidates.sort_by(|one, other| {
            (&one.name, one.sources[0].memory_id).cmp(&(&other.name, other.sources[0].memory_id))
        });
        Ok(candidates)
    }
}
