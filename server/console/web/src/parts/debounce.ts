import { useEffect, useState } from "preact/hooks";

/** How long the input must rest, in milliseconds. */
const PAUSE_MS = 150;

/** The text, once it has not changed for a moment. */
export function useDebounced(text: string): string {
  const [settled, set] = useState(text);
  useEffect(() => {
    if (text === settled) return;
    const timer = setTimeout(() => set(text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text, settled]);
  return settled;
}
