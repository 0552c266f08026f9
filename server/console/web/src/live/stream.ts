// What happens, as it happens: one stream of the server's events for the whole page. It says only that something has
// changed; what that is, is asked for by whoever shows it.

import { at } from "../api/calls.ts";
import { asFailure, isAbort } from "../api/http.ts";
import { changed, refresh } from "../api/resource.ts";
import { treeChanged } from "../tree/store.ts";
import { type Told, events } from "./events.ts";

export type LiveState = "off" | "connecting" | "on" | "waiting" | "paused";

/** The memories of these kinds of events are new, other or gone. */
const OF_MEMORIES = ["memory_committed", "memory_edited", "memory_deleted", "memory_redacted"];
const OF_TREE = ["workspace_created", "workspace_edited", "workspace_moved", "workspace_removed"];
/** What is asked for again of the workspace that events of these kinds name. */
const PARTS: Record<string, string> = {
  kv_changed: "memory",
  profile_changed: "profiles",
  run_started: "runs",
  run_changed: "runs",
  run_finished: "runs",
  activity_logged: "session-search",
};
const WAITS_S = [1, 2, 5, 10, 30];
/** However much happens, what is shown is asked for again at most this often, in milliseconds. */
const GATHER_MS = 400;

/** What an event says of whom it is about. */
interface About {
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
  private calling: AbortController | undefined;
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
    this.calling?.abort();
    this.calling = undefined;
    if (this.path === undefined) return this.set("off");
    if (document.hidden) return this.set("paused");
    this.set("connecting");
    const calling = new AbortController();
    this.calling = calling;
    const ended = () => {
      if (this.calling === calling) this.failed();
    };
    this.listen(this.path, calling).then(ended, (error: unknown) => {
      ended();
      if (!isAbort(error)) asFailure(error);
    });
  }

  private async listen(path: string, calling: AbortController): Promise<void> {
    for await (const told of events(path, calling.signal)) {
      if (this.calling !== calling) return;
      this.heard(told);
    }
  }

  private heard({ kind, data }: Told): void {
    if (kind === "ready") return this.opened();
    if (kind === "resync") return this.gather({ all: true });
    if (kind === "end") return this.ended();
    if (OF_TREE.includes(kind)) return this.gather({ tree: true });
    const about = JSON.parse(data) as About;
    const part = PARTS[kind];
    if (OF_MEMORIES.includes(kind)) this.ofMemory(kind, about);
    else if (part !== undefined) this.of(about, part);
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
    this.calling?.abort();
    this.calling = undefined;
    const wait = WAITS_S[Math.min(this.failures, WAITS_S.length - 1)] ?? 30;
    this.failures += 1;
    this.againAt = Date.now() + wait * 1000;
    this.timer = setTimeout(() => this.open(), wait * 1000);
    this.set("waiting");
  }

  private ofMemory(kind: string, { memory_id: id }: About): void {
    if (id !== undefined && kind !== "memory_committed") {
      this.paths.add(`/memories/${id}`);
      if (kind !== "memory_edited") this.gone.add(id);
    }
    this.gather({ memories: true });
  }

  private of({ workspace_id: id }: About, part: string): void {
    this.paths.add(`/workspaces/${id}/${part}`);
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
