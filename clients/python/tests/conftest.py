from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Iterator
from typing import Any, cast

import pytest
from support import PACKAGE, Blocking, Server

from orgmem import AsyncClient, Client

sys.path.append(str(PACKAGE / "scripts"))

Connect = Callable[..., Client]


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    server = Server()
    yield server
    server.stop()


@pytest.fixture(params=["blocking", "async"])
def connect(request: pytest.FixtureRequest) -> Iterator[Connect]:
    """Makes clients: of each kind in turn, with the same methods."""
    closers: list[Callable[[], Any]] = []
    loop = asyncio.new_event_loop()

    def make(*args: Any, **settings: Any) -> Client:
        if request.param == "blocking":
            client = Client(*args, **settings)
            closers.append(client.close)
            return client
        wrapped = cast(Client, Blocking(AsyncClient(*args, **settings), loop))
        closers.append(wrapped.close)
        return wrapped

    yield make
    for close in closers:
        close()
    # as `asyncio.run` does
    loop.run_until_complete(loop.shutdown_asyncgens())
    for task in asyncio.all_tasks(loop):
        loop.run_until_complete(task)
    loop.close()


@pytest.fixture
def admin(connect: Connect, server: Server) -> Client:
    return connect(server.url, server.admin_token)


@pytest.fixture
def agent(connect: Connect, server: Server) -> Client:
    """The agent of a new org."""
    return connect(server.url, server.agent_token())
