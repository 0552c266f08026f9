import type { ReachResponse, ReachRow, Scope } from "../api/types.ts";
import { strings } from "../strings.ts";

/** The readers of a scope of this workspace, by name and number, from the server's rows. */
export function audience(reach: ReachResponse, scope: Scope): string {
  const readers = reach.read_by.filter((row) => row.scope === scope && row.via !== "self");
  if (readers.length === 0) return strings.audience.none;
  const by = (via: ReachRow["via"]) => readers.filter((row) => row.via === via);
  if (by("org").length > 0) return strings.audience.org(readers.length);
  // `via` is the relation from the reader's side: via `child` means that the reader is the parent
  const parts = [
    ...by("child").map((row) => strings.audience.parent(row.name)),
    named(by("sibling"), strings.audience.siblings),
    named(by("parent"), strings.audience.children),
  ];
  return strings.audience.list(parts.filter(Boolean));
}

/** Up to two names, else a number. */
function named(rows: ReachRow[], counted: (count: number) => string): string {
  if (rows.length > 2) return counted(rows.length);
  return rows.map((row) => row.name).join(", ");
}
