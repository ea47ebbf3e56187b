"""Many clients of the live stream in one loop, and the reads of others beside them."""

import asyncio
import json
import random
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from urllib.parse import urlencode

import httpx2

HOST = "127.0.0.1"
LINE_BYTES_MAX = 2**24


@dataclass
class Client:
    """A client of the stream; it hangs up now and then, and comes back with its last id."""

    port: int
    token: str
    path: str
    query: dict[str, str]
    away_every_seconds: float = 0.0
    last_id: str = ""
    ids: list[str] = field(default_factory=list)
    heard_at: list[float] = field(default_factory=list)
    opened: int = 0
    ends: list[str] = field(default_factory=list)

    async def follow(self, over: asyncio.Event) -> None:
        """Follow until it is over."""
        while not over.is_set():
            await self._once(over)

    async def _once(self, over: asyncio.Event) -> None:
        reader, writer = await asyncio.open_connection(HOST, self.port, limit=LINE_BYTES_MAX)
        resumed = f"Last-Event-ID: {self.last_id}\r\n" if self.last_id else ""
        writer.write(
            f"GET {self.path}?{urlencode(self.query)} HTTP/1.1\r\nHost: localhost\r\n"
            f"Authorization: Bearer {self.token}\r\n{resumed}\r\n".encode()
        )
        self.opened += 1
        leaves_at = time.monotonic() + self.away_every_seconds
        try:
            while not over.is_set():
                try:
                    line = await asyncio.wait_for(reader.readline(), 1.0)
                except TimeoutError:
                    continue
                if not line:
                    return
                self._take(line)
                if self.away_every_seconds and time.monotonic() > leaves_at:
                    return
        finally:
            writer.close()

    def _take(self, line: bytes) -> None:
        # Lines that frame chunks are no fields of a block, and are passed over.
        if line.startswith(b"id: "):
            self.last_id = line[4:].decode().strip()
        elif line.startswith(b'data: {"id":"'):
            self.ids.append(self.last_id)
            self.heard_at.append(time.time())
        elif line.startswith(b'data: {"code"'):
            self.ends.append(json.loads(line[6:])["code"])


@dataclass
class Reads:
    """How long reads took, in milliseconds, and how many had another status than 200."""

    milliseconds: list[float] = field(default_factory=list)
    refused: int = 0


async def read_on(
    port: int, token: str, paths: Sequence[str], *, a_second: float, over: asyncio.Event
) -> Reads:
    """Ask for the paths in turn, so many a second, whether or not answers keep up."""
    found = Reads()
    chance = random.Random(7)
    headers = {"Authorization": f"Bearer {token}"}
    waiting: set[asyncio.Task[None]] = set()
    limits = httpx2.Limits(max_connections=100)
    async with httpx2.AsyncClient(headers=headers, limits=limits, timeout=30) as http:

        async def ask(path: str) -> None:
            begun = time.monotonic()
            response = await http.get(f"http://{HOST}:{port}{path}")
            found.milliseconds.append((time.monotonic() - begun) * 1_000)
            found.refused += response.status_code != 200

        while not over.is_set() and a_second:
            task = asyncio.create_task(ask(chance.choice(paths)))
            waiting.add(task)
            task.add_done_callback(waiting.discard)
            await asyncio.sleep(1 / a_second)
        await asyncio.gather(*waiting)
    return found
