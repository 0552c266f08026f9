// What a score is made of: asked for when somebody wants to know, as it costs the server as much as a search.

import { useState } from "preact/hooks";
import { at } from "../api/calls.ts";
import { useResource } from "../api/resource.ts";
import type { ScorePart, Why } from "../api/types.ts";
import { words } from "../words.ts";
import { Refused } from "./states.tsx";

interface ScoreProps {
  /** As which workspace it was searched. */
  workspace: string;
  memory: string;
  query: string;
  score: number;
}

/** A score, and on demand its parts. */
export function Score({ workspace, memory, query, score }: ScoreProps) {
  const [isOpen, open] = useState(false);
  const why = useResource<Why>(isOpen ? at.why(workspace, memory, query) : undefined);
  return (
    <details class="score" onToggle={(event) => open(event.currentTarget.open)}>
      <summary>{words.score.of(score)}</summary>
      {why.failure && <Refused failure={why.failure} />}
      {why.data && <ScoreParts parts={why.data.parts ?? []} />}
    </details>
  );
}

/** The parts, which add up to the score; what holds it back is below 0. */
export function ScoreParts({ parts }: { parts: ScorePart[] }) {
  if (parts.length === 0) return null;
  return (
    <table class="score-parts" aria-label={words.score.parts}>
      <tbody>
        {parts.map(({ part, value }) => (
          <tr key={part}>
            <th scope="row">{words.score.names[part]}</th>
            <td class="number">{value.toFixed(3)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
