// Addresses. Every view has one, so that reload, Back and shared links restore it.

import { useEffect, useState } from "preact/hooks";
import { CONSOLE, isEmbedded } from "./base.ts";

/** The views of one workspace, in the order of their keys. */
export const TABS = ["memories", "state", "timeline", "reach", "profiles", "runs", "access", "connect", "pages", "reviews", "skills", "knowledge", "subject"] as const;
export type Tab = (typeof TABS)[number];

/** The current screen. */
export type Screen =
  | { name: "home" }
  | { name: "system" }
  | { name: "audit" }
  | { name: "search" }
  | { name: "workspace"; id: string; tab: Tab }
  | { name: "not_found" };

export interface Route {
  screen: Screen;
  query: URLSearchParams;
}

/** The current path, relative to the console's folder. */
function consolePath(): string {
  return decoded(location.pathname).slice(decoded(CONSOLE.pathname).length);
}

/** A path that is not valid UTF-8 stays as it is; no screen has it. */
function decoded(path: string): string {
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}

/** Parameters that the host page sets and that every address of the embedded view keeps. */
const EMBED_PARAMETERS = ["theme", "keys"];

function screenOf(path: string): Screen {
  if (isEmbedded) return { name: "workspace", id: path.split("/").at(-1) ?? "", tab: "memories" };
  const [first, id, tab] = path.split("/");
  if (first === "" || first === undefined) return { name: "home" };
  if (first === "system" && id === undefined) return { name: "system" };
  if (first === "audit" && id === undefined) return { name: "audit" };
  if (first === "search" && id === undefined) return { name: "search" };
  if (first === "w" && id && (tab === undefined || tab === "")) return { name: "workspace", id, tab: "memories" };
  const known = TABS.find((name) => name === tab);
  if (first === "w" && id && known) return { name: "workspace", id, tab: known };
  return { name: "not_found" };
}

export function current(): Route {
  return { screen: screenOf(consolePath()), query: new URLSearchParams(location.search) };
}

const listeners = new Set<() => void>();

function notify(): void {
  for (const listener of [...listeners]) listener();
}

/** Decides whether the page may leave an address; otherwise it keeps `proceed` and calls it later, or never. */
type LeaveGuard = (from: URL, to: URL, proceed: () => void) => boolean;

let mayLeave: LeaveGuard = () => true;

export function setLeaveGuard(guard: LeaveGuard): void {
  mayLeave = guard;
}

/** The address that is shown, and its position in the history of this page. */
let shown = new URL(location.href);
let position = positionOf(history.state);
let isReturning = false;

function positionOf(state: unknown): number {
  return (state as { position?: number } | null)?.position ?? 0;
}

/** The address has changed already; if the page may not leave, it changes back. */
addEventListener("popstate", (event) => {
  if (isReturning) {
    isReturning = false;
    return;
  }
  const steps = positionOf(event.state) - position;
  if (steps !== 0 && !mayLeave(shown, new URL(location.href), () => history.go(steps))) {
    isReturning = true;
    return history.go(-steps);
  }
  position += steps;
  shown = new URL(location.href);
  notify();
});

/** The absolute address of a path below the console's folder. */
export function address(path: string): string {
  const url = new URL(path, CONSOLE);
  if (isEmbedded) {
    const current = new URLSearchParams(location.search);
    for (const name of EMBED_PARAMETERS) if (current.has(name)) url.searchParams.set(name, current.get(name) ?? "");
  }
  return url.href;
}

/** Whether a path leaves the embedded view, which shows only one list of one workspace. */
export function leavesEmbed(path: string): boolean {
  // the address may contain the id in capitals; the server writes lower case
  const pathOfUrl = (url: URL | Location) => url.pathname.toLowerCase();
  return isEmbedded && pathOfUrl(new URL(path, CONSOLE)) !== pathOfUrl(location);
}

interface Navigation {
  replace?: boolean;
  /** Whether the text of the form that this leaves is saved. */
  isSaved?: boolean;
  /** Called after the navigation, which the user may have to confirm. */
  onDone?: () => void;
}

/** Navigates to a path below the console's folder. */
export function go(path: string, how: Navigation = {}): void {
  if (leavesEmbed(path)) return;
  const target = new URL(address(path));
  if (target.href === location.href) return;
  const proceed = () => {
    if (!how.replace) position += 1;
    history[how.replace ? "replaceState" : "pushState"]({ position }, "", target);
    shown = target;
    notify();
    how.onDone?.();
  };
  if (how.isSaved || mayLeave(shown, target, proceed)) proceed();
}

/** The same screen with other parameters; `undefined` removes one. */
export function pathWith(change: Record<string, string | undefined>, route = current()): string {
  const query = new URLSearchParams(route.query);
  for (const [name, value] of Object.entries(change)) {
    if (value === undefined || value === "") query.delete(name);
    else query.set(name, value);
  }
  const text = query.toString();
  return `${pathOf(route.screen)}${text === "" ? "" : `?${text}`}`;
}

export function goWith(change: Record<string, string | undefined>, how: Navigation = {}): void {
  go(pathWith(change), how);
}

export function pathOf(screen: Screen): string {
  switch (screen.name) {
    case "home":
      return "./";
    case "system":
    case "audit":
    case "search":
      return screen.name;
    case "workspace":
      return workspacePath(screen.id, screen.tab);
    case "not_found":
      return consolePath();
  }
}

export function workspacePath(id: string, tab: Tab = "memories"): string {
  if (isEmbedded && tab === "memories") return `embed/w/${id}`;
  return `w/${id}/${tab}`;
}

/** The current route; re-renders when it changes. */
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
