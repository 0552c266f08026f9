"""What `OrgmemStore` adds to LangGraph's interface: ranking, expiry, sharing, and its place in a graph."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from datetime import datetime
from typing import Any, TypedDict

import httpx
import pytest
from langgraph.graph import END, START, StateGraph
from langgraph.store.base import BaseStore, GetOp, PutOp
from support import Server

import orgmem
from orgmem import Client, _items
from orgmem.langgraph import OrgmemStore


@pytest.fixture
def client(server: Server) -> Iterator[Client]:
    with Client(server.url, server.agent_token()) as client:
        yield client


@pytest.fixture
def store(client: Client) -> OrgmemStore:
    return OrgmemStore(client)


def test_query_ranks_matches_before_other_items(client: Client, store: OrgmemStore) -> None:
    for key, text in {"1": "I like pizza", "2": "a pizza oven, for pizza on Fridays", "3": "sushi"}.items():
        store.put(("food",), key, {"text": text, "n": int(key)})
    found = store.search(("food",), query="pizza")
    assert {item.key for item in found[:2]} == {"1", "2"}
    assert [item.score is None for item in found] == [False, False, True]
    assert found[0].score > found[1].score  # type: ignore[operator]
    pages = [store.search(("food",), query="pizza", limit=1, offset=offset)[0].key for offset in range(3)]
    assert pages == [item.key for item in found]
    assert [item.key for item in store.search(("food",), query="pizza", filter={"n": {"$gt": 1}})] == ["2", "3"]
    matches = OrgmemStore(client, only_matches=True)
    assert {item.key for item in matches.search((), query="pizza")} == {"1", "2"}
    assert matches.search((), query="?!") == []


def test_index_selects_the_searchable_text(client: Client) -> None:
    store = OrgmemStore(client, fields=["title", "parts[*].text"], only_matches=True)
    value = {"title": "alpha", "parts": [{"text": "beta"}, {"text": "gamma"}], "note": "delta"}
    store.put(("x",), "fields", value)
    store.put(("x",), "index", value, index=["note"])
    store.put(("x",), "none", value, index=False)
    found = {word: {item.key for item in store.search((), query=word)} for word in ("alpha", "gamma", "delta")}
    assert found == {"alpha": {"fields"}, "gamma": {"fields"}, "delta": {"index"}}
    assert len(store.search(())) == 3


def expiry(client: Client, key: str) -> tuple[int, datetime | None]:
    """Version and end of life of an item."""
    mapping = _items.Mapping(client.workspace_id(), "langgraph", "LOCAL", ("$",))
    memory: Any = client.read_memory(mapping.id(("t",), key))
    expires_at = memory.get("expires_at")
    return memory["version"], expires_at and datetime.fromisoformat(expires_at.replace("Z", "+00:00"))


class Counted(httpx.HTTPTransport):
    """Counts requests."""

    count = 0

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        self.count += 1
        return super().handle_request(request)


def test_read_refreshes_the_time_to_live(client: Client, store: OrgmemStore) -> None:
    store.put(("t",), "k", {"a": 1}, ttl=2.5)
    item = store.get(("t",), "k", refresh_ttl=False)
    version, first = expiry(client, "k")
    assert item is not None
    assert first is not None
    assert (version, round((first - item.updated_at).total_seconds())) == (1, 150)
    store.get(("t",), "k")
    version, second = expiry(client, "k")
    assert version == 1
    assert second is not None
    assert second > first
    found = store.search(("t",))
    version, third = expiry(client, "k")
    assert version == 1
    assert third is not None
    assert third > second
    assert [one.updated_at for one in found] == [item.updated_at]
    store.put(("t",), "k", {"a": 1})
    assert expiry(client, "k") == (2, None)


def test_batch_refreshes_the_time_to_live_of_its_items_at_once(server: Server, client: Client) -> None:
    counted = Counted()
    with Client(server.url, client._token, transport=counted) as counting:
        store = OrgmemStore(counting)
        store.batch([PutOp(("t",), str(n), {"n": n}, ttl=n % 2 + 1.0) for n in range(40)])
        first = [expiry(client, str(n))[1] for n in range(40)]
        before = counted.count
        items = store.batch([GetOp(("t",), str(n)) for n in range(40)])
        assert counted.count - before == 2, "one read and one touch"
    assert [item.value for item in items] == [{"n": n} for n in range(40)]  # type: ignore[union-attr]
    second = [expiry(client, str(n)) for n in range(40)]
    assert {version for version, _ in second} == {1}
    assert all(later > earlier for (_, later), earlier in zip(second, first, strict=True))  # type: ignore[operator]


class WriteBeforeTouch(httpx.HTTPTransport):
    """Lets another writer act between the read of an item and the restart of its time to live."""

    def __init__(self, write: Callable[[], None]) -> None:
        super().__init__()
        self.write = write

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        if request.url.path.endswith("/touch"):
            self.write()
        return super().handle_request(request)


@pytest.mark.parametrize("write", ["put", "delete"])
def test_refresh_does_not_touch_an_item_written_since_the_read(server: Server, client: Client, write: str) -> None:
    store = OrgmemStore(client)
    store.put(("t",), "k", {"a": 1}, ttl=1)
    act = {"put": lambda: store.put(("t",), "k", {"a": 2}), "delete": lambda: store.delete(("t",), "k")}[write]
    with Client(server.url, client._token, transport=WriteBeforeTouch(act)) as racing:
        item = OrgmemStore(racing).get(("t",), "k")
    assert item is not None
    assert item.value == {"a": 1}
    if write == "put":
        assert expiry(client, "k") == (2, None)
    else:
        assert store.get(("t",), "k") is None


def test_server_filters_and_reads_many_items_at_once(server: Server, client: Client) -> None:
    counted = Counted()
    with Client(server.url, client._token, transport=counted) as counting:
        store = OrgmemStore(counting)
        store.batch([PutOp(("n",), str(n), {"n": n, "odd": n % 2 == 1}) for n in range(120)])
        cases: list[tuple[dict[str, Any], int]] = [
            ({"n": {"$gte": 115}}, 5),
            ({"odd": True, "n": {"$lt": 10}}, 5),
            ({"n": {"$gt": 3, "$lte": 5}}, 2),
            ({"n": {"$ne": 7}, "odd": {"$eq": True}}, 59),
        ]
        for wanted, found in cases:
            before = counted.count
            assert len(store.search(("n",), filter=wanted, limit=100)) == found, wanted
            assert counted.count - before == 1 + found // 50, wanted
        before = counted.count
        ops = [GetOp(("n",), str(n)) for n in (*range(100), 3, 500)]
        items = store.batch(ops)
        assert counted.count - before == 3
        assert [item and item.value["n"] for item in items] == [*range(100), 3, None]  # type: ignore[union-attr]


def test_server_lists_namespaces(server: Server, client: Client) -> None:
    counted = Counted()
    with Client(server.url, client._token, transport=counted) as counting:
        store = OrgmemStore(counting)
        names: list[tuple[str, ...]] = [
            (f"user {n % 5}", "notes" if n % 2 else "tasks", f"day {n:03}") for n in range(130)
        ]
        store.batch([PutOp(name, "k", {"n": n}) for n, name in enumerate(names)])
        cases: list[tuple[dict[str, Any], list[tuple[str, ...]], int]] = [
            ({}, sorted(names)[:100], 1),
            ({"limit": 200}, sorted(names), 2),
            ({"limit": 20, "offset": 95}, sorted(names)[95:115], 2),
            ({"max_depth": 1}, [(f"user {n}",) for n in range(5)], 1),
            ({"prefix": ("*", "notes"), "max_depth": 2}, [(f"user {n}", "notes") for n in range(5)], 1),
            ({"prefix": ("user 1",), "suffix": ("tasks", "*"), "max_depth": 2}, [("user 1", "tasks")], 1),
            ({"suffix": ("day 004",)}, [("user 4", "tasks", "day 004")], 1),
            # more than the server evaluates
            ({"prefix": ("user 1",) * 70}, [], 2),
        ]
        for how, expected, requests in cases:
            before = counted.count
            assert store.list_namespaces(**how) == expected, how
            assert counted.count - before == requests, how


def test_defaults_of_the_time_to_live(client: Client) -> None:
    store = OrgmemStore(client, ttl={"default_ttl": 1, "refresh_on_read": False})
    store.put(("t",), "k", {"a": 1})
    store.get(("t",), "k")
    assert expiry(client, "k")[0] == 1
    store.put(("t",), "for ever", {"a": 1}, ttl=None)
    assert expiry(client, "for ever") == (1, None)


def test_stores_do_not_mix(server: Server, client: Client, store: OrgmemStore) -> None:
    """Neither two stores of one workspace, nor those of two workspaces of one org, nor other memories."""
    sibling = Client(server.url, server.agent_token("child", parent_id=client.workspace_id()))
    stores = [store, OrgmemStore(client, name="other"), OrgmemStore(sibling, scope="TEAM")]
    client.commit_memory("not an item", scope="LOCAL", namespace="langgraph")
    for number, one in enumerate(stores):
        one.put(("same",), "key", {"n": number})
    for number, one in enumerate(stores):
        assert [item.value for item in one.search(())] == [{"n": number}]
        assert one.get(("same",), "key").value == {"n": number}  # type: ignore[union-attr]
    team = OrgmemStore(client, scope="TEAM")
    team.put(("same",), "shared", {"text": "rollout on Tuesday"})
    assert [memory["via"] for memory in sibling.search_memories("rollout")] == ["parent"]
    assert [item.value for item in stores[2].search(())] == [{"n": 2}]
    sibling.close()


def test_redacted_item_is_absent(server: Server, client: Client, store: OrgmemStore) -> None:
    store.put(("t",), "k", {"name": "a person"})
    [memory] = client.search_memories("person")
    with Client(server.url, server.admin_token, workspace=client.workspace_id()) as admin:
        admin.redact_memory(memory["id"], "privacy")
    assert store.get(("t",), "k") is None
    with pytest.raises(orgmem.Conflict):
        store.put(("t",), "k", {"name": "again"})


def test_refused_item_of_a_batch_raises_and_others_are_stored(store: OrgmemStore) -> None:
    with pytest.raises(orgmem.BadRequest) as caught:
        store.batch([PutOp(("b",), "large", {"text": "x" * 70_000}), PutOp(("b",), "small", {"n": 1})])
    assert caught.value.code == "invalid_field"
    assert [item.key for item in store.search(("b",))] == ["small"]


def test_long_text_is_searchable_up_to_the_limit(client: Client) -> None:
    text = "needle " + "ü" * 31_000
    OrgmemStore(client).put(("l",), "k", {"text": text}, index=["text", "text"])
    assert [item.value["text"] for item in OrgmemStore(client, only_matches=True).search((), query="needle")] == [text]


def test_async_methods_work_without_an_async_client(store: OrgmemStore) -> None:
    async def steps() -> Any:
        await store.aput(("a",), "k", {"n": 1})
        return await store.aget(("a",), "k")

    assert asyncio.run(steps()).value == {"n": 1}


class State(TypedDict):
    user: str
    reply: str


def test_graph_remembers_across_runs(store: OrgmemStore) -> None:
    def reply(state: State, *, store: BaseStore) -> dict[str, str]:
        seen = store.get(("visits",), state["user"])
        count = 1 + (seen.value["count"] if seen else 0)
        store.put(("visits",), state["user"], {"count": count})
        return {"reply": f"visit {count}"}

    builder = StateGraph(State)
    builder.add_node("reply", reply)
    builder.add_edge(START, "reply")
    builder.add_edge("reply", END)
    graph = builder.compile(store=store)
    replies = [graph.invoke({"user": "ada", "reply": ""})["reply"] for _ in range(2)]
    assert replies == ["visit 1", "visit 2"]
