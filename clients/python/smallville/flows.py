"""Requests as generators of steps, performed in a thread or by asyncio: each is written once.

A flow yields steps, is sent the outcome of each, and returns a result. It does no input or
output itself. What is decorated with `flow` returns the result where its object has the mode
`Sync`, an awaitable of it under `Async`, and the flow itself under `Plan`, for other flows to
include.
"""

import asyncio
import functools
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Generator, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Concatenate, Generic, ParamSpec, TypeAlias, TypeVar, overload

import httpx2

P = ParamSpec("P")
T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)
M = TypeVar("M")
"""The mode: Sync, Async or Plan."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """A request to the service; `path` is behind its address."""

    method: str
    path: str
    query: Mapping[str, Any] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)
    content: bytes | None = None

    def build(self, http: httpx2.Client | httpx2.AsyncClient) -> httpx2.Request:
        """Return it with the address, the token and the timeouts of a client."""
        return http.build_request(
            self.method,
            self.path,
            params=self.query or None,
            headers=self.headers,
            content=self.content,
        )


class Step:
    """Something that takes time; `run` and `run_async` do the same."""

    def run(self, http: httpx2.Client) -> Any:
        """Do it in this thread."""
        raise NotImplementedError

    async def run_async(self, http: httpx2.AsyncClient) -> Any:
        """Do it in the running event loop."""
        raise NotImplementedError


@dataclass(frozen=True, slots=True)
class Send(Step):
    """Send a request; the outcome is the response, which has been read."""

    request: Request

    def run(self, http: httpx2.Client) -> Any:
        """Return the response."""
        return http.send(self.request.build(http))

    async def run_async(self, http: httpx2.AsyncClient) -> Any:
        """Return the response."""
        return await http.send(self.request.build(http))


@dataclass(frozen=True, slots=True)
class Sleep(Step):
    """Wait."""

    seconds: float

    def run(self, http: httpx2.Client) -> Any:
        """Wait in this thread."""
        time.sleep(self.seconds)

    async def run_async(self, http: httpx2.AsyncClient) -> Any:
        """Wait in the event loop."""
        await asyncio.sleep(self.seconds)


@dataclass(slots=True)
class Opened:
    """A response that is read in parts; of an error, all of it has been read."""

    response: httpx2.Response
    parts: Any = None


@dataclass(frozen=True, slots=True)
class Open(Step):
    """Send a request; the outcome is an `Opened` of server-sent events, or of bytes."""

    request: Request
    of_events: bool

    def run(self, http: httpx2.Client) -> Any:
        """Return the opened response."""
        response = http.send(self.request.build(http), stream=True)
        if not response.is_success:
            response.read()
            return Opened(response)
        source = httpx2.EventSource(response) if self.of_events else response.iter_bytes()
        return Opened(response, iter(source))

    async def run_async(self, http: httpx2.AsyncClient) -> Any:
        """Return the opened response."""
        response = await http.send(self.request.build(http), stream=True)
        if not response.is_success:
            await response.aread()
            return Opened(response)
        source = httpx2.EventSource(response) if self.of_events else response.aiter_bytes()
        return Opened(response, aiter(source))


@dataclass(frozen=True, slots=True)
class Next(Step):
    """Read the next part of an opened response; the outcome is None at its end."""

    opened: Opened

    def run(self, http: httpx2.Client) -> Any:
        """Return the part."""
        return next(self.opened.parts, None)

    async def run_async(self, http: httpx2.AsyncClient) -> Any:
        """Return the part."""
        return await anext(self.opened.parts, None)


@dataclass(frozen=True, slots=True)
class Close(Step):
    """Hang up an opened response."""

    opened: Opened

    def run(self, http: httpx2.Client) -> Any:
        """Close it."""
        self.opened.response.close()

    async def run_async(self, http: httpx2.AsyncClient) -> Any:
        """Close it."""
        await self.opened.response.aclose()


@dataclass(frozen=True, slots=True)
class Given(Generic[T_co]):
    """An item that a flow gives while it goes on."""

    value: T_co


@dataclass(frozen=True, slots=True)
class Done:
    """The end of a flow, with its result."""

    value: Any = None


class HangUp(Exception):  # not for users: who gives items is told that no more are taken
    """No more items are taken."""


Flow: TypeAlias = Generator[Step, Any, T]
Giving: TypeAlias = Generator[Step | Given[T], Any, None]


def advance(
    flow: Generator[Any, Any, Any], outcome: Any = None, error: Exception | None = None
) -> Any:
    """Tell a flow the outcome of its step, or the error; return its next step, item or end."""
    try:
        return flow.send(outcome) if error is None else flow.throw(error)
    except StopIteration as end:
        return Done(end.value)
    except HangUp:
        return Done()


class Sync:
    """Flows are performed in the thread that calls."""

    def __init__(self, http: httpx2.Client) -> None:
        self.http = http

    def perform(self, flow: Flow[T]) -> T:
        """Return the result of a flow."""
        result: T = self._drive(flow).value
        return result

    def give(self, flow: Giving[T]) -> Iterator[T]:
        """Yield the items of a flow."""
        try:
            while isinstance(given := self._drive(flow), Given):
                yield given.value
        finally:
            self._drive(flow, HangUp())

    def _drive(self, flow: Generator[Any, Any, Any], error: Exception | None = None) -> Any:
        step = advance(flow, error=error)
        while isinstance(step, Step):
            try:
                outcome = step.run(self.http)
            except httpx2.TransportError as failure:
                step = advance(flow, error=failure)
            else:
                step = advance(flow, outcome)
        return step


class Async:
    """Flows are performed in the running event loop."""

    def __init__(self, http: httpx2.AsyncClient) -> None:
        self.http = http

    async def perform(self, flow: Flow[T]) -> T:
        """Return the result of a flow."""
        result: T = (await self._drive(flow)).value
        return result

    async def give(self, flow: Giving[T]) -> AsyncIterator[T]:
        """Yield the items of a flow."""
        try:
            while isinstance(given := await self._drive(flow), Given):
                yield given.value
        finally:
            await self._drive(flow, HangUp())

    async def _drive(
        self, flow: Generator[Any, Any, Any], error: Exception | None = None
    ) -> Any:
        step = advance(flow, error=error)
        while isinstance(step, Step):
            try:
                outcome = await step.run_async(self.http)
            except httpx2.TransportError as failure:
                step = advance(flow, error=failure)
            else:
                step = advance(flow, outcome)
        return step


class Plan:
    """Flows are not performed; they are parts of others."""

    def perform(self, flow: Flow[T]) -> Flow[T]:
        """Return the flow itself."""
        return flow


class Moded(Generic[M]):
    """What has flows as methods; `mode` performs them."""

    def __init__(self, mode: M) -> None:
        self.mode = mode


class flow(Generic[P, T]):  # noqa: N801 # a decorator
    """A method that is a flow, and is performed as the mode of its object says."""

    def __init__(self, function: Callable[Concatenate[Any, P], Flow[T]]) -> None:
        self._function = function
        functools.update_wrapper(self, function)  # type: ignore[arg-type]

    @overload
    def __get__(self, instance: Moded[Sync], owner: Any = None) -> Callable[P, T]: ...

    @overload
    def __get__(
        self, instance: Moded[Async], owner: Any = None
    ) -> Callable[P, Coroutine[Any, Any, T]]: ...

    @overload
    def __get__(self, instance: Moded[Plan], owner: Any = None) -> Callable[P, Flow[T]]: ...

    @overload
    def __get__(
        self, instance: None, owner: Any = None
    ) -> Callable[Concatenate[Any, P], Flow[T]]: ...

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        if instance is None:
            return self._function
        function = self._function.__get__(instance)

        @functools.wraps(function)
        def performed(*arguments: P.args, **named: P.kwargs) -> Any:
            return instance.mode.perform(function(*arguments, **named))

        return performed


def collected(items: Giving[T]) -> Flow[list[T]]:
    """Return all items of a flow as its result."""
    found: list[T] = []
    step = advance(items)
    while not isinstance(step, Done):
        if isinstance(step, Given):
            found.append(step.value)
            step = advance(items)
            continue
        try:
            outcome = yield step
        except httpx2.TransportError as failure:
            step = advance(items, error=failure)
        else:
            step = advance(items, outcome)
    return found
