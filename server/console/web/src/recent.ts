// The workspaces that were visited last, in this browser. Signing out removes them.

import { isEmbedded } from "./base.ts";

export interface RecentWorkspace {
  id: string;
  name: string;
}

const STORAGE_KEY = "orgmem.console.recent";
const MOST = 8;

export function recentPlaces(): RecentWorkspace[] {
  try {
    return JSON.parse(localStorage.getItem(STORAGE_KEY) ?? "[]") as RecentWorkspace[];
  } catch {
    return [];
  }
}

export function visited(place: RecentWorkspace): void {
  if (isEmbedded) return;
  const others = recentPlaces().filter(({ id }) => id !== place.id);
  store([place, ...others].slice(0, MOST));
}

export function forgetPlaces(): void {
  store([]);
}

function store(places: RecentWorkspace[]): void {
  try {
    localStorage.setItem(STORAGE_KEY, JSON.stringify(places));
  } catch {
    // without storage there are no recent places
  }
}
