// Scores: how well something matched, and what that is made of.

import type { ScorePart } from "../api/types.ts";
import { words } from "../words.ts";

/** A score, and on demand its parts. */
export function Score({ score, parts }: { score: number; parts: ScorePart[] }) {
  return (
    <details class="score">
      <summary>{words.score.of(score)}</summary>
      <ScoreParts parts={parts} />
    </details>
  );
}

/** How near a memory is to what the query means. */
export function Similarity({ value }: { value: number }) {
  return <span title={words.score.similarityWhat}>{words.score.similarity(value)}</span>;
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
