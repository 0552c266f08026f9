"""Measures what a shadow costs: searches of one server without providers and of one with a shadow that misbehaves.

    shadow.py PROGRAM [--memories 5000] [--searches 1000] [--rounds 5]

Both servers have the same memories and get the same searches in turns, on a shadowed channel. Prints a line for each mood of
the shadow: the median latencies of the last round, and the median ratio of the rounds. `docs/benchmarks.md` has results.
"""

import argparse
import http.client
import json
import random
import socket
import statistics
import sys
import tempfile
import threading
import time
from contextlib import ExitStack
from pathlib import Path
from urllib.parse import urlsplit

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "operations"))
from live import Server  # noqa: E402

WORDS = [f"word{number}" for number in range(3_000)]
CHANNEL = {"X-Audit-Context": json.dumps({"channel": "phone"})}
EMPTY = b'HTTP/1.1 200 OK\r\ncontent-length: 15\r\nconnection: close\r\n\r\n{"memories":[]}'


class Shadow:
    """An engine that finds nothing, never answers, floods, or does not listen."""

    def __init__(self, mood):
        self.mood, self.silent = mood, []
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        if mood == "dead":
            self.listener.close()
        else:
            threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            connection, _ = self.listener.accept()
            threading.Thread(target=self.answer, args=(connection,), daemon=True).start()

    def answer(self, connection):
        try:
            connection.recv(65_536)
            if self.mood == "slow":
                self.silent.append(connection)
            elif self.mood == "flooding":
                connection.sendall(b'HTTP/1.1 200 OK\r\n\r\n{"memories":[')
                while True:
                    connection.sendall(b" " * 65_536)
            else:
                connection.sendall(EMPTY)
                connection.close()
        except OSError:
            pass

    def settings(self):
        prefix = "ORGMEM_PROVIDERS_ACME_"
        values = {"URL": f"http://127.0.0.1:{self.port}", "PRIVATE_HOST": "127.0.0.1", "TOKEN": "x", "SURFACES": "phone"}
        return {prefix + name: value for name, value in values.items()}


class Searcher:
    """One connection to a server with memories."""

    def __init__(self, server, memories):
        self.token = server.token
        self.connection = http.client.HTTPConnection(urlsplit(server.url).netloc)
        chance = random.Random(7)
        self.workspace = server.call("POST", "/workspaces", {"name": "Acme"})["id"]
        for _ in range(0, memories, 500):
            texts = (
                " ".join(WORDS[min(int(chance.paretovariate(0.8)), len(WORDS)) - 1] for _ in range(30)) for _ in range(500)
            )
            array = [{"content": text, "scope": "LOCAL", "workspace_id": self.workspace} for text in texts]
            outcome = server.call("POST", "/admin/memories/import", array)
            assert outcome["imported"] == len(array), outcome["errors"][:3]

    def seconds(self, query):
        started = time.perf_counter()
        headers = {"Authorization": f"Bearer {self.token}", **CHANNEL}
        self.connection.request("GET", f"/workspaces/{self.workspace}/memories?q={query}", headers=headers)
        response = self.connection.getresponse()
        body = response.read()
        assert response.status == 200, body
        return time.perf_counter() - started


def measure(program, mood, memories, searches, rounds):
    with ExitStack() as stack:
        folders = [stack.enter_context(tempfile.TemporaryDirectory()) for _ in range(2)]
        settings = [{}, Shadow(mood).settings()]
        servers = [stack.enter_context(Server(program, *pair)) for pair in zip(folders, settings)]
        searchers = [Searcher(server, memories) for server in servers]
        chance, ratios = random.Random(1), []
        for _ in range(rounds):
            times = [[], []]
            for number in range(searches):
                query = f"{chance.choice(WORDS)}+{chance.choice(WORDS[:300])}"
                for which in (0, 1) if number % 2 else (1, 0):
                    times[which].append(searchers[which].seconds(query))
            plain, shadowed = (statistics.median(of) for of in times)
            ratios.append(shadowed / plain)
        print(f"{mood:<10}{plain * 1e6:8.0f} us{shadowed * 1e6:8.0f} us   ratio {statistics.median(ratios):.3f}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--memories", type=int, default=5_000)
    parser.add_argument("--searches", type=int, default=1_000)
    parser.add_argument("--rounds", type=int, default=5)
    args = parser.parse_args()
    for mood in ("lying", "slow", "dead", "flooding"):
        measure(args.program, mood, args.memories, args.searches, args.rounds)


if __name__ == "__main__":
    main()
