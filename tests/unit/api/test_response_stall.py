"""A client that reads a large response slowly is served; one that stops reading is cut off."""

import asyncio
import socket
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from django.conf import settings
from uvicorn import Config
from uvicorn.server import ServerState

from apps.api.server.protocol import BoundedProtocol

BODY_BYTES = 2_000_000
"""Several times what a socket holds."""
READ_BYTES = 1_000_000
"""Whatever a socket holds: it takes more only when most of that is read."""
TURNS_OF_THE_LOOP = 20


class HurriedLoop(asyncio.SelectorEventLoop):
    """An event loop whose clock can be put forward."""

    ahead_seconds = 0.0

    def time(self) -> float:
        return super().time() + self.ahead_seconds

    async def pass_seconds(self, seconds: float) -> None:
        """Let what is due within the time happen."""
        self.ahead_seconds += seconds
        for _ in range(TURNS_OF_THE_LOOP):
            await asyncio.sleep(0)


async def answer_much(
    _scope: Any, _receive: Any, send: Callable[[dict[str, Any]], Awaitable[None]]
) -> None:
    """Answer with a body that is written at once."""
    length = (b"content-length", str(BODY_BYTES).encode())
    await send({"type": "http.response.start", "status": 200, "headers": [length]})
    await send({"type": "http.response.body", "body": b"x" * BODY_BYTES})


async def bytes_read(*, reads_on: bool) -> int:
    """Return how much of the response a client gets that is never quick to read."""
    loop = asyncio.get_running_loop()
    assert isinstance(loop, HurriedLoop)
    config = Config(answer_much, lifespan="off", ws="none", log_config=None, access_log=False)
    config.load()
    ours, theirs = socket.socketpair()
    with ours, theirs:
        ours.setblocking(False)
        await loop.connect_accepted_socket(
            lambda: BoundedProtocol(config=config, server_state=ServerState(), app_state={}),
            theirs,
        )
        await loop.sock_sendall(ours, b"GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
        read = 0
        try:
            while part := await loop.sock_recv(ours, READ_BYTES):
                read += len(part)
                await loop.pass_seconds(0.6 * settings.RESPONSE_STALL_SECONDS)
                if not reads_on:
                    await loop.pass_seconds(1.2 * settings.RESPONSE_STALL_SECONDS)
        except ConnectionError:
            pass  # it was cut off
    return read


class TestResponse:
    @pytest.mark.parametrize(("reads_on", "is_whole"), [(True, True), (False, False)])
    def test_is_cut_off_if_nothing_is_read_for_too_long(
        self, reads_on: bool, is_whole: bool
    ) -> None:
        with asyncio.Runner(loop_factory=HurriedLoop) as runner:
            read = runner.run(bytes_read(reads_on=reads_on))
        assert (read > BODY_BYTES) == is_whole
