"""The package against the description of the server: it leaves out nothing by accident, and its types do not drift."""

from __future__ import annotations

import inspect
import os
import re
from typing import Any

import generate_types
import httpx
import pytest
from support import Server

from orgmem import AsyncClient, Client, _calls


@pytest.fixture(scope="module")
def description(server: Server) -> dict[str, Any]:
    found: dict[str, Any] = httpx.get(f"{server.url}/openapi.json").json()
    return found


def builders() -> set[str]:
    return {
        name
        for name, one in inspect.getmembers(_calls, inspect.isfunction)
        if one.__module__ == _calls.__name__ and not name.startswith("_")
    }


def test_types_equal_the_description_of_the_server(description: dict[str, Any]) -> None:
    text = generate_types.generated(description)
    if os.environ.get("ORGMEM_REVIEW"):
        generate_types.TYPES.write_text(text)
    assert generate_types.TYPES.read_text() == text, "run the tests with ORGMEM_REVIEW=1 and review the difference"


def test_every_operation_is_a_method_or_left_out_on_purpose(description: dict[str, Any]) -> None:
    paths = description["paths"].values()
    operations = {operation["operationId"] for path in paths for operation in path.values()}
    left_out = generate_types.left_out()
    covered = {name for name in builders() if not name.startswith("preview_")}
    # a method of its own, and a page of `read_run`
    covered = covered - {"list_pending"} | {"watch_events"}
    assert covered & left_out == set()
    assert operations - left_out == covered, "add a function to _calls.py, or a line to clients/not-covered.txt"


def test_both_clients_have_every_call() -> None:
    for client in (Client, AsyncClient):
        for name in builders():
            assert getattr(client, name).__wrapped__ is getattr(_calls, name), f"{client.__name__}.{name}"
            if "Page[" in str(inspect.signature(getattr(_calls, name)).return_annotation):
                rows = "iter_" + re.sub(r"^[a-z]+_", "", name)
                assert getattr(client, rows).__wrapped__ is getattr(_calls, name), f"{client.__name__}.{rows}"


def test_every_call_is_documented() -> None:
    assert [name for name in builders() if not getattr(_calls, name).__doc__] == []
