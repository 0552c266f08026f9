//! The routes.

use super::Access;
use super::distilled::DISTILLED;

/// A route, or one use of it where uses differ in their permitted callers.
#[derive(Clone, Copy, Debug)]
pub struct Route {
    pub method: &'static str,
    /// The path in `/openapi.json`.
    pub address: &'static str,
    /// The operation id; `-` if the description does not contain the route.
    pub operation: &'static str,
    /// The use, where there are several.
    pub case: &'static str,
    pub access: Access,
    pub reveals: &'static str,
}

pub(super) const fn route(
    method: &'static str,
    address: &'static str,
    operation: &'static str,
    access: Access,
    reveals: &'static str,
) -> Route {
    Route { method, address, operation, case: "", access, reveals }
}

impl Route {
    const fn case(self, case: &'static str) -> Self {
        Self { case, ..self }
    }
}

/// All routes.
pub const ROUTES: &[Route] = &joined::<{ OTHERS.len() + DISTILLED.len() }>(OTHERS, DISTILLED);

const fn joined<const N: usize>(one: &[Route], two: &[Route]) -> [Route; N] {
    let mut all = [one[0]; N];
    let mut at = 0;
    while at < N {
        all[at] = if at < one.len() { one[at] } else { two[at - one.len()] };
        at += 1;
    }
    all
}

const OTHERS: &[Route] = &[
    // workspaces
    route("POST", "/workspaces", "create_workspace", Access::MANAGE, "the created workspace").case("below a parent"),
    route("POST", "/workspaces", "create_workspace", Access::ADMIN, "the created workspace").case("a new root"),
    route("GET", "/workspaces", "list_workspaces", Access::AnyToken, "the rows that the caller could read one by one"),
    route("GET", "/workspaces/{id}", "read_workspace", Access::READ, "its row; of its ancestors, those of the caller"),
    route("PATCH", "/workspaces/{id}", "patch_workspace", Access::MANAGE, "its row").case("a new name"),
    route("PATCH", "/workspaces/{id}", "patch_workspace", Access::MANAGE, "its row").case("a new parent"),
    route("DELETE", "/workspaces/{id}", "remove_workspace", Access::MANAGE, "counts; the children that block it"),
    route("GET", "/workspaces/{id}/tree", "read_tree", Access::READ_SUBTREE, "the rows below it"),
    route(
        "GET",
        "/workspaces/{id}/budget",
        "read_budget",
        Access::READ,
        "its budget; those above it that the caller may see",
    ),
    route("PUT", "/workspaces/{id}/budget", "set_budget", Access::MANAGE, "the same"),
    route("DELETE", "/workspaces/{id}/budget", "remove_budget", Access::MANAGE, "nothing"),
    route("POST", "/orgs/import", "import_org", Access::ADMIN, "counts and ids"),
    route("POST", "/org/import", "import_template", Access::ADMIN, "counts and ids; names of templates"),
    route("GET", "/orgs/demo", "read_demo", Access::ADMIN, "the built-in demo org"),
    route(
        "GET",
        "/lookup/{id}",
        "locate_item",
        Access::READ,
        "the workspace of a profile or of a readable workspace's memory",
    ),
    // reach
    route("GET", "/workspaces/{id}/reach", "read_reach", Access::READ, "its authors and its readers, by name"),
    route("GET", "/workspaces/{id}/reach/{other}", "read_relation", Access::READ, "the relationship of both, by name"),
    route("POST", "/registry/check-access", "check_access", Access::READ, "a boolean about two workspaces of one tree"),
    // events
    route(
        "GET",
        "/workspaces/{id}/events",
        "watch_events",
        Access::READ,
        "events of the workspace and of memories it reads",
    ),
    // audit log
    route(
        "GET",
        "/workspaces/{id}/access-log",
        "read_access_log",
        Access::READ,
        "callers and actions as the workspace, with memory ids",
    ),
    route(
        "GET",
        "/workspaces/{id}/memories/{mid}/access-log",
        "read_memory_access_log",
        Access::READ,
        "actions on the memory in workspaces the caller may read",
    ),
    route(
        "GET",
        "/workspaces/{id}/access-log/verify",
        "verify_access_log",
        Access::ADMIN,
        "the org's row count; also for viewers and operators of the root",
    ),
    // memories
    route(
        "POST",
        "/workspaces/{id}/memories",
        "commit_memory",
        Access::WRITE,
        "the committed memory, without its content",
    ),
    route("POST", "/workspaces/{id}/memories/batch", "commit_batch", Access::WRITE, "the same, item by item"),
    route("GET", "/workspaces/{id}/memories", "search_memories", Access::READ, "the items it reads, author by name"),
    route("GET", "/search", "search_orgs", Access::AnyToken, "the memories that the workspaces it covers read"),
    route(
        "GET",
        "/workspaces/{id}/memories/{mid}",
        "read_memory",
        Access::READ,
        "one memory it reads; any other is absent",
    ),
    route("GET", "/workspaces/{id}/memories/count", "count_memories", Access::READ, "the number of memories it reads"),
    route(
        "GET",
        "/workspaces/{id}/memories/values",
        "list_metadata_values",
        Access::READ,
        "values of the metadata of memories it reads, with counts",
    ),
    route("POST", "/workspaces/{id}/memories/touch", "touch_memories", Access::WRITE, "ends of life of its memories"),
    route(
        "GET",
        "/workspaces/{id}/memories/{mid}/why",
        "explain_memory",
        Access::READ,
        "the rank of a memory it reads; else the cause, if the caller covers the author",
    ),
    route(
        "GET",
        "/workspaces/{id}/memories/{mid}/evidence",
        "read_evidence",
        Access::READ,
        "counts of the uses of a procedure that it reads",
    ),
    route(
        "POST",
        "/workspaces/{id}/memories/{mid}/outcome",
        "report_outcome",
        Access::WRITE,
        "the version of a procedure that it reads",
    ),
    route(
        "PATCH",
        "/workspaces/{id}/memories/{mid}",
        "edit_memory",
        Access::WRITE,
        "the changed memory, without its content",
    ),
    route(
        "POST",
        "/workspaces/{id}/memories/{mid}/restore",
        "restore_memory",
        Access::WRITE,
        "the changed memory, without its content",
    ),
    route(
        "GET",
        "/workspaces/{id}/memories/{mid}/history",
        "list_versions",
        Access::READ,
        "earlier versions of a memory it reads, while it could read them",
    ),
    route(
        "DELETE",
        "/workspaces/{id}/memories/{mid}",
        "forget_memory",
        Access::WRITE,
        "nothing; a memory of another author is absent",
    ),
    route(
        "POST",
        "/workspaces/{id}/memories/{mid}/redact",
        "redact_memory",
        Access::MANAGE,
        "that the memory existed, without its content",
    ),
    route("POST", "/workspaces/{id}/memories/redact", "redact_memories", Access::MANAGE, "the same, item by item"),
    route(
        "GET",
        "/workspaces/{id}/memories/redactions",
        "list_redactions",
        Access::READ_SUBTREE,
        "ids, authors and reasons of redactions in the subtree, without content",
    ),
    // namespaces
    route(
        "GET",
        "/workspaces/{id}/v2/namespaces",
        "list_namespaces",
        Access::READ,
        "its namespaces, with its name, its parent's and the root's",
    ),
    route(
        "POST",
        "/workspaces/{id}/v2/memories",
        "commit_namespace_memory",
        Access::WRITE,
        "the committed memory, without its content",
    ),
    route(
        "GET",
        "/workspaces/{id}/v2/memories",
        "search_namespace",
        Access::READ,
        "the memories it reads, author by name",
    ),
    route(
        "DELETE",
        "/workspaces/{id}/v2/memories/{mid}",
        "forget_namespace_memory",
        Access::WRITE,
        "nothing; a memory of another author is absent",
    ),
    // runs
    route("POST", "/workspaces/{id}/runs", "start_run", Access::WRITE, "the started run"),
    route("GET", "/workspaces/{id}/runs", "list_runs", Access::READ, "its runs, without staged memories"),
    route("GET", "/workspaces/{id}/runs/{rid}", "read_run", Access::READ, "one of its runs and the staged memories"),
    route(
        "POST",
        "/workspaces/{id}/runs/{rid}/outputs",
        "stage_output",
        Access::WRITE,
        "the staged memories, without their content",
    ),
    route("POST", "/workspaces/{id}/runs/{rid}/finish", "finish_run", Access::WRITE, "the run"),
    // profiles
    route("POST", "/workspaces/{id}/profiles", "create_profile", Access::MANAGE, "the created profile"),
    route("GET", "/workspaces/{id}/profiles", "list_profiles", Access::READ, "its profiles"),
    route("GET", "/workspaces/{id}/profiles/{pid}", "read_profile", Access::READ, "one of its profiles"),
    route("PATCH", "/workspaces/{id}/profiles/{pid}", "change_profile", Access::MANAGE, "the profile"),
    route("DELETE", "/workspaces/{id}/profiles/{pid}", "delete_profile", Access::MANAGE, "nothing"),
    route(
        "GET",
        "/workspaces/{id}/profiles/{pid}/summary",
        "summarize_profile",
        Access::READ,
        "the number and a summary of its own memories in a profile",
    ),
    route(
        "POST",
        "/workspaces/{id}/context",
        "inject_context",
        Access::READ,
        "memories it reads; excluded ones, if the caller covers the author",
    ),
    // the memory tool
    route(
        "POST",
        "/workspaces/{id}/memory-tool",
        "run_memory_tool",
        Access::READ,
        "its files; memories that it reads, as files",
    )
    .case("a view"),
    route("POST", "/workspaces/{id}/memory-tool", "run_memory_tool", Access::WRITE, "lines of its file")
        .case("a change"),
    // entries
    route("GET", "/workspaces/{id}/memory", "list_entries", Access::READ, "its entries"),
    route("GET", "/workspaces/{id}/memory/{key}", "read_entry", Access::READ, "one of its entries"),
    route("POST", "/workspaces/{id}/memory", "put_entry", Access::WRITE, "the version"),
    route("DELETE", "/workspaces/{id}/memory/{key}", "drop_entry", Access::WRITE, "nothing"),
    // activity
    route("POST", "/workspaces/{id}/activity", "append_episode", Access::WRITE, "the appended episode"),
    route("GET", "/workspaces/{id}/activity", "list_episodes", Access::READ, "its episodes"),
    route(
        "POST",
        "/workspaces/{id}/activity/{eid}/redact",
        "redact_episode",
        Access::MANAGE,
        "that the episode existed, without its content",
    ),
    route(
        "GET",
        "/workspaces/{id}/session-search",
        "search_session",
        Access::READ,
        "its episodes and its own memories",
    ),
    route("POST", "/workspaces/{id}/sessions/{sid}/end", "end_session", Access::WRITE, "the number of ended memories"),
    // pages
    route("GET", "/workspaces/{id}/pages", "list_pages", Access::READ, "its pages"),
    route("POST", "/workspaces/{id}/pages/compact", "compact_pages", Access::WRITE, "counts of its episodes and pages"),
    route("GET", "/workspaces/{id}/pages/{pid}", "read_page", Access::READ, "one of the pages it reads"),
    route(
        "GET",
        "/workspaces/{id}/pages/{pid}/sources",
        "list_page_sources",
        Access::READ,
        "episodes of one of its pages",
    ),
    route(
        "GET",
        "/workspaces/{id}/pages/{pid}/why",
        "explain_page",
        Access::READ,
        "why one of its pages is read or not",
    ),
    // skills
    route(
        "GET",
        "/workspaces/{id}/skills",
        "list_skills",
        Access::READ,
        "the skills that it can use, made of what it reads",
    ),
    route("POST", "/workspaces/{id}/skills", "draft_skill", Access::WRITE, "the draft, made of what it reads"),
    route("GET", "/workspaces/{id}/skills/{name}", "read_skill", Access::READ, "the text of procedures that it reads"),
    route("DELETE", "/workspaces/{id}/skills/{name}", "withdraw_skill", Access::MANAGE, "nothing"),
    route("GET", "/workspaces/{id}/skills/{name}/package", "read_skill_package", Access::READ, "the same"),
    route("GET", "/workspaces/{id}/skills/{name}/diff", "diff_skill", Access::READ, "the text of its own skill"),
    route("POST", "/workspaces/{id}/skills/{name}/approve", "approve_skill", Access::MANAGE, "its skill"),
    route("GET", "/workspaces/{id}/skill-rule", "read_skill_rule", Access::READ, "the rule of the org"),
    route("PUT", "/workspaces/{id}/skill-rule", "change_skill_rule", Access::MANAGE, "the rule of the org"),
    // records; written at the root, also by its sources
    route("GET", "/workspaces/{id}/records", "list_records", Access::READ, "the records of its tree"),
    route(
        "POST",
        "/workspaces/{id}/records",
        "write_records",
        Access::WRITE_AT_ROOT,
        "counts; names of ignored fields",
    ),
    route("GET", "/workspaces/{id}/records/{entity}", "read_record", Access::READ, "a record of its tree"),
    route("PUT", "/workspaces/{id}/records/{entity}", "put_record", Access::WRITE_AT_ROOT, "names of ignored fields"),
    route("PATCH", "/workspaces/{id}/records/{entity}", "patch_record", Access::WRITE_AT_ROOT, "the same"),
    route("DELETE", "/workspaces/{id}/records/{entity}", "delete_record", Access::WRITE_AT_ROOT, "the same"),
    // reviews
    route("GET", "/workspaces/{id}/reviews", "list_reviews", Access::READ, "stale claims of its memories and episodes"),
    route("POST", "/workspaces/{id}/reviews/{rid}", "decide_review", Access::MANAGE, "one of these"),
    // tokens
    route("GET", "/me", "read_me", Access::AnyToken, "the caller, and the name of its workspace"),
    route("POST", "/workspaces/{id}/tokens", "issue_token", Access::MANAGE, "the new token, once").case("an agent's"),
    route("POST", "/workspaces/{id}/tokens", "issue_token", Access::ADMIN, "the new token, once").case("a viewer's"),
    route(
        "GET",
        "/workspaces/{id}/tokens",
        "list_tokens",
        Access::MANAGE,
        "the tokens' subjects and ids, never a token",
    ),
    route("DELETE", "/workspaces/{id}/tokens", "revoke_tokens", Access::MANAGE, "nothing"),
    route(
        "DELETE",
        "/tokens/{jti}",
        "revoke_token",
        Access::MANAGE,
        "nothing; a token of a foreign workspace is absent",
    ),
    // MCP, tool by tool below
    route("POST", "/mcp", "call_mcp", Access::AnyToken, "the tools; see their rows").case("as the token's workspace"),
    route("POST", "/workspaces/{id}/mcp", "call_mcp_as", Access::READ, "the tools; see their rows"),
    // =
    route("GET", "/admin/tree", "read_admin_tree", Access::ADMIN, "counts of every org"),
    route("GET", "/admin/stats", "read_admin_stats", Access::ADMIN, "counts of the server"),
    route(
        "GET",
        "/admin/memories/export",
        "export_memories",
        Access::ADMIN,
        "the memories of every org, with their authors",
    ),
    route("POST", "/admin/memories/import", "import_memories", Access::ADMIN, "counts; names of fields"),
    route("POST", "/admin/scrub", "scrub_stored", Access::ADMIN, "counts by table and kind"),
    route("GET", "/admin/providers", "list_providers", Access::ADMIN, "figures and names of the settings"),
    route("POST", "/admin/providers/{name}/promote", "promote_provider", Access::ADMIN, "the figures of a surface"),
    route("POST", "/admin/providers/{name}/demote", "demote_provider", Access::ADMIN, "the figures of a surface"),
    route("POST", "/admin/erasures", "erase_content", Access::ADMIN, "a receipt: counts"),
    route("GET", "/admin/erasures", "list_erasures", Access::ADMIN, "receipts: counts"),
    route("GET", "/healthz", "check_health", Access::Public, "no stored data"),
    route("GET", "/health", "check_health_older", Access::Public, "no stored data"),
    route("GET", "/readyz", "check_readiness", Access::Public, "no stored data"),
    route("GET", "/metrics", "read_metrics", Access::Public, "counts by route; no ids"),
    route("GET", "/version", "read_version", Access::Public, "no stored data"),
    route("GET", "/openapi.json", "read_openapi", Access::Public, "no stored data"),
    route("GET", "/docs", "find_docs", Access::Public, "no stored data"),
    route("GET", "/docs/{file}", "read_docs", Access::Public, "no stored data"),
    route("GET", "/", "find_console", Access::Public, "no stored data"),
    route("GET", "/console", "find_console_folder", Access::Public, "no stored data"),
    route("GET", "/console/{file}", "read_console", Access::Public, "no stored data"),
    route("POST", "/console/session", "open_session", Access::AnyToken, "the caller, as `GET /me`"),
    route("DELETE", "/console/session", "close_session", Access::Public, "no stored data"),
];
