// Written by scripts/generate-types.mjs from /openapi.json. Not edited by hand.
import type { Redaction } from "./activity.js";
import type { MemoryCounts } from "./profiles.js";
import type { Budget, PathStep, Receipt } from "./workspaces.js";

/** A workspace with its path and counts. */
export type Workspace = {
  budget?: Budget | null;
  /** Number of children. */
  child_count: number;
  created_at: string;
  /** Number of descendants. */
  descendant_count: number;
  id: string;
  /** Latest write of one of its own memories. */
  last_write_at?: string | null;
  /** Number of its own live memories by scope. */
  memories: MemoryCounts;
  metadata?: Record<string, unknown> | null;
  name: string;
  /** Id of the root workspace. */
  org_id: string;
  /** Absent for a root. */
  parent_id?: string | null;
  /** Ancestors that the caller may see, highest first. */
  path: Array<PathStep>;
  /** Credentials replaced before storage; present only in the response to the write. */
  redactions?: Array<Redaction>;
  /** Function of the agent, in a word. */
  role?: string | null;
  status: WorkspaceStatus;
  /** Latest change of the workspace itself. */
  updated_at: string;
};

/** Response to a removal. */
export type WorkspaceRemoval = {
  /** Number of descendants removed. */
  cascade_deleted: number;
  erased?: Receipt | null;
  /** Number of children moved to the parent. */
  promoted: number;
  /** Always `removed`. */
  status: WorkspaceStatus;
};

/** State of a workspace. */
export type WorkspaceStatus = "online" | "removed";
