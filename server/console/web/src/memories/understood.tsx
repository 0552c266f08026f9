import type { Memory } from "../api/types.ts";
import { Stored } from "../parts/stored.tsx";
import { strings } from "../strings.ts";

/** What the words of the query were understood as. */
function meanings(memories: Memory[]): Map<string, string> {
  return new Map(memories.flatMap((memory) => Object.entries(memory.understood ?? {})));
}

/** The query and what its words were understood as: the words to mark in the results. */
export function withMeanings(query: string, memories: Memory[]): string {
  return [query, ...meanings(memories).values()].join(" ");
}

/** The words of the query that no memory has, and what they were understood as. */
export function Understood({ memories }: { memories: Memory[] }) {
  const words = meanings(memories);
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
