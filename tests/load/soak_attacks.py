"""Faults that clients of one org cause, while the requests of other orgs must not fail."""

import http.client
import socket
import struct
import time
from collections import Counter
from urllib.parse import urlsplit

from soak_client import outcome

SECONDS = 5
# what a request may be refused with
REFUSED = {400, 401, 403, 404, 405, 408, 409, 413, 415, 422, 431}
BODIES = [
    *(b"{", b"[1,2", b"null", b'"', b"{}", b"\xff\xfe", b"\0" * 100),
    *(b'{"content": "\\ud800"}', b'{"content": 1}', b'{"unknown": 1}'),
]


class Attacker:
    """An org whose only purpose is to disturb the others."""

    def __init__(self, load):
        self.load, self.site = load, load.site
        self.root, self.operator = load.new_org("attacker")
        self.path = f"/workspaces/{self.root}/memories"
        memories = [{"content": f"{'seed ' * 1000}{number}", "scope": "LOCAL"} for number in range(100)]
        self.call("POST", f"{self.path}/batch", {"memories": memories})

    def call(self, method, path, body=None, expect=(200, 201)):
        return self.site.server.call(method, path, body, self.operator, expect)

    def connect(self, receive_bytes=None):
        connection = socket.socket()
        connection.settimeout(20)
        if receive_bytes:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_bytes)
        where = urlsplit(self.site.url)
        connection.connect((where.hostname, where.port))
        return connection

    def head(self, method, path, *lines):
        names = (f"{method} {path} HTTP/1.1", "Host: soak", f"Authorization: Bearer {self.operator}", *lines)
        return ("\r\n".join(names) + "\r\n\r\n").encode()

    def post(self, *lines):
        return self.head("POST", self.path, "Content-Type: application/json", *lines)

    def exchange(self, data):
        """The status of the response to some bytes, or None if there is none. Records an undocumented response."""
        with self.connect() as connection:
            connection.settimeout(2)
            try:
                connection.sendall(data)
                return self.status(connection)
            except OSError:
                return None

    def status(self, connection):
        response = http.client.HTTPResponse(connection)
        try:
            response.begin()
            body = response.read()
        except (OSError, http.client.HTTPException):
            return None
        # the framework refuses a head, with an empty body
        is_of_framework = not body and response.status in (400, 408, 431)
        is_documented = is_of_framework or outcome(response.status, response.headers, body) != "undocumented"
        if not is_documented or response.status >= 500:
            self.load.wrong.append(f"the attacker received {response.status} {body[:300]!r}")
        return response.status


def malformed(attacker):
    """Requests that are no HTTP, no JSON, or not of this API."""
    head, post, path = attacker.head, attacker.post, attacker.path
    yield from (post(f"Content-Length: {len(body)}") + body for body in BODIES)
    yield post("Transfer-Encoding: chunked") + b"zz\r\n"
    yield post("Content-Length: -1")
    yield post("Content-Length: 5", "Content-Encoding: gzip") + b"abcde"
    yield head("POST", path, "Content-Type: text/plain", "Content-Length: 2") + b"{}"
    yield head("BREW", path)
    yield head("PUT", path)
    yield head("GET", f"/workspaces/{attacker.root}/nothing")
    yield head("GET", f"{path}?limit=x")
    yield head("GET", "/%00/../x")
    yield head("GET", path, f"X-Long: {'x' * 200_000}")
    yield head("GET", path).replace(b"Bearer ", b"Bearer x")
    yield from (b"GET /healthz HTTP/9.9\r\n\r\n", b"GET\r\n\r\n", b"\x16\x03\x01\x02\x00" * 40)


def send_malformed(attacker):
    counts, end, requests = Counter(), time.monotonic() + SECONDS, list(malformed(attacker))
    while time.monotonic() < end:
        counts.update(attacker.exchange(request) for request in requests)
    assert counts.keys() <= REFUSED | {None}, f"malformed requests: {dict(counts)}"
    return f"{counts.total():,} requests"


def open_idle_connections(attacker):
    opened = 0
    for _ in range(3):
        connections = [attacker.connect() for _ in range(1_500)]
        time.sleep(1)
        for connection in connections:
            connection.close()
        opened += len(connections)
    return f"{opened:,} connections"


def send_slowly(attacker):
    """Bodies of which a byte a second arrives, until the server refuses them."""
    connections = [attacker.connect() for _ in range(100)]
    for connection in connections:
        connection.sendall(attacker.post("Content-Length: 1000") + b"{")
    for _ in range(SECONDS):
        time.sleep(1)
        for connection in connections:
            try:
                connection.sendall(b" ")
            except OSError:
                # refused by now
                pass
    counts = Counter(attacker.status(connection) for connection in connections)
    for connection in connections:
        connection.close()
    assert counts.keys() <= {408, None} and counts[408] > 50, f"slow bodies: {dict(counts)}"
    return f"{counts[408]} bodies refused with 408"


def read_slowly(attacker):
    """Event streams from the first event on, with memories, which nobody reads."""
    connections = [attacker.connect(4_096) for _ in range(60)]
    for connection in connections:
        connection.sendall(attacker.head("GET", f"/workspaces/{attacker.root}/events", "Last-Event-ID: 1"))
    time.sleep(SECONDS + 3)
    for connection in connections:
        connection.close()


def send_large_bodies(attacker):
    """Bodies beyond the limits of bytes, of nesting and of values."""
    large = b'{"scope": "LOCAL", "content": "' + b"x" * (3 << 20) + b'"}'
    deep = b'{"scope": "LOCAL", "content": "x", "metadata": ' + b'{"a":' * 100_000 + b"1" + b"}" * 100_001
    many = b'{"scope": "LOCAL", "content": "x", "metadata": {"a": [' + b"0," * 900_000 + b"0]}}"
    counts, end = Counter(), time.monotonic() + SECONDS
    while time.monotonic() < end:
        counts.update(attacker.exchange(attacker.post(f"Content-Length: {len(body)}") + body) for body in (large, deep, many))
    assert counts.keys() <= REFUSED | {None}, f"large bodies: {dict(counts)}"
    return f"{counts.total():,} bodies"


def delete_workspace(attacker):
    """A workspace with thousands of memories is removed with its content."""
    workspace = attacker.call("POST", "/workspaces", {"name": "doomed", "parent_id": attacker.root})["id"]
    batch = {"memories": [{"content": f"doomed {number} {'word ' * 30}", "scope": "TEAM"} for number in range(500)]}
    for _ in range(4):
        assert attacker.call("POST", f"/workspaces/{workspace}/memories/batch", batch)["committed"] == 500
    erased = attacker.call("DELETE", f"/workspaces/{workspace}?purge=true")["erased"]
    assert erased["memories"] == 2_000, erased
    attacker.call("GET", f"/workspaces/{workspace}", expect=(410,))


def cancel_searches(attacker):
    """Searches whose callers close the connection."""
    count, end = 0, time.monotonic() + SECONDS
    while time.monotonic() < end:
        connections = [attacker.connect() for _ in range(50)]
        for connection in connections:
            connection.sendall(attacker.head("GET", f"{attacker.path}?q=seed+{'word+' * 50}{count}"))
            # a reset instead of an orderly end
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            connection.close()
        count += len(connections)
        time.sleep(0.1)
    return f"{count:,} searches"
