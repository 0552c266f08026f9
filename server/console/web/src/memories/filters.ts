// The filters of the list of memories: parameters of the address, of the server's call, and words of a sentence.

import type { Parameters } from "../api/calls.ts";
import { short } from "../parts/time.tsx";
import { words } from "../words.ts";

/** Those that the server's call has, by its names. */
export const FILTERS = [
  "namespace",
  "kind",
  "source",
  "tag",
  "author",
  "subject",
  "session_id",
  "run_id",
  "since",
  "until",
  "min_confidence",
] as const;
export type Filter = (typeof FILTERS)[number];

export const SOURCES = ["agent", "user", "tool", "eval", "manual", "runtime", "processor"] as const;
export const SCOPES = ["LOCAL", "TEAM", "GLOBAL"] as const;

/** Whether the list is shown as the workspace's agent gets it. */
export const isAsAgent = (query: URLSearchParams): boolean => query.get("eyes") === "agent";

/** What is asked of the server for this address. */
export function asked(query: URLSearchParams, text: string): Parameters {
  const names = [...FILTERS, "scope", "mode", "order"] as const;
  const given = names.map((name) => [name, query.get(name) ?? undefined] as const);
  const quoted = isAsAgent(query) ? "true" : undefined;
  // what each score is made of, told by the very search that it is of
  const explain = text === "" ? undefined : quoted;
  return { ...Object.fromEntries(given), q: text === "" ? undefined : text, quoted, explain };
}

/** The filters in force, as one reads them. */
export function inForce(query: URLSearchParams, nameOf: (id: string) => string): Array<[Filter, string]> {
  const given = FILTERS.map((name) => [name, query.get(name)] as const);
  return given.flatMap(([name, value]) => (value === null ? [] : [[name, said(name, value, nameOf)]]));
}

function said(name: Filter, value: string, nameOf: (id: string) => string): string {
  switch (name) {
    case "author":
      return words.filters.said.author(nameOf(value));
    case "since":
    case "until":
      return words.filters.said[name](short(value));
    default:
      return words.filters.said[name](value);
  }
}

/** What a filter is taken from what was typed: text as it is, days as instants; nothing when it is none. */
export function read(name: Filter, typed: string): string | undefined {
  const text = typed.trim();
  if (name !== "since" && name !== "until") return text === "" ? undefined : text;
  const instant = new Date(text);
  return Number.isNaN(instant.getTime()) ? undefined : instant.toISOString();
}
