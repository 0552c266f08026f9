// Written by types.mjs from /openapi.json. Not edited by hand: a test compares the two.

/** One row of the access log. It holds hashes of content, never content. */
export type AccessRow = {
  /** What was done: `commit_memory`, `search_memories`, `move_workspace`, … */
  action: string;
  /** When it was done. */
  at: string;
  /** SHA-256 of the content that was written or taken away, in hexadecimal digits. */
  content_hash?: string | null;
  /** What else there is to know: the id of the request, counts, the hash of a key. */
  context: Record<string, unknown>;
  /** Which memories were read or written, in which versions. */
  memories: Array<AccessedMemory>;
  /** In which role. */
  role: Role;
  /** In which run. */
  run_id?: string | null;
  /** Whether it is part of the chain already. */
  sealed: boolean;
  /** Its number in the log of the org; rows are counted in the order of their commits. */
  seq: number;
  /** Who did it: the `sub` of the token. */
  subject: string;
  /** The id of the token; absent for what the server did itself. */
  token_id?: string | null;
  /** As which workspace it was done, or to which; nil for the server as a whole. */
  workspace_id: string;
};

/** A memory that a row is about. */
export type AccessedMemory = {
  /** The memory. */
  id: string;
  /** Its version; 0 where it is not known. */
  version: number;
};

/** `GET /admin/tree`: every org. */
export type AdminTree = {
  /** By creation. */
  orgs: Array<OrgSummary>;
};

/** What a workspace would gain and lose of one author. */
export type AffectedAuthor = {
  /** What would be gained of it, by scope. */
  gains: MemoryCounts;
  /** What would be lost of it, by scope. */
  loses: MemoryCounts;
  /** Its name. */
  name: string;
  /** The author. */
  workspace_id: string;
};

/** What one workspace would gain and lose: live memories that it could read from then on, or could no more. */
export type AffectedWorkspace = {
  /** By author, those with the most first. */
  authors: Array<AffectedAuthor>;
  /** What it would gain, by scope. */
  gains: MemoryCounts;
  /** Memories of its own that others read now and that it alone would read. */
  left_alone: Array<LeftAlone>;
  /** What it would lose, by scope. */
  loses: MemoryCounts;
  /** How many more authors there are. */
  more_authors: number;
  /** Its name. */
  name: string;
  /** Whether it would be removed, so that it loses all that it could read. */
  removed: boolean;
  /** The same in one sentence. */
  summary: string;
  /** The workspace. */
  workspace_id: string;
};

/** What the caller may do to a memory, acting as the workspace that it reads as. */
export type Can = {
  /** Delete it. */
  delete: boolean;
  /** Edit it. */
  edit: boolean;
  /** Redact it. */
  redact: boolean;
  /** Why not, where not. */
  why_not?: WhyNot;
};

/** `POST /workspaces/{id}/memories`: one memory to commit. */
export type CommitMemory = {
  /** 0 to 1; 0.5 when not given. */
  confidence?: number | null;
  /** What to remember; not blank, at most 64 KiB. */
  content: string;
  /** From this instant on it is absent. */
  expires_at?: string | null;
  /** An id of the caller's choice: the same id again replaces the memory, never a second row. */
  id?: string | null;
  /** `fact` (when not given), `summary`, `checkpoint`, or another lower-case word of at most 32 characters. */
  kind?: string | null;
  /** Any object. */
  metadata?: Record<string, unknown> | null;
  /** A label to file by, at most 50 characters; `general` when not given. */
  namespace?: string | null;
  /** Listed before the others; at most 20 per author. */
  pin?: boolean;
  /** The profile of the workspace that it belongs to; the default one when not given. */
  profile_id?: string | null;
  /**
   * The run it belongs to. An open gated run of the workspace holds it back until it ends well; one that is over
   * refuses it; any other id only says where the memory comes from.
   */
  run_id?: string | null;
  /** How far it is shared. */
  scope: Scope;
  /** The session it was made in. */
  session_id?: string | null;
  source?: Source | null;
  /** The id of the end user it is about. */
  subject?: string | null;
  /** An own memory that this one replaces in every read. */
  supersedes?: string | null;
  /** At most 32. */
  tags?: Array<string>;
  /** With TEAM alone: the author or its parent, whose team it is bound to. */
  team?: string | null;
  /** The same in seconds from now; one of the two. */
  ttl_seconds?: number | null;
};

/** The answer to a commit. */
export type CommittedMemory = {
  /** When it was first committed. */
  created_at: string;
  /** From this instant on it is absent. */
  expires_at?: string | null;
  /** Its id. */
  id: string;
  /** Its kind. */
  kind: string;
  /** Where it is filed. */
  namespace: string;
  /** Whether it waits for that run to end well: until then nobody reads it. */
  pending?: boolean;
  /** What was replaced before it was stored. */
  redactions: Array<Redaction>;
  /** The run that it belongs to. */
  run_id?: string | null;
  /** Its scope. */
  scope: Scope;
  /** The team it is bound to. */
  team?: string | null;
  /** 1 for a new memory, one more for each change; 0 while it is pending. */
  version: number;
};

/** The block, and what is in it. */
export type Context = {
  /** The text to put before the prompt; empty when nothing is in it. What others wrote is quoted in it, whoever asks. */
  block: string;
  /** The memories in it, in its order. */
  entries: Array<Memory>;
  /**
   * What would have come next, and why it is not in it: at most 50, best first. Of memories that the workspace does
   * not read, it is told to those alone whose role covers their author.
   */
  left_out: Array<LeftOut>;
  /** The profile whose injection was used. */
  profile_id: string;
  /** In which order memories were picked. */
  strategy: Strategy;
  /** How many tokens the block has: one for every four bytes of UTF-8. */
  tokens: number;
};

/** `POST /workspaces/{id}/profiles`. */
export type CreateProfile = {
  /** Kinds that the workspace neither commits nor recalls; at most 32. */
  excluded_kinds?: Array<string>;
  /** What goes into the block of `POST …/context`. */
  injection?: Injection;
  /** Whether it takes the place of the default profile. */
  is_default?: boolean;
  /** How far the workspace reads. */
  isolation?: Isolation;
  /** What it is called: one line of at most 50 characters, unique in the workspace. */
  name: string;
  /** What is kept. */
  retention?: Retention;
  /** Memories that it begins with, written once: as they would be committed, LOCAL where no scope is said. At most 100. */
  seed_entries?: Array<CommitMemory>;
};

/** `POST /workspaces`: without `parent_id` a new root, which is an admin's to make. */
export type CreateWorkspace = {
  /** An id of the caller's choice, unique across the server. */
  id?: string | null;
  /** Any object. */
  metadata?: Record<string, unknown> | null;
  /** 1 to 200 characters. */
  name: string;
  /** The workspace it will be a child of. */
  parent_id?: string | null;
  /** What the agent does, in a word. */
  role?: string | null;
};

/** The answer to a deletion. */
export type Deleted = {
  /** Always `deleted`. */
  status: DeletedStatus;
};

/** The one word of [`Deleted`]. */
export type DeletedStatus = "deleted";

/** An embedder, and how it fares since the server is up. */
export type EmbedderStats = {
  /** Memories that were embedded. */
  embedded: number;
  /** Calls that failed. */
  failed: number;
  /** Why the last call failed; absent when it did not. */
  failing?: string | null;
  /** The folder of the model, or the address of the endpoint and the model there. */
  name: string;
  /** Memories that it could make nothing of; they are found by their words. */
  refused: number;
  /** Memories that wait to be embedded, counted up to 100,000. */
  waiting: number;
};

/** One live entry. */
export type Entry = {
  /** From this instant on it is absent. */
  expires_at?: string | null;
  /** Its key. */
  key: string;
  /** When it was last written. */
  updated_at: string;
  /** Any JSON. */
  value: unknown;
  /** Starts at 1 and only grows, also over deletion and expiry. */
  version: number;
};

/** What kind of thing was erased. */
export type ErasedKind = "subject" | "workspace" | "org";

/** Why a search gives a memory where it does. */
export type Explanation = {
  /** What its score is made of: the values add up to it. Empty where nothing was searched for, and nothing scored. */
  parts: Array<ScorePart>;
  /** Where it stands among all that is found, from 1. */
  rank: number;
};

/** `POST /workspaces/{id}/runs/{rid}/finish`. */
export type FinishRun = {
  /** How it ended. */
  status: RunEnding;
};

/** `GET /healthz` and `GET /readyz`: all is well. */
export type Health = {
  /** Always `ok`. */
  status: HealthStatus;
};

/** The one word of [`Health`]. */
export type HealthStatus = "ok";

/** What an import did, or with `dry_run` would do. */
export type ImportAnswer = {
  /** Whether nothing was changed. */
  dry_run: boolean;
  /** Entries put. */
  entries_put: number;
  /** Episodes appended. */
  episodes_appended: number;
  /** Memories committed. */
  memories_committed: number;
  /** Memories that were there already. */
  memories_kept: number;
  /** The root. */
  org_id: string;
  /**
   * What was replaced in the document before anything of it was stored; the fields are named by their paths in it, such
   * as `children[0].initial_memories[2].content`.
   */
  redactions?: Array<Redaction>;
  /** Workspaces created. */
  workspaces_created: number;
  /** Workspaces that were there already. */
  workspaces_kept: number;
};

/** One episode of an imported workspace. */
export type ImportEpisode = {
  /**
   * `a2a_send`, `a2a_receive`, `task_update`, `agent_log`, `skill_promotion`, `memory_write`, `error`, or one that
   * the deployment configured.
   */
  activity_type: string;
  /** Who acted, within the workspace. */
  actor?: string | null;
  /** Over which channel. */
  channel?: string | null;
  /** What ties it to other episodes. */
  correlation_id?: string | null;
  /** When it happened; now when not given. */
  created_at?: string | null;
  /** How long it took, in milliseconds. */
  duration_ms?: number | null;
  /** What went wrong. */
  error_detail?: string | null;
  /** What kind of thing it is about. */
  kind?: string | null;
  /** Any object. */
  metadata?: Record<string, unknown> | null;
  /** What was called. */
  method?: string | null;
  /** What came of it. */
  outcome?: string | null;
  /** What was sent: any JSON. */
  request_body?: unknown;
  /** What came back: any JSON. */
  response_body?: unknown;
  /** The session it belongs to. */
  session_id?: string | null;
  /** Who did it: the workspace itself, or absent. */
  source_id?: string | null;
  /** How it went. */
  status?: string | null;
  /** One line on what happened. */
  summary?: string | null;
  /** The episode that this one corrects. */
  supersedes?: string | null;
  /** Whom it was done to. */
  target_id?: string | null;
};

/** One memory of an imported workspace. */
export type ImportMemory = {
  /** 0 to 1. */
  confidence?: number | null;
  /** What to remember. */
  content: string;
  /** When it was made; now when not given. */
  created_at?: string | null;
  /** Its kind. */
  kind?: string | null;
  /** Any object. */
  metadata?: Record<string, unknown> | null;
  /** A label to file by. */
  namespace?: string | null;
  /** Listed before the others. */
  pin?: boolean;
  /** How far it is shared. */
  scope: Scope;
  /** The session it was made in. */
  session_id?: string | null;
  source?: Source | null;
  /** The end user it is about. */
  subject?: string | null;
  /** At most 32. */
  tags?: Array<string>;
  team?: TeamOf | null;
  /** Seconds until it is absent. */
  ttl_seconds?: number | null;
};

/** `POST /orgs/import`: a workspace, what it remembers, and those below it. */
export type ImportNode = {
  /** Those below it. */
  children?: Array<ImportNode>;
  /** Its working state. */
  entries?: Array<PutEntry>;
  /** What happened here, oldest first. */
  episodes?: Array<ImportEpisode>;
  /** Its id; decides over the name which workspace it is. */
  id?: string | null;
  /** What it remembers from the start, under the same rules as a commit. */
  initial_memories?: Array<ImportMemory>;
  /** Any object. */
  metadata?: Record<string, unknown> | null;
  /** Its name; among its siblings it is the same workspace when imported again. */
  name: string;
  /** What its agent does. */
  role?: string | null;
};

/** `POST /workspaces/{id}/context`. */
export type InjectContext = {
  /** The profile whose injection is used; the default one when not given. */
  profile_id?: string | null;
  /** What the prompt is about, for the strategy `relevance`; the others do not look at it. */
  query?: string | null;
  /** The session that the prompt is of: what was made in it comes before the rest. */
  session_id?: string | null;
};

/** What goes into the block of `POST …/context`. */
export type Injection = {
  /** How many memories at most, from 1 to 50. */
  limit?: number;
  /** With at least this confidence, from 0 to 1. */
  min_confidence?: number | null;
  /** Of these scopes; of all when empty. */
  scopes?: Array<Scope>;
  /** In which order. */
  strategy?: Strategy;
  /** How many tokens the block has at most, from 1 to 1000000. A token counts as four bytes of UTF-8. */
  token_budget?: number | null;
};

/** How far a workspace reads. It narrows what the tree allows, and never widens it. */
export type Isolation = "tree" | "team" | "isolated";

/** `POST /workspaces/{id}/tokens`. */
export type IssueToken = {
  /** Its lifetime in seconds; an agent's is 24 hours and a person's 12 when not given, at most one year. */
  expires_in?: number | null;
  /** The role of the token. */
  role: Role;
  /** A name for the log, at most 256 bytes; `<role>:<workspace name>`, cut to that, when not given. */
  subject?: string | null;
};

/** A token, told once. */
export type IssuedToken = {
  /** From this instant on it is refused. */
  expires_at: string;
  /** Its id, to revoke it by. */
  jti: string;
  /** Its role. */
  role: Role;
  /** The name for the log. */
  subject: string;
  /** The bearer token. */
  token: string;
  /** The workspace it is bound to. */
  workspace_id?: string | null;
};

/** What is known of a token that was issued here; the token itself is kept nowhere. */
export type KeptToken = {
  /** From this instant on it is refused. */
  expires_at: string;
  /** When it was issued. */
  issued_at: string;
  /** Its id, to revoke it by. */
  jti: string;
  /**
   * When it was last used, as the access log tells it; absent where it never was. What the log does not tell of, such
   * as `GET /me` or what was refused, is no use of it.
   */
  last_used_at?: string | null;
  /** Since when it is refused before its time. */
  revoked_at?: string | null;
  /** Its role. */
  role: Role;
  /** How many event streams are open with it on the server that answers: they end when it is revoked. */
  streams: number;
  /** The name for the log. */
  subject: string;
};

/** Memories that only their author would read: as a rule because they are bound to a team that it leaves. */
export type LeftAlone = {
  /** How many. */
  memories: number;
  /** The workspace that leads the team to which they are bound; absent where they are bound to none. */
  team?: string | null;
  /** Its name. */
  team_name?: string | null;
};

/** A memory that is not in the block. */
export type LeftOut = {
  /** 0 to 1. */
  confidence: number;
  /** How it begins; not for agents. */
  excerpt?: string | null;
  /** Its kind. */
  kind: string;
  /** The memory. */
  memory_id: string;
  /** The same as a sentence. */
  reason: string;
  /** How far it is shared. */
  scope: Scope;
  /** Why it is not in the block. */
  why: LeftOutWhy;
  /** Who wrote it. */
  workspace_id: string;
};

/** Why a memory is not in the block. */
export type LeftOutWhy = "limit" | "budget" | "min_confidence" | "scope" | "isolation" | "kind";

/** `GET /me`: who the caller is, what it is bound to, what it may do. */
export type Me = {
  /** When its token ends. */
  expires_at: string;
  /** The id of its token. */
  jti: string;
  /** What it may do in the workspace it is bound to (an admin: anywhere), by name. */
  may: Array<string>;
  /** The org of that workspace. */
  org_id?: string | null;
  /** Its role. */
  role: Role;
  /** The name for the log. */
  subject: string;
  /** The workspace it is bound to; none for an admin. */
  workspace_id?: string | null;
  /** That workspace's name. */
  workspace_name?: string | null;
};

/** A memory as a workspace reads it. */
export type Memory = {
  can?: Can | null;
  /** 0 to 1. */
  confidence: number;
  /** The text; quoted for agents where others wrote it. */
  content: string;
  /** When it was committed. */
  created_at: string;
  /** From this instant on it is absent. */
  expires_at?: string | null;
  explanation?: Explanation | null;
  /** Its id. */
  id: string;
  /** Its kind. */
  kind: string;
  /** Its metadata. */
  metadata?: Record<string, unknown> | null;
  /** Where it is filed. */
  namespace: string;
  /**
   * With `neighbours`: what was committed just before and after in its session, in that order, of what the workspace
   * can read and whatever the filters say.
   */
  neighbours?: Array<Neighbour> | null;
  /** Whether it is listed before the others. */
  pin: boolean;
  /** The profile of its author that it belongs to; absent: the one that is the default now. */
  profile_id?: string | null;
  /** The role that wrote it, which nobody can claim. */
  role: Role;
  /** The run it belongs to. */
  run_id?: string | null;
  /** How far it is shared. */
  scope: Scope;
  /** How well it matched; higher is better, and only to be compared within one answer. */
  score?: number | null;
  /** The session it was made in. */
  session_id?: string | null;
  /** How near it is to what the query means: the cosine of their vectors, -1 to 1. Only where a vector took part. */
  similarity_score?: number | null;
  /** Where it comes from, as its writer claimed. */
  source: Source;
  /** The end user it is about. */
  subject?: string | null;
  /** The memory it replaced. */
  supersedes?: string | null;
  /** Its tags. */
  tags: Array<string>;
  /** The team it is bound to. */
  team?: string | null;
  /** When it was last changed. */
  updated_at: string;
  /** 1, and one more for each change. */
  version: number;
  /** By which way it is in reach. */
  via: Via;
  /** The workspace that wrote it. */
  workspace_id: string;
  /** That workspace's name now. */
  workspace_name: string;
};

/** How many memories the workspace can read that match. */
export type MemoryCount = {
  /** So many. */
  count: number;
};

/** Live memories of one author, by scope. */
export type MemoryCounts = {
  /** GLOBAL. */
  global: number;
  /** LOCAL. */
  local: number;
  /** TEAM, whichever team. */
  team: number;
};

/** A workspace that got what a memory said. */
export type MemoryReader = {
  /** Its name. */
  name: string;
  /** How often the access log says so. */
  reads: number;
  /** The workspace. */
  workspace_id: string;
};

/** A memory as it was from one change to the next. */
export type MemoryVersion = {
  /** 0 to 1. */
  confidence: number;
  /** The text; quoted for agents where others wrote it. */
  content: string;
  /** Whether it is what the memory says now. */
  current: boolean;
  /** From this instant on it is absent. */
  expires_at?: string | null;
  /** Its kind. */
  kind: string;
  /** Its metadata. */
  metadata?: Record<string, unknown> | null;
  /** Where it was filed. */
  namespace: string;
  /** Whether it was listed before the others. */
  pin: boolean;
  /** The role that wrote it, which nobody can claim. */
  role: Role;
  /** How far it was shared. */
  scope: Scope;
  /** The session it was made in. */
  session_id?: string | null;
  /** Where it came from, as its writer claimed. */
  source: Source;
  /** The end user it was about. */
  subject?: string | null;
  /** Its tags. */
  tags: Array<string>;
  /** The team it was bound to. */
  team?: string | null;
  /** Its number: 1, and one more for each change. */
  version: number;
  /** The workspace that wrote it. */
  workspace_id: string;
  /** That workspace's name now. */
  workspace_name: string;
  /** When it was written. */
  written_at: string;
};

/** A memory that was committed close to another one in the same session. */
export type Neighbour = {
  /** What it says; for agents, what others wrote is quoted. */
  content: string;
  /** When it was committed. */
  created_at: string;
  /** Its id. */
  id: string;
  /** How many memories after the other one; below 0 before it. */
  offset: number;
  /** In which role. */
  role: Role;
  /** Who wrote it. */
  workspace_id: string;
  /** What that workspace is called now. */
  workspace_name: string;
};

/** One org in numbers. */
export type OrgSummary = {
  /** When its root was created. */
  created_at: string;
  /** Live memories by scope. */
  memories: MemoryCounts;
  /** Its root's name. */
  name: string;
  /** Its root's id. */
  org_id: string;
  /** Live workspaces. */
  workspaces: number;
};

/** What goes into the block from now on: what is absent stays, `null` takes the bound away. */
export type PatchInjection = {
  /** How many memories at most. */
  limit?: number;
  /** With at least this confidence. */
  min_confidence?: number | null;
  /** Of these scopes; of all when empty. */
  scopes?: Array<Scope>;
  /** In which order. */
  strategy?: Strategy;
  /** How many tokens the block has at most. */
  token_budget?: number | null;
};

/**
 * `PATCH /workspaces/{id}/memories/{mid}`: what is absent stays; `null` takes away what a memory may be without. Scope
 * and team stay: to share it otherwise, commit it again under its id.
 */
export type PatchMemory = {
  /** 0 to 1. */
  confidence?: number;
  /** A new text; not blank, at most 64 KiB. */
  content?: string;
  /** From this instant on it is absent. */
  expires_at?: string | null;
  /** A new kind. */
  kind?: string;
  /** Metadata in place of what it has. */
  metadata?: Record<string, unknown> | null;
  /** A new label to file it by. */
  namespace?: string;
  /** Whether it is listed before the others; at most 20 per author. */
  pin?: boolean;
  /** The session it was made in. */
  session_id?: string | null;
  /** Where it comes from now. */
  source?: Source;
  /** The id of the end user it is about. */
  subject?: string | null;
  /** Tags in place of those it has. */
  tags?: Array<string>;
  /** The same in seconds from now; one of the two. */
  ttl_seconds?: number;
};

/** `PATCH /workspaces/{id}/profiles/{pid}`: what is absent stays. */
export type PatchProfile = {
  /** Kinds that the workspace neither commits nor recalls, in place of those there were. */
  excluded_kinds?: Array<string>;
  /** What goes into the block of `POST …/context`. */
  injection?: PatchInjection;
  /** `true`: it takes the place of the default profile. */
  is_default?: boolean;
  /** How far the workspace reads. */
  isolation?: Isolation;
  /** Another name. */
  name?: string;
  /** What is kept. */
  retention?: PatchRetention;
};

/** What is kept from now on: what is absent stays, `null` takes the bound away. */
export type PatchRetention = {
  /** So many seconds after it was last written a memory is absent. */
  max_age_seconds?: number | null;
  /** So many memories are kept. */
  max_entries?: number | null;
};

/**
 * `PATCH /workspaces/{id}`: what is absent stays; `null` clears `role` and `metadata`. A `parent_id` of `null` would be a
 * root of its own, which no workspace becomes.
 */
export type PatchWorkspace = {
  /** New metadata, replacing the old. */
  metadata?: Record<string, unknown> | null;
  /** A new name. */
  name?: string;
  /** A new parent: the workspace moves, with all below it. */
  parent_id?: string;
  /** A new role. */
  role?: string | null;
};

/** One ancestor. */
export type PathStep = {
  /** Its id. */
  id: string;
  /** Its name. */
  name: string;
};

/** A memory that waits for its run to end well. */
export type PendingMemory = {
  /** 0 to 1. */
  confidence: number;
  /** What it says; quoted for agents as memories are. */
  content: string;
  /** From this instant on it is absent. */
  expires_at?: string | null;
  /** When it was written. */
  held_at: string;
  /** The id that it will have. */
  id: string;
  /** Its kind. */
  kind: string;
  /** Any object. */
  metadata?: Record<string, unknown> | null;
  /** Where it will be filed. */
  namespace: string;
  /** Whether it will be listed before the others. */
  pin: boolean;
  /** The role that wrote it. */
  role: Role;
  /** How far it will be shared. */
  scope: Scope;
  /** The session it was made in. */
  session_id?: string | null;
  /** Where it comes from. */
  source: Source;
  /** The id of the end user it is about. */
  subject?: string | null;
  /** The own memory that it will replace. */
  supersedes?: string | null;
  /** Labels. */
  tags: Array<string>;
  /** The team that it will be bound to. */
  team?: string | null;
};

/** What went wrong, for a person (`detail`) and for a program (`code`). */
export type Problem = Record<string, unknown> & {
  /** The kind as a stable word. */
  code: ProblemCode;
  /** What happened, why, and what would work. */
  detail: string;
  /** The same sentence as `detail`, for clients that read this name. */
  error: string;
  /** The id of the request, as in `X-Request-Id`. */
  request_id?: string | null;
  /** The HTTP status. */
  status: number;
  /** The kind in a few words. */
  title: string;
  /** A URI that names the kind of problem: `urn:orgmem:problem:<code>`. */
  type: string;
};

/** Every kind of problem. docs/errors.md says who reacts how. */
export type ProblemCode = "bad_request" | "invalid_field" | "invalid_cursor" | "not_configured" | "token_missing" | "token_invalid" | "forbidden" | "scope_forbidden" | "not_found" | "method_not_allowed" | "request_timeout" | "id_taken" | "tree_conflict" | "confirmation_required" | "version_conflict" | "ambiguous" | "nothing_to_supersede" | "too_many_pins" | "run_over" | "run_full" | "kind_excluded" | "profile_named" | "profile_is_default" | "too_many_profiles" | "gone" | "too_large" | "unsupported_media_type" | "idempotency_mismatch" | "busy" | "internal" | "unavailable";

/** A profile of a workspace. */
export type Profile = {
  /** When it was made; absent for a default profile that nobody has changed yet. */
  created_at?: string | null;
  /** Kinds that the workspace neither commits nor recalls. */
  excluded_kinds: Array<string>;
  /** Its id. A default profile that nobody has changed yet has the workspace's. */
  id: string;
  /** What goes into the block of `POST …/context`. */
  injection: Injection;
  /** Whether it is the workspace's default one, which says how far the workspace reads and what it excludes. */
  is_default: boolean;
  /** How far the workspace reads. */
  isolation: Isolation;
  /** What it is called. */
  name: string;
  /** What was replaced in its name, and in the memories that it begins with, before they were stored. */
  redactions?: Array<Redaction>;
  /** What is kept. */
  retention: Retention;
  /** How many memories it began with. */
  seed_count: number;
  /** When it was last changed. */
  updated_at?: string | null;
  /** Whose it is. */
  workspace_id: string;
};

/** What a new profile, or a change of one, would do: to what is kept, and to what its workspace reads. */
export type ProfilePreview = {
  /** Always true: nothing was changed. */
  dry_run: boolean;
  /**
   * How many live memories of the profile would expire with the next sweep, by its retention. There is no way back
   * for them.
   */
  expires: number;
  /** What the workspace would read that it does not read now, by scope. Zero unless the default profile changes. */
  gains: MemoryCounts;
  /** What the workspace reads now and would not, by scope: by isolation or by kind. What expires is not in it. */
  loses: MemoryCounts;
  /** The profile as it would be. */
  profile: Profile;
  /** Of these, those beyond as many as it would keep, the ones it begins with counted. */
  too_many: number;
  /** Of these, those that are older than it would keep any. */
  too_old: number;
};

/** `POST /workspaces/{id}/memory`: puts one entry. */
export type PutEntry = {
  /** Write on this version alone; 0 means "must not exist". */
  if_match_version?: number | null;
  /** 1 to 256 bytes. */
  key: string;
  /** Seconds until it is absent; without it an earlier one is cleared. */
  ttl_seconds?: number | null;
  /** Any JSON up to 256 KiB; a missing value is refused, `null` is a value. */
  value: unknown;
};

/** The answer to a put. */
export type PutEntryAnswer = {
  /** The key. */
  key: string;
  /** What was replaced before it was stored. */
  redactions?: Array<Redaction>;
  /** Always `ok`. */
  status: PutStatus;
  /** Its version now. */
  version: number;
};

/** The one word of [`PutEntryAnswer`]. */
export type PutStatus = "ok";

/** `GET /workspaces/{id}/reach`: whom a workspace reads and who reads it. */
export type ReachAnswer = {
  /** Who can read it now, itself first. */
  read_by: Array<ReachRow>;
  /** Whom it can read now, itself first. */
  reads: Array<ReachRow>;
  /** The workspace. */
  workspace_id: string;
};

/** One workspace at one scope. */
export type ReachRow = {
  /** Its name. */
  name: string;
  /** The sentence. */
  reason: string;
  /** The scope. */
  scope: Scope;
  /** By which way. */
  via: Via;
  /** The other workspace. */
  workspace_id: string;
};

/** The receipt of an erasure: what, how much, when and by whom. Nothing of what was erased is in it. */
export type Receipt = {
  /** The number of the row of the org's access log that tells of it: where it stands in the chain. */
  access_seq?: number | null;
  /** Answers that were kept for `Idempotency-Key`s. */
  answers: number;
  /** Keys. */
  entries: number;
  /** Episodes. */
  episodes: number;
  /** What was erased. */
  erased: ErasedKind;
  /** When. */
  erased_at: string;
  /** By whom, by the name for the log. */
  erased_by: string;
  /** Its id. */
  id: string;
  /** Memories. */
  memories: number;
  /** What still holds the content, and until when. */
  older_backups: string;
  /** The org, by its root. */
  org_id: string;
  /** Why. */
  reason: string;
  /** Of an end user: the SHA-256 of its id, in hexadecimal. */
  subject_sha256?: string | null;
  /** Tokens that were issued here. */
  tokens: number;
  /** Earlier versions of memories. */
  versions: number;
  /** Of a workspace: its id. */
  workspace_id?: string | null;
  /** Workspaces whose content went. */
  workspaces: number;
};

/** `POST …/memories/redact`: up to 500 memories. */
export type RedactMemories = {
  /** Their ids; each is redacted or refused on its own. */
  memories: Array<string>;
  /** Why; one line of at most 500 characters. */
  reason: string;
};

/** `POST …/memories/{mid}/redact`. */
export type RedactMemory = {
  /** Why; one line of at most 500 characters. It is kept, so it must not repeat what is taken out. */
  reason: string;
};

/** What became of a memory that was to be redacted. Nothing of what it said is in it. */
export type RedactedMemory = {
  /** Whether it was redacted before, so that nothing was left to take out. */
  already: boolean;
  /** True where nothing was done: the answer says what would be. */
  dry_run?: boolean;
  /** The memory. */
  id: string;
  /** What still holds the content, and until when. */
  older_backups: string;
  /**
   * The workspaces that got what it said, as far as the caller may see their access logs; those that read it most
   * often first.
   */
  readers?: Array<MemoryReader>;
  /** Whether the access log was not looked through to its beginning, so that there may be more readers and runs. */
  readers_partial?: boolean;
  /** Why. */
  reason: string;
  /** When it was redacted; the first time, where it was redacted before. */
  redacted_at: string;
  /** By whom, by the name for the log. */
  redacted_by: string;
  /** What was replaced in the reason before it was stored. */
  redactions: Array<Redaction>;
  /** The runs in which it was read, as far as the caller may see that. */
  runs?: Array<string>;
  /** How many earlier versions went with it. */
  versions: number;
};

/** Credential-shaped text that was replaced before storing. */
export type Redaction = {
  /** How many times. */
  count: number;
  /** The field it was found in. */
  field: string;
  /** What it looked like; `[REDACTED:<KIND>]` stands in its place. */
  kind: string;
};

/** The answer to the redaction of many, item by item in the order of the request. */
export type RedactionAnswer = {
  /** One for each id of the request. */
  items: Array<RedactionItem>;
  /** How many were redacted, now or before. */
  redacted: number;
  /** How many were refused. */
  refused: number;
};

/** What became of one memory of many. */
export type RedactionItem = {
  /** It is redacted. */
  redacted: RedactedMemory;
} | {
  /** It was refused; the others are not affected. */
  refused: Problem;
};

/** What the author is to the reader. */
export type Relation = "itself" | "parent" | "child" | "sibling" | "ancestor" | "descendant" | "distant";

/** `GET /workspaces/{id}/reach/{other}`: how two workspaces stand to each other. */
export type RelationAnswer = {
  /** The lowest workspace above both (or one of them). */
  common_ancestor: string;
  /** The other. */
  other_id: string;
  /** What the other is to the one. */
  relation: Relation;
  /** Three scopes, both directions; TEAM without a named team. */
  rows: Array<RelationRow>;
  /** The one. */
  workspace_id: string;
};

/** One scope of a relation, in both directions. */
export type RelationRow = {
  /** Whether the other can read the one. */
  read_by: boolean;
  /** Why, or why not. */
  read_by_reason: string;
  /** Whether the one can read the other. */
  reads: boolean;
  /** Why, or why not. */
  reads_reason: string;
  /** The scope. */
  scope: Scope;
};

/** The answer to a removal. */
export type Removed = {
  /** How many workspaces below it were removed with it. */
  cascade_deleted: number;
  erased?: Receipt | null;
  /** How many children moved to its parent. */
  promoted: number;
  /** Always `removed`. */
  status: WorkspaceStatus;
};

/** `POST …/memories/{mid}/restore`: the version whose words are to be the newest again. */
export type RestoreMemory = {
  /** Its number, as the history tells it. */
  version: number;
};

/** What is kept, and for how long. Without either everything is. */
export type Retention = {
  /** So many seconds after it was last written a memory is absent. */
  max_age_seconds?: number | null;
  /** So many memories are kept, pinned ones and then the newest; at most 1000000. */
  max_entries?: number | null;
};

/** What the revocation of all tokens of a workspace would end. */
export type RevocationPreview = {
  /** Always true: nothing was changed. */
  dry_run: boolean;
  /**
   * How many event streams are open with tokens bound to the workspace on the server that answers, whoever signed
   * them: they end.
   */
  streams: number;
  /**
   * How many tokens that were issued here are accepted now and would not be. Those that a platform signs itself are
   * refused too, and known to nobody.
   */
  tokens: number;
};

/** What a token may be used for. */
export type Role = "agent" | "viewer" | "operator" | "admin";

/** A run. */
export type Run = {
  /** How many were dropped: all, where it did not end well; those that had expired, where it did. */
  dropped_count: number;
  /** When it ended. */
  finished_at?: string | null;
  /** What people call it. */
  label?: string | null;
  /** What was replaced in session and label before they were stored. */
  redactions?: Array<Redaction>;
  /** Its id. */
  run_id: string;
  /** The session that it is part of. */
  session_id?: string | null;
  /** When. */
  started_at: string;
  /** Who started it, by the name for the log. */
  started_by: string;
  /** What became of it. */
  status: RunStatus;
  /** From this instant on it has timed out, unless it ends before. */
  times_out_at: string;
  /** The workspace that it runs in. */
  workspace_id: string;
  /** How many memories are pending in it or, once it has completed, were committed. */
  write_count: number;
};

/** A run and what it holds back. */
export type RunDetail = Run & {
  /** What is pending in it, in the order in which it was written: one page. Nobody sees it elsewhere. */
  pending: Array<PendingMemory>;
};

/** How a run ends. */
export type RunEnding = "completed" | "failed" | "cancelled";

/** What became of a run. */
export type RunStatus = "open" | "completed" | "failed" | "cancelled" | "timed_out";

/** How far a memory is shared. */
export type Scope = "LOCAL" | "TEAM" | "GLOBAL";

/** One part of a score. */
export type ScorePart = {
  /** What it comes from. */
  part: ScoredFor;
  /** What it adds; below 0 it holds back. */
  value: number;
};

/** What a part of a score comes from. */
export type ScoredFor = "words" | "pairs" | "meaning" | "voice" | "named_author" | "date" | "before" | "after" | "session" | "recency" | "confidence" | "pin";

/** `GET /admin/stats`. */
export type ServerStats = {
  embedder?: EmbedderStats | null;
  /** Live entries. */
  entries: number;
  /** Episodes. */
  episodes: number;
  /** Live memories by scope. */
  memories: MemoryCounts;
  /** Orgs with a live root. */
  orgs: number;
  /** Size of the database, in bytes. */
  size_bytes: number;
  /** Since when this server is up. */
  started_at: string;
  /** `sqlite` or `postgresql`. */
  store: string;
  /** The server's version. */
  version: string;
  /** Live workspaces. */
  workspaces: number;
};

/** One row of what happened. */
export type SessionHit = {
  /** The summary, or the memory's content. */
  content: string;
  /** When. */
  created_at: string;
  /** Its id. */
  id: string;
  /** Episode or memory. */
  kind: SessionHitKind;
  /** The activity type, or the memory's kind and scope. */
  label: string;
  /** What was called. */
  method?: string | null;
  /** What was sent. */
  request_body?: unknown;
  /** What came back. */
  response_body?: unknown;
  /** The run that a memory was written in. */
  run_id?: string | null;
  /** The session that it belongs to. */
  session_id?: string | null;
  /** How it went. */
  status?: string | null;
  /** The workspace. */
  workspace_id: string;
};

/** What a row is. */
export type SessionHitKind = "activity" | "memory";

/** Who or what a memory comes from. */
export type Source = "agent" | "user" | "tool" | "eval" | "manual" | "runtime" | "processor";

/** In which order memories go into the block of `POST …/context`. */
export type Strategy = "confidence" | "recent" | "relevance" | "off";

/** A team named from where the author stands. */
export type TeamOf = "self" | "parent";

/** A workspace and those below it. */
export type TreeNode = {
  /** How many direct children, shown or not. */
  child_count: number;
  /** Its children by name, as deep as was asked for. */
  children: Array<TreeNode>;
  /** Its id. */
  id: string;
  /** When a memory of its own was last written. */
  last_write_at?: string | null;
  /** Its own live memories, by scope. */
  memories: MemoryCounts;
  /** Its name. */
  name: string;
  /** What its agent does. */
  role?: string | null;
};

/**
 * What a change of the tree would do: what each workspace that it affects would gain and lose. Only what the caller may
 * see is told and counted.
 */
export type TreePreview = {
  /**
   * Those that would gain or lose something: first the one that is moved or removed, then those that get another
   * parent, the parents, those beside them, and what else is removed.
   */
  affected: Array<AffectedWorkspace>;
  /** Always true: nothing was changed. */
  dry_run: boolean;
  erased?: Receipt | null;
  /** How many more stand where something changes and were not looked at. */
  more: number;
  /** How many workspaces would get another parent. */
  moved: number;
  /** How many workspaces would be removed. */
  removed: number;
  /** The workspace that would be moved or removed. */
  workspace_id: string;
};

/** Whether the access log of an org is as it was written. */
export type VerifiedAccess = {
  /** The first thing that is not as it was written. */
  fault?: string | null;
  /** Whether all that was looked at is as it was written. */
  intact: boolean;
  /** The last row that was looked at. */
  last_seq: number;
  /** Where to go on; absent when all was looked at. */
  next?: string | null;
  /** Rows that were looked at and are part of the chain. */
  sealed_rows: number;
  /** Rows that wait to become part of it. */
  waiting_rows: number;
};

/** `GET /version`. */
export type Version = {
  /** Always `orgmem`. */
  name: string;
  /** The release. */
  version: string;
};

/** By which way a memory is in a reader's reach; the wire's `via`. */
export type Via = "self" | "parent" | "child" | "sibling" | "org";

/** Why a memory is found or not, by one workspace and one query. */
export type Why = {
  /** The cause. */
  cause: WhyCause;
  /** How many are found. */
  found?: number | null;
  /** The memory. */
  memory_id: string;
  /** What the score is made of: the values add up to it. */
  parts?: Array<ScorePart>;
  /** At which place of all that is found it stands, from 1. */
  rank?: number | null;
  /** Whether the workspace can read it now. */
  readable: boolean;
  /** The same as a sentence. */
  reason: string;
  /** The run that it waits in. */
  run_id?: string | null;
  /** How well it matches; only to be compared within one answer. */
  score?: number | null;
  /** Since when it is so: when it expired or was redacted. */
  since?: string | null;
  /** The memory that replaces it. */
  superseded_by?: string | null;
  via?: Via | null;
};

/** The one cause for which a memory is found or not. */
export type WhyCause = "found" | "not_found" | "not_readable" | "isolated" | "kind_excluded" | "expired" | "redacted" | "deleted" | "superseded" | "pending";

/** The reasons of what is not allowed. */
export type WhyNot = {
  /** Why it may not be deleted. */
  delete?: string | null;
  /** Why it may not be edited. */
  edit?: string | null;
  /** Why it may not be redacted. */
  redact?: string | null;
};

/** A workspace, with where it stands and what it holds. */
export type Workspace = {
  /** How many direct children. */
  child_count: number;
  /** When it was created. */
  created_at: string;
  /** How many workspaces below it. */
  descendant_count: number;
  /** Its id. */
  id: string;
  /** When a memory of its own was last written. */
  last_write_at?: string | null;
  /** Its own live memories, by scope. */
  memories: MemoryCounts;
  /** Its metadata. */
  metadata?: Record<string, unknown> | null;
  /** Its name. */
  name: string;
  /** The org it is in, by its root. */
  org_id: string;
  /** Its parent; none for a root. */
  parent_id?: string | null;
  /** Its ancestors that the caller may see, the highest first. */
  path: Array<PathStep>;
  /** What was replaced before it was stored; told once, in the answer to the request that brought it. */
  redactions?: Array<Redaction>;
  /** What its agent does. */
  role?: string | null;
  /** Live or removed. */
  status: WorkspaceStatus;
  /** When its row was last changed. */
  updated_at: string;
};

/** Whether a workspace is there. */
export type WorkspaceStatus = "live" | "removed";
