"""Measures compactions of episodes into pages, commits during one, and reads of working sets.

    compaction.py PROGRAM [--episodes 1000000] [--subjects 10000] [--small]

SQLite in a temporary folder. Every subject has the same number of episodes, in sessions of five over 300 days. Three more subjects are
read: `few` has 100 episodes over 300 days, `dense` 100 sessions of one episode in 60 days, which fill the budgets of pages, and `many`
10,000 episodes over 300 days. `docs/benchmarks.md` has results.
"""

import argparse
import http.client
import json
import os
import random
import sqlite3
import statistics
import subprocess
import tempfile
import threading
import time
from datetime import timedelta
from pathlib import Path
from urllib.parse import urlsplit

from history import UNLIMITED, Server, ago, episode, write

SESSION = 5
TURN = timedelta(seconds=20)
DAYS = 300
DENSE_DAYS = 60
NEW = 1_000
CONNECTIONS = 4
PAIRS = 5
SECONDS = 10
READS = 300
NEVER, AT_ONCE = "86400", "5"
SUBJECTS = ("few", "dense", "many")
WORDS = [f"word{number}" for number in range(5_000)]


def text(chance, least=8, most=30):
    words = range(chance.randint(least, most))
    return " ".join(WORDS[min(int(chance.paretovariate(0.8)), len(WORDS)) - 1] for _ in words)


def history(episodes, subjects):
    """Episodes in the order of time: in each session all subjects speak, one after the other."""
    chance, number = random.Random(7), 0
    per_subject = episodes // subjects
    extra = {"few": 100, "many": 10_000 if episodes >= 100_000 else 1_000}
    sessions_of = {f"customer-{n}": per_subject // SESSION for n in range(subjects)}
    sessions_of |= {subject: count // SESSION for subject, count in extra.items()}
    longest = max(sessions_of.values())
    recent = longest * DENSE_DAYS // DAYS
    for session in range(longest):
        start = ago(days=DAYS * (1 - session / longest), hours=2)
        # a subject with fewer episodes has sessions in the same span of time
        speaking = [subject for subject, n in sessions_of.items() if session * n // longest != (session - 1) * n // longest]
        rows = []
        for subject in speaking:
            thread = f"{subject}-{session}"
            for message in range(SESSION):
                at = start + message * TURN
                fields = {"actor": subject, "channel": "chat", "correlation_id": thread, "session_id": thread, "kind": "support"}
                rows.append(episode(number, at, text(chance), **fields, subject=subject))
                number += 1
        if session >= longest - recent and (longest - session) % max(1, recent // 100) == 0:
            thread = f"dense-{session}"
            fields = {"actor": "dense", "channel": "chat", "correlation_id": thread, "session_id": thread, "kind": "support"}
            rows.append(episode(number, start, text(chance, 32, 36), **fields, subject="dense"))
            number += 1
        yield from sorted(rows, key=lambda row: row["id"])


class Database:
    """What the file says, without the server."""

    def __init__(self, folder):
        self.connection = sqlite3.connect(f"file:{folder}/data/orgmem.db?mode=ro", uri=True)

    def value(self, query, *values):
        return self.connection.execute(query, values).fetchone()[0]

    def due(self):
        return self.value("SELECT count(*) FROM page_work WHERE due_at <= ?", int(time.time() * 1e6))

    def tiers(self, subject):
        """Tiers of a subject, each with its pages and their tokens."""
        query = (
            "SELECT tier, count(*), sum(CASE tier WHEN 'hot' THEN hot_tokens WHEN 'warm' THEN warm_tokens ELSE 0 END)"
            " FROM pages WHERE subject = ? GROUP BY tier"
        )
        return self.connection.execute(query, (subject,)).fetchall()

    def read(self):
        """Seconds for a read of all columns of all episodes with a subject, and their number."""
        started = time.monotonic()
        count = sum(1 for _ in self.connection.execute("SELECT * FROM episodes WHERE correlation_id IS NOT NULL"))
        return time.monotonic() - started, count


def make_due(folder):
    """Makes all threads due, without a server: an export without pages has no work."""
    with sqlite3.connect(f"{folder}/data/orgmem.db") as connection:
        connection.execute("DELETE FROM page_work")
        connection.execute(
            "INSERT INTO page_work SELECT org_id, workspace_id, subject, session_id, zeroblob(16), 0 FROM episodes"
            " WHERE correlation_id IS NOT NULL GROUP BY org_id, workspace_id, subject, session_id"
        )
    connection.close()


def until_compacted(database):
    """Seconds until nothing is due, from the first change."""
    before = database.due()
    assert before > 0
    while database.due() == before:
        time.sleep(0.02)
    started = time.monotonic()
    while database.due():
        time.sleep(0.1)
    return time.monotonic() - started


class Commits:
    """Commits on some connections, into a workspace without episodes."""

    def __init__(self, server, workspace):
        self.server, self.workspace = server, workspace

    def rate(self):
        """Commits a second."""
        is_done, counts = threading.Event(), []

        def run(name):
            connection, done = http.client.HTTPConnection(urlsplit(self.server.url).netloc), 0
            headers = {"Authorization": f"Bearer {self.server.token}", "Content-Type": "application/json"}
            while not is_done.is_set():
                body = json.dumps({"content": f"{name} {done} {WORDS[done % 5000]}", "scope": "LOCAL"})
                connection.request("POST", f"/workspaces/{self.workspace}/memories", body, headers)
                response = connection.getresponse()
                answer = response.read()
                if response.status != 201:
                    raise SystemExit(f"a commit: {response.status} {answer.decode()}")
                done += 1
            counts.append(done)

        threads = [threading.Thread(target=run, args=(f"{time.monotonic()} {n}",)) for n in range(CONNECTIONS)]
        started = time.monotonic()
        for thread in threads:
            thread.start()
        time.sleep(SECONDS)
        is_done.set()
        for thread in threads:
            thread.join()
        return sum(counts) / (time.monotonic() - started)


def during_compaction(program, folder, workspace, limits, database):
    """Commits a second without a compaction, and during one."""
    with Server(program, folder, limits) as server:
        quiet = Commits(server, workspace).rate()
    with Server(program, folder, {**limits, "ORGMEM_PAGES_COMPACT_SECONDS": AT_ONCE}) as server:
        before = database.due()
        while database.due() == before:
            time.sleep(0.02)
        busy = Commits(server, workspace).rate()
        if not database.due():
            raise SystemExit("the compaction ended before the commits: too few episodes")
    return quiet, busy


def working_sets(server, root):
    """Median seconds of a context block of each subject, read in turns."""
    times = {subject: [] for subject in SUBJECTS}
    connection = http.client.HTTPConnection(urlsplit(server.url).netloc)
    headers = {"Authorization": f"Bearer {server.token}", "Content-Type": "application/json"}
    for number in range(READS):
        for subject in times if number % 2 else reversed(times):
            body = json.dumps({"subject": subject, "query": f"{WORDS[3]} {WORDS[number % 50]}"})
            started = time.perf_counter()
            connection.request("POST", f"/workspaces/{root}/context", body, headers)
            answer = connection.getresponse().read()
            times[subject].append(time.perf_counter() - started)
            assert b"Working Set" in answer, answer
    return {subject: statistics.median(of) for subject, of in times.items()}


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("program")
    arguments.add_argument("--episodes", type=int, default=1_000_000)
    arguments.add_argument("--subjects", type=int, default=10_000)
    arguments.add_argument("--small", action="store_true", help="20,000 episodes: to try the script, not to measure")
    options = arguments.parse_args()
    if options.small:
        options.episodes, options.subjects = 20_000, 200
    program = os.path.abspath(options.program)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "history.jsonl"
        root = write(program, file, history(options.episodes, options.subjects))
        env = {"PATH": "/usr/bin:/bin", "HOME": folder, "ORGMEM_DATA_DIR": f"{folder}/data"}
        subprocess.run([program, "import", file], env=env, check=True, stdout=subprocess.DEVNULL)
        file.unlink()
        make_due(folder)
        database = Database(folder)
        reading, episodes = database.read()
        reading, _ = database.read()
        print(f"read of {episodes:,} rows by a driver: {episodes / reading:,.0f}/s", flush=True)

        limits = {**UNLIMITED, "ORGMEM_PAGES_COMPACT_SECONDS": NEVER}
        with Server(program, folder, limits) as server:
            other = server.call("POST", "/workspaces", {"name": "bot", "parent_id": root})["id"]
        ratios = [during_compaction(program, folder, other, limits, database) for _ in range(PAIRS)]
        shown = ", ".join(f"{busy / quiet:.2f}" for quiet, busy in ratios)
        quiet, busy = (statistics.median(rates) for rates in zip(*ratios))
        print(f"commits, {CONNECTIONS} connections: {quiet:,.0f}/s, during a compaction {busy:,.0f}/s, {shown}", flush=True)

        # from the beginning again, with the few pages that exist by now
        make_due(folder)
        with Server(program, folder, {**limits, "ORGMEM_PAGES_COMPACT_SECONDS": AT_ONCE}) as server:
            seconds = until_compacted(database)
            pages = database.value("SELECT count(*) FROM pages")
            print(f"from scratch: {episodes / seconds:,.0f} episodes/s, {seconds:.1f} s, {pages:,} pages")
            print(f"  to the read of the same rows: {seconds / reading:.1f} times its time", flush=True)

        with Server(program, folder, limits) as server:
            for number in range(NEW):
                subject = f"customer-{number % options.subjects}"
                fields = {"actor": subject, "channel": "chat", "correlation_id": f"new-{number}", "session_id": f"new-{number}"}
                body = {"activity_type": "agent_log", "summary": f"{WORDS[number]} again", "kind": "support", "subject": subject}
                server.call("POST", f"/workspaces/{root}/activity", {**body, **fields})
            for subject in SUBJECTS:
                tiers = ", ".join(f"{tier} {pages} of {tokens:,} tokens" for tier, pages, tokens in database.tiers(subject))
                print(f"pages of `{subject}`: {tiers}")
            sets = working_sets(server, root)
            for subject, seconds in sets.items():
                print(f"working set of `{subject}`: {seconds * 1e3:.2f} ms, `many` to it {sets['many'] / seconds:.2f}", flush=True)

        with Server(program, folder, {**limits, "ORGMEM_PAGES_COMPACT_SECONDS": AT_ONCE}) as server:
            seconds = until_compacted(database)
            print(f"increment of {NEW:,}: {NEW / seconds:,.0f} episodes/s, {seconds:.2f} s", flush=True)


if __name__ == "__main__":
    main()
