"""A real server with its data in a temporary folder, a client for it, and the models that it calls."""

import json
import os
import select
import socket
import subprocess
import threading
import time
import urllib.error
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def await_true(what, condition, seconds=120):
    """Waits until `condition()` is true. The limit is for a broken program; it is no measurement."""
    end = time.monotonic() + seconds
    while not (result := condition()):
        if time.monotonic() > end:
            raise SystemExit(f"not within {seconds} s: {what() if callable(what) else what}")
        time.sleep(0.2)
    return result


def request(method, url, token=None, body=None, headers=None):
    """The status and the decoded response; errors of HTTP are responses. The status is 0 where nothing listens."""
    headers = dict(headers or {})
    if token:
        headers["Authorization"] = f"Bearer {token}"
    data = None
    if body is not None:
        headers["Content-Type"] = "application/json"
        data = json.dumps(body).encode()
    call = urllib.request.Request(url, data=data, method=method, headers=headers)
    try:
        with urllib.request.urlopen(call, timeout=60) as response:
            status, text = response.status, response.read()
    except urllib.error.HTTPError as error:
        status, text = error.code, error.read()
    except urllib.error.URLError as error:
        if not isinstance(error.reason, ConnectionRefusedError):
            raise
        return 0, None
    try:
        return status, json.loads(text)
    except ValueError:
        return status, text.decode()


class Process:
    """A child process that ends with the `with` block."""

    def __init__(self, args, env=None, **options):
        self.child = subprocess.Popen(args, env=env, stdin=subprocess.DEVNULL, **options)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.child.terminate()
        try:
            self.child.wait(timeout=40)
        except subprocess.TimeoutExpired:
            self.child.kill()
            self.child.wait()


class Server(Process):
    """`orgmem serve` on a free port; `settings` are environment variables."""

    def __init__(self, program, folder, settings):
        env = {
            "PATH": "/usr/bin:/bin",
            "HOME": folder,
            "ORGMEM_LOG": "warn",
            "ORGMEM_DATA_DIR": os.path.join(folder, "data"),
            "ORGMEM_LISTEN": "127.0.0.1:0",
            **settings,
        }
        self.log = open(os.path.join(folder, "server.log"), "ab")
        super().__init__([program, "serve"], env, stdout=subprocess.PIPE, stderr=self.log, cwd=folder, bufsize=0)
        self.folder = folder
        self.url = self._address()
        with open(os.path.join(env["ORGMEM_DATA_DIR"], "admin.token"), encoding="utf-8") as file:
            self.token = file.read().strip()

    def _address(self):
        url = None
        while True:
            # Unbuffered, because `select` does not see what a buffer holds. A debug build on a busy machine needs seconds.
            readable, _, _ = select.select([self.child.stdout], [], [], 120)
            line = self.child.stdout.readline().decode() if readable else ""
            if not line:
                self.child.kill()
                with open(self.log.name, encoding="utf-8") as log:
                    raise SystemExit(f"the server does not start: {log.read()}")
            if "listens on " in line:
                url = line.split("listens on ")[1].split()[0]
            if line.strip().startswith("admin token"):
                return url

    def call(self, method, path, body=None, token=None, expect=(200, 201)):
        status, answer = request(method, self.url + path, token or self.token, body)
        if status not in expect:
            raise SystemExit(f"{method} {path}: {status} instead of {expect}: {answer}")
        return answer


class Models:
    """Endpoints for embeddings, chat completions and reranking, which fail on demand; and an OTLP collector."""

    def __init__(self):
        models = self
        self.failing = False
        # batches of spans that arrived
        self.traces = 0

        class Handler(BaseHTTPRequestHandler):
            def log_message(self, *_):
                pass

            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                if self.path == "/v1/traces":
                    models.traces += 1
                    status, answer = 200, {}
                elif models.failing:
                    status, answer = 500, {"error": "on purpose"}
                elif self.path.endswith("/embeddings"):
                    vectors = [[float(len(text) % 7 + 1), 1.0, 2.0, 3.0] for text in json.loads(body)["input"]]
                    status, answer = 200, {"data": [{"index": i, "embedding": v} for i, v in enumerate(vectors)]}
                elif self.path.endswith("/rerank"):
                    scores = [1 / (1 + len(text)) for text in json.loads(body)["documents"]]
                    status, answer = 200, {"results": [{"index": i, "relevance_score": s} for i, s in enumerate(scores)]}
                else:
                    status, answer = 200, {"choices": [{"message": {"content": "A summary."}}]}
                text = json.dumps(answer).encode()
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(text)))
                self.end_headers()
                self.wfile.write(text)

        self.listener = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self.listener.server_port}"
        self.url = f"{self.address}/v1"
        threading.Thread(target=self.listener.serve_forever, daemon=True).start()
