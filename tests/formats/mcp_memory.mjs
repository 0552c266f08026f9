// Writes a knowledge graph with the reference MCP server for memory, over stdio: node mcp_memory.mjs MODULES FILE
import { createRequire } from "node:module";
import path from "node:path";
import { pathToFileURL } from "node:url";

const [modules, file] = process.argv.slice(2).map((argument) => path.resolve(argument));
const require = createRequire(path.join(modules, "package.json"));
const load = (name) => import(pathToFileURL(require.resolve(name)));
const { Client } = await load("@modelcontextprotocol/sdk/client/index.js");
const { StdioClientTransport } = await load("@modelcontextprotocol/sdk/client/stdio.js");

const transport = new StdioClientTransport({
  command: process.execPath,
  args: [path.join(modules, "node_modules/@modelcontextprotocol/server-memory/dist/index.js")],
  env: { ...process.env, MEMORY_FILE_PATH: file },
});
const client = new Client({ name: "orgmem-tests", version: "1.0.0" });
await client.connect(transport);

async function call(name, args) {
  const result = await client.callTool({ name, arguments: args });
  if (result.isError) throw new Error(`${name}: ${JSON.stringify(result.content)}`);
}

await call("create_entities", {
  entities: [
    { name: "Ada Lovelace", entityType: "person", observations: ["prefers tea to coffee", "has the pager until Friday"] },
    { name: "Depot 7", entityType: "Loading site", observations: ["the ramp is closed when it freezes"] },
    { name: "Brindlemoor", entityType: "company", observations: [] },
  ],
});
await call("add_observations", {
  observations: [{ entityName: "Depot 7", contents: ["the gate code is DEPOT_API_KEY=f3a91c77d0e24b6c8a5d9e1f2b3c4d5e", "opens at six — every day"] }],
});
await call("create_relations", {
  relations: [
    { from: "Ada Lovelace", to: "Depot 7", relationType: "works at" },
    { from: "Depot 7", to: "Brindlemoor", relationType: "belongs to" },
  ],
});
await client.close();
