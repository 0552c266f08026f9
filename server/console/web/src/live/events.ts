import { streamText } from "../api/http.ts";

/** One server-sent event. */
export interface StreamEvent {
  kind: string;
  data: string;
}

/**
 * Parses a stream of server-sent events. The browser's EventSource cannot send a token.
 *
 * Source: the HTML standard, section 9.2, as far as this server uses it: lines end with a line feed.
 */
export async function* events(path: string, signal: AbortSignal): AsyncGenerator<StreamEvent> {
  let rest = "";
  for await (const chunk of streamText(path, signal)) {
    const blocks = (rest + chunk).split("\n\n");
    rest = blocks.pop() ?? "";
    for (const block of blocks) {
      const event = parseEvent(block);
      if (event) yield event;
    }
  }
}

/** Parses one block; undefined for a keep-alive comment. */
function parseEvent(block: string): StreamEvent | undefined {
  const fields = block.split("\n").map((line) => /^(\w+): ?(.*)$/.exec(line));
  const valuesOf = (name: string) => fields.filter((field) => field?.[1] === name).map((field) => field?.[2] ?? "");
  const data = valuesOf("data");
  return data.length === 0 ? undefined : { kind: valuesOf("event").at(-1) ?? "message", data: data.join("\n") };
}
