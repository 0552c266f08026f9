// The package against the description of the server: it leaves out nothing by accident, and its types do not drift.

import assert from "node:assert/strict";
import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { Client } from "orgmem";
import { FOLDER, generated, leftOut } from "../scripts/generate-types.mjs";
import { startServer } from "./support.mjs";

let server;
let description;
before(async () => {
  server = await startServer();
  description = await (await fetch(`${server.url}/openapi.json`)).json();
});
after(() => server.stop());

test("the types equal the description of the server", async () => {
  const texts = await generated(description);
  if (process.env.ORGMEM_REVIEW) {
    for (const file of await readdir(FOLDER)) await rm(join(FOLDER, file));
    for (const [file, text] of texts) await writeFile(join(FOLDER, file), text);
  }
  assert.deepEqual((await readdir(FOLDER)).sort(), [...texts.keys()].sort());
  for (const [file, text] of texts) {
    assert.equal(await readFile(join(FOLDER, file), "utf8"), text, `${file}: run the tests with ORGMEM_REVIEW=1`);
  }
});

/** Names of the methods of the client's own classes. */
function methods() {
  const names = [];
  for (let type = Client.prototype; type.constructor.name !== "BaseClient"; type = Object.getPrototypeOf(type)) {
    names.push(...Object.getOwnPropertyNames(type).filter((name) => name !== "constructor"));
  }
  return names;
}

test("every operation is a method or left out on purpose", async () => {
  const operations = Object.values(description.paths).flatMap((path) => Object.values(path).map((one) => one.operationId));
  const omitted = await leftOut();
  const camel = (id) => id.replace(/_(\w)/g, (_, letter) => letter.toUpperCase());
  const expected = operations.filter((id) => !omitted.has(id)).map(camel);
  // a page of `readRun`
  const covered = methods().filter((name) => !/^(iter|preview)[A-Z]/.test(name) && name !== "listPending");
  assert.deepEqual(covered.sort(), expected.sort(), "add a method, or a line to clients/not-covered.txt");
});

test("previews and iterators belong to a method", () => {
  const names = new Set(methods());
  for (const name of names) {
    const [, kind, rest] = /^(iter|preview)([A-Z]\w*)$/.exec(name) ?? [];
    const verbs = kind === "iter" ? ["list", "search", "read"].map((verb) => verb + rest) : rest && [rest[0].toLowerCase() + rest.slice(1)];
    if (kind) assert.ok(verbs.some((verb) => names.has(verb)), name);
  }
});
