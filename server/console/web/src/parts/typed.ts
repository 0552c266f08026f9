import { useEffect, useState } from "preact/hooks";

/** After how long without a key what was typed counts, in milliseconds. */
const PAUSE_MS = 150;

/** What was typed, once the typing pauses. */
export function useTyped(text: string): string {
  const [settled, set] = useState(text);
  useEffect(() => {
    if (text === settled) return;
    const timer = setTimeout(() => set(text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text, settled]);
  return settled;
}
