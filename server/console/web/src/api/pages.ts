// Lists that go on: the first page as a resource, the others as one asks for them.

import { useCallback, useEffect, useMemo, useRef, useState } from "preact/hooks";
import { type Failure, api, asFailure, isAbort } from "./http.ts";
import { useResource } from "./resource.ts";

export interface Pages<T> {
  /** What is known so far; what was asked for before stays until the answer is there. */
  rows: T[] | undefined;
  /** Whether the rows are those of an earlier question. */
  isStale: boolean;
  isLoading: boolean;
  failure: Failure | undefined;
  hasMore: boolean;
  more: () => void;
}

interface Later<T> {
  /** The first page that these follow, as it was answered. */
  first: unknown;
  rows: T[];
  next: string | undefined;
  isLoading: boolean;
  failure: Failure | undefined;
}

/** A list; `rowsOf` says where its rows are in an answer that is more than a list. */
export function usePages<T, Page = T[]>(
  path: string | undefined,
  rowsOf: (page: Page) => T[] = (page) => page as T[],
): Pages<T> {
  const first = useResource<Page>(path);
  const before = useRef<T[] | undefined>(undefined);
  const [later, setLater] = useState<Later<T>>(nothingAfter(undefined, undefined));
  const calling = useRef<AbortController | undefined>(undefined);
  const isCurrent = later.first === first.data;
  const after = isCurrent ? later : nothingAfter<T>(first.data, first.next);
  const next = isCurrent ? later.next : first.next;
  const rows = useMemo(() => first.data && [...rowsOf(first.data), ...after.rows], [first.data, after.rows]);
  if (rows) before.current = rows;

  useEffect(() => () => calling.current?.abort(), [path]);

  const more = useCallback(async () => {
    if (next === undefined || after.isLoading) return;
    const asked = new AbortController();
    calling.current = asked;
    const start: Later<T> = { ...after, first: first.data, next, isLoading: true, failure: undefined };
    setLater(start);
    try {
      const answer = await api<Page>(next, { signal: asked.signal });
      setLater({ ...start, rows: [...start.rows, ...rowsOf(answer.data)], next: answer.next, isLoading: false });
    } catch (error) {
      if (!isAbort(error)) setLater({ ...start, isLoading: false, failure: asFailure(error) });
    }
  }, [next, after, first.data]);

  return {
    rows: rows ?? (first.failure ? undefined : before.current),
    isStale: first.data === undefined && before.current !== undefined,
    isLoading: first.isLoading || after.isLoading,
    failure: first.failure ?? after.failure,
    hasMore: next !== undefined,
    more: () => void more(),
  };
}

const NONE: never[] = [];

function nothingAfter<T>(first: unknown, next: string | undefined): Later<T> {
  return { first, rows: NONE, next, isLoading: false, failure: undefined };
}
