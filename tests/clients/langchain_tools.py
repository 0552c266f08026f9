"""Lists and calls every tool with `langchain-mcp-adapters`, as a LangChain agent does.

    langchain_tools.py http  <url of /mcp> <token>
    langchain_tools.py stdio <orgmem> <server url> <token>

Prints the results as one JSON object.
"""

import asyncio
import json
import os
import sys

from langchain_core.tools import ToolException
from langchain_mcp_adapters.client import MultiServerMCPClient
from langchain_mcp_adapters.tools import load_mcp_tools

from tour import tour


def connection(arguments):
    match arguments:
        case ["http", url, token]:
            return {"transport": "streamable_http", "url": url, "headers": {"Authorization": f"Bearer {token}"}}
        case ["stdio", orgmem, url, token]:
            environment = {**os.environ, "ORGMEM_URL": url, "ORGMEM_TOKEN": token}
            return {"transport": "stdio", "command": orgmem, "args": ["mcp"], "env": environment}
        case _:
            raise SystemExit(__doc__)


def text_of(content):
    if isinstance(content, str):
        return content
    return " ".join(part if isinstance(part, str) else part.get("text", "") for part in content)


async def main(*arguments):
    client = MultiServerMCPClient({"orgmem": connection(list(arguments))})
    async with client.session("orgmem") as session:
        tools = {tool.name: tool for tool in await load_mcp_tools(session)}
        for tool in tools.values():
            assert tool.description and tool.args is not None, tool.name
        refusal = ""

        async def call(name, args):
            nonlocal refusal
            try:
                message = await tools[name].ainvoke({"type": "tool_call", "id": "1", "name": name, "args": args})
            except ToolException as error:
                refusal = str(error)
                return None, str(error), True
            text = text_of(message.content)
            if message.status == "error":
                refusal = text
                return None, text, True
            artifact = message.artifact or {}
            return artifact.get("structured_content"), text, False

        called = await tour(call)
    print(json.dumps({"tools": sorted(tools), "called": called, "refusal": refusal}))


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
