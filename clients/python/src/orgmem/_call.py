"""Requests and responses as values: what to send, and how to read the response. No I/O."""

from __future__ import annotations

import json
import random
import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Generic, TypeVar
from urllib.parse import parse_qs, quote, urlsplit

import httpx

from . import errors

T = TypeVar("T")

# The longest pause before a repetition, in seconds. A server that asks for more gets no repetition.
LONGEST_PAUSE = 30.0


class Page(list[T]):
    """One page of a list. `cursor` leads to the next page, and is `None` on the last one."""

    cursor: str | None = None


@dataclass(frozen=True)
class Call(Generic[T]):
    """One request, and the function that reads its response."""

    method: str
    path: str
    read: Callable[[httpx.Response], T]
    # whether `path` continues `/workspaces/{id}` of the client
    in_workspace: bool = True
    params: Mapping[str, Any] = field(default_factory=dict)
    body: bytes | None = None
    headers: Mapping[str, str] = field(default_factory=dict)

    def after(self, cursor: str) -> Call[T]:
        """The same call for the page at `cursor`."""
        return replace(self, params={**self.params, "cursor": cursor})


@dataclass(frozen=True)
class Options:
    """What the calls of a client have in common."""

    workspace: str | None = None
    run_id: str | None = None
    audit_context: Mapping[str, Any] | None = None
    idempotency_key: str | None = None
    retries: int = 2

    def headers(self, call: Call[Any]) -> dict[str, str]:
        headers = dict(call.headers)
        if self.run_id is not None:
            headers["X-Run-Id"] = self.run_id
        if self.audit_context is not None:
            headers["X-Audit-Context"] = json.dumps(self.audit_context)
        # The key makes a repetition safe, so a client that never repeats a request needs none.
        if call.method == "POST" and (self.idempotency_key or self.retries > 0):
            headers["Idempotency-Key"] = self.idempotency_key or str(uuid.uuid4())
        return headers


class Attempts:
    """Decides whether a request is sent again, and when.

    Reads are repeated, and writes with an `Idempotency-Key`. Other writes (`PATCH`, `DELETE`) are repeated only when
    the first attempt had no effect for certain: the connection was refused, or the response was 429.
    """

    def __init__(self, request: httpx.Request, retries: int) -> None:
        self.repeatable = request.method == "GET" or "Idempotency-Key" in request.headers
        self.left = retries
        self.failures = 0

    def after_error(self, error: httpx.TransportError) -> float:
        """Seconds until the next attempt; raises `TransportError` when there is none."""
        never_sent = isinstance(error, httpx.ConnectError | httpx.ConnectTimeout | httpx.PoolTimeout)
        passing = isinstance(error, httpx.NetworkError | httpx.TimeoutException | httpx.RemoteProtocolError)
        if not (passing and (self.repeatable or never_sent)) or self.left <= 0:
            raise errors.TransportError(str(error) or type(error).__name__) from error
        return self._next(None)

    def after_response(self, response: httpx.Response) -> float | None:
        """Seconds until the next attempt, or `None` when this response is final."""
        again = response.status_code == 429 or (self.repeatable and response.status_code in (502, 503, 504))
        asked = errors.seconds(response.headers.get("Retry-After"))
        if not again or self.left <= 0 or (asked or 0) > LONGEST_PAUSE:
            return None
        return self._next(asked)

    def _next(self, asked: float | None) -> float:
        self.left -= 1
        self.failures += 1
        backoff = min(LONGEST_PAUSE, 0.1 * 2.0**self.failures) * random.uniform(0.5, 1.0)
        return max(asked or 0.0, backoff)


def get(path: str, params: Mapping[str, Any] | None = None, *, server: bool = False) -> Call[Any]:
    """Reads one object. `server` is for addresses outside a workspace."""
    return Call("GET", path, _json, not server, params or {})


def pages(
    path: str, params: Mapping[str, Any] | None = None, *, server: bool = False, member: str | None = None
) -> Call[Page[Any]]:
    """Reads one page of a list, which is the whole response or a member of it."""

    def page(response: httpx.Response) -> Page[Any]:
        found = _json(response)
        rows: Page[Any] = Page(found if member is None else found[member])
        rows.cursor = _next_cursor(response)
        return rows

    return Call("GET", path, page, not server, params or {})


def write(
    method: str,
    path: str,
    body: Any = None,
    *,
    server: bool = False,
    params: Mapping[str, Any] | None = None,
    if_match: int | None = None,
) -> Call[Any]:
    """`POST`, `PATCH` or `DELETE`; `if_match` is the version that must be current."""
    headers = {} if body is None else {"Content-Type": "application/json"}
    if if_match is not None:
        headers["If-Match"] = f'"{if_match}"'
    return Call(method, path, _json, not server, params or {}, None if body is None else _encode(body), headers)


def part(text: str) -> str:
    """A segment of an address. Its slashes are encoded, and its dots, because `.` and `..` are steps of an address."""
    return quote(text, safe="").replace(".", "%2E")


def _encode(body: Any) -> bytes:
    return json.dumps(body, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()


def _json(response: httpx.Response) -> Any:
    try:
        return response.json()
    except ValueError as error:
        raise errors.TransportError(f"the response of {response.url.host} is not JSON, so not orgmem's") from error


def _next_cursor(response: httpx.Response) -> str | None:
    url = response.links.get("next", {}).get("url")
    return parse_qs(urlsplit(url).query)["cursor"][0] if url else None
