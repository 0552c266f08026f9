import { useEffect, useState } from "preact/hooks";

/** How long the input must rest before an unrecorded request, in milliseconds. */
const PAUSE_MS = 150;
/**
 * How long it must rest before a request that the audit log records, in milliseconds: longer than the pauses between the
 * keys of a slow typist, so that one query is one row.
 */
export const AUDITED_PAUSE_MS = 800;

/** The text, once it has not changed for a moment. */
export function useDebounced(text: string, pause = PAUSE_MS): string {
  return useSettled(text, pause).settled;
}

interface Settled {
  settled: string;
  /** Takes the current text at once. */
  settle: () => void;
}

export function useSettled(text: string, pause: number): Settled {
  const [settled, set] = useState(text);
  useEffect(() => {
    if (text === settled) return;
    const timer = setTimeout(() => set(text), pause);
    return () => clearTimeout(timer);
  }, [text, settled, pause]);
  return { settled, settle: () => set(text) };
}
