import { parseJson } from "../api/json.ts";
import type { Entry } from "../api/types.ts";

export interface Group {
  /** The common prefix, such as `task/`; empty for keys without one. */
  prefix: string;
  entries: Entry[];
}

/** Groups keys by the text before their first `/`, `:` or `.`, in key order; a single key forms no group. */
export function groupByPrefix(entries: Entry[]): Group[] {
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

/** The input as JSON where it is valid JSON, otherwise as text. */
export function parseValue(text: string): { value: unknown; isJson: boolean; fault: string | undefined } {
  const trimmed = text.trim();
  try {
    return { value: parseJson(trimmed, true), isJson: true, fault: undefined };
  } catch (error) {
    // input that begins like JSON was meant as JSON
    const isJsonLike = /^[[{"]/.test(trimmed);
    return { value: text, isJson: false, fault: isJsonLike ? withPosition(trimmed, error as SyntaxError) : undefined };
  }
}

/** The parser's message with line and column. */
function withPosition(text: string, error: SyntaxError): string {
  const position = Number(/position (\d+)/.exec(error.message)?.[1] ?? text.length);
  const before = text.slice(0, position).split("\n");
  const what = error.message.replace(/ in JSON at position.*| \(line.*|, "?.*"? is not valid JSON/, "");
  return `line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}: ${what}`;
}

/** A value as editable text. */
export function formatValue(value: unknown): string {
  return JSON.stringify(value, null, 2);
}
