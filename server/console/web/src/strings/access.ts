// The audit log and its hash chain.

import { plural } from "./plural.ts";

/** Labels of the audit actions. */
const ACTIONS: Record<string, string> = {
  commit_memory: "committed",
  edit_memory: "edited",
  restore_memory: "restored",
  forget_memory: "deleted",
  redact_memory: "redacted",
  list_redactions: "listed redactions",
  scrub_memory: "scrubbed",
  expire_memories: "removed by a rule",
  expire_versions: "removed earlier versions by a rule",
  read_memory: "read",
  search_memories: "searched",
  read_history: "read the history",
  explain_memory: "explained recall",
  count_memories: "counted",
  inject_memories: "injected into a prompt",
  summarize_memories: "summarized",
  export_memories: "exported",
  put_entry: "set a key",
  drop_entry: "deleted a key",
  expire_entries: "removed expired keys",
  read_entry: "read a key",
  list_entries: "listed keys",
  append_episode: "appended activity",
  redact_episode: "redacted activity",
  list_episodes: "read the activity",
  list_pages: "listed pages",
  read_page: "read a page",
  compact_pages: "compacted pages",
  search_session: "searched the session",
  create_workspace: "created the workspace",
  edit_workspace: "edited the workspace",
  move_workspace: "moved the workspace",
  remove_workspace: "removed the workspace",
  purge_workspace: "purged the workspace",
  erase: "erased",
  change_profile: "changed a profile",
  start_run: "started a run",
  hold_memory: "staged",
  finish_run: "finished a run",
  expire_runs: "removed old runs",
  read_run: "read a run",
  issue_token: "issued a token",
  revoke_token: "revoked a token",
  revoke_tokens: "revoked all tokens",
  watch_events: "watched events",
  read_access_log: "read this log",
  lose_reads: "lost read records",
  trim_access_log: "trimmed old rows",
};

export const actions = Object.entries(ACTIONS);

/** Callers by role. */
const APART = [
  ["agents", "By agents"],
  ["people", "By people"],
] as const;

export const access = {
  callers: {
    title: "Callers",
    apart: APART,
    all: [["", "All callers"], ...APART] as const,
  },

  access: {
    title: "Access",
    audit: "Audit",
    which: "Select an org",
    did: (action: string) => ACTIONS[action] ?? action.replaceAll("_", " "),
    all: "All actions",
    action: "Action",
    anyTime: "Any time",
    times: [
      ["3600", "Last hour"],
      ["86400", "Last day"],
      ["604800", "Last 7 days"],
      ["2592000", "Last 30 days"],
    ] as const,
    time: "Time range",
    who: "Caller, as named in the log",
    subtree: "Include subtree",
    export: "Export as JSONL",
    exporting: (count: number) => `${count} rows so far…`,
    head: { at: "Time", who: "Caller", did: "Action", as: "Workspace", memories: "Memories", seal: "Row" },
    more: (count: number) => `${count} more`,
    waiting: "not sealed yet",
    sealed: "sealed",
    none: (name: string) => `No activity as ${name} yet`,
    how: "Every write, read, redaction and deletion adds a row here, whichever interface it used.",
    nothingMatches: "No row matches",
    sentences: {
      action: (value: string) => `action: ${ACTIONS[value] ?? value}`,
      subject: (value: string) => `by ${value}`,
      memory_id: (value: string) => `memory ${value.slice(0, 8)}…`,
      run_id: (value: string) => `run ${value.slice(0, 8)}…`,
      since: (value: string) => `since ${value}`,
      until: (value: string) => `until ${value}`,
    },
  },

  chain: {
    description: "Rows are sealed into a hash chain, which reveals a changed, removed or reordered row.",
    verify: "Verify now",
    running: (rows: number) => `${rows} rows checked…`,
    intact: (rows: number, last: number) => `Intact: ${plural(rows, "row", "rows")} verified, up to row ${last}.`,
    waiting: (rows: number) => (rows === 0 ? "" : ` ${plural(rows, "row is", "rows are")} not sealed yet.`),
    broken: "Broken",
  },
} as const;
