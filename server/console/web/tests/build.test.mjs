// The committed build matches its sources and stays within its budgets.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, readFile, readdir, rm } from "node:fs/promises";
import { get } from "node:http";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { gunzipSync } from "node:zlib";
import { buildInto } from "../build.mjs";
import { TYPES, written } from "../types.mjs";
import { startServer } from "./support/server.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const dist = join(here, "../../dist");

let server;
before(async () => void (server = await startServer()));
after(() => server.stop());

test("dist equals the build of web", async () => {
  const folder = await mkdtemp(join(tmpdir(), "orgmem-dist-"));
  await buildInto(folder);
  assert.deepEqual((await readdir(dist)).sort(), (await readdir(folder)).sort());
  for (const name of await readdir(folder)) {
    const [made, committed] = await Promise.all([folder, dist].map((each) => readFile(join(each, name), "utf8")));
    assert.equal(made === committed, true, `${name} is not what web/ builds to; run \`npm run build\``);
  }
  await rm(folder, { recursive: true });
});

/** The members and alternatives of each type in a file of types; ignores comments. */
function said(text) {
  const found = new Set();
  const code = text.replace(/\/\*\*[^]*?\*\//g, "").replace(/^\/\/.*$/gm, "");
  for (const [, name, body] of code.matchAll(/^export type (\w+) = ([^]*?)^(?=export|$(?![^]))/gm)) {
    for (const line of body.split("\n").map((each) => each.trim()).filter(Boolean)) {
      const [member, type] = /^"?[\w]+"?\??: /.test(line) ? line.split(/: (.*)/) : ["", line];
      for (const one of type.replace(/;$/, "").split(" | ")) found.add(`${name} ${member}: ${one}`);
    }
  }
  return found;
}

test("OpenAPI description still has every type that the console uses", async () => {
  const description = await (await fetch(`${server.url}/openapi.json`)).json();
  const [committed, now] = [said(await readFile(TYPES, "utf8")), said(await written(description))];
  assert.ok(committed.size > 100, "the types are read");
  const gone = [...committed].filter((each) => !now.has(each));
  assert.deepEqual(gone, [], "run `node types.mjs <the server's address>`, and adapt the sources");
});

test("sources pass the type check", async () => {
  const checked = promisify(execFile)(join(here, "../node_modules/.bin/tsc"), ["--noEmit"], { cwd: join(here, "..") });
  await checked.catch((error) => assert.fail(error.stdout));
});

/** The body of a file as it is on the wire, for a browser's `Accept-Encoding`, and its encoding. */
function received(name) {
  const headers = { "Accept-Encoding": "gzip, deflate, br, zstd" };
  return new Promise((resolved, failed) => {
    const request = get(`${server.url}/console/${name}`, { headers }, async (response) => {
      const parts = [];
      for await (const part of response) parts.push(part);
      resolved({ body: Buffer.concat(parts), encoding: response.headers["content-encoding"] });
    });
    request.once("error", failed);
  });
}

test("script and style are within their budgets as the server sends them", async () => {
  for (const [name, limit] of [["console.js", 100], ["console.css", 15]]) {
    const { body, encoding } = await received(name);
    assert.equal(encoding, "gzip");
    assert.deepEqual(gunzipSync(body), await readFile(join(dist, name)), "the whole file was received");
    assert.ok(body.length <= limit * 1_000, `${name} has ${body.length} bytes`);
  }
});

test("script and style have source maps with the sources of the repository", async () => {
  for (const name of ["console.js", "console.css"]) {
    const [, map] = /sourceMappingURL=(\S+)/.exec(await readFile(join(dist, name), "utf8"));
    const { sources, sourcesContent } = JSON.parse(gunzipSync((await received(map)).body));
    const own = sources.map((path, index) => [path, sourcesContent[index]]).filter(([path]) => path.startsWith("../web/src/"));
    assert.ok(own.length > 10, map);
    for (const [path, content] of own) assert.equal(content, await readFile(join(dist, path), "utf8"), path);
  }
});
