// Written by scripts/generate-types.mjs from /openapi.json. Not edited by hand.
import type { CheckedClaim, Redaction } from "./activity.js";
import type { CommitMemory, Memory } from "./memories.js";
import type { Scope } from "./memories-2.js";
import type { Tier } from "./memories-3.js";

/** Response to a change of a profile: the profile, or the dry run. */
export type ChangedProfile = Profile | ProfilePreview;

/** A context block and its memories. */
export type Context = {
  /** The text to put before the prompt; empty without memories. Text by other workspaces is quoted for every caller. */
  block: string;
  /** The memories in the block, in the order of the block. */
  entries: Array<Memory>;
  /**
   * The best candidates outside the block, at most 50, best first. Memories outside the reach of the workspace
   * appear only for callers whose role covers the author.
   */
  left_out: Array<OmittedCandidate>;
  /** The profile whose injection settings applied. */
  profile_id: string;
  /** The order in which memories were selected. */
  strategy: Strategy;
  /** Size of the block in tokens; four bytes of UTF-8 count as one. */
  tokens: number;
  /** The pages in the section `## Working Set`, in the order of the block. */
  working_set?: Array<WorkingPage>;
};

/** `POST /workspaces/{id}/profiles`. */
export type CreateProfile = {
  /** Kinds that the workspace neither commits nor reads; at most 32. */
  excluded_kinds?: Array<string>;
  /** Settings of the context block. */
  injection?: Injection;
  /** Whether the profile becomes the default one. */
  is_default?: boolean;
  isolation?: Isolation;
  /** One line of at most 50 characters, unique in the workspace. */
  name: string;
  /** Who reads the pages of the workspace; GLOBAL only for a root. That of the default profile applies. */
  page_scope?: Scope;
  retention?: Retention;
  /** Memories to commit at creation, at most 100; LOCAL where they name no scope. */
  seed_entries?: Array<CommitMemory>;
  /** Whether the memories of sessions are read together. */
  sessions?: Sharing;
  /** Whether the memories of end users are read together. */
  subjects?: Sharing;
};

/** `POST /workspaces/{id}/context`. */
export type InjectContext = {
  /** The profile whose injection settings apply; the default profile if absent. */
  profile_id?: string | null;
  /** Topic of the prompt; only the strategy `relevance` uses it. */
  query?: string | null;
  /** Session of the prompt; memories of this session come first. */
  session_id?: string | null;
  /** Adds the working set about this person or thing. */
  subject?: string | null;
  /** Size of the working set in tokens; 1500 by default. */
  token_budget?: number | null;
};

/** Settings of the context block. */
export type Injection = {
  /** Maximum number of memories, 1 to 50. */
  limit?: number;
  /** Minimum confidence, 0 to 1. */
  min_confidence?: number | null;
  /** Scopes to include; all if empty. */
  scopes?: Array<Scope>;
  /** Sort order. */
  strategy?: Strategy;
  /** Maximum size of the block in tokens, 1 to 1000000. Four bytes of UTF-8 count as one token. */
  token_budget?: number | null;
};

/** How far a workspace reads. It narrows the reach of the tree and never widens it. */
export type Isolation = "tree" | "team" | "isolated" | "profile";

/** Number of live memories of one author by scope. */
export type MemoryCounts = {
  global: number;
  local: number;
  /** TEAM, of any team. */
  team: number;
};

/** Why the context block omits a memory. */
export type OmissionCause = "limit" | "budget" | "min_confidence" | "scope" | "isolation" | "kind" | "stale" | "unverified" | "repetition";

/** A candidate that the context block omits. */
export type OmittedCandidate = {
  /** 0 to 1. */
  confidence: number;
  /** First words of the content; absent for agents. */
  excerpt?: string | null;
  kind: string;
  memory_id: string;
  /** The cause as a sentence. */
  reason: string;
  scope: Scope;
  why: OmissionCause;
  /** The author. */
  workspace_id: string;
};

/** A compressed view of neighbouring episodes about one subject. */
export type Page = {
  /** What its episodes state about records, compared with them. */
  claims?: Array<CheckedClaim> | null;
  /** Time of the last change of the page. */
  compacted_at: string;
  /** From 0 to 1. */
  confidence: number;
  /** In the words of the episodes; empty for a cold page. */
  content: string;
  explanation?: PageConfidence | null;
  /** Time of the first episode. */
  first_at: string;
  id: string;
  /** Time of the last episode. */
  last_at: string;
  /** Maker of the text: `extractive`. */
  made_by: string;
  /** The last declared outcome of the episodes. */
  outcome?: string | null;
  /** Session, or correlation id, of the episodes. */
  session_id: string;
  /** Number of episodes. */
  source_count: number;
  /** The person or thing it is about; absent for the workspace's own work. */
  subject?: string | null;
  tier: Tier;
  /** Size of the content; four bytes of UTF-8 count as one. */
  tokens: number;
  /** Grows with every change of the page. */
  version: number;
  /** The workspace of the episodes. */
  workspace_id: string;
};

/** The parts of a confidence: 0.5 recency + 0.3 density + 0.2 outcome. */
export type PageConfidence = {
  /** 0 for one session, a third for each further one, at most 1. */
  density: number;
  /** Time of the last supporting episode. */
  effective_at: string;
  failures: number;
  /** Share of successes among the outcomes. */
  outcome: number;
  /** One half for every 30 days since the last supporting episode. */
  recency: number;
  /** Sessions that support the page. */
  sessions: number;
  successes: number;
};

/** Changed settings of the context block. Absent fields keep their value; `null` removes a limit. */
export type PatchInjection = {
  /** Maximum number of memories. */
  limit?: number;
  /** Minimum confidence, 0 to 1. */
  min_confidence?: number | null;
  /** Scopes to include; all if empty. */
  scopes?: Array<Scope>;
  /** Sort order. */
  strategy?: Strategy;
  /** Maximum size of the block in tokens. */
  token_budget?: number | null;
};

/** `PATCH /workspaces/{id}/profiles/{pid}`: absent fields keep their value. */
export type PatchProfile = {
  /** Replaces the excluded kinds. */
  excluded_kinds?: Array<string>;
  /** Settings of the context block. */
  injection?: PatchInjection;
  /** `true` makes the profile the default one. */
  is_default?: boolean;
  isolation?: Isolation;
  name?: string;
  /** Who reads the pages of the workspace. */
  page_scope?: Scope;
  retention?: PatchRetention;
  /** Whether the memories of sessions are read together. */
  sessions?: Sharing;
  /** Whether the memories of end users are read together. */
  subjects?: Sharing;
};

/** Changed limits. Absent fields keep their value; `null` removes a limit. */
export type PatchRetention = {
  /** Maximum time in seconds since the latest write. */
  max_age_seconds?: number | null;
  /** Maximum number of memories. */
  max_entries?: number | null;
};

/** A profile of a workspace. */
export type Profile = {
  /** Absent for a default profile that was never changed. */
  created_at?: string | null;
  /** Kinds that the workspace neither commits nor reads. */
  excluded_kinds: Array<string>;
  /** A default profile that was never changed has the id of its workspace. */
  id: string;
  /** Settings of the context block. */
  injection: Injection;
  /** Whether it is the default profile, whose isolation and excluded kinds apply to the workspace. */
  is_default: boolean;
  isolation: Isolation;
  name: string;
  /** Who reads the pages of the workspace. */
  page_scope?: Scope;
  /** Credentials replaced in the name and the seeds before storage. */
  redactions?: Array<Redaction>;
  retention: Retention;
  /** Number of memories committed at creation. */
  seed_count: number;
  /** Whether the memories of sessions are read together. */
  sessions?: Sharing;
  /** Whether the memories of end users are read together. */
  subjects?: Sharing;
  /** Time of the latest change. */
  updated_at?: string | null;
  workspace_id: string;
};

/** Dry run of a new or changed profile: its effect on stored memories and on the workspace's reads. */
export type ProfilePreview = {
  /** Always true. */
  dry_run: boolean;
  /** Live memories of the profile that its retention would expire in the next sweep, irreversibly. */
  expires: number;
  /** Memories that the workspace would newly read, by scope. Zero unless the default profile changes. */
  gains: MemoryCounts;
  /**
   * Memories that the workspace would no longer read because of isolation or excluded kinds, by scope. Expiring ones
   * do not count.
   */
  loses: MemoryCounts;
  /** The resulting profile. */
  profile: Profile;
  /** Expiring memories beyond the maximum number, seeds included. */
  too_many: number;
  /** Expiring memories that exceed the maximum age. */
  too_old: number;
};

/** `GET /workspaces/{id}/profiles/{pid}/summary`: a summary of the profile's own memories. */
export type ProfileSummary = {
  /** Number of memories read for the summary; the newest ones. */
  considered: number;
  /** Number of memories. */
  count: number;
  /** Why the configured language model was not used. */
  fell_back?: string | null;
  /** Time of the latest write. */
  last_written_at?: string | null;
  made_by: SummaryMethod;
  /** Name of the language model, if one wrote the summary. */
  model?: string | null;
  /** Number of memories by scope. */
  scopes: MemoryCounts;
  /** Empty without memories. */
  summary: string;
};

/** Limits of storage; absent limits are unlimited. */
export type Retention = {
  /** Maximum time in seconds since the latest write. */
  max_age_seconds?: number | null;
  /** Maximum number of memories, pinned ones and the newest first; at most 1000000. */
  max_entries?: number | null;
};

/** Whether the memories of end users, or of sessions, are read together. */
export type Sharing = "open" | "separate";

/** Order of the memories in the context block. */
export type Strategy = "confidence" | "recent" | "relevance" | "off";

/** How a summary was made. */
export type SummaryMethod = "extractive" | "model";

/** A page in a context block, and its episodes. */
export type WorkingPage = {
  page: Page;
  /** Ids of the episodes, oldest first. */
  sources: Array<string>;
};
