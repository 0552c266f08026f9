// Paged lists: the first page as a resource, further pages on demand.

import { useCallback, useEffect, useMemo, useRef, useState } from "preact/hooks";
import { type Failure, api, asFailure, isAbort } from "./http.ts";
import { refresh, useResource } from "./resource.ts";

/** The most rows that a list renders. */
const WINDOW = 600;

/** The part of a long list that is rendered. */
export interface Window<T> {
  /** The last rows of the list, or earlier ones if the user went back. */
  rows: T[] | undefined;
  /** Whether earlier rows are loaded that are not among `rows`. */
  hasEarlier: boolean;
  earlier: () => void;
  /** Whether there are later rows. */
  hasMore: boolean;
  more: () => void;
  isLoading: boolean;
}

export interface Pages<T> extends Window<T> {
  /** All rows loaded; `rows` are those to render. The previous rows stay until the response arrives. */
  all: T[] | undefined;
  /** The response with the first page: it changes with every reload of the list. */
  first: unknown;
  /** Whether the rows belong to the previous path. */
  isStale: boolean;
  /** Whether the server reported a later change of the list. */
  isOutdated: boolean;
  failure: Failure | undefined;
  reload: () => void;
}

interface WindowOptions {
  /** The most rows. */
  size?: number;
  /** The end of the list that is shown first. */
  at?: "start" | "end";
}

/** A window of a list; `key` identifies the list. At the end it follows rows that are added. */
export function useWindow<T>(all: T[] | undefined, key: unknown, { size = WINDOW, at = "end" }: WindowOptions = {}): Window<T> {
  const first = at === "end" ? Infinity : 0;
  const [place, setPlace] = useState(first);
  useEffect(() => setPlace(first), [key, first]);
  const last = Math.max(0, (all?.length ?? 0) - size);
  const start = Math.min(place, last);
  const rows = useMemo(() => all?.slice(start, start + size), [all, start, size]);
  const next = start + size / 2;
  return {
    rows,
    hasEarlier: start > 0,
    earlier: () => setPlace(Math.max(0, start - size / 2)),
    hasMore: start < last,
    more: () => setPlace(next < last ? next : Infinity),
    isLoading: false,
  };
}

interface FollowingPages<T> {
  /** The first page that these pages follow. */
  first: unknown;
  rows: T[];
  next: string | undefined;
  isLoading: boolean;
  failure: Failure | undefined;
}

/** A paged list; `rowsOf` extracts the rows of a page that is more than an array. */
export function usePages<T, Page = T[]>(
  path: string | undefined,
  rowsOf: (page: Page) => T[] = (page) => page as T[],
): Pages<T> {
  const first = useResource<Page>(path);
  const previous = useRef<T[] | undefined>(undefined);
  const [following, setFollowing] = useState<FollowingPages<T>>(noFollowingPages(undefined, undefined));
  const request = useRef<AbortController | undefined>(undefined);
  const isCurrent = following.first === first.data;
  const rest = isCurrent ? following : noFollowingPages<T>(first.data, first.next);
  const next = isCurrent ? following.next : first.next;
  const rows = useMemo(() => first.data && [...rowsOf(first.data), ...rest.rows], [first.data, rest.rows]);
  if (rows) previous.current = rows;

  useEffect(() => () => request.current?.abort(), [path]);
  const all = rows ?? (first.failure ? undefined : previous.current);
  const view = useWindow(all, path);

  const more = useCallback(async () => {
    if (view.hasMore) return view.more();
    if (next === undefined || rest.isLoading) return;
    const controller = new AbortController();
    request.current = controller;
    const start: FollowingPages<T> = { ...rest, first: first.data, next, isLoading: true, failure: undefined };
    setFollowing(start);
    try {
      const answer = await api<Page>(next, { signal: controller.signal });
      setFollowing({ ...start, rows: [...start.rows, ...rowsOf(answer.data)], next: answer.next, isLoading: false });
    } catch (error) {
      if (!isAbort(error)) setFollowing({ ...start, isLoading: false, failure: asFailure(error) });
    }
  }, [next, rest, first.data, view]);

  return {
    ...view,
    all,
    first: first.data,
    isStale: first.data === undefined && previous.current !== undefined,
    isLoading: first.isLoading || rest.isLoading,
    isOutdated: first.isOutdated,
    failure: first.failure ?? rest.failure,
    hasMore: next !== undefined || view.hasMore,
    more: () => void more(),
    reload: () => path !== undefined && refresh(path),
  };
}

/** A list whose pages all load by themselves, until it has at least `most` rows. */
export function useAll<T>(path: string | undefined, most: number): Pages<T> {
  const pages = usePages<T>(path);
  const wants = pages.hasMore && !pages.isLoading && !pages.failure && (pages.all?.length ?? 0) < most;
  useEffect(() => {
    if (wants) pages.more();
  }, [wants, pages.all]);
  return pages;
}

const NONE: never[] = [];

function noFollowingPages<T>(first: unknown, next: string | undefined): FollowingPages<T> {
  return { first, rows: NONE, next, isLoading: false, failure: undefined };
}
