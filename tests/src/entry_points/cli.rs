//! The commands of the command line.

/// A command. It accesses stored data only through the routes, with the caller's token; `export`, `import` and `migrate`
/// need access to the database itself.
#[derive(Clone, Copy, Debug)]
pub struct CliCommand {
    /// For example `workspace move`.
    pub name: &'static str,
    /// The operations that it calls; empty for a local command.
    pub routes: &'static [&'static str],
    pub reveals: &'static str,
}

const fn command(name: &'static str, routes: &'static [&'static str], reveals: &'static str) -> CliCommand {
    CliCommand { name, routes, reveals }
}

const AS_ROUTES: &str = "the responses of these";

/// Commands with a workspace argument also resolve its name by `list_workspaces` and `read_me`.
pub const COMMANDS: &[CliCommand] = &[
    command("serve", &[], "the listen address and the path of the admin token, not the token"),
    command("demo", &["import_org", "list_workspaces", "commit_memory", "search_memories", "issue_token"], AS_ROUTES),
    command("doctor", &["check_health", "check_readiness", "read_me"], "settings and their errors; secrets masked"),
    command("health", &["check_health", "check_readiness"], AS_ROUTES),
    command("config show", &[], "all settings; secrets masked"),
    command("stats", &["read_admin_stats"], AS_ROUTES),
    command("org import", &["import_org"], AS_ROUTES),
    command("org import-template", &["import_template"], AS_ROUTES),
    command("org search", &["search_orgs"], AS_ROUTES),
    command("org erasures", &["list_erasures"], AS_ROUTES),
    command("tree", &["read_me", "read_admin_tree", "read_tree"], AS_ROUTES),
    command("workspace create", &["create_workspace"], AS_ROUTES),
    command("workspace show", &["read_workspace"], AS_ROUTES),
    command("workspace list", &["list_workspaces"], AS_ROUTES),
    command("workspace move", &["patch_workspace"], AS_ROUTES),
    command("workspace rename", &["patch_workspace"], AS_ROUTES),
    command("workspace remove", &["remove_workspace"], AS_ROUTES),
    command("workspace reach", &["read_reach", "read_relation"], AS_ROUTES),
    command("workspace budget", &["read_budget", "set_budget", "remove_budget"], AS_ROUTES),
    command("workspace check-access", &["check_access"], AS_ROUTES),
    command("token issue", &["issue_token"], AS_ROUTES),
    command("token list", &["list_tokens"], AS_ROUTES),
    command("token revoke", &["revoke_token"], AS_ROUTES),
    command("token revoke-all", &["revoke_tokens"], AS_ROUTES),
    command("me", &["read_me"], AS_ROUTES),
    command("audit list", &["read_access_log"], AS_ROUTES),
    command("audit memory", &["read_memory_access_log", "locate_item"], AS_ROUTES),
    command("audit export", &["read_access_log"], AS_ROUTES),
    command("audit verify", &["verify_access_log"], AS_ROUTES),
    command("commit", &["commit_memory"], AS_ROUTES),
    command("search", &["search_memories"], AS_ROUTES),
    command("context", &["inject_context", "list_profiles", "locate_item"], AS_ROUTES),
    command("activity append", &["append_episode"], AS_ROUTES),
    command("activity list", &["list_episodes"], AS_ROUTES),
    command("activity redact", &["redact_episode"], AS_ROUTES),
    command("activity search", &["search_session"], AS_ROUTES),
    command("session-search", &["search_session"], AS_ROUTES),
    command("events", &["watch_events"], AS_ROUTES),
    command("kv get", &["read_entry"], AS_ROUTES),
    command("kv set", &["put_entry"], AS_ROUTES),
    command("kv list", &["list_entries"], AS_ROUTES),
    command("kv delete", &["drop_entry"], AS_ROUTES),
    command("memory show", &["read_memory", "locate_item"], AS_ROUTES),
    command("memory commit-batch", &["commit_batch"], AS_ROUTES),
    command("memory edit", &["edit_memory"], AS_ROUTES),
    command("memory history", &["list_versions"], AS_ROUTES),
    command("memory restore", &["restore_memory"], AS_ROUTES),
    command("memory forget", &["forget_memory"], AS_ROUTES),
    command("memory redact", &["redact_memories", "locate_item"], AS_ROUTES),
    command("memory redactions", &["list_redactions"], AS_ROUTES),
    command("memory why", &["explain_memory"], AS_ROUTES),
    command("memory count", &["count_memories"], AS_ROUTES),
    command("memory list-profiles", &["list_profiles"], AS_ROUTES),
    command("memory list-entries", &["list_profiles", "locate_item", "search_memories"], AS_ROUTES),
    command("memory write-entry", &["list_profiles", "locate_item", "commit_memory"], AS_ROUTES),
    command("memory summarize", &["list_profiles", "locate_item", "summarize_profile"], AS_ROUTES),
    command("profile show", &["list_profiles", "locate_item", "read_profile"], AS_ROUTES),
    command("profile create", &["create_profile"], AS_ROUTES),
    command("profile change", &["list_profiles", "locate_item", "change_profile"], AS_ROUTES),
    command("profile delete", &["list_profiles", "locate_item", "delete_profile"], AS_ROUTES),
    command("run start", &["start_run"], AS_ROUTES),
    command("run show", &["read_run"], AS_ROUTES),
    command("run list", &["list_runs"], AS_ROUTES),
    command("run output", &["stage_output"], AS_ROUTES),
    command("run finish", &["finish_run"], AS_ROUTES),
    command("erase", &["erase_content"], AS_ROUTES),
    command("export", &[], "all stored data, to whoever can read the database itself; no keys and no tokens"),
    command("import", &[], "ids and names of the orgs in a file"),
    command("migrate", &[], "numbers of rows"),
    command("connect", &[], "the server's address, and a placeholder for the token"),
    command("mcp", &["call_mcp", "call_mcp_as"], AS_ROUTES),
    command("completions", &[], "no stored data"),
    command("man", &[], "no stored data"),
];
