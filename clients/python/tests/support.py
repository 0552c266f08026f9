"""A real server for the tests, and the asynchronous client in the clothes of the blocking one."""

from __future__ import annotations

import asyncio
import inspect
import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from orgmem import AsyncClient, Client

PACKAGE = Path(__file__).resolve().parent.parent
REPOSITORY = PACKAGE.parent.parent
TARGET = Path(os.environ.get("CARGO_TARGET_DIR", REPOSITORY / "target"))
PROGRAM = Path(os.environ.get("ORGMEM_TEST_PROGRAM", TARGET / "debug" / "orgmem-under-test"))


class Server:
    """`orgmem serve` with a data folder of its own, on a free port."""

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="orgmem-python-"))
        self.env = {
            "ORGMEM_DATA_DIR": str(self.folder),
            "ORGMEM_LISTEN": "127.0.0.1:0",
            "ORGMEM_LOG": "warn",
            "ORGMEM_LIMITS_REQUEST_TIMEOUT_SECONDS": "120",
            "HOME": str(self.folder),
            "PATH": "/usr/bin:/bin",
        }
        self.process = subprocess.Popen([str(PROGRAM), "serve"], env=self.env, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        self.url = ""
        for line in self.process.stdout:
            if " listens on " in line:
                self.url = line.split()[-1]
            if line.strip().startswith("admin token"):
                break
        assert self.url, "the server did not start"
        self._admin = Client(self.url, self.admin_token)

    @property
    def admin_token(self) -> str:
        return (self.folder / "admin.token").read_text().strip()

    def new_root(self) -> str:
        """A new root."""
        return self._admin.create_workspace("root")["id"]

    def agent_token(self, name: str = "agent", parent_id: str | None = None) -> str:
        """The token of a new workspace, a root unless a parent is given."""
        workspace = self._admin.create_workspace(name, parent_id=parent_id)
        return self._admin.at(workspace["id"]).issue_token("agent")["token"]

    def stop(self) -> None:
        self._admin.close()
        self.process.kill()
        self.process.wait()
        assert self.process.stdout is not None
        self.process.stdout.close()
        shutil.rmtree(self.folder, ignore_errors=True)


class Blocking:
    """An `AsyncClient` whose methods block, so that every test of `Client` is a test of `AsyncClient` too."""

    def __init__(self, client: AsyncClient, loop: asyncio.AbstractEventLoop) -> None:
        self._client = client
        self._loop = loop

    def __getattr__(self, name: str) -> Any:
        return self._blocking(getattr(self._client, name))

    def _blocking(self, method: Callable[..., Any]) -> Callable[..., Any]:
        def call(*args: Any, **fields: Any) -> Any:
            result = method(*args, **fields)
            if isinstance(result, AsyncClient):
                return Blocking(result, self._loop)
            if inspect.isasyncgen(result):
                return self._rows(result)
            return self._loop.run_until_complete(result)

        return call

    def _rows(self, rows: Any) -> Any:
        try:
            while True:
                yield self._loop.run_until_complete(rows.__anext__())
        except StopAsyncIteration:
            return
        finally:
            self._loop.run_until_complete(rows.aclose())
