// Written by scripts/generate-types.mjs from /openapi.json. Not edited by hand.
import type { Role } from "./access-log.js";
import type { CheckedClaim, Redaction } from "./activity.js";
import type { CommitMemory, CommittedMemory } from "./memories.js";
import type { Scope } from "./memories-2.js";
import type { Source } from "./memories-3.js";

/** `POST /workspaces/{id}/runs/{rid}/finish`. */
export type FinishRun = {
  status: RunEnding;
};

/** Parameters of `list_runs`. */
export type ListRunsQuery = {
  /** Only this status. */
  status?: RunStatus;
  /** Only this session. */
  session_id?: string;
  /** Page size; 50 by default, at most 200. */
  limit?: number;
  /** Cursor of the next page, from the `Link` header of the previous one. */
  cursor?: string;
};

/** A memory that is committed if its run completes. */
export type PendingMemory = {
  /** What it states about records, compared with them. */
  claims?: Array<CheckedClaim> | null;
  /** 0 to 1. */
  confidence: number;
  /** For agents, text by other workspaces is quoted. */
  content: string;
  /** Exclusive end of validity. */
  expires_at?: string | null;
  /** Time of writing. */
  held_at: string;
  /** The future id of the memory. */
  id: string;
  kind: string;
  /** Any JSON object. */
  metadata?: Record<string, unknown> | null;
  namespace: string;
  /** Whether it will be listed first. */
  pin: boolean;
  /** Role of the writer, from the token. */
  role: Role;
  scope: Scope;
  session_id?: string | null;
  /** Whether it ends with its session. */
  session_only?: boolean;
  source: Source;
  /** Id of the end user concerned. */
  subject?: string | null;
  /** The memory of the same author that it will replace. */
  supersedes?: string | null;
  tags: Array<string>;
  /** Leader of the bound team. */
  team?: string | null;
  title?: string | null;
};

export type Run = {
  /** Number of dropped memories: all if the run did not complete, otherwise those that had expired. */
  dropped_count: number;
  /** End of the run. */
  finished_at?: string | null;
  /** Name for people. */
  label?: string | null;
  /** Credentials replaced in session and label before storage. */
  redactions?: Array<Redaction>;
  run_id: string;
  session_id?: string | null;
  started_at: string;
  /** Subject of the token that started it. */
  started_by: string;
  status: RunStatus;
  /** Time at which an open run times out. */
  times_out_at: string;
  workspace_id: string;
  /** Number of pending memories, or of committed ones after completion. */
  write_count: number;
};

/** A run and its pending memories. */
export type RunDetail = Run & {
  /** One page, in the order of writing. No other read returns them. */
  pending: Array<PendingMemory>;
};

/** Final state of a run. */
export type RunEnding = "completed" | "failed" | "cancelled";

/**
 * `POST /workspaces/{id}/runs/{rid}/outputs`: the output of a node of the run. Only the memories are stored: every
 * `__lf_memory_writes`, at any depth.
 */
export type RunOutput = Record<string, unknown> & {
  /**
   * Memories to stage, at most 500 in the whole output; LOCAL where they name no scope. `project` and
   * `conversation` mean LOCAL. All are accepted, or none.
   */
  __lf_memory_writes?: Array<CommitMemory>;
};

/** State of a run. */
export type RunStatus = "open" | "completed" | "failed" | "cancelled" | "timed_out";

/** Response to the output of a node. */
export type StagedOutput = {
  /** Number of staged memories. */
  buffered: number;
  /** One for each staged memory, in the order of the request. */
  items: Array<CommittedMemory>;
  run_id: string;
};

/** `POST /workspaces/{id}/runs`. */
export type StartRun = {
  /** Name for people; one line of at most 200 characters. */
  label?: string | null;
  session_id?: string | null;
};
