// Keys. Single letters work while no field has the focus, and can be switched off.

import { useLayoutEffect, useRef } from "preact/hooks";
import { preferences } from "./preferences.ts";

/** What keys do, by name: `j`, `Shift+l`, `Mod+k`, `g t`, `Escape`, `ArrowDown`. Gives false to let others have it. */
export type Keys = Record<string, (event: KeyboardEvent) => void | boolean>;

/** How long the second key of a pair is waited for, in milliseconds. */
const PAIR_MS = 1_000;

const stack: Array<{ current: Keys }> = [];
let first: { key: string; at: number } | undefined;

/** These keys work while whoever asks for them is shown; the one shown last is asked first. */
export function useKeys(keys: Keys): void {
  const ref = useRef(keys);
  ref.current = keys;
  // before anybody can see what they do: a key that is pressed at once is not lost
  useLayoutEffect(() => {
    stack.push(ref);
    return () => void stack.splice(stack.indexOf(ref), 1);
  }, []);
}

function nameOf(event: KeyboardEvent): string {
  const letter = event.key.length === 1;
  const modified = event.ctrlKey || event.metaKey ? "Mod+" : "";
  const shifted = event.shiftKey && (!letter || /[a-z]/i.test(event.key)) ? "Shift+" : "";
  return `${modified}${shifted}${letter ? event.key.toLowerCase() : event.key}`;
}

function isField(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches("input:not([type=checkbox], [type=radio]), textarea, select");
}

function take(name: string, event: KeyboardEvent): boolean {
  for (const keys of [...stack].reverse()) {
    const action = keys.current[name];
    if (!action || action(event) === false) continue;
    event.preventDefault();
    return true;
  }
  return false;
}

addEventListener("keydown", (event) => {
  if (event.defaultPrevented || event.isComposing || event.altKey) return;
  const name = nameOf(event);
  const isPlain = !name.startsWith("Mod+") && event.key.length === 1;
  if (isField(event.target) && (isPlain || !/^(Mod\+|Escape)/.test(name))) return;
  // a dialog is a world of its own: only its own keys work, and they are the platform's
  if (document.querySelector("dialog[open]:modal") && name !== "Mod+k") return;
  if (isPlain && !preferences.current.singleKeys && name !== "?") return;
  const pair = first && event.timeStamp - first.at < PAIR_MS ? `${first.key} ${name}` : undefined;
  first = undefined;
  if (pair !== undefined && take(pair, event)) return;
  if (name === "g") {
    first = { key: "g", at: event.timeStamp };
    return;
  }
  take(name, event);
});

/** How the modifier of this machine is written. */
export const MOD = /Mac|iPhone|iPad/.test(navigator.platform) ? "⌘" : "Ctrl ";
