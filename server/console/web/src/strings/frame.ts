// The frame: sign-in, tree, jump box, shortcuts and live state.

import type { Role } from "../api/types.ts";
import { plural } from "./plural.ts";

export const frame = {
  signIn: {
    title: "Sign in to orgmem",
    ended: "Your session has ended",
    again: (name: string) => `You were signed in as ${name}. Sign in again to continue; nothing that you typed is lost.`,
    token: "Token",
    where: "The admin token is in the file admin.token in the server’s data folder; orgmem token issue creates others.",
    do: "Sign in",
  },

  frame: {
    skip: "Skip to the content",
    tree: "Show the tree",
    navigation: "Pages and workspaces",
    path: "Path of this workspace",
    workspaces: "Workspaces",
    filter: "Filter by name",
    clearFilter: "Clear the filter",
    resize: "Width of the tree",
    noWorkspaces: "No workspaces yet",
    memories: "Memories",
    lastWrite: "Written",
    noneFound: "No workspace has a matching name",
    found: (count: number, hasMore: boolean) => (hasMore ? `The first ${count} found` : `${count} found`),
    memoriesOf: (count: number) => (count === 1 ? "memory" : "memories"),
    orgs: (role: Role) => (role === "admin" ? "Orgs" : "Workspace"),
  },

  account: {
    role: "Role",
    until: "Token expires",
    theme: "Theme",
    themes: [
      ["system", "System"],
      ["light", "Light"],
      ["dark", "Dark"],
    ] as const,
    density: "Density",
    densities: [
      ["dense", "Dense"],
      ["comfortable", "Comfortable"],
    ] as const,
    singleKeys: "Single-letter shortcuts",
    leave: "Sign out",
    endsSoon: (when: string) => `Session ends ${when}`,
    may: (role: Role, workspace: string | undefined) =>
      ({
        source: "Writes records, and nothing else",
        agent: `Acts only as ${workspace ?? "its workspace"}`,
        viewer: `Reads ${workspace ?? "a workspace"} and all below it`,
        operator: `Reads and acts in ${workspace ?? "a workspace"} and all below it`,
        admin: "Full access to this server",
      })[role],
  },

  jump: {
    button: "Search or jump…",
    title: "Jump to",
    label: "Name of a workspace, id of a memory, or page",
    placeholder: "Workspace, id or page",
    results: "Results",
    opening: "Opens when the results arrive.",
    nothing: "No results",
    page: "Page",
    search: (text: string) => `Search memories for “${text}”`,
    everywhere: (role: Role) => (role === "admin" ? "All orgs" : "All your workspaces"),
    thisWorkspace: "This workspace",
    workspaceById: "Workspace with this id",
    memoryById: "Memory with this id, as this workspace reads it",
  },

  search: {
    rail: "Search",
    title: "Search all workspaces",
    field: (role: Role) => (role === "admin" ? "Search the memories of all orgs" : "Search the memories of all your workspaces"),
    how: "Finds memories of all workspaces that you may read, by org. Each search is a row in the audit log.",
    none: "No memory matches",
    noneSoFar: "No memory of these orgs matches",
    hint: "Any word of the query counts; a phrase is in double quotes.",
    more: (count: number) => `These are the best ${count}; more match. Another word narrows the search.`,
  },

  help: {
    title: "Keyboard shortcuts",
    groups: (mod: string): Array<[string, Array<[string[], string]>]> => [
      [
        "Everywhere",
        [
          [[`${mod}K`], "Jump to a workspace, memory or page"],
          [["g", "t"], "Go to the tree"],
          [["g", "h"], "Go to the orgs"],
          [["g", "f"], "Search all workspaces"],
          [["g", "s"], "Go to the system page"],
          [["g", "a"], "Go to the audit page"],
          [["."], "Show new memories"],
          [["?"], "Show these shortcuts"],
          [["Esc"], "Close the top layer, then clear the filter"],
        ],
      ],
      [
        "A workspace",
        [
          [["1", "…", "0"], "Switch the view"],
          [["l"], "Lens: workspaces that it can read"],
          [["⇧L"], "Lens: workspaces that can read it"],
          [["c"], "Compare with another workspace"],
          [["w"], "Write a memory or a key"],
          [["e"], "Edit the open memory (author only)"],
          [["r"], "Redact the open memory or the selection"],
        ],
      ],
      [
        "Lists",
        [
          [["/"], "Search or filter the list"],
          [["j", "↓"], "Next row, also from the search field"],
          [["k", "↑"], "Previous row"],
          [["Enter", "o"], "Open"],
          [["y"], "Copy the id of the open memory"],
          [["x"], "Select; with Shift, select a range"],
          [["p"], "Show the trace of the row’s run or session"],
        ],
      ],
      [
        "The tree",
        [
          [["→"], "Expand, then go to the first child"],
          [["←"], "Collapse, then go to the parent"],
          [["*"], "Expand all siblings"],
          [["Home", "End"], "First and last row"],
          [["a", "…", "z"], "Go to a name"],
        ],
      ],
    ],
  },

  lens: {
    title: "Lens",
    off: "Off",
    reads: "Can read",
    readBy: "Read by",
    sentence: (lens: "reads" | "read_by", name: string) =>
      lens === "reads" ? `Workspaces that ${name} can read` : `Workspaces that can read ${name}`,
    mark: (lens: "reads" | "read_by", scopes: string, reasons: string) =>
      `${lens === "reads" ? "readable" : "can read"}: ${scopes} – ${reasons}`,
    none: (lens: "reads" | "read_by") => (lens === "reads" ? "not readable" : "cannot read it"),
  },

  live: {
    on: "Live",
    connecting: "Connecting",
    waiting: (seconds: number) => `No connection, retry in ${seconds} s`,
    away: "No connection",
    paused: "Paused",
    title: {
      on: "Changes are shown as they happen.",
      connecting: "Connecting to the event stream.",
      waiting: "The server does not respond. What is shown may be out of date.",
      away: "The server does not respond. What is shown may be out of date.",
      paused: "Updates are paused while this page is in the background.",
    },
    arrived: (count: number | undefined) => (count === undefined ? "New memories" : `${count} new`),
    announced: (count: number | undefined) =>
      count === undefined ? "New memories" : plural(count, "new memory", "new memories"),
    changed: "Changed since it was loaded",
  },

  boundary: {
    title: "This view failed",
    text: "A defect of the console stopped this view. Nothing was changed on the server.",
    part: (name: string) => `${name} failed because of a defect of the console.`,
    parts: { header: "The header", tree: "The tree", dialog: "The dialog", list: "The list" },
    again: "Show it again",
    action: (error: string) => `The action failed because of a defect of the console: ${error}`,
  },

  notFound: { title: "Page not found", why: "There is no page at this address.", home: "Go to the start page" },
} as const;
