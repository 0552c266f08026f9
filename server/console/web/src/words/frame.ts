// The frame: signing in, the tree, jumping, keys, and what is live.

import type { Role } from "../api/types.ts";
import { plural } from "./plural.ts";

export const frame = {
  signIn: {
    title: "Sign in to orgmem",
    ended: "Your session has ended",
    again: (name: string) => `You were signed in as ${name}. Sign in again to go on; nothing that you typed is lost.`,
    token: "Token",
    where: "An admin’s token is in the file admin.token of the server’s data folder; others come from orgmem token issue.",
    do: "Sign in",
  },

  frame: {
    skip: "Skip to the content",
    tree: "Show the tree",
    places: "Places and workspaces",
    path: "Where this workspace stands",
    workspaces: "Workspaces",
    filter: "Filter by name",
    clearFilter: "Clear the filter",
    resize: "Width of the tree",
    noWorkspaces: "No workspaces yet",
    noneFound: "No workspace has this in its name",
    found: (count: number, hasMore: boolean) => (hasMore ? `The first ${count} found` : `${count} found`),
    memoriesOf: (count: number) => (count === 1 ? "memory" : "memories"),
    orgs: (role: Role) => (role === "admin" ? "Orgs" : "Workspace"),
  },

  who: {
    role: "Role",
    until: "Its token ends",
    theme: "Theme",
    themes: [
      ["system", "As the system"],
      ["light", "Light"],
      ["dark", "Dark"],
    ] as const,
    density: "Density",
    densities: [
      ["dense", "Dense"],
      ["comfortable", "Comfortable"],
    ] as const,
    singleKeys: "Single-letter keys",
    leave: "Sign out",
    endsSoon: (when: string) => `Session ends ${when}`,
    may: (role: Role, workspace: string | undefined) =>
      ({
        agent: `Acts as ${workspace ?? "its workspace"}, nothing else`,
        viewer: `Reads ${workspace ?? "a workspace"} and all below it`,
        operator: `Reads and acts in ${workspace ?? "a workspace"} and all below it`,
        admin: "Everything on this server",
      })[role],
  },

  jump: {
    button: "Search or jump…",
    title: "Jump to",
    label: "Name of a workspace, id of a memory, or place",
    placeholder: "Workspace, id, or place",
    found: "Found",
    nothing: "Nothing of this name",
    place: "Place",
    here: "Here",
    workspaceById: "Workspace with this id",
    memoryById: "Memory with this id, as this workspace reads it",
  },

  help: {
    title: "Keys",
    groups: (mod: string): Array<[string, Array<[string[], string]>]> => [
      [
        "Everywhere",
        [
          [[`${mod}K`], "Jump to a workspace, memory or place"],
          [["g", "t"], "To the tree"],
          [["g", "h"], "To the orgs"],
          [["g", "s"], "To the system"],
          [["g", "a"], "To the audit"],
          [["."], "Show what is new"],
          [["?"], "These keys"],
          [["Esc"], "Close the topmost thing, then clear the filter"],
        ],
      ],
      [
        "A workspace",
        [
          [["1", "…", "8"], "Its views"],
          [["l"], "Lens: what it can read"],
          [["⇧L"], "Lens: who can read it"],
          [["c"], "Compare with another"],
          [["w"], "Write"],
          [["e"], "Edit the open memory, as its author"],
          [["r"], "Redact the open memory, or those selected"],
        ],
      ],
      [
        "Lists",
        [
          [["/"], "Search or filter here"],
          [["j", "↓"], "Next row, also from the search"],
          [["k", "↑"], "Previous row"],
          [["Enter", "o"], "Open"],
          [["y"], "Copy the id of what is open"],
          [["x"], "Select; with Shift up to here"],
          [["p"], "Pull the run or session of a row out of the timeline"],
        ],
      ],
      [
        "The tree",
        [
          [["→"], "Open, then to the first child"],
          [["←"], "Close, then to the parent"],
          [["*"], "Open all siblings"],
          [["Home", "End"], "First, last"],
          [["a", "…", "z"], "By name"],
        ],
      ],
    ],
  },

  lens: {
    title: "Lens",
    off: "All",
    reads: "It reads",
    readBy: "Reads it",
    sentence: (lens: "reads" | "read_by", name: string) =>
      lens === "reads" ? `What ${name} can read of each` : `Who can read what ${name} writes`,
    mark: (lens: "reads" | "read_by", scopes: string, reasons: string) =>
      `${lens === "reads" ? "is read" : "reads"}: ${scopes} – ${reasons}`,
    none: (lens: "reads" | "read_by") => (lens === "reads" ? "nothing of it is read" : "reads nothing of it"),
  },

  live: {
    on: "Live",
    connecting: "Connecting",
    waiting: (seconds: number) => `Again in ${seconds} s`,
    paused: "Paused",
    title: {
      on: "What happens is shown as it happens.",
      connecting: "The stream of events is being opened.",
      waiting: "The stream of events broke off and is opened again.",
      paused: "Nothing is watched while this page is in the background.",
    },
    arrived: (count: number, isMore: boolean) => `${count}${isMore ? " or more" : ""} new`,
    announced: (count: number, isMore: boolean) =>
      isMore ? `${count} or more new memories` : plural(count, "new memory", "new memories"),
  },

  nowhere: { title: "Nothing here", why: "There is nothing at this address.", home: "To the beginning" },
} as const;
