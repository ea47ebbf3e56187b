"""The client of Smallville, a service for towns of generative agents.

`Client` and `AsyncClient` have all operations of the service, and `simulation` for the rest.
"""

from smallville import types
from smallville.client import AsyncClient, Client
from smallville.errors import (
    Conflict,
    Invalid,
    NotAllowed,
    NotFound,
    Refused,
    SmallvilleError,
    TookTooLong,
    Unreachable,
    WorkStopped,
)
from smallville.exchange import Message, Rows, Stream
from smallville.records import Record
from smallville.simulations import (
    Agent,
    Simulation,
    departure,
    object_state,
    observation,
    voice,
)

__all__ = [
    "Agent",
    "AsyncClient",
    "Client",
    "Conflict",
    "Invalid",
    "Message",
    "NotAllowed",
    "NotFound",
    "Record",
    "Refused",
    "Rows",
    "Simulation",
    "SmallvilleError",
    "Stream",
    "TookTooLong",
    "Unreachable",
    "WorkStopped",
    "departure",
    "object_state",
    "observation",
    "types",
    "voice",
]
