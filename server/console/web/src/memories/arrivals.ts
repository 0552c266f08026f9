// Counts new memories without reading them, until the user asks: rows never jump under the pointer, and watching adds
// nothing to the audit log.

import { useEffect, useRef, useState } from "preact/hooks";
import { endpoint } from "../api/calls.ts";
import { type Failure, api, isAbort } from "../api/http.ts";
import { invalidate, refresh } from "../api/resource.ts";
import type { Memory, ReachResponse, ReachRow } from "../api/types.ts";
import { type Committed, onMemoriesChange } from "../live/stream.ts";

/** New memories; the number is undefined where only a search could count them. */
export type News = { count: number } | { count: undefined } | undefined;

export interface Arrivals {
  news: News;
  /** Ids of listed memories that no longer exist. */
  gone: ReadonlySet<string>;
  apply: () => void;
}

interface List {
  workspace: string;
  /** Path of the first page. */
  path: string;
  /** Whether a query or a filter decides which memories are listed. */
  isNarrowed: boolean;
  /** All memories loaded. */
  listed: Memory[] | undefined;
  /** Changes with every reload of the list. */
  first: unknown;
}

/** Authors per request. */
const AUTHORS = 150;

const NONE: ReadonlySet<string> = new Set();

export function useArrivals({ workspace, path, isNarrowed, listed, first }: List): Arrivals {
  const [news, setNews] = useState<News>();
  const [gone, setGone] = useState(NONE);
  const shown = useRef(listed);
  shown.current = listed;
  useEffect(() => {
    setNews(undefined);
    const request = new AbortController();
    const add = async (committed: readonly Committed[]) => {
      const readable = await readableIn(workspace, committed, request.signal);
      const known = new Set(shown.current?.map((row) => row.id));
      const count = readable.filter(({ id }) => id === undefined || !known.has(id)).reduce((sum, one) => sum + one.count, 0);
      if (count === 0 || request.signal.aborted) return;
      setNews((now) => ({ count: isNarrowed ? undefined : (now?.count ?? 0) + count }));
    };
    const end = onMemoriesChange(({ committed, removed }) => {
      if (removed.size > 0) setGone((now) => new Set([...now, ...removed]));
      // the next event tries again; the list itself reports an unreachable server
      if (committed.length > 0) add(committed).catch((error: Failure) => isAbort(error));
    });
    return () => {
      end();
      request.abort();
    };
  }, [workspace, path, isNarrowed]);
  // a reload of the list shows the new memories
  useEffect(() => setNews(undefined), [first]);
  const apply = () => {
    refresh(path);
    // the counts of the list, where they are shown
    invalidate((each) => each.startsWith(endpoint.count(workspace)));
  };
  return { news, gone, apply };
}

/** The memories that the workspace can read, by the server's rules. Reads of reach are not recorded. */
async function readableIn(
  workspace: string,
  committed: readonly Committed[],
  signal: AbortSignal,
): Promise<readonly Committed[]> {
  const authors = [...new Set(committed.map(({ author }) => author).filter((author) => author !== workspace))];
  if (authors.length === 0) return committed;
  const rows: ReachRow[] = [];
  for (let start = 0; start < authors.length; start += AUTHORS) {
    const among = authors.slice(start, start + AUTHORS).join(",");
    rows.push(...(await api<ReachResponse>(endpoint.reach(workspace, { direction: "reads", among }), { signal })).data.reads);
  }
  const readable = new Set(rows.map((row) => `${row.workspace_id} ${row.scope}`));
  return committed.filter(({ author, scope }) => author === workspace || readable.has(`${author} ${scope}`));
}
