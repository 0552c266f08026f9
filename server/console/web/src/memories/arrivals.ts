// New memories while one reads: counted, not shown, until one asks for them. Rows never jump under the pointer.

import { useEffect, useRef, useState } from "preact/hooks";
import { api, isAbort } from "../api/http.ts";
import { refresh } from "../api/resource.ts";
import type { Memory } from "../api/types.ts";
import { whenMemoriesChange } from "../live/stream.ts";

export interface Arrivals {
  /** How many are new, as far as one page tells. */
  count: number;
  /** Whether there may be more: the whole page is new, and there is another one. */
  isMore: boolean;
  /** Ids of those that are shown and are no longer there. */
  gone: ReadonlySet<string>;
  apply: () => void;
}

const NONE: ReadonlySet<string> = new Set();
const NOTHING = { count: 0, isMore: false };

/**
 * @param path of the first page of the list
 * @param rows what is shown of it
 */
export function useArrivals(path: string, rows: Memory[] | undefined): Arrivals {
  const [news, setNews] = useState(NOTHING);
  const [gone, setGone] = useState(NONE);
  const shown = useRef(rows);
  shown.current = rows;
  useEffect(() => {
    setNews(NOTHING);
    let calling: AbortController | undefined;
    const look = async () => {
      calling?.abort();
      calling = new AbortController();
      try {
        const { data, next } = await api<Memory[]>(path, { signal: calling.signal });
        const count = arrived(data, shown.current ?? []);
        setNews({ count, isMore: count === data.length && next !== undefined });
      } catch (error) {
        // it is asked again with the next event; the list itself says when the server is away
        if (!isAbort(error)) setNews(NOTHING);
      }
    };
    const end = whenMemoriesChange((those) => {
      if (those.size > 0) setGone((known) => new Set([...known, ...those]));
      void look();
    });
    return () => {
      end();
      calling?.abort();
    };
  }, [path]);
  // what was new is shown once the list was asked for again
  useEffect(() => setNews(NOTHING), [rows]);
  return { ...news, gone, apply: () => refresh(path) };
}

/** How many of these are not shown and are newer than all that is. */
function arrived(found: Memory[], rows: Memory[]): number {
  const known = new Set(rows.map((row) => row.id));
  const newest = Math.max(0, ...rows.map((row) => Date.parse(row.created_at)));
  return found.filter((memory) => !known.has(memory.id) && Date.parse(memory.created_at) >= newest).length;
}
