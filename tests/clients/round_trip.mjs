// Lists the tools and does a round trip, with the public JavaScript client.
//
//   round_trip.mjs <folder of node_modules> http  <url of /mcp> <token>
//   round_trip.mjs <folder of node_modules> stdio <orgmem> <server url> <token>
//
// It commits a TEAM memory, finds it, receives the reason for the refusal of a GLOBAL one, calls every tool, and prints the results
// as one JSON object.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const [folder, ...how] = process.argv.slice(2);
const require = createRequire(pathToFileURL(`${folder}/package.json`));
const load = (path) => import(pathToFileURL(require.resolve(`@modelcontextprotocol/sdk/${path}`)));
const { Client } = await load('client/index.js');

async function transport([kind, ...rest]) {
  if (kind === 'http') {
    const [url, token] = rest;
    const { StreamableHTTPClientTransport } = await load('client/streamableHttp.js');
    return new StreamableHTTPClientTransport(new URL(url), {
      requestInit: { headers: { Authorization: `Bearer ${token}` } },
    });
  }
  const [command, url, token] = rest;
  const { StdioClientTransport } = await load('client/stdio.js');
  return new StdioClientTransport({
    command,
    args: ['mcp'],
    env: { ...process.env, ORGMEM_URL: url, ORGMEM_TOKEN: token },
  });
}

const client = new Client({ name: 'round-trip', version: '1.0.0' });
await client.connect(await transport(how));
const call = (name, args) => client.callTool({ name, arguments: args });
const text = (result) => result.content.map((part) => part.text ?? '').join(' ');

const { tools } = await client.listTools();
const names = tools.map((tool) => tool.name).sort();
for (const name of ['commit_memory', 'search_memory', 'session_search', 'memory_set', 'delete_memory']) {
  assert(names.includes(name), `${name} is missing`);
}
// with the schemas the client validates every result below
for (const tool of tools) {
  assert.equal(tool.outputSchema?.type, 'object', tool.name);
  assert(tool.title, `${tool.name} has no title`);
}

const content = 'the night shift of the docks reports to the crane lead';
const committed = await call('commit_memory', { content, scope: 'TEAM' });
assert(!committed.isError, text(committed));
const { id } = committed.structuredContent;

const found = await call('search_memory', { query: 'whom does the night shift report to?', scope: 'team', limit: '5' });
assert(found.structuredContent.memories.some((memory) => memory.id === id), text(found));

const why = await call('why_memory', { memory_id: id, query: 'night shift' });
assert.equal(why.structuredContent.cause, 'found', text(why));
const context = await call('get_context', { query: 'night shift' });
assert(context.structuredContent.memory_ids.includes(id), text(context));

const refused = await call('commit_memory', { content, scope: 'GLOBAL' });
assert(refused.isError, 'an agent that is no root wrote GLOBAL');
assert.match(text(refused), /only a root writes GLOBAL/);

const deleted = await call('delete_memory', { memory_id: id });
assert(!deleted.isError, text(deleted));

// every tool, by the steps of tour.json
const steps = JSON.parse(readFileSync(new URL('tour.json', import.meta.url), 'utf8'));
const saved = {};
const filled = (value) =>
  JSON.parse(JSON.stringify(value ?? {}).replace(/\$\{(\w+)\}/g, (_, name) => saved[name]));
for (const { tool, arguments: args, save, equals, has, refused: reason } of steps) {
  const result = await call(tool, filled(args));
  assert.equal(result.isError ?? false, reason !== undefined, `${tool}: ${text(result)}`);
  if (reason !== undefined) {
    assert(text(result).includes(reason), text(result));
    continue;
  }
  const found = result.structuredContent;
  for (const [name, wanted] of Object.entries(filled(equals))) assert.deepEqual(found[name], wanted, tool);
  for (const [name, part] of Object.entries(filled(has))) {
    assert(JSON.stringify(found[name]).includes(part), `${tool}: ${part} is not in ${name}`);
  }
  for (const [name, field] of Object.entries(save ?? {})) saved[name] = found[field];
}
const called = [...new Set(steps.map((step) => step.tool))].sort();
await client.close();
console.log(JSON.stringify({ tools: names, called, refusal: text(refused) }));
