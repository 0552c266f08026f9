// The README's commands, run in its order by a shell, in a project that installs the packed package.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { promisify } from "node:util";
import { PACKAGE, PROGRAM, startServer } from "./support.mjs";

const run = promisify(execFile);

let server;
before(async () => (server = await startServer()));
after(() => server.stop());

test("the README's commands print what it promises", async () => {
  const folder = await mkdtemp(join(tmpdir(), "orgmem-readme-"));
  const { stdout: packed } = await run("npm", ["pack", "--ignore-scripts", "--silent", "--pack-destination", folder], { cwd: PACKAGE });
  const text = await readFile(join(PACKAGE, "README.md"), "utf8");
  const lines = ["set -euo pipefail"];
  let number = 0;
  for (const [, language, block] of text.matchAll(/^```(sh|ts)\n(.*?)^```$/gms)) {
    if (language === "sh") {
      // the package that was packed, not one of a registry
      lines.push(block.replace("npm install orgmem", `npm install --silent --no-audit --no-fund ./${packed.trim()}`));
    } else {
      // these examples have no types, so they are JavaScript too
      await writeFile(join(folder, `${(number += 1)}.mjs`), block);
      lines.push(`node ${number}.mjs`);
    }
  }
  await writeFile(join(folder, "package.json"), "{}");
  await symlink(PROGRAM, join(folder, "orgmem"));
  const path = `${folder}:${dirname(process.execPath)}:${process.env.PATH}`;
  const env = { ...process.env, ...server.env, HOME: process.env.HOME, ORGMEM_URL: server.url, PATH: path };
  delete env.ORGMEM_TOKEN;
  // the program refuses this one, which is not its setting
  delete env.ORGMEM_REVIEW;
  const { stdout } = await run("bash", ["-c", lines.join("\n")], { cwd: folder, env });
  for (const promised of [
    "Staging deploys happen on Tuesdays.\n## Context Memory\n- [0.5] Staging deploys happen on Tuesdays.",
    "2 memories",
    "memory_committed",
  ]) {
    assert.ok(stdout.includes(promised), stdout);
  }
  await rm(folder, { recursive: true, force: true });
});
