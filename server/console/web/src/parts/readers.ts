// The readers of a scope of a workspace, from the server's rows: some by name, all by number.

import { endpoint } from "../api/calls.ts";
import type { ReachResponse, ReachRow, ReachTotal, Scope } from "../api/types.ts";

/** Rows of which the names are shown. */
const NAMED = 20;

/** The path of the first readers of a scope, and of the numbers of all. */
export function readersPath(workspace: string, scope: Scope): string {
  return endpoint.reach(workspace, { direction: "read_by", scope, limit: NAMED });
}

export function countOf(total: ReachTotal, scope: Scope): number {
  return total[scope.toLowerCase() as "local" | "team" | "global"];
}

/** The number of readers of a scope besides the workspace itself. */
export function otherReaders(reach: ReachResponse, scope: Scope): number {
  const others = reach.read_by_totals.filter(({ via }) => via !== "self");
  return others.reduce((sum, total) => sum + countOf(total, scope), 0);
}

/** The first readers besides the workspace itself. */
export function firstReaders(reach: ReachResponse, scope: Scope): ReachRow[] {
  return reach.read_by.filter((row) => row.scope === scope && row.via !== "self");
}
