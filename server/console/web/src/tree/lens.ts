// The lens: shows in the tree which workspaces the selected one can read, or which can read it.

import { useMemo } from "preact/hooks";
import { endpoint } from "../api/calls.ts";
import { useResource } from "../api/resource.ts";
import type { ReachResponse, Scope } from "../api/types.ts";
import type { Row } from "./model.ts";
import { strings } from "../strings.ts";

export type Lens = "reads" | "read_by";

/** The scopes that the lens shows for one workspace. */
export interface LensMark {
  scopes: Scope[];
  /** The server's reasons, without duplicates. */
  reasons: string[];
}

export interface LensMarks {
  /** By workspace id; workspaces without access are absent. */
  marks: Map<string, LensMark>;
  /** The workspaces that are decided: a mark, or none. */
  known: ReadonlySet<string>;
}

/** Rows per request; the server takes at most 200 ids. */
const BLOCK = 150;

/** The marks of the rows from `first` to `last`: a large tree is asked about in blocks, as they come into view. */
export function useLens(
  selected: string | undefined,
  lens: Lens | undefined,
  rows: Row[],
  first: number,
  last: number,
): LensMarks | undefined {
  const block = Math.floor(first / BLOCK);
  const blocks = useMemo(() => [idsOf(rows, block), idsOf(rows, block + 1)], [rows, block]);
  const pathOf = (ids: string[]) =>
    selected && lens && ids.length > 0 ? endpoint.reach(selected, { direction: lens, among: ids.join(",") }) : undefined;
  const isSplit = last > (block + 1) * BLOCK;
  const reaches = [
    useResource<ReachResponse>(pathOf(blocks[0] ?? [])).data,
    useResource<ReachResponse>(isSplit ? pathOf(blocks[1] ?? []) : undefined).data,
  ];
  if (!lens || reaches.every((reach) => !reach)) return undefined;
  const marks = new Map<string, LensMark>();
  const known = new Set<string>();
  reaches.forEach((reach, index) => {
    if (!reach) return;
    for (const id of blocks[index] ?? []) known.add(id);
    for (const { workspace_id, scope, reason } of reach[lens]) {
      const mark = marks.get(workspace_id) ?? { scopes: [], reasons: [] };
      if (!mark.scopes.includes(scope)) mark.scopes.push(scope);
      if (!mark.reasons.includes(reason)) mark.reasons.push(reason);
      marks.set(workspace_id, mark);
    }
  });
  return { marks, known };
}

function idsOf(rows: Row[], block: number): string[] {
  const part = rows.slice(block * BLOCK, (block + 1) * BLOCK);
  return part.filter(({ item }) => !item.isPlaceholder).map(({ item }) => item.id);
}

/** The accessible text of a row's lens mark. */
export function markText(mark: LensMark | undefined, lens: Lens): string {
  if (!mark) return strings.lens.none(lens);
  return strings.lens.mark(lens, mark.scopes.join(", "), mark.reasons.join("; "));
}
