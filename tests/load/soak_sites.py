"""The server of a soak with its database: SQLite on a small disk, or PostgreSQL behind a network that can fail.

    soak_sites.py PORT SERVER_PORT

is the network: it relays connections, and obeys `stall`, `cut` and `heal` on its standard input.
"""

import asyncio
import glob
import os
import pwd
import signal
import socket
import struct
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "operations"))
from live import Server, await_true, free_port, request  # noqa: E402

DISK_BYTES = 4 << 30
CONNECTIONS = 40
# short, so that a fault of a few seconds reaches them
LIMITS = {"ORGMEM_LIMITS_BODY_TIMEOUT_SECONDS": "4", "ORGMEM_EVENTS_SLOW_READER_SECONDS": "3"}


class Disk:
    """A file system of limited size, in memory, so that other programs do not delay it. `is_mounted` is false where this user may
    not mount one; then it is a folder."""

    def __init__(self, path, stack):
        self.path = path
        path.mkdir(mode=0o700)
        stack.callback(self.close)
        self.is_mounted = self._mount(f"size={DISK_BYTES},mode=0700")

    def _mount(self, options):
        args = ["mount", "-t", "tmpfs", "-o", options, "tmpfs", self.path]
        return subprocess.run(args, stderr=subprocess.DEVNULL, check=False).returncode == 0

    def fill(self):
        """Leaves no page free."""
        # the file may grow between the two calls, which refuses the smaller size
        for _ in range(100):
            usage = os.statvfs(self.path)
            if self._mount(f"remount,size={(usage.f_blocks - usage.f_bfree) * usage.f_frsize}"):
                return
        raise RuntimeError("the disk cannot be filled")

    def free(self):
        assert self._mount(f"remount,size={DISK_BYTES}")

    def close(self):
        if self.is_mounted:
            subprocess.run(["umount", self.path], check=False)


class Backend:
    """A connection to PostgreSQL that needs no driver."""

    def __init__(self, port):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=10)
        self.file = self.socket.makefile("rb")
        names = b"user\0orgmem\0database\0postgres\0application_name\0soak\0\0"
        self.socket.sendall(struct.pack(">II", len(names) + 8, 196_608) + names)
        self._await_ready()

    def _await_ready(self):
        while True:
            head = self.file.read(5)
            if len(head) < 5:
                raise ConnectionError("PostgreSQL closed the connection")
            kind, length = struct.unpack(">cI", head)
            body = self.file.read(length - 4)
            if kind == b"E":
                raise ConnectionError(body.replace(b"\0", b" ").decode(errors="replace"))
            if kind == b"Z":
                return

    def end_others(self):
        """Ends all connections except those of this program."""
        others = b"backend_type = 'client backend' AND application_name <> 'soak'"
        query = b"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE " + others + b"\0"
        self.socket.sendall(b"Q" + struct.pack(">I", len(query) + 4) + query)
        self._await_ready()

    def close(self):
        self.file.close()
        self.socket.close()


class Cluster:
    """PostgreSQL with its data in a folder."""

    def __init__(self, folder):
        bins = os.environ.get("ORGMEM_TEST_POSTGRES_BIN") or (sorted(glob.glob("/usr/lib/postgresql/*/bin")) or [""])[-1]
        self.bins, self.folder, self.port = bins, folder, free_port()
        self.user = []
        if os.geteuid() == 0:
            # PostgreSQL refuses to run as root
            account = pwd.getpwnam("postgres")
            self.user = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"]
            os.chown(folder, account.pw_uid, account.pw_gid)
            folder.parent.chmod(0o711)
        self._run("initdb", "--auth=trust", "--username=orgmem", "--encoding=UTF8", "--no-sync", f"--pgdata={folder}/data")

    def _run(self, name, *args):
        subprocess.run([*self.user, os.path.join(self.bins, name), *args], check=True, stdout=subprocess.DEVNULL, cwd="/")

    def start(self):
        options = f"-p {self.port} -c listen_addresses=127.0.0.1 -c unix_socket_directories={self.folder}"
        options += f" -c max_connections={CONNECTIONS}"
        self._run("pg_ctl", "-D", f"{self.folder}/data", "-w", "-l", f"{self.folder}/log", "-o", options, "start")

    def crash(self):
        self._run("pg_ctl", "-D", f"{self.folder}/data", "-m", "immediate", "stop")


class Network:
    """A process between the server and PostgreSQL."""

    def __init__(self, port):
        self.port = free_port()
        args = [sys.executable, __file__, str(self.port), str(port)]
        self.child = subprocess.Popen(args, stdin=subprocess.PIPE, text=True, bufsize=1)
        await_true("the network is open", self._is_open)

    def _is_open(self):
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0

    def set(self, state):
        self.child.stdin.write(state + "\n")

    def close(self):
        self.child.stdin.close()
        self.child.wait()


class Site:
    """A server with its database. `environment` is that of the program's commands."""

    def __init__(self, program, folder, database, stack):
        self.program, self.folder, self.database = program, folder, database
        self.disk = self.cluster = self.network = self.server = None
        self.settings = {**LIMITS, "ORGMEM_LISTEN": f"127.0.0.1:{free_port()}"}
        if database == "sqlite":
            self.disk = Disk(folder / "data", stack)
        else:
            self.disk = Disk(folder / "postgres", stack)
            self.cluster = Cluster(folder / "postgres")
            self.cluster.start()
            stack.callback(self.cluster.crash)
            self.network = Network(self.cluster.port)
            stack.callback(self.network.close)
            self.settings["ORGMEM_DATABASE_URL"] = f"postgres://orgmem@127.0.0.1:{self.network.port}/postgres"
        self.start()
        stack.callback(self.end)

    def start(self):
        self.server = Server(self.program, str(self.folder), self.settings)
        self.url, self.pid = self.server.url, self.server.child.pid

    def stop(self, signum):
        """Ends the server with a signal; returns its exit code."""
        self.server.child.send_signal(signum)
        return self.server.child.wait(timeout=60)

    def end(self):
        if self.server.child.poll() is None:
            self.server.child.send_signal(signal.SIGCONT)
            self.server.child.kill()
            self.server.child.wait()

    def run(self, *args):
        """Runs a command of the program next to the server; returns its output."""
        env = {"PATH": "/usr/bin:/bin", "HOME": str(self.folder), "ORGMEM_DATA_DIR": str(self.folder / "data"), **self.settings}
        done = subprocess.run([self.program, *args], env=env, capture_output=True, text=True, check=False)
        assert done.returncode == 0, f"{args[0]}: exit code {done.returncode}: {done.stderr}"
        return done.stdout

    def index_cache_bytes(self):
        return metric(self.url, "orgmem_store_index_cache_bytes")

    def panics(self):
        """Lines of the server's log about panics, and about requests that failed with 500."""
        with open(self.server.log.name, encoding="utf-8", errors="replace") as log:
            return [line.strip()[:300] for line in log if "panicked" in line or "a request failed" in line]


def metric(url, name):
    """The value of a metric without labels."""
    text = request("GET", f"{url}/metrics")[1] or ""
    return next((int(float(line.split()[1])) for line in text.splitlines() if line.startswith(f"{name} ")), None)


async def relay(port, server_port):
    """Copies bytes in both directions, and does what the standard input says until its end."""
    is_open, is_cut, writers = asyncio.Event(), False, set()
    is_open.set()

    async def copy(reader, writer):
        writers.add(writer)
        try:
            while data := await reader.read(65_536):
                await is_open.wait()
                writer.write(data)
                await writer.drain()
        except OSError:
            pass
        finally:
            writers.discard(writer)
            writer.close()

    async def accept(reader, writer):
        if is_cut:
            return writer.transport.abort()
        try:
            await is_open.wait()
            there = await asyncio.open_connection("127.0.0.1", server_port)
        except OSError:
            return writer.transport.abort()
        await asyncio.gather(copy(reader, there[1]), copy(there[0], writer))

    listener = await asyncio.start_server(accept, "127.0.0.1", port)
    async with listener:
        while line := await asyncio.to_thread(sys.stdin.readline):
            is_cut = line.strip() == "cut"
            if line.strip() == "stall":
                is_open.clear()
            else:
                is_open.set()
            for writer in list(writers) if is_cut else ():
                writer.transport.abort()
    os._exit(0)


if __name__ == "__main__":
    asyncio.run(relay(int(sys.argv[1]), int(sys.argv[2])))
