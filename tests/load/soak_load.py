"""The load of a soak: callers that send requests at a fixed rate, and remember what was acknowledged."""

import bisect
import http.client
import json
import random
import threading
import time
import traceback
import uuid
from collections import deque, namedtuple

from soak_client import Connection, outcome

WORDS = [f"word{number}" for number in range(3_000)]
BATCH = 10
RATE = 16
# requests of each kind in a hundred; deletions keep pace with commits
NEIGHBOUR = {"search": 50, "find": 5, "commit": 12, "delete": 12, "put": 8, "get": 13}
MIXED = {
    **{"search": 26, "find": 4, "commit": 16, "delete": 16, "batch": 2, "redact": 2, "put": 8, "get": 8},
    **{"session": 4, "context": 4, "newest": 3, "count": 2, "append": 3, "move": 2},
}

Memory = namedtuple("Memory", "id text at")
Failure = namedtuple("Failure", "began ended what outcome detail")


class Caller(threading.Thread):
    """An agent that sends `rate` requests a second, whatever their responses, and waits for each."""

    def __init__(self, load, name, org, rate, kinds):
        super().__init__(daemon=True)
        self.load, self.name, self.rate = load, name, rate
        self.root, self.operator = org
        self.sides = [load.new_workspace(f"{name}-{side}", self.root) for side in ("left", "right")]
        self.agent, self.guest = (load.new_workspace(own, self.sides[0]) for own in (name, f"{name}-guest"))
        self.token = load.new_token(self.agent, "agent")
        self.path = f"/workspaces/{self.agent}"
        self.connection = Connection(load.site.url)
        self.chance = random.Random(name)
        self.kinds, self.weights = list(kinds), list(kinds.values())
        self.number = 0
        # acknowledged and neither deleted nor redacted, the oldest first
        self.singles, self.batches = deque(), deque()
        # what may be the value: the last acknowledged one, and those of later requests without an acknowledgement
        self.values, self.places = {}, {self.sides[0]}
        self.episodes, self.committed = set(), []
        self.is_delete_repeated = False
        # requests without an acknowledgement, which are repeated with the same key
        self.unacknowledged = deque()
        # the moments at which requests should have begun, and their seconds until the response
        self.times = []

    def run(self):
        due = time.monotonic()
        while not self.load.is_over.is_set():
            due = max(due + self.chance.uniform(0.5, 1.5) / self.rate, time.monotonic() - 1)
            time.sleep(max(0, due - time.monotonic()))
            self.is_failed = False
            try:
                if self.unacknowledged and self.chance.random() < 0.5:
                    self.repeat()
                else:
                    getattr(self, self.chance.choices(self.kinds, self.weights)[0])()
            except Exception:
                self.wrong(traceback.format_exc())
            # a request without a successful response is the slowest
            self.times.append((due, float("inf") if self.is_failed else time.monotonic() - due))

    def send(self, what, method, path, body=None, key=None, token=None, expected=(200, 201)):
        """The decoded response, or None after a failure, which is recorded."""
        began, detail, answer = time.monotonic(), "", None
        try:
            status, headers, text = self.connection.send(method, path, token or self.token, body, key)
            failure = None if status in expected else outcome(status, headers, text)
            if failure:
                detail = text.decode(errors="replace")[:500]
            else:
                answer = json.loads(text)
        except (OSError, http.client.HTTPException) as error:
            failure, detail = "no connection", repr(error)
        self.is_failed = bool(failure)
        if failure:
            self.load.failures.append(Failure(began, time.monotonic(), f"{self.name} {what}", failure, detail))
        return answer

    def wrong(self, text):
        self.load.wrong.append(f"{self.name}: {text}")

    def text(self):
        self.number += 1
        words = (WORDS[min(int(self.chance.paretovariate(0.8)), len(WORDS)) - 1] for _ in range(self.chance.randint(8, 40)))
        return f"{self.name}x{self.number} {' '.join(words)}"

    def query(self):
        return "+".join(WORDS[min(int(self.chance.paretovariate(0.6)), len(WORDS)) - 1] for _ in range(self.chance.randint(1, 4)))

    def write(self, what, path, body, done, token=None):
        self.unacknowledged.append((what, path, body, str(uuid.uuid4()), done, token))
        self.repeat(-1)

    def repeat(self, place=0):
        request = what, path, body, key, done, token = self.unacknowledged[place]
        if (answer := self.send(what, "POST", path, body, key, token)) is not None:
            self.unacknowledged.remove(request)
            done(answer)

    def remember(self, into, texts, answers):
        memories = [Memory(answer["id"], text, time.monotonic()) for answer, text in zip(answers, texts, strict=True)]
        self.committed += [memory.id for memory in memories]
        into.append(memories)

    def search(self):
        self.send("search", "GET", f"{self.path}/memories?q={self.query()}&limit=10")

    def find(self):
        """The newest acknowledged memory is found by its first word."""
        if self.singles:
            (memory,) = self.singles[-1]
            found = self.send("search", "GET", f"{self.path}/memories?q={memory.text.split()[0]}&limit=5")
            if found is not None and memory.id not in (hit["id"] for hit in found):
                self.wrong(f"a search does not find {memory.id}, acknowledged {time.monotonic() - memory.at:.1f} s ago")

    def memory(self, text):
        return {"content": text, "scope": self.chance.choice(("LOCAL", "TEAM"))}

    def commit(self):
        text = self.text()

        def done(answer):
            self.remember(self.singles, [text], [answer])

        self.write("commit", f"{self.path}/memories", self.memory(text), done)

    def batch(self):
        texts = [self.text() for _ in range(BATCH)]

        def done(answer):
            self.remember(self.batches, texts, [item["committed"] for item in answer["items"]])

        self.write("batch", f"{self.path}/memories/batch", {"memories": [self.memory(text) for text in texts]}, done)

    def is_old(self, memories):
        return memories and memories[0][0].at < time.monotonic() - self.load.lifetime

    def delete(self):
        if not self.is_old(self.singles):
            return self.search()
        (memory,) = self.singles[0]
        answer = self.send("delete", "DELETE", f"{self.path}/memories/{memory.id}", expected=(200, 404))
        if answer is not None:
            self.singles.popleft()
            # the request before may have deleted it without an acknowledgement
            if answer.get("status") != "deleted" and not (self.is_delete_repeated or self.connection.is_repeated):
                self.wrong(f"{memory.id} was acknowledged and is lost: {answer}")
        self.is_delete_repeated = answer is None

    def redact(self):
        if not self.is_old(self.batches):
            return self.search()
        ids = [memory.id for memory in self.batches.popleft()]

        def done(answer):
            if answer["refused"]:
                self.wrong(f"a redaction is refused: {answer['items']}")

        self.write("redact", f"{self.path}/memories/redact", {"memories": ids, "reason": "it is old"}, done, self.operator)

    def put(self):
        key, self.number = f"key-{self.chance.randrange(50)}", self.number + 1
        if self.send("put", "POST", f"{self.path}/memory", {"key": key, "value": self.number}) is None:
            self.values.setdefault(key, {None}).add(self.number)
        else:
            self.values[key] = {self.number}

    def get(self):
        key = f"key-{self.chance.randrange(50)}"
        answer = self.send("get", "GET", f"{self.path}/memory/{key}", expected=(200, 404))
        if answer is not None and answer.get("value") not in (allowed := self.values.get(key, {None})):
            self.wrong(f"{key} is {answer.get('value')} and not one of {allowed}")

    def session(self):
        self.send("session-search", "GET", f"{self.path}/session-search?q={WORDS[self.chance.randrange(300)]}&limit=10")

    def context(self):
        self.send("context", "POST", f"{self.path}/context", {"query": self.query().replace("+", " ")})

    def newest(self):
        self.send("list", "GET", f"{self.path}/memories?limit=20")

    def count(self):
        self.send("count", "GET", f"{self.path}/memories/count")

    def append(self):
        body = {"activity_type": "task_update", "summary": self.text()}
        self.write("append", f"{self.path}/activity", body, lambda answer: self.episodes.add(answer["id"]))

    def move(self):
        side = self.chance.choice(self.sides)
        answer = self.send("move", "PATCH", f"/workspaces/{self.guest}", {"parent_id": side}, token=self.operator)
        self.places = self.places | {side} if answer is None else {side}


class Load:
    """All callers of a site. `failures` are requests without a successful response, `wrong` are broken promises."""

    def __init__(self, site, lifetime):
        self.site, self.lifetime = site, lifetime
        self.is_over = threading.Event()
        self.failures, self.wrong = [], []
        self.orgs = [self.new_org(name) for name in ("neighbour", "red", "green", "blue")]
        self.neighbours = [Caller(self, name, self.orgs[0], RATE, NEIGHBOUR) for name in ("alice", "bob")]
        mixed = [Caller(self, name, org, RATE, MIXED) for name, org in zip(("red", "green", "blue"), self.orgs[1:])]
        self.callers = self.neighbours + mixed

    def new_org(self, name):
        root = self.new_workspace(name)
        return root, self.new_token(root, "operator")

    def new_workspace(self, name, parent=None):
        return self.site.server.call("POST", "/workspaces", {"name": name, "parent_id": parent})["id"]

    def new_token(self, workspace, role):
        return self.site.server.call("POST", f"/workspaces/{workspace}/tokens", {"role": role})["token"]

    def p99(self, *spans):
        """The 99th percentile of the neighbour's seconds in spans of time; infinite with few responses."""
        times = (entry for caller in self.neighbours for start, end in spans for entry in window(caller.times, start, end))
        seconds = sorted(took for _, took in times)
        expected = sum(end - start for start, end in spans) * 2 * RATE
        return seconds[int(len(seconds) * 0.99)] if len(seconds) > expected / 2 else float("inf")

    def stop(self):
        self.is_over.set()
        for caller in self.callers:
            caller.join()


def window(times, start, end):
    """Entries from `start` to `end` of a list in the order of time."""
    first, last = (bisect.bisect_left(times, moment, key=lambda entry: entry[0]) for moment in (start, end))
    return times[first:last]
