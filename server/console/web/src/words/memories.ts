// The list of memories: searching, filtering, writing, and many at once.

import type { ScoredFor } from "../api/types.ts";
import { plural } from "./plural.ts";

export const memories = {
  memories: {
    search: "Search what it can read",
    select: "Select this memory",
    scope: "Scope",
    allScopes: "All",
    order: "Order",
    listOrders: [
      ["", "Newest first"],
      ["confidence", "Most confident first"],
    ] as const,
    searchOrders: [
      ["", "Best match first"],
      ["recent", "Newest first"],
      ["confidence", "Most confident first"],
    ] as const,
    none: (name: string) => `${name} can read no memories yet`,
    how: "Memories get here when an agent commits them, its own or one of its team:",
    nothingMatches: "Nothing matches",
    shown: (count: number, hasMore: boolean) => `${hasMore ? "The first " : ""}${plural(count, "memory", "memories")} shown`,
  },

  received: {
    do: "As its agent",
    what: "The very text that its agent would get for this, in this order: what others wrote is quoted",
    via: { self: "its own", parent: "of its lead", sibling: "of its team", child: "of its member", org: "of the org" },
    copy: "Copy what the agent would get",
  },

  score: {
    of: (score: number) => `score ${score.toFixed(2)}`,
    similarity: (value: number) => `similarity ${value.toFixed(2)}`,
    similarityWhat: "How near it is to what was searched for: the cosine of their vectors, from -1 to 1",
    parts: "What its score is made of",
    names: {
      words: "The words of the query",
      pairs: "Words that stand next to each other",
      meaning: "It means something like the query",
      voice: "It does not sound like who asks",
      named_author: "The query names its author",
      date: "The query names its time",
      before: "What was said before it",
      after: "What was said after it",
      session: "The best of its session",
      recency: "How new its session is",
      confidence: "How certain it is",
      pin: "It is pinned",
    } satisfies Record<ScoredFor, string>,
  },

  modes: {
    title: "How it finds",
    byWords: [
      ["", "Auto"],
      ["keyword", "Words"],
    ] as const,
    meaning: "With an embedder",
    byMeaning: [
      ["semantic", "Meaning"],
      ["hybrid", "Both"],
    ] as const,
  },

  filters: {
    title: "Filters",
    add: "Filter",
    which: "Which",
    value: "Value",
    remove: "Remove this filter",
    missing: "Say what to filter by.",
    without: (sentence: string) => `Without ${sentence}`,
    names: {
      namespace: "Namespace",
      kind: "Kind",
      source: "Source",
      tag: "Tag",
      author: "Author",
      subject: "Subject",
      session_id: "Session",
      run_id: "Run",
      since: "Since",
      until: "Until",
      min_confidence: "Confidence",
    },
    hints: {
      namespace: "The label it is filed under.",
      kind: "fact, summary, checkpoint, or another word.",
      source: "Where it comes from.",
      tag: "One of its tags, whole.",
      author: "The id of the workspace that wrote it.",
      subject: "The id of the end user it is about.",
      session_id: "The session it was made in.",
      run_id: "The id of the run it belongs to.",
      since: "Committed then or later.",
      until: "Committed before.",
      min_confidence: "At least this much, from 0 to 1.",
    },
    said: {
      namespace: (value: string) => `in ${value}`,
      kind: (value: string) => `kind ${value}`,
      source: (value: string) => `from ${value}`,
      tag: (value: string) => `#${value}`,
      author: (value: string) => `by ${value}`,
      subject: (value: string) => `about ${value}`,
      session_id: (value: string) => `session ${value}`,
      run_id: (value: string) => `run ${value}`,
      since: (value: string) => `since ${value}`,
      until: (value: string) => `until ${value}`,
      min_confidence: (value: string) => `confidence ≥ ${value}`,
    },
  },

  audience: {
    alone: "Nobody but this workspace will read it.",
    org: (count: number) => `Everybody in the org: ${count} others.`,
    parent: (name: string) => name,
    siblings: (count: number) => `${count} siblings`,
    children: (count: number) => `${count} children`,
    list: (parts: string[]) =>
      `Read by ${new Intl.ListFormat("en", { style: "long", type: "conjunction" }).format(parts)}.`,
  },

  write: {
    do: "Write",
    title: (name: string) => `Write as ${name}`,
    content: "Content",
    scope: "Scope",
    fields: { namespace: "Namespace", kind: "Kind", tags: "Tags", confidence: "Confidence" },
    tagsExample: "one, another",
    expiry: "Expiry",
    saved: "Saved.",
    replaced: (count: number, kind: string) => `${count} × ${kind}`,
    scrubbed: (what: string) => `Replaced before it was stored: ${what}.`,
  },

  tagging: {
    ask: "Tags…",
    title: (count: number) => `Tag ${plural(count, "memory", "memories")}`,
    add: "Add",
    takeAway: "Take away",
    do: (count: number) => `Tag ${plural(count, "memory", "memories")}`,
    done: (count: number) => `${plural(count, "memory is", "memories are")} tagged.`,
  },
} as const;
