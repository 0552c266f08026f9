import type { ReachAnswer, ReachRow, Scope } from "../api/types.ts";
import { words } from "../words.ts";

/** Who reads what this workspace writes with a scope, by name and number, from the server's own rows. */
export function audience(reach: ReachAnswer, scope: Scope): string {
  const readers = reach.read_by.filter((row) => row.scope === scope && row.via !== "self");
  if (readers.length === 0) return words.audience.alone;
  const by = (via: ReachRow["via"]) => readers.filter((row) => row.via === via);
  if (by("org").length > 0) return words.audience.org(readers.length);
  // `via` is seen from the reader: whoever reads by way of a child is a parent
  const parts = [
    ...by("child").map((row) => words.audience.parent(row.name)),
    named(by("sibling"), words.audience.siblings),
    named(by("parent"), words.audience.children),
  ];
  return words.audience.list(parts.filter(Boolean));
}

/** Up to two by name, more by number. */
function named(rows: ReachRow[], counted: (count: number) => string): string {
  if (rows.length > 2) return counted(rows.length);
  return rows.map((row) => row.name).join(", ");
}
