// Written by scripts/generate-types.mjs from /openapi.json. Not edited by hand.
import type { Claim, Redaction } from "./activity.js";
import type { PutEntry } from "./entries.js";
import type { Scope } from "./memories-2.js";
import type { Source } from "./memories-3.js";
import type { MemoryCounts } from "./profiles.js";
import type { Workspace, WorkspaceRemoval, WorkspaceStatus } from "./workspaces-2.js";

/** Gains and losses of one author's memories. */
export type AffectedAuthor = {
  /** Newly readable memories, by scope. */
  gains: MemoryCounts;
  /** No longer readable memories, by scope. */
  loses: MemoryCounts;
  name: string;
  workspace_id: string;
};

/** Live memories that one workspace would gain or lose. */
export type AffectedWorkspace = {
  /** By author, largest change first. */
  authors: Array<AffectedAuthor>;
  /** Newly readable memories, by scope. */
  gains: MemoryCounts;
  /** The workspace's own memories that others read now and only their author would read afterwards. */
  left_alone: Array<UnsharedMemories>;
  /** No longer readable memories, by scope. */
  loses: MemoryCounts;
  /** Number of omitted authors. */
  more_authors: number;
  name: string;
  /** Whether the workspace would be removed and lose everything. */
  removed: boolean;
  /** The effect as a sentence. */
  summary: string;
  workspace_id: string;
};

/** The budget of one workspace, and what it and everything below it use. */
export type Budget = {
  limits: BudgetLimits;
  used: BudgetUsage;
  /** The workspace whose budget it is. */
  workspace_id: string;
};

/**
 * `PUT /workspaces/{id}/budget`: the limits on a workspace and everything below it, together. The request replaces all of
 * them; an absent limit, or `null`, limits nothing.
 */
export type BudgetLimits = {
  /** Bytes of content, title, tags and metadata, with earlier versions. */
  bytes?: number | null;
  /** Memories and queries that are embedded in 24 hours. */
  embeddings_per_day?: number | null;
  /** Live memories. */
  memories?: number | null;
  searches_per_minute?: number | null;
  /** Memories, entries and episodes that are written in a minute. */
  writes_per_minute?: number | null;
};

/** What is used of a budget. Rates are those of the responding server. */
export type BudgetUsage = {
  bytes: number;
  embeddings_per_day: number;
  memories: number;
  searches_per_minute: number;
  /** The part of the minute's quota that is not available now. */
  writes_per_minute: number;
};

/** Treatment of the children of a removed workspace. */
export type ChildrenRemoval = "promote" | "cascade";

/** `POST /workspaces`: a child of `parent_id`, or without it a new root (admins only). */
export type CreateWorkspace = {
  /** Id of the caller's choice, unique across the server. */
  id?: string | null;
  /** Any JSON object. */
  metadata?: Record<string, unknown> | null;
  /** 1 to 200 characters. */
  name: string;
  parent_id?: string | null;
  /** Function of the agent, in a word. */
  role?: string | null;
};

/** Extent of an erasure. */
export type ErasedKind = "subject" | "workspace" | "org";

/** An episode of an imported workspace. */
export type ImportEpisode = {
  /**
   * `a2a_send`, `a2a_receive`, `task_update`, `task_complete`, `tool_call`, `agent_log`, `skill_promotion`,
   * `memory_write`, `error`, or a type from the configuration.
   */
  activity_type: string;
  /** The actor within the workspace. */
  actor?: string | null;
  channel?: string | null;
  /** At most 16 statements about records. */
  claims?: Array<Claim> | null;
  /** Groups related episodes. */
  correlation_id?: string | null;
  /** The time of the import by default. */
  created_at?: string | null;
  /** Duration in milliseconds. */
  duration_ms?: number | null;
  error_detail?: string | null;
  /** Category of the subject matter. Pages contain only episodes with a kind that is not excluded. */
  kind?: string | null;
  /** Any JSON object. */
  metadata?: Record<string, unknown> | null;
  /** The method called. */
  method?: string | null;
  /** When it happened, if not now. It becomes `created_at`, which times and order go by. Not in the future. */
  occurred_at?: string | null;
  /** `success`, `failure` or `neutral`. */
  outcome?: string | null;
  /** Any JSON value. */
  request_body?: unknown;
  /** Any JSON value. */
  response_body?: unknown;
  /** Importance from 0 to 1; absent means 0.5. */
  salience?: number | null;
  session_id?: string | null;
  /** The workspace itself, or absent. */
  source_id?: string | null;
  status?: string | null;
  /** Id of the end user concerned. */
  subject?: string | null;
  /** One line. */
  summary?: string | null;
  /** The episode of the same workspace that this one corrects. */
  supersedes?: string | null;
  /** The target of the activity. */
  target_id?: string | null;
};

/** A memory of an imported workspace. */
export type ImportMemory = {
  /** At most 16 statements about records. */
  claims?: Array<Claim> | null;
  /** 0 to 1. */
  confidence?: number | null;
  content: string;
  /** The time of the import by default. */
  created_at?: string | null;
  kind?: string | null;
  /** Any JSON object. */
  metadata?: Record<string, unknown> | null;
  namespace?: string | null;
  /** Listed first. */
  pin?: boolean;
  scope: Scope;
  session_id?: string | null;
  /** Whether it ends with its session, which must be given. */
  session_only?: boolean;
  source?: Source | null;
  /** Id of the end user concerned. */
  subject?: string | null;
  /** At most 32. */
  tags?: Array<string>;
  team?: RelativeTeam | null;
  /** One line, at most 200 characters. */
  title?: string | null;
  /** Lifetime in seconds. */
  ttl_seconds?: number | null;
};

/** `POST /orgs/import`: a workspace with its content and children. */
export type ImportNode = {
  children?: Array<ImportNode>;
  /** Entries to write. */
  entries?: Array<PutEntry>;
  /** Oldest first. */
  episodes?: Array<ImportEpisode>;
  /** Identifies the workspace; takes precedence over the name. */
  id?: string | null;
  /** Memories to commit, under the rules of a commit. */
  initial_memories?: Array<ImportMemory>;
  /** Any JSON object. */
  metadata?: Record<string, unknown> | null;
  /** Identifies the workspace among its siblings when the document is imported again. */
  name: string;
  /** Function of the agent, in a word. */
  role?: string | null;
};

/** Outcome of an import, or with `dry_run` the predicted outcome. */
export type ImportResponse = {
  /** True if nothing was changed. */
  dry_run: boolean;
  entries_put: number;
  episodes_appended: number;
  memories_committed: number;
  /** Memories that already existed. */
  memories_kept: number;
  org_id: string;
  /**
   * Credentials replaced before storage; fields are paths in the document, such as
   * `children[0].initial_memories[2].content`.
   */
  redactions?: Array<Redaction>;
  /**
   * The workspaces of the document in its order, parents before their children, with those that existed. Empty in a
   * dry run.
   */
  workspace_ids?: Array<string>;
  workspaces_created: number;
  /** Workspaces that already existed. */
  workspaces_kept: number;
};

/** Parameters of `list_workspaces`. */
export type ListWorkspacesQuery = {
  /** Only the tree of this root; empty if the id is not a root. */
  root?: string;
  /** Only children of this workspace. */
  parent?: string;
  /** `live` by default. */
  status?: WorkspaceStatus;
  /** Only names that contain this text; case-insensitive. */
  q?: string;
  /** Page size; 50 by default, at most 500. */
  limit?: number;
  /** Cursor of the next page, from the `Link` header of the previous one. */
  cursor?: string;
};

/**
 * `PATCH /workspaces/{id}`: absent fields keep their value; `null` clears `role` and `metadata`. A `parent_id` of
 * `null` is accepted only for a root, which it leaves unchanged, because no other workspace becomes a root.
 */
export type PatchWorkspace = {
  /** Replaces these members of the metadata; `null` removes a member. */
  merge_metadata?: Record<string, unknown>;
  /** Replaces the metadata. */
  metadata?: Record<string, unknown> | null;
  name?: string;
  /** New parent; the workspace moves with its subtree. */
  parent_id?: string | null;
  /** Function of the agent, in a word. */
  role?: string | null;
};

/** Response to a change of a workspace: the workspace, or the dry run. */
export type PatchedWorkspace = Workspace | TreePreview;

/** One ancestor. */
export type PathStep = {
  id: string;
  name: string;
};

/** Receipt of an erasure, without the erased content. */
export type Receipt = {
  /** Number of the row in the org's audit log that records the erasure. */
  access_seq?: number | null;
  /** Number of erased responses stored for `Idempotency-Key`. */
  answers: number;
  /** Number of erased entries. */
  entries: number;
  /** Number of episodes. */
  episodes: number;
  erased: ErasedKind;
  erased_at: string;
  /** Subject of the caller's token. */
  erased_by: string;
  id: string;
  /** Number of erased memories. */
  memories: number;
  /** Backups that still contain the content, and their retention. */
  older_backups: string;
  /** Id of the root workspace. */
  org_id: string;
  reason: string;
  /** Only for an end user: SHA-256 of the id, in hexadecimal. */
  subject_sha256?: string | null;
  /** Number of erased tokens. */
  tokens: number;
  /** Number of erased earlier versions. */
  versions: number;
  /** Only for a workspace. */
  workspace_id?: string | null;
  /** Number of erased workspaces. */
  workspaces: number;
};

/** A team, relative to the author. */
export type RelativeTeam = "self" | "parent";

/** Parameters of `remove_workspace`. */
export type RemoveWorkspaceQuery = {
  /** What happens to live children; required if there are any. */
  children?: ChildrenRemoval;
  /** The same as `children=cascade`, for clients that send this field. */
  confirm?: boolean;
  /** Erase the memories, entries, episodes and tokens of the removed workspaces. */
  purge?: boolean;
};

/** Response to a removal of a workspace: the outcome, or the dry run. */
export type RemovedWorkspace = WorkspaceRemoval | TreePreview;

/** A workspace and its descendants. */
export type TreeNode = {
  budget?: Budget | null;
  /** Number of children, including omitted ones. */
  child_count: number;
  /** In the order of names, down to the requested depth. */
  children: Array<TreeNode>;
  id: string;
  /** Latest write of one of its own memories. */
  last_write_at?: string | null;
  /** Number of its own live memories by scope. */
  memories: MemoryCounts;
  name: string;
  /** Function of the agent, in a word. */
  role?: string | null;
};

/** Dry run of a change of the tree: gains and losses of each affected workspace, as far as the caller may see them. */
export type TreePreview = {
  /**
   * Workspaces that would gain or lose memories: the moved or removed one, others with a new parent, the parents,
   * the siblings, and other removed workspaces.
   */
  affected: Array<AffectedWorkspace>;
  /** Always true. */
  dry_run: boolean;
  erased?: Receipt | null;
  /** Number of further workspaces near the change, not computed. */
  more: number;
  /** Number of workspaces with a new parent. */
  moved: number;
  /** Number of removed workspaces. */
  removed: number;
  /** The workspace to move or remove. */
  workspace_id: string;
};

/** Memories that only their author would read, usually because they are bound to a team that the author leaves. */
export type UnsharedMemories = {
  /** Number of memories. */
  memories: number;
  /** Leader of the bound team; absent if they are bound to none. */
  team?: string | null;
  team_name?: string | null;
};
