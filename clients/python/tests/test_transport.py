"""Which requests are repeated, and how events survive lost connections: against a server made of recorded responses."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any

import httpx
import pytest
from conftest import Connect

import orgmem
from orgmem import Client

WORKSPACE = "11111111-2222-4333-8444-555555555555"
COMMITTED = httpx.Response(201, json={"id": "m", "redactions": []})
Step = httpx.Response | Exception


@pytest.fixture
def pauses(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The pauses of the client, which take no time."""
    taken: list[float] = []

    async def asleep(seconds: float) -> None:
        taken.append(seconds)

    monkeypatch.setattr(time, "sleep", taken.append)
    monkeypatch.setattr(asyncio, "sleep", asleep)
    monkeypatch.setattr(random, "uniform", lambda low, high: high)
    return taken


class Script(httpx.MockTransport):
    """Responds with each step in turn, and records the requests."""

    def __init__(self, *steps: Step) -> None:
        self.steps = list(steps)
        self.requests: list[httpx.Request] = []
        super().__init__(self._respond)

    def _respond(self, request: httpx.Request) -> httpx.Response:
        self.requests.append(request)
        step = self.steps.pop(0)
        if isinstance(step, Exception):
            raise step
        if isinstance(step.stream, Stream):
            return step
        # a response can be sent once
        return httpx.Response(step.status_code, headers=step.headers, content=step.content)


def refusal(status: int, code: str, **headers: str) -> httpx.Response:
    body = {"type": f"urn:orgmem:problem:{code}", "status": status, "code": code, "detail": "no", "request_id": "r-1"}
    return httpx.Response(status, json=body, headers=headers)


def commit(client: Client) -> Any:
    return client.commit_memory("x", scope="LOCAL")


def edit(client: Client) -> Any:
    return client.edit_memory("m", pin=True)


def search(client: Client) -> Any:
    return client.search_memories("x")


FOUND = httpx.Response(200, json=[])
LOST = httpx.ReadTimeout("too late")
REFUSED = httpx.ConnectError("refused")


@pytest.mark.parametrize(
    ("call", "first", "success"),
    [
        (commit, LOST, COMMITTED),
        (commit, refusal(503, "unavailable"), COMMITTED),
        (commit, refusal(429, "busy"), COMMITTED),
        (search, LOST, FOUND),
        (search, httpx.RemoteProtocolError("closed"), FOUND),
        (search, refusal(502, "unavailable"), FOUND),
        (edit, REFUSED, COMMITTED),
        (edit, refusal(429, "rate_limited"), COMMITTED),
    ],
)
def test_safe_request_is_repeated_as_it_was(
    connect: Connect, pauses: list[float], call: Callable[[Client], Any], first: Step, success: Step
) -> None:
    script = Script(first, success)
    call(connect("http://test", "t", workspace=WORKSPACE, transport=script))
    one, two = script.requests
    assert (one.method, one.url, one.headers, one.content) == (two.method, two.url, two.headers, two.content)
    assert ("Idempotency-Key" in one.headers) == (one.method == "POST")
    assert pauses == [0.2]


@pytest.mark.parametrize(
    ("call", "first", "error"),
    [
        (edit, LOST, orgmem.TransportError),
        (edit, refusal(503, "unavailable"), orgmem.ServerError),
        (commit, refusal(500, "internal"), orgmem.ServerError),
        (commit, refusal(403, "scope_forbidden"), orgmem.Forbidden),
        (commit, refusal(409, "id_taken"), orgmem.Conflict),
        (search, httpx.UnsupportedProtocol("ftp"), orgmem.TransportError),
        (search, refusal(429, "rate_limited", **{"Retry-After": "3600"}), orgmem.RateLimited),
    ],
)
def test_other_request_is_sent_once(
    connect: Connect, pauses: list[float], call: Callable[[Client], Any], first: Step, error: type[Exception]
) -> None:
    script = Script(first)
    with pytest.raises(error):
        call(connect("http://test", "t", workspace=WORKSPACE, transport=script))
    assert (len(script.requests), pauses) == (1, [])


def test_repetitions_end_and_pauses_grow(connect: Connect, pauses: list[float]) -> None:
    script = Script(*[refusal(503, "unavailable", **{"Retry-After": "1"}) for _ in range(4)])
    with pytest.raises(orgmem.ServerError) as caught:
        search(connect("http://test", "t", workspace=WORKSPACE, transport=script, retries=3))
    assert (len(script.requests), caught.value.retry_after) == (4, 1.0)
    assert pauses == [1.0, 1.0, 1.0]
    pauses.clear()
    with pytest.raises(orgmem.TransportError):
        search(connect("http://test", "t", workspace=WORKSPACE, transport=Script(*[LOST] * 4), retries=3))
    assert pauses == [0.2, 0.4, 0.8]


def test_client_without_retries_sends_no_idempotency_key(connect: Connect) -> None:
    script = Script(COMMITTED)
    commit(connect("http://test/", lambda: "fresh", workspace=WORKSPACE, transport=script, retries=0))
    [request] = script.requests
    assert "Idempotency-Key" not in request.headers
    assert request.headers["Authorization"] == "Bearer fresh"
    assert str(request.url) == f"http://test/workspaces/{WORKSPACE}/memories"


def test_page_of_a_proxy_is_a_problem_with_its_text(connect: Connect) -> None:
    script = Script(httpx.Response(413, text="<h1>too large</h1>"))
    with pytest.raises(orgmem.BadRequest) as caught:
        commit(connect("http://test", "t", workspace=WORKSPACE, transport=script))
    assert (caught.value.code, caught.value.detail) == ("", "<h1>too large</h1>")


def test_success_of_another_server_is_a_transport_error(connect: Connect) -> None:
    client = connect("http://test", "t", workspace=WORKSPACE, transport=Script(httpx.Response(200, text="<h1>hi</h1>")))
    with pytest.raises(orgmem.TransportError, match="not JSON"):
        search(client)


def test_number_that_json_lacks_is_refused_before_sending(connect: Connect) -> None:
    with pytest.raises(ValueError, match="JSON"):
        connect("http://test", "t", workspace=WORKSPACE, transport=Script()).put_entry("k", float("nan"))


class Stream(httpx.SyncByteStream, httpx.AsyncByteStream):
    """A body in pieces, which may end with a lost connection."""

    def __init__(self, pieces: list[bytes], lost: bool) -> None:
        self.pieces, self.lost = pieces, lost

    def __iter__(self) -> Iterator[bytes]:
        yield from self.pieces
        if self.lost:
            raise httpx.ReadError("lost")

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for piece in self:
            yield piece


def events(text: str, *, lost: bool = False, size: int = 1) -> httpx.Response:
    data = text.encode()
    pieces = [data[at : at + size] for at in range(0, len(data), size)]
    return httpx.Response(200, stream=Stream(pieces, lost))


def test_stream_resumes_after_the_last_event(connect: Connect, pauses: list[float]) -> None:
    script = Script(
        events('event: ready\nid: 4\ndata: {}\n\nevent: kv_changed\nid: 5\ndata: {"n": 1}\n\nevent: lost', lost=True),
        refusal(503, "unavailable"),
        events(": comment\nid: 6\n\n"),
        events('event: kv_changed\r\nid: 7\r\ndata: {"text": "a\u2028b\u0085c"}\r\n\r\n', size=3),
        events('event: end\ndata: {"code": "token_invalid", "detail": "the token has expired"}\n\n'),
    )
    client = connect("http://test", "t", workspace=WORKSPACE, transport=script)
    stream = client.watch_events(last_event_id="3", subtree=True)
    received: list[Any] = []
    with pytest.raises(orgmem.StreamEnded, match="expired"):
        received.extend((event.id, event.kind, event.data) for event in stream)
    assert received == [
        ("4", "ready", {}),
        ("5", "kv_changed", {"n": 1}),
        ("7", "kv_changed", {"text": "a\u2028b\u0085c"}),
        ("7", "end", {"code": "token_invalid", "detail": "the token has expired"}),
    ]
    assert [request.headers["Last-Event-ID"] for request in script.requests] == ["3", "5", "5", "6", "7"]
    assert script.requests[0].url.params["subtree"] == "true"


def test_refused_stream_raises_the_problem(connect: Connect) -> None:
    client = connect("http://test", "t", workspace=WORKSPACE, transport=Script(refusal(403, "forbidden")))
    with pytest.raises(orgmem.Forbidden):
        next(iter(client.watch_events(subtree=True)))


def test_events_of_a_server_arrive_once_and_in_order(agent: Client) -> None:
    agent.put_entry("step", 1)
    agent.commit_memory("line\u2028separator", scope="LOCAL")
    stream = agent.watch_events(last_event_id="0")
    kinds = []
    for event in stream:
        kinds.append(event.kind)
        if event.kind == "memory_committed":
            assert event.data["memory"]["content"] == "line\u2028separator"
            break
    stream.close()  # type: ignore[attr-defined]
    assert kinds == ["ready", "workspace_created", "kv_changed", "memory_committed"]
    assert [one.kind for one in agent.watch_events(follow=False, last_event_id="2")] == ["ready", "memory_committed"]
