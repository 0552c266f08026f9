// What this browser remembers of how one likes it. Nothing of it is secret, and nothing of it is needed.

export interface Preferences {
  theme: "system" | "light" | "dark";
  density: "dense" | "comfortable";
  singleKeys: boolean;
  treeWidth: number;
}

const NAME = "orgmem.console";
const DEFAULTS: Preferences = { theme: "system", density: "dense", singleKeys: true, treeWidth: 320 };

function read(): Preferences {
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
