// The memory drawer: content, visibility, provenance, redaction and deletion.

import type { MemoryReader, Role, Scope, Source, RecallCause } from "../api/types.ts";
import { plural } from "./plural.ts";

/** Numbers of reads by agents and by people. */
const byRole = (agents: number, people: number) =>
  [agents > 0 && `${agents} × by agents`, people > 0 && `${people} × by people`].filter(Boolean).join(", ");

const A_ROLE: Record<Role, string> = {
  source: "a source of record",
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
    confidenceOf: (value: number) => `confidence ${value}`,
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
    rawData: "Raw data",
    json: "All fields as JSON",
    curl: "Fetch from the command line",
  },

  visibility: {
    title: "Why it is visible here",
    sentence: (reader: string, scope: Scope, author: string, reason: string) =>
      `${reader} can read ${scope} memories of ${author}: ${reason}.`,
    bound: "It is bound to one team; a workspace that leaves the team can no longer read it.",
    others: (count: number) => `${plural(count, "other workspace", "other workspaces")} can read it`,
    more: (count: number) => `${count} more`,
    nobodyElse: "No other workspace can read it.",
    compare: (one: string, other: string) => `Relationship of ${one} and ${other}`,
  },

  edit: {
    do: "Edit",
    save: "Save",
    hint: "Saving creates a new version; earlier versions stay in the history.",
    saved: (version: number) => `Saved as version ${version}.`,
  },

  history: {
    title: "History",
    version: (version: number) => `Version ${version},`,
    current: "– current",
    option: (version: number, when: string) => `${version} · ${when}`,
    from: "Compare from",
    to: "Compare to",
    restore: (version: number) => `Restore version ${version}`,
    restored: (version: number, now: number) => `Version ${version} is restored as version ${now}.`,
  },

  attributes: {
    do: "Tags, expiry…",
    pin: "Pin",
    unpin: "Unpin",
    save: "Save",
    saved: "Saved.",
    undo: "Undo",
    unchanged: "Unchanged",
    tagsHint: "Separated by commas; a tag that contains a comma is in double quotes.",
  },

  redact: {
    ask: "Redact…",
    title: (count: number) => `Redact ${plural(count, "memory", "memories")}`,
    do: (count: number) => `Redact ${plural(count, "memory", "memories")}`,
    deleted: "Deleted permanently",
    deletedParts: (earlier: number) => [
      earlier > 0 ? `The content, and ${plural(earlier, "earlier version", "earlier versions")}` : "The content",
      "Its index entries",
      "The metadata",
    ],
    retained: "Retained",
    retainedParts: ["Its id, author, scope and times", "Who redacted it, when and why", "Hashes in the audit log"],
    affected: (author: string, names: string[], count: number, isOwn: boolean) =>
      count === 0
        ? `Only ${author} can read it; no other workspace is affected.`
        : `${new Intl.ListFormat("en", { type: "conjunction" }).format([
            ...(isOwn ? [] : [author]),
            ...names,
            ...(count > names.length ? [`${count - names.length} more`] : []),
          ])} will no longer find it. This cannot be undone.`,
    readers: (readers: readonly MemoryReader[], runs: number, isPartial: boolean) =>
      readers.length === 0
        ? `No workspace that you can see has read it${isPartial ? " in the searched part of the log" : " so far"}.`
        : `Read so far by ${new Intl.ListFormat("en", { type: "conjunction" }).format([
            ...readers.slice(0, 4).map(({ name, reads, reads_by_people: people = 0 }) => `${name} (${byRole(reads - people, people)})`),
            ...(readers.length > 4 ? [`${readers.length - 4} more`] : []),
          ])}${runs > 0 ? `, in ${plural(runs, "run", "runs")}` : ""}${isPartial ? "; the list may be incomplete, because the log was not searched to its start" : ""}.`,
    reason: "Reason",
    reasonHint: "Stored permanently and shown to everyone who opens the memory: do not repeat the redacted content.",
    missing: "Enter a reason.",
    done: (count: number) => `${plural(count, "memory", "memories")} redacted.`,
    selected: (count: number) => `${plural(count, "memory", "memories")} selected`,
    clearSelection: "Clear selection",
    refused: (count: number) => `${plural(count, "memory was", "memories were")} refused and ${count === 1 ? "stays" : "stay"} selected:`,
    notReached: "the connection was lost before it was redacted",
    many: (count: number) =>
      `The content of ${plural(count, "memory", "memories")} is deleted permanently, with all earlier versions. Retained: ids, authors, scopes and times, and who redacted them, when and why.`,
  },

  deletion: {
    ask: "Delete…",
    title: "Delete this memory",
    do: "Delete 1 memory",
    what: "The content is deleted from every table and index, with all earlier versions. Unlike a redaction, a deletion records no reason; the audit log records who deleted it and when.",
    done: "1 memory deleted.",
  },

  causes: {
    found: "Found",
    not_found: "Not found",
    below_minimum: "Score below the minimum",
    collapsed: "Named in another result",
    not_readable: "Not readable",
    expired: "Expired",
    redacted: "Redacted",
    deleted: "Deleted",
    superseded: "Superseded",
    pending: "Pending",
    isolated: "Outside the profile’s isolation",
    kind_excluded: "Kind excluded by the profile",
  } satisfies Record<RecallCause, string>,

  explain: {
    title: (name: string) => `Why ${name} recalls a memory, or not`,
    memory: "Memory",
    memoryHint: "Its id, or words of its content.",
    query: "Query",
    queryHint: "The search query; optional.",
    submit: "Explain",
    select: "Select a memory",
    none: (name: string) => `${name} can read no memory with these words. For a memory that it cannot read, enter the id.`,
    replacement: "The memory that supersedes it",
    open: "Open the memory",
    rank: (rank: number, found: number, query: string) => `Rank ${rank} of ${found} for “${query}”`,
    missing: "Something missing? Find out why",
  },
} as const;
