// Every word that the console says of its own, in one place, ready for translation. Reasons and refusals are the
// server's, and are shown as it says them.

import type { Relation, Role, Scope, Source } from "./api/types.ts";

const plural = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`;

const A_ROLE: Record<Role, string> = {
  agent: "an agent",
  viewer: "a viewer",
  operator: "an operator",
  admin: "an admin",
};

export const words = {
  again: "Ask again",
  asOf: "As of",
  cancel: "Cancel",
  close: "Close",
  more: "Show more",
  unknown: "–",

  time: {
    now: "now",
    ago: (far: string) => `${far} ago`,
    ahead: (far: string) => `in ${far}`,
  },

  copy: { id: "Copy the id", this: "Copy", done: "Copied" },

  states: {
    loading: "Loading",
    offline: "The server does not answer",
    absent: "Not there",
    failed: "That did not work",
    noAnswer: "No answer came. What is shown may be old.",
    retrying: "It is being tried again.",
    busy: "It is tried again as soon as the server allows.",
    request: "Request",
  },

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
          [["?"], "These keys"],
          [["Esc"], "Close the topmost thing, then clear the filter"],
        ],
      ],
      [
        "A workspace",
        [
          [["1", "…", "5"], "Its views"],
          [["l"], "Lens: what it can read"],
          [["⇧L"], "Lens: who can read it"],
          [["c"], "Compare with another"],
          [["w"], "Write"],
          [["e"], "Edit the open memory, as its author"],
        ],
      ],
      [
        "Lists",
        [
          [["/"], "Search or filter here"],
          [["j", "↓"], "Next row"],
          [["k", "↑"], "Previous row"],
          [["Enter", "o"], "Open"],
          [["y"], "Copy the id of what is open"],
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

  tabs: { memories: "Memories", state: "State", timeline: "Timeline", reach: "Reach", connect: "Connect" },

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
    how: "An org is a root workspace and all below it. Create one, or fill this server with a company to look around in:",
    demo: "This loads 59 workspaces with what they remember.",
  },

  nowhere: { title: "Nothing here", why: "There is nothing at this address.", home: "To the beginning" },

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

  memories: {
    search: "Search what it can read",
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

  lifetimes: [
    ["", "Never"],
    ["3600", "In 1 hour"],
    ["86400", "In 1 day"],
    ["604800", "In 7 days"],
    ["2592000", "In 30 days"],
    ["31536000", "In 1 year"],
  ] as const,

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

  conflict: {
    title: "Somebody was faster",
    changed: (version: number) => `While you were editing it became version ${version}. Nothing that you typed is lost.`,
    dropped: "While you were editing it was deleted or expired. Nothing that you typed is lost.",
    theirs: "Theirs",
    mine: "Yours",
    takeTheirs: "Take theirs",
    takeMine: "Take yours",
    merged: "What is to be",
    hint: "Edit until it is right; then save.",
    goOn: "Go on with this",
  },

  diff: {
    title: "What changed",
    kinds: { same: "", gone: "without: ", new: "with: " },
  },

  timeline: {
    search: "Words, beginnings or parts",
    kind: "Kind",
    kinds: [
      ["", "All"],
      ["activity", "Activity"],
      ["memory", "Memories"],
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

  reach: {
    sees: (name: string) => `${name} reads`,
    seenBy: (name: string) => `${name} is read by`,
    groups: {
      reads: {
        self: "Its own",
        parent: "The lead of the team it is a member of",
        sibling: "Members of the same team",
        child: "Members of the team it leads",
        org: "The org",
      },
      read_by: {
        self: "Itself",
        parent: "Members of the team it leads",
        sibling: "Members of the same team",
        child: "The lead of the team it is a member of",
        org: "Everybody in the org",
      },
    },
    all: (count: number) => `Show all ${count}`,
  },

  compare: {
    title: "Compare",
    pick: "With another workspace…",
    end: "End the comparison",
    scope: "Scope",
    reads: (reader: string, author: string) => `${reader} reads ${author}`,
    yes: "Yes",
    no: "No",
    picture: "The way up from each to where they meet",
    turnRound: (name: string) => `The same from ${name}`,
    relation: (relation: Relation, one: string, other: string) =>
      ({
        itself: `${one} is compared with itself.`,
        parent: `${other} is the parent of ${one}.`,
        child: `${other} is a child of ${one}.`,
        sibling: `${one} and ${other} are siblings.`,
        ancestor: `${other} stands above the parent of ${one}.`,
        descendant: `${other} stands below a child of ${one}.`,
        distant: `${one} and ${other} stand in different branches.`,
      })[relation],
  },

  connect: {
    token: "Token",
    client: "Client",
    role: "For",
    roles: [
      ["agent", "An agent: acts as this workspace"],
      ["viewer", "A viewer: reads it and all below"],
      ["operator", "An operator: acts in it and all below"],
    ] as const,
    lifetime: "Lifetime",
    lifetimes: [
      ["", "As usual"],
      ["3600", "1 hour"],
      ["604800", "7 days"],
      ["2592000", "30 days"],
      ["31536000", "1 year"],
    ] as const,
    issue: "Issue a token",
    once: "Shown once.",
    until: (role: Role, when: string) => `The ${role}’s token below is not kept anywhere. It ends on ${when}.`,
    ask: "Ask an operator or admin for a token of this workspace.",
    variable: "The token is read from the variable ORGMEM_TOKEN, or asked for. Issue one above and it is filled in.",
    revokeTitle: "Revoke all tokens of this workspace",
    revokeWhat: "Every token issued for this workspace until now stops working at once, wherever it is used.",
    revokeSure: (name: string) => `Whoever acts as ${name} needs a new token afterwards. This cannot be undone.`,
    revoke: "Revoke all its tokens",
    revoked: (name: string) => `All tokens of ${name} are revoked.`,
  },

  clients: {
    "claude-code": { name: "Claude Code", where: "Into .mcp.json of the project." },
    "claude-desktop": {
      name: "Claude Desktop",
      where: "Into claude_desktop_config.json (Settings, Developer, Edit Config); then restart it.",
    },
    "cursor": { name: "Cursor", where: "Into .cursor/mcp.json of the project, or ~/.cursor/mcp.json." },
    "vscode": { name: "VS Code", where: "Into .vscode/mcp.json of the project." },
    "gemini-cli": { name: "Gemini CLI", where: "Into .gemini/settings.json of the project, or ~/.gemini/settings.json." },
    "codex": { name: "Codex", where: "Into ~/.codex/config.toml." },
    "rest": { name: "REST", where: "From a shell." },
    "cli": { name: "Command line", where: "From a shell." },
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
  },
} as const;
