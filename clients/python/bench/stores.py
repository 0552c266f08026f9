"""LangGraph's PostgreSQL store and `OrgmemStore` on SQLite, at the same work: operations a second, as ratios.

    pip install 'orgmem[langgraph]' langgraph-checkpoint-postgres 'psycopg[binary]'
    cargo build --profile dist -p orgmem
    python bench/stores.py --program target/dist/orgmem

Both keep their data on this machine's disk and are durable. PostgreSQL runs in a private cluster with its defaults
(`fsync` and `synchronous_commit` on), on a Unix socket, and LangGraph's store has no vectors. The two take turns, and a
figure is the median of the rounds. They search without a query, because LangGraph's store needs an embedder for one.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from langgraph.store.base import BaseStore, GetOp, PutOp
from langgraph.store.postgres import PostgresStore

from orgmem import Client
from orgmem.langgraph import OrgmemStore

USERS = 20
Work = Callable[[BaseStore, str, int], int]


def place(round_: str, number: int) -> tuple[tuple[str, ...], str]:
    return ("bench", round_, f"user-{number % USERS}"), f"item-{number}"


def value(number: int) -> dict[str, object]:
    return {"text": f"User {number % USERS} prefers answer {number}, short and in French.", "rank": number % 10}


def puts(store: BaseStore, round_: str, count: int) -> int:
    for number in range(count):
        store.put(*place(round_, number), value(number))
    return count


def batched_puts(store: BaseStore, round_: str, count: int) -> int:
    store.batch([PutOp(*place(f"{round_}b", number), value(number)) for number in range(count)])
    return count


def gets(store: BaseStore, round_: str, count: int) -> int:
    for number in range(count):
        assert store.get(*place(round_, number), refresh_ttl=False) is not None
    return count


def batched_gets(store: BaseStore, round_: str, count: int) -> int:
    assert None not in store.batch([GetOp(*place(round_, number), refresh_ttl=False) for number in range(count)])
    return count


def searches(store: BaseStore, round_: str, count: int) -> int:
    for number in range(count // 10):
        assert store.search(("bench", round_, f"user-{number % USERS}"), limit=10, refresh_ttl=False)
    return count // 10


def filters(store: BaseStore, round_: str, count: int) -> int:
    for number in range(count // 10):
        place_ = ("bench", round_, f"user-{number % USERS}")
        assert store.search(place_, filter={"rank": number % USERS % 10}, limit=10, refresh_ttl=False)
    return count // 10


WORK: dict[str, Work] = {
    "puts, one by one": puts,
    "puts, in a batch": batched_puts,
    "gets, one by one": gets,
    "gets, in a batch": batched_gets,
    "searches by prefix": searches,
    "searches by prefix and filter": filters,
}


@contextmanager
def orgmem_store(program: Path, folder: Path) -> Iterator[BaseStore]:
    env = {
        "ORGMEM_DATA_DIR": str(folder),
        "ORGMEM_LISTEN": "127.0.0.1:0",
        "ORGMEM_LOG": "warn",
        "PATH": "/usr/bin:/bin",
    }
    server = subprocess.Popen(
        [str(program), "serve"], env={**env, "HOME": str(folder)}, stdout=subprocess.PIPE, text=True
    )
    try:
        assert server.stdout is not None
        lines = []
        for line in server.stdout:
            lines.append(line)
            if line.strip().startswith("admin token"):
                break
        url = next(line.split()[-1] for line in lines if " listens on " in line)
        with Client(url, (folder / "admin.token").read_text().strip()) as admin:
            workspace = admin.create_workspace("bench")["id"]
            token = admin.at(workspace).issue_token("agent")["token"]
        with Client(url, token) as client:
            yield OrgmemStore(client)
    finally:
        server.kill()
        server.wait()


@contextmanager
def postgres_store(folder: Path) -> Iterator[BaseStore]:
    """A private cluster; as root it runs as the user `postgres`."""
    programs = max(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: int(path.parent.name))
    as_user = ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []
    data = folder / "data"
    if as_user:
        shutil.chown(folder, "postgres")
    control = [*as_user, str(programs / "pg_ctl"), "-D", str(data), "-s", "-w"]
    init = [*as_user, str(programs / "initdb"), "-D", str(data), "-U", "bench", "-A", "trust", "-E", "UTF8"]
    subprocess.run(init, check=True, stdout=subprocess.DEVNULL, cwd="/")
    settings = f"-c listen_addresses='' -c unix_socket_directories='{folder}'"
    subprocess.run([*control, "-o", settings, "-l", str(folder / "log"), "start"], check=True, cwd="/")
    try:
        with PostgresStore.from_conn_string(f"postgresql:///postgres?host={folder}&user=bench") as store:
            store.setup()
            yield store
    finally:
        subprocess.run([*control, "-m", "immediate", "stop"], check=True, cwd="/")


def rate(work: Work, store: BaseStore, round_: str, count: int) -> float:
    start = time.perf_counter()
    done = work(store, round_, count)
    return done / (time.perf_counter() - start)


def main() -> None:
    parser = argparse.ArgumentParser(description="compares two LangGraph stores")
    parser.add_argument("--program", type=Path, required=True, help="the orgmem program, optimised")
    parser.add_argument("--items", type=int, default=1000, help="items of a round")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--json", type=Path, help="also write the figures to this file")
    how = parser.parse_args()
    figures: dict[str, dict[str, float]] = {}
    with ExitStack() as stack:
        folders = [Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="orgmem-bench-"))) for _ in range(2)]
        folders[1].chmod(0o755)
        ours = stack.enter_context(orgmem_store(how.program.resolve(), folders[0]))
        theirs = stack.enter_context(postgres_store(folders[1]))
        rates: dict[str, list[tuple[float, float]]] = {name: [] for name in WORK}
        for round_ in range(how.rounds + 1):
            for name, work in WORK.items():
                pair = rate(work, ours, f"r{round_}", how.items), rate(work, theirs, f"r{round_}", how.items)
                # the first round warms both up
                if round_ > 0:
                    rates[name].append(pair)
        for name, pairs in rates.items():
            own, other = (statistics.median(column) for column in zip(*pairs, strict=True))
            ratio = statistics.median(mine / their for mine, their in pairs)
            figures[name] = {"orgmem_per_second": own, "postgres_per_second": other, "ratio": ratio}
    print(f"| {how.items} items, {how.rounds} rounds | orgmem / s | PostgreSQL store / s | ratio |\n|---|---|---|---|")
    for name, one in figures.items():
        print(f"| {name} | {one['orgmem_per_second']:.0f} | {one['postgres_per_second']:.0f} | {one['ratio']:.2f} |")
    if how.json:
        how.json.write_text(json.dumps(figures, indent=2))


if __name__ == "__main__":
    main()
