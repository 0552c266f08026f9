// Keyboard shortcuts. Single letters work while no field has the focus, and can be switched off.

import { useLayoutEffect, useRef } from "preact/hooks";
import { preferences } from "./preferences.ts";

/**
 * Handlers by key name: `j`, `Shift+l`, `Mod+k`, `g t`, `Escape`, `ArrowDown`. A handler returns false to pass the key
 * on.
 */
export type Keys = Record<string, (event: KeyboardEvent) => void | boolean>;

/** Time limit for the second key of a pair, in milliseconds. */
const PAIR_MS = 1_000;

const layers: Array<{ current: Keys }> = [];
let pendingKey: { key: string; at: number } | undefined;

/** Registers shortcuts while the component is mounted; the component mounted last takes precedence. */
export function useKeys(keys: Keys): void {
  const ref = useRef(keys);
  ref.current = keys;
  // a layout effect runs before the first paint, so that no early key is lost
  useLayoutEffect(() => {
    layers.push(ref);
    return () => void layers.splice(layers.indexOf(ref), 1);
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

function dispatch(name: string, event: KeyboardEvent): boolean {
  for (const keys of [...layers].reverse()) {
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
  // a modal dialog handles its own keys
  if (document.querySelector("dialog[open]:modal") && name !== "Mod+k") return;
  if (isPlain && !preferences.current.singleKeys && name !== "?") return;
  const pair = pendingKey && event.timeStamp - pendingKey.at < PAIR_MS ? `${pendingKey.key} ${name}` : undefined;
  pendingKey = undefined;
  if (pair !== undefined && dispatch(pair, event)) return;
  if (name === "g") {
    pendingKey = { key: "g", at: event.timeStamp };
    return;
  }
  dispatch(name, event);
});

/** The name of the platform's modifier key. */
export const MOD = /Mac|iPhone|iPad/.test(navigator.platform) ? "⌘" : "Ctrl ";
