"""Runs two servers on one PostgreSQL behind the proxy of the compose file.

    proxy.py PROGRAM CONFIG

CONFIG is the output of `docker compose config`. The servers get the environment from it, and the proxy its Caddyfile; only
addresses and folders differ. Needs `caddy`, the programs of PostgreSQL, and PyYAML.
"""

import contextlib
import glob
import json
import os
import pwd
import subprocess
import sys
import tempfile
import urllib.request
from pathlib import Path

import yaml

from live import Process, Server, await_true, free_port, request

CADDYFILE = Path(__file__).resolve().parents[2] / "deploy" / "compose" / "postgres" / "Caddyfile"


@contextlib.contextmanager
def postgres(folder):
    """The address of a database in a cluster of its own, which ends with the block."""
    programs = sorted(glob.glob("/usr/lib/postgresql/*/bin")) or [""]
    user = []
    data = os.path.join(folder, "postgres")
    os.mkdir(data, 0o700)
    if os.geteuid() == 0:
        # PostgreSQL refuses to run as root
        user = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"]
        account = pwd.getpwnam("postgres")
        os.chown(data, account.pw_uid, account.pw_gid)
        os.chmod(folder, 0o711)

    def program(name):
        return os.path.join(programs[-1], name)

    port = free_port()
    made = [program("initdb"), "--auth=trust", "--username=orgmem", "--encoding=UTF8", "--no-sync", f"--pgdata={data}"]
    subprocess.run([*user, *made], check=True, stdout=subprocess.DEVNULL, cwd="/")
    args = [program("postgres"), "-D", data, "-p", str(port), "-c", "listen_addresses=127.0.0.1"]
    args += ["-c", f"unix_socket_directories={data}"]
    with open(os.path.join(folder, "postgres.log"), "wb") as log, Process([*user, *args], stdout=log, stderr=log, cwd="/"):
        ready = [program("pg_isready"), "--quiet", "--host=127.0.0.1", f"--port={port}"]
        await_true("PostgreSQL accepts connections", lambda: subprocess.run(ready, check=False).returncode == 0)
        yield f"postgres://orgmem@127.0.0.1:{port}/postgres"


def environment(config):
    """The environment that both servers have in the compose file."""
    servers = [config["services"][name] for name in ("orgmem-1", "orgmem-2")]
    first, second = (dict(server["environment"]) for server in servers)
    assert first == second, "the servers of the compose file have different settings"
    for name in ("ORGMEM_JWT_SECRET", "ORGMEM_ACCESS_LOG_KEY"):
        assert len(first[name]) >= 32, f"{name} is too short"
    password = Path(config["secrets"]["postgres-password"]["file"]).read_text().strip()
    assert first["ORGMEM_DATABASE_URL"] == f"postgres://orgmem:{password}@postgres/orgmem", "another password"
    return first


def answered(server, route):
    """How many requests of a route the server answered."""
    text = request("GET", server.url + "/metrics")[1]
    prefix = f'http_server_request_duration_seconds_count{{http_route="{route}"'
    return sum(int(line.rsplit(" ", 1)[1]) for line in text.splitlines() if line.startswith(prefix))


def check_stream(address, bot, token):
    """An event arrives while its stream is open, so the proxy does not buffer."""
    call = urllib.request.Request(f"http://{address}/workspaces/{bot}/events", headers={"Authorization": f"Bearer {token}"})
    with urllib.request.urlopen(call, timeout=60) as stream:
        await_event(stream, address, bot, token)


def await_event(stream, address, bot, token):
    assert stream.status == 200, stream.read()
    body = {"scope": "TEAM", "content": "The proxy passes events on."}
    status, answer = request("POST", f"http://{address}/workspaces/{bot}/memories", token, body)
    assert status == 201, answer
    while line := stream.readline().decode():
        if line.startswith("data:") and json.loads(line[5:]).get("memory_id") == answer["id"]:
            return
    raise SystemExit("the stream ended without the event")


def check_proxy(address, servers):
    url = f"http://{address}"
    await_true("the proxy has a server", lambda: request("GET", url + "/readyz")[0] == 200)
    root = servers[0].call("POST", "/workspaces", {"name": "Acme"})["id"]
    token = servers[0].call("POST", f"/workspaces/{root}/tokens", {"role": "agent"})["token"]
    path = f"/workspaces/{root}/memories"

    def all_answer(count):
        for _ in range(count):
            status, answer = request("GET", url + path, token)
            assert status == 200, f"{status}: {answer}"

    # the token of one server is valid on the other
    all_answer(20)
    for server in servers:
        assert answered(server, "/workspaces/{id}/memories") > 0, "the proxy does not use both servers"
    status, _ = request("GET", url + "/metrics")
    assert status == 404, f"the proxy publishes the metrics: {status}"
    check_stream(address, root, token)
    verified = servers[1].call("GET", f"/workspaces/{root}/access-log/verify")
    assert verified["intact"], verified
    # without one of them the other answers every request
    servers[0].child.terminate()
    servers[0].child.wait()
    all_answer(20)


def main(program, config_file):
    config = yaml.safe_load(Path(config_file).read_text())
    settings = environment(config)
    with tempfile.TemporaryDirectory(prefix="orgmem-proxy-") as folder, contextlib.ExitStack() as stack:
        settings["ORGMEM_DATABASE_URL"] = stack.enter_context(postgres(folder))
        servers = []
        for name in ("one", "two"):
            os.mkdir(os.path.join(folder, name))
            servers.append(stack.enter_context(Server(program, os.path.join(folder, name), settings)))
        address = f"127.0.0.1:{free_port()}"
        env = {
            **config["services"]["proxy"]["environment"],
            "PATH": "/usr/bin:/bin",
            "HOME": folder,
            "SITE": f"http://{address}",
            "SERVERS": " ".join(server.url.removeprefix("http://") for server in servers),
        }
        log = stack.enter_context(open(os.path.join(folder, "proxy.log"), "wb"))
        args = ["caddy", "run", "--adapter", "caddyfile", "--config", str(CADDYFILE)]
        stack.enter_context(Process(args, env, stdout=log, stderr=log))
        check_proxy(address, servers)
    print("two servers on PostgreSQL answer behind the proxy")


if __name__ == "__main__":
    main(*sys.argv[1:])
