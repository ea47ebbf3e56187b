"""The two clients: one for programs with threads, one for programs with asyncio."""

import os
from pathlib import Path
from typing import Any, Self

import httpx2

from smallville.flows import Async, Sync
from smallville.simulations import Service

ADDRESS = "http://127.0.0.1:8000"
SECONDS_MAX = 120.0
"""The service answers before that, or says on its streams that it is there."""


class Client(Service[Sync]):
    """The service as its users see it; each method waits for the answer.

    :param address: as in http://127.0.0.1:8000; else SMALLVILLE_ADDRESS, or the service that
        `make run` has started in this folder.
    :param token: else SMALLVILLE_TOKEN, or that of this service.
    :param more: arguments of `httpx2.Client`.
    """

    def __init__(self, address: str = "", token: str = "", **more: Any) -> None:
        super().__init__(Sync(httpx2.Client(**_settings(address, token, more))))

    def close(self) -> None:
        """Close all connections."""
        self.mode.http.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()


class AsyncClient(Service[Async]):
    """The same for asyncio: what is a call of `Client` is awaited, `for` is `async for`."""

    def __init__(self, address: str = "", token: str = "", **more: Any) -> None:
        super().__init__(Async(httpx2.AsyncClient(**_settings(address, token, more))))

    async def close(self) -> None:
        """Close all connections."""
        await self.mode.http.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_error: object) -> None:
        await self.close()


def _settings(address: str, token: str, more: dict[str, Any]) -> dict[str, Any]:
    address = address or _found("ADDRESS") or ADDRESS
    token = token or _found("TOKEN")
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    return {
        "base_url": address.rstrip("/").removesuffix("/api/v1"),
        "timeout": SECONDS_MAX,
        **more,
        "headers": {**headers, **more.get("headers", {})},
    }


def _found(name: str) -> str:
    """Return a variable of the environment, or what `make run` has written in this folder."""
    file = Path(os.environ.get("SMALLVILLE_HOME", ".smallville")) / name.lower()
    return os.environ.get(f"SMALLVILLE_{name}") or (
        file.read_text("utf-8").strip() if file.is_file() else ""
    )
