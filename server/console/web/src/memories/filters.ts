// The filters of the list of memories: parameters of the address and of the request, and their labels.

import type { Parameters } from "../api/calls.ts";
import { short } from "../parts/time.tsx";
import { strings } from "../strings.ts";

/** Names as in the server's API. */
export const FILTERS = [
  "namespace",
  "kind",
  "source",
  "tag",
  "author",
  "tier",
  "subject",
  "session_id",
  "run_id",
  "since",
  "until",
  "min_confidence",
  "pinned",
] as const;
export type Filter = (typeof FILTERS)[number];

export const SOURCES = ["agent", "user", "tool", "eval", "manual", "runtime", "processor"] as const;
/** The tiers of memories. */
export const TIERS = ["session", "user", "tenant"] as const;
export const SCOPES = ["LOCAL", "TEAM", "GLOBAL"] as const;

/** Whether the list is shown as the workspace's agent receives it. */
export const isAgentView = (query: URLSearchParams): boolean => query.get("eyes") === "agent";

/** The query parameters for this address. */
export function searchParameters(query: URLSearchParams, text: string): Parameters {
  const names = [...FILTERS, "scope", "mode", "order"] as const;
  const given = names.map((name) => [name, query.get(name) ?? undefined] as const);
  const quoted = isAgentView(query) ? "true" : undefined;
  // scores are explained by the same search that they belong to
  const explain = text === "" ? undefined : quoted;
  return { ...Object.fromEntries(given), q: text === "" ? undefined : text, quoted, explain };
}

/** The active filters with their labels. */
export function activeFilters(query: URLSearchParams, nameOf: (id: string) => string): Array<[Filter, string]> {
  const given = FILTERS.map((name) => [name, query.get(name)] as const);
  return given.flatMap(([name, value]) => (value === null ? [] : [[name, filterText(name, value, nameOf)]]));
}

function filterText(name: Filter, value: string, nameOf: (id: string) => string): string {
  switch (name) {
    case "author":
      return strings.filters.sentences.author(nameOf(value));
    case "tier":
      return strings.filters.sentences.tier(isTier(value) ? strings.filters.tiers[value] : value);
    case "since":
    case "until":
      // the server names a value that is not a time
      return strings.filters.sentences[name](Number.isNaN(Date.parse(value)) ? value : short(value));
    default:
      return strings.filters.sentences[name](value);
  }
}

const isTier = (text: string): text is (typeof TIERS)[number] => TIERS.some((tier) => tier === text);
