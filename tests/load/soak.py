"""An hour of mixed load with a fault every minute, on SQLite and on PostgreSQL. `docs/testing.md`, "Soak", has the criteria.

    soak.py PROGRAM [--database sqlite|postgres|both] [--minutes 60] [--every 60] [--small] [--json FILE]

Five callers of four orgs send 80 requests a second. One of the orgs, the neighbour, is measured. PostgreSQL needs its programs on
the machine. The disk is full only where this program may mount one, for example as root. The exit code is 1 if a criterion fails.
"""

import argparse
import itertools
import json
import os
import signal
import sys
import tempfile
import threading
import time
from collections import Counter, namedtuple
from contextlib import ExitStack
from pathlib import Path

from soak_attacks import Attacker
from soak_checks import Follower, acknowledge_rest, check_audit_logs, check_events, check_writes
from soak_faults import OTHERS, RESTARTS
from soak_load import Load
from soak_report import judge, show
from soak_sites import Site

Sample = namedtuple("Sample", "at pid resident anonymous index descriptors threads")


class Sampler(threading.Thread):
    """Each second: resident bytes, bytes of the index cache (every ten seconds), descriptors and threads of the server."""

    def __init__(self, site):
        super().__init__(daemon=True)
        self.site, self.is_over, self.samples = site, threading.Event(), []

    def run(self):
        index = 0
        for number in itertools.count():
            if self.is_over.wait(1):
                return
            pid = self.site.pid
            try:
                # not while a fault lasts that the request would wait for
                if number % 10 == 0 and not self.site.is_disturbed:
                    index = self.site.index_cache_bytes() or index
                status = dict(line.split(":", 1) for line in Path(f"/proc/{pid}/status").read_text().splitlines())
                resident, anonymous = (int(status[name].split()[0]) * 1_024 for name in ("VmRSS", "RssAnon"))
                counts = [len(os.listdir(f"/proc/{pid}/{name}")) for name in ("fd", "task")]
                self.samples.append(Sample(time.monotonic(), pid, resident, anonymous, index, *counts))
            except (OSError, KeyError):
                # the server is down
                pass


class Happening:
    """A fault that was, with its effects."""

    def __init__(self, fault):
        self.fault, self.note, self.wrong = fault, "", []
        self.failures = Counter()
        self.began = self.ended = time.monotonic()

    def run(self, attacker):
        attacker.site.is_disturbed = True
        try:
            self.note = self.fault.run(attacker) or ""
        except (Exception, SystemExit) as error:
            self.wrong.append(f"{type(error).__name__}: {error}")
        attacker.site.is_disturbed = False
        self.ended = time.monotonic()


def pause_until(moment):
    time.sleep(max(0, moment - time.monotonic()))


def schedule(site, minutes, every, is_small):
    """The faults in their order: restarts in the first third."""
    others = [fault for fault in OTHERS if site.database in fault.databases]
    if site.database == "sqlite" and not site.disk.is_mounted:
        others = [fault for fault in others if fault.name != "the disk is full"]
        print("no fault `the disk is full`: this user may not mount a file system")
    if is_small:
        return [*RESTARTS, *others]
    count = int(minutes * 60 / every) - 1
    first = max(1, count // 3)
    return [*itertools.islice(itertools.cycle(RESTARTS), first), *itertools.islice(itertools.cycle(others), count - first)]


def soak(options, database, folder, stack):
    site = Site(os.path.abspath(options.program), folder, database, stack)
    site.is_disturbed = False
    every = 25 if options.small else options.every
    faults = schedule(site, options.minutes, every, options.small)
    load = Load(site, lifetime=len(faults) * every / 6)
    attacker = Attacker(load)
    followers = [Follower(load, org) for org in load.orgs]
    sampler = Sampler(site)
    for thread in (*followers, *load.callers, sampler):
        thread.start()
    start, happenings = time.monotonic(), []
    for number, fault in enumerate(faults, 1):
        pause_until(start + number * every)
        happenings.append(Happening(fault))
        happenings[-1].run(attacker)
        print(f"{database} {number}/{len(faults)} {fault.name} {'; '.join(happenings[-1].wrong)}", flush=True)
    end = start + (len(faults) + 1) * every
    pause_until(end)
    load.stop()
    sampler.is_over.set()
    for caller in load.callers:
        acknowledge_rest(caller)
    load.wrong += check_events(load, followers)
    compared = sum(check_writes(caller) for caller in load.callers)
    load.wrong += check_audit_logs(load)
    code = site.stop(signal.SIGTERM)
    if code != 0:
        load.wrong.append(f"the exit code of the server is {code}")
    load.wrong += site.panics()
    return judge(load, happenings, sampler.samples, (start, end), compared)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--database", choices=("sqlite", "postgres", "both"), default="both")
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--every", type=float, default=60, help="seconds from one fault to the next, at least 20")
    parser.add_argument("--small", action="store_true", help="each fault once, every 25 s: to try the script, not to measure")
    parser.add_argument("--json", type=Path, help="a file for the figures")
    options = parser.parse_args()
    if options.every < 20:
        parser.error(f"--every {options.every}: a fault lasts up to 10 s, and its effects may last 10 s more")
    reports = {}
    for database in ("sqlite", "postgres") if options.database == "both" else (options.database,):
        with tempfile.TemporaryDirectory(prefix="orgmem-soak-") as folder, ExitStack() as stack:
            reports[database] = soak(options, database, Path(folder), stack)
        show(database, reports[database])
    if options.json:
        options.json.write_text(json.dumps(reports, indent=1))
    sys.exit(any(criterion["is_met"] is False for report in reports.values() for criterion in report["criteria"]))


if __name__ == "__main__":
    main()
