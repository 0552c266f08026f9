"""LangGraph's store interface, with the same tests for LangGraph's own store and for ours.

Two properties of `InMemoryStore` are its own, and not tested: a namespace without items stays in its lists, and a `get`
adds one. LangGraph defines no order of a search without a query, so the tests compare sets.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from langgraph.store.base import (
    BaseStore,
    GetOp,
    InvalidNamespaceError,
    Item,
    ListNamespacesOp,
    MatchCondition,
    PutOp,
    SearchOp,
)
from langgraph.store.memory import InMemoryStore
from support import Server

from orgmem import AsyncClient, Client
from orgmem.langgraph import OrgmemStore

Run = Callable[[Any], Any]
KINDS = ["InMemoryStore", "OrgmemStore"]


def open_store(kind: str, server: Server) -> BaseStore:
    if kind == "InMemoryStore":
        return InMemoryStore()
    token = server.agent_token()
    clients = {"client": Client(server.url, token), "async_client": AsyncClient(server.url, token)}
    return OrgmemStore(**clients)  # type: ignore[arg-type]


def close_store(store: BaseStore, run: Run) -> None:
    if isinstance(store, OrgmemStore):
        store._client.close()
        assert store._async is not None
        run(store._async.close())


@pytest.fixture
def run() -> Iterator[Run]:
    loop = asyncio.new_event_loop()
    yield loop.run_until_complete
    loop.close()


@pytest.fixture(params=KINDS)
def store(request: pytest.FixtureRequest, server: Server, run: Run) -> Iterator[BaseStore]:
    store = open_store(request.param, server)
    yield store
    close_store(store, run)


def places(items: list[Any]) -> set[tuple[tuple[str, ...], str]]:
    found = {(item.namespace, item.key) for item in items}
    assert len(found) == len(items), "an item occurs twice"
    return found


def fill(store: BaseStore, *rows: tuple[tuple[str, ...], str, dict[str, Any]]) -> None:
    store.batch([PutOp(namespace, key, value) for namespace, key, value in rows])


def test_item_is_read_back_as_it_was_put(store: BaseStore) -> None:
    value = {
        "text": 'line\nbreak "quoted" ü \u2028 \U0001f600',
        "empty": "",
        "numbers": [0, -1, 1.5, 1e300, 2**63 - 1],
        "nested": {"list": [[], {}, None, True], "none": None},
    }
    store.put(("users", "ada"), "prefs", value)
    item = store.get(("users", "ada"), "prefs")
    assert isinstance(item, Item)
    assert (item.namespace, item.key, item.value) == (("users", "ada"), "prefs", value)
    assert item.created_at.tzinfo is not None
    assert item.created_at <= item.updated_at


def test_absent_item_is_none(store: BaseStore) -> None:
    store.put(("users", "ada"), "prefs", {"a": 1})
    assert store.get(("users", "ada"), "other") is None
    assert store.get(("users",), "prefs") is None
    assert store.get(("users", "ada", "prefs"), "prefs") is None


def test_second_put_replaces_the_whole_value(store: BaseStore) -> None:
    store.put(("a",), "k", {"x": 1, "y": 2})
    first = store.get(("a",), "k")
    store.put(("a",), "k", {"x": 3})
    second = store.get(("a",), "k")
    assert first is not None
    assert second is not None
    assert second.value == {"x": 3}
    assert second.updated_at > first.updated_at
    assert len(store.search(("a",))) == 1


def test_deleted_item_is_absent_until_it_is_put_again(store: BaseStore) -> None:
    store.put(("a",), "k", {"x": 1})
    store.delete(("a",), "k")
    store.delete(("a",), "k")
    assert store.get(("a",), "k") is None
    assert store.search(("a",)) == []
    store.put(("a",), "k", {"x": 2})
    assert store.get(("a",), "k").value == {"x": 2}  # type: ignore[union-attr]


KEYS = ["plain", "with space", " padded ", "a/b", "..", "ü", "x.y", "line\nbreak", "MiXeD", "mixed", "k" * 300]


def test_keys_and_labels_are_exact(store: BaseStore) -> None:
    for key in KEYS:
        label = key.replace(".", "·")
        fill(store, ((label,), key, {"n": 1}), ((label, label), key, {"n": 2}), ((label + " ",), key, {"n": 3}))
        assert store.get((label,), key).value == {"n": 1}, key  # type: ignore[union-attr]
        assert store.get((label, label), key).value == {"n": 2}, key  # type: ignore[union-attr]
        assert places(store.search((label,))) == {((label,), key), ((label, label), key)}
        assert store.list_namespaces(prefix=(label,)) == [(label,), (label, label)]


def test_prefix_is_one_of_labels_and_not_of_characters(store: BaseStore) -> None:
    fill(store, (("ab",), "1", {}), (("a",), "2", {}), (("a", "b"), "3", {}), (("b", "a"), "4", {}))
    assert places(store.search(("a",))) == {(("a",), "2"), (("a", "b"), "3")}
    assert len(store.search(())) == 4


FILTERED: list[tuple[dict[str, Any], set[str]]] = [
    ({"status": "open"}, {"1", "3"}),
    ({"status": "open", "rank": 1}, {"1"}),
    ({"status": {"$eq": "done"}}, {"2"}),
    ({"status": {"$ne": "open"}}, {"2", "4"}),
    ({"rank": {"$gt": 1}}, {"2", "3", "4"}),
    ({"rank": {"$gte": 2, "$lt": 4}}, {"2", "3"}),
    ({"rank": {"$lte": 1.5}}, {"1"}),
    ({"rank": {"$gt": "2"}}, {"3", "4"}),
    ({"owner": {"name": "ada"}}, {"1"}),
    ({"owner": {"name": {"$ne": "ada"}}}, {"2"}),
    ({"tags": ["x", "y"]}, {"3"}),
    ({"absent": None}, {"1", "2", "3", "4"}),
    ({}, {"1", "2", "3", "4"}),
]


def test_filter_selects_by_value(store: BaseStore) -> None:
    fill(
        store,
        (("t",), "1", {"status": "open", "rank": 1, "owner": {"name": "ada", "age": 3}}),
        (("t",), "2", {"status": "done", "rank": 2, "owner": {"name": "bob"}}),
        (("t", "u"), "3", {"status": "open", "rank": 3, "tags": ["x", "y"]}),
        (("t", "u"), "4", {"rank": 4.5, "tags": ["x"]}),
    )
    for wanted, keys in FILTERED:
        assert {item.key for item in store.search(("t",), filter=wanted)} == keys, wanted


def test_unknown_operator_and_comparison_of_text_are_refused(store: BaseStore) -> None:
    store.put(("t",), "1", {"status": "open"})
    with pytest.raises(ValueError, match="Unsupported operator"):
        store.search(("t",), filter={"status": {"$like": "o"}})
    with pytest.raises(ValueError, match="could not convert"):
        store.search(("t",), filter={"status": {"$gt": 1}})


def test_pages_of_a_search_cover_it_once(store: BaseStore) -> None:
    fill(store, *((("p", str(n % 3)), str(n), {"even": n % 2 == 0}) for n in range(120)))
    for wanted, count in ((None, 120), ({"even": True}, 60)):
        pages = [store.search(("p",), filter=wanted, limit=50, offset=offset) for offset in range(0, 150, 50)]
        assert [len(page) for page in pages] == [min(50, max(0, count - 50 * n)) for n in range(3)]
        assert len(places([item for page in pages for item in page])) == count
    assert len(store.search(("p",))) == 10
    assert store.search(("p",), limit=0) == []


def test_query_without_an_index_leaves_no_item_out(store: BaseStore) -> None:
    fill(store, (("q",), "1", {"text": "deploys are on Tuesday"}), (("q",), "2", {"text": "pizza"}))
    assert {item.key for item in store.search(("q",), query="deploy")} == {"1", "2"}


TREE = [("a", "b", "c"), ("a", "b", "d", "e"), ("a", "b", "d", "i"), ("a", "b", "f"), ("a", "c", "f"), ("z",)]
LISTED: list[tuple[dict[str, Any], list[tuple[str, ...]]]] = [
    ({}, TREE),
    ({"prefix": ("a", "b"), "max_depth": 3}, [("a", "b", "c"), ("a", "b", "d"), ("a", "b", "f")]),
    ({"suffix": ("f",)}, [("a", "b", "f"), ("a", "c", "f")]),
    ({"prefix": ("a", "*", "f")}, [("a", "b", "f"), ("a", "c", "f")]),
    ({"suffix": ("d", "*")}, [("a", "b", "d", "e"), ("a", "b", "d", "i")]),
    ({"prefix": ("a",), "suffix": ("i",)}, [("a", "b", "d", "i")]),
    ({"prefix": ("a", "b", "c", "d", "e")}, []),
    ({"max_depth": 1}, [("a",), ("z",)]),
    ({"limit": 2, "offset": 1}, [("a", "b", "d", "e"), ("a", "b", "d", "i")]),
    ({"offset": 9}, []),
]


def test_namespaces_are_listed(store: BaseStore) -> None:
    fill(store, *((name, "k", {"n": 1}) for name in TREE))
    for how, names in LISTED:
        assert store.list_namespaces(**how) == names, how


@pytest.mark.parametrize("namespace", [("a.b",), ("",), (), ("langgraph", "x"), (1,), ("a\x00",)])
def test_bad_namespace_is_refused(store: BaseStore, namespace: Any) -> None:
    with pytest.raises(InvalidNamespaceError):
        store.put(namespace, "k", {"a": 1})


def test_batch_reads_before_it_writes_and_the_last_write_counts(store: BaseStore) -> None:
    store.put(("b",), "1", {"n": 1})
    results = store.batch(
        [
            PutOp(("b",), "1", {"n": 2}),
            GetOp(("b",), "1"),
            PutOp(("b",), "2", {"n": 0}),
            PutOp(("b",), "2", {"n": 9}),
            SearchOp(("b",), None, 10, 0),
            PutOp(("c",), "gone", {"n": 1}),
            PutOp(("c",), "gone", None),
            ListNamespacesOp((MatchCondition("prefix", ("b",)),), None, 10, 0),
        ]
    )
    assert [results[0], results[2], results[3], results[5], results[6]] == [None] * 5
    assert results[1].value == {"n": 1}  # type: ignore[union-attr]
    assert [item.value for item in results[4]] == [{"n": 1}]  # type: ignore[union-attr]
    assert results[7] == [("b",)]
    assert store.get(("b",), "1").value == {"n": 2}  # type: ignore[union-attr]
    assert store.get(("b",), "2").value == {"n": 9}  # type: ignore[union-attr]
    assert store.get(("c",), "gone") is None
    assert store.batch([]) == []
    with pytest.raises(ValueError, match="Unknown operation"):
        store.batch(["get"])  # type: ignore[list-item]


def test_large_batch_stores_every_item(store: BaseStore) -> None:
    fill(store, *((("many",), str(n), {"n": n}) for n in range(1001)))
    results = store.batch([GetOp(("many",), str(n)) for n in (0, 499, 500, 1000)])
    assert [item.value["n"] for item in results] == [0, 499, 500, 1000]  # type: ignore[union-attr]


def test_async_methods_do_the_same(store: BaseStore, run: Run) -> None:
    async def steps() -> None:
        await store.aput(("users", "ada"), "1", {"food": "pizza"})
        await store.aput(("users", "bob"), "1", {"food": "sushi"})
        item = await store.aget(("users", "ada"), "1")
        assert item is not None
        assert item.value == {"food": "pizza"}
        assert places(await store.asearch(("users",), filter={"food": "sushi"})) == {(("users", "bob"), "1")}
        assert await store.alist_namespaces(suffix=("bob",)) == [("users", "bob")]
        await store.adelete(("users", "ada"), "1")
        results = await store.abatch([GetOp(("users", "ada"), "1"), GetOp(("users", "bob"), "1")])
        assert [result is None for result in results] == [True, False]

    run(steps())


@pytest.mark.parametrize("seed", range(5))
def test_random_history_leaves_the_same_store(server: Server, run: Run, seed: int) -> None:
    """Both stores take the same random operations, one by one or in batches, and give the same answers."""
    choose = random.Random(seed)
    labels = ["a", "b", "a b", "ü"]
    namespaces = [tuple(choose.choices(labels, k=choose.randint(1, 4))) for _ in range(6)]
    ours, theirs = open_store("OrgmemStore", server), InMemoryStore()

    def put() -> PutOp:
        value = None if choose.random() < 0.3 else {"n": choose.randint(0, 5), "tag": choose.choice(["x", "y", None])}
        return PutOp(choose.choice(namespaces), choose.choice("123"), value)

    def search() -> SearchOp:
        wanted = choose.choice([None, {"n": {"$gte": 3}}, {"tag": "x"}, {"n": {"$ne": 2}, "tag": {"$eq": None}}])
        prefix = choose.choice(namespaces)
        return SearchOp(prefix[: choose.randint(0, len(prefix))], wanted, 1000, 0, choose.choice([None, "x", "3"]))

    for _ in range(12):
        writes = [put() for _ in range(choose.randint(1, 6))]
        ours.batch(writes)
        theirs.batch(writes)
        reads = [search() for _ in range(3)]
        for mine, other in zip(ours.batch(reads), run(theirs.abatch(reads)), strict=True):
            expected = {(item.namespace, item.key): item.value for item in other}
            assert {(item.namespace, item.key): item.value for item in mine} == expected  # type: ignore[union-attr]
        alive = sorted({item.namespace for item in theirs.search((), limit=1000)})
        assert ours.list_namespaces(limit=1000) == alive
        assert ours.list_namespaces(max_depth=2, limit=1000) == sorted({name[:2] for name in alive})
    close_store(ours, run)
