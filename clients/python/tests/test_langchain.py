"""The tools, called as an agent's runtime calls them."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from typing import Any

import pytest
from langchain_core.messages import ToolCall, ToolMessage
from langchain_core.tools import BaseTool
from support import Server

from orgmem import AsyncClient, Client
from orgmem.langchain import memory_tools


@pytest.fixture
def client(server: Server) -> Iterator[Client]:
    with Client(server.url, server.agent_token("child", server.new_root())) as client:
        yield client


def invoke(tool: BaseTool, **arguments: Any) -> ToolMessage:
    message = tool.invoke(ToolCall(type="tool_call", id="1", name=tool.name, args=arguments))
    assert isinstance(message, ToolMessage)
    return message


def test_committed_memory_is_found_with_the_arguments_that_models_send(client: Client) -> None:
    commit, search = memory_tools(client)
    committed = json.loads(
        str(invoke(commit, content="deploys are on Tuesday", scope="team", kind="", tags=["d"]).content)
    )
    assert committed["scope"] == "TEAM"
    message = invoke(search, query="when do we deploy?", scope="", limit="5", tag=" ")
    assert [row["content"] for row in json.loads(str(message.content))] == ["deploys are on Tuesday"]
    assert message.artifact[0]["id"] == committed["id"]
    assert invoke(search, query="zebra").content == "no memories found"
    assert json.loads(str(invoke(commit, content="by default").content))["scope"] == "LOCAL"


def test_refusal_is_a_result_with_its_reason(client: Client) -> None:
    message = invoke(memory_tools(client)[0], content="for everyone", scope="GLOBAL")
    assert message.status == "error"
    assert "only a root writes GLOBAL" in message.content


def test_replaced_credential_is_reported(client: Client) -> None:
    message = invoke(memory_tools(client)[0], content="the key is AKIAIOSFODNN7EXAMPLE")
    assert json.loads(str(message.content))["redacted"]


@pytest.mark.parametrize("native", [True, False])
def test_async_calls_do_the_same(server: Server, native: bool) -> None:
    token = server.agent_token()

    async def steps() -> None:
        async with AsyncClient(server.url, token) as async_client:
            commit, search = memory_tools(blocking, async_client=async_client if native else None)
            await commit.ainvoke({"content": "an asynchronous fact"})
            assert "an asynchronous fact" in await search.ainvoke({"query": "fact"})
            assert "only a root" not in await commit.ainvoke({"content": "x", "scope": "GLOBAL"})
            assert "`content`" in await commit.ainvoke({"content": " "})

    with Client(server.url, token) as blocking:
        asyncio.run(steps())
