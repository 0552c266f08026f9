"""The event stream as a protocol without I/O: bytes in, events out, and what to do when a connection ends."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import httpx

from . import errors
from ._call import Attempts, Call

# The server sends a comment every 15 seconds, so a connection that is silent for longer is dead.
SILENCE = 45.0


@dataclass(frozen=True)
class Event:
    """One event. `id` resumes the stream after it; `data` has `workspace_id`, `memory`, `details` and more."""

    id: str
    kind: str
    data: dict[str, Any]


class EventStream:
    """A stream over any number of connections, each of which continues after the last event of the one before."""

    def __init__(self, params: dict[str, Any], follow: bool, last_event_id: str | None, retries: int) -> None:
        self.params = {**params, "follow": follow}
        self.follow = follow
        self.last_event_id = last_event_id
        self.over = False
        # enough to wait about a minute for a server that restarts
        self._retries = 4 * retries
        self._rest = b""
        self._lines: list[str] = []
        self._attempts: Attempts | None = None

    def call(self) -> Call[None]:
        """The request of the next connection."""
        self._rest, self._lines = b"", []
        headers = {"Accept": "text/event-stream"}
        if self.last_event_id is not None:
            headers["Last-Event-ID"] = self.last_event_id
        return Call("GET", "events", lambda _: None, params=self.params, headers=headers)

    def attempts(self, request: httpx.Request) -> Attempts:
        """The attempts since the last event that arrived."""
        if self._attempts is None:
            self._attempts = Attempts(request, self._retries)
        return self._attempts

    def feed(self, data: bytes) -> Iterator[Event]:
        """The events that are complete with these bytes. Lines end with a line feed and with nothing else, because
        JSON may contain the other characters that Python takes for the end of a line."""
        *lines, self._rest = (self._rest + data).split(b"\n")
        for line in lines:
            text = line.decode().removesuffix("\r")
            if text:
                self._lines.append(text)
            elif event := self._event():
                self._attempts = None
                yield event
                if event.kind == "end":
                    self.over = True
                    raise errors.StreamEnded(str(event.data.get("code", "")), str(event.data.get("detail", "")))

    def closed(self) -> float:
        """Seconds until the next connection, after the server closed one without an error."""
        self.over = not self.follow
        return 0.0 if self.over else 0.2

    def _event(self) -> Event | None:
        fields: dict[str, str] = {}
        for line in self._lines:
            name, _, value = line.partition(":")
            if name:
                fields[name] = value.removeprefix(" ")
        self._lines = []
        # a comment may carry the current id, too
        self.last_event_id = fields.get("id", self.last_event_id)
        if "event" not in fields:
            return None
        return Event(self.last_event_id or "", fields["event"], json.loads(fields.get("data") or "{}"))
