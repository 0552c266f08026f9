// Addresses. Everything that one can look at has one, so reload, Back and a link sent to a colleague bring it back.

import { useEffect, useState } from "preact/hooks";
import { CONSOLE, isEmbedded } from "./base.ts";

/** The views of one workspace, in the order of their keys. */
export const TABS = ["memories", "state", "timeline", "reach", "profiles", "runs", "access", "connect"] as const;
export type Tab = (typeof TABS)[number];

/** Where one is. */
export type Place =
  | { at: "home" }
  | { at: "system" }
  | { at: "audit" }
  | { at: "workspace"; id: string; tab: Tab }
  | { at: "nowhere" };

export interface Route {
  place: Place;
  query: URLSearchParams;
}

/** The path below the console's folder, without it. */
function below(): string {
  return decodeURI(location.pathname).slice(decodeURI(CONSOLE.pathname).length);
}

/** What was said to the embedded page when it was opened, and holds for all of it. */
const KEPT = ["theme", "keys"];

function placeOf(path: string): Place {
  if (isEmbedded) return { at: "workspace", id: path.split("/").at(-1) ?? "", tab: "memories" };
  const [first, id, tab] = path.split("/");
  if (first === "" || first === undefined) return { at: "home" };
  if (first === "system" && id === undefined) return { at: "system" };
  if (first === "audit" && id === undefined) return { at: "audit" };
  if (first === "w" && id && (tab === undefined || tab === "")) return { at: "workspace", id, tab: "memories" };
  const known = TABS.find((name) => name === tab);
  if (first === "w" && id && known) return { at: "workspace", id, tab: known };
  return { at: "nowhere" };
}

export function current(): Route {
  return { place: placeOf(below()), query: new URLSearchParams(location.search) };
}

const listeners = new Set<() => void>();

function tell(): void {
  for (const listener of [...listeners]) listener();
}

addEventListener("popstate", tell);

/** The whole address of a path below the console's folder. */
export function address(path: string): string {
  const url = new URL(path, CONSOLE);
  if (isEmbedded) {
    const said = new URLSearchParams(location.search);
    for (const name of KEPT) if (said.has(name)) url.searchParams.set(name, said.get(name) ?? "");
  }
  return url.href;
}

/** Whether a path leads out of the page that another product shows: it shows one list of one workspace, and nothing else. */
export function leadsOut(path: string): boolean {
  // an id may be written in capitals, and the server never writes it so
  const place = (url: URL | Location) => url.pathname.toLowerCase();
  return isEmbedded && place(new URL(path, CONSOLE)) !== place(location);
}

/** Goes to a path below the console's folder. */
export function go(path: string, how: { replace?: boolean } = {}): void {
  if (leadsOut(path)) return;
  const target = address(path);
  if (target === location.href) return;
  if (how.replace) history.replaceState(null, "", target);
  else history.pushState(null, "", target);
  tell();
}

/** The same place with other parameters; `undefined` takes one away. */
export function pathWith(change: Record<string, string | undefined>, route = current()): string {
  const query = new URLSearchParams(route.query);
  for (const [name, value] of Object.entries(change)) {
    if (value === undefined || value === "") query.delete(name);
    else query.set(name, value);
  }
  const text = query.toString();
  return `${pathOf(route.place)}${text === "" ? "" : `?${text}`}`;
}

export function goWith(change: Record<string, string | undefined>, how: { replace?: boolean } = {}): void {
  go(pathWith(change), how);
}

export function pathOf(place: Place): string {
  switch (place.at) {
    case "home":
      return "./";
    case "system":
    case "audit":
      return place.at;
    case "workspace":
      return workspacePath(place.id, place.tab);
    case "nowhere":
      return below();
  }
}

export function workspacePath(id: string, tab: Tab = "memories"): string {
  if (isEmbedded && tab === "memories") return `embed/w/${id}`;
  return `w/${id}/${tab}`;
}

/** Where one is now; drawn anew when that changes. */
export function useRoute(): Route {
  const [route, set] = useState(current);
  useEffect(() => {
    const listener = () => set(current());
    listeners.add(listener);
    listener();
    return () => void listeners.delete(listener);
  }, []);
  return route;
}
