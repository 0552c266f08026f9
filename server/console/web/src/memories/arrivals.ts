// Counts new memories without showing them until the user asks, so that rows never jump under the pointer.

import { useEffect, useRef, useState } from "preact/hooks";
import { api, isAbort } from "../api/http.ts";
import { refresh } from "../api/resource.ts";
import type { Memory } from "../api/types.ts";
import { onMemoriesChange } from "../live/stream.ts";

export interface Arrivals {
  /** The number of new memories on the first page. */
  count: number;
  /** Whether the whole first page is new and another page follows. */
  isMore: boolean;
  /** Ids of listed memories that no longer exist. */
  gone: ReadonlySet<string>;
  apply: () => void;
}

const NONE: ReadonlySet<string> = new Set();
const NOTHING = { count: 0, isMore: false };

/**
 * @param path of the first page of the list
 * @param rows the listed rows
 */
export function useArrivals(path: string, rows: Memory[] | undefined): Arrivals {
  const [news, setNews] = useState(NOTHING);
  const [gone, setGone] = useState(NONE);
  const shown = useRef(rows);
  shown.current = rows;
  useEffect(() => {
    setNews(NOTHING);
    let request: AbortController | undefined;
    const look = async () => {
      request?.abort();
      request = new AbortController();
      try {
        const { data, next } = await api<Memory[]>(path, { signal: request.signal });
        const count = arrived(data, shown.current ?? []);
        setNews({ count, isMore: count === data.length && next !== undefined });
      } catch (error) {
        // the next event retries; the list itself reports an unreachable server
        if (!isAbort(error)) setNews(NOTHING);
      }
    };
    const end = onMemoriesChange((removed) => {
      if (removed.size > 0) setGone((known) => new Set([...known, ...removed]));
      void look();
    });
    return () => {
      end();
      request?.abort();
    };
  }, [path]);
  // a reload of the list shows the new memories
  useEffect(() => setNews(NOTHING), [rows]);
  return { ...news, gone, apply: () => refresh(path) };
}

/** How many memories are not listed and newer than every listed one. */
function arrived(found: Memory[], rows: Memory[]): number {
  const known = new Set(rows.map((row) => row.id));
  const newest = Math.max(0, ...rows.map((row) => Date.parse(row.created_at)));
  return found.filter((memory) => !known.has(memory.id) && Date.parse(memory.created_at) >= newest).length;
}
