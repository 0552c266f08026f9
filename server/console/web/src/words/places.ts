// What stands beside the workspaces: the orgs, the system; and what one does to a workspace.

import { plural } from "./plural.ts";

export const places = {
  tabs: {
    memories: "Memories",
    state: "State",
    timeline: "Timeline",
    reach: "Reach",
    profiles: "Profiles",
    runs: "Runs",
    access: "Access",
    connect: "Connect",
  },

  workspace: {
    absent: "No such workspace",
    views: "Views of this workspace",
    addChild: "New workspace below",
    name: "Name",
    role: "What its agent does",
    roleHint: "In a few words; may be left empty.",
  },

  orgs: {
    title: "Orgs",
    name: "Org",
    created: "Created",
    create: "Create an org",
    none: "No org yet",
    how: "An org is a root workspace and all below it: the agents, and what they remember.",
    demo: "Load the demo",
    demoWhat: "The demo is a company of 59 agents to look around in; removing its root takes it out again.",
  },

  import: {
    ask: "Import…",
    title: "Import an org",
    file: "A file",
    what: "Or its text",
    hint: "YAML or JSON. What is there already is kept; nothing is imported before you have seen what would be new.",
    example: "name: Acme\nchildren:\n  - name: Dev Lead\n    role: Leads the developers\n    children:\n      - name: Coder",
    check: "See what it would add",
    would: "What it would add",
    isNew: "New",
    kept: "There already",
    do: (count: number) => (count === 0 ? "Import" : `Import ${plural(count, "workspace", "workspaces")}`),
    done: (workspaces: number, memories: number) =>
      `${plural(workspaces, "workspace", "workspaces")} and ${plural(memories, "memory", "memories")} imported.`,
  },

  change: {
    menu: "Change",
    rename: "Rename…",
    renameTitle: (name: string) => `Rename ${name}`,
    save: "Save",
    renamed: (name: string) => `It is called ${name} now.`,
    move: "Move…",
    moveTitle: (name: string) => `Move ${name}`,
    moveTo: "New parent",
    moveHint: "A part of its name. All below moves along; who reads what follows the tree at once.",
    moveDo: (count: number) => `Move ${plural(count, "workspace", "workspaces")}`,
    moved: (name: string, to: string) => `${name} is below ${to} now.`,
    remove: "Remove…",
    removeTitle: (name: string) => `Remove ${name}`,
    removeWhat: (name: string, memories: number) =>
      `${name} stops at once: its tokens are refused, and ${
        memories === 0 ? "it holds no memories" : `nobody reads its ${plural(memories, "memory", "memories")} any more`
      }.`,
    below: (count: number) => (count === 1 ? "The workspace below it" : `The ${count} workspaces below it`),
    promote: "To its parent, one level up",
    cascade: "Removed too, with all below",
    removeDo: (count: number) => `Remove ${plural(count, "workspace", "workspaces")}`,
    removed: (name: string) => `${name} is removed.`,
  },

  preview: {
    title: "What that would do",
    nothing: "Nobody that you see gains or loses anything.",
    affected: (count: number) => `${plural(count, "workspace", "workspaces")} would gain or lose something`,
    more: (count: number) => `${plural(count, "more workspace stands", "more workspaces stand")} where something changes.`,
    removed: "removed",
    gains: "gains",
    loses: "loses",
  },

  system: {
    title: "System",
    ready: "The store answers.",
    asking: "Asking the store…",
    notReady: (why: string) => `The store does not answer: ${why}.`,
    version: "Version",
    store: "Store",
    stores: { sqlite: "SQLite", postgresql: "PostgreSQL" } as Record<string, string>,
    size: "Size of the database",
    orgs: "Orgs",
    workspaces: "Workspaces",
    memories: "Memories",
    entries: "Keys",
    episodes: "Episodes",
    since: "Up since",
    embedder: "Embedder",
    noEmbedder: "none: searches go by words",
    waiting: "Wait to be embedded",
    embedded: "Embedded since it is up",
    refused: "It could make nothing of, so found by words alone",
    failed: "Calls that failed",
    /** Where counting what waits ends. */
    many: (count: string) => `${count} or more`,
    /** What waits, how fast it goes, and how long it takes. */
    queue: (waiting: string, perSecond: number, left: string) =>
      perSecond > 0 ? `${waiting}, ${perSecond.toFixed(1)} a second, ${left} left` : waiting,
    failing: (why: string) => `The embedder fails: ${why}.`,
    failingAct: (name: string) =>
      `Searches go by words alone meanwhile, and what is written waits; nothing is lost. See to it that ${name} works.`,
  },
} as const;
