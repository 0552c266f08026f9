//! The routes.

use super::May;

/// One route, or one use of it where uses are for different callers.
#[derive(Clone, Copy, Debug)]
pub struct Door {
    /// GET, POST, …
    pub method: &'static str,
    /// The address, as `/openapi.json` has it.
    pub address: &'static str,
    /// The handler's name, which is the operation's id there; `-` for what is not described there.
    pub operation: &'static str,
    /// Which use is meant, where there are several.
    pub case: &'static str,
    /// Who may come through.
    pub may: May,
    /// What the answer may reveal.
    pub reveals: &'static str,
}

const fn door(
    method: &'static str,
    address: &'static str,
    operation: &'static str,
    may: May,
    reveals: &'static str,
) -> Door {
    Door { method, address, operation, case: "", may, reveals }
}

impl Door {
    const fn case(self, case: &'static str) -> Self {
        Self { case, ..self }
    }
}

/// Every route there is.
pub const ROUTES: &[Door] = &[
    // workspaces
    door("POST", "/workspaces", "create_workspace", May::RUN, "the row of what was created").case("below a parent"),
    door("POST", "/workspaces", "create_workspace", May::ADMIN, "the row of what was created").case("a new root"),
    door("GET", "/workspaces", "list_workspaces", May::Anyone, "the rows that the caller could read one by one"),
    door("GET", "/workspaces/{id}", "read_workspace", May::READ, "its row; of what is above, what is the caller's"),
    door("PATCH", "/workspaces/{id}", "patch_workspace", May::RUN, "its row").case("a new name"),
    door("PATCH", "/workspaces/{id}", "patch_workspace", May::RUN, "its row").case("a new parent"),
    door("DELETE", "/workspaces/{id}", "remove_workspace", May::RUN, "counts; the children that are in the way"),
    door("GET", "/workspaces/{id}/tree", "read_tree", May::WATCH, "the rows below it"),
    door("POST", "/orgs/import", "import_org", May::ADMIN, "counts"),
    door("GET", "/orgs/demo", "read_demo", May::ADMIN, "the demo org, which is in the program"),
    // who reads whom
    door("GET", "/workspaces/{id}/reach", "read_reach", May::READ, "whom it reads and who reads it, by name"),
    door("GET", "/workspaces/{id}/reach/{other}", "read_relation", May::READ, "how both stand to each other, by name"),
    door("POST", "/registry/check-access", "check_access", May::READ, "a yes or no about two of one tree"),
    // what happens
    door("GET", "/workspaces/{id}/events", "watch_events", May::READ, "what happens to it and to what it reads"),
    // the access log
    door(
        "GET",
        "/workspaces/{id}/access-log",
        "read_access_log",
        May::READ,
        "who did what as it, and to which memories",
    ),
    door(
        "GET",
        "/workspaces/{id}/memories/{mid}/access-log",
        "read_memory_access_log",
        May::READ,
        "what was done with it where the caller may look",
    ),
    door(
        "GET",
        "/workspaces/{id}/access-log/verify",
        "verify_access_log",
        May::ADMIN,
        "how many rows the org has; for viewers and operators of the root too",
    ),
    // memories
    door("POST", "/workspaces/{id}/memories", "commit_memory", May::ACT, "what was written, without its content"),
    door("POST", "/workspaces/{id}/memories/batch", "commit_batch", May::ACT, "the same, item by item"),
    door("GET", "/workspaces/{id}/memories", "search_memories", May::READ, "the memories it reads, author by name"),
    door(
        "GET",
        "/workspaces/{id}/memories/{mid}",
        "read_memory",
        May::READ,
        "one memory it reads; any other is absent",
    ),
    door("GET", "/workspaces/{id}/memories/count", "count_memories", May::READ, "how many memories it reads"),
    door(
        "GET",
        "/workspaces/{id}/memories/{mid}/why",
        "explain_memory",
        May::READ,
        "the place of what it reads; else the cause, to who covers the author too",
    ),
    door("PATCH", "/workspaces/{id}/memories/{mid}", "edit_memory", May::ACT, "what changed, without its content"),
    door(
        "POST",
        "/workspaces/{id}/memories/{mid}/restore",
        "restore_memory",
        May::ACT,
        "what changed, without its content",
    ),
    door(
        "GET",
        "/workspaces/{id}/memories/{mid}/history",
        "list_versions",
        May::READ,
        "what a memory it reads said before, as far as it was shared with it",
    ),
    door(
        "DELETE",
        "/workspaces/{id}/memories/{mid}",
        "forget_memory",
        May::ACT,
        "nothing; what others wrote is absent",
    ),
    door(
        "POST",
        "/workspaces/{id}/memories/{mid}/redact",
        "redact_memory",
        May::RUN,
        "that there was one; nothing that it said",
    ),
    door("POST", "/workspaces/{id}/memories/redact", "redact_memories", May::RUN, "the same, item by item"),
    // runs
    door("POST", "/workspaces/{id}/runs", "start_run", May::ACT, "the row of what was started"),
    door("GET", "/workspaces/{id}/runs", "list_runs", May::READ, "its runs, without what they hold back"),
    door("GET", "/workspaces/{id}/runs/{rid}", "read_run", May::READ, "one of its runs and what that holds back"),
    door(
        "POST",
        "/workspaces/{id}/runs/{rid}/outputs",
        "hold_output",
        May::ACT,
        "what was held back, without its content",
    ),
    door("POST", "/workspaces/{id}/runs/{rid}/finish", "finish_run", May::ACT, "the row of the run"),
    // profiles
    door("POST", "/workspaces/{id}/profiles", "create_profile", May::RUN, "the row of what was made"),
    door("GET", "/workspaces/{id}/profiles", "list_profiles", May::READ, "its profiles"),
    door("GET", "/workspaces/{id}/profiles/{pid}", "read_profile", May::READ, "one of its profiles"),
    door("PATCH", "/workspaces/{id}/profiles/{pid}", "change_profile", May::RUN, "the row of the profile"),
    door("DELETE", "/workspaces/{id}/profiles/{pid}", "delete_profile", May::RUN, "nothing"),
    door(
        "GET",
        "/workspaces/{id}/profiles/{pid}/summary",
        "summarize_profile",
        May::READ,
        "how many of its own memories belong to a profile, and what they say in short",
    ),
    door(
        "POST",
        "/workspaces/{id}/context",
        "inject_context",
        May::READ,
        "memories it reads; what it does not, to who covers the author",
    ),
    // entries
    door("GET", "/workspaces/{id}/memory", "list_entries", May::READ, "its entries"),
    door("GET", "/workspaces/{id}/memory/{key}", "read_entry", May::READ, "one of its entries"),
    door("POST", "/workspaces/{id}/memory", "put_entry", May::ACT, "the version"),
    door("DELETE", "/workspaces/{id}/memory/{key}", "drop_entry", May::ACT, "nothing"),
    // activity
    door("POST", "/workspaces/{id}/activity", "append_episode", May::ACT, "what was written"),
    door("GET", "/workspaces/{id}/activity", "list_episodes", May::READ, "its episodes"),
    door("GET", "/workspaces/{id}/session-search", "search_session", May::READ, "its episodes and its own memories"),
    // tokens
    door("GET", "/me", "read_me", May::Anyone, "the caller itself, and the name of its workspace"),
    door("POST", "/workspaces/{id}/tokens", "issue_token", May::RUN, "the new token, once").case("an agent's"),
    door("POST", "/workspaces/{id}/tokens", "issue_token", May::ADMIN, "the new token, once").case("a viewer's"),
    door("GET", "/workspaces/{id}/tokens", "list_tokens", May::RUN, "who was given a token of it, never the token"),
    door("DELETE", "/workspaces/{id}/tokens", "revoke_tokens", May::RUN, "nothing"),
    door("DELETE", "/tokens/{jti}", "revoke_token", May::RUN, "nothing; a token of another's workspace is absent"),
    // MCP, tool by tool below
    door("POST", "/mcp", "call_mcp", May::Anyone, "the tools; of each, what its row says").case("as the own workspace"),
    door("POST", "/workspaces/{id}/mcp", "call_mcp_as", May::READ, "the tools; of each, what its row says"),
    // the server
    door("GET", "/admin/tree", "read_admin_tree", May::ADMIN, "every org, in numbers"),
    door("GET", "/admin/stats", "read_admin_stats", May::ADMIN, "the server, in numbers"),
    door("POST", "/admin/erasures", "erase_content", May::ADMIN, "a receipt: counts"),
    door("GET", "/admin/erasures", "list_erasures", May::ADMIN, "receipts: counts"),
    door("GET", "/healthz", "check_health", May::Anybody, "nothing of what is stored"),
    door("GET", "/health", "check_health_older", May::Anybody, "nothing of what is stored"),
    door("GET", "/readyz", "check_readiness", May::Anybody, "nothing of what is stored"),
    door("GET", "/metrics", "read_metrics", May::Anybody, "counts by route; no ids"),
    door("GET", "/version", "read_version", May::Anybody, "nothing of what is stored"),
    door("GET", "/openapi.json", "read_openapi", May::Anybody, "nothing of what is stored"),
    door("GET", "/docs", "find_docs", May::Anybody, "nothing of what is stored"),
    door("GET", "/docs/{file}", "read_docs", May::Anybody, "nothing of what is stored"),
    // the console
    door("GET", "/", "find_console", May::Anybody, "nothing of what is stored"),
    door("GET", "/console", "find_console_folder", May::Anybody, "nothing of what is stored"),
    door("GET", "/console/{file}", "read_console", May::Anybody, "nothing of what is stored"),
    door("POST", "/console/session", "open_session", May::Anyone, "the caller itself, as `GET /me`"),
    door("DELETE", "/console/session", "close_session", May::Anybody, "nothing of what is stored"),
];
