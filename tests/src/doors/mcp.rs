//! The MCP tools.

use super::May;

/// One tool. It acts as the workspace of the token, or as the one that its address names.
#[derive(Clone, Copy, Debug)]
pub struct Tool {
    /// Its name.
    pub name: &'static str,
    /// The route that it is another way to: the same service answers.
    pub route: &'static str,
    /// Who may use it.
    pub may: May,
    /// What the answer may reveal.
    pub reveals: &'static str,
}

const fn tool(name: &'static str, route: &'static str, may: May, reveals: &'static str) -> Tool {
    Tool { name, route, may, reveals }
}

/// Every tool there is.
pub const TOOLS: &[Tool] = &[
    tool("commit_memory", "commit_memory", May::ACT, "what was written, without its content"),
    tool("search_memory", "search_memories", May::READ, "the memories it reads, author by name"),
    tool("recall_memory", "search_memories", May::READ, "the memories it reads, author by name"),
    tool("delete_memory", "forget_memory", May::ACT, "nothing; what others wrote is absent"),
    tool("forget_memory", "forget_memory", May::ACT, "nothing; what others wrote is absent"),
    tool("session_search", "search_session", May::READ, "its episodes and its own memories"),
    tool("memory_set", "put_entry", May::ACT, "the version"),
    tool("memory_get", "read_entry", May::READ, "one of its entries"),
    tool("memory_list", "list_entries", May::READ, "its entries"),
    tool("memory_delete_kv", "drop_entry", May::ACT, "nothing"),
];
