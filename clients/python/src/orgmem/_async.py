"""The asynchronous client: `_sync.py` with `await`."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine, Generator
from functools import wraps
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeVar

import httpx

from . import _calls, errors
from ._base import TIMEOUT, BaseClient, Token
from ._call import Attempts, Call, Options, Page
from ._events import SILENCE, Event, EventStream

if TYPE_CHECKING:
    from typing_extensions import Self

P = ParamSpec("P")
T = TypeVar("T")


def _method(build: Callable[P, Call[T]]) -> Callable[Concatenate[AsyncClient, P], Coroutine[Any, Any, T]]:
    @wraps(build)
    async def method(self: AsyncClient, /, *args: P.args, **fields: P.kwargs) -> T:
        return await self.send(build(*args, **fields))

    return method


def _pages(build: Callable[P, Call[Page[T]]]) -> Callable[Concatenate[AsyncClient, P], AsyncIterator[T]]:
    """The rows of all pages; each page is read when it is needed."""

    @wraps(build)
    async def method(self: AsyncClient, /, *args: P.args, **fields: P.kwargs) -> AsyncIterator[T]:
        call = build(*args, **fields)
        while True:
            page = await self.send(call)
            for row in page:
                yield row
            if page.cursor is None:
                return
            call = call.after(page.cursor)

    return method


class AsyncClient(BaseClient):
    """An asynchronous client of one server, for one event loop.

    Calls below `/workspaces/{id}` act on `workspace`, or else on the workspace that the token is bound to. The
    defaults of `url` and `token` are `ORGMEM_URL` and `ORGMEM_TOKEN`; a `token` may be a function, which is called for
    each request. A failed request is repeated up to `retries` times, if that is safe.
    """

    def __init__(
        self,
        url: str | None = None,
        token: Token | None = None,
        *,
        workspace: str | None = None,
        timeout: float = TIMEOUT,
        retries: int = 2,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        super().__init__(url, token, Options(workspace=workspace, retries=retries))
        self._http = httpx.AsyncClient(timeout=timeout, transport=transport)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Closes the connections, also of copies."""
        await self._http.aclose()

    async def send(self, call: Call[T]) -> T:
        """Sends one call, again where that is safe, and reads the response."""
        request = await self._prepare(call)
        attempts = Attempts(request, self._options.retries)
        while True:
            pause: float | None
            try:
                response = await self._http.send(request)
            except httpx.TransportError as error:
                pause = attempts.after_error(error)
            else:
                if response.is_success:
                    return call.read(response)
                pause = attempts.after_response(response)
                if pause is None:
                    raise errors.from_response(response)
            await asyncio.sleep(pause)

    async def run(self, steps: Generator[Call[Any], Any, T]) -> T:
        """Sends the calls that a generator yields, and returns its result."""
        try:
            call = next(steps)
            while True:
                try:
                    result = await self.send(call)
                except errors.OrgmemError as error:
                    call = steps.throw(error)
                else:
                    call = steps.send(result)
        except StopIteration as end:
            return end.value  # type: ignore[no-any-return]

    async def watch_events(
        self,
        *,
        subtree: bool = False,
        follow: bool = True,
        memories: bool = True,
        last_event_id: str | None = None,
    ) -> AsyncIterator[Event]:
        """The events of the workspace from now on, or after `last_event_id`.

        A lost connection is resumed after the last event. `follow=False` ends after the events that exist.
        Raises `StreamEnded` when the server ends the stream.
        """
        stream = EventStream({"subtree": subtree, "memories": memories}, follow, last_event_id, self._options.retries)
        while not stream.over:
            request = await self._prepare(stream.call())
            request.extensions["timeout"]["read"] = SILENCE
            attempts = stream.attempts(request)
            pause: float | None
            try:
                response = await self._http.send(request, stream=True)
                try:
                    if response.is_success:
                        async for data in response.aiter_bytes():
                            for event in stream.feed(data):
                                yield event
                        pause = stream.closed()
                    else:
                        await response.aread()
                        pause = attempts.after_response(response)
                        if pause is None:
                            raise errors.from_response(response)
                finally:
                    await response.aclose()
            except httpx.TransportError as error:
                pause = stream.attempts(request).after_error(error)
            await asyncio.sleep(pause)

    async def workspace_id(self) -> str:
        """The workspace of the calls; asks the server once, if only the token names it."""
        known = self._options.workspace or next(iter(self._bound), None)
        return known or self._bind((await self.send(_calls.read_me())).get("workspace_id"))

    async def _prepare(self, call: Call[Any]) -> httpx.Request:
        return self._request(self._http, call, await self.workspace_id() if call.in_workspace else None)

    # server and callers
    read_version = _method(_calls.read_version)
    read_me = _method(_calls.read_me)
    check_access = _method(_calls.check_access)
    issue_token = _method(_calls.issue_token)
    list_tokens = _method(_calls.list_tokens)
    iter_tokens = _pages(_calls.list_tokens)
    revoke_token = _method(_calls.revoke_token)
    revoke_tokens = _method(_calls.revoke_tokens)
    preview_revoke_tokens = _method(_calls.preview_revoke_tokens)

    # workspaces and the tree
    create_workspace = _method(_calls.create_workspace)
    list_workspaces = _method(_calls.list_workspaces)
    iter_workspaces = _pages(_calls.list_workspaces)
    search_orgs = _method(_calls.search_orgs)
    iter_orgs = _pages(_calls.search_orgs)
    import_org = _method(_calls.import_org)
    preview_import_org = _method(_calls.preview_import_org)
    read_workspace = _method(_calls.read_workspace)
    patch_workspace = _method(_calls.patch_workspace)
    preview_patch_workspace = _method(_calls.preview_patch_workspace)
    remove_workspace = _method(_calls.remove_workspace)
    preview_remove_workspace = _method(_calls.preview_remove_workspace)
    read_tree = _method(_calls.read_tree)
    read_reach = _method(_calls.read_reach)
    read_relation = _method(_calls.read_relation)

    # memories
    commit_memory = _method(_calls.commit_memory)
    commit_batch = _method(_calls.commit_batch)
    search_memories = _method(_calls.search_memories)
    iter_memories = _pages(_calls.search_memories)
    count_memories = _method(_calls.count_memories)
    list_metadata_values = _method(_calls.list_metadata_values)
    iter_metadata_values = _pages(_calls.list_metadata_values)
    touch_memories = _method(_calls.touch_memories)
    read_memory = _method(_calls.read_memory)
    edit_memory = _method(_calls.edit_memory)
    forget_memory = _method(_calls.forget_memory)
    list_versions = _method(_calls.list_versions)
    iter_versions = _pages(_calls.list_versions)
    restore_memory = _method(_calls.restore_memory)
    redact_memory = _method(_calls.redact_memory)
    preview_redact_memory = _method(_calls.preview_redact_memory)
    redact_memories = _method(_calls.redact_memories)
    preview_redact_memories = _method(_calls.preview_redact_memories)
    list_redactions = _method(_calls.list_redactions)
    iter_redactions = _pages(_calls.list_redactions)
    explain_memory = _method(_calls.explain_memory)

    # key/value entries
    put_entry = _method(_calls.put_entry)
    read_entry = _method(_calls.read_entry)
    list_entries = _method(_calls.list_entries)
    iter_entries = _pages(_calls.list_entries)
    drop_entry = _method(_calls.drop_entry)

    # activity
    append_episode = _method(_calls.append_episode)
    list_episodes = _method(_calls.list_episodes)
    iter_episodes = _pages(_calls.list_episodes)
    redact_episode = _method(_calls.redact_episode)
    add_turn = _method(_calls.add_turn)
    read_turn = _method(_calls.read_turn)
    search_session = _method(_calls.search_session)
    iter_session = _pages(_calls.search_session)

    # runs
    start_run = _method(_calls.start_run)
    list_runs = _method(_calls.list_runs)
    iter_runs = _pages(_calls.list_runs)
    read_run = _method(_calls.read_run)
    list_pending = _method(_calls.list_pending)
    iter_pending = _pages(_calls.list_pending)
    stage_output = _method(_calls.stage_output)
    finish_run = _method(_calls.finish_run)

    # profiles and context
    list_profiles = _method(_calls.list_profiles)
    create_profile = _method(_calls.create_profile)
    preview_create_profile = _method(_calls.preview_create_profile)
    read_profile = _method(_calls.read_profile)
    change_profile = _method(_calls.change_profile)
    preview_change_profile = _method(_calls.preview_change_profile)
    delete_profile = _method(_calls.delete_profile)
    summarize_profile = _method(_calls.summarize_profile)
    run_memory_tool = _method(_calls.run_memory_tool)
    inject_context = _method(_calls.inject_context)

    # audit log
    read_access_log = _method(_calls.read_access_log)
    iter_access_log = _pages(_calls.read_access_log)
    read_memory_access_log = _method(_calls.read_memory_access_log)
    iter_memory_access_log = _pages(_calls.read_memory_access_log)
    verify_access_log = _method(_calls.verify_access_log)
