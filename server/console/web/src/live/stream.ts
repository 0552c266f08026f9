// One event stream for the whole page. Events only invalidate; the components reload the data.

import { endpoint } from "../api/calls.ts";
import { asFailure, isAbort, onReachabilityChange } from "../api/http.ts";
import { type LacksChange, invalidate, markOutdated, refresh } from "../api/resource.ts";
import type { Scope } from "../api/types.ts";
import { invalidateCounts, invalidateTree } from "../tree/store.ts";
import { type StreamEvent, events } from "./events.ts";

export type LiveState = "off" | "connecting" | "on" | "waiting" | "paused" | "away";

/** Events after which a memory is new, changed or gone. */
const MEMORY_EVENTS = ["memory_committed", "memory_edited", "memory_deleted", "memory_redacted"];
const TREE_EVENTS = ["workspace_created", "workspace_edited", "workspace_moved", "workspace_removed"];
/** The resource of the named workspace that an event changes. */
const WORKSPACE_RESOURCES: Record<string, string> = {
  kv_changed: "memory",
  profile_changed: "profiles",
  run_started: "runs",
  run_changed: "runs",
  run_finished: "runs",
  activity_logged: "session-search",
  activity_redacted: "session-search",
  rows_changed: "collections",
};
/**
 * Lists whose reads the audit log records. They are marked as outdated and reloaded on request, so that watching them
 * records nothing.
 */
const ON_REQUEST = ["memory", "session-search", "collections"];
const RETRY_DELAYS_S = [1, 2, 5, 10, 30];
/** Invalidations are batched over this time, in milliseconds. */
const BATCH_MS = 400;
/** The time between requests of a page without a stream while the server is away, in milliseconds. */
const PROBE_MS = 5_000;

/** The data of an event, as far as it is used. */
interface EventData {
  workspace_id: string;
  memory_id?: string;
  scope?: Scope;
  details?: Record<string, unknown>;
}

/** New memories of one author and scope. */
export interface Committed {
  author: string;
  scope: Scope | undefined;
  /** Undefined for the memories of a run, which are announced together. */
  id: string | undefined;
  count: number;
}

/** What happened to memories since the last call of a listener. */
export interface MemoryChanges {
  committed: readonly Committed[];
  removed: ReadonlySet<string>;
}

const listeners = new Set<() => void>();
const memoryListeners = new Set<(changes: MemoryChanges) => void>();

class Stream {
  path: string | undefined;
  state: LiveState = "off";
  /** Time of the next attempt, in milliseconds since the epoch; valid in the state `waiting`. */
  retryAt = 0;
  private request: AbortController | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private flushTimer: ReturnType<typeof setTimeout> | undefined;
  private failures = 0;
  private wasConnected = false;
  private removed = new Set<string>();
  private committed: Committed[] = [];
  private changes = { memories: false, tree: false, all: false };
  private readonly paths = new Set<string>();
  private outdated: Array<[path: string, lacksChange: LacksChange]> = [];

  /** Replaces the stream by the one at `path`. */
  watch(path: string | undefined): void {
    if (path === this.path) return;
    this.path = path;
    this.wasConnected = false;
    this.failures = 0;
    this.open();
  }

  open(): void {
    clearTimeout(this.timer);
    this.request?.abort();
    this.request = undefined;
    if (this.path === undefined) return this.set("off");
    if (document.hidden) return this.set("paused");
    this.set("connecting");
    const request = new AbortController();
    this.request = request;
    const onEnd = () => {
      if (this.request === request) this.retryLater();
    };
    this.consume(this.path, request).then(onEnd, (error: unknown) => {
      onEnd();
      if (!isAbort(error)) asFailure(error);
    });
  }

  private async consume(path: string, request: AbortController): Promise<void> {
    for await (const event of events(path, request.signal)) {
      if (this.request !== request) return;
      this.handle(event);
    }
  }

  private handle({ kind, data: text }: StreamEvent): void {
    if (kind === "ready") return this.onConnected();
    if (kind === "resync") return this.schedule({ all: true });
    if (kind === "end") return this.onServerEnd();
    if (TREE_EVENTS.includes(kind)) return this.schedule({ tree: true });
    const data = JSON.parse(text) as EventData;
    const resource = WORKSPACE_RESOURCES[kind];
    if (kind.startsWith("skill_")) this.onSharedEvent("skills");
    else if (kind === "document_changed") this.onSharedEvent("documents");
    else if (MEMORY_EVENTS.includes(kind)) this.onMemoryEvent(kind, data);
    else if (resource !== undefined) this.onResourceEvent(data, resource);
  }

  private onConnected(): void {
    this.failures = 0;
    this.set("on");
    // events may have been missed while disconnected
    if (this.wasConnected) this.schedule({ all: true });
    this.wasConnected = true;
  }

  /** The server closed the stream; the session may have ended. */
  private onServerEnd(): void {
    refresh(endpoint.me);
    this.retryLater();
  }

  private retryLater(): void {
    this.request?.abort();
    this.request = undefined;
    const wait = RETRY_DELAYS_S[Math.min(this.failures, RETRY_DELAYS_S.length - 1)] ?? 30;
    this.failures += 1;
    this.retryAt = Date.now() + wait * 1000;
    this.timer = setTimeout(() => this.open(), wait * 1000);
    this.set("waiting");
  }

  private onMemoryEvent(kind: string, { workspace_id: author, memory_id: id, scope, details }: EventData): void {
    if (kind === "memory_committed") {
      const count = Number(details?.write_count ?? 1);
      this.committed.push({ author, scope, id, count });
    } else if (id !== undefined && kind === "memory_edited") {
      this.outdated.push([`/memories/${id}`, lacksVersion("id", id, details)]);
    } else if (id !== undefined) {
      // the request is refused, which records no read
      this.paths.add(`/memories/${id}`);
      this.removed.add(id);
    }
    if (kind !== "memory_edited") invalidateCounts([author]);
    this.schedule({ memories: true });
  }

  /** A skill or document of one workspace may be one that many can use. The audit log records reads of them. */
  private onSharedEvent(resource: "skills" | "documents"): void {
    markOutdated((path) => path.split("/")[3]?.split("?")[0] === resource, () => true);
  }

  private onResourceEvent({ workspace_id: id, details }: EventData, resource: string): void {
    const path = `/workspaces/${id}/${resource}`;
    if (!ON_REQUEST.includes(resource)) this.paths.add(path);
    else this.outdated.push([path, resource === "memory" ? lacksVersion("key", details?.key, details) : () => true]);
    this.schedule({});
  }

  /** Records changes, and flushes them together later. */
  private schedule(changes: Partial<Stream["changes"]>): void {
    Object.assign(this.changes, changes);
    this.flushTimer ??= setTimeout(() => this.flush(), BATCH_MS);
  }

  private flush(): void {
    this.flushTimer = undefined;
    const { changes, removed, committed } = this;
    const [paths, outdated] = [[...this.paths], this.outdated];
    this.paths.clear();
    this.outdated = [];
    this.committed = [];
    this.changes = { memories: false, tree: false, all: false };
    this.removed = new Set();
    // a changed tree changes what is readable, and missed events may be anything
    if (changes.tree || changes.all) return invalidateTree();
    if (paths.length > 0) invalidate((path) => paths.some((each) => path.includes(each)));
    for (const [changed, lacksChange] of outdated) markOutdated((path) => covers(changed, path), lacksChange);
    if (changes.memories) for (const listener of [...memoryListeners]) listener({ committed, removed });
  }

  /** For a page without a stream: asks until the server responds again. */
  onReachable(isReachable: boolean): void {
    if (this.path !== undefined) return;
    this.set(isReachable ? "off" : "away");
    clearTimeout(this.timer);
    if (!isReachable) this.timer = setTimeout(() => this.probe(), PROBE_MS);
  }

  private probe(): void {
    if (this.path !== undefined) return;
    refresh(endpoint.me);
    this.timer = setTimeout(() => this.probe(), PROBE_MS);
  }

  private set(state: LiveState): void {
    this.state = state;
    for (const listener of [...listeners]) listener();
  }
}

export const stream = new Stream();

// a page without a stream learns from its requests whether the server is there
onReachabilityChange((isReachable) => stream.onReachable(isReachable));

document.addEventListener("visibilitychange", () => {
  if (document.hidden || stream.state === "paused") stream.open();
});

export function onLiveChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Whether rows, or a single row, lack this version of one, or still have a deleted one. */
function lacksVersion(name: "id" | "key", value: unknown, details: EventData["details"]): LacksChange {
  return (data) => {
    const rows = (Array.isArray(data) ? data : [data]) as Array<Record<string, unknown>>;
    const row = rows.find((each) => each[name] === value);
    if (!row && !Array.isArray(data)) return false;
    const version = row?.version;
    if (details?.change === "dropped") return version !== undefined;
    return version === undefined || Number(version) < Number(details?.version);
  };
}

/** Whether a cached path is the changed one, something below it, or it with a query. */
function covers(changed: string, path: string): boolean {
  const at = path.indexOf(changed);
  return at >= 0 && ["", "/", "?"].includes(path.charAt(at + changed.length));
}

/** Calls the listener with the memories that are new and the ids of those that are gone. */
export function onMemoriesChange(listener: (changes: MemoryChanges) => void): () => void {
  memoryListeners.add(listener);
  return () => void memoryListeners.delete(listener);
}
