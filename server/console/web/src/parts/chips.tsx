// Chips: a scope, or a filter that can be taken away.

import type { ComponentChildren } from "preact";
import type { Scope } from "../api/types.ts";
import { words } from "../words.ts";
import { Cross, ScopeSign } from "./icons.tsx";

/** A scope by colour, sign and word; `of` says whose, where that is not the reader's own. */
export function ScopeChip({ scope, of }: { scope: Scope; of?: string | undefined }) {
  return (
    <span class={`scope ${scope.toLowerCase()}`}>
      <ScopeSign scope={scope} />
      <span>{scope}</span>
      {of !== undefined && (
        <span class="of">
          <bdi>{of}</bdi>
        </span>
      )}
    </span>
  );
}

/** Something that narrows what is shown. */
export function Chip({ children, onRemove }: { children: ComponentChildren; onRemove: () => void }) {
  return (
    <button
      type="button"
      class="chip"
      onClick={onRemove}
      onKeyDown={(event) => {
        if (event.key === "Delete" || event.key === "Backspace") onRemove();
      }}
    >
      <span class="chip-text">{children}</span>
      <Cross />
      <span class="unseen">{words.filters.remove}</span>
    </button>
  );
}
