import type { Page } from "./call.js";
import { EventStream, type OrgmemEvent } from "./events.js";
import { type Paging, WorkspaceClient } from "./workspaces.js";
import type {
  AddTurn, AppendEpisode, BatchResponse, CommitMemory, CommittedMemory, Context, CountMemoriesQuery, CreateProfile, Deleted,
  Entry, Episode, InjectContext, ListEpisodesQuery, ListMetadataValuesQuery, ListRunsQuery, LoggedEpisode, Memory, MemoryCount,
  MemoryToolCommand, MemoryToolResult, MemoryVersion, MetadataValue, PatchMemory, PatchProfile, PendingMemory, Profile, ProfilePreview, ProfileSummary, PutEntry,
  PutEntryResponse, ReadMemory, RecallExplanation, RedactedEpisode, RedactedMemory, RedactionEntry,
  RedactionResponse, RestoredMemory, Run, RunDetail, RunEnding, SearchMemoriesQuery, SearchSessionQuery, SessionHit,
  StagedOutput, StartRun, TouchMemory, TouchedMemories, Turn,
} from "./types/index.js";

export type Condition = {
  /** The version that must be current; otherwise the call throws `VersionConflict`. */
  ifMatch?: number;
};

export type WatchOptions = {
  /** The id of an event, to resume after it. */
  lastEventId?: string;
  follow?: boolean;
  /** Also the events of the workspaces below; for people. */
  subtree?: boolean;
  /** Whether events contain memories; `true` by default. */
  memories?: boolean;
};

/**
 * A client of one server. Its methods have the names of the operations in /openapi.json; `previewX` is the dry run of `x`, and
 * `iterX` reads all pages of a list. Calls below `/workspaces/{id}` act on the workspace that the token is bound to, or on
 * another one by `at`.
 */
export class Client extends WorkspaceClient {
  // memories

  /** Commits one memory. The next search finds it, unless it is pending in a run. */
  commitMemory(body: CommitMemory): Promise<CommittedMemory> {
    return this.send({ method: "POST", path: ["memories"], body });
  }

  /** Commits up to 500 memories, each for itself: the response has one item per memory, in their order. */
  commitBatch(memories: Array<CommitMemory>): Promise<BatchResponse> {
    return this.send({ method: "POST", path: ["memories", "batch"], body: { memories } });
  }

  /** The memories that the workspace can read: the best matches of `q` first, or without it the newest. */
  searchMemories(query: SearchMemoriesQuery = {}): Promise<Page<Memory>> {
    return this.page({ method: "GET", path: ["memories"], query });
  }

  /** The rows of all pages of `searchMemories`. */
  iterMemories(query: SearchMemoriesQuery = {}): AsyncGenerator<Memory, void, undefined> {
    return this.rows((cursor) => this.searchMemories(cursor === undefined ? query : { ...query, cursor }));
  }

  /** The number of results of `searchMemories`. */
  countMemories(query: CountMemoriesQuery = {}): Promise<MemoryCount> {
    return this.send({ method: "GET", path: ["memories", "count"], query });
  }

  /** The distinct values of a `member` of the metadata of readable memories, in order, with the number of memories. */
  listMetadataValues(query: ListMetadataValuesQuery): Promise<Page<MetadataValue>> {
    return this.page({ method: "GET", path: ["memories", "values"], query });
  }

  /** The rows of all pages of `listMetadataValues`. */
  iterMetadataValues(query: ListMetadataValuesQuery): AsyncGenerator<MetadataValue, void, undefined> {
    return this.rows((cursor) => this.listMetadataValues(cursor === undefined ? query : { ...query, cursor }));
  }

  /** Sets the end of life of up to 500 own memories without a new version. The response omits those that cannot change. */
  touchMemories(memories: Array<TouchMemory>): Promise<TouchedMemories> {
    return this.send({ method: "POST", path: ["memories", "touch"], body: { memories } });
  }

  /** One memory, or the tombstone of a redacted one. */
  readMemory(id: string): Promise<ReadMemory> {
    return this.send({ method: "GET", path: ["memories", id] });
  }

  /** Changes fields of an own memory; `null` clears a field. A change makes a new version. */
  editMemory(id: string, body: PatchMemory, condition: Condition = {}): Promise<CommittedMemory> {
    return this.send({ method: "PATCH", path: ["memories", id], body, ...condition });
  }

  /** Deletes one memory with its earlier versions. */
  forgetMemory(id: string, condition: Condition = {}): Promise<Deleted> {
    return this.send({ method: "DELETE", path: ["memories", id], ...condition });
  }

  /** The versions of one memory, the current one first. */
  listVersions(id: string, query: Paging = {}): Promise<Page<MemoryVersion>> {
    return this.page({ method: "GET", path: ["memories", id, "history"], query });
  }

  /** The rows of all pages of `listVersions`. */
  iterVersions(id: string, query: Paging = {}): AsyncGenerator<MemoryVersion, void, undefined> {
    return this.rows((cursor) => this.listVersions(id, cursor === undefined ? query : { ...query, cursor }));
  }

  /** Makes an earlier version the newest, as a new version. */
  restoreMemory(id: string, version: number, condition: Condition = {}): Promise<RestoredMemory> {
    return this.send({ method: "POST", path: ["memories", id, "restore"], body: { version }, ...condition });
  }

  /** Removes the content of one memory for good. */
  redactMemory(id: string, reason: string): Promise<RedactedMemory> {
    return this.send({ method: "POST", path: ["memories", id, "redact"], body: { reason } });
  }

  /** What `redactMemory` would remove, and who has read it. */
  previewRedactMemory(id: string, reason: string): Promise<RedactedMemory> {
    return this.send({ method: "POST", path: ["memories", id, "redact"], query: { dry_run: true }, body: { reason } });
  }

  /** Removes the content of up to 500 memories, each for itself. */
  redactMemories(memories: Array<string>, reason: string): Promise<RedactionResponse> {
    return this.send({ method: "POST", path: ["memories", "redact"], body: { memories, reason } });
  }

  /** What `redactMemories` would remove. */
  previewRedactMemories(memories: Array<string>, reason: string): Promise<RedactionResponse> {
    return this.send({ method: "POST", path: ["memories", "redact"], query: { dry_run: true }, body: { memories, reason } });
  }

  /** The redactions in the subtree of the workspace, newest first. */
  listRedactions(query: Paging = {}): Promise<Page<RedactionEntry>> {
    return this.page({ method: "GET", path: ["memories", "redactions"], query });
  }

  /** The rows of all pages of `listRedactions`. */
  iterRedactions(query: Paging = {}): AsyncGenerator<RedactionEntry, void, undefined> {
    return this.rows((cursor) => this.listRedactions(cursor === undefined ? query : { ...query, cursor }));
  }

  /** Why the workspace finds this memory with the query `q`, or does not. */
  explainMemory(id: string, query: { q?: string; collapse?: boolean } = {}): Promise<RecallExplanation> {
    return this.send({ method: "GET", path: ["memories", id, "why"], query });
  }

  // key/value entries

  /** Sets a key. `if_match_version` is the version that must be current; 0 means that the key must not exist. */
  putEntry(body: PutEntry): Promise<PutEntryResponse> {
    return this.send({ method: "POST", path: ["memory"], body });
  }

  /** One entry; `NotFound` when it is absent or expired. */
  readEntry(key: string): Promise<Entry> {
    return this.send({ method: "GET", path: ["memory", key] });
  }

  /** The live entries whose key begins with `prefix`, by key. */
  listEntries(query: Paging & { prefix?: string } = {}): Promise<Page<Entry>> {
    return this.page({ method: "GET", path: ["memory"], query });
  }

  /** The rows of all pages of `listEntries`. */
  iterEntries(query: Paging & { prefix?: string } = {}): AsyncGenerator<Entry, void, undefined> {
    return this.rows((cursor) => this.listEntries(cursor === undefined ? query : { ...query, cursor }));
  }

  /** Deletes a key, whether it exists or not. */
  dropEntry(key: string, condition: Condition = {}): Promise<Deleted> {
    return this.send({ method: "DELETE", path: ["memory", key], ...condition });
  }

  // activity

  /** Appends one episode to the activity log. */
  appendEpisode(body: AppendEpisode): Promise<LoggedEpisode> {
    return this.send({ method: "POST", path: ["activity"], body });
  }

  /** The episodes of the workspace, newest first. */
  listEpisodes(query: ListEpisodesQuery = {}): Promise<Page<Episode>> {
    return this.page({ method: "GET", path: ["activity"], query });
  }

  /** The rows of all pages of `listEpisodes`. */
  iterEpisodes(query: ListEpisodesQuery = {}): AsyncGenerator<Episode, void, undefined> {
    return this.rows((cursor) => this.listEpisodes(cursor === undefined ? query : { ...query, cursor }));
  }

  /** Removes the content of one episode for good. */
  redactEpisode(id: string, reason: string): Promise<RedactedEpisode> {
    return this.send({ method: "POST", path: ["activity", id, "redact"], body: { reason } });
  }

  /** Stores the messages of one turn of a conversation, all or nothing. A language model may extract its facts later. */
  addTurn(body: AddTurn): Promise<Turn> {
    return this.send({ method: "POST", path: ["turns"], body });
  }

  /** What became of a turn: its state, its episodes and the memories with its facts. */
  readTurn(id: string): Promise<Turn> {
    return this.send({ method: "GET", path: ["turns", id] });
  }

  /** Recent episodes and own memories in one list. */
  searchSession(query: SearchSessionQuery = {}): Promise<Page<SessionHit>> {
    return this.page({ method: "GET", path: ["session-search"], query });
  }

  /** The rows of all pages of `searchSession`. */
  iterSession(query: SearchSessionQuery = {}): AsyncGenerator<SessionHit, void, undefined> {
    return this.rows((cursor) => this.searchSession(cursor === undefined ? query : { ...query, cursor }));
  }

  // runs

  /** Starts a run. Memories with its `run_id` stay pending until it completes. */
  startRun(body: StartRun = {}): Promise<Run> {
    return this.send({ method: "POST", path: ["runs"], body });
  }

  /** The runs of the workspace, newest first. */
  listRuns(query: ListRunsQuery = {}): Promise<Page<Run>> {
    return this.page({ method: "GET", path: ["runs"], query });
  }

  /** The rows of all pages of `listRuns`. */
  iterRuns(query: ListRunsQuery = {}): AsyncGenerator<Run, void, undefined> {
    return this.rows((cursor) => this.listRuns(cursor === undefined ? query : { ...query, cursor }));
  }

  /** A run with the first page of its pending memories. */
  readRun(id: string, query: Paging = {}): Promise<RunDetail> {
    return this.send({ method: "GET", path: ["runs", id], query });
  }

  /** The pending memories of a run, in the order of writing: the pages of `readRun`. */
  listPending(id: string, query: Paging = {}): Promise<Page<PendingMemory>> {
    return this.page({ method: "GET", path: ["runs", id], query }, "pending");
  }

  /** The rows of all pages of `listPending`. */
  iterPending(id: string, query: Paging = {}): AsyncGenerator<PendingMemory, void, undefined> {
    return this.rows((cursor) => this.listPending(id, cursor === undefined ? query : { ...query, cursor }));
  }

  /** Stages every item of the `__lf_memory_writes` lists in the output of a node. */
  stageOutput(id: string, body: Record<string, unknown>): Promise<StagedOutput> {
    return this.send({ method: "POST", path: ["runs", id, "outputs"], body });
  }

  /** Ends a run: `completed` commits its pending memories, the others drop them. */
  finishRun(id: string, status: RunEnding): Promise<Run> {
    return this.send({ method: "POST", path: ["runs", id, "finish"], body: { status } });
  }

  // profiles and context

  /** The profiles of the workspace, the default one first. */
  listProfiles(): Promise<Array<Profile>> {
    return this.send({ method: "GET", path: ["profiles"] });
  }

  /** Creates a profile. */
  createProfile(body: CreateProfile): Promise<Profile> {
    return this.send({ method: "POST", path: ["profiles"], body });
  }

  /** The memories that `createProfile` would expire, and those that the workspace would gain and lose. */
  previewCreateProfile(body: CreateProfile): Promise<ProfilePreview> {
    return this.send({ method: "POST", path: ["profiles"], query: { dry_run: true }, body });
  }

  /** One profile. */
  readProfile(id: string): Promise<Profile> {
    return this.send({ method: "GET", path: ["profiles", id] });
  }

  /** Changes a profile; `null` removes a limit. */
  changeProfile(id: string, body: PatchProfile): Promise<Profile> {
    return this.send({ method: "PATCH", path: ["profiles", id], body });
  }

  /** The memories that `changeProfile` would expire, and those that the workspace would gain and lose. */
  previewChangeProfile(id: string, body: PatchProfile): Promise<ProfilePreview> {
    return this.send({ method: "PATCH", path: ["profiles", id], query: { dry_run: true }, body });
  }

  /** Deletes a profile other than the default one. */
  deleteProfile(id: string): Promise<Deleted> {
    return this.send({ method: "DELETE", path: ["profiles", id] });
  }

  /** A summary of the memories of a profile. */
  summarizeProfile(id: string): Promise<ProfileSummary> {
    return this.send({ method: "GET", path: ["profiles", id, "summary"] });
  }

  /** The block that an agent puts before its prompt, and its memories. */
  injectContext(body: InjectContext = {}): Promise<Context> {
    return this.send({ method: "POST", path: ["context"], body });
  }

  /** Executes a command of the file-based memory tool, as the model sent it. */
  runMemoryTool(body: MemoryToolCommand): Promise<MemoryToolResult> {
    return this.send({ method: "POST", path: ["memory-tool"], body });
  }

  // events

  /**
   * The events of the workspace from now on, or after `lastEventId`. A lost connection is resumed after the last event.
   * `follow: false` ends after the events that exist. Throws `StreamEnded` when the server ends the stream.
   */
  watchEvents({ lastEventId, follow = true, ...query }: WatchOptions = {}): AsyncGenerator<OrgmemEvent, void, undefined> {
    return this.stream(new EventStream(query, follow, lastEventId, this.options.retries ?? 2));
  }
}
