"""A client of the live stream, as another program would write one."""

import http.client
import json
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any
from urllib.parse import urlencode

HOST = "127.0.0.1"
SILENCE_SECONDS = 30.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """A block of the stream: `name` is "" for an event of the log."""

    id: str
    name: str
    data: Any


@dataclass
class Follower:
    """Reads a stream in a thread of its own, and keeps what it hears.

    `last_id` is what a browser would come back with.
    """

    port: int
    token: str
    path: str
    last_id: str = ""
    query: dict[str, Any] = field(default_factory=dict)
    blocks: list[Block] = field(default_factory=list)
    comments: int = 0
    status: int | None = None
    error: str = ""
    is_over: bool = False
    _news: threading.Condition = field(default_factory=threading.Condition)
    _connection: http.client.HTTPConnection | None = None
    _thread: threading.Thread | None = None

    def __enter__(self) -> "Follower":
        self.connect()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.hang_up()

    @property
    def ids(self) -> list[str]:
        """The events of the log that were heard."""
        return [block.id for block in self.blocks if not block.name]

    def named(self, name: str) -> list[Block]:
        """Return the notices of a name that were heard."""
        return [block for block in self.blocks if block.name == name]

    def last(self, name: str) -> Any:
        """Return what the last notice of a name said, None if there was none."""
        named = self.named(name)
        return named[-1].data if named else None

    def connect(self) -> None:
        """Begin to read, from `last_id` on if there is one."""
        self.is_over = False
        self.status, self.error = None, ""
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def hang_up(self) -> None:
        """Read no more."""
        opened = self._connection.sock if self._connection is not None else None
        if opened is not None:
            with suppress(OSError):
                opened.shutdown(socket.SHUT_RDWR)
        if self._thread is not None:
            self._thread.join(SILENCE_SECONDS)

    def wait_for(self, what: Callable[["Follower"], bool], *, seconds: float = 30.0) -> None:
        """Wait until something has been heard."""
        with self._news:
            came = self._news.wait_for(lambda: what(self), seconds)
        assert came, f"status {self.status}, {self.error}, the last: {self.blocks[-3:]}"

    def hear(self, events: int, *, seconds: float = 30.0) -> None:
        """Wait until so many events of the log have been heard."""
        self.wait_for(lambda it: len(it.ids) >= events, seconds=seconds)

    def _read(self) -> None:
        headers = {"Authorization": f"Bearer {self.token}", "Accept": "text/event-stream"}
        if self.last_id:
            headers["Last-Event-ID"] = self.last_id
        connection = http.client.HTTPConnection(HOST, self.port, timeout=SILENCE_SECONDS)
        self._connection = connection
        try:
            asked = urlencode(self.query, doseq=True)
            connection.request("GET", f"{self.path}?{asked}", headers=headers)
            response = connection.getresponse()
            self.status = response.status
            for block in self._blocks(response):
                self._keep(block)
        except (OSError, http.client.HTTPException, AttributeError) as error:
            self.error = repr(error)
        finally:
            connection.close()
        with self._news:
            self.is_over = True
            self._news.notify_all()

    def _blocks(self, response: http.client.HTTPResponse) -> Iterator[Block]:
        fields: dict[str, str] = {}
        while read := response.readline():
            line = read.decode().removesuffix("\n")
            if line.startswith(":"):
                self.comments += 1
                self._notify()
            elif line:
                name, _, value = line.partition(": ")
                fields[name] = value
            elif fields:
                if "data" in fields:
                    yield Block(
                        id=fields.get("id", ""),
                        name=fields.get("event", ""),
                        data=json.loads(fields["data"]),
                    )
                fields = {}

    def _keep(self, block: Block) -> None:
        with self._news:
            self.blocks.append(block)
            self.last_id = block.id or self.last_id
            self._news.notify_all()

    def _notify(self) -> None:
        with self._news:
            self._news.notify_all()
