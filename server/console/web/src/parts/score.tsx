// Scores and their parts.

import type { ScorePart } from "../api/types.ts";
import { strings } from "../strings.ts";

/** A score that expands to its parts. */
export function Score({ score, parts }: { score: number; parts: ScorePart[] }) {
  return (
    <details class="score">
      <summary>{strings.score.of(score)}</summary>
      <ScoreParts parts={parts} />
    </details>
  );
}

/** The similarity of a memory and the query. */
export function Similarity({ value }: { value: number }) {
  return <span title={strings.score.similarityHint}>{strings.score.similarity(value)}</span>;
}

/** The parts add up to the score; a penalty is negative. */
export function ScoreParts({ parts }: { parts: ScorePart[] }) {
  if (parts.length === 0) return null;
  return (
    <table class="score-parts" aria-label={strings.score.parts}>
      <tbody>
        {parts.map(({ part, value }) => (
          <tr key={part}>
            <th scope="row">{strings.score.names[part]}</th>
            <td class="number">{value.toFixed(3)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
