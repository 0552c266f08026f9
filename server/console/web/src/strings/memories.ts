// The list of memories: search, filters, writing and bulk actions.

import type { ScoreFactor } from "../api/types.ts";
import { plural } from "./plural.ts";

export const memories = {
  memories: {
    search: "Search readable memories",
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
    how: "Memories appear here when an agent commits them, its own or one of its team:",
    nothingMatches: "Nothing matches",
    understood: (word: string, meant: string) => `“${word}” was understood as “${meant}”`,
    outdated: "outdated",
    outdatedHint: "A newer memory says the same with another value",
    shown: (count: number, hasMore: boolean) => `${hasMore ? "The first " : ""}${plural(count, "memory", "memories")} shown`,
  },

  agentView: {
    do: "View as agent",
    hint: "The exact text that the agent receives, in this order; content of other workspaces is quoted",
    via: { self: "own", parent: "from its lead", sibling: "from its team", child: "from its member", org: "from the org" },
    copy: "Copy the text that the agent receives",
  },

  score: {
    of: (score: number) => `score ${score.toFixed(2)}`,
    similarity: (value: number) => `similarity ${value.toFixed(2)}`,
    similarityHint: "Cosine similarity of the memory and the query, from -1 to 1",
    parts: "Parts of the score",
    names: {
      words: "Query words",
      pairs: "Adjacent word pairs",
      meaning: "Semantic similarity",
      voice: "Different speaker",
      named_author: "Author named in the query",
      date: "Date named in the query",
      before: "Memory before it",
      after: "Memory after it",
      session: "Best of its session",
      recency: "Recency of its session",
      confidence: "Confidence",
      pin: "Pinned",
      version: "Another version of it",
      repetition: "Repeats another result",
    } satisfies Record<ScoreFactor, string>,
  },

  modes: {
    title: "Search mode",
    keyword: [
      ["", "Auto"],
      ["keyword", "Keyword"],
    ] as const,
    withEmbedder: "With an embedder",
    semantic: [
      ["semantic", "Semantic"],
      ["hybrid", "Hybrid"],
    ] as const,
  },

  filters: {
    title: "Filters",
    add: "Filter",
    which: "Field",
    value: "Value",
    pinned: [
      ["true", "pinned"],
      ["false", "not pinned"],
    ] as const,
    remove: "Remove this filter",
    missing: "Enter a value.",
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
      pinned: "Pinned",
    },
    hints: {
      namespace: "The label of the memory.",
      kind: "fact, summary, checkpoint or another word.",
      source: "The origin of the memory.",
      tag: "A whole tag.",
      author: "The id of the workspace that wrote it.",
      subject: "The id of the end user it is about.",
      session_id: "The session in which it was written.",
      run_id: "The id of the run it belongs to.",
      since: "Committed at this time or later.",
      until: "Committed before this time.",
      min_confidence: "Minimum, from 0 to 1.",
      pinned: "Listed before the others, or not.",
    },
    sentences: {
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
      pinned: (value: string) => (value === "false" ? "not pinned" : "pinned"),
    },
  },

  audience: {
    none: "Only this workspace can read it.",
    org: (count: number) => `Everyone in the org: ${count} other workspaces.`,
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
    fields: { title: "Title", namespace: "Namespace", kind: "Kind", tags: "Tags", confidence: "Confidence" },
    titleExample: "one line, searchable",
    tagsExample: 'one, "two, with a comma"',
    expiry: "Expiry",
    saved: "Saved.",
    replaced: (count: number, kind: string) => `${count} × ${kind}`,
    scrubbed: (what: string) => `Replaced before it was stored: ${what}.`,
  },

  tagging: {
    ask: "Tags…",
    title: (count: number) => `Tag ${plural(count, "memory", "memories")}`,
    add: "Add",
    remove: "Remove",
    do: (count: number) => `Tag ${plural(count, "memory", "memories")}`,
    done: (count: number) => `${plural(count, "memory", "memories")} tagged.`,
  },
} as const;
