// The lens: what the selected workspace can read of every other, or who can read it.

import { at } from "../api/calls.ts";
import { useResource } from "../api/resource.ts";
import type { ReachAnswer, Scope } from "../api/types.ts";
import { words } from "../words.ts";

export type Lens = "reads" | "read_by";

/** What the lens shows of one workspace. */
export interface Mark {
  scopes: Scope[];
  /** The server's sentences, each once. */
  reasons: string[];
}

/** By workspace; those that are not in it are neither read nor reading. */
export type Marks = Map<string, Mark>;

export function useLens(selected: string | undefined, lens: Lens | undefined): Marks | undefined {
  const reach = useResource<ReachAnswer>(selected && lens && at.reach(selected)).data;
  if (!reach || !lens) return undefined;
  const marks: Marks = new Map();
  for (const { workspace_id, scope, reason } of reach[lens]) {
    const mark = marks.get(workspace_id) ?? { scopes: [], reasons: [] };
    mark.scopes.push(scope);
    if (!mark.reasons.includes(reason)) mark.reasons.push(reason);
    marks.set(workspace_id, mark);
  }
  return marks;
}

/** The mark in words, as a part of the row's name. */
export function told(mark: Mark | undefined, lens: Lens): string {
  if (!mark) return words.lens.none(lens);
  return words.lens.mark(lens, mark.scopes.join(", "), mark.reasons.join("; "));
}
