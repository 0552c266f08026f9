// State, timeline, profiles and runs.

import type { RunStatus } from "../api/types.ts";
import { plural } from "./plural.ts";

export const work = {
  state: {
    prefix: "Filter by key prefix…",
    newKey: "New key",
    title: "Key",
    key: "Key",
    keys: (count: number) => plural(count, "key", "keys"),
    keyHint: "Such as task/current; up to 256 bytes.",
    value: "Value",
    version: "Version",
    versionOf: (version: number) => `version ${version}`,
    expires: "Expires",
    expiresAt: (when: string) => `expires ${when}`,
    changed: "Changed",
    asJson: "Saved as JSON.",
    asText: "Saved as text: it is not JSON.",
    rounds: "This browser rounds large numbers, so it cannot edit values. Use a browser of 2025 or later.",
    ttl: "Expires",
    ttlHint: "Saving without an expiry clears an earlier one.",
    save: "Save",
    saved: (version: number) => `Saved as version ${version}.`,
    delete: "Delete",
    deleteTitle: "Delete this key",
    deleteText: (key: string, version: number, name: string) =>
      `${key}, version ${version}, of ${name} will be deleted. A key that is set again continues with the next version.`,
    deleted: (key: string) => `Deleted ${key}.`,
    gone: "The key expired or was deleted. Your text is still here; saving it sets the key again.",
    none: (name: string) => `${name} has no working state yet`,
    nothingMatches: (prefix: string) => `No key begins with ${prefix}`,
    how: "Keys appear here when its agent sets them:",
  },

  timeline: {
    search: "Words, prefixes or parts of words",
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
    none: (name: string) => `No activity at ${name} yet`,
    nothingMatches: "Nothing matches",
    how: "The activity and memories of its agent appear here as they happen.",
    request: "Request",
    response: "Response",
  },

  reads: {
    which: "Kind of read",
    kinds: [
      ["search_memories", "Searches and lists"],
      ["inject_memories", "Prompt injections"],
      ["read_memory", "Single memories"],
      ["search_session", "Session searches"],
    ] as const,
    none: (name: string, by: string) => `No reads of this kind by ${by} as ${name} yet`,
    returned: (action: string, count: number) =>
      action === "inject_memories"
        ? `${plural(count, "memory", "memories")} injected into a prompt`
        : `${plural(count, "memory", "memories")} returned`,
    hash: "Hash of the query: the log stores no query text. Equal queries have equal hashes.",
    inOrder: "In the order returned",
    version: (id: string, version: number) => (version > 0 ? `${id}, version ${version}` : id),
  },

  profiles: {
    isDefault: "default",
    absent: (name: string) => `There is no profile with the id in the address; this is ${name}.`,
    new: "New profile",
    add: "New profile",
    delete: "Delete profile",
    deleteTitle: (name: string) => `Delete the profile ${name}`,
    deleteText: "Its memories move to the default profile. This cannot be undone.",
    deleted: (name: string) => `${name} deleted.`,
    save: "Save",
    create: "Create profile",
    saved: (name: string) => `${name} saved.`,
    labels: {
      name: "Name",
      isDefault: "Default profile: sets the isolation and the excluded kinds of the workspace",
      isolation: "Isolation",
      reads: "Reading",
      keeps: "Retention",
      injects: "Context block",
      age: "Maximum age",
      ageIn: "Unit",
      entries: "Maximum memories",
      strategy: "Order",
      scopes: "Scopes",
      limit: "Maximum entries",
      confidence: "Minimum confidence",
      budget: "Token budget",
      kinds: "Excluded kinds",
      pageScope: "Readers of its pages",
    },
    hints: {
      name: "One line, unique here.",
      age: "Counted from the last change. Empty: no limit.",
      entries: "Keeps pinned memories, then the newest. Empty: no limit.",
      scopes: "None selected: all scopes.",
      limit: "From 1 to 50.",
      confidence: "From 0 to 1. Empty: no minimum.",
      budget: "Four bytes count as one token. Empty: no limit.",
      kinds: "Separated by commas. Memories of these kinds are neither committed nor recalled.",
      pageScope: "That of the default profile applies.",
    },
    ages: [
      ["86400", "days"],
      ["3600", "hours"],
      ["60", "minutes"],
      ["1", "seconds"],
    ] as const,
    inForce: "In force now, for every caller that acts as this workspace.",
    notDefault: "This is not the default profile: the setting applies only to its own context block.",
    widens: "After saving, the workspace can read everything that the tree allows.",
    narrows: (count: number) =>
      count === 0
        ? "After saving, the workspace can read the same memories as now."
        : `After saving, the workspace can no longer read ${plural(count, "memory", "memories")}.`,
    narrowsUnknown: "The number of memories that become unreadable is unknown.",
    expires: ({ expires, too_old, too_many }: { expires: number; too_old: number; too_many: number }) => {
      const why = [too_old > 0 && `${too_old} too old`, too_many > 0 && `${too_many} too many`].filter(Boolean).join(", ");
      return `${plural(expires, "memory of this profile expires", "memories of this profile expire")} at the next sweep, within a minute: ${why}.`;
    },
    expiresUnknown: "– memories of this profile expire at the next sweep.",
    expireTitle: (name: string) => `Save ${name}`,
    expireText: "Their content is deleted, with all versions. A more permissive profile does not restore them.",
    expire: (count: number) => `Save and expire ${plural(count, "memory", "memories")}`,
    isolations: [
      ["tree", "Everything that the tree allows"],
      ["team", "No memories that are shared with the whole org"],
      ["isolated", "Only its own memories"],
      ["profile", "Only what was committed into this profile"],
    ] as const,
    pageScopes: [
      ["LOCAL", "This workspace"],
      ["TEAM", "Its teams"],
      ["GLOBAL", "The whole org"],
    ] as const,
    strategies: [
      ["confidence", "Highest confidence, then newest"],
      ["recent", "Pinned, then newest"],
      ["relevance", "Best match for the query; without one, own and shared memories in turn"],
      ["off", "Empty block"],
    ] as const,
  },

  context: {
    title: "Context preview",
    description: "The block that goes before a prompt, built from the saved profile. Each preview is a read and is recorded in the audit log.",
    unavailable: "Available after the profile is created.",
    query: "Topic of the prompt",
    queryHint: "Optional.",
    show: "Show the block",
    block: "The block",
    size: (count: number, tokens: number, budget: number | undefined) =>
      `${plural(count, "memory", "memories")}, ${plural(tokens, "token", "tokens")}${budget === undefined ? "" : ` of ${budget}`}`,
    empty: "The block is empty.",
    /** The server lists at most 50. */
    omitted: (count: number) =>
      count < 50 ? `Left out: ${plural(count, "memory", "memories")}` : `Left out: the first ${count} candidates`,
  },

  runs: {
    run: "Run",
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
    overdue: "now",
    memories: "Memories",
    counts: (status: RunStatus, written: number, dropped: number) =>
      status === "open"
        ? `${written} pending`
        : [...(written > 0 ? [`${written} committed`] : []), ...(dropped > 0 ? [`${dropped} dropped`] : [])].join(", ") || "none",
    pending: (count: number) => (count === 0 ? "Nothing is pending" : `${plural(count, "memory", "memories")} pending`),
    notReadable: "Not readable yet: in no list, search or count.",
    droppedText: "Its pending memories were dropped; nothing of them is stored.",
    showCommitted: (count: number) => (`Show ${plural(count, "committed memory", "committed memories")}`),
    log: "Audit log of this run",
    finish: (count: number) => (count === 0 ? "Finish" : `Finish: commit ${plural(count, "memory", "memories")}`),
    finishTitle: "Finish this run",
    finishText: (name: string, count: number) =>
      count === 0
        ? "The run is completed. No memories are pending."
        : `All pending memories are committed at once as ${name}, by the current tree and rules, and become readable according to their scope. If one of them cannot be committed, none is and the run stays open.`,
    finished: (written: number) => `The run is completed: ${plural(written, "memory", "memories")} committed.`,
    drop: (count: number) => (count === 0 ? "Cancel the run" : `Drop ${plural(count, "memory", "memories")}`),
    dropTitle: "Drop this run",
    dropText: "The pending memories are deleted permanently. The run stays in the list as cancelled.",
    dropped: (count: number) => `The run is cancelled: ${plural(count, "memory", "memories")} dropped.`,
    none: (name: string) => `${name} has no runs yet`,
    nothingMatches: (status: string) => `No run is ${status.toLowerCase()}`,
    how: "Memories that are committed within a run stay pending until the run completes, and are dropped if it does not. An agent runtime starts a run:",
  },
} as const;
