// Chips: a scope, or a removable filter.

import type { ComponentChildren } from "preact";
import type { Scope } from "../api/types.ts";
import { strings } from "../strings.ts";
import { CloseIcon, ScopeSign } from "./icons.tsx";
import { Stored } from "./stored.tsx";

/** A scope by colour, sign and word; `of` names the author where it is another workspace. */
export function ScopeChip({ scope, of }: { scope: Scope; of?: string | undefined }) {
  return (
    <span class={`scope ${scope.toLowerCase()}`}>
      <ScopeSign scope={scope} />
      <span>{scope}</span>
      {of !== undefined && (
        <span class="of">
          <Stored>{of}</Stored>
        </span>
      )}
    </span>
  );
}

/** A removable filter. */
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
      <CloseIcon />
      <span class="unseen">{strings.filters.remove}</span>
    </button>
  );
}
