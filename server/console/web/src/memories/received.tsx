import type { Memory } from "../api/types.ts";
import { ScopeChip } from "../parts/chips.tsx";
import { Link } from "../parts/controls.tsx";
import { Score, Similarity } from "../parts/score.tsx";
import { Copy } from "../parts/text.tsx";
import { pathWith } from "../route.ts";
import { words } from "../words.ts";

interface ReceivedRowProps {
  memory: Memory;
  /** Its place in the list, from 1. */
  place: number;
  isOpen: boolean;
}

/** One memory as the workspace's agent gets it: whole, by the way on which it is in reach, with its score. */
export function ReceivedRow({ memory, place, isOpen }: ReceivedRowProps) {
  const { score, via, explanation, similarity_score: similarity } = memory;
  return (
    <li>
      <Link
        to={pathWith({ m: memory.id })}
        class={`memory ${isOpen ? "open" : ""}`}
        aria-current={isOpen ? "page" : undefined}
        data-row={memory.id}
      >
        <span class="place">{place}</span>
        <span class="received-text">
          <bdi>{memory.content}</bdi>
        </span>
      </Link>
      <p class="memory-facts">
        <ScopeChip scope={memory.scope} />
        <span>{words.received.via[via]}</span>
        <Copy text={memory.content} label={words.received.copy} />
        {similarity !== undefined && similarity !== null && <Similarity value={similarity} />}
        {score !== undefined && score !== null && <Score score={score} parts={explanation?.parts ?? []} />}
      </p>
    </li>
  );
}
