// Who reads whom.

import type { Relation } from "../api/types.ts";

export const reach = {
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
} as const;
