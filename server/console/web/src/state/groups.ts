import type { Entry } from "../api/types.ts";

export interface Group {
  /** What the keys begin with, such as `task/`; empty for those that begin with nothing in common. */
  prefix: string;
  entries: Entry[];
}

/** Keys by what stands before their first `/`, `:` or `.`, in the order of the keys; a lone one is not a group. */
export function grouped(entries: Entry[]): Group[] {
  const groups: Group[] = [];
  const counts = new Map<string, number>();
  for (const { key } of entries) counts.set(prefixOf(key), (counts.get(prefixOf(key)) ?? 0) + 1);
  for (const entry of entries) {
    const own = prefixOf(entry.key);
    const prefix = (counts.get(own) ?? 0) > 1 ? own : "";
    const last = groups.at(-1);
    if (last?.prefix === prefix) last.entries.push(entry);
    else groups.push({ prefix, entries: [entry] });
  }
  return groups;
}

function prefixOf(key: string): string {
  return /^[^/:.]+[/:.]/.exec(key)?.[0] ?? "";
}

/** What was typed: JSON where it is JSON, else text. */
export function valueOf(text: string): { value: unknown; isJson: boolean; fault: string | undefined } {
  const trimmed = text.trim();
  try {
    return { value: JSON.parse(trimmed) as unknown, isJson: true, fault: undefined };
  } catch (error) {
    // what begins like JSON was meant as JSON
    const isMeant = /^[[{"]/.test(trimmed);
    return { value: text, isJson: false, fault: isMeant ? placed(trimmed, error as SyntaxError) : undefined };
  }
}

/** The parser's complaint with line and column. */
function placed(text: string, error: SyntaxError): string {
  const position = Number(/position (\d+)/.exec(error.message)?.[1] ?? text.length);
  const before = text.slice(0, position).split("\n");
  const what = error.message.replace(/ in JSON at position.*| \(line.*|, "?.*"? is not valid JSON/, "");
  return `line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}: ${what}`;
}

/** A value as it is edited. */
export function written(value: unknown): string {
  return JSON.stringify(value, null, 2);
}
