// A private PostgreSQL, like that of `tests/cluster`: from the installed programs, on a socket in a temporary folder,
// stopped when this process ends, however it ends.

import { execFile, spawn } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { chmod, chown, mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
const USER = "orgmem";

/** Starts a cluster; `url` is that of an empty database. */
export async function startPostgres() {
  const bin = programs();
  const owner = await unprivileged();
  const folder = await mkdtemp(join(tmpdir(), "orgmem-pg-"));
  await chmod(folder, 0o700);
  if (owner) await chown(folder, owner.number, owner.number);
  const data = join(folder, "data");
  const command = (name, ...given) => {
    const ids = owner ? ["setpriv", `--reuid=${owner.name}`, `--regid=${owner.name}`, "--clear-groups"] : [];
    return [...ids, join(bin, name), ...given];
  };
  const call = ([program, ...given]) => run(program, given, { cwd: "/" });
  await call(command("initdb", "-D", data, `--username=${USER}`, "--auth=trust", "--encoding=UTF8", "--locale=C", "--no-sync"));
  // durability is tested elsewhere
  const options = `-c listen_addresses='' -c unix_socket_directories='${folder}' -c fsync=off -c synchronous_commit=off`;
  // the output goes to a file: otherwise pg_ctl's pipe stays open as long as the server runs
  await call(command("pg_ctl", "-D", data, "-w", "-t", "120", "-o", options, "-l", join(folder, "log"), "start"));
  const lifeline = watch(folder, command("pg_ctl", "-D", data, "-m", "immediate", "stop"));
  return { url: `postgres://${USER}@/postgres?host=${folder}`, stop: lifeline };
}

/** A shell that stops the cluster when this process ends, or on request. */
function watch(folder, stop) {
  const script = 'folder=$1; shift; read -r _; "$@" >/dev/null 2>&1; rm -rf "$folder"';
  const shell = spawn("sh", ["-c", script, "sh", folder, ...stop], { cwd: "/", detached: true, stdio: ["pipe", "ignore", "ignore"] });
  const ended = new Promise((heard) => shell.once("exit", heard));
  return async () => {
    shell.stdin.end();
    await ended;
  };
}

function programs() {
  const debian = "/usr/lib/postgresql";
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => b - a).map((each) => join(debian, each, "bin")) : [];
  const named = process.env.ORGMEM_TEST_POSTGRES_BIN;
  const places = [...(named ? [named] : []), ...versions, ...(process.env.PATH ?? "").split(delimiter)];
  const found = places.find((place) => ["initdb", "pg_ctl", "postgres"].every((name) => existsSync(join(place, name))));
  if (!found) throw new Error("no PostgreSQL on this machine: install one, or let ORGMEM_TEST_POSTGRES_BIN name the folder of its `initdb`");
  return found;
}

/** PostgreSQL refuses to run as root: the user to run it as instead. */
async function unprivileged() {
  if (process.getuid() !== 0) return undefined;
  for (const name of ["postgres", "nobody"]) {
    const number = await run("id", ["-u", name]).then(({ stdout }) => Number(stdout), () => undefined);
    if (number !== undefined) return { name, number };
  }
  throw new Error("PostgreSQL does not run as root, and there is no user `postgres` or `nobody`");
}
