// What a workspace does: its keys, its timeline, its runs.

import type { RunStatus } from "../api/types.ts";
import { plural } from "./plural.ts";

export const work = {
  state: {
    prefix: "Keys that begin with…",
    put: "New key",
    one: "Key",
    key: "Key",
    keyHint: "Such as task/current; up to 256 bytes.",
    value: "Value",
    version: "Version",
    versionOf: (version: number) => `version ${version}`,
    expires: "Expires",
    expiresAt: (when: string) => `expires ${when}`,
    changed: "Changed",
    asJson: "Saved as JSON.",
    asText: "Saved as text: it is no JSON.",
    ttl: "Expires",
    ttlHint: "Saving without an expiry clears an earlier one.",
    save: "Save",
    saved: (version: number) => `Saved as version ${version}.`,
    drop: "Delete",
    dropTitle: "Delete this key",
    dropWhat: (key: string, version: number, name: string) =>
      `${key}, version ${version}, of ${name} will be gone. A key set again goes on with the next version.`,
    dropped: (key: string) => `Deleted ${key}.`,
    gone: "It has expired or was deleted. The text stays here; saving it sets the key anew.",
    none: (name: string) => `${name} keeps no working state yet`,
    nothingMatches: (prefix: string) => `No key begins with ${prefix}`,
    how: "Keys get here when its agent sets them:",
  },

  timeline: {
    search: "Words, beginnings or parts",
    kind: "Kind",
    kinds: [
      ["", "All"],
      ["activity", "Activity"],
      ["memory", "Memories"],
      ["reads", "Reads"],
    ] as const,
    orders: [
      ["", "Newest first"],
      ["relevance", "Best match first"],
    ] as const,
    none: (name: string) => `Nothing has happened at ${name} yet`,
    nothingMatches: "Nothing matches",
    how: "What its agent does and remembers shows up here as it happens.",
    request: "Sent",
    response: "Came back",
  },

  reads: {
    which: "Which reads",
    kinds: [
      ["search_memories", "Searches and lists"],
      ["inject_memories", "Put into prompts"],
      ["read_memory", "Single memories"],
      ["search_session", "“What happened?”"],
    ] as const,
    none: (name: string) => `Nothing was read as ${name} in this way yet`,
    came: (action: string, count: number) =>
      action === "inject_memories"
        ? `${plural(count, "memory", "memories")} put into a prompt`
        : `${plural(count, "memory", "memories")} came back`,
    hash: "The hash of what was searched for: the log keeps no words. The same words have the same hash.",
    inOrder: "In the order in which they came back",
    version: (id: string, version: number) => (version > 0 ? `${id}, version ${version}` : id),
  },

  profiles: {
    isDefault: "default",
    new: "New profile",
    add: "New profile",
    delete: "Delete profile",
    deleteTitle: (name: string) => `Delete the profile ${name}`,
    deleteWhat: "Its memories belong to the default profile from then on. This cannot be undone.",
    deleted: (name: string) => `${name} is deleted.`,
    save: "Save",
    create: "Create profile",
    saved: (name: string) => `${name} is saved.`,
    labels: {
      name: "Name",
      isDefault: "The default one: it says how far the workspace reads, and which kinds it leaves out",
      isolation: "How far",
      reads: "What it reads",
      keeps: "What it keeps",
      injects: "What goes before a prompt",
      age: "For how long",
      ageIn: "Unit",
      entries: "How many",
      strategy: "What comes first",
      scopes: "Of which scopes",
      limit: "At most so many",
      confidence: "At least so confident",
      budget: "Tokens at most",
      kinds: "Kinds that it leaves out",
    },
    hints: {
      name: "One line, unique here.",
      age: "After the last change. Empty: for good.",
      entries: "Pinned ones, then the newest. Empty: all.",
      scopes: "None ticked: of all.",
      limit: "From 1 to 50.",
      confidence: "From 0 to 1. Empty: any.",
      budget: "Four bytes count as one. Empty: any.",
      kinds: "Separated by commas. They are neither committed nor recalled.",
    },
    ages: [
      ["86400", "days"],
      ["3600", "hours"],
      ["60", "minutes"],
      ["1", "seconds"],
    ] as const,
    inForce: "In force now, for whoever calls as this workspace.",
    ofItsBlock: "It is not the default one: this holds for its own block alone.",
    widens: "From then on it reads again what the tree lets it.",
    narrows: (count: number) =>
      count === 0
        ? "Nothing that it reads now would go."
        : `From then on ${plural(count, "memory that it reads now does", "memories that it reads now do")} not exist for it.`,
    narrowsUnknown: "From then on – memories that it reads now do not exist for it.",
    expires: ({ expires, too_old, too_many }: { expires: number; too_old: number; too_many: number }) => {
      const why = [too_old > 0 && `${too_old} too old`, too_many > 0 && `${too_many} too many`].filter(Boolean).join(", ");
      return `${plural(expires, "memory of this profile expires", "memories of this profile expire")} now, with the next sweep within a minute: ${why}.`;
    },
    expiresUnknown: "– memories of this profile expire by this.",
    expireTitle: (name: string) => `Save ${name}`,
    expireWhat: "What they say is gone then, with all their versions. A laxer profile does not bring them back.",
    expire: (count: number) => `Save, and let ${plural(count, "memory", "memories")} expire`,
    isolations: [
      ["tree", "As far as the tree lets it"],
      ["team", "Nothing that is shared with the whole org"],
      ["isolated", "Its own memories alone"],
    ] as const,
    strategies: [
      ["confidence", "The most confident, then the newest"],
      ["recent", "Pinned ones, then the newest"],
      ["relevance", "The best match of the query"],
      ["off", "Nothing goes in"],
    ] as const,
  },

  context: {
    title: "What an agent would get",
    what: "The block that goes before a prompt, by the profile as it is saved. Each look is a read, and stands in the access log.",
    notYet: "Shown once the profile is made.",
    query: "What the prompt is about",
    queryHint: "May be left empty.",
    ask: "Show the block",
    block: "The block",
    size: (count: number, tokens: number, budget: number | undefined) =>
      `${plural(count, "memory", "memories")}, ${plural(tokens, "token", "tokens")}${budget === undefined ? "" : ` of ${budget}`}`,
    empty: "Nothing goes in.",
    /** The server names 50 at most. */
    leftOut: (count: number) =>
      count < 50 ? `Not in it: ${plural(count, "memory", "memories")}` : `Not in it, the first ${count} of those next in line`,
  },

  runs: {
    one: "Run",
    status: "Status",
    statuses: {
      open: "Open",
      completed: "Completed",
      failed: "Failed",
      cancelled: "Cancelled",
      timed_out: "Timed out",
    } satisfies Record<RunStatus, string>,
    all: "All",
    session: "Session",
    by: "Started by",
    started: "Started",
    ends: "Ends",
    ended: "Ended",
    timesOut: "Times out",
    left: (far: string) => `in ${far}`,
    overdue: "any moment",
    memories: "Memories",
    counts: (status: RunStatus, written: number, dropped: number) =>
      status === "open"
        ? `${written} pending`
        : [...(written > 0 ? [`${written} committed`] : []), ...(dropped > 0 ? [`${dropped} dropped`] : [])].join(", ") || "none",
    unnamed: "Without a name",
    pending: (count: number) => (count === 0 ? "Nothing is pending" : `${plural(count, "memory", "memories")} pending`),
    unread: "Not readable by anyone yet: in no list, no search, no count.",
    never: "What was pending in it never was, and nothing of it is kept.",
    written: (count: number) => (count === 1 ? "The memory that it committed" : `The ${count} memories that it committed`),
    log: "What was done in it",
    finish: (count: number) => (count === 0 ? "Finish" : `Finish: commit ${plural(count, "memory", "memories")}`),
    finishTitle: "Finish this run",
    finishWhat: (name: string, count: number) =>
      count === 0
        ? `The run ends well. Nothing is pending in it.`
        : `All that is pending is committed at once as ${name}, by the tree and the rules as they are now, and is read from then on by whoever its scope says. If one of it cannot be, nothing is and the run stays open.`,
    finished: (written: number) => `The run is completed: ${plural(written, "memory", "memories")} committed.`,
    drop: (count: number) => (count === 0 ? "Call it off" : `Drop ${plural(count, "memory", "memories")}`),
    dropTitle: "Drop this run",
    dropWhat: "What is pending goes for good, as if it had never been written. The run stays in the list as cancelled.",
    dropped: (count: number) => `The run is cancelled: ${plural(count, "memory", "memories")} dropped.`,
    none: (name: string) => `${name} has had no runs yet`,
    nothingMatches: (status: string) => `No run is ${status.toLowerCase()}`,
    how: "What is committed within a run waits until the run ends well, and never was if it does not. A runtime starts one:",
  },
} as const;
