// Paged lists: the first page as a resource, further pages on demand.

import { useCallback, useEffect, useMemo, useRef, useState } from "preact/hooks";
import { type Failure, api, asFailure, isAbort } from "./http.ts";
import { refresh, useResource } from "./resource.ts";

/** The most rows that a list renders. */
const WINDOW = 600;

export interface Pages<T> {
  /** The last rows loaded, within the window of the list; the previous rows stay until the response arrives. */
  rows: T[] | undefined;
  /** Whether the rows belong to the previous path. */
  isStale: boolean;
  isLoading: boolean;
  /** Whether the server reported a later change of the list. */
  isOutdated: boolean;
  failure: Failure | undefined;
  hasMore: boolean;
  more: () => void;
  /** Whether earlier rows are loaded that are not among `rows`. */
  hasEarlier: boolean;
  earlier: () => void;
  reload: () => void;
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
  // how many rows at the end the user has gone back
  const [back, setBack] = useState(0);
  useEffect(() => setBack(0), [path]);
  const all = rows ?? (first.failure ? undefined : previous.current);
  const end = Math.max((all?.length ?? 0) - back, 0);
  const start = Math.max(0, end - WINDOW);
  const shown = useMemo(() => all?.slice(start, Math.max(end, WINDOW)), [all, start, end]);

  const more = useCallback(async () => {
    if (back > 0) return setBack(Math.max(0, back - WINDOW / 2));
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
  }, [next, rest, first.data, back]);

  return {
    rows: shown,
    isStale: first.data === undefined && previous.current !== undefined,
    isLoading: first.isLoading || rest.isLoading,
    isOutdated: first.isOutdated,
    failure: first.failure ?? rest.failure,
    hasMore: next !== undefined || back > 0,
    hasEarlier: start > 0,
    earlier: () => setBack(Math.min(back + WINDOW / 2, Math.max(0, (all?.length ?? 0) - WINDOW))),
    more: () => void more(),
    reload: () => path !== undefined && refresh(path),
  };
}

const NONE: never[] = [];

function noFollowingPages<T>(first: unknown, next: string | undefined): FollowingPages<T> {
  return { first, rows: NONE, next, isLoading: false, failure: undefined };
}
