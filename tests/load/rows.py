"""Measures an import of rows and the runs of a processor over them.

    rows.py PROGRAM [--rows 1000000] [--small]

SQLite in a temporary folder. The rows are issues as `bug-import` reads them. Prints the rate of the import, of the runs until all rows
are read and all facts are written, of a run after 1,000 changed rows, and the peak memory of the server. `docs/benchmarks.md` has results.
"""

import argparse
import json
import os
import random
import tempfile
import time
import urllib.request

from history import UNLIMITED, Server

BATCH = 5_000
COMPONENTS = [f"component-{number}" for number in range(400)]
TYPES = ["crash", "performance", "security", "data loss", "wrong result"]
CAUSES = ["race condition", "null pointer", "off by one", "missing check", "timeout", "configuration"]
TRIGGERS = ["windows", "upgrade", "high load", "empty input", "network failure"]


def issue(number, chance):
    component = COMPONENTS[min(int(chance.paretovariate(0.7)), len(COMPONENTS)) - 1]
    day = f"2026-{number % 10 + 1:02}-{number % 28 + 1:02}"
    return {
        "id": f"bug-{number}",
        "opened": day,
        "component": component,
        "type": chance.choice(TYPES),
        "root_cause": chance.choice(CAUSES),
        "title": f"{component} fails on {chance.choice(TRIGGERS)} number {number}",
        "severity": chance.choice(["low", "medium", "high", "critical"]),
    }


def send(server, path, rows):
    body = "\n".join(json.dumps(row) for row in rows).encode()
    request = urllib.request.Request(server.url + path, data=body, method="POST")
    request.add_header("Authorization", f"Bearer {server.token}")
    request.add_header("Content-Type", "application/x-ndjson")
    with urllib.request.urlopen(request, timeout=300) as response:
        answer = json.load(response)
    assert answer["refused"] == 0, answer["faults"][:3]


def peak(server):
    """MiB."""
    with open(f"/proc/{server.child.pid}/status", encoding="utf-8") as file:
        return next(int(line.split()[1]) // 1024 for line in file if line.startswith("VmHWM"))


def run(server, workspace):
    """Runs until nothing is left; returns seconds, the number of runs, and the sums of their reports."""
    started, runs, sums = time.monotonic(), 0, {"read": 0, "inserted": 0, "updated": 0}
    while True:
        report = server.call("POST", f"/workspaces/{workspace}/processors/bug-import/run")
        runs += 1
        for name in sums:
            sums[name] += report[name]
        if not report.get("capped"):
            return time.monotonic() - started, runs, sums


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("program")
    arguments.add_argument("--rows", type=int, default=1_000_000)
    arguments.add_argument("--small", action="store_true", help="20,000 rows: to try the script, not to measure")
    options = arguments.parse_args()
    count = 20_000 if options.small else options.rows
    with tempfile.TemporaryDirectory() as folder, Server(os.path.abspath(options.program), folder, UNLIMITED) as server:
        root = server.call("POST", "/workspaces", {"name": "Acme"})["id"]
        server.call("PUT", f"/workspaces/{root}/collections/bugs", {"key": "id", "time": "opened"})
        definition = {"built_in": "bug-import", "set": {"collection": "bugs", "schedule": "0 0 1 1 *"}}
        server.call("POST", f"/workspaces/{root}/processors", definition)
        path, chance, seconds = f"/workspaces/{root}/collections/bugs/rows", random.Random(7), 0
        for start in range(0, count, BATCH):
            rows = [issue(number, chance) for number in range(start, min(start + BATCH, count))]
            started = time.monotonic()
            send(server, path, rows)
            seconds += time.monotonic() - started
        print(f"import of {count:,} rows: {count / seconds:,.0f}/s, peak {peak(server)} MiB", flush=True)
        seconds, runs, sums = run(server, root)
        print(f"runs over all: {count / seconds:,.0f} rows/s, {seconds:.1f} s in {runs} runs, {sums}, peak {peak(server)} MiB", flush=True)
        changed = [{**issue(number, chance), "severity": "critical"} for number in random.Random(8).sample(range(count), 1_000)]
        send(server, path, changed)
        seconds, runs, sums = run(server, root)
        print(f"after 1,000 changed rows: {seconds:.2f} s in {runs} runs, {sums}, peak {peak(server)} MiB", flush=True)


if __name__ == "__main__":
    main()
