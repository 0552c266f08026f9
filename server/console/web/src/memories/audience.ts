import type { ReachResponse, ReachRow, Scope } from "../api/types.ts";
import { countOf, firstReaders, otherReaders } from "../parts/readers.ts";
import { strings } from "../strings.ts";

/** The readers of a scope of this workspace, by name and number, from the server's rows. */
export function audience(reach: ReachResponse, scope: Scope): string {
  const count = otherReaders(reach, scope);
  if (count === 0) return strings.audience.none;
  const readers = firstReaders(reach, scope);
  const by = (via: ReachRow["via"]) => readers.filter((row) => row.via === via);
  const total = (via: ReachRow["via"]) => {
    const found = reach.read_by_totals.find((each) => each.via === via);
    return found ? countOf(found, scope) : 0;
  };
  if (total("org") > 0) return strings.audience.org(count);
  // `via` is the relation from the reader's side: via `child` means that the reader is the parent
  const parts = [
    ...by("child").map((row) => strings.audience.parent(row.name)),
    named(by("sibling"), total("sibling"), strings.audience.siblings),
    named(by("parent"), total("parent"), strings.audience.children),
  ];
  return strings.audience.list(parts.filter(Boolean));
}

/** Up to two names, else a number. */
function named(rows: ReachRow[], total: number, counted: (count: number) => string): string {
  if (total > 2 || rows.length < total) return total === 0 ? "" : counted(total);
  return rows.map((row) => row.name).join(", ");
}
