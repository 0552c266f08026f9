// Written by scripts/generate-types.mjs from /openapi.json. Not edited by hand.
import type { Problem, Role } from "./access-log.js";
import type { CheckedClaim, Claim, Redaction } from "./activity.js";
import type { Memory, MemoryReader, MemoryTier } from "./memories.js";
import type { Source, Tombstone, Via } from "./memories-3.js";

/** One version of a memory. */
export type MemoryVersion = {
  /** What it states about records, compared with them. */
  claims?: Array<CheckedClaim> | null;
  /** 0 to 1. */
  confidence: number;
  /** For agents, text by other workspaces is quoted. */
  content: string;
  /** Whether it is the newest version. */
  current: boolean;
  /** Exclusive end of validity. */
  expires_at?: string | null;
  kind: string;
  metadata?: Record<string, unknown> | null;
  namespace: string;
  /** Whether it was listed first. */
  pin: boolean;
  /** Role of the writer, from the token. */
  role: Role;
  scope: Scope;
  session_id?: string | null;
  /** Whether it ends with its session. */
  session_only?: boolean;
  /** As claimed by the author. */
  source: Source;
  /** Id of the end user concerned. */
  subject?: string | null;
  tags: Array<string>;
  /** Leader of the bound team. */
  team?: string | null;
  title?: string | null;
  /** 1 for the first version, increased by every change. */
  version: number;
  /** The author. */
  workspace_id: string;
  /** Current name of the author. */
  workspace_name: string;
  /** Time of writing. */
  written_at: string;
};

/** A value of a member of metadata. */
export type MetadataValue = {
  /** Number of memories with this value. */
  count: number;
  /** Any JSON value. */
  value: unknown;
};

/** Search mode. */
export type Mode = "auto" | "keyword" | "semantic" | "hybrid";

/** A memory committed close to another one in the same session. */
export type Neighbour = {
  /** What it states about records, compared with them. */
  claims?: Array<CheckedClaim> | null;
  /** For agents, text by other workspaces is quoted. */
  content: string;
  /** Time of the commit. */
  created_at: string;
  /** The grant without which the memory would not be readable. */
  granted_by?: string | null;
  id: string;
  /** Distance in memories; negative before the other one. */
  offset: number;
  /** The caller's role. */
  role: Role;
  /** The author. */
  workspace_id: string;
  /** Current name of the author. */
  workspace_name: string;
};

/** Sort order. */
export type Order = "relevance" | "recent" | "confidence";

/** The memories that a search found in one org. */
export type OrgMatches = {
  /** Best first. A memory with `via` `self` is readable as its author, any other as the searched workspace. */
  memories: Array<Memory>;
  /** Whether the org has further matches. */
  more: boolean;
  org_id: string;
  /** The searched workspace; for people, with all workspaces below it. */
  workspace_id: string;
  /** Its name; for an admin, that of the org. */
  workspace_name: string;
};

/** The document and the place of a passage that a search found. */
export type PassagePlace = {
  /** The document. */
  document_id: string;
  /** Number of characters before it, for `from` of the document's content. */
  from: number;
  /** The headings above the passage, outermost first. */
  heading: Array<string>;
  /** Number of its characters. */
  length: number;
  /** Position among the passages of the document, from 0. */
  number: number;
  source_uri?: string | null;
  /** First byte of the passage in the text. */
  start_byte: number;
  /** Title of the document. */
  title: string;
};

/**
 * `PATCH /workspaces/{id}/memories/{mid}`: absent fields keep their value; `null` clears optional ones. To change
 * scope or team, commit the memory again under its id.
 */
export type PatchMemory = {
  /** Replaces the statements about records. */
  claims?: Array<Claim> | null;
  /** 0 to 1. */
  confidence?: number;
  /** Not blank, at most 64 KiB. */
  content?: string;
  /** Exclusive end of validity. */
  expires_at?: string | null;
  kind?: string;
  /** Replaces the metadata. */
  metadata?: Record<string, unknown> | null;
  namespace?: string;
  /** Listed first; at most 20 per author. */
  pin?: boolean;
  session_id?: string | null;
  /** Whether it ends with its session. */
  session_only?: boolean;
  source?: Source;
  /** Id of the end user concerned. */
  subject?: string | null;
  /** Replaces all tags. */
  tags?: Array<string>;
  /** One line, at most 200 characters. */
  title?: string | null;
  /** Lifetime in seconds, instead of `expires_at`. */
  ttl_seconds?: number;
};

/** Response to `GET …/memories/{mid}`. */
export type ReadMemory = Memory | Tombstone;

/** The sessions that a read includes besides its own. */
export type ReadSessions = "granted";

/** Why a search finds a memory or does not. */
export type RecallCause = "found" | "not_found" | "below_minimum" | "collapsed" | "not_readable" | "isolated" | "kind_excluded" | "expired" | "redacted" | "deleted" | "superseded" | "pending";

/** Why a workspace finds a memory with a query, or does not. */
export type RecallExplanation = {
  cause: RecallCause;
  /** Number of results. */
  found?: number | null;
  memory_id: string;
  /** Parts of the score; the values add up to it. */
  parts?: Array<ScorePart>;
  /** Position among all results, from 1. */
  rank?: number | null;
  /** Whether the workspace can read the memory now. */
  readable: boolean;
  /** The cause as a sentence. */
  reason: string;
  /** The earlier result with the same content, or with nearly the same words of the same author, if any. */
  repeats?: string | null;
  /** Of an expired memory: `expires_at`, `retention.max_age_seconds` or `retention.max_entries`. */
  rule?: string | null;
  /** The open run of a pending memory. */
  run_id?: string | null;
  /** Comparable only within one response. */
  score?: number | null;
  /** Time of the expiry or the redaction. */
  since?: string | null;
  /** The memory that replaces it. */
  superseded_by?: string | null;
  via?: Via | null;
};

/** `POST …/memories/redact`: up to 500 memories. */
export type RedactMemories = {
  /** Each is redacted or refused independently. */
  memories: Array<string>;
  /** One line of at most 500 characters. */
  reason: string;
};

/** Outcome for a redacted memory, without its content. */
export type RedactedMemory = {
  /** Whether it was redacted before. */
  already: boolean;
  /** True if nothing was changed. */
  dry_run?: boolean;
  id: string;
  /** Backups that still contain the content, and their retention. */
  older_backups: string;
  /** Workspaces that read the content, most frequent first, as far as the caller may see their audit logs. */
  readers?: Array<MemoryReader>;
  /** True if the search of the audit log stopped early, so that readers and runs may be missing. */
  readers_partial?: boolean;
  reason: string;
  /** Time of the first redaction. */
  redacted_at: string;
  /** Subject of the caller's token. */
  redacted_by: string;
  /** Credentials replaced in the reason before storage. */
  redactions: Array<Redaction>;
  /** Runs that read the content, as far as the caller may see them. */
  runs?: Array<string>;
  /** Number of earlier versions redacted with it. */
  versions: number;
};

/** A redaction, without the redacted content. */
export type RedactionEntry = {
  /** Id of the redacted memory. */
  memory_id: string;
  reason: string;
  redacted_at: string;
  /** Subject of the caller's token. */
  redacted_by: string;
  scope?: Scope | null;
  /** The author. */
  workspace_id: string;
  /** Current name of the author. */
  workspace_name: string;
};

/** Outcome for one memory of a bulk redaction. */
export type RedactionItem = {
  redacted: RedactedMemory;
} | {
  /** A refusal does not affect other items. */
  refused: Problem;
};

/** Response to a bulk redaction, with one item for each memory in the order of the request. */
export type RedactionResponse = {
  items: Array<RedactionItem>;
  /** Number of redacted memories, including those redacted before. */
  redacted: number;
  /** Number of refused items. */
  refused: number;
};

/** The effect of a reranker on a search result. */
export type Reranked = {
  /** Position among all results before reranking, from 1. */
  from_rank: number;
  /** Score of the reranker, on its own scale; absent on later pages. */
  score?: number | null;
};

/** `POST …/memories/{mid}/restore`: writes the content of an earlier version as a new version. */
export type RestoreMemory = {
  /** Number of the version in the history. */
  version: number;
};

/** Response to a restoration. */
export type RestoredMemory = {
  id: string;
  /** New version. */
  version: number;
};

/** Audience of a memory. */
export type Scope = "LOCAL" | "TEAM" | "GLOBAL";

/** Origin of a part of a score. */
export type ScoreFactor = "words" | "pairs" | "meaning" | "voice" | "named_author" | "date" | "before" | "after" | "session" | "recency" | "confidence" | "pin" | "version" | "repetition";

/** One part of a score. */
export type ScorePart = {
  part: ScoreFactor;
  /** Contribution to the score; may be negative. */
  value: number;
};

/** Parameters of `search_memories`. */
export type SearchMemoriesQuery = {
  /** What to search, in one ranking: `memories` (default), `pages`, `documents` (their passages), or several with commas. */
  in?: SearchedItems;
  /** Only this scope; all readable memories if absent. */
  scope?: Scope;
  /** Query. Without it the newest come first, after pinned ones. */
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
  /** Only this tier; `knowledge` searches passages of documents. */
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
  /** `relevance` by default with a query, otherwise `recent`. */
  order?: Order;
  /** Quote text by other workspaces, as for an agent. Agents always receive it quoted. */
  quoted?: boolean;
  /** Include the rank and the parts of the score. */
  explain?: boolean;
  /** Name repetitions of a result in that result instead of listing them. */
  collapse?: boolean;
  /** Include this many memories committed before and after in the same session, 0 to 5. */
  neighbours?: number;
  /** Page size; 50 by default and at most. */
  limit?: number;
  /** Cursor of the next page, from the `Link` header of the previous one. */
  cursor?: string;
};

/** Parameters of `search_orgs`. */
export type SearchOrgsQuery = {
  /** Query. Without it the newest come first, after pinned ones. */
  q?: string;
  /** Memories of each org; 5 by default, at most 20. */
  limit?: number;
  /** Cursor of the next orgs, from the `Link` header of the previous page. */
  cursor?: string;
};

/** What a search is about. */
export type SearchedItems = "memories" | "documents" | "pages" | "memories,documents" | "memories,pages" | "pages,documents" | "memories,pages,documents";
