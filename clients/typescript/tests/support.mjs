// The real server, started for one test file with its own data folder; and a `fetch` made of recorded responses.

import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { Client } from "orgmem";

export const PACKAGE = resolve(dirname(fileURLToPath(import.meta.url)), "..");
const repository = resolve(PACKAGE, "..", "..");
const target = process.env.CARGO_TARGET_DIR ?? join(repository, "target");
/** The `orgmem` binary that cargo builds for tests. */
export const PROGRAM = resolve(process.env.ORGMEM_TEST_PROGRAM ?? join(target, "debug", "orgmem-under-test"));

export async function startServer() {
  const folder = await mkdtemp(join(tmpdir(), "orgmem-typescript-"));
  const env = {
    ORGMEM_DATA_DIR: folder,
    ORGMEM_LISTEN: "127.0.0.1:0",
    ORGMEM_LOG: "warn",
    ORGMEM_LIMITS_REQUEST_TIMEOUT_SECONDS: "120",
    HOME: folder,
    PATH: "/usr/bin:/bin",
  };
  const child = spawn(PROGRAM, ["serve"], { env, stdio: ["ignore", "pipe", "inherit"] });
  process.once("exit", () => child.kill("SIGKILL"));
  const lines = [];
  await new Promise((started, failed) => {
    child.once("error", failed);
    child.once("exit", (code) => failed(new Error(`the server ended with ${code}: ${lines.join("\n")}`)));
    createInterface({ input: child.stdout }).on("line", (line) => {
      lines.push(line);
      if (/^\s*admin token /.test(line)) started();
    });
  });
  const url = /listens on (http:\S+)/.exec(lines.join("\n"))[1];
  const admin = new Client({ url, token: (await readFile(join(folder, "admin.token"), "utf8")).trim() });

  return {
    url,
    env,
    admin,
    /** The agent of a new workspace: a root, unless it has a parent. */
    async agent(parent_id) {
      const workspace = await admin.createWorkspace({ name: "agent", ...(parent_id && { parent_id }) });
      const { token } = await admin.at(workspace.id).issueToken({ role: "agent" });
      return new Client({ url, token });
    },
    async stop() {
      const ended = new Promise((resolved) => child.once("exit", resolved));
      child.kill("SIGKILL");
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Responds with each step in turn, and records the requests. A step is a function to a response, or an error. */
export function script(...steps) {
  const requests = [];
  const send = async (address, init) => {
    requests.push({ address: String(address), ...init, headers: Object.fromEntries(init.headers) });
    const step = steps.shift();
    if (step instanceof Error) throw step;
    return step();
  };
  return { requests, fetch: send };
}
