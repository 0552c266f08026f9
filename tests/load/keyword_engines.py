"""Measures keyword search next to tantivy and SQLite's FTS5 over the same texts.

    keyword_engines.py PROGRAM [--memories 10000,20000,100000,1000000] [--rounds 5] [--quality FOLDER] [--json FILE]

Needs the package `tantivy`. SQLite in a temporary folder with the server's default settings, apart from the limits on requests. orgmem is
measured over HTTP, the engines in this process: both index the texts only, without access rules, audit log and versions. A workspace and
its eight children commit batches of 500: half of all memories is readable by the root only, 40 % by the root and its children, 10 % by
every workspace; for a smaller reach the engines filter by partition. Every round measures hello (`/healthz`), orgmem and both engines in
turns. Texts and questions are those of W3 (`src/texts.rs`). Prints a table for each size: medians of the rounds, with their spread.
`docs/benchmarks.md` has results.
"""

import argparse
import json
import multiprocessing
import os
import re
import statistics
import tempfile
import time
import urllib.parse
from pathlib import Path

from connections import Client, http_rate, wire
from engines import BATCH, ENGINES, Texts
from history import UNLIMITED, Server

CLIENTS = 8
# A lap ends after this time, and a measurement of throughput takes half of it.
LAP_SECONDS = 2
# Over a large reach a search may take long on a busy machine.
SETTINGS = {**UNLIMITED, "ORGMEM_LIMITS_REQUEST_TIMEOUT_SECONDS": "300"}
PARTITIONS = [0] * 10 + [1] * 2 + list(range(2, 10))


def lap(call, items, turn=0, seconds=LAP_SECONDS):
    """Milliseconds of each call; a lap that takes too long ends early, and the next one starts elsewhere."""
    items = items[turn * 67 % len(items) :] + items[: turn * 67 % len(items)]
    begin, times = time.perf_counter(), []
    for item in items:
        started = time.perf_counter()
        call(item)
        ended = time.perf_counter()
        times.append((ended - started) * 1000)
        if ended - begin > seconds:
            break
    return times


def percentile(times, part):
    return sorted(times)[min(int(len(times) * part / 100), len(times) - 1)]


def searches(engine, folder, queries, begins, done):
    index = ENGINES[engine](folder)
    lap(lambda query: index.search(query, "all"), queries[:20], seconds=LAP_SECONDS / 4)
    begins.wait()
    begin, count = time.perf_counter(), 0
    while time.perf_counter() - begin < LAP_SECONDS / 2:
        index.search(queries[(count * CLIENTS + os.getpid()) % len(queries)], "all")
        count += 1
    done.put(count / (time.perf_counter() - begin))


def engine_rate(*which):
    fork = multiprocessing.get_context("fork")
    begins, done = fork.Barrier(CLIENTS), fork.Queue()
    processes = [fork.Process(target=searches, args=(*which, begins, done)) for _ in range(CLIENTS)]
    for process in processes:
        process.start()
    rate = sum(done.get() for _ in processes)
    for process in processes:
        process.join()
    return rate


class Figures:
    def __init__(self):
        self.values = {}

    def add(self, figure, engine, value):
        self.values.setdefault(figure, {}).setdefault(engine, []).append(value)

    def print(self):
        def spread(values):
            if len(values) < 2:
                return number(values[0]) if values else "–"
            return f"{number(statistics.median(values))} ({number(min(values))}–{number(max(values))})"

        print("| figure | orgmem | hello | tantivy | FTS5 | orgmem to tantivy |\n|---|---|---|---|---|---|")
        for figure, of in self.values.items():
            ratios = [mine / other for mine, other in zip(of.get("orgmem", ()), of.get("tantivy", ()), strict=False)]
            cells = [spread(of.get(engine, [])) for engine in ("orgmem", "hello", "tantivy", "FTS5")]
            print("|", " | ".join([figure, *cells, spread(ratios)]), "|", flush=True)


def number(value):
    return f"{value:,.0f}" if value >= 100 else f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def resident(server):
    """MB."""
    status = Path(f"/proc/{server.child.pid}/status").read_text()
    return int(re.search(r"VmRSS:\s+(\d+)", status)[1]) * 1024 / 1e6


def processor_seconds(server):
    return sum(map(int, Path(f"/proc/{server.child.pid}/stat").read_text().rsplit(")", 1)[1].split()[11:13])) / os.sysconf("SC_CLK_TCK")


def settle(server):
    """Waits until the jobs in the background are done."""
    before, begin = -1, time.monotonic()
    while (now := processor_seconds(server)) - before > 0.1 and time.monotonic() - begin < 300:
        before = now
        time.sleep(3)


def size(*paths):
    return sum(file.stat().st_size for path in paths for file in ([path] if path.is_file() else path.glob("*")))


class Org:
    def __init__(self, server):
        self.root = server.call("POST", "/workspaces", {"name": "Acme"})["id"]
        children = [server.call("POST", "/workspaces", {"name": f"Team {n}", "parent_id": self.root})["id"] for n in range(9)]
        outsider = server.call("POST", "/workspaces", {"name": "Outsider", "parent_id": children[8]})["id"]
        self.ids = [self.root, self.root, *children[:8]]
        self.readers = {"all": self.root, "half": children[0], "a tenth": outsider}
        self.tokens = {
            id: server.call("POST", f"/workspaces/{id}/tokens", {"role": "agent"})["token"] for id in {*self.ids, *self.readers.values()}
        }

    def batch(self, partition, texts):
        id, scope = self.ids[partition], ("LOCAL", "GLOBAL", "TEAM")[min(partition, 2)]
        memories = [{"scope": scope, "content": text} for text in texts]
        return wire(f"/workspaces/{id}/memories/batch", self.tokens[id], {"memories": memories})

    def get(self, reach, path, **parameters):
        id = self.readers[reach]
        return wire(f"/workspaces/{id}/{path}?{urllib.parse.urlencode(parameters)}", self.tokens[id])

    def search(self, reach, query):
        return self.get(reach, "memories", limit=10, q=query)


def batches_of(texts, memories):
    """Pairs of a partition and its texts."""
    return [
        (PARTITIONS[number % len(PARTITIONS)], [texts.memory(number * BATCH + row) for row in range(BATCH)])
        for number in range(memories // BATCH)
    ]


def fill(program, folder, batches, figures):
    """Fills a server and the engines; returns the org."""
    count = len(batches) * BATCH
    with Server(program, str(folder), SETTINGS) as server:
        org, client, costs, used = Org(server), Client(server.url), [], processor_seconds(server)
        for partition, texts in batches:
            request = org.batch(partition, texts)
            started, before = time.perf_counter(), used
            answer = client.send(request)
            used = processor_seconds(server)
            costs.append((time.perf_counter() - started, used - before))
            assert b'"refused":0,' in answer, answer[:500]
        tenth = max(len(costs) // 10, 1)
        for name, some in (("fill", costs), ("fill, first tenth", costs[:tenth]), ("fill, last tenth", costs[-tenth:])):
            seconds, processor = map(sum, zip(*some, strict=True))
            figures.add(f"{name}, memories/s", "orgmem", len(some) * BATCH / seconds)
            figures.add(f"{name}, processor time, µs a memory", "orgmem", processor * 1e6 / len(some) / BATCH)
        figures.add("resident after the fill, MB", "orgmem", resident(server))
        settle(server)
        figures.add("resident after the fill and the jobs in the background, MB", "orgmem", resident(server))
    figures.add("size, bytes a memory", "orgmem", size(folder / "data") / count)
    for name, engine in ENGINES.items():
        started, before = time.perf_counter(), time.process_time()
        engine(folder).fill(batches)
        figures.add("fill, processor time, µs a memory", name, (time.process_time() - before) * 1e6 / count)
        figures.add("fill, memories/s", name, count / (time.perf_counter() - started))
        figures.add("size, bytes a memory", name, size(folder / "tantivy" if name == "tantivy" else folder / "fts.db") / count)
    return org


def measure_cold(program, folder, org, query, figures):
    for reach in org.readers:
        with Server(program, str(folder), SETTINGS) as server:
            [first] = lap(Client(server.url).send, [org.search(reach, query)])
        figures.add(f"first search after a start, reach {reach}, ms", "orgmem", first)
        for name, engine in ENGINES.items():
            [first] = lap(lambda query, engine=engine, reach=reach: engine(folder).search(query, reach), [query])
            figures.add(f"first search after a start, reach {reach}, ms", name, first)


def measure_sessions(server, org, queries, rounds, figures):
    """Before the searches, because a search by an agent adds an episode."""
    client = Client(server.url)
    for turn in range(rounds):
        times = lap(client.send, [org.get("all", "session-search", q=query) for query in queries], turn)
        figures.add("session-search with a word, p50, ms", "orgmem", statistics.median(times))


def measure_warm(server, folder, org, queries, turn, indexes, figures):
    client = Client(server.url)

    def add(figure, engine, times):
        for part in (50, 99):
            figures.add(f"{figure}, p{part}, ms", engine, percentile(times, part))

    def add_search(figure, engine, clock, *which):
        before = clock()
        times = lap(*which)
        figures.add(f"{figure}, processor time, ms", engine, (clock() - before) * 1000 / len(times))
        add(figure, engine, times)

    hello, of_server = wire("/healthz", ""), lambda: processor_seconds(server)
    for kind, some in queries.items():
        for reach in org.readers:
            figure = f"{kind}, reach {reach}"
            add_search(figure, "orgmem", of_server, client.send, [org.search(reach, query) for query in some], turn)
            add(figure, "hello", lap(client.send, [hello] * len(some)))
            for name, index in indexes.items():
                add_search(figure, name, time.process_time, lambda query, index=index, reach=reach: index.search(query, reach), some, turn)
    for reach in org.readers:
        add(f"newest ten, reach {reach}", "orgmem", lap(client.send, [org.get(reach, "memories", limit=10)] * 50))
        add(f"count, reach {reach}", "orgmem", lap(client.send, [org.get(reach, "memories/count")] * 50))
    for what, some in (("words", queries["one word"] + queries["two words"]), ("questions", queries["question"])):
        figure = f"{what}, {CLIENTS} clients, searches/s"
        figures.add(figure, "orgmem", http_rate(server.url, [org.search("all", query) for query in some], CLIENTS, LAP_SECONDS / 2))
        figures.add(figure, "hello", http_rate(server.url, [hello], CLIENTS, LAP_SECONDS / 2))
        for name in ENGINES:
            figures.add(figure, name, engine_rate(name, folder, some))
    figures.add("resident after searches, MB", "orgmem", resident(server))

    def write_then(request):
        memory = {"scope": "LOCAL", "content": f"{time.time()} written before a search"}
        write = wire(f"/workspaces/{org.root}/memories", org.tokens[org.root], memory)
        client.send(write)
        started = time.perf_counter()
        client.send(request)
        after.append((time.perf_counter() - started) * 1000)

    # the server has closed the other one if it was idle for long
    client = Client(server.url)
    after, some = [], [org.search("all", query) for query in queries["two words"][:100]]
    without = lap(client.send, some, turn)
    lap(write_then, some, turn)
    figures.add("search without a write, p50, ms", "orgmem", statistics.median(without))
    figures.add("search after a write, p50, ms", "orgmem", statistics.median(after))
    figures.add("search after a write, to one without", "orgmem", statistics.median(after) / statistics.median(without))


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("program")
    arguments.add_argument("--memories", default="10000,20000,100000,1000000")
    arguments.add_argument("--rounds", type=int, default=5)
    arguments.add_argument("--quality", type=Path)
    arguments.add_argument("--json", type=Path)
    options = arguments.parse_args()
    program, texts, results = os.path.abspath(options.program), Texts(options.quality), {}
    with tempfile.TemporaryDirectory() as scratch:
        short = Figures()
        fill(program, Path(scratch), [(partition, [text[:150] for text in some]) for partition, some in batches_of(texts, 20_000)], short)
        print(f"20,000 memories of up to 150 characters: {short.values['size, bytes a memory']}", flush=True)
    for memories in map(int, options.memories.split(",")):
        figures, queries = Figures(), texts.queries(memories)
        with tempfile.TemporaryDirectory() as scratch:
            folder = Path(scratch)
            org = fill(program, folder, batches_of(texts, memories), figures)
            for turn in range(options.rounds):
                measure_cold(program, folder, org, queries["question"][turn], figures)
            with Server(program, scratch, SETTINGS) as server:
                figures.add("resident after a start, MB", "orgmem", resident(server))
                indexes = {name: engine(folder) for name, engine in ENGINES.items()}
                measure_sessions(server, org, queries["one word"][:50], options.rounds, figures)
                measure_warm(server, folder, org, {kind: some[:50] for kind, some in queries.items()}, 0, indexes, Figures())
                for turn in range(options.rounds):
                    measure_warm(server, folder, org, queries, turn, indexes, figures)
        load = ", ".join(map(str, os.getloadavg()))
        print(f"\n{memories:,} memories, {options.rounds} rounds, load {load}\n", flush=True)
        figures.print()
        results[memories] = figures.values
        if options.json:
            options.json.write_text(json.dumps(results, indent=1))


if __name__ == "__main__":
    main()
