// What is shown comes from here: fetched once for all who show it, kept while it is looked at, asked for again when
// something it depends on has changed, and never thrown away because asking again failed.

import { useEffect, useState } from "preact/hooks";
import { type Answer, Failure, api, asFailure, isAbort } from "./http.ts";

/** Something of the server's as far as it is known. */
export interface Resource<T> {
  data: T | undefined;
  etag: string | undefined;
  next: string | undefined;
  failure: Failure | undefined;
  /** Whether an answer is awaited. */
  isLoading: boolean;
  /** When the data were answered. */
  at: number | undefined;
}

/** How many that nobody looks at any more are kept for going back. */
const KEPT = 60;
/** What was answered more recently than this is not asked for again when it is shown anew, in milliseconds. */
const FRESH_MS = 1_000;
const WAITS_S = [1, 2, 5, 10, 30];

const NOTHING: Resource<never> = {
  data: undefined,
  etag: undefined,
  next: undefined,
  failure: undefined,
  isLoading: false,
  at: undefined,
};

class Entry {
  state: Resource<unknown> = { ...NOTHING };
  readonly listeners = new Set<() => void>();
  private calling: AbortController | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private failures = 0;

  constructor(readonly path: string) {}

  add(listener: () => void): void {
    this.listeners.add(listener);
    const { at, isLoading } = this.state;
    const isFresh = at !== undefined && Date.now() - at < FRESH_MS;
    if (!isLoading && !isFresh) void this.load();
  }

  remove(listener: () => void): void {
    this.listeners.delete(listener);
    if (this.listeners.size > 0) return;
    clearTimeout(this.timer);
    this.calling?.abort();
    this.calling = undefined;
    this.state = { ...this.state, isLoading: false };
  }

  async load(): Promise<void> {
    clearTimeout(this.timer);
    this.calling?.abort();
    const calling = new AbortController();
    this.calling = calling;
    this.set({ isLoading: true });
    try {
      const answer = await api<unknown>(this.path, { signal: calling.signal });
      this.failures = 0;
      this.answered(answer);
    } catch (error) {
      if (isAbort(error)) return;
      this.failed(asFailure(error));
    }
  }

  private answered({ data, etag, next }: Answer<unknown>): void {
    this.set({ data, etag, next, failure: undefined, isLoading: false, at: Date.now() });
  }

  private failed(failure: Failure): void {
    this.set({ failure, isLoading: false });
    if (!failure.isPassing) return;
    const wait = failure.retryAfter ?? WAITS_S[Math.min(this.failures, WAITS_S.length - 1)] ?? 30;
    this.failures += 1;
    this.timer = setTimeout(() => void this.load(), wait * 1000);
  }

  private set(change: Partial<Resource<unknown>>): void {
    this.state = { ...this.state, ...change };
    for (const listener of [...this.listeners]) listener();
  }
}

const entries = new Map<string, Entry>();

function entryOf(path: string): Entry {
  const found = entries.get(path) ?? new Entry(path);
  // the one used last is the last to go
  entries.delete(path);
  entries.set(path, found);
  if (entries.size > KEPT) forgetOldest();
  return found;
}

function forgetOldest(): void {
  for (const [path, entry] of entries) {
    if (entries.size <= KEPT) return;
    if (entry.listeners.size === 0) entries.delete(path);
  }
}

/** What is at `path` of the server; nothing while there is no path. */
export function useResource<T>(path: string | undefined): Resource<T> {
  const [, redraw] = useState(0);
  const entry = path === undefined ? undefined : entryOf(path);
  useEffect(() => {
    if (!entry) return;
    const listener = () => redraw((count) => count + 1);
    entry.add(listener);
    listener();
    return () => entry.remove(listener);
  }, [entry]);
  if (!entry) return NOTHING;
  const { state } = entry;
  // before the effect has run it is as good as asked for
  const isFirst = state.data === undefined && state.failure === undefined;
  return { ...state, isLoading: state.isLoading || isFirst } as Resource<T>;
}

/** Asks again for what is shown of `path`. */
export function refresh(path: string): void {
  void entries.get(path)?.load();
}

/** What was known of everything whose path `depends` is asked for again where it is shown, else forgotten. */
export function changed(depends: (path: string) => boolean): void {
  for (const [path, entry] of [...entries]) {
    if (!depends(path)) continue;
    if (entry.listeners.size > 0) void entry.load();
    else entries.delete(path);
  }
}

/** Everything of one workspace has changed, or may have. */
export function workspaceChanged(id: string): void {
  changed((path) => path.startsWith(`/workspaces/${id}`));
}

/** Everything may have changed: somebody else signed in, or the tree did. */
export function everythingChanged(): void {
  changed(() => true);
}
