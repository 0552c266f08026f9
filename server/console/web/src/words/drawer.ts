// One memory: what it says, why it is seen, where it comes from, and taking it out.

import type { Role, Scope, Source, WhyCause } from "../api/types.ts";
import { plural } from "./plural.ts";

const A_ROLE: Record<Role, string> = {
  agent: "an agent",
  viewer: "a viewer",
  operator: "an operator",
  admin: "an admin",
};

export const drawer = {
  memory: {
    title: "Memory",
    copy: "Copy the content",
    pinned: "pinned",
    standIn: "Replaced before it was stored",
    confidence: "Confidence, 0 to 1",
    confidenceOf: (value: number) => `confidence ${value.toFixed(2)}`,
    expiresIn: (far: string) => `expires in ${far}`,
    tags: "Tags",
    provenance: "Provenance",
    author: "Author",
    source: "Source",
    sourceOf: (source: Source, role: Role) => `${source}, written by ${A_ROLE[role]}`,
    written: "Written",
    changed: "Changed",
    version: (version: number) => `version ${version}`,
    expires: "Expires",
    subject: "Subject",
    session: "Session",
    run: "Run",
    supersedes: "Supersedes",
    facts: "Facts",
    json: "All fields as JSON",
    curl: "Fetch it from the command line",
  },

  why: {
    title: "Why it is visible here",
    sentence: (reader: string, scope: Scope, author: string, reason: string) =>
      `${reader} reads ${scope} of ${author}: ${reason}.`,
    bound: "It is bound to one team: leaving that team ends the reading.",
    others: (count: number) => (count === 1 ? "One other can read it" : `${count} others can read it`),
    more: (count: number) => `${count} more`,
    nobodyElse: "Nobody else can read it.",
    compare: (one: string, other: string) => `How ${one} and ${other} stand to each other`,
  },

  edit: {
    do: "Edit",
    save: "Save",
    hint: "Saving makes a new version; the earlier ones stay in its history.",
    saved: (version: number) => `Saved as version ${version}.`,
  },

  history: {
    title: "History",
    version: (version: number) => `Version ${version},`,
    current: "– what it says now",
    option: (version: number, when: string) => `${version} · ${when}`,
    from: "Compared from",
    to: "Compared to",
    restore: (version: number) => `Restore version ${version}`,
    restored: (version: number, now: number) => `Version ${version} is restored as version ${now}.`,
  },

  filing: {
    do: "Tags, expiry…",
    pin: "Pin",
    unpin: "Unpin",
    save: "Save",
    saved: "Saved.",
    undo: "Undo",
    keep: "As it is",
    tagsHint: "Separated by commas.",
  },

  redact: {
    ask: "Redact…",
    title: (count: number) => `Redact ${plural(count, "memory", "memories")}`,
    do: (count: number) => `Redact ${plural(count, "memory", "memories")}`,
    gone: "Gone for good",
    goes: (earlier: number) => [
      earlier > 0 ? `The content, and ${plural(earlier, "earlier version", "earlier versions")}` : "The content",
      "Its place in the index",
      "The metadata",
    ],
    stays: "What remains",
    remains: ["Its id, author, scope and times", "Who redacted it, when and why", "Hashes in the access log"],
    noticed: (author: string, names: string[], count: number, isOwn: boolean) =>
      count === 0
        ? `Only ${author} reads it; nobody else will notice.`
        : `${new Intl.ListFormat("en", { type: "conjunction" }).format([
            ...(isOwn ? [] : [author]),
            ...names,
            ...(count > names.length ? [`${count - names.length} more`] : []),
          ])} will no longer find it. It cannot be undone.`,
    readers: (readers: Array<[name: string, reads: number]>, runs: number, isPartial: boolean) =>
      readers.length === 0
        ? `Nobody that you see has read it${isPartial ? ", as far as the log was looked through" : " so far"}.`
        : `Read so far by ${new Intl.ListFormat("en", { type: "conjunction" }).format([
            ...readers.slice(0, 4).map(([name, reads]) => `${name} (${reads} ×)`),
            ...(readers.length > 4 ? [`${readers.length - 4} more`] : []),
          ])}${runs > 0 ? `, in ${plural(runs, "run", "runs")}` : ""}${isPartial ? ", and perhaps more: the log was not looked through to its beginning" : ""}.`,
    reason: "Reason",
    reasonHint: "Kept for good and shown to whoever asks for it: do not repeat what is taken out.",
    missing: "Say why.",
    done: (count: number) => `${plural(count, "memory is", "memories are")} redacted.`,
    selected: (count: number) => `${plural(count, "memory", "memories")} selected`,
    clear: "Select none",
    refused: (count: number) => `${plural(count, "memory was", "memories were")} refused and ${count === 1 ? "stays" : "stay"} selected:`,
    many: (count: number) =>
      `The content of ${plural(count, "memory", "memories")} goes for good, with all earlier versions. What remains: ids, authors, scopes and times, who redacted them, when and why.`,
  },

  forget: {
    ask: "Delete…",
    title: "Delete this memory",
    do: "Delete 1 memory",
    what: "The content goes from every table and index, with all earlier versions. Other than with a redaction no reason is kept; the access log keeps who deleted it and when.",
    done: "1 memory is deleted.",
  },

  causes: {
    found: "Found",
    not_found: "Not found",
    not_readable: "Not readable",
    expired: "Expired",
    redacted: "Redacted",
    deleted: "Deleted",
    superseded: "Replaced",
    pending: "Pending",
    isolated: "Kept out by the profile",
    kind_excluded: "Of a kind left out",
  } satisfies Record<WhyCause, string>,

  ask: {
    title: (name: string) => `Why does ${name} recall it, or not?`,
    memory: "Memory",
    memoryHint: "Its id, or some of its words.",
    query: "Query",
    queryHint: "What was searched for; may be left empty.",
    do: "Ask",
    which: "Which of these?",
    none: (name: string) => `${name} reads nothing with these words. What it cannot read is asked for by its id.`,
    replacement: "What replaces it",
    open: "Open it",
    standing: "How the two stand to each other",
    rank: (rank: number, found: number, query: string) => `Number ${rank} of ${found} for “${query}”`,
    missing: "Something missing? Ask why",
  },
} as const;
