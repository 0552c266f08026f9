// The lens: shows in the tree which workspaces the selected one can read, or which can read it.

import { endpoint } from "../api/calls.ts";
import { useResource } from "../api/resource.ts";
import type { ReachResponse, Scope } from "../api/types.ts";
import { strings } from "../strings.ts";

export type Lens = "reads" | "read_by";

/** The scopes that the lens shows for one workspace. */
export interface LensMark {
  scopes: Scope[];
  /** The server's reasons, without duplicates. */
  reasons: string[];
}

/** By workspace id; workspaces without access are absent. */
export type LensMarks = Map<string, LensMark>;

export function useLens(selected: string | undefined, lens: Lens | undefined): LensMarks | undefined {
  const reach = useResource<ReachResponse>(selected && lens && endpoint.reach(selected)).data;
  if (!reach || !lens) return undefined;
  const marks: LensMarks = new Map();
  for (const { workspace_id, scope, reason } of reach[lens]) {
    const mark = marks.get(workspace_id) ?? { scopes: [], reasons: [] };
    mark.scopes.push(scope);
    if (!mark.reasons.includes(reason)) mark.reasons.push(reason);
    marks.set(workspace_id, mark);
  }
  return marks;
}

/** The accessible text of a row's lens mark. */
export function markText(mark: LensMark | undefined, lens: Lens): string {
  if (!mark) return strings.lens.none(lens);
  return strings.lens.mark(lens, mark.scopes.join(", "), mark.reasons.join("; "));
}
