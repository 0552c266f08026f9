// The orgs, the system page, and actions on a workspace.

import { plural } from "./plural.ts";

const number = new Intl.NumberFormat();
const part = (unit: string) => (used: number, limit: number) => `${number.format(used)} of ${number.format(limit)} ${unit}`;

export const screens = {
  tabs: {
    memories: "Memories",
    state: "State",
    timeline: "Timeline",
    reach: "Reach",
    profiles: "Profiles",
    runs: "Runs",
    access: "Access",
    connect: "Connect",
    pages: "Pages",
    reviews: "Reviews",
    skills: "Skills",
    knowledge: "Knowledge",
    subject: "End user",
  },

  workspace: {
    absent: "Workspace not found",
    views: "Views of this workspace",
    addChild: "New child workspace",
    noId: (text: string) => `The address contains “${text}”, which is not the id of a workspace.`,
    name: "Name",
    role: "Role of its agent",
    roleHint: "A few words; optional.",
  },

  budget: {
    of: (limits: string[]) => `Budget with everything below: ${limits.join(", ")}`,
    limits: {
      memories: part("memories"),
      bytes: part("bytes"),
      writes_per_minute: part("writes a minute"),
      searches_per_minute: part("searches a minute"),
      embeddings_per_day: part("embedded texts a day"),
    },
  },

  orgs: {
    title: "Orgs",
    name: "Org",
    created: "Created",
    create: "Create an org",
    none: "No org yet",
    how: "An org is a root workspace and all below it: the agents and their memories.",
    demo: "Load the demo",
    demoText: "The demo is a company of 59 agents. Removing its root workspace removes the demo.",
  },

  home: {
    attention: "Needs attention",
    healthy: "Nothing needs attention.",
    look: "Show",
    recent: "Recent places",
    committed: "Committed, 30 days",
    writes: "Writes, 30 days",
    reads: "Reads, 30 days",
    byScope: (local: number, team: number, global: number) => `LOCAL ${local}, TEAM ${team}, GLOBAL ${global}`,
    committedOf: (count: number, days: number) => `${plural(count, "memory", "memories")} committed in ${days} days, by day`,
    writesOf: (count: number, days: number) => `${plural(count, "write", "writes")} in ${days} days, by day`,
    readers: (agents: number, people: number) => `agents ${agents}, people ${people}`,
    readsOf: (agents: number, people: number, days: number) =>
      `${plural(agents, "read", "reads")} by agents and ${people} by people in ${days} days, by day`,
  },

  import: {
    ask: "Import…",
    title: "Import an org",
    file: "File",
    text: "Or its text",
    hint: "YAML or JSON. Existing items are kept. Nothing is imported before you have seen the preview.",
    example: "name: Acme\nchildren:\n  - name: Dev Lead\n    role: Leads the developers\n    children:\n      - name: Coder",
    preview: "Preview import",
    previewTitle: "Import preview",
    isNew: "New",
    existing: "Existing",
    do: (count: number) => (count === 0 ? "Import" : `Import ${plural(count, "workspace", "workspaces")}`),
    done: (workspaces: number, memories: number) =>
      `${plural(workspaces, "workspace", "workspaces")} and ${plural(memories, "memory", "memories")} imported.`,
  },

  workspaceActions: {
    menu: "Actions",
    rename: "Rename…",
    renameTitle: (name: string) => `Rename ${name}`,
    save: "Save",
    renamed: (name: string) => `Renamed to ${name}.`,
    move: "Move…",
    moveTitle: (name: string) => `Move ${name}`,
    moveTo: "New parent",
    moveHint: "Part of its name. All workspaces below it move too; read access follows the tree at once.",
    moveDo: (count: number) => `Move ${plural(count, "workspace", "workspaces")}`,
    moved: (name: string, to: string) => `${name} is now below ${to}.`,
    remove: "Remove…",
    removeTitle: (name: string) => `Remove ${name}`,
    removeText: (name: string, memories: number) =>
      `${name} stops working at once: its tokens are refused, and ${
        memories === 0 ? "it has no memories" : `its ${plural(memories, "memory is", "memories are")} no longer readable`
      }.`,
    below: (count: number) => (count === 1 ? "The workspace below it" : `The ${count} workspaces below it`),
    promote: "Move up to its parent",
    cascade: "Remove too, with all below",
    removeDo: (count: number) => `Remove ${plural(count, "workspace", "workspaces")}`,
    removed: (name: string) => `${name} is removed.`,
  },

  preview: {
    title: "Effect of this change",
    nothing: "No workspace that you can see gains or loses memories.",
    affected: (count: number) => `${plural(count, "workspace", "workspaces")} would gain or lose memories`,
    more: (count: number) => `${plural(count, "more workspace is", "more workspaces are")} affected.`,
    removed: "removed",
    gains: "gains",
    loses: "loses",
  },

  system: {
    title: "System",
    ready: "The store is ready.",
    checking: "Checking the store…",
    notReady: (why: string) => `The store is not ready: ${why}.`,
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
    noEmbedder: "none: keyword search only",
    waiting: "Waiting to be embedded",
    embedded: "Embedded since start",
    refused: "Rejected by the embedder (keyword search only)",
    failed: "Failed calls",
    reranker: "Reranker",
    reranked: "Searches reranked since start",
    notReranked: "Searches not reranked",
    rerankerFailing: (why: string) => `The reranker fails: ${why}.`,
    rerankerFailingAct: (name: string) => `Until it works again, results are in the order of the search. Check ${name}.`,
    /** A count at which the server stops counting. */
    many: (count: string) => `${count} or more`,
    /** The length of the queue, its rate, and the time left. */
    queue: (waiting: string, perSecond: number, left: string) =>
      perSecond > 0 ? `${waiting}, ${perSecond.toFixed(1)} a second, ${left} left` : waiting,
    failing: (why: string) => `The embedder fails: ${why}.`,
    failingAct: (name: string) =>
      `Until it works again, searches use keywords only and new memories wait for embedding; no data is lost. Check ${name}.`,
  },
} as const;
