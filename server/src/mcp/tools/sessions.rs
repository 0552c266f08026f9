//! The tools for sessions: context, recent activity and runs.

use orgmem_types as wire;
use rmcp::{tool, tool_router};

use super::{ActsAs, Answer, Arguments, Tools};
use crate::mcp::answers::{PageList, PromptBlock, RecentActivity, Reply, RunState};
use crate::mcp::{arguments, schema};

#[tool_router(router = session_tools, vis = "pub(super)")]
impl Tools {
    #[tool(
        description = "The memories to put before a prompt, as one text.",
        input_schema = schema::of_input::<arguments::GetContext>(),
        output_schema = schema::of_output::<PromptBlock>(),
        annotations(title = "Get context", read_only_hint = true, idempotent_hint = true)
    )]
    async fn get_context(&self, acts_as: ActsAs, arguments: Arguments<arguments::GetContext>) -> Answer<PromptBlock> {
        let arguments::GetContext { query, session_id, profile_id, subject } = arguments.0?;
        let request = wire::InjectContext { query, session_id, profile_id, subject, token_budget: None };
        Ok(Reply(self.app.inject_context(&acts_as.auth, acts_as.workspace, request).await?.into()))
    }

    #[tool(
        description = "Summaries of earlier conversations about one person or thing, newest or best first.",
        input_schema = schema::of_input::<arguments::ReadPages>(),
        output_schema = schema::of_output::<PageList>(),
        annotations(title = "Read pages", read_only_hint = true, idempotent_hint = true)
    )]
    async fn read_pages(&self, acts_as: ActsAs, arguments: Arguments<arguments::ReadPages>) -> Answer<PageList> {
        let arguments::ReadPages { subject, query, limit } = arguments.0?;
        let request = wire::ListPages {
            subject: Some(subject.unwrap_or_default()),
            q: query,
            limit: limit.or(Some(10)),
            ..wire::ListPages::default()
        };
        Ok(Reply(self.app.list_pages(&acts_as.auth, acts_as.workspace, request).await?.into()))
    }

    #[tool(
        description = "List your recent activity and your own memories together, newest first.",
        input_schema = schema::of_input::<arguments::SessionSearch>(),
        output_schema = schema::of_output::<RecentActivity>(),
        annotations(title = "Search the session", read_only_hint = true, idempotent_hint = true)
    )]
    async fn session_search(
        &self,
        acts_as: ActsAs,
        arguments: Arguments<arguments::SessionSearch>,
    ) -> Answer<RecentActivity> {
        let request = arguments.0?.into();
        Ok(Reply(self.app.search_session(&acts_as.auth, acts_as.workspace, request).await?.into()))
    }

    #[tool(
        description = "Start a run. Memories committed with its id are pending until it completes.",
        input_schema = schema::of_input::<arguments::StartRun>(),
        output_schema = schema::of_output::<RunState>(),
        annotations(title = "Start a run", read_only_hint = false, destructive_hint = false,
                    idempotent_hint = false)
    )]
    async fn start_run(&self, acts_as: ActsAs, arguments: Arguments<arguments::StartRun>) -> Answer<RunState> {
        let arguments::StartRun { session_id, label } = arguments.0?;
        let request = wire::StartRun { session_id, label };
        let ActsAs { auth, workspace, idempotency } = acts_as;
        Ok(Reply(self.app.start_run(&auth, workspace, request, idempotency).await?.into()))
    }

    #[tool(
        description = "End a run: `completed` commits its pending memories, the others drop them.",
        input_schema = schema::of_input::<arguments::FinishRun>(),
        output_schema = schema::of_output::<RunState>(),
        annotations(title = "Finish a run", read_only_hint = false, destructive_hint = true,
                    idempotent_hint = true)
    )]
    async fn finish_run(&self, acts_as: ActsAs, arguments: Arguments<arguments::FinishRun>) -> Answer<RunState> {
        let arguments::FinishRun { run_id, status } = arguments.0?;
        let request = wire::FinishRun { status };
        let ActsAs { auth, workspace, idempotency } = acts_as;
        Ok(Reply(self.app.finish_run(&auth, workspace, run_id, request, idempotency).await?.into()))
    }
}
