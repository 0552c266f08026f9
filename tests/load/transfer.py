"""Measures exports, imports and copies of a database next to the database's own tools.

    transfer.py PROGRAM [--memories 1000000] [--postgres BIN] [--small]

Fills a database with one org, a hundred workspaces and the memories, then prints a line for each command: seconds, rows and
megabytes a second, and peak memory of the process. The export of every copy must be equal to the first one, byte by byte.
With --postgres, the folder of PostgreSQL's programs, a private cluster takes part. `docs/benchmarks.md` has results.
"""

import argparse
import filecmp
import os
import random
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "operations"))
from live import Server, free_port  # noqa: E402

WORKSPACES = 100
BATCH = 2_000
WORDS = [f"word{number}" for number in range(20_000)]


def fill(server, memories):
    """The same texts in every run; the lengths and frequencies of words are like those of prose."""
    chance = random.Random(7)
    root = server.call("POST", "/workspaces", {"name": "Acme"})["id"]
    authors = [server.call("POST", "/workspaces", {"name": f"bot-{n}", "parent_id": root})["id"] for n in range(WORKSPACES)]
    for start in range(0, memories, BATCH):
        array = []
        for number in range(start, min(start + BATCH, memories)):
            words = (WORDS[min(int(chance.paretovariate(0.8)), len(WORDS)) - 1] for _ in range(chance.randint(15, 60)))
            array.append(
                {
                    "content": f"{number} {' '.join(words)}",
                    "scope": "TEAM" if number % 3 else "LOCAL",
                    "workspace_id": authors[number % WORKSPACES],
                    "namespace": f"topic-{number % 40}",
                    "tags": [f"tag-{number % 200}"],
                    "metadata": {"source": "load", "number": number},
                }
            )
        outcome = server.call("POST", "/admin/memories/import", array)
        assert outcome["imported"] == len(array), outcome["errors"][:3]
        print(f"\rfilled {start + len(array):,} of {memories:,}", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)


def measure(name, memories, command, env, size_of=None):
    """Runs a command and prints its figures. The peak memory is that of its process."""
    started = time.monotonic()
    child = subprocess.Popen([str(part) for part in command], env=env, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    complaints = child.stderr.read().decode(errors="replace")
    _, status, usage = os.wait4(child.pid, 0)
    seconds = time.monotonic() - started
    if status != 0:
        raise SystemExit(f"{name} failed: {complaints[-2000:]}")
    size = size_of.stat().st_size / 1e6 if size_of else 0
    rate = f"{size / seconds:8.1f} MB/s" if size else " " * 13
    print(f"{name:48} {seconds:8.1f} s {memories / seconds:12,.0f} memories/s {rate} {usage.ru_maxrss // 1024:6} MiB", flush=True)


class Cluster:
    """A private PostgreSQL with the durability of its defaults."""

    def __init__(self, bin_folder, folder):
        self.bin, self.data = Path(bin_folder), folder / "cluster"
        self.as_user = ["setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups"] if os.getuid() == 0 else []
        self.data.mkdir()
        if self.as_user:
            shutil.chown(self.data, "nobody", "nogroup")
            folder.chmod(0o755)
        self.port = free_port()
        init = [self.bin / "initdb", "-D", self.data, "-U", "orgmem", "-A", "trust", "-E", "UTF8"]
        subprocess.run(self.as_user + [str(part) for part in init], check=True, stdout=subprocess.DEVNULL)
        server = [self.bin / "postgres", "-D", self.data, "-p", self.port, "-k", self.data, "-c", "max_wal_size=8GB"]
        self.child = subprocess.Popen(self.as_user + [str(part) for part in server], stderr=subprocess.DEVNULL)
        while True:
            with socket.socket() as attempt:
                if attempt.connect_ex(("127.0.0.1", self.port)) == 0:
                    break
            if self.child.poll() is not None:
                raise SystemExit("PostgreSQL does not start")
            time.sleep(0.2)

    def database(self, name):
        url = f"postgres://orgmem@127.0.0.1:{self.port}"
        subprocess.run([self.bin / "psql", "-q", f"{url}/postgres", "-c", f"CREATE DATABASE {name}"], check=True)
        return f"{url}/{name}"

    def stop(self):
        self.child.terminate()
        self.child.wait()


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("program")
    arguments.add_argument("--memories", type=int, default=1_000_000)
    arguments.add_argument("--postgres", help="folder of PostgreSQL's programs, such as /usr/lib/postgresql/17/bin")
    arguments.add_argument("--small", action="store_true", help="2,000 memories: to try the script, not to measure")
    options = arguments.parse_args()
    memories = 2_000 if options.small else options.memories
    program = os.path.abspath(options.program)
    cluster = None
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        env = {"PATH": os.environ["PATH"], "HOME": scratch, "ORGMEM_LOG": "warn"}
        try:
            limits = {"ORGMEM_LIMITS_BODY_BYTES": "67108864", "ORGMEM_LIMITS_BULK_BODY_BYTES": "67108864"}
            with Server(program, scratch, limits) as server:
                fill(server, memories)
            data = folder / "data"
            database = data / "orgmem.db"
            print(f"{memories:,} memories, {database.stat().st_size / 1e6:,.0f} MB of SQLite", flush=True)

            def on(place):
                return {**env, "ORGMEM_DATA_DIR": str(place)} if isinstance(place, Path) else {**env, "DATABASE_URL": place, "ORGMEM_DATA_DIR": str(folder / "other")}

            first = folder / "first.jsonl"

            def equal(place):
                copy = folder / "copy.jsonl"
                measure(f"orgmem export, {'SQLite' if isinstance(place, Path) else 'PostgreSQL'}, of a copy", memories, [program, "export", copy], on(place), first)
                if not filecmp.cmp(first, copy, shallow=False):
                    raise SystemExit("the export of the copy differs")
                copy.unlink()

            measure("orgmem export, SQLite", memories, [program, "export", first], on(data), first)
            backup = "import sqlite3, sys; a, b = map(sqlite3.connect, sys.argv[1:]); a.backup(b); b.close()"
            saved = folder / "backup.db"
            measure("sqlite3 .backup (a copy of pages)", memories, [sys.executable, "-c", backup, database, saved], env, database)
            saved.unlink()
            measure("orgmem import, SQLite", memories, [program, "import", first], on(folder / "imported"), first)
            equal(folder / "imported")
            shutil.rmtree(folder / "imported")
            measure("orgmem migrate, SQLite to SQLite", memories, [program, "migrate", "--from", data, "--to", folder / "migrated"], env)
            equal(folder / "migrated")
            shutil.rmtree(folder / "migrated")
            if options.postgres:
                cluster = Cluster(options.postgres, folder)
                url = cluster.database("migrated")
                measure("orgmem migrate, SQLite to PostgreSQL", memories, [program, "migrate", "--from", data, "--to", url], env)
                equal(url)
                dump = folder / "dump"
                measure("pg_dump --format=custom", memories, [cluster.bin / "pg_dump", "-Fc", "-f", dump, url], env, dump)
                restored = cluster.database("restored")
                measure("pg_restore", memories, [cluster.bin / "pg_restore", "-d", restored, dump], env, dump)
                imported = cluster.database("imported")
                measure("orgmem import, PostgreSQL", memories, [program, "import", first], on(imported), first)
                equal(imported)
                measure("orgmem migrate, PostgreSQL to SQLite", memories, [program, "migrate", "--from", url, "--to", folder / "back"], env)
                equal(folder / "back")
        finally:
            if cluster:
                cluster.stop()


main()
