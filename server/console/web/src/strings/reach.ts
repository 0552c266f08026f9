// The Reach view.

import type { Relation } from "../api/types.ts";
import { plural } from "./plural.ts";

export const reach = {
  reach: {
    canRead: (name: string) => `${name} can read`,
    readBy: (name: string) => `Can read ${name}`,
    groups: {
      reads: {
        self: "Its own memories",
        parent: "The lead of its team",
        sibling: "Members of the same team",
        child: "Members of the team it leads",
        org: "The org",
      },
      read_by: {
        self: "Itself",
        parent: "Members of the team it leads",
        sibling: "Members of the same team",
        child: "The lead of its team",
        org: "Everyone in the org",
      },
    },
    count: (count: number) => plural(count, "workspace", "workspaces"),
    previous: "Previous",
    next: "Next",
    range: (from: number, to: number, all: number) => `${from} to ${to} of ${all}`,
  },

  compare: {
    title: "Compare",
    pick: "Compare with workspace…",
    end: "End the comparison",
    scope: "Scope",
    reads: (reader: string, author: string) => `${reader} reads ${author}`,
    yes: "Yes",
    no: "No",
    diagram: "The path from each workspace up to their common ancestor",
    reverse: (name: string) => `Compare from ${name}`,
    relation: (relation: Relation, one: string, other: string) =>
      ({
        itself: `${one} is compared with itself.`,
        parent: `${other} is the parent of ${one}.`,
        child: `${other} is a child of ${one}.`,
        sibling: `${one} and ${other} are siblings.`,
        ancestor: `${other} is an ancestor of ${one}, above its parent.`,
        descendant: `${other} is a descendant of ${one}, below a child.`,
        distant: `${one} and ${other} are in different branches.`,
      })[relation],
  },
} as const;
