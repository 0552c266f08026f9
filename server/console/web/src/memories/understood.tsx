import type { Memory } from "../api/types.ts";
import { Stored } from "../parts/stored.tsx";
import { strings } from "../strings.ts";

/** The words of the query that no memory has, and what they were understood as. */
export function Understood({ memories }: { memories: Memory[] }) {
  const words = new Map(memories.flatMap((memory) => Object.entries(memory.understood ?? {})));
  if (words.size === 0) return null;
  return (
    <p class="quiet understood" role="status">
      {[...words].map(([word, meant]) => (
        <span key={word}>
          <Stored>{strings.memories.understood(word, meant)}</Stored>{" "}
        </span>
      ))}
    </p>
  );
}
