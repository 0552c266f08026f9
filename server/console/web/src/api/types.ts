// Written by types.mjs from /openapi.json. Not edited by hand: a test compares the two.

/** `GET /admin/tree`: every org. */
export type AdminTree = {
  /** Facts that call for an action of the operator; only with `days`. */
  attention?: Array<Attention> | null;
  /** In the order of creation. */
  orgs: Array<OrgSummary>;
};

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

/** `all`. */
export type AllSessions = "all";

/** `POST /workspaces/{id}/skills/{name}/approve`. */
export type ApproveSkill = {
  /** The draft that was looked at; a newer one is refused. */
  version?: number | null;
};

/** A fact that calls for an action. */
export type Attention = {
  /** The fact as a sentence. */
  detail: string;
  kind: AttentionKind;
  /** The org concerned; absent for the server as a whole. */
  org_id?: string | null;
};

export type AttentionKind = "embedder_failing" | "reranker_failing" | "disk_full" | "runs_timed_out";

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

/** `POST /admin/providers/{name}/promote` and `…/demote`. */
export type ChangeProvider = {
  /** A surface that the provider shadows. */
  surface: string;
};

/** A statement about a record, compared with the record at the moment of the read. */
export type CheckedClaim = {
  /** The thing that the record describes. */
  entity: string;
  /** Field of the record. */
  field: string;
  record?: RecordField | null;
  status: ClaimStatus;
  /** As the author stated it. */
  value: unknown;
};

/** A statement about a record, such as the price of a product. */
export type Claim = {
  /** The thing that the record describes, such as `sku-4711`. */
  entity: string;
  /** Field of the record, such as `price`. */
  field: string;
  /** A string, a number or a boolean. */
  value: unknown;
};

/** The outcome of the comparison of a claim with its record. */
export type ClaimStatus = "agrees" | "stale" | "unverified";

/**
 * Results that repeat the content of another one: they differ only in case, diacritics, inflection, white space and
 * punctuation without meaning.
 */
export type Collapsed = {
  count: number;
  /** The first 100, in the order of the results. */
  ids: Array<string>;
};

/** A collection of rows. */
export type Collection = {
  /** Bytes of the rows. */
  bytes: number;
  created_at: string;
  /** The column whose value identifies a row. */
  key: string;
  /** Unique in the workspace. */
  name: string;
  /** Number of rows. */
  rows: number;
  /** JSON Schema for rows. */
  schema?: Record<string, unknown> | null;
  /** The column with the time of a row. */
  time?: string | null;
  /** Time of the last change of the settings. */
  updated_at: string;
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

/** Uses without those of floods, and with at most half of the successes from the author's own workspace. */
export type CountedEvidence = {
  failures: number;
  lower_bound: number;
  runs: number;
  sessions: number;
  successes: number;
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

/** `POST /workspaces/{id}/reviews/{rid}`. */
export type DecideReview = {
  decision: ReviewDecision;
  /** One line, at most 500 characters. */
  note?: string | null;
};

/** A review after its decision. */
export type DecidedReview = Review & {
  /** The confidence of the memory, if the decision lowered it. */
  confidence?: number | null;
  /** Credentials in the note that were replaced. */
  redactions?: Array<Redaction>;
};

/** Response to a deletion. */
export type Deleted = {
  /** Always `deleted`. */
  status: DeletedStatus;
};

export type DeletedStatus = "deleted";

/** Reasons of the refused operations. */
export type DenialReasons = {
  delete?: string | null;
  edit?: string | null;
  redact?: string | null;
};

/** A document as a workspace reads it, without its text. */
export type Document = {
  /** The name of the document's author. */
  author?: string | null;
  /** Number of bytes of the text. */
  bytes: number;
  /** Number of characters of the text. */
  chars: number;
  collection?: string | null;
  created_at: string;
  /** Exclusive end of validity. */
  expires_at?: string | null;
  id: string;
  media_type: string;
  metadata?: Record<string, unknown> | null;
  /** Number of passages. */
  passages: number;
  /** Role of the writer, from the token. */
  role: Role;
  scope: Scope;
  /** SHA-256 of the text. */
  sha256: string;
  source_uri?: string | null;
  tags: Array<string>;
  /** Leader of the bound team. */
  team?: string | null;
  title: string;
  updated_at: string;
  /** 1 for a new document, increased by every change. */
  version: number;
  /** The relation through which it is readable. */
  via: Via;
  /** The workspace that wrote it. */
  workspace_id: string;
  /** Current name of that workspace. */
  workspace_name: string;
};

/** A part of the text of a document. */
export type DocumentContent = {
  /** Number of characters of the whole text. */
  chars: number;
  /** For agents, the text is quoted. */
  content: string;
  /** First character of the part. */
  from: number;
  id: string;
  /** Number of characters of the part. */
  length: number;
  /** `from` of the next part; absent at the end of the text. */
  next?: number | null;
  /** The passages that the part contains or begins and ends in. */
  passages: Array<DocumentPassage>;
  title: string;
  version: number;
};

/** The place of a passage in the text of its document. */
export type DocumentPassage = {
  /** Number of characters before it. */
  from: number;
  /** The headings above it, outermost first. */
  heading: Array<string>;
  id: string;
  /** Number of its characters. */
  length: number;
};

/** `POST /workspaces/{id}/skills`. */
export type DraftSkill = {
  /** One line of at most 1,024 characters: what it does and when to use it; by default made of the first procedure. */
  description?: string | null;
  /** 1 to 16 procedures that the workspace can read, in the order of the package. */
  memory_ids: Array<string>;
  /** Lower-case letters, digits and single hyphens, at most 64; by default made of the title of the first procedure. */
  name?: string | null;
  scope?: Scope | null;
  /** Lead of the team, with scope TEAM. */
  team?: string | null;
};

/** State of an embedder since the start of the server. */
export type EmbedderStats = {
  /** Memories embedded. */
  embedded: number;
  /** Failed calls. */
  failed: number;
  /** Error of the last call; absent after a success. */
  failing?: string | null;
  /** The folder of the model, or the endpoint's address and its model. */
  name: string;
  /** Memories that the embedder rejected; keyword search still finds them. */
  refused: number;
  /** Memories in the embedding queue, counted up to 100,000. */
  waiting: number;
};

/** A live entry. */
export type Entry = {
  /** Exclusive end of validity. */
  expires_at?: string | null;
  /** Unique in the workspace. */
  key: string;
  /** Id of the end user concerned. */
  subject?: string | null;
  /** Time of the latest write. */
  updated_at: string;
  /** Any JSON value. */
  value: unknown;
  /** Starts at 1 and increases with every write, also after deletion and expiry. */
  version: number;
};

/** One row of a workspace's activity log. */
export type Episode = {
  /**
   * `a2a_send`, `a2a_receive`, `task_update`, `task_complete`, `tool_call`, `agent_log`, `skill_promotion`,
   * `memory_write`, `error`, or a type from the configuration.
   */
  activity_type: string;
  /** The actor within the workspace. */
  actor?: string | null;
  channel?: string | null;
  /** Its claims, compared with the records. */
  checked_claims?: Array<CheckedClaim> | null;
  /** At most 16 statements about records. */
  claims?: Array<Claim> | null;
  /** Groups related episodes. */
  correlation_id?: string | null;
  /** When it happened: `occurred_at`, or the time of the append. */
  created_at: string;
  /** Duration in milliseconds. */
  duration_ms?: number | null;
  error_detail?: string | null;
  id: string;
  /** Whether the content was redacted; the episode then has only its type, time and corrections. */
  is_redacted?: boolean;
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
  /** Time of the append, if its author declared when it happened. */
  recorded_at?: string | null;
  /** Time of the redaction. */
  redacted_at?: string | null;
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
  /** The latest episode that corrects this one. */
  superseded_by?: string | null;
  /** The episode of the same workspace that this one corrects. */
  supersedes?: string | null;
  /** The target of the activity. */
  target_id?: string | null;
  /** The workspace that owns the log. */
  workspace_id: string;
};

/** `POST /admin/erasures`: erases the data of an end user in an org, or a whole org. */
export type Erase = {
  /** Id of the root workspace. */
  org_id: string;
  /** One line of at most 500 characters, stored in the receipt. */
  reason: string;
  /** Id of the end user, as in the `subject` of memories. Required unless `whole_org` is true. */
  subject?: string | null;
  /** Removes the whole tree and erases its content. */
  whole_org?: boolean;
};

/** Extent of an erasure. */
export type ErasedKind = "subject" | "workspace" | "org";

/** The evidence of the current version of a procedure. */
export type Evidence = {
  /** Whether the counted uses pass the rule. */
  candidate: boolean;
  /** The part of the uses that the rule counts. */
  counted: CountedEvidence;
  failures: number;
  first_at?: string | null;
  /** Earlier versions with uses, newest first. */
  history: Array<VersionEvidence>;
  last_at?: string | null;
  /** Of the success rate, with a confidence of 95 % (Wilson). */
  lower_bound: number;
  memory_id: string;
  /** What the rule misses. */
  missing: Array<string>;
  /** The notes of reports about the current version, oldest first; only for viewers, operators and admins. */
  notes?: Array<UseNote>;
  /** Runs that read it and have not ended. */
  open: number;
  /** The last 100 uses with an outcome, oldest first. */
  recent: Array<UsePoint>;
  /** Distinct runs with an outcome. */
  runs: number;
  sessions: number;
  successes: number;
  /** Uses with an outcome. */
  uses: number;
  version: number;
  workspaces: number;
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

/** `POST /workspaces/{id}/runs/{rid}/finish`. */
export type FinishRun = {
  status: RunEnding;
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

/** A grant. */
export type Grant = {
  created_at: string;
  /** What the end user agreed to. */
  evidence: string;
  expires_at?: string | null;
  /** Name of the token that gave it. */
  granted_by: string;
  id: string;
  /** The sessions that may be read. */
  sessions: GrantedSessions;
  /** The end user who agreed. */
  subject: string;
  /** Who may read. */
  to: GrantReader;
  /** The author of the memories that may be read. */
  workspace_id: string;
};

/** Who may read under a grant: a session, a workspace, or a session of a workspace. */
export type GrantReader = {
  /** The only session that may read; any session of the end user if absent. */
  session?: string | null;
  /** The workspace that may read: the workspace of the path (default), or one that reads its memories. */
  workspace?: string | null;
};

/** `all`, or 1 to 100 ids of sessions. */
export type GrantedSessions = AllSessions | Array<string>;

/** `GET /healthz` and `GET /readyz`. */
export type Health = {
  status: HealthStatus;
};

export type HealthStatus = "ok";

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

/** `POST /workspaces/{id}/tokens`. */
export type IssueToken = {
  /** Only for agents: the end user that the token is bound to. It reads and writes for that user, and can name no other. */
  end_user?: string | null;
  /** Lifetime in seconds, at most one year; by default 24 hours for agents and 12 hours for people. */
  expires_in?: number | null;
  role: Role;
  /** Only for agents: the session that the token is bound to. */
  session_id?: string | null;
  /** Name in the audit log, at most 256 bytes; by default `<role>:<workspace name>`, truncated. */
  subject?: string | null;
};

/** A new token. No later response contains the token itself. */
export type IssuedToken = {
  /** The end user that the token is bound to. */
  end_user?: string | null;
  /** Exclusive end of validity. */
  expires_at: string;
  /** Id of the token, for revocation. */
  jti: string;
  role: Role;
  /** The session that the token is bound to. */
  session_id?: string | null;
  /** Name in the audit log. */
  subject: string;
  token: string;
  workspace_id?: string | null;
};

/** The type of an item of a search. */
export type ItemType = "memory" | "passage" | "page";

/** `GET /me`: the caller's identity and permissions. */
export type Me = {
  /** The end user that the token is bound to. */
  end_user?: string | null;
  /** Exclusive end of the token's validity. */
  expires_at: string;
  /** Id of the token. */
  jti: string;
  /** Names of the permissions in the bound workspace; for an admin, anywhere. */
  may: Array<string>;
  org_id?: string | null;
  role: Role;
  /** The session that the token is bound to. */
  session_id?: string | null;
  /** Name in the audit log. */
  subject: string;
  /** Absent for an admin. */
  workspace_id?: string | null;
  workspace_name?: string | null;
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

/** Number of live memories of one author by scope. */
export type MemoryCounts = {
  global: number;
  local: number;
  /** TEAM, of any team. */
  team: number;
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

/** Operations of an org on one day. */
export type OrgDay = {
  /** In UTC. */
  day: string;
  /** Memories committed; a replaced one counts again. */
  memories: number;
  /** Reads of memories by agents: searches, single reads, histories and context blocks. */
  reads_by_agents: number;
  /** The same by people. */
  reads_by_people: number;
  /** Changes of any kind, commits included. */
  writes: number;
};

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

/** Summary of one org. */
export type OrgSummary = {
  /** Operations by day, the oldest first, with a row for every day; only with `days`. */
  activity?: Array<OrgDay> | null;
  /** Creation time of the root. */
  created_at: string;
  /** Number of live memories by scope. */
  memories: MemoryCounts;
  /** Name of the root workspace. */
  name: string;
  /** Id of the root workspace. */
  org_id: string;
  /** Number of live workspaces. */
  workspaces: number;
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

/** Why a page is in the working set or not. */
export type PageCause = "included" | "gate" | "budget" | "tier" | "subject" | "stale" | "unverified" | "excluded";

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

/** The place of a page in the working set. */
export type PageExplanation = {
  cause: PageCause;
  confidence: number;
  /** Pages below this confidence are not in the working set. */
  gate: number;
  in_working_set: boolean;
  page_id: string;
  parts: PageConfidence;
  /** The cause as a sentence. */
  reason: string;
};

/** The episodes that a page was made of, oldest first. */
export type PageSources = {
  page_id: string;
  sources: Array<Episode>;
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

/** One ancestor. */
export type PathStep = {
  id: string;
  name: string;
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

/** What happened to the fact of a group in a dry run. */
export type PlannedFact = {
  /** `inserted`, `updated` or `rolled_back`. */
  change: string;
  /** Absent for a fact that would go. */
  confidence?: number | null;
  /** The values of the dimensions. */
  dimensions: Array<string>;
  /** The number of rows. */
  rows: number;
  /** The wording, or the reason why the fact would go. */
  text: string;
};

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

/** A processor of a workspace, or a built-in definition that it can activate. */
export type Processor = {
  /** Whether it runs; a built-in definition runs once it is activated. */
  active: boolean;
  /** The collection whose rows it reads. */
  collection: string;
  /** The definition. */
  definition: Record<string, unknown>;
  /** The start of the last run. */
  last_run_at?: string | null;
  /** Unique in the workspace. */
  name: string;
  /** The next scheduled run; in the past if it was missed. */
  next_run_at?: string | null;
  /** 1 for a new processor; incremented by each change of the definition; 0 for one that is not active. */
  revision: number;
};

/** A run of a processor. */
export type ProcessorRun = {
  /** The limit that ended the run; the next run continues. */
  capped?: string | null;
  cause: RunCause;
  /** Facts whose text was cut to `max_fact_length`. */
  cut_texts: number;
  dry_run: boolean;
  /** Milliseconds. */
  duration_ms: number;
  /** Why the run ended early. */
  error?: string | null;
  /** The first 20 changes of a dry run. */
  facts?: Array<PlannedFact>;
  /** Rows of them that belong to a group. */
  grouped: number;
  /** Absent for a dry run. */
  id?: string | null;
  /** New facts. */
  inserted: number;
  /** Rows that were read. */
  read: number;
  /** Facts that were superseded, because too few rows remain. */
  rolled_back: number;
  started_at: string;
  /** Touched groups whose fact remained as it was. */
  untouched: number;
  /** New versions of facts. */
  updated: number;
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

/** What was observed on one surface. */
export type ProviderFigures = {
  /** The lower one of `overlap` and `rank_agreement`. */
  agreement: number;
  /** Calls. */
  calls: number;
  /** The part of the calls without a usable response, from 0 to 1. */
  error_rate: number;
  /** Calls without a usable response. */
  errors: number;
  /** The largest latency of a call in milliseconds. */
  latency_max_ms: number;
  /** The mean latency of a call in milliseconds. */
  latency_mean_ms: number;
  /** Results of the built-in provider that it did not return. */
  misses: number;
  /** The mean part of the first ten results that both have, from 0 to 1. */
  overlap: number;
  /** The mean part of pairs of common results in the same order, from 0 to 1. */
  rank_agreement: number;
  /** Calls that it refused, among the errors. */
  refusals: number;
  /** Compared queries. */
  samples: number;
  /** Results that were removed or excluded since they were sent. */
  withheld: number;
};

/** `GET /admin/providers`. */
export type ProviderList = {
  /** The providers of the settings, the built-in one first. */
  providers: Array<ProviderReport>;
};

/** What waits for a provider, in all orgs. */
export type ProviderOutbox = {
  bytes: number;
  /** What was dropped because an outbox was full or a query too old. */
  dropped: number;
  rows: number;
};

/** A provider with its figures. */
export type ProviderReport = {
  /** What it says it can do. */
  capabilities?: Array<string>;
  /** Why it does not answer. */
  error?: string | null;
  /** The name in the settings; `built_in` for the built-in provider. */
  name: string;
  /** What waits for it. */
  outbox: ProviderOutbox;
  /** The surfaces that it shadows. */
  surfaces: Array<ProviderSurface>;
  thresholds?: ProviderThresholds | null;
  /** The version that it reports; absent if it does not answer. */
  version?: string | null;
};

/** The state of a provider on one surface. */
export type ProviderState = "shadow" | "promoted" | "disqualified";

/** A provider on one surface. */
export type ProviderSurface = {
  /** The last change of the state; absent before the first observation. */
  changed_at?: string | null;
  figures: ProviderFigures;
  /** Why a promotion would be refused now; absent where it would not. */
  refusal?: string | null;
  state: ProviderState;
  /** A value of `channel`. */
  surface: string;
};

/** The requirements of a promotion. */
export type ProviderThresholds = {
  /** From 0 to 1. */
  max_error_rate: number;
  /** From 0 to 1. */
  min_agreement: number;
  min_samples: number;
};

/** `POST /workspaces/{id}/memory`: writes one entry. */
export type PutEntry = {
  /** Write only if the entry has this version; 0 means that it must not exist. */
  if_match_version?: number | null;
  /** 1 to 256 bytes. */
  key: string;
  /** Id of the end user concerned; an erasure of this user deletes the entry. */
  subject?: string | null;
  /** Lifetime in seconds; without it the entry does not expire. */
  ttl_seconds?: number | null;
  /** Any JSON value up to 256 KiB. Required; `null` is a value. */
  value: unknown;
};

/** Response to a write of an entry. */
export type PutEntryResponse = {
  /** Key of the entry. */
  key: string;
  /** Credentials replaced before storage. */
  redactions?: Array<Redaction>;
  /** Always `ok`. */
  status: PutStatus;
  /** New version. */
  version: number;
};

export type PutStatus = "ok";

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

/** The current value of a field. */
export type RecordField = {
  /** The instant at which the value held. */
  as_of: string;
  /** The system that the value comes from. */
  source: string;
  /** Unit of the value. */
  unit?: string | null;
  value: unknown;
};

/** `POST …/memories/redact`: up to 500 memories. */
export type RedactMemories = {
  /** Each is redacted or refused independently. */
  memories: Array<string>;
  /** One line of at most 500 characters. */
  reason: string;
};

/** `POST …/memories/{mid}/redact`. */
export type RedactMemory = {
  /** One line of at most 500 characters. It is stored, so it must not repeat the content. */
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

/** A credential that was replaced before storage. */
export type Redaction = {
  /** Number of occurrences. */
  count: number;
  /** Path of the field. */
  field: string;
  /** Kind of credential; `[REDACTED:<KIND>]` replaces it. */
  kind: string;
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

/** A team, relative to the author. */
export type RelativeTeam = "self" | "parent";

/** The effect of a reranker on a search result. */
export type Reranked = {
  /** Position among all results before reranking, from 1. */
  from_rank: number;
  /** Score of the reranker, on its own scale; absent on later pages. */
  score?: number | null;
};

/** State of a reranker since the start of the server. */
export type RerankerStats = {
  /** Calls that failed or were late; their searches were not reranked. */
  failed: number;
  /** Error of the last call; absent after a success. */
  failing?: string | null;
  /** The folder of the model, or the endpoint's address and its model. */
  name: string;
  /** Calls that returned scores. */
  succeeded: number;
};

/** `POST …/memories/{mid}/restore`: writes the content of an earlier version as a new version. */
export type RestoreMemory = {
  /** Number of the version in the history. */
  version: number;
};

/** Limits of storage; absent limits are unlimited. */
export type Retention = {
  /** Maximum time in seconds since the latest write. */
  max_age_seconds?: number | null;
  /** Maximum number of memories, pinned ones and the newest first; at most 1000000. */
  max_entries?: number | null;
};

/** A difference between a claim and a record. */
export type Review = {
  /** The claim and the value of the record when a read first found the difference. */
  claim: CheckedClaim;
  /** Time of the read that first found the difference. */
  created_at: string;
  decided_at?: string | null;
  /** Name of the token that decided. */
  decided_by?: string | null;
  id: string;
  item_id: string;
  item_kind: ReviewedKind;
  /** 1 for an episode. */
  item_version: number;
  note?: string | null;
  /** What the caller can do about the item. */
  remedies: Array<ReviewRemedy>;
  status: ReviewStatus;
  /** The author of the item. */
  workspace_id: string;
};

/** The decision of a person. */
export type ReviewDecision = "record_wins" | "memory_was_right" | "dismissed";

/** What a caller can do about the item of a review. */
export type ReviewRemedy = "edit" | "redact";

/** The state of a review. */
export type ReviewStatus = "open" | "record_wins" | "memory_was_right" | "dismissed";

/** The kind of an item with claims. */
export type ReviewedKind = "memory" | "episode";

/** Dry run of the revocation of all tokens of a workspace. */
export type RevocationPreview = {
  /** Always true. */
  dry_run: boolean;
  /**
   * Open event streams of the workspace's tokens on the responding server, whoever signed them; a revocation closes
   * them.
   */
  streams: number;
  /**
   * Number of valid tokens issued by this server that would be refused. Tokens signed by a platform would be refused
   * too but are not counted.
   */
  tokens: number;
};

/** Role of a token. */
export type Role = "source" | "agent" | "viewer" | "operator" | "admin";

/** A row of a collection. */
export type Row = {
  /** When a processor read it last; absent since its last change. */
  extracted_at?: string | null;
  /** Unique in the collection. */
  key: string;
  /** The instant in the column of the time. */
  time?: string | null;
  /** Time of the last change. */
  updated_at: string;
  /** All columns. */
  values: Record<string, unknown>;
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

/** Why a run began. */
export type RunCause = "schedule" | "request";

/** A run and its pending memories. */
export type RunDetail = Run & {
  /** One page, in the order of writing. No other read returns them. */
  pending: Array<PendingMemory>;
};

/** Final state of a run. */
export type RunEnding = "completed" | "failed" | "cancelled";

/** State of a run. */
export type RunStatus = "open" | "completed" | "failed" | "cancelled" | "timed_out";

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

/** `GET /admin/stats`. */
export type ServerStats = {
  embedder?: EmbedderStats | null;
  /** Number of live entries. */
  entries: number;
  /** Number of episodes. */
  episodes: number;
  /** Number of live memories by scope. */
  memories: MemoryCounts;
  /** Number of orgs with a live root. */
  orgs: number;
  reranker?: RerankerStats | null;
  /** Size of the database in bytes. */
  size_bytes: number;
  /** Start time of this server. */
  started_at: string;
  /** `sqlite` or `postgresql`. */
  store: string;
  /** Version of the server. */
  version: string;
  /** Number of live workspaces. */
  workspaces: number;
};

/** One episode or memory. */
export type SessionHit = {
  /** What it states about records, compared with them. */
  claims?: Array<CheckedClaim> | null;
  /** The summary, or the memory's content. */
  content: string;
  created_at: string;
  id: string;
  kind: SessionHitKind;
  /** The activity type, or the memory's scope. */
  label: string;
  /** The memory's kind. */
  memory_kind?: string | null;
  /** The method called; empty if there is none. */
  method: string;
  /** Any JSON value. */
  request_body?: unknown;
  /** Any JSON value. */
  response_body?: unknown;
  /** Run that wrote the memory. */
  run_id?: string | null;
  session_id?: string | null;
  /** Empty if there is none. */
  status: string;
  /** The latest episode that corrects this one. */
  superseded_by?: string | null;
  /** The memory or other item that the episode is about. */
  target_id?: string | null;
  workspace_id: string;
};

/** Type of a row. */
export type SessionHitKind = "activity" | "memory";

/** Whether the memories of end users, or of sessions, are read together. */
export type Sharing = "open" | "separate";

/** A skill, or a candidate for one. */
export type Skill = {
  active_version?: number | null;
  approved_at?: string | null;
  approved_by?: string | null;
  /** What it does and when to use it; quoted where another workspace wrote it. */
  description: string;
  /** The version that waits for an approval; only for the skill's own workspace. */
  draft_version?: number | null;
  evidence?: CountedEvidence | null;
  /** Whether its evidence fell. */
  failing: boolean;
  /** SHA-256 of the package. */
  hash?: string | null;
  /** Absent for a candidate. */
  id?: string | null;
  /** Also the folder of the package. Of a candidate, the suggested name; empty if its title gives none. */
  name: string;
  /** Credentials that were replaced in the description of a draft. */
  redactions?: Array<Redaction>;
  scope: Scope;
  sources: Array<SkillSource>;
  status: SkillStatus;
  team?: string | null;
  updated_at?: string | null;
  /** The version that the other fields describe. */
  version?: number | null;
  via?: Via | null;
  /** Why it was withdrawn: `source_removed`, `source_superseded`, `failing` or `operator`. */
  withdrawn_because?: string | null;
  workspace_id: string;
  workspace_name: string;
};

/** Who approves drafts. */
export type SkillApproval = "operator" | "auto";

/** A skill with its package. */
export type SkillDetail = Skill & {
  files: Array<SkillFile>;
  /** Workspaces of the subtree that used this version; only for viewers, operators and admins. */
  used_by?: Array<SkillUser>;
  /** Newest first; only for the skill's own workspace. */
  versions?: Array<SkillVersion>;
};

/** The difference of two versions of a skill. */
export type SkillDiff = {
  /** For each changed file, its lines with `+`, `-` or a space before them. */
  diff: string;
  from: number;
  to: number;
};

/** A file of a package. */
export type SkillFile = {
  path: string;
  text: string;
};

/** The rule of an org: `GET` and `PUT /workspaces/{root}/skill-rule`. A `PUT` sets absent fields to their defaults. */
export type SkillRule = {
  /** Who approves; an operator by default. */
  approval?: SkillApproval;
  /** A skill whose lower bound is below this is failing; 0.3 by default. */
  failing_below?: number;
  /** The last uses that decide about it; 20 by default. */
  failing_uses?: number;
  /** Least lower bound of the success rate; 0.5 by default. */
  lower_bound?: number;
  /** Part of the successes that the author's own workspace may supply, in percent; 50 by default. */
  own_percent?: number;
  /** Distinct runs among them; 5 by default. */
  runs?: number;
  /** Distinct sessions among them; 2 by default. */
  sessions?: number;
  /** Successes of a candidate; 5 by default. */
  successes?: number;
  /** Whether a failing skill is withdrawn; not by default. */
  withdraw_failing?: boolean;
};

/** A version of a procedure in a skill. */
export type SkillSource = {
  memory_id: string;
  version: number;
};

/** The status of a skill. */
export type SkillStatus = "candidate" | "draft" | "active" | "withdrawn";

/** A workspace that used the procedures of a skill. */
export type SkillUser = {
  last_at: string;
  uses: number;
  workspace_id: string;
  workspace_name: string;
};

/** A version of a skill. */
export type SkillVersion = {
  approved_at?: string | null;
  approved_by?: string | null;
  drafted_at: string;
  drafted_by: string;
  sources: Array<SkillSource>;
  version: number;
};

/** Origin of a memory. */
export type Source = "agent" | "user" | "tool" | "eval" | "manual" | "runtime" | "processor";

/** Order of the memories in the context block. */
export type Strategy = "confidence" | "recent" | "relevance" | "off";

/** How much text of a page is read. */
export type Tier = "hot" | "warm" | "cold";

/** An issued token, without the token itself. */
export type TokenInfo = {
  /** The end user that the token is bound to; `[erased]` after the erasure of the end user. */
  end_user?: string | null;
  /** Exclusive end of validity. */
  expires_at: string;
  issued_at: string;
  /** Id of the token, for revocation. */
  jti: string;
  /**
   * Last use in the audit log; absent if never used. Calls without an audit row, such as `GET /me` and refused ones,
   * do not count.
   */
  last_used_at?: string | null;
  /** Time of the revocation. */
  revoked_at?: string | null;
  role: Role;
  /** The session that the token is bound to. */
  session_id?: string | null;
  /** Open event streams of this token on the responding server; a revocation closes them. */
  streams: number;
  /** Name in the audit log. */
  subject: string;
};

/** A redacted memory, for readers that could read it. */
export type Tombstone = {
  /** Always `[redacted]`. */
  content: string;
  id: string;
  /** Always true. */
  is_redacted: boolean;
  redacted_at: string;
  scope: Scope;
  /** Leader of the bound team. */
  team?: string | null;
  /** The version after the redaction, also the `ETag`. */
  version: number;
  /** Why it is in reach. */
  via: Via;
  /** The author. */
  workspace_id: string;
  /** Current name of the author. */
  workspace_name: string;
};

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

export type UseNote = {
  at: string;
  note: string;
  outcome?: UseOutcome | null;
  workspace_id: string;
};

/** How a use of a procedure ended. */
export type UseOutcome = "success" | "failure";

export type UsePoint = {
  at: string;
  outcome: UseOutcome;
};

/** `GET /version`. */
export type Version = {
  /** Always `orgmem`. */
  name: string;
  version: string;
};

/** The evidence of an earlier version. */
export type VersionEvidence = {
  failures: number;
  lower_bound: number;
  successes: number;
  uses: number;
  version: number;
};

/** How a memory is in reach; the JSON field `via`. */
export type Via = "self" | "parent" | "child" | "sibling" | "org";

/** A page in a context block, and its episodes. */
export type WorkingPage = {
  page: Page;
  /** Ids of the episodes, oldest first. */
  sources: Array<string>;
};

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
