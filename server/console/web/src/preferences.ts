// What this browser remembers of how one likes it. Nothing of it is secret, and nothing of it is needed.

import { isEmbedded } from "./base.ts";

export interface Preferences {
  theme: "system" | "light" | "dark";
  density: "dense" | "comfortable";
  singleKeys: boolean;
  treeWidth: number;
}

const NAME = "orgmem.console";
const DEFAULTS: Preferences = { theme: "system", density: "dense", singleKeys: true, treeWidth: 320 };

const THEMES = ["system", "light", "dark"] as const;

/** Within another product that product says what it looks like, and nothing is remembered. */
function said(): Preferences {
  const query = new URLSearchParams(location.search);
  const theme = THEMES.find((each) => each === query.get("theme")) ?? DEFAULTS.theme;
  return { ...DEFAULTS, theme, singleKeys: query.get("keys") !== "off" };
}

function read(): Preferences {
  if (isEmbedded) return said();
  try {
    return { ...DEFAULTS, ...(JSON.parse(localStorage.getItem(NAME) ?? "{}") as Partial<Preferences>) };
  } catch {
    return DEFAULTS;
  }
}

export const preferences: { current: Preferences } = { current: read() };

const listeners = new Set<() => void>();

/** Changes some, puts them into effect and remembers them. */
export function prefer(change: Partial<Preferences>): void {
  preferences.current = { ...preferences.current, ...change };
  try {
    localStorage.setItem(NAME, JSON.stringify(preferences.current));
  } catch {
    // a browser that keeps nothing still shows everything
  }
  applyPreferences();
  for (const listener of [...listeners]) listener();
}

export function whenPreferencesChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

export function applyPreferences(): void {
  const { theme, density, treeWidth } = preferences.current;
  const root = document.documentElement;
  if (theme === "system") delete root.dataset.theme;
  else root.dataset.theme = theme;
  root.dataset.density = density;
  root.style.setProperty("--tree-width", `${treeWidth}px`);
}
