"""Measures how a database grows: bytes of a memory and of a search, on SQLite and on PostgreSQL. Not a test.

    growth.py PROGRAM [MEMORIES [SEARCHES]]

Texts have 150 characters. Twenty agents of one team commit them in batches of 500; one of them searches, with ten results.
"""

import contextlib
import os
import random
import re
import sqlite3
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from live import Server, await_true, request
from proxy import postgres

AGENTS, BATCH, CHARACTERS = 20, 500, 150
# Words for the texts.
PAGE = Path(__file__).resolve().parents[2] / "docs" / "benchmarks.md"


def sqlite_bytes(file):
    with contextlib.closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True)) as connection:
        (pages,), (free,), (size,) = (
            connection.execute(f"PRAGMA {name}").fetchone() for name in ("page_count", "freelist_count", "page_size")
        )
    return (pages - free) * size


def postgres_bytes(url):
    query = "SELECT pg_database_size(current_database())"
    return int(subprocess.check_output(["psql", url, "--no-align", "--tuples-only", "--command", query]))


def settled(server, size):
    """The size once all audit rows are written and sealed."""

    def unchanged():
        waiting = re.search(r"^orgmem_access_log_waiting_reads (\d+)", request("GET", server.url + "/metrics")[1], re.MULTILINE)
        before = size()
        time.sleep(3)
        return waiting[1] == "0" and size() == before

    await_true("the database stops growing", unchanged, 300)
    return size()


def measure(name, server, size, memories, searches):
    words = sorted({word for word in PAGE.read_text().split() if word.isascii() and word.isalpha()})
    choice = random.Random(1).choice

    def text():
        result = ""
        while len(result) < CHARACTERS:
            result += choice(words) + " "
        return result[:CHARACTERS]

    root = server.call("POST", "/workspaces", {"name": "Acme"})["id"]
    agents = []
    for number in range(AGENTS):
        agent = server.call("POST", "/workspaces", {"name": f"Bot-{number}", "parent_id": root})["id"]
        token = server.call("POST", f"/workspaces/{agent}/tokens", {"role": "agent"})["token"]
        agents.append((f"/workspaces/{agent}/memories", token))
    empty = settled(server, size)
    for batch in range(memories // BATCH):
        path, token = agents[batch % AGENTS]
        body = {"memories": [{"scope": "TEAM", "content": text()} for _ in range(BATCH)]}
        server.call("POST", f"{path}/batch", body, token)
    full = settled(server, size)
    path, token = agents[0]
    for _ in range(searches):
        server.call("GET", f"{path}?q={choice(words)}&limit=10", token=token)
    searched = settled(server, size)
    index = re.search(r"^orgmem_store_index_cache_bytes (\d+)", request("GET", server.url + "/metrics")[1], re.MULTILINE)
    print(f"{name}: {(full - empty) / memories:.0f} bytes a memory, {(searched - full) / searches:.0f} bytes a search")
    print(f"{name}: {int(index[1]) / memories:.0f} bytes of index in memory for each memory in reach", flush=True)


def main(program, memories=20_000, searches=4_000):
    memories, searches = int(memories), int(searches)
    settings = {"ORGMEM_LIMITS_REQUEST_TIMEOUT_SECONDS": "300"}
    with tempfile.TemporaryDirectory(prefix="orgmem-growth-") as folder, Server(program, folder, settings) as server:
        file = os.path.join(folder, "data", "orgmem.db")
        measure("SQLite", server, lambda: sqlite_bytes(file), memories, searches)
    with tempfile.TemporaryDirectory(prefix="orgmem-growth-") as folder, postgres(folder) as url:
        os.mkdir(os.path.join(folder, "server"))
        with Server(program, os.path.join(folder, "server"), {**settings, "ORGMEM_DATABASE_URL": url}) as server:
            measure("PostgreSQL", server, lambda: postgres_bytes(url), memories, searches)


if __name__ == "__main__":
    main(*sys.argv[1:])
