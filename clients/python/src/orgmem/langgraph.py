"""LangGraph's store over orgmem: `pip install orgmem[langgraph]`.

    store = OrgmemStore(Client(token=…))
    graph = builder.compile(store=store)

An item is a memory of the client's workspace, so it is durable, has a history, is erased with its workspace, and is
found by every search of the workspace. README.md has the mapping and its limits.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Generator, Iterable, Iterator, Sequence
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
        for indices, ops in plan.gets():
            results.update(zip(indices, self._client.run(store.get_many(ops)), strict=True))
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
        pages = list(plan.gets())
        reads = [client.run(store.read(op)) for _, op in plan.reads]
        found = await asyncio.gather(*reads, *(client.run(store.get_many(ops)) for _, ops in pages))
        results = dict(zip((index for index, _ in plan.reads), found, strict=False))
        for (indices, _), items in zip(pages, found[len(reads) :], strict=True):
            results.update(zip(indices, items, strict=True))
        for steps in store.writes(plan.writes):
            await client.run(steps)
        return plan.results(results)


class _Store:
    """Each operation as steps, which either client takes."""

    def __init__(self, mapping: _items.Mapping, only_matches: bool) -> None:
        self._mapping = mapping
        self._only_matches = only_matches

    def read(self, op: SearchOp | ListNamespacesOp) -> Steps:
        return self._search(op) if isinstance(op, SearchOp) else self._list(op)

    def get_many(self, ops: Sequence[GetOp]) -> Steps:
        """At most a page of items, in the order of the operations."""
        if len(ops) == 1:
            memories = yield from self._get(ops[0])
        else:
            ids = {self._mapping.id(op.namespace, op.key) for op in ops}
            memories = yield self._mapping.named(ids)
        found: dict[str, t.Memory] = {memory["id"]: memory for memory in memories}
        items: list[Item | None] = []
        refreshed: dict[str, t.Memory] = {}
        for op in ops:
            memory = found.get(self._mapping.id(op.namespace, op.key))
            if memory is not None and op.refresh_ttl:
                refreshed[memory["id"]] = memory
            items.append(None if memory is None else Item(**self._mapping.item(memory)))
        yield from self._refresh(list(refreshed.values()))
        return items

    def _get(self, op: GetOp) -> Steps:
        try:
            memory = yield _calls.read_memory(self._mapping.id(op.namespace, op.key))
        except errors.NotFound:
            return []
        return [memory] if self._mapping.is_item(memory) else []

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
        # the server selects by the filter; here it only raises for what cannot be compared, as `InMemoryStore` does
        limit = max(1, min(_PAGE, wanted - len(found)))
        call = self._mapping.search(op.namespace_prefix, query, limit, op.filter)
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
        listing = self._mapping.namespaces(conditions, op.max_depth)
        call, wanted = listing.call, op.offset + op.limit
        found: list[tuple[str, ...]] = []
        # the server sorts as Python does, so the first ones are enough if it also selects
        while len(found) < wanted or not listing.is_complete:
            page = yield call
            found.extend(tuple(row["value"]) for row in page)
            if page.cursor is None:
                break
            call = call.after(page.cursor)
        if not listing.is_complete:
            named = {name[: op.max_depth] for name in found if all(_items.has_path(name, one) for one in conditions)}
            found = sorted(named)
        return found[op.offset : wanted]

    def _refresh(self, memories: Sequence[t.Memory]) -> Generator[Call[Any], Any, None]:
        """Restarts the time to live. An item that was written or deleted since the read keeps its own."""
        touches = [touch for memory in memories if (touch := self._mapping.touch(memory)) is not None]
        for start in range(0, len(touches), _BATCH):
            yield _calls.touch_memories(touches[start : start + _BATCH])

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
        self.reads: list[tuple[int, SearchOp | ListNamespacesOp]] = []
        self._gets: list[tuple[int, GetOp]] = []
        writes: dict[tuple[tuple[str, ...], str], PutOp] = {}
        self.count = 0
        for op in ops:
            if not isinstance(op, GetOp | SearchOp | ListNamespacesOp | PutOp):
                raise ValueError(f"Unknown operation type: {type(op)}")
            validate_op_namespace(op)
            if isinstance(op, PutOp):
                writes[(op.namespace, op.key)] = op
            elif isinstance(op, GetOp):
                self._gets.append((self.count, op))
            else:
                self.reads.append((self.count, op))
            self.count += 1
        self.writes = list(writes.values())

    def gets(self) -> Iterator[tuple[list[int], list[GetOp]]]:
        """The `get`s in pages, each as its indices and operations."""
        for start in range(0, len(self._gets), _PAGE):
            page = self._gets[start : start + _PAGE]
            yield [index for index, _ in page], [op for _, op in page]

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
