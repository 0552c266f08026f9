// The real server, started for one test file with its own data folder.

import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const repository = resolve(here, "../../../../..");
const target = process.env.CARGO_TARGET_DIR ?? join(repository, "target");
/** The `orgmem` binary that cargo builds for tests. */
export const PROGRAM = process.env.ORGMEM_TEST_PROGRAM ?? join(target, "debug", "orgmem-under-test");

/** On a busy machine even the import of the demo org is slow. */
const LONG_TIMEOUTS = { ORGMEM_LIMITS_REQUEST_TIMEOUT_SECONDS: "120", ORGMEM_LIMITS_BODY_TIMEOUT_SECONDS: "120" };

/** The fixed ids of workspaces of the demo org. */
export const DEMO = {
  root: "243cc5e2-5393-4a93-a264-237d9706930b",
  engineering: "8ff7f5cb-28ba-40b2-b541-ad7a0cd50b36",
  backendLead: "316cf873-470b-439f-9980-1d85ee6331b9",
  fleetApi: "60f63186-ed99-4ef9-bf85-38926acb6201",
  telemetryIngest: "137dfb6e-b136-4b10-845c-697551533c00",
};

/** No server outlives the tests, however they end. */
const running = new Set();
process.once("exit", () => running.forEach((child) => child.kill("SIGKILL")));
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.once(signal, () => process.exit(1));

/** Starts an empty server; on PostgreSQL if `database` is given; `settings` are environment variables. */
export async function startServer({ listen = "127.0.0.1:0", folder, database, settings = {} } = {}) {
  const data = folder ?? (await mkdtemp(join(tmpdir(), "orgmem-console-")));
  const env = { ORGMEM_DATA_DIR: data, ORGMEM_LISTEN: listen, ORGMEM_LOG: "warn", ...LONG_TIMEOUTS, ...settings, HOME: data, PATH: "/usr/bin:/bin" };
  if (database) env.DATABASE_URL = database;
  const child = spawn(PROGRAM, ["serve"], { env, stdio: ["ignore", "pipe", "inherit"] });
  running.add(child);
  child.once("exit", () => running.delete(child));
  const said = [];
  await new Promise((heard, failed) => {
    child.once("exit", (code) => failed(new Error(`the server ended with ${code}: ${said.join("\n")}`)));
    createInterface({ input: child.stdout }).on("line", (line) => {
      said.push(line);
      if (/^\s*admin token /.test(line)) heard();
    });
  });
  const found = (pattern) => pattern.exec(said.join("\n"))?.[1];
  return new Server(child, data, found(/listens on (http:\S+)/), found(/console\s+(http:\S+)/));
}

/** Starts a server with the demo org. */
export async function startDemo(how) {
  const server = await startServer(how);
  try {
    await server.loadDemo();
  } catch (error) {
    await server.stop();
    throw error;
  }
  return server;
}

class Server {
  constructor(child, folder, url, link) {
    Object.assign(this, { child, folder, url, link });
  }

  async adminToken() {
    return (await readFile(join(this.folder, "admin.token"), "utf8")).trim();
  }

  async loadDemo() {
    const env = { ORGMEM_TOKEN: await this.adminToken(), HOME: this.folder, PATH: "/usr/bin:/bin" };
    const child = spawn(PROGRAM, ["demo", "--url", this.url], { env, stdio: ["ignore", "ignore", "inherit"] });
    const code = await new Promise((ended) => child.once("exit", ended));
    if (code !== 0) throw new Error(`orgmem demo ended with ${code}`);
  }

  /** Sends a request as the admin, or with the given token. */
  async request(method, path, body, token) {
    const headers = { Authorization: `Bearer ${token ?? (await this.adminToken())}` };
    if (body !== undefined) headers["Content-Type"] = "application/json";
    const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
    const answer = await fetch(this.url + path, init);
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    return JSON.parse(text);
  }

  /** The search results of this workspace's agent: ids and contents. */
  async search(workspace, query) {
    const token = await this.token(workspace, "agent");
    const path = `/workspaces/${workspace}/memories?q=${encodeURIComponent(query)}`;
    return (await this.request("GET", path, undefined, token)).map(({ id, content }) => ({ id, content }));
  }

  /** Issues a token for this workspace. */
  async token(workspace, role) {
    return (await this.request("POST", `/workspaces/${workspace}/tokens`, { role })).token;
  }

  /** Kills the process and keeps the data. A graceful stop would wait for the connections of this process. */
  async kill() {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const ended = new Promise((resolved) => this.child.once("exit", resolved));
    this.child.kill("SIGKILL");
    await ended;
  }

  /** Restarts with the same data on the same address. */
  async restart() {
    await this.kill();
    const again = await startServer({ listen: new URL(this.url).host, folder: this.folder });
    this.child = again.child;
  }

  async stop() {
    await this.kill();
    await rm(this.folder, { recursive: true, force: true });
  }
}
