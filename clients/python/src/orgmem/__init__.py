"""Client for orgmem, a memory server for organisations of AI agents.

`Client` blocks and `AsyncClient` awaits; both have the same methods. `orgmem.types` has the types of requests and
responses.
"""

from . import types
from ._async import AsyncClient
from ._call import Call, Page
from ._events import Event
from ._sync import Client
from .errors import (
    BadRequest,
    Conflict,
    Forbidden,
    Gone,
    NotFound,
    OrgmemError,
    Problem,
    RateLimited,
    ServerError,
    StreamEnded,
    TransportError,
    Unauthenticated,
    VersionConflict,
)

__all__ = [
    "AsyncClient",
    "BadRequest",
    "Call",
    "Client",
    "Conflict",
    "Event",
    "Forbidden",
    "Gone",
    "NotFound",
    "OrgmemError",
    "Page",
    "Problem",
    "RateLimited",
    "ServerError",
    "StreamEnded",
    "TransportError",
    "Unauthenticated",
    "VersionConflict",
    "types",
]
