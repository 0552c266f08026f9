//! The tools for memories by namespace.

use rmcp::{tool, tool_router};

use super::{ActsAs, Answer, Arguments, Tools};
use crate::mcp::answers::{CommittedToNamespace, NamespaceList, Reply};
use crate::mcp::{arguments, schema};
use orgmem_types as wire;

#[tool_router(router = namespace_tools, vis = "pub(super)")]
impl Tools {
    #[tool(
        description = "Save one memory in a namespace.",
        input_schema = schema::of_input::<arguments::CommitMemoryV2>(),
        output_schema = schema::of_output::<CommittedToNamespace>(),
        annotations(title = "Commit to a namespace", read_only_hint = false, destructive_hint = false,
                    idempotent_hint = false)
    )]
    async fn commit_memory_v2(
        &self,
        acts_as: ActsAs,
        arguments: Arguments<arguments::CommitMemoryV2>,
    ) -> Answer<CommittedToNamespace> {
        self.commit_to(acts_as, arguments.0?.into()).await
    }

    #[tool(
        description = "Save a summary of a session or task.",
        input_schema = schema::of_input::<arguments::CommitSummary>(),
        output_schema = schema::of_output::<CommittedToNamespace>(),
        annotations(title = "Commit a summary", read_only_hint = false, destructive_hint = false,
                    idempotent_hint = false)
    )]
    async fn commit_summary(
        &self,
        acts_as: ActsAs,
        arguments: Arguments<arguments::CommitSummary>,
    ) -> Answer<CommittedToNamespace> {
        let request = arguments.0?.into_request(self.app.now());
        self.commit_to(acts_as, request).await
    }

    #[tool(
        description = "List the namespaces that you can read.",
        input_schema = schema::of_input::<arguments::NoArguments>(),
        output_schema = schema::of_output::<NamespaceList>(),
        annotations(title = "List readable namespaces", read_only_hint = true, idempotent_hint = true)
    )]
    async fn list_readable_namespaces(
        &self,
        acts_as: ActsAs,
        arguments: Arguments<arguments::NoArguments>,
    ) -> Answer<NamespaceList> {
        Ok(Reply(self.namespaces(acts_as, arguments).await?.readable.into()))
    }

    #[tool(
        description = "List the namespaces that you can write.",
        input_schema = schema::of_input::<arguments::NoArguments>(),
        output_schema = schema::any_object(),
        annotations(title = "List writable namespaces", read_only_hint = true, idempotent_hint = true)
    )]
    async fn list_writable_namespaces(
        &self,
        acts_as: ActsAs,
        arguments: Arguments<arguments::NoArguments>,
    ) -> Answer<NamespaceList> {
        Ok(Reply(self.namespaces(acts_as, arguments).await?.writable.into()))
    }
}

impl Tools {
    async fn commit_to(&self, acts_as: ActsAs, request: wire::CommitToNamespace) -> Answer<CommittedToNamespace> {
        let ActsAs { auth, workspace, idempotency } = acts_as;
        Ok(Reply(self.app.commit_namespace_memory(&auth, workspace, request, idempotency).await?.into()))
    }

    async fn namespaces(
        &self,
        acts_as: ActsAs,
        arguments: Arguments<arguments::NoArguments>,
    ) -> Result<wire::Namespaces, super::ToolRefusal> {
        arguments.0?;
        Ok(self.app.list_namespaces(&acts_as.auth, acts_as.workspace).await?)
    }
}
