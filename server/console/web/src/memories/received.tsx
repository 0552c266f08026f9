import type { Memory } from "../api/types.ts";
import { ScopeChip } from "../parts/chips.tsx";
import { Link } from "../parts/controls.tsx";
import { Score } from "../parts/score.tsx";
import { Copy } from "../parts/text.tsx";
import { pathWith } from "../route.ts";
import { words } from "../words.ts";

interface ReceivedRowProps {
  /** Whose agent gets it. */
  workspace: string;
  /** What was searched for. */
  query: string;
  memory: Memory;
  /** Its place in the list, from 1. */
  place: number;
  isOpen: boolean;
}

/** One memory as the workspace's agent gets it: whole, by the way on which it is in reach, with its score. */
export function ReceivedRow({ workspace, query, memory, place, isOpen }: ReceivedRowProps) {
  const { score, via } = memory;
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
        {score !== undefined && score !== null && (
          <Score workspace={workspace} memory={memory.id} query={query} score={score} />
        )}
      </p>
    </li>
  );
}
