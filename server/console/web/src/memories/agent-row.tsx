import type { Memory } from "../api/types.ts";
import { ScopeChip } from "../parts/chips.tsx";
import { Link } from "../parts/controls.tsx";
import { Score, Similarity } from "../parts/score.tsx";
import { Stored } from "../parts/stored.tsx";
import { Copy } from "../parts/text.tsx";
import { pathWith } from "../route.ts";
import { strings } from "../strings.ts";

interface AgentRowProps {
  memory: Memory;
  /** Position in the list, from 1. */
  place: number;
  isOpen: boolean;
}

/** One memory as the agent receives it: the whole text, the relation that makes it readable, and the score. */
export function AgentRow({ memory, place, isOpen }: AgentRowProps) {
  const { score, via, explanation, similarity_score: similarity } = memory;
  const moved = explanation?.reranked?.from_rank;
  return (
    <li>
      <Link
        to={pathWith({ m: memory.id })}
        class={`memory ${isOpen ? "open" : ""}`}
        aria-current={isOpen ? "page" : undefined}
        data-row={memory.id}
      >
        <span class="place">{place}</span>
        <span class="agent-text">
          <Stored>{memory.content}</Stored>
        </span>
      </Link>
      <p class="memory-facts">
        <ScopeChip scope={memory.scope} />
        <span>{strings.agentView.via[via]}</span>
        <Copy text={memory.content} label={strings.agentView.copy} />
        {similarity !== undefined && similarity !== null && <Similarity value={similarity} />}
        {moved !== undefined && moved !== place && <span>{strings.score.reranked(moved)}</span>}
        {score !== undefined && score !== null && <Score score={score} parts={explanation?.parts ?? []} />}
      </p>
    </li>
  );
}
