//! The tools for key/value entries.

use orgmem_types as wire;
use rmcp::{tool, tool_router};

use super::{ActsAs, Answer, Arguments, Tools};
use crate::mcp::answers::{EntryList, Reply};
use crate::mcp::{arguments, schema};

#[tool_router(router = entry_tools, vis = "pub(super)")]
impl Tools {
    #[tool(
        description = "Set a key of your working state.",
        input_schema = schema::of_input::<arguments::MemorySet>(),
        output_schema = schema::of_output::<wire::PutEntryResponse>(),
        annotations(title = "Put a key", read_only_hint = false, destructive_hint = true,
                    idempotent_hint = false)
    )]
    async fn memory_set(
        &self,
        acts_as: ActsAs,
        arguments: Arguments<arguments::MemorySet>,
    ) -> Answer<wire::PutEntryResponse> {
        let arguments::MemorySet { key, value, ttl_seconds, if_match_version, subject } = arguments.0?;
        let request = wire::PutEntry { key, value, ttl_seconds, if_match_version, subject };
        let ActsAs { auth, workspace, idempotency } = acts_as;
        Ok(Reply(self.app.put_entry(&auth, workspace, request, idempotency).await?))
    }

    #[tool(
        description = "Read a key of your working state.",
        input_schema = schema::of_input::<arguments::MemoryKey>(),
        output_schema = schema::of_output::<wire::Entry>(),
        annotations(title = "Read a key", read_only_hint = true, idempotent_hint = true)
    )]
    async fn memory_get(&self, acts_as: ActsAs, arguments: Arguments<arguments::MemoryKey>) -> Answer<wire::Entry> {
        let arguments::MemoryKey { key } = arguments.0?;
        Ok(Reply(self.app.read_entry(&acts_as.auth, acts_as.workspace, &key).await?))
    }

    #[tool(
        description = "List keys of your working state with their values.",
        input_schema = schema::of_input::<arguments::MemoryList>(),
        output_schema = schema::of_output::<EntryList>(),
        annotations(title = "List keys", read_only_hint = true, idempotent_hint = true)
    )]
    async fn memory_list(&self, acts_as: ActsAs, arguments: Arguments<arguments::MemoryList>) -> Answer<EntryList> {
        let arguments::MemoryList { prefix, limit, cursor } = arguments.0?;
        let request = wire::ListEntries { prefix, limit, cursor };
        Ok(Reply(self.app.list_entries(&acts_as.auth, acts_as.workspace, request).await?.into()))
    }

    #[tool(
        description = "Delete a key of your working state.",
        input_schema = schema::of_input::<arguments::DropKey>(),
        output_schema = schema::of_output::<wire::Deleted>(),
        annotations(title = "Drop a key", read_only_hint = false, destructive_hint = true,
                    idempotent_hint = true)
    )]
    async fn memory_delete_kv(
        &self,
        acts_as: ActsAs,
        arguments: Arguments<arguments::DropKey>,
    ) -> Answer<wire::Deleted> {
        let arguments::DropKey { key, if_match_version } = arguments.0?;
        Ok(Reply(self.app.drop_entry(&acts_as.auth, acts_as.workspace, &key, if_match_version).await?))
    }
}
