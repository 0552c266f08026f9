// The keys of a list with a drawer.

import type { RefObject } from "preact";
import { useKeys } from "../keys.ts";
import { moveFocus } from "../memories/rows.ts";

interface ListKeys {
  list: RefObject<HTMLElement | null>;
  field?: RefObject<HTMLInputElement | null>;
  /** Loads more rows after the last one. */
  more?: () => void;
  /** Reloads a list that has changed. */
  reload?: (() => void) | undefined;
  /** Closes the topmost thing; false if there is none. */
  onEscape: () => void | boolean;
}

export function useListKeys({ list, field, more, reload, onEscape }: ListKeys): void {
  const next = () => moveFocus(list.current, 1, more);
  const previous = () => moveFocus(list.current, -1);
  useKeys({
    "/": () => (field?.current ? field.current.select() : false),
    "j": next,
    "ArrowDown": next,
    "k": previous,
    "ArrowUp": previous,
    ".": () => (reload ? reload() : false),
    "Escape": onEscape,
  });
}
