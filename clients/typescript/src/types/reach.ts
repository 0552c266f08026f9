// Written by scripts/generate-types.mjs from /openapi.json. Not edited by hand.
import type { Scope } from "./memories-2.js";
import type { Via } from "./memories-3.js";

/** `POST /registry/check-access`: whether two workspaces may communicate. */
export type CheckAccess = {
  caller_id: string;
  /** An unknown id, or a text that is no id, is never allowed. */
  target_id: string;
};

export type CheckAccessResponse = {
  /** True for the workspace itself, siblings, ancestors and descendants of one tree. */
  allowed: boolean;
};

/** A direction of reading. */
export type ReachDirection = "reads" | "read_by";

/** `GET /workspaces/{id}/reach`: workspaces in both directions of reading. */
export type ReachResponse = {
  /** The cursor of the next page, as in `Link`; absent on the last one. */
  next?: string | null;
  /** Workspaces that can read it, itself first. */
  read_by: Array<ReachRow>;
  /** Numbers of all workspaces that can read it, on every page. */
  read_by_totals: Array<ReachTotal>;
  /** Workspaces that it can read, itself first. */
  reads: Array<ReachRow>;
  /** Numbers of all workspaces that it can read, on every page. */
  reads_totals: Array<ReachTotal>;
  workspace_id: string;
};

/** One workspace at one scope. */
export type ReachRow = {
  name: string;
  /** The rule as a sentence. */
  reason: string;
  scope: Scope;
  via: Via;
  workspace_id: string;
};

/** The number of workspaces in reach by one relation. */
export type ReachTotal = {
  global: number;
  /** Workspaces by scope. */
  local: number;
  team: number;
  via: Via;
  /** Distinct workspaces. */
  workspaces: number;
};

/** Parameters of `read_reach`. */
export type ReadReachQuery = {
  /** One scope; all three by default. */
  scope?: Scope;
  /** One direction; both by default. */
  direction?: ReachDirection;
  /** One relation; all by default. */
  via?: Via;
  /** Only rows of these workspaces: up to 200 ids, separated by commas. */
  among?: string;
  /** Rows per page and direction; 1,000 by default and at most. */
  limit?: number;
  /** Cursor of the next page, from the `Link` header of the previous one. */
  cursor?: string;
};

/** Relation of the author to the reader. */
export type Relation = "itself" | "parent" | "child" | "sibling" | "ancestor" | "descendant" | "distant";

/** `GET /workspaces/{id}/reach/{other}`: the relation of two workspaces. */
export type RelationResponse = {
  /** The lowest workspace that is above or equal to both. */
  common_ancestor: string;
  other_id: string;
  /** Relation of the other workspace to the first. */
  relation: Relation;
  /** All scopes in both directions; TEAM without a bound team. */
  rows: Array<RelationRow>;
  workspace_id: string;
};

/** One scope in both directions. */
export type RelationRow = {
  /** Whether the other workspace can read the first. */
  read_by: boolean;
  /** The rule as a sentence. */
  read_by_reason: string;
  /** Whether the first workspace can read the other. */
  reads: boolean;
  /** The rule as a sentence. */
  reads_reason: string;
  scope: Scope;
};
