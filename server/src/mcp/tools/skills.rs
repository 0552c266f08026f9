//! The tools for skills: list, read, report, propose.

use orgmem_types as wire;
use rmcp::{tool, tool_router};

use super::{ActsAs, Answer, Arguments, Tools};
use crate::mcp::answers::{ProposedSkill, Reply, SkillFiles, SkillList};
use crate::mcp::{arguments, schema};

#[tool_router(router = skill_tools, vis = "pub(super)")]
impl Tools {
    #[tool(
        description = "The skills you can use, each with when to use it.",
        input_schema = schema::of_input::<arguments::NoArguments>(),
        output_schema = schema::of_output::<SkillList>(),
        annotations(title = "List skills", read_only_hint = true, idempotent_hint = true)
    )]
    async fn list_skills(&self, acts_as: ActsAs, arguments: Arguments<arguments::NoArguments>) -> Answer<SkillList> {
        let arguments::NoArguments {} = arguments.0?;
        let request = wire::ListSkills::default();
        let listed = self.app.list_skills(&acts_as.auth, acts_as.workspace, request, None).await?;
        Ok(Reply(listed.into()))
    }

    #[tool(
        description = "The steps of a skill.",
        input_schema = schema::of_input::<arguments::ReadSkill>(),
        output_schema = schema::of_output::<SkillFiles>(),
        annotations(title = "Read a skill", read_only_hint = true, idempotent_hint = true)
    )]
    async fn read_skill(&self, acts_as: ActsAs, arguments: Arguments<arguments::ReadSkill>) -> Answer<SkillFiles> {
        let arguments::ReadSkill { name } = arguments.0?;
        let request = wire::ReadSkill::default();
        Ok(Reply(self.app.read_skill(&acts_as.auth, acts_as.workspace, &name, request).await?.into()))
    }

    #[tool(
        description = "Report whether a procedure worked, if the end of the run does not show it.",
        input_schema = schema::of_input::<arguments::RecordOutcome>(),
        output_schema = schema::of_output::<wire::ReportedOutcome>(),
        annotations(title = "Record an outcome", read_only_hint = false, destructive_hint = false,
                    idempotent_hint = true)
    )]
    async fn record_outcome(
        &self,
        acts_as: ActsAs,
        arguments: Arguments<arguments::RecordOutcome>,
    ) -> Answer<wire::ReportedOutcome> {
        let arguments::RecordOutcome { memory_id, outcome, run_id, note } = arguments.0?;
        let request = wire::ReportOutcome { outcome, run_id, note };
        Ok(Reply(self.app.report_outcome(&acts_as.auth, acts_as.workspace, memory_id, request).await?))
    }

    #[tool(
        description = "Draft a skill from memories of kind `procedure`. An operator approves it.",
        input_schema = schema::of_input::<arguments::ProposeSkill>(),
        output_schema = schema::of_output::<ProposedSkill>(),
        annotations(title = "Propose a skill", read_only_hint = false, destructive_hint = false,
                    idempotent_hint = false)
    )]
    async fn propose_skill(
        &self,
        acts_as: ActsAs,
        arguments: Arguments<arguments::ProposeSkill>,
    ) -> Answer<ProposedSkill> {
        let arguments::ProposeSkill { memory_ids, name, description } = arguments.0?;
        let request = wire::DraftSkill { memory_ids, name, description, scope: None, team: None };
        Ok(Reply(self.app.draft_skill(&acts_as.auth, acts_as.workspace, request).await?.into()))
    }
}
