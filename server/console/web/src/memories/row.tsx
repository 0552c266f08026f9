import type { Memory } from "../api/types.ts";
import { ScopeChip } from "../parts/chips.tsx";
import { Link } from "../parts/controls.tsx";
import { Pin } from "../parts/icons.tsx";
import { Similarity } from "../parts/score.tsx";
import { Stored } from "../parts/stored.tsx";
import { Content } from "../parts/text.tsx";
import { Time, distance, useNow } from "../parts/time.tsx";
import { strings } from "../strings.ts";

interface RowProps {
  memory: Memory;
  /** The words to mark. */
  query: string;
  /** The name of its author; undefined for the workspace whose list it is. */
  author?: string | undefined;
  /** The address of the memory. */
  to: string;
  isOpen?: boolean;
  isSelected?: boolean;
  /** Toggles the selection; absent where no bulk action is permitted. */
  onSelect?: (() => void) | undefined;
}

/** Characters of content per row: more than two lines can show. */
const SHOWN = 400;

/** One memory in a list; the whole row is a link. */
export function MemoryRow({ memory, query, author, to, isOpen = false, isSelected = false, onSelect }: RowProps) {
  const now = useNow();
  const facts = [memory.kind, memory.namespace, ...memory.tags.slice(0, 3).map((tag) => `#${tag}`)];
  return (
    <li class={isSelected ? "selected" : ""}>
      {onSelect && (
        <input
          type="checkbox"
          class="select-row"
          tabIndex={-1}
          aria-label={strings.memories.select}
          checked={isSelected}
          onChange={onSelect}
        />
      )}
      <Link
        to={to}
        class={`memory ${isOpen ? "open" : ""}`}
        aria-current={isOpen ? "page" : undefined}
        data-row={memory.id}
      >
        <span class="memory-text">
          {memory.title && (
            <strong>
              <Content text={memory.title} query={query} />{" "}
            </strong>
          )}
          <Content text={memory.content.slice(0, SHOWN)} query={query} />
        </span>
        <span class="memory-facts">
          <ScopeChip scope={memory.scope} of={author} />
          {memory.pin && (
            <span class="pinned">
              <Pin />
              {strings.memory.pinned}
            </span>
          )}
          <TierMark memory={memory} />
          {facts.map((fact, index) => (
            <span key={`${index} ${fact}`} class="fact">
              <Stored>{fact}</Stored>
            </span>
          ))}
          {memory.similarity_score !== undefined && memory.similarity_score !== null && (
            <Similarity value={memory.similarity_score} />
          )}
          {memory.outdated_by && <span title={strings.memories.outdatedHint}>{strings.memories.outdated}</span>}
          {memory.expires_at && (
            <span class="expires">{strings.memory.expiresIn(distance(now, Date.parse(memory.expires_at)))}</span>
          )}
        </span>
        <span class="memory-side">
          <Time at={memory.created_at} brief />
          <span class="confidence" title={strings.memory.confidence}>
            {strings.memory.confidenceOf(memory.confidence)}
          </span>
        </span>
      </Link>
    </li>
  );
}

/** The tier of a memory that does not live on for everybody. */
function TierMark({ memory: { tier, subject } }: { memory: Memory }) {
  if (tier !== "session" && tier !== "user") return null;
  return (
    <span class="fact tier" title={strings.memories.tierHint[tier]}>
      {strings.filters.tiers[tier]}
      {subject && (
        <>
          {" "}
          <Stored>{subject}</Stored>
        </>
      )}
    </span>
  );
}
