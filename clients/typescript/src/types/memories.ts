// Written by scripts/generate-types.mjs from /openapi.json. Not edited by hand.
import type { Problem, Role } from "./access-log.js";
import type { CheckedClaim, Claim, Redaction } from "./activity.js";
import type { Mode, Neighbour, PassagePlace, ReadSessions, Reranked, Scope, ScorePart } from "./memories-2.js";
import type { Source, Tier, Via } from "./memories-3.js";

/** Outcome for one memory of a batch. */
export type BatchItem = {
  committed: CommittedMemory;
} | {
  /** A refusal does not affect other items. */
  refused: Problem;
};

/** Response to a batch, with one item for each memory in the order of the request. */
export type BatchResponse = {
  /** Number of committed memories. */
  committed: number;
  items: Array<BatchItem>;
  /** Number of refused items. */
  refused: number;
};

/**
 * Results that repeat the content of another one: they differ only in case, diacritics, inflection, white space and
 * punctuation without meaning.
 */
export type Collapsed = {
  count: number;
  /** The first 100, in the order of the results. */
  ids: Array<string>;
};

/** `POST …/memories/batch`: up to 500 memories. */
export type CommitBatch = {
  /** Each is committed or refused independently. */
  memories: Array<CommitMemory>;
};

/** `POST /workspaces/{id}/memories`: one memory to commit. */
export type CommitMemory = {
  /** At most 16 statements about records. */
  claims?: Array<Claim> | null;
  /** 0 to 1; 0.5 by default. */
  confidence?: number | null;
  /** Not blank, at most 64 KiB. */
  content: string;
  /** Exclusive end of validity. */
  expires_at?: string | null;
  /** Id of the caller's choice; a commit with an existing id replaces that memory. */
  id?: string | null;
  /** `fact` (default), `summary`, `checkpoint`, or another lower-case word of at most 32 characters. */
  kind?: string | null;
  /** Any JSON object. */
  metadata?: Record<string, unknown> | null;
  /** Label, at most 50 characters; `general` by default. */
  namespace?: string | null;
  /** When it happened, if not now. It becomes `created_at`, which times, order and recency go by. Not in the future. */
  occurred_at?: string | null;
  /** Listed first; at most 20 per author. */
  pin?: boolean;
  /** Profile of the workspace; the default profile if absent. */
  profile_id?: string | null;
  /**
   * An open run of the workspace, which stages the memory until it completes. Any other id is refused, unless
   * `ungated` is true.
   */
  run_id?: string | null;
  scope: Scope;
  session_id?: string | null;
  /** Whether it ends with its session, which must be given. */
  session_only?: boolean;
  source?: Source | null;
  /** Id of the end user concerned. */
  subject?: string | null;
  /** A memory of the same author that this one replaces in every read. */
  supersedes?: string | null;
  /** At most 32. */
  tags?: Array<string>;
  /** Only with TEAM: the leader of the team, which is the author or its parent. */
  team?: string | null;
  /** One line, at most 200 characters; searchable. */
  title?: string | null;
  /** Lifetime in seconds, instead of `expires_at`. */
  ttl_seconds?: number | null;
  /** Commit at once where `run_id` (or `X-Run-Id`) names no open run of the workspace; the id is then only stored. */
  ungated?: boolean;
};

/** Response to a commit. */
export type CommittedMemory = {
  /** When it happened: `occurred_at`, or the time of the first commit. */
  created_at: string;
  /** Exclusive end of validity. */
  expires_at?: string | null;
  /** Id of the memory. */
  id: string;
  /** `fact`, `summary`, `checkpoint` or another word. */
  kind: string;
  /** Label for grouping. */
  namespace: string;
  /** Whether the memory is staged until its run completes; until then no read returns it. */
  pending?: boolean;
  /** Credentials replaced before storage. */
  redactions: Array<Redaction>;
  /** Gated run of the memory. */
  run_id?: string | null;
  /** Audience of the memory. */
  scope: Scope;
  /** Leader of the bound team. */
  team?: string | null;
  /** 1 for a new memory, increased by every change; 0 while pending. */
  version: number;
};

/** Parameters of `count_memories`. */
export type CountMemoriesQuery = {
  /** Only this scope; all readable memories if absent. */
  scope?: Scope;
  /** Query; without it every readable memory counts. */
  q?: string;
  /** Search mode; `auto` by default. */
  mode?: Mode;
  /** Only this namespace. */
  namespace?: string;
  /** Only this kind. */
  kind?: string;
  /** Only this source. */
  source?: Source;
  /** Only memories with this tag. */
  tag?: string;
  /** Only memories of this workspace. */
  author?: string;
  /** Only this end user. */
  subject?: string;
  /** Only this session. */
  session_id?: string;
  /** `granted`: also memories of other sessions that grants show. */
  sessions?: ReadSessions;
  /** Only this tier. */
  tier?: MemoryTier;
  /** Only this run. */
  run_id?: string;
  /** Only this profile of the workspace. */
  profile_id?: string;
  /** Earliest commit, inclusive. */
  since?: string;
  /** Latest commit, exclusive. */
  until?: string;
  /** Minimum confidence, 0 to 1. */
  min_confidence?: number;
  /** Only pinned memories (`true`), or only others (`false`). */
  pinned?: boolean;
  /** Only memories whose metadata match these conditions: a JSON object such as `{"tier": {"$gte": 2}}`. */
  metadata?: string;
  /** Only these memories: 1 to 50 ids, separated by commas. */
  ids?: string;
  /** Count repetitions of one content as one. */
  collapse?: boolean;
};

/** Reasons of the refused operations. */
export type DenialReasons = {
  delete?: string | null;
  edit?: string | null;
  redact?: string | null;
};

/** Rank and score of a search result. */
export type Explanation = {
  /** Parts of the score; the values add up to it. Empty without a query. */
  parts: Array<ScorePart>;
  /** Position among all results, from 1. */
  rank: number;
  /** The earlier result with the same content, or with nearly the same words of the same author, if any. */
  repeats?: string | null;
  reranked?: Reranked | null;
};

/** What a search says about a page besides its text. */
export type FoundPage = {
  /** Time of the last change of the page. */
  compacted_at: string;
  /** Time of the first episode. */
  first_at: string;
  /** Time of the last episode. */
  last_at: string;
  /** Maker of the text: `extractive`. */
  made_by: string;
  /** The last declared outcome of the episodes. */
  outcome?: string | null;
  /** Number of episodes. */
  source_count: number;
  tier: Tier;
  /** Size of the content; four bytes of UTF-8 count as one. */
  tokens: number;
};

/** The type of an item of a search. */
export type ItemType = "memory" | "passage" | "page";

/** Parameters of `list_metadata_values`. */
export type ListMetadataValuesQuery = {
  /** The name of a member of metadata. */
  member?: string;
  /** Number of items of a list that make a value, at least 1; all by default. */
  depth?: number;
  /** Only this scope; all readable memories if absent. */
  scope?: Scope;
  /** Only this namespace. */
  namespace?: string;
  /** Only this kind. */
  kind?: string;
  /** Only this source. */
  source?: Source;
  /** Only memories with this tag. */
  tag?: string;
  /** Only memories of this workspace. */
  author?: string;
  /** Only this end user. */
  subject?: string;
  /** Only this session. */
  session_id?: string;
  /** Only this tier. */
  tier?: MemoryTier;
  /** Only memories whose metadata match these conditions: a JSON object such as `{"tier": {"$gte": 2}}`. */
  metadata?: string;
  /** Page size; 100 by default and at most. */
  limit?: number;
  /** Cursor of the next page, from the `Link` header of the previous one. */
  cursor?: string;
};

/** A memory as a workspace reads it. */
export type Memory = {
  can?: MemoryPermissions | null;
  /** What it states about records, compared with them. */
  claims?: Array<CheckedClaim> | null;
  collapsed?: Collapsed | null;
  /** 0 to 1. */
  confidence: number;
  /** For agents, text by other workspaces is quoted. */
  content: string;
  /** When it happened: `occurred_at` of its author, or the time of the commit. */
  created_at: string;
  /** Exclusive end of validity. */
  expires_at?: string | null;
  explanation?: Explanation | null;
  /** The grant without which the memory would not be readable. */
  granted_by?: string | null;
  id: string;
  kind: string;
  metadata?: Record<string, unknown> | null;
  namespace: string;
  /**
   * Only with `neighbours`: readable memories committed just before and after in the same session, in that order.
   * Filters do not apply to them.
   */
  neighbours?: Array<Neighbour> | null;
  /** The newest result that says the same with another value, in order of relevance. */
  outdated_by?: string | null;
  page?: FoundPage | null;
  passage?: PassagePlace | null;
  /** Whether it is listed first. */
  pin: boolean;
  /** Profile of the author; absent means the author's current default profile. */
  profile_id?: string | null;
  /** Role of the writer, from the token. */
  role: Role;
  run_id?: string | null;
  scope: Scope;
  /** Higher is better; comparable only within one response. */
  score?: number | null;
  session_id?: string | null;
  /** Cosine of the vectors of query and memory, -1 to 1; absent for keyword matches. */
  similarity_score?: number | null;
  /** As claimed by the author. */
  source: Source;
  /** Id of the end user concerned. */
  subject?: string | null;
  /** The memory that this one replaced. */
  supersedes?: string | null;
  tags: Array<string>;
  /** Leader of the bound team. */
  team?: string | null;
  /** How long it lives, and for whom. */
  tier: MemoryTier;
  title?: string | null;
  type?: ItemType | null;
  /** Words of the query that no readable memory has, and the words of this one that they were understood as. */
  understood?: Record<string, string> | null;
  /** Time of the latest change. */
  updated_at: string;
  /** 1 for a new memory, increased by every change. */
  version: number;
  /** Why it is in reach. */
  via: Via;
  /** The author. */
  workspace_id: string;
  /** Current name of the author. */
  workspace_name: string;
};

/** Response to a count. */
export type MemoryCount = {
  /** Number of readable memories that match. */
  count: number;
};

/** Operations on a memory that the caller may perform as the reading workspace. */
export type MemoryPermissions = {
  delete: boolean;
  edit: boolean;
  redact: boolean;
  /** Reasons of the refused operations. */
  why_not?: DenialReasons;
};

/** A workspace that read the content of a memory. */
export type MemoryReader = {
  name: string;
  /** Number of reads in the audit log. */
  reads: number;
  /** The part of `reads` by viewers, operators and admins; the others are by agents. */
  reads_by_people?: number;
  workspace_id: string;
};

/** How long an item lives, and for whom. */
export type MemoryTier = "session" | "user" | "tenant" | "knowledge";

/** `POST /workspaces/{id}/memory-tool`: one command of the memory tool, as the model sends it. */
export type MemoryToolCommand = {
  command: MemoryToolVerb;
  /** `create`: the text of the file. */
  file_text?: string | null;
  /** `insert`: the line after which lines are inserted; 0 is the beginning of the file. */
  insert_line?: number | null;
  /** `insert`: the lines. */
  insert_text?: string | null;
  /** `rename`: its new path. */
  new_path?: string | null;
  /** `str_replace`: the passage in its place; empty by default. */
  new_str?: string | null;
  /** `rename`: the file or folder. */
  old_path?: string | null;
  /** `str_replace`: a passage that occurs once. */
  old_str?: string | null;
  /** A file or folder: `/memories` or below it. All commands but `rename`. */
  path?: string | null;
  /** `view` of a file: its first and its last line, from 1; -1 is the last line of the file. */
  view_range?: Array<number> | null;
};

/** The answer to a command. */
export type MemoryToolResult = {
  /** The text for the model. */
  content: string;
  /** Whether the command failed; the text says why. */
  is_error: boolean;
};

/** A command of the memory tool. */
export type MemoryToolVerb = "view" | "create" | "str_replace" | "insert" | "delete" | "rename";
