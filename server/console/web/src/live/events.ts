import { heard } from "../api/http.ts";

/** One event of a stream: what kind it is, and what it says. */
export interface Told {
  kind: string;
  data: string;
}

/**
 * The events of a stream, as they come. Not the browser's own EventSource, which sends no token.
 *
 * Source: the HTML standard, 9.2, as far as this server uses it: lines end with a line feed.
 */
export async function* events(path: string, signal: AbortSignal): AsyncGenerator<Told> {
  let rest = "";
  for await (const piece of heard(path, signal)) {
    const blocks = (rest + piece).split("\n\n");
    rest = blocks.pop() ?? "";
    for (const block of blocks) {
      const told = toldIn(block);
      if (told) yield told;
    }
  }
}

/** What is told by a block of lines; nothing by one that only says that the stream is alive. */
function toldIn(block: string): Told | undefined {
  const fields = block.split("\n").map((line) => /^(\w+): ?(.*)$/.exec(line));
  const of = (name: string) => fields.filter((field) => field?.[1] === name).map((field) => field?.[2] ?? "");
  const data = of("data");
  return data.length === 0 ? undefined : { kind: of("event").at(-1) ?? "message", data: data.join("\n") };
}
