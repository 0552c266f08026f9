"""Lists the tools and does a round trip with the public Python client.

    round_trip.py <era> http  <url of /mcp> <token>
    round_trip.py <era> stdio <orgmem> <server url> <token>

The era is a protocol revision such as `2026-07-28`, `legacy` for the earlier ones with their handshake, or `auto` to let
the client find out. It commits a TEAM memory, finds it, receives the reason for the refusal of a GLOBAL one, calls
every tool, and prints the results as one JSON object.
"""

import asyncio
import json
import os
import sys

import httpx2
import mcp
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client

from tour import tour

EXPECTED = {
    "commit_memory", "search_memory", "recall_memory", "delete_memory", "forget_memory", "session_search",
    "memory_set", "memory_get", "memory_list", "memory_delete_kv", "edit_memory", "why_memory", "get_context",
    "start_run", "finish_run",
}


def text_of(result):
    return " ".join(part.text for part in result.content if getattr(part, "text", None))


def is_error(result):
    return bool(getattr(result, "is_error", getattr(result, "isError", False)))


def structured(result):
    return getattr(result, "structured_content", None) or getattr(result, "structuredContent", None)


async def round_trip(session):
    tools = (await session.list_tools()).tools
    names = {tool.name for tool in tools}
    assert EXPECTED <= names, f"tools are missing: {EXPECTED - names}"
    for tool in tools:
        schema = getattr(tool, "input_schema", None) or getattr(tool, "inputSchema", None)
        assert schema["type"] == "object", tool.name
        schema = getattr(tool, "output_schema", None) or getattr(tool, "outputSchema", None)
        assert schema["type"] == "object", tool.name
        assert tool.title, tool.name
        assert tool.annotations is not None, tool.name

    content = "the blue-green switch of the gateway happens at four in the morning"
    committed = await session.call_tool("commit_memory", {"content": content, "scope": "TEAM"})
    assert not is_error(committed), text_of(committed)
    memory_id = structured(committed)["id"]

    found = await session.call_tool("search_memory", {"query": "when does the gateway switch?"})
    assert not is_error(found), text_of(found)
    assert memory_id in [memory["id"] for memory in structured(found)["memories"]], text_of(found)

    edited = await session.call_tool("edit_memory", {"memory_id": memory_id, "kind": "Summary", "confidence": "0.8"})
    assert structured(edited)["version"] == 2, text_of(edited)
    why = await session.call_tool("why_memory", {"memory_id": memory_id, "query": "gateway"})
    assert structured(why)["cause"] == "found", text_of(why)
    context = await session.call_tool("get_context", {"query": "gateway"})
    assert content in structured(context)["block"], text_of(context)
    run_id = structured(await session.call_tool("start_run", {"label": "round trip", "session_id": ""}))["run_id"]
    pending = await session.call_tool("commit_memory", {"content": "not ready", "run_id": run_id, "scope": "local"})
    assert structured(pending)["pending"] is True, text_of(pending)
    finished = await session.call_tool("finish_run", {"run_id": run_id, "status": "failed"})
    assert structured(finished)["status"] == "failed", text_of(finished)

    refused = await session.call_tool("commit_memory", {"content": content, "scope": "GLOBAL"})
    assert is_error(refused), "an agent that is no root wrote GLOBAL"
    assert "only a root writes GLOBAL" in text_of(refused), text_of(refused)

    mistaken = await session.call_tool("commit_memory", {"content": content, "colour": "blue"})
    assert is_error(mistaken) and "colour" in text_of(mistaken), text_of(mistaken)

    put = await session.call_tool("memory_set", {"key": "task/current", "value": {"step": 1}})
    assert structured(put)["version"] >= 1, text_of(put)
    got = await session.call_tool("memory_get", {"key": "task/current"})
    assert structured(got)["value"] == {"step": 1}, text_of(got)

    happened = await session.call_tool("session_search", {"q": "gateway"})
    assert any(item["id"] == memory_id for item in structured(happened)["items"]), text_of(happened)

    deleted = await session.call_tool("delete_memory", {"memory_id": memory_id})
    assert not is_error(deleted), text_of(deleted)
    dropped = await session.call_tool("memory_delete_kv", {"key": "task/current"})
    assert not is_error(dropped), text_of(dropped)

    async def call(tool, arguments):
        result = await session.call_tool(tool, arguments)
        return structured(result), text_of(result), is_error(result)

    print(json.dumps({"tools": sorted(names), "called": await tour(call), "refusal": text_of(refused)}))


def transport(arguments):
    """The transport that the arguments ask for."""
    match arguments:
        case ["http", url, token]:
            return streamable_http_client(url, http_client=httpx2.AsyncClient(headers={"Authorization": f"Bearer {token}"}))
        case ["stdio", orgmem, url, token]:
            environment = {**os.environ, "ORGMEM_URL": url, "ORGMEM_TOKEN": token}
            return stdio_client(StdioServerParameters(command=orgmem, args=["mcp"], env=environment))
        case _:
            raise SystemExit(__doc__)


async def main(era, *arguments):
    async with mcp.Client(transport(list(arguments)), mode=era) as client:
        await round_trip(client)


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
