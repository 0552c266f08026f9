// Preferences stored in this browser: no secrets, and nothing that the console needs.

import { isEmbedded } from "./base.ts";

export interface Preferences {
  theme: "system" | "light" | "dark";
  density: "dense" | "comfortable";
  singleKeys: boolean;
  treeWidth: number;
}

const STORAGE_KEY = "orgmem.console";
const DEFAULTS: Preferences = { theme: "system", density: "dense", singleKeys: true, treeWidth: 320 };

const THEMES = ["system", "light", "dark"] as const;

/** The embedded view takes its preferences from the address and stores none. */
function fromAddress(): Preferences {
  const query = new URLSearchParams(location.search);
  const theme = THEMES.find((each) => each === query.get("theme")) ?? DEFAULTS.theme;
  return { ...DEFAULTS, theme, singleKeys: query.get("keys") !== "off" };
}

function load(): Preferences {
  if (isEmbedded) return fromAddress();
  try {
    return { ...DEFAULTS, ...(JSON.parse(localStorage.getItem(STORAGE_KEY) ?? "{}") as Partial<Preferences>) };
  } catch {
    return DEFAULTS;
  }
}

export const preferences: { current: Preferences } = { current: load() };

const listeners = new Set<() => void>();

/** Changes, applies and stores preferences. */
export function setPreferences(change: Partial<Preferences>): void {
  preferences.current = { ...preferences.current, ...change };
  try {
    localStorage.setItem(STORAGE_KEY, JSON.stringify(preferences.current));
  } catch {
    // without storage the preferences last until a reload
  }
  applyPreferences();
  for (const listener of [...listeners]) listener();
}

export function onPreferencesChange(listener: () => void): () => void {
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
