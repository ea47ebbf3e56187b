"""How the service is talked to: retries, problem documents, pages, files and streams."""

import json
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any, Generic
from urllib.parse import quote, urlsplit
from uuid import uuid4

import httpx2

from smallville import types
from smallville.errors import IN_PROGRESS, Refused, Unreachable, refusal, refusal_of
from smallville.flows import (
    Async,
    Close,
    Flow,
    Given,
    Giving,
    M,
    Moded,
    Next,
    Open,
    Opened,
    Request,
    Send,
    Sleep,
    Sync,
    T,
    collected,
    flow,
)
from smallville.records import encoded, plain, shaped

PREFIX = "/api/v1"
TRIES = 6
AGAIN_SECONDS = 0.5
WAIT_SECONDS_MAX = 30.0
PAGE_ROWS_MAX = 500
RESUMED_ENDS = frozenset({"too-slow", "internal-error"})
"""The ends of a stream after which one may come back."""
SUFFIXES = {".csv": "csv", ".jsonl": "jsonl", ".ndjson": "jsonl", ".parquet": "parquet"}


@dataclass(frozen=True, slots=True)
class Later:
    """A value that is asked for when the request is sent."""

    find: Callable[[], Flow[Any]]


def path_of(template: str, *names: object) -> str:
    """Return a path with its names filled in."""
    return template.format(*(quote(str(name), safe="") for name in names))


def response_to(request: Request, *, of_events: bool | None = None) -> Flow[Opened]:
    """Send a request until it is answered for good, and return the answer.

    Requests that change something bear an Idempotency-Key, so that all may be sent again.

    :param of_events: None to read the answer at once, else as for `Open`.
    :raises Refused: if the service refuses it.
    :raises Unreachable: if nobody answers.
    """
    for left in reversed(range(TRIES)):
        try:
            if of_events is None:
                opened = Opened((yield Send(request)))
            else:
                opened = yield Open(request, of_events)
        except httpx2.TransportError as error:
            if not left:
                raise Unreachable(f"{request.path} is not answered: {error!r}") from error
            seconds = 1.0
        else:
            if opened.response.is_success:
                return opened
            problem = refusal_of(opened.response)
            if not left or not _is_passing(problem):
                raise problem
            seconds = float(opened.response.headers.get("Retry-After", 1))
        yield Sleep(min(seconds, WAIT_SECONDS_MAX))
    raise AssertionError("the last try returns or raises")


def _is_passing(problem: Refused) -> bool:
    return problem.status in {429, 503} or problem.code == IN_PROGRESS


def own_path(address: str) -> str:
    """Return the path of an address of the service, so that the token goes to no other host."""
    parts = urlsplit(address)
    return f"{parts.path}?{parts.query}" if parts.query else parts.path


class Exchange(Moded[M]):
    """What the operations are made of; each of these takes the path of the service's schema."""

    def request(
        self,
        method: str,
        path: str,
        query: Mapping[str, Any] | None = None,
        content: bytes | None = None,
        headers: Mapping[str, str | None] | None = None,
    ) -> Flow[Request]:
        """Return a request with its key, and with what of its query is found later."""
        settled = {}
        for name, value in (query or {}).items():
            found = (yield from value.find()) if isinstance(value, Later) else plain(value)
            if found is not None:
                settled[name] = found
        sent = {name: value for name, value in (headers or {}).items() if value is not None}
        if method != "GET":
            sent["Idempotency-Key"] = str(uuid4())
        if content is not None:
            sent.setdefault("Content-Type", "application/json")
        return Request(method=method, path=path, query=settled, content=content, headers=sent)

    def document(
        self,
        kind: Any,
        method: str,
        path: str,
        query: Mapping[str, Any] | None = None,
        body: Mapping[str, Any] | bytes | PathLike[str] | None = None,
        headers: Mapping[str, str | None] | None = None,
    ) -> Flow[Any]:
        """Return the document that answers, as a value of the type `kind`."""
        headers = dict(headers or {})
        content: bytes | None = None
        if isinstance(body, bytes | PathLike):
            content = body if isinstance(body, bytes) else Path(body).read_bytes()
            headers["Content-Type"] = "application/octet-stream"
        elif body is not None:
            content = encoded(body)
        request = yield from self.request(method, path, query, content, headers)
        opened = yield from response_to(request)
        answer = opened.response.content
        return shaped(json.loads(answer), kind) if answer else None

    def content(
        self, path: str, query: Mapping[str, Any], save_as: str | PathLike[str] | None
    ) -> Flow[bytes]:
        """Return what answers; with `save_as` it is written to that file and b"" returned."""
        request = yield from self.request("GET", path, query)
        if save_as is None:
            return (yield from response_to(request)).response.content
        opened = yield from response_to(request, of_events=False)
        try:
            with Path(save_as).open("wb") as file:
                while (part := (yield Next(opened))) is not None:
                    file.write(part)
        finally:
            yield Close(opened)
        return b""


class Items(Moded[M], Generic[M, T]):
    """What gives items one by one: `for` iterates over it, `async for` with an AsyncClient."""

    def give(self) -> Giving[T]:
        """Yield the steps and items."""
        raise NotImplementedError

    def __iter__(self: "Items[Sync, T]") -> Iterator[T]:
        return self.mode.give(self.give())

    def __aiter__(self: "Items[Async, T]") -> AsyncIterator[T]:
        return self.mode.give(self.give())


class Rows(Items[M, T]):
    """The rows of a list; its pages are fetched as they are needed.

    :param limit: at most so many rows.
    """

    def __init__(
        self,
        exchange: Exchange[M],
        kind: Any,
        path: str,
        query: Mapping[str, Any],
        limit: int | None = None,
    ) -> None:
        super().__init__(exchange.mode)
        self._exchange, self._kind, self._path = exchange, kind, path
        self._query, self._limit = query, limit

    def give(self) -> Giving[T]:
        """Yield the steps and rows."""
        left = self._limit
        size = PAGE_ROWS_MAX if left is None else max(1, min(left, PAGE_ROWS_MAX))
        request = yield from self._exchange.request(
            "GET", self._path, {**self._query, "limit": size}
        )
        while left is None or left > 0:
            page = (yield from response_to(request)).response.json()
            for row in page["results"][:left]:
                yield Given(shaped(row, self._kind))
            left = None if left is None else left - len(page["results"])
            if not page["next"]:
                return
            request = Request(method="GET", path=own_path(page["next"]))

    @flow
    def all(self) -> Flow[list[T]]:
        """Return all rows."""
        return collected(self.give())

    @flow
    def to_pandas(self) -> Flow[Any]:
        """Return the rows as a DataFrame of pandas; members of members are `clock.tick`."""
        import pandas  # noqa: PLC0415 # the caller has it, or need not

        rows = yield from collected(self.give())
        return pandas.json_normalize([plain(row) for row in rows])

    @flow
    def to_polars(self) -> Flow[Any]:
        """Return the rows as a DataFrame of Polars; members of members are `clock.tick`."""
        import polars  # noqa: PLC0415 # the caller has it, or need not

        rows = yield from collected(self.give())
        return polars.json_normalize([plain(row) for row in rows], infer_schema_length=None)

    @flow
    def save(self, path: str | PathLike[str]) -> Flow[Path]:
        """Write all rows to a file, whose name ends in .csv, .jsonl or .parquet.

        :raises Invalid: if this list has no such form.
        """
        target = Path(path)
        form = SUFFIXES.get(target.suffix, target.suffix.removeprefix("."))
        query = {**self._query, "format": form}
        yield from self._exchange.content(self._path, query, target)
        return target


@dataclass(frozen=True, slots=True)
class Message:
    """A block of a stream; `name` is "message" for an event of the log."""

    id: str
    name: str
    data: Any


class Stream(Items[M, T]):
    """The live stream of a simulation; a broken connection is made again behind the last id.

    It ends at the committed tick if `until` says so, else never.
    """

    def __init__(
        self,
        exchange: Exchange[M],
        path: str,
        query: Mapping[str, Any],
        read: Callable[[Message], T | None],
    ) -> None:
        super().__init__(exchange.mode)
        self._exchange, self._path, self._query, self._read = exchange, path, query, read

    def events(self) -> "Stream[M, types.LoggedEvent]":
        """Return the events of the log alone, without the notices."""
        return Stream(self._exchange, self._path, self._query, _event_in)

    def give(self) -> Giving[T]:
        """Yield the steps and blocks.

        :raises Refused: if the stream ends since it may be followed no more.
        """
        last, is_over = "", False
        while not is_over:
            request = yield from self._exchange.request(
                "GET", self._path, self._query, headers={"Last-Event-ID": last or None}
            )
            opened = yield from response_to(request, of_events=True)
            try:
                while not is_over and (part := (yield Next(opened))) is not None:
                    last = part.id or last
                    if not part.data:
                        continue
                    message = Message(part.id, part.event, json.loads(part.data))
                    if part.event == "end":
                        is_over = _is_over(message.data)
                    elif (item := self._read(message)) is not None:
                        yield Given(item)
            except httpx2.TransportError:
                yield Sleep(AGAIN_SECONDS)
            finally:
                yield Close(opened)


def _event_in(message: Message) -> types.LoggedEvent | None:
    return types.LoggedEvent(message.data) if message.name == "message" else None


def _is_over(end: dict[str, Any]) -> bool:
    if end["code"] in RESUMED_ENDS:
        return False
    if end["code"] == "committed":
        return True
    statuses = {"token-invalid": 401, "simulation-unknown": 404}
    raise refusal({"status": statuses.get(end["code"], 0), **end})
