"""What the blocking and the asynchronous client share: addresses, options and requests."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from copy import copy
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import httpx

from . import errors
from ._call import Call, Options

if TYPE_CHECKING:
    from typing_extensions import Self

DEFAULT_URL = "http://127.0.0.1:7070"
# longer than the server's own limit of 30 seconds, so that its refusal arrives
TIMEOUT = 35.0

Token = str | Callable[[], str]


class BaseClient:
    """Settings of a client. Copies made by `at` and `with_options` share its connections."""

    def __init__(self, url: str | None, token: Token | None, options: Options) -> None:
        self._url = (url or os.environ.get("ORGMEM_URL") or DEFAULT_URL).rstrip("/")
        self._token = token or os.environ.get("ORGMEM_TOKEN") or ""
        self._options = options
        # the workspace that the token is bound to, once it is known; shared by all copies
        self._bound: list[str] = []

    def at(self, workspace: str) -> Self:
        """The same client for another workspace."""
        return self._with(replace(self._options, workspace=workspace))

    def with_options(
        self,
        *,
        run_id: str | None = None,
        audit_context: Mapping[str, Any] | None = None,
        idempotency_key: str | None = None,
        retries: int | None = None,
    ) -> Self:
        """The same client with other options; absent ones stay.

        `run_id` stages the memories that its calls commit in a run. `audit_context` is added to their rows of the audit
        log. `idempotency_key` is for one call, which may be repeated with it even by another process. `retries` is the
        maximum number of repetitions.
        """
        given: dict[str, Any] = {
            "run_id": run_id,
            "audit_context": audit_context,
            "idempotency_key": idempotency_key,
            "retries": retries,
        }
        return self._with(replace(self._options, **{name: value for name, value in given.items() if value is not None}))

    def _with(self, options: Options) -> Self:
        other = copy(self)
        other._options = options
        return other

    def _bind(self, workspace: str | None) -> str:
        """Remembers the workspace that `GET /me` named."""
        if workspace is None:
            raise errors.OrgmemError("the token is not bound to a workspace; name one with `at` or `workspace=`")
        self._bound.append(workspace)
        return workspace

    def _request(self, http: httpx.Client | httpx.AsyncClient, call: Call[Any], workspace: str | None) -> httpx.Request:
        base = f"{self._url}/workspaces/{workspace}/" if workspace else self._url
        return http.build_request(
            call.method,
            (base + call.path).rstrip("/"),
            params={name: value for name, value in call.params.items() if value is not None},
            content=call.body,
            headers={**self._options.headers(call), **self._authorization()},
        )

    def _authorization(self) -> dict[str, str]:
        token = self._token if isinstance(self._token, str) else self._token()
        return {"Authorization": f"Bearer {token}"} if token else {}
