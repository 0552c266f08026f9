// Written by scripts/generate-types.mjs from /openapi.json. Not edited by hand.

/** One row of the audit log. Content appears only as a hash. */
export type AuditRow = {
  /** The operation: `commit_memory`, `search_memories`, `move_workspace`, … */
  action: string;
  at: string;
  /** SHA-256 of the content written or removed, in hexadecimal. */
  content_hash?: string | null;
  /** Further facts: request id, counts, the hash of a key. */
  context: Record<string, unknown>;
  /** Memories read or written, with their versions. */
  memories: Array<AuditedMemory>;
  /** The caller's role. */
  role: Role;
  run_id?: string | null;
  /** Whether the row is sealed in the hash chain. */
  sealed: boolean;
  /** Sequence number in the log of the org, in the order of commits. */
  seq: number;
  /** The `sub` claim of the caller's token. */
  subject: string;
  /** Absent for operations of the server itself. */
  token_id?: string | null;
  /** The workspace that the caller acted as, or the target of the operation; nil for the server as a whole. */
  workspace_id: string;
};

/** Result of verifying the hash chain of an org's audit log. */
export type AuditVerification = {
  /** The first fault found. */
  fault?: string | null;
  /** Whether every verified row is unchanged. */
  intact: boolean;
  /** Number of the last verified row. */
  last_seq: number;
  /** Cursor of the rest; absent at the end of the log. */
  next?: string | null;
  /** Verified rows that are part of the chain. */
  sealed_rows: number;
  /** Rows that are not sealed yet. */
  waiting_rows: number;
};

/** A memory that an audit row names. */
export type AuditedMemory = {
  id: string;
  /** 0 where unknown. */
  version: number;
};

/** Callers by role. */
export type Callers = "agents" | "people";

/** An error, for people (`detail`) and for programs (`code`). */
export type Problem = Record<string, unknown> & {
  /** Stable code for programs. */
  code: ProblemCode;
  /** The cause, and a remedy. */
  detail: string;
  /** The same as `detail`, for clients that read this name. */
  error: string;
  /** The `X-Request-Id` of the response. */
  request_id?: string | null;
  /** HTTP status. */
  status: number;
  /** The kind of problem in a few words. */
  title: string;
  /** `urn:orgmem:problem:<code>`. */
  type: string;
};

/** Codes of problems. docs/errors.md lists the remedies. */
export type ProblemCode = "bad_request" | "invalid_field" | "invalid_cursor" | "not_configured" | "token_missing" | "token_invalid" | "forbidden" | "scope_forbidden" | "not_found" | "method_not_allowed" | "request_timeout" | "id_taken" | "tree_conflict" | "confirmation_required" | "version_conflict" | "ambiguous" | "nothing_to_supersede" | "too_many_pins" | "budget_exceeded" | "run_over" | "no_open_run" | "run_full" | "kind_excluded" | "profile_named" | "profile_is_default" | "too_many_profiles" | "not_a_procedure" | "never_read" | "skill_too_wide" | "no_draft" | "too_many_skills" | "promotion_refused" | "collection_has_rows" | "too_many_collections" | "too_many_processors" | "too_many_grants" | "processor_running" | "gone" | "too_large" | "unsupported_media_type" | "idempotency_mismatch" | "busy" | "rate_limited" | "too_many_in_flight" | "internal" | "unavailable";

/** Parameters of `read_access_log`. */
export type ReadAccessLogQuery = {
  /** Include the workspaces below; for viewers, operators and admins. */
  subtree?: boolean;
  /** Only rows that name this memory. */
  memory_id?: string;
  /** Only rows of this run. */
  run_id?: string;
  /** Only rows of this subject. */
  subject?: string;
  /** Only rows of these callers. */
  callers?: Callers;
  /** Only this operation, such as `search_memories`. */
  action?: "commit_memory" | "hold_memory" | "edit_memory" | "restore_memory" | "touch_memories" | "forget_memory" | "redact_memory" | "list_redactions" | "scrub_memory" | "expire_memories" | "expire_versions" | "read_memory" | "search_memories" | "read_history" | "explain_memory" | "count_memories" | "list_values" | "inject_memories" | "summarize_memories" | "export_memories" | "put_entry" | "drop_entry" | "expire_entries" | "read_entry" | "list_entries" | "append_episode" | "redact_episode" | "list_episodes" | "list_pages" | "read_page" | "compact_pages" | "write_records" | "read_records" | "write_document" | "delete_document" | "redact_document" | "expire_documents" | "read_document" | "list_documents" | "write_collection" | "write_rows" | "read_rows" | "change_processor" | "run_processor" | "read_processors" | "list_reviews" | "decide_review" | "give_grant" | "revoke_grant" | "expire_grants" | "list_grants" | "search_session" | "read_evidence" | "report_outcome" | "list_skills" | "read_skill" | "draft_skill" | "approve_skill" | "withdraw_skill" | "change_skill_rule" | "create_workspace" | "edit_workspace" | "move_workspace" | "remove_workspace" | "purge_workspace" | "erase" | "change_profile" | "start_run" | "finish_run" | "expire_runs" | "read_run" | "issue_token" | "revoke_token" | "revoke_tokens" | "watch_events" | "read_access_log" | "lose_reads" | "trim_access_log" | "disqualify_provider" | "promote_provider" | "demote_provider";
  /** Earliest time, inclusive. */
  since?: string;
  /** Latest time, exclusive. */
  until?: string;
  /** Page size; 50 by default, at most 500. */
  limit?: number;
  /** Cursor of the next page, from the `Link` header of the previous one. */
  cursor?: string;
};

/** Parameters of `read_memory_access_log`. */
export type ReadMemoryAccessLogQuery = {
  /** Only rows of these callers. */
  callers?: Callers;
  /** Page size; 50 by default, at most 500. */
  limit?: number;
  /** Cursor of the next page, from the `Link` header of the previous one. */
  cursor?: string;
};

/** Role of a token. */
export type Role = "source" | "agent" | "viewer" | "operator" | "admin";
