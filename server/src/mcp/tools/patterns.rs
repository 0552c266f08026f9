//! The tool for the facts of processors.

use rmcp::{tool, tool_router};

use super::{ActsAs, Answer, Arguments, Tools};
use crate::mcp::answers::{FoundPatterns, Reply};
use crate::mcp::{arguments, schema};

#[tool_router(router = pattern_tools, vis = "pub(super)")]
impl Tools {
    #[tool(
        description = "Known patterns of defects for the files of a change, with confidence and sources. Call it before a \
                       review.",
        input_schema = schema::of_input::<arguments::PatternsForChange>(),
        output_schema = schema::of_output::<FoundPatterns>(),
        annotations(title = "Patterns for a change", read_only_hint = true, idempotent_hint = true)
    )]
    async fn patterns_for_change(
        &self,
        acts_as: ActsAs,
        arguments: Arguments<arguments::PatternsForChange>,
    ) -> Answer<FoundPatterns> {
        let found = self.app.find_patterns(&acts_as.auth, acts_as.workspace, arguments.0?.into()).await?;
        Ok(Reply(found.into()))
    }
}
