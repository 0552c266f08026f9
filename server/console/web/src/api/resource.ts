// A cache of GET responses, shared by all components: a response is fetched once, kept while in use, reloaded after an
// invalidation, and kept when a reload fails.

import { useEffect, useState } from "preact/hooks";
import { type ApiResponse, Failure, api, asFailure, isAbort } from "./http.ts";

/** A cached response. */
export interface Resource<T> {
  data: T | undefined;
  etag: string | undefined;
  next: string | undefined;
  failure: Failure | undefined;
  isLoading: boolean;
  /** Whether the server reported a later change. */
  isOutdated: boolean;
  /** When the response arrived, in milliseconds since the epoch. */
  at: number | undefined;
}

/** How many unused entries the cache keeps, for Back. */
const MAX_UNUSED = 60;
/** A response younger than this is not reloaded when a component mounts, in milliseconds. */
const FRESH_MS = 1_000;
const RETRY_DELAYS_S = [1, 2, 5, 10, 30];

/** Whether a response does not contain a change yet. */
export type LacksChange = (data: unknown) => boolean;

const NOTHING: Resource<never> = {
  data: undefined,
  etag: undefined,
  next: undefined,
  failure: undefined,
  isLoading: false,
  isOutdated: false,
  at: undefined,
};

class CacheEntry {
  state: Resource<unknown> = { ...NOTHING };
  readonly listeners = new Set<() => void>();
  private request: AbortController | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private failures = 0;
  private checks: LacksChange[] = [];

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
    this.request?.abort();
    this.request = undefined;
    this.state = { ...this.state, isLoading: false };
  }

  async load(): Promise<void> {
    clearTimeout(this.timer);
    this.request?.abort();
    const request = new AbortController();
    this.request = request;
    this.set({ isLoading: true, isOutdated: false });
    try {
      const response = await api<unknown>(this.path, { signal: request.signal });
      this.failures = 0;
      this.onResponse(response);
    } catch (error) {
      if (isAbort(error)) return;
      this.onFailure(asFailure(error));
    }
  }

  /** Marks the response as outdated if it lacks the change; a response on its way is checked when it arrives. */
  markOutdated(lacksChange: LacksChange): void {
    if (this.state.isLoading) this.checks.push(lacksChange);
    else if (this.state.data !== undefined && lacksChange(this.state.data)) this.set({ isOutdated: true });
  }

  private onResponse({ data, etag, next }: ApiResponse<unknown>): void {
    const isOutdated = this.checks.some((lacksChange) => lacksChange(data));
    this.checks = [];
    this.set({ data, etag, next, failure: undefined, isLoading: false, isOutdated, at: Date.now() });
  }

  private onFailure(failure: Failure): void {
    this.set({ failure, isLoading: false });
    if (!failure.isTransient) return;
    const wait = failure.retryAfter ?? RETRY_DELAYS_S[Math.min(this.failures, RETRY_DELAYS_S.length - 1)] ?? 30;
    this.failures += 1;
    this.timer = setTimeout(() => void this.load(), wait * 1000);
  }

  private set(change: Partial<Resource<unknown>>): void {
    this.state = { ...this.state, ...change };
    for (const listener of [...this.listeners]) listener();
  }
}

const entries = new Map<string, CacheEntry>();

function entryFor(path: string): CacheEntry {
  const found = entries.get(path) ?? new CacheEntry(path);
  // moves it to the end: the least recently used entry is evicted first
  entries.delete(path);
  entries.set(path, found);
  if (entries.size > MAX_UNUSED) evictOldest();
  return found;
}

function evictOldest(): void {
  for (const [path, entry] of entries) {
    if (entries.size <= MAX_UNUSED) return;
    if (entry.listeners.size === 0) entries.delete(path);
  }
}

/** The response of `path`; nothing while `path` is undefined. */
export function useResource<T>(path: string | undefined): Resource<T> {
  const [, redraw] = useState(0);
  const entry = path === undefined ? undefined : entryFor(path);
  useEffect(() => {
    if (!entry) return;
    const listener = () => redraw((count) => count + 1);
    entry.add(listener);
    listener();
    return () => entry.remove(listener);
  }, [entry]);
  if (!entry) return NOTHING;
  const { state } = entry;
  // before the effect runs it counts as loading
  const isFirst = state.data === undefined && state.failure === undefined;
  return { ...state, isLoading: state.isLoading || isFirst } as Resource<T>;
}

/** Reloads `path` if it is cached. */
export function refresh(path: string): void {
  void entries.get(path)?.load();
}

/** Reloads the matching entries that are in use and evicts the others. */
export function invalidate(matches: (path: string) => boolean): void {
  for (const [path, entry] of [...entries]) {
    if (!matches(path)) continue;
    if (entry.listeners.size > 0) void entry.load();
    else entries.delete(path);
  }
}

/** Marks the matching entries that are in use and lack the change as outdated, and evicts the others. */
export function markOutdated(matches: (path: string) => boolean, lacksChange: LacksChange): void {
  for (const [path, entry] of [...entries]) {
    if (!matches(path)) continue;
    if (entry.listeners.size > 0) entry.markOutdated(lacksChange);
    else entries.delete(path);
  }
}

export function invalidateWorkspace(id: string): void {
  invalidate((path) => path.startsWith(`/workspaces/${id}`));
}

/** After a change of the caller or of the tree. */
export function invalidateAll(): void {
  invalidate(() => true);
}
