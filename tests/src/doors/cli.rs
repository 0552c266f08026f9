//! The verbs of the command line.

/// One verb. It has no way of its own to anything stored: it goes through the routes, with the caller's token.
#[derive(Clone, Copy, Debug)]
pub struct Verb {
    /// As it is typed: `workspace move`.
    pub name: &'static str,
    /// The routes that it uses, by operation; none for what stays on this machine.
    pub routes: &'static [&'static str],
    /// What it may reveal: of routes, what they do.
    pub reveals: &'static str,
}

const fn verb(name: &'static str, routes: &'static [&'static str], reveals: &'static str) -> Verb {
    Verb { name, routes, reveals }
}

const AS_ROUTES: &str = "what these do";

/// Every verb there is. Those that take a workspace look its name up in `list_workspaces` and `read_me`.
pub const VERBS: &[Verb] = &[
    verb("serve", &[], "where it listens and where the admin token is, not the token"),
    verb("demo", &["import_org", "list_workspaces", "commit_memory", "search_memories", "issue_token"], AS_ROUTES),
    verb("doctor", &["check_health", "check_readiness", "read_me"], "settings and their faults; secrets masked"),
    verb("health", &["check_health", "check_readiness"], AS_ROUTES),
    verb("config show", &[], "every setting; secrets masked"),
    verb("tree", &["read_me", "read_admin_tree", "read_tree"], AS_ROUTES),
    verb("workspace create", &["create_workspace"], AS_ROUTES),
    verb("workspace show", &["read_workspace"], AS_ROUTES),
    verb("workspace list", &["list_workspaces"], AS_ROUTES),
    verb("workspace move", &["patch_workspace"], AS_ROUTES),
    verb("workspace rename", &["patch_workspace"], AS_ROUTES),
    verb("workspace remove", &["remove_workspace"], AS_ROUTES),
    verb("workspace reach", &["read_reach", "read_relation"], AS_ROUTES),
    verb("token issue", &["issue_token"], AS_ROUTES),
    verb("token revoke", &["revoke_token"], AS_ROUTES),
    verb("token revoke-all", &["revoke_tokens"], AS_ROUTES),
    verb("audit list", &["read_access_log"], AS_ROUTES),
    verb("audit export", &["read_access_log"], AS_ROUTES),
    verb("audit verify", &["verify_access_log"], AS_ROUTES),
    verb("commit", &["commit_memory"], AS_ROUTES),
    verb("search", &["search_memories"], AS_ROUTES),
    verb("recall", &["search_session"], AS_ROUTES),
    verb("kv get", &["read_entry"], AS_ROUTES),
    verb("kv set", &["put_entry"], AS_ROUTES),
    verb("kv list", &["list_entries"], AS_ROUTES),
    verb("kv delete", &["drop_entry"], AS_ROUTES),
    verb("memory edit", &["edit_memory"], AS_ROUTES),
    verb("memory history", &["list_versions"], AS_ROUTES),
    verb("memory restore", &["restore_memory"], AS_ROUTES),
    verb("memory forget", &["forget_memory"], AS_ROUTES),
    verb("memory redact", &["redact_memories"], AS_ROUTES),
    verb("memory why", &["explain_memory"], AS_ROUTES),
    verb("memory count", &["count_memories"], AS_ROUTES),
    verb("memory list-profiles", &["list_profiles"], AS_ROUTES),
    verb("memory list-entries", &["list_profiles", "search_memories"], AS_ROUTES),
    verb("memory write-entry", &["list_profiles", "commit_memory"], AS_ROUTES),
    verb("memory summarize", &["list_profiles", "summarize_profile"], AS_ROUTES),
    verb("run start", &["start_run"], AS_ROUTES),
    verb("run show", &["read_run"], AS_ROUTES),
    verb("run list", &["list_runs"], AS_ROUTES),
    verb("run output", &["hold_output"], AS_ROUTES),
    verb("run finish", &["finish_run"], AS_ROUTES),
    verb("erase", &["erase_content"], AS_ROUTES),
    verb("connect", &[], "where the server is; of the token, where it is to be put"),
    verb("mcp", &["call_mcp"], AS_ROUTES),
    verb("completions", &[], "nothing of what is stored"),
    verb("man", &[], "nothing of what is stored"),
];
