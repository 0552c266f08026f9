"""Errors of the client. Every one is an `OrgmemError`."""

from __future__ import annotations

from typing import Any

import httpx


class OrgmemError(Exception):
    """Base class of all errors of this package."""


class TransportError(OrgmemError):
    """No response arrived: the server is not reachable, or did not respond in time.

    A request that is not repeatable may have taken effect all the same.
    """


class StreamEnded(OrgmemError):
    """The server ended an event stream for good: its token expired or was revoked, or the workspace was removed."""

    def __init__(self, code: str, detail: str) -> None:
        super().__init__(f"{detail} ({code})")
        self.code = code
        self.detail = detail


class Problem(OrgmemError):
    """A refusal, as RFC 9457 defines it. Its `code` is stable; `detail` is a sentence for people."""

    def __init__(self, status: int, members: dict[str, Any], retry_after: float | None = None) -> None:
        self.status = status
        self.members = members
        self.code = str(members.get("code", ""))
        self.detail = str(members.get("detail", ""))
        self.request_id: str | None = members.get("request_id")
        self.retry_after = retry_after
        super().__init__(f"{status} {self.code}: {self.detail}" + (f" [{self.request_id}]" if self.request_id else ""))

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.status, self.members, self.retry_after)


class BadRequest(Problem):
    """400, 413, 415, 422 and other statuses of requests that never succeed as they are. `field` names the cause."""

    @property
    def field(self) -> str | None:
        field = self.members.get("field")
        return None if field is None else str(field)


class Unauthenticated(Problem):
    """401: the token is absent, invalid, expired or revoked."""


class Forbidden(Problem):
    """403: the role of the token does not permit this; `detail` says what it permits."""


class NotFound(Problem):
    """404: absent, or hidden from the caller."""


class Gone(Problem):
    """410: the workspace was removed."""


class Conflict(Problem):
    """409: the state of the server does not permit this; `code` says why."""


class VersionConflict(Conflict):
    """409 `version_conflict`: the entry or memory has another version."""

    @property
    def expected_version(self) -> int:
        return int(self.members["expected_version"])

    @property
    def current_version(self) -> int | None:
        """`None` when it does not exist."""
        version = self.members.get("current_version")
        return None if version is None else int(version)


class RateLimited(Problem):
    """429: a limit on load. Nothing was changed; `retry_after` has the seconds to wait."""


class ServerError(Problem):
    """500, 502, 503, 504: the server, or a proxy in front of it, cannot respond now."""


_BY_STATUS: dict[int, type[Problem]] = {
    401: Unauthenticated,
    403: Forbidden,
    404: NotFound,
    409: Conflict,
    410: Gone,
    429: RateLimited,
}


def problem(status: int, members: dict[str, Any], retry_after: float | None = None) -> Problem:
    """The error for a problem with this status."""
    if members.get("code") == "version_conflict":
        return VersionConflict(status, members, retry_after)
    kind = _BY_STATUS.get(status) or (ServerError if status >= 500 else BadRequest)
    return kind(status, members, retry_after)


def from_response(response: httpx.Response) -> Problem:
    """The error for a response that is no success, also for one that a proxy sent."""
    try:
        members = response.json()
    except ValueError:
        members = None
    if not isinstance(members, dict):
        members = {"detail": response.text[:200] or response.reason_phrase}
    members.setdefault("request_id", response.headers.get("X-Request-Id"))
    return problem(response.status_code, members, seconds(response.headers.get("Retry-After")))


def seconds(header: str | None) -> float | None:
    """`Retry-After` in seconds; orgmem sends no dates."""
    try:
        return max(0.0, float(header)) if header else None
    except ValueError:
        return None
