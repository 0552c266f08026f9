"""How an item of a LangGraph store is a memory, and LangGraph's filters over items. No I/O."""

from __future__ import annotations

import json
import math
import re
import uuid
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from langgraph.store.base import MatchCondition, PutOp, get_text_at_path, tokenize_path

from . import _calls
from . import types as t
from ._call import Call, Page

# the kind of a memory that is an item
KIND = "item"
# The server's limit for content, in bytes; a longer text is searchable up to here.
_CONTENT = 64 * 1024
# content without a word, for an item that no query finds
_NO_TEXT = "-"
# Labels that a tag can repeat as they are: no white space, which the server trims, and no long run of letters and
# digits, which could pass for a credential.
_PLAIN = re.compile(r"(?!.*[A-Za-z0-9]{16})[A-Za-z0-9_:@+-]{1,60}")

Namespace = tuple[str, ...]


@dataclass(frozen=True)
class Listing:
    """A request for namespaces."""

    call: Call[Page[t.MetadataValue]]
    # whether the server evaluates the conditions and cuts to the depth
    is_complete: bool


@dataclass(frozen=True)
class Mapping:
    """The mapping of one store."""

    workspace: str
    name: str
    scope: t.Scope
    fields: tuple[str, ...]

    def id(self, namespace: Namespace, key: str) -> str:
        """The id of an item follows from its place, so that a put is one upsert and a get is one read."""
        return str(uuid.uuid5(uuid.NAMESPACE_URL, json.dumps(["orgmem", self.workspace, self.name, namespace, key])))

    def draft(self, op: PutOp) -> t.CommitMemory:
        """The memory that stores this item."""
        assert op.value is not None
        draft: t.CommitMemory = {
            "id": self.id(op.namespace, op.key),
            "content": self._text(op),
            "scope": self.scope,
            "namespace": self.name,
            "kind": KIND,
            "tags": [tag(op.namespace[: depth + 1]) for depth in range(len(op.namespace))],
            "metadata": {"namespace": op.namespace, "key": op.key, "value": dict(op.value)},
        }
        if op.ttl is not None:
            draft["ttl_seconds"] = seconds(op.ttl)
            draft["metadata"] = {**(draft["metadata"] or {}), "ttl_minutes": op.ttl}
        return draft

    def named(self, ids: Iterable[str]) -> Call[Page[t.Memory]]:
        """The items with these ids, at most a page."""
        listed = ",".join(sorted(ids))
        return _calls.search_memories(None, author=self.workspace, namespace=self.name, kind=KIND, ids=listed, limit=50)

    def search(
        self, prefix: Namespace, query: str | None, limit: int, wanted: dict[str, Any] | None = None
    ) -> Call[Page[t.Memory]]:
        """The items below a namespace that pass a filter: each has a tag for every prefix of its namespace."""
        where: t.SearchMemoriesQuery = {"author": self.workspace, "namespace": self.name, "kind": KIND, "limit": limit}
        if prefix:
            where["tag"] = tag(prefix)
        condition = _condition(wanted) if wanted else None
        if condition is not None:
            where["metadata"] = condition
        return _calls.search_memories(query, **where)

    def namespaces(self, conditions: Sequence[MatchCondition], max_depth: int | None) -> Listing:
        """The namespaces of the items, cut to a depth, in pages."""
        paths = [_path(one) for one in conditions]
        where: t.ListMetadataValuesQuery = {"member": "namespace", "author": self.workspace, "namespace": self.name}
        where["kind"] = KIND
        where["metadata"] = json.dumps({"namespace": {"$and": paths}})
        fits = _fits(where["metadata"], paths)
        if not fits:
            del where["metadata"]
        elif max_depth is not None:
            where["depth"] = max_depth
        return Listing(_calls.list_metadata_values(**where), fits)

    def is_item(self, memory: t.ReadMemory) -> bool:
        """Whether this is an item, and not a tombstone or another memory."""
        return memory.get("kind") == KIND and memory.get("namespace") == self.name

    def item(self, memory: t.Memory) -> dict[str, Any]:
        """The arguments of LangGraph's `Item`."""
        return {
            "value": self.value(memory),
            "key": _metadata(memory)["key"],
            "namespace": self.namespace(memory),
            "created_at": _time(memory["created_at"]),
            "updated_at": _time(memory["updated_at"]),
        }

    def value(self, memory: t.Memory) -> dict[str, Any]:
        value: dict[str, Any] = _metadata(memory)["value"]
        return value

    def namespace(self, memory: t.Memory) -> Namespace:
        return tuple(_metadata(memory)["namespace"])

    def touch(self, memory: t.Memory) -> t.TouchMemory | None:
        """Restarts the time to live of this version of an item, if it has one."""
        minutes: float | None = _metadata(memory).get("ttl_minutes")
        if minutes is None:
            return None
        return {"id": memory["id"], "version": memory["version"], "ttl_seconds": seconds(minutes)}

    def _text(self, op: PutOp) -> str:
        """The text that a query matches."""
        if op.index is False:
            return _NO_TEXT
        paths = self.fields if op.index is None else op.index
        texts = [text for path in paths for text in _texts(op.value, path)]
        whole = "\n".join(text for text in texts if text.strip())
        return whole.encode()[:_CONTENT].decode(errors="ignore") or _NO_TEXT


def tag(prefix: Namespace) -> str:
    """The tag for a prefix of a namespace. LangGraph's labels contain no dot."""
    text = ".".join(prefix)
    if len(text) <= 200 and all(_PLAIN.fullmatch(label) for label in prefix):
        return text
    return str(uuid.uuid5(uuid.NAMESPACE_URL, json.dumps(prefix)))


def _texts(value: Any, path: str) -> list[str]:
    """The texts at a path; for `$` all leaves, without the names of the members."""
    if path != "$":
        return get_text_at_path(value, tokenize_path(path))
    if isinstance(value, dict):
        return [text for one in value.values() for text in _texts(one, "$")]
    if isinstance(value, list | tuple):
        return [text for one in value for text in _texts(one, "$")]
    return [] if value is None or isinstance(value, bool) else [str(value)]


def _metadata(memory: t.Memory) -> dict[str, Any]:
    return memory.get("metadata") or {}


def seconds(minutes: float) -> int:
    """Whole seconds, because the server counts those; never less than asked for."""
    return max(1, math.ceil(minutes * 60))


def _time(text: str) -> datetime:
    return datetime.fromisoformat(text.replace("Z", "+00:00"))


def has_path(namespace: Namespace, condition: MatchCondition) -> bool:
    """Whether a namespace begins or ends with a path, in which `*` is any label."""
    path = condition.path
    if len(namespace) < len(path):
        return False
    part = namespace[: len(path)] if condition.match_type == "prefix" else namespace[len(namespace) - len(path) :]
    return all(wanted in ("*", label) for label, wanted in zip(part, path, strict=True))


_OPPOSITES = {"$gt": "$lte", "$gte": "$lt", "$lt": "$gte", "$lte": "$gt"}
# the largest filter of a request; a larger one is evaluated here only
_MOST_CHARACTERS, _MOST_CONDITIONS, _MOST_LEVELS = 2000, 60, 10


def _condition(wanted: dict[str, Any]) -> str | None:
    """The server's filter on metadata, or `None` where it has none for this. `matches` decides in any case."""
    try:
        part = _part(wanted)
        text = json.dumps({"value": part}, allow_nan=False)
    except (TypeError, ValueError):
        return None
    return text if _fits(text, part) else None


def _fits(text: str, part: Any) -> bool:
    conditions, levels = _size(part)
    return len(text) <= _MOST_CHARACTERS and conditions <= _MOST_CONDITIONS and levels <= _MOST_LEVELS


def _path(condition: MatchCondition) -> dict[str, Any]:
    """The server's condition for a namespace that begins or ends with a path."""
    labels = [{"$and": []} if label == "*" else label for label in condition.path]
    return {"$starts" if condition.match_type == "prefix" else "$ends": labels}


def _size(part: Any) -> tuple[int, int]:
    """The number of values, and how deep they are nested."""
    inner = part.values() if isinstance(part, dict) else part if isinstance(part, list) else ()
    sizes = [_size(one) for one in inner]
    return 1 + sum(count for count, _ in sizes), 1 + max((levels for _, levels in sizes), default=0)


def _part(wanted: Any) -> Any:
    if isinstance(wanted, list | tuple):
        return [_part(one) for one in wanted]
    if not isinstance(wanted, dict):
        return wanted
    if not any(key.startswith("$") for key in wanted):
        return {key: _part(one) for key, one in wanted.items()}
    return {"$and": [_test(operator, operand) for operator, operand in wanted.items()]}


def _test(operator: str, operand: Any) -> dict[str, Any]:
    """A comparison becomes the opposite of its opposite, which also holds for values that cannot be compared: for those
    LangGraph raises an error."""
    if operator in _OPPOSITES:
        return {"$not": {_OPPOSITES[operator]: float(operand)}}
    if operator in ("$eq", "$ne"):
        return {operator: operand}
    raise ValueError(operator)


def matches(value: dict[str, Any], wanted: dict[str, Any] | None) -> bool:
    """Whether an item passes a filter, as `InMemoryStore` decides it."""
    return all(_equal(value.get(key), one) for key, one in (wanted or {}).items())


def _equal(value: Any, wanted: Any) -> bool:
    if isinstance(wanted, dict):
        if any(key.startswith("$") for key in wanted):
            return all(_compare(value, operator, operand) for operator, operand in wanted.items())
        return isinstance(value, dict) and all(_equal(value.get(key), one) for key, one in wanted.items())
    if isinstance(wanted, list | tuple):
        same_length = isinstance(value, list | tuple) and len(value) == len(wanted)
        return same_length and all(_equal(one, other) for one, other in zip(value, wanted, strict=True))
    return bool(value == wanted)


def _compare(value: Any, operator: str, operand: Any) -> bool:
    match operator:
        case "$eq":
            return bool(value == operand)
        case "$ne":
            return bool(value != operand)
        case "$gt":
            return float(value) > float(operand)
        case "$gte":
            return float(value) >= float(operand)
        case "$lt":
            return float(value) < float(operand)
        case "$lte":
            return float(value) <= float(operand)
    raise ValueError(f"Unsupported operator: {operator}")
