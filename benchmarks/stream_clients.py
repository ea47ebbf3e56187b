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

    async def follow(self) -> None:
        """Follow until cancelled."""
        while True:
            await self._once()

    async def _once(self) -> None:
        reader, writer = await asyncio.open_connection(HOST, self.port)
        resumed = f"Last-Event-ID: {self.last_id}\r\n" if self.last_id else ""
        writer.write(
            f"GET {self.path}?{urlencode(self.query)} HTTP/1.1\r\nHost: localhost\r\n"
            f"Authorization: Bearer {self.token}\r\n{resumed}\r\n".encode()
        )
        self.opened += 1
        try:
            async with asyncio.timeout(self.away_every_seconds or None):
                await self._read(reader)
        except TimeoutError:
            return  # it hangs up, and comes back
        finally:
            writer.close()

    async def _read(self, reader: asyncio.StreamReader) -> None:
        """Take block after block; a chunk of HTTP may end anywhere in one."""
        await reader.readuntil(b"\r\n\r\n")
        begun = b""
        while size := int(await reader.readline(), 16):
            chunk = await reader.readexactly(size + len(b"\r\n"))
            *blocks, begun = (begun + chunk[:-2]).split(b"\n\n")
            for block in blocks:
                self._take(block)

    def _take(self, block: bytes) -> None:
        first, _, data = block.partition(b"\n")
        if not first.startswith(b"id: "):
            return  # how long to wait before coming back, or a heartbeat
        self.last_id = first[4:].decode()
        if data.startswith(b"data: "):
            self.ids.append(self.last_id)
            self.heard_at.append(time.time())
        elif data.startswith(b"event: end\n"):
            self.ends.append(json.loads(data.partition(b"data: ")[2])["code"])


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
    asked: list[asyncio.Task[None]] = []
    # Servers hang up on who asks nothing for a while: better be the first.
    limits = httpx2.Limits(max_connections=100, keepalive_expiry=2)
    async with httpx2.AsyncClient(headers=headers, limits=limits, timeout=60) as http:

        async def ask(path: str) -> None:
            begun = time.monotonic()
            response = await http.get(f"http://{HOST}:{port}{path}")
            found.milliseconds.append((time.monotonic() - begun) * 1_000)
            found.refused += response.status_code != 200

        while not over.is_set() and a_second:
            asked.append(asyncio.create_task(ask(chance.choice(paths))))
            await asyncio.sleep(1 / a_second)
        await asyncio.gather(*asked)
    return found
