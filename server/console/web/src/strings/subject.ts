// The view of one end user.

import type { Receipt } from "../api/types.ts";
import { plural } from "./plural.ts";

const counted = ({ memories, versions, entries, episodes }: Receipt) => [
  plural(memories, "memory", "memories"),
  plural(versions, "earlier version", "earlier versions"),
  plural(episodes, "episode", "episodes"),
  plural(entries, "key", "keys"),
];

export const subject = {
  subject: {
    field: "End user",
    hint: "The id of the end user, exactly as the subject of memories and episodes.",
    show: "Show",
    none: "Which end user?",
    how: "A memory, an episode or a key names the end user that it is about as its subject. Agents commit one:",
    memories: "Memories",
    memoriesOf: (count: number) => plural(count, "memory", "memories"),
    pages: "Pages",
    episodes: "Episodes",
    noMemories: (name: string) => `${name} reads no memories about this end user.`,
    noPages: "No pages about this end user.",
    noEpisodes: "No episodes about this end user.",
    inList: "All in the Memories view",
    inTiers: "By tier, in the Pages view",
    redacted: "Redacted",
    grants: "Grants",
    noGrants: "No grants: no end user agreed to reads across sessions.",
    allSessions: "all sessions may be read",
    someSessions: (sessions: string[]) => `${plural(sessions.length, "session", "sessions")} may be read: ${sessions.join(", ")}`,
    inSession: "in the session",
    byWorkspace: "by",
    until: "until",
    revoke: "Revoke…",
    revokeTitle: "Revoke a grant",
    doRevoke: "Revoke",
    isRevoked: "The grant is revoked.",
    revokeText: "The next read on every server is without it. It cannot be restored; the end user can agree again.",
    scope: (name: string) => `What ${name} reads. Other workspaces of the org may have more; an erasure covers all of them.`,
    export: "Export",
    exportHow: "Everything with this subject in the org, from the database itself; it needs no token. Run it on the server:",
    erase: "Erase…",
    eraseHow: "Only an admin can erase an end user.",
    title: "Erase an end user",
    reasonHint: "Stored permanently in the receipt and the audit log: do not repeat what is erased, nor who it is about.",
    what: "Erased, in the whole org",
    gone: counted,
    also: "Pending memories, pages made of the episodes, rows whose key is this id, and facts made of such a row",
    stays: "What stays",
    staying: [
      "Ids, times and the fact of the erasure, also in the audit log, which never has content",
      "The receipt, with the SHA-256 of the end user's id and not the id",
      "Documents, which have no subject",
    ],
    do: (memories: number, episodes: number, entries: number) => {
      const items = memories + episodes + entries;
      return items === 0 ? "Erase, although nothing was found" : `Erase ${plural(items, "item", "items")}`;
    },
    done: (receipt: Receipt) => `Erased: ${counted(receipt).join(", ")}.`,
    receipt: "Receipt",
  },
};
