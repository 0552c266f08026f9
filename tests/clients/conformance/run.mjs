// Runs the official conformance suite of MCP against a server, with a token: the suite itself sends none.
//
//   run.mjs <folder of node_modules> <url of /mcp> <token> <revision>
//
// Exits with 0 if exactly the checks in <revision>.yml fail, and prints a JSON object with the scenarios that pass whole.

import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import http from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const [folder, url, token, revision] = process.argv.slice(2);
const server = new URL(url);

// adds the token and leaves everything else, as the suite also tests headers
const proxy = http.createServer((request, response) => {
  const { method, url: path, headers } = request;
  const sent = { ...headers, authorization: `Bearer ${token}` };
  const onward = http.request({ host: server.hostname, port: server.port, path, method, headers: sent }, (answer) => {
    response.writeHead(answer.statusCode, answer.headers);
    answer.pipe(response);
  });
  onward.on('error', () => response.destroy());
  response.on('close', () => onward.destroy());
  request.pipe(onward);
});
await new Promise((listening) => proxy.listen(0, '127.0.0.1', listening));

const results = mkdtempSync(join(tmpdir(), 'orgmem-conformance-'));
const modules = join(folder, 'node_modules');
const expected = fileURLToPath(new URL(`${revision}.yml`, import.meta.url));
const suite = spawn(
  join(modules, 'node/bin/node'),
  [
    join(modules, '@modelcontextprotocol/conformance/dist/index.js'),
    ...['server', '--url', `http://127.0.0.1:${proxy.address().port}${server.pathname}`],
    ...['--requirements', revision, '--expected-failures', expected, '--output-dir', results],
  ],
  { stdio: ['ignore', 'pipe', 'pipe'] },
);
let output = '';
for (const stream of [suite.stdout, suite.stderr]) stream.on('data', (chunk) => (output += chunk));
const code = await new Promise((ended) => suite.on('close', ended));
proxy.close();
proxy.closeAllConnections();
if (code !== 0) {
  process.stderr.write(output.slice(-6000));
  process.exit(1);
}
const passed = [];
for (const scenario of readdirSync(results)) {
  const checks = JSON.parse(readFileSync(join(results, scenario, 'checks.json'), 'utf8'));
  const name = scenario.replace(/^server-/, '').replace(/-\d{4}-\d\d-\d\dT.*$/, '');
  if (checks.every(({ status }) => status !== 'FAILURE')) passed.push(name);
}
rmSync(results, { recursive: true });
console.log(JSON.stringify({ passed: passed.sort() }));
