// Compiled, never run: what a type checker accepts, and what it refuses.

import { Client, type Page, VersionConflict, type types } from "../src/index.js";

const client = new Client({ url: "http://127.0.0.1:7070", token: () => Promise.resolve("t"), timeoutMs: 1000 });

export async function accepted(): Promise<void> {
  const page: Page<types.Memory> = await client.searchMemories({ q: "x", scope: "TEAM", limit: 3 });
  const scopes: Array<types.Scope> = page.map((memory) => memory.scope);
  const derived: Client = client.at("w").withOptions({ runId: "r", retries: 0 });
  for await (const entry of derived.iterEntries({ prefix: "a/" })) entry.version satisfies number;
  for await (const event of client.watchEvents()) event.data.memory?.content satisfies string | undefined;
  const value: unknown = (await client.readEntry(scopes.join())).value;
  if (value instanceof VersionConflict) value.currentVersion satisfies number | null;
}

export function refused(): Array<unknown> {
  return [
    // @ts-expect-error the scope is required
    client.commitMemory({ content: "x" }),
    // @ts-expect-error an unknown scope
    client.commitMemory({ content: "x", scope: "EVERYONE" }),
    // @ts-expect-error an unknown field
    client.searchMemories({ query: "x" }),
    // @ts-expect-error a removal has no condition
    client.removeWorkspace({ ifMatch: 1 }),
  ];
}
