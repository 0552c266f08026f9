// What happens, as it happens: one stream of the server's events for the whole page. It says only that something has
// changed; what that is, is asked for by whoever shows it.

import { at } from "../api/calls.ts";
import { changed, refresh } from "../api/resource.ts";
import { ofServer } from "../base.ts";
import { treeChanged } from "../tree/store.ts";

export type LiveState = "off" | "connecting" | "on" | "waiting" | "paused";

/** The memories of these kinds of events are new, other or gone. */
const OF_MEMORIES = ["memory_committed", "memory_edited", "memory_deleted", "memory_redacted"] as const;
const OF_TREE = ["workspace_created", "workspace_edited", "workspace_moved", "workspace_removed"] as const;
const OF_RUNS = ["run_started", "run_finished"] as const;
const WAITS_S = [1, 2, 5, 10, 30];
/** However much happens, what is shown is asked for again at most this often, in milliseconds. */
const GATHER_MS = 400;

interface Told {
  workspace_id: string;
  memory_id?: string;
}

/** What is not listened to any more is not told. */
const listeners = new Set<() => void>();
const watchers = new Set<(gone: ReadonlySet<string>) => void>();

class Stream {
  path: string | undefined;
  state: LiveState = "off";
  /** When it is tried again, while it waits. */
  againAt = 0;
  private source: EventSource | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private gathering: ReturnType<typeof setTimeout> | undefined;
  private failures = 0;
  private hasBeenOn = false;
  private gone = new Set<string>();
  private changes = { memories: false, tree: false, all: false };
  private readonly paths = new Set<string>();

  /** Watches this from now on, and nothing else. */
  watch(path: string | undefined): void {
    if (path === this.path) return;
    this.path = path;
    this.hasBeenOn = false;
    this.failures = 0;
    this.open();
  }

  open(): void {
    clearTimeout(this.timer);
    this.source?.close();
    this.source = undefined;
    if (this.path === undefined) return this.set("off");
    if (document.hidden) return this.set("paused");
    this.set("connecting");
    const source = new EventSource(ofServer(this.path));
    this.source = source;
    source.addEventListener("ready", () => this.opened());
    source.addEventListener("resync", () => this.gather({ all: true }));
    source.addEventListener("end", () => this.ended());
    source.addEventListener("error", () => this.failed());
    for (const kind of OF_MEMORIES) source.addEventListener(kind, (event) => this.ofMemory(kind, event));
    for (const kind of OF_TREE) source.addEventListener(kind, () => this.gather({ tree: true }));
    source.addEventListener("kv_changed", (event) => this.of(event, "memory"));
    source.addEventListener("profile_changed", (event) => this.of(event, "profiles"));
    for (const kind of OF_RUNS) source.addEventListener(kind, (event) => this.of(event, "runs"));
    source.addEventListener("activity_logged", (event) => this.of(event, "session-search"));
  }

  private opened(): void {
    this.failures = 0;
    this.set("on");
    // what happened while nobody listened is asked for
    if (this.hasBeenOn) this.gather({ all: true });
    this.hasBeenOn = true;
  }

  /** The server says that it is over: the session may be. */
  private ended(): void {
    refresh(at.me);
    this.failed();
  }

  private failed(): void {
    this.source?.close();
    this.source = undefined;
    const wait = WAITS_S[Math.min(this.failures, WAITS_S.length - 1)] ?? 30;
    this.failures += 1;
    this.againAt = Date.now() + wait * 1000;
    this.timer = setTimeout(() => this.open(), wait * 1000);
    this.set("waiting");
  }

  private ofMemory(kind: (typeof OF_MEMORIES)[number], event: MessageEvent<string>): void {
    const { memory_id: id } = JSON.parse(event.data) as Told;
    if (id !== undefined && kind !== "memory_committed") {
      this.paths.add(`/memories/${id}`);
      if (kind !== "memory_edited") this.gone.add(id);
    }
    this.gather({ memories: true });
  }

  private of(event: MessageEvent<string>, what: string): void {
    const { workspace_id: id } = JSON.parse(event.data) as Told;
    this.paths.add(`/workspaces/${id}/${what}`);
    this.gather({});
  }

  /** Notes what has changed; a moment later everything noted is asked for at once. */
  private gather(changes: Partial<Stream["changes"]>): void {
    Object.assign(this.changes, changes);
    this.gathering ??= setTimeout(() => this.tell(), GATHER_MS);
  }

  private tell(): void {
    this.gathering = undefined;
    const { changes, gone } = this;
    const paths = [...this.paths];
    this.paths.clear();
    this.changes = { memories: false, tree: false, all: false };
    this.gone = new Set();
    // a tree that has changed changes what is read; what was missed may be anything
    if (changes.tree || changes.all) return treeChanged();
    if (paths.length > 0) changed((path) => paths.some((each) => path.includes(each)));
    if (changes.memories) for (const watcher of [...watchers]) watcher(gone);
  }

  private set(state: LiveState): void {
    this.state = state;
    for (const listener of [...listeners]) listener();
  }
}

export const stream = new Stream();

document.addEventListener("visibilitychange", () => {
  if (document.hidden || stream.state === "paused") stream.open();
});

/** Hears of every change of the stream's state. */
export function whenLiveChanges(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Hears that memories came, changed or went; those that went are named. */
export function whenMemoriesChange(watcher: (gone: ReadonlySet<string>) => void): () => void {
  watchers.add(watcher);
  return () => void watchers.delete(watcher);
}
