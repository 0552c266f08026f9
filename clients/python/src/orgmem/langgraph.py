"""LangGraph's store over orgmem: `pip install orgmem[langgraph]`.

    store = OrgmemStore(Client(token=…))
    graph = builder.compile(store=store)

An item is a memory of the client's workspace, so it is durable, has a history, is erased with its workspace, and is
found by every search of the workspace. README.md has the mapping and its limits.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Generator, Iterable, Sequence
from typing import Any

from langgraph.store.base import (
    BaseStore,
    GetOp,
    Item,
    ListNamespacesOp,
    Op,
    PutOp,
    Result,
    SearchItem,
    SearchOp,
    TTLConfig,
    validate_op_namespace,
)

from . import _calls, _items, errors
from . import types as t
from ._async import AsyncClient
from ._call import Call, write
from ._sync import Client

# calls to send, and the result of the operation
Steps = Generator[Call[Any], Any, Any]

# the maximum of `POST …/memories/batch` and of a page of `GET …/memories`
_BATCH, _PAGE = 500, 50


class OrgmemStore(BaseStore):
    """A store in the workspace of `client`.

    `name` separates several stores of one workspace. `scope` is the audience of the items: `TEAM` items are found by
    the searches of other workspaces, but only this workspace gets and changes them as items. `fields` are the paths
    whose text a query matches, all text by default; `index` of a `put` overrides them. A search with a query returns
    its matches with a score and then other items without one, as `InMemoryStore` does; with `only_matches` it returns
    only matches. Without an `async_client`, the asynchronous methods use `client` in a thread.
    """

    supports_ttl = True

    __slots__ = ("_async", "_client", "_only_matches", "_settings", "ttl_config")

    def __init__(
        self,
        client: Client,
        *,
        async_client: AsyncClient | None = None,
        name: str = "langgraph",
        scope: t.Scope = "LOCAL",
        fields: Sequence[str] = ("$",),
        ttl: TTLConfig | None = None,
        only_matches: bool = False,
    ) -> None:
        super().__init__()
        self._client = client
        self._async = async_client
        self._settings = (name, scope, tuple(fields))
        self._only_matches = only_matches
        self.ttl_config = ttl

    def batch(self, ops: Iterable[Op]) -> list[Result]:
        """Executes the reads and then the writes; of several writes of one item the last one counts."""
        plan = _Plan(ops)
        store = _Store(_items.Mapping(self._client.workspace_id(), *self._settings), self._only_matches)
        results = {index: self._client.run(store.read(op)) for index, op in plan.reads}
        for steps in store.writes(plan.writes):
            self._client.run(steps)
        return plan.results(results)

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        """As `batch`, with the reads at the same time."""
        client = self._async
        if client is None:
            return await asyncio.to_thread(self.batch, list(ops))
        plan = _Plan(ops)
        store = _Store(_items.Mapping(await client.workspace_id(), *self._settings), self._only_matches)
        found = await asyncio.gather(*(client.run(store.read(op)) for _, op in plan.reads))
        for steps in store.writes(plan.writes):
            await client.run(steps)
        return plan.results(dict(zip((index for index, _ in plan.reads), found, strict=True)))


class _Store:
    """Each operation as steps, which either client takes."""

    def __init__(self, mapping: _items.Mapping, only_matches: bool) -> None:
        self._mapping = mapping
        self._only_matches = only_matches

    def read(self, op: GetOp | SearchOp | ListNamespacesOp) -> Steps:
        if isinstance(op, GetOp):
            return self._get(op)
        return self._search(op) if isinstance(op, SearchOp) else self._list(op)

    def _get(self, op: GetOp) -> Steps:
        try:
            memory = yield _calls.read_memory(self._mapping.id(op.namespace, op.key))
        except errors.NotFound:
            return None
        if not self._mapping.is_item(memory):
            return None
        if op.refresh_ttl:
            yield from self._refresh([memory])
        return Item(**self._mapping.item(memory))

    def _search(self, op: SearchOp) -> Steps:
        wanted = op.offset + op.limit
        found: dict[str, t.Memory] = {}
        # matches in their order, then the other items, the newest first
        for query in [op.query, None] if op.query and not self._only_matches else [op.query]:
            found = yield from self._collect(op, query or None, wanted, found)
        memories = list(found.values())[op.offset : wanted]
        if op.refresh_ttl:
            yield from self._refresh(memories)
        return [SearchItem(**self._mapping.item(memory), score=memory.get("score")) for memory in memories]

    def _collect(self, op: SearchOp, query: str | None, wanted: int, found: dict[str, t.Memory]) -> Steps:
        """Adds items that pass the filter until there are as many as wanted."""
        limit = _PAGE if op.filter else max(1, min(_PAGE, wanted - len(found)))
        call = self._mapping.search(op.namespace_prefix, query, limit)
        while len(found) < wanted:
            page = yield call
            for memory in page:
                if _items.matches(self._mapping.value(memory), op.filter):
                    found.setdefault(memory["id"], memory)
            if page.cursor is None:
                break
            call = call.after(page.cursor)
        return found

    def _list(self, op: ListNamespacesOp) -> Steps:
        conditions = op.match_conditions or ()
        prefixes = [tuple(one.path) for one in conditions if one.match_type == "prefix" and "*" not in one.path]
        call = self._mapping.search(max(prefixes, key=len, default=()), None, _PAGE)
        found: set[tuple[str, ...]] = set()
        while True:
            page = yield call
            found.update(self._mapping.namespace(memory) for memory in page)
            if page.cursor is None:
                break
            call = call.after(page.cursor)
        listed = {name[: op.max_depth] for name in found if all(_items.has_path(name, one) for one in conditions)}
        return sorted(listed)[op.offset : op.offset + op.limit]

    def _refresh(self, memories: Sequence[t.Memory]) -> Generator[Call[Any], Any, None]:
        """Restarts the time to live. An item that was written or deleted since the read keeps its own."""
        for memory in memories:
            ttl = self._mapping.ttl(memory)
            if ttl is None:
                continue
            with contextlib.suppress(errors.NotFound, errors.VersionConflict):
                yield _calls.edit_memory(memory["id"], if_match=memory["version"], ttl_seconds=_items.seconds(ttl))

    def writes(self, ops: Sequence[PutOp]) -> Iterable[Steps]:
        """Puts in batches, then deletions."""
        puts = [self._mapping.draft(op) for op in ops if op.value is not None]
        for start in range(0, len(puts), _BATCH):
            yield _commit(puts[start : start + _BATCH])
        yield from (self._delete(op) for op in ops if op.value is None)

    def _delete(self, op: PutOp) -> Steps:
        with contextlib.suppress(errors.NotFound):
            yield _calls.forget_memory(self._mapping.id(op.namespace, op.key))


class _Plan:
    """The operations of a batch, in the order of their execution."""

    def __init__(self, ops: Iterable[Op]) -> None:
        self.reads: list[tuple[int, GetOp | SearchOp | ListNamespacesOp]] = []
        writes: dict[tuple[tuple[str, ...], str], PutOp] = {}
        self.count = 0
        for op in ops:
            if not isinstance(op, GetOp | SearchOp | ListNamespacesOp | PutOp):
                raise ValueError(f"Unknown operation type: {type(op)}")
            validate_op_namespace(op)
            if isinstance(op, PutOp):
                writes[(op.namespace, op.key)] = op
            else:
                self.reads.append((self.count, op))
            self.count += 1
        self.writes = list(writes.values())

    def results(self, found: dict[int, Result]) -> list[Result]:
        return [found.get(index) for index in range(self.count)]


def _commit(memories: list[t.CommitMemory]) -> Steps:
    if len(memories) == 1:
        yield write("POST", "memories", memories[0])
        return
    response: t.BatchResponse = yield _calls.commit_batch(memories)
    for item in response["items"]:
        if "refused" in item:
            refused = item["refused"]
            raise errors.problem(refused["status"], dict(refused))
