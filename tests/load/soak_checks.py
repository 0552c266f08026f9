"""What holds at the end of a soak: acknowledged writes are stored, events are complete, the audit log is intact."""

import http.client
import json
import threading
import time
from urllib.parse import urlsplit

from soak_client import STATUS
from soak_load import Failure
from soak_sites import await_true

PAGE = 50


class Follower(threading.Thread):
    """A subscriber to all events of an org, which resumes after its last one whenever its stream ends."""

    def __init__(self, load, org):
        super().__init__(daemon=True)
        self.load, (self.root, self.token) = load, org
        self.is_over = threading.Event()
        self.last, self.committed, self.resumed = None, {}, -1
        self.wrong = []

    def run(self):
        while not self.is_over.is_set():
            try:
                self.resumed += 1
                self.follow()
            except (OSError, http.client.HTTPException, ValueError):
                # the server is down or has ended the stream
                pass
            time.sleep(0.5)

    def follow(self):
        connection = http.client.HTTPConnection(urlsplit(self.load.site.url).netloc, timeout=40)
        headers = {"Authorization": f"Bearer {self.token}"}
        if self.last is not None:
            headers["Last-Event-ID"] = str(self.last)
        connection.request("GET", f"/workspaces/{self.root}/events?subtree=true&memories=false", headers=headers)
        response = connection.getresponse()
        event = None
        while response.status == 200 and not self.is_over.is_set() and (line := response.readline().decode()):
            name, _, value = line.strip().partition(": ")
            if name == "event":
                event = value
            elif name == "id" and event == "ready" and self.last is None:
                self.last = int(value)
            elif name == "data":
                self.receive(event, json.loads(value))
        connection.close()

    def receive(self, event, data):
        if event == "end":
            # as a request at this moment
            now, code = time.monotonic(), data["code"]
            self.load.failures.append(Failure(now, now, "an event stream", f"{STATUS.get(code)} {code}", data["detail"]))
        elif event == "resync":
            self.wrong.append(f"the stream of {self.root} after event {self.last}: {event} {data}")
        elif event != "ready":
            if data["seq"] != self.last + 1:
                self.wrong.append(f"the stream of {self.root}: event {data['seq']} after {self.last}")
            self.last = data["seq"]
            if event == "memory_committed":
                self.committed[data["memory_id"]] = self.committed.get(data["memory_id"], 0) + 1


def check_events(load, followers):
    """Each acknowledged commit is one event of its org."""
    wrong = []
    for follower in followers:
        ids = {id_ for caller in load.callers if caller.root == follower.root for id_ in caller.committed}
        deadline = time.monotonic() + 30
        while time.monotonic() < deadline and not ids <= follower.committed.keys():
            time.sleep(0.5)
        follower.is_over.set()
        missing = ids - follower.committed.keys()
        twice = [id_ for id_ in ids if follower.committed.get(id_, 0) > 1]
        wrong += follower.wrong
        wrong += [f"{len(missing)} commits of {follower.root} have no event, such as {min(missing)}"] if missing else []
        wrong += [f"{len(twice)} commits of {follower.root} have several events, such as {twice[0]}"] if twice else []
    return wrong


def acknowledge_rest(caller):
    """Repeats the requests without an acknowledgement until none is left."""

    def is_done():
        if caller.unacknowledged:
            caller.repeat()
        return not caller.unacknowledged

    await_true(lambda: f"{caller.name}: {caller.unacknowledged[0]} is acknowledged", is_done, 60)


def check_writes(caller):
    """Compares what is stored with what was acknowledged. Returns the number of compared values."""
    call = caller.load.site.server.call
    expected = {memory.id: memory.text for memories in (*caller.singles, *caller.batches) for memory in memories}
    ids = list(expected)
    for first in range(0, len(ids), PAGE):
        some = ids[first : first + PAGE]
        found = call("GET", f"{caller.path}/memories?ids={','.join(some)}&limit={PAGE}", token=caller.token)
        contents = {memory["id"]: memory["content"] for memory in found}
        for id_ in some:
            if contents.get(id_) != expected[id_]:
                caller.wrong(f"memory {id_} is {contents.get(id_)!r} instead of {expected[id_]!r}")
    count = call("GET", f"{caller.path}/memories/count?author={caller.agent}", token=caller.token)["count"]
    if count != len(ids):
        caller.wrong(f"{count} memories exist, {len(ids)} were acknowledged and not removed")
    for key in sorted(caller.values):
        answer = call("GET", f"{caller.path}/memory/{key}", token=caller.token, expect=(200, 404))
        if answer.get("value") not in caller.values[key]:
            caller.wrong(f"{key} is {answer.get('value')} and not one of {caller.values[key]}")
    parent = call("GET", f"/workspaces/{caller.guest}", token=caller.operator)["parent_id"]
    if parent not in caller.places:
        caller.wrong(f"the parent of {caller.guest} is {parent} and not one of {caller.places}")
    check_episodes(caller)
    return len(ids) + len(caller.values) + len(caller.episodes) + 1


def check_episodes(caller):
    site, path, stored = caller.load.site, f"{caller.path}/activity?type=task_update&limit=200", []
    while path:
        status, headers, body = caller.connection.send("GET", path, caller.token)
        assert status == 200, body
        stored += [episode["id"] for episode in json.loads(body)]
        link = headers.get("Link", "")
        path = link.split(">")[0].lstrip("<").removeprefix(site.url) if 'rel="next"' in link else None
    if sorted(stored) != sorted(caller.episodes):
        missing, more = caller.episodes - set(stored), len(stored) - len(caller.episodes)
        caller.wrong(f"{len(missing)} acknowledged episodes are missing; {more} more are stored than were acknowledged")


def check_audit_logs(load):
    """Verifies the hash chain of each org."""
    verified = [(root, load.site.server.call("GET", f"/workspaces/{root}/access-log/verify")) for root, _ in load.orgs]
    return [f"the audit log of {root}: {answer}" for root, answer in verified if not answer["intact"]]
