"""Measures searches among memories and passages of documents, next to SQLite's FTS5 over the same texts.

    passages.py PROGRAM [--each 100000] [--rounds 5] [--small]

SQLite in a temporary folder, with as many memories as passages in one workspace. Every round asks the same 200 queries of one to five
words in turns: among memories, among memories and passages, and of FTS5's bm25() over the texts of both, in this process. Prints medians
and their ratios. `docs/benchmarks.md` has results.
"""

import argparse
import http.client
import os
import random
import sqlite3
import statistics
import tempfile
import time
import urllib.parse
from urllib.parse import urlsplit

from history import UNLIMITED, Server

LETTERS = random.Random(5)
# unlike one another, so that no word is taken for another with a typo
WORDS = ["".join(LETTERS.choices("abcdefghijklmnopqrstuvwxyz", k=LETTERS.randint(4, 11))) for _ in range(20_000)]
PER_DOCUMENT = 500
QUERIES = 200
BATCH = 500


def text(chance, least, most):
    return " ".join(WORDS[min(int(chance.paretovariate(0.8)), len(WORDS)) - 1] for _ in range(chance.randint(least, most)))


def fill(server, each):
    chance, texts = random.Random(7), []
    root = server.call("POST", "/workspaces", {"name": "Acme"})["id"]
    for _ in range(0, each, BATCH):
        some = [text(chance, 15, 60) for _ in range(BATCH)]
        array = [{"content": one, "scope": "LOCAL", "workspace_id": root} for one in some]
        outcome = server.call("POST", "/admin/memories/import", array)
        assert outcome["imported"] == BATCH, outcome["errors"][:3]
        texts += some
    for number in range(0, each, PER_DOCUMENT):
        # a heading ends a passage, so each paragraph is one
        some = [text(chance, 60, 140) for _ in range(PER_DOCUMENT)]
        content = "\n\n".join(f"# part {n}\n\n{one}" for n, one in enumerate(some))
        document = {"title": f"manual {number}", "content": content, "media_type": "text/markdown", "scope": "LOCAL"}
        server.call("POST", f"/workspaces/{root}/documents", document)
        texts += some
    return root, texts


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("program")
    arguments.add_argument("--each", type=int, default=100_000)
    arguments.add_argument("--rounds", type=int, default=5)
    arguments.add_argument("--small", action="store_true", help="2,000 of each: to try the script, not to measure")
    options = arguments.parse_args()
    each = 2_000 if options.small else options.each
    with tempfile.TemporaryDirectory() as folder, Server(os.path.abspath(options.program), folder, UNLIMITED) as server:
        root, texts = fill(server, each)
        database = sqlite3.connect(":memory:")
        database.execute("CREATE VIRTUAL TABLE texts USING fts5(text, tokenize = 'porter unicode61')")
        database.executemany("INSERT INTO texts (text) VALUES (?)", ((one,) for one in texts))
        connection = http.client.HTTPConnection(urlsplit(server.url).netloc)

        def search(where, query):
            address = f"/workspaces/{root}/memories?{urllib.parse.urlencode({'q': query, 'limit': 10, **where})}"
            connection.request("GET", address, headers={"Authorization": f"Bearer {server.token}"})
            response = connection.getresponse()
            body = response.read()
            assert response.status == 200, body

        def fts(query):
            words = " OR ".join(query.split())
            database.execute("SELECT rowid FROM texts WHERE texts MATCH ? ORDER BY bm25(texts) LIMIT 10", [words]).fetchall()

        ways = {
            "memories": lambda query: search({}, query),
            "memories and passages": lambda query: search({"in": "memories,documents"}, query),
            "passages": lambda query: search({"in": "documents"}, query),
            "FTS5 over the texts of both": fts,
        }
        chance = random.Random(3)
        # words of middle frequency, as in questions without stop words
        queries = [" ".join(chance.choices(WORDS[10:500], k=chance.randint(1, 5))) for _ in range(QUERIES)]
        medians = {name: [] for name in ways}
        for _ in range(options.rounds + 1):
            for name, way in ways.items():
                times = []
                for query in queries:
                    started = time.perf_counter()
                    way(query)
                    times.append(time.perf_counter() - started)
                medians[name].append(statistics.median(times))
        limit = statistics.median(medians["FTS5 over the texts of both"][1:])
        for name, of in medians.items():
            middle = statistics.median(of[1:])
            print(f"{name:30}{middle * 1e6:9.0f} us{middle / limit:8.2f} of FTS5 ({min(of[1:]) * 1e6:.0f}-{max(of[1:]) * 1e6:.0f} us)", flush=True)


if __name__ == "__main__":
    main()
