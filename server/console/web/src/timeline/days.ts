import { day } from "../parts/time.tsx";

/** Groups rows by day; keeps their order. */
export function byDay<T>(rows: T[], at: (row: T) => string): Array<[string, T[]]> {
  const days = new Map<string, T[]>();
  for (const row of rows) {
    const name = day(at(row));
    const known = days.get(name);
    if (known) known.push(row);
    else days.set(name, [row]);
  }
  return [...days];
}
