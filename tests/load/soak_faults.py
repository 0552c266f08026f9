"""The faults of a soak. Each lasts some seconds; when its function returns, it is over."""

import signal
import subprocess
import sys
import time
from collections import namedtuple

import soak_attacks
from soak_attacks import SECONDS
from soak_sites import CONNECTIONS, Backend

# `databases` where it applies; `failures` that callers may have meanwhile, in addition to none
Fault = namedtuple("Fault", "name run databases failures")
BOTH, SQLITE, POSTGRES = ("sqlite", "postgres"), ("sqlite",), ("postgres",)
UNAVAILABLE, DOWN = {"503 unavailable", "429 busy"}, {"503 unavailable", "429 busy", "no connection"}

LOCK = """
import sqlite3, sys, time
connection = sqlite3.connect(sys.argv[1])
connection.execute("BEGIN IMMEDIATE")
time.sleep(float(sys.argv[2]))
connection.rollback()
"""


def restart(attacker, signum):
    site = attacker.site
    code = site.stop(signum)
    assert signum == signal.SIGKILL or code == 0, f"the exit code of the server is {code}"
    site.start()


def kill(attacker):
    restart(attacker, signal.SIGKILL)


def terminate(attacker):
    restart(attacker, signal.SIGTERM)


def pause(attacker):
    attacker.site.server.child.send_signal(signal.SIGSTOP)
    time.sleep(SECONDS)
    attacker.site.server.child.send_signal(signal.SIGCONT)


def fill_disk(attacker):
    attacker.site.disk.fill()
    time.sleep(SECONDS)
    attacker.site.disk.free()


def lock_database(attacker):
    file = attacker.site.folder / "data" / "orgmem.db"
    subprocess.run([sys.executable, "-c", LOCK, file, str(SECONDS)], check=True)


def end_connections(attacker):
    end, backend = time.monotonic() + SECONDS, Backend(attacker.site.cluster.port)
    while time.monotonic() < end:
        backend.end_others()
        time.sleep(1)
    backend.close()


def crash_database(attacker):
    attacker.site.cluster.crash()
    time.sleep(SECONDS - 3)
    attacker.site.cluster.start()


def stall_network(attacker):
    attacker.site.network.set("stall")
    time.sleep(SECONDS)
    attacker.site.network.set("heal")


def cut_network(attacker):
    attacker.site.network.set("cut")
    time.sleep(SECONDS)
    attacker.site.network.set("heal")


def use_up_connections(attacker):
    end, port = time.monotonic() + SECONDS, attacker.site.cluster.port
    backends = [Backend(port)]
    while time.monotonic() < end:
        try:
            backends.append(Backend(port))
        except ConnectionError:
            # none is left for others
            backends[0].end_others()
            time.sleep(0.05)
    assert len(backends) > CONNECTIONS - 5, f"only {len(backends)} connections were taken"
    for backend in backends:
        backend.close()


def back_up(attacker):
    attacker.site.run("backup", str(attacker.site.folder / "backups"), "--keep", "1")


def export(attacker):
    file = attacker.site.folder / "export.jsonl"
    attacker.site.run("export", str(file), "--org", attacker.load.orgs[1][0])
    assert '"trailer"' in file.read_text(encoding="utf-8").splitlines()[-1], "the export is incomplete"
    file.unlink()


RESTARTS = [Fault("the server is killed", kill, BOTH, DOWN), Fault("the server is stopped", terminate, BOTH, DOWN)]
# those that need most memory first, so that the first quarter of the measurement contains them
OTHERS = [
    Fault("a workspace is erased", soak_attacks.delete_workspace, BOTH, set()),
    Fault("large and deep bodies", soak_attacks.send_large_bodies, BOTH, set()),
    Fault("idle connections", soak_attacks.open_idle_connections, BOTH, set()),
    Fault("slow readers of events", soak_attacks.read_slowly, BOTH, set()),
    Fault("export", export, BOTH, set()),
    Fault("backup", back_up, SQLITE, set()),
    Fault("slow bodies", soak_attacks.send_slowly, BOTH, set()),
    Fault("cancelled searches", soak_attacks.cancel_searches, BOTH, set()),
    Fault("malformed requests", soak_attacks.send_malformed, BOTH, set()),
    Fault("the server is paused", pause, BOTH, set()),
    Fault("the disk is full", fill_disk, SQLITE, UNAVAILABLE),
    Fault("the database is locked", lock_database, SQLITE, UNAVAILABLE),
    Fault("connections to the database end", end_connections, POSTGRES, UNAVAILABLE),
    Fault("the database crashes", crash_database, POSTGRES, UNAVAILABLE),
    Fault("the network stalls", stall_network, POSTGRES, UNAVAILABLE),
    Fault("the network is cut", cut_network, POSTGRES, UNAVAILABLE),
    Fault("no connection is left", use_up_connections, POSTGRES, UNAVAILABLE),
]
