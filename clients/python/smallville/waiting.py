"""Waiting for background work, commands and runs, with a bar of their progress."""

import time
from collections.abc import Callable
from contextlib import ExitStack
from typing import Any, TypeAlias, TypeVar

from smallville.errors import TookTooLong, WorkStopped
from smallville.exchange import own_path, response_to
from smallville.flows import Flow, Request, Sleep
from smallville.records import Record

W = TypeVar("W", bound=Record)
Progress: TypeAlias = bool | Callable[[Any], object]
STOPPED = frozenset({"paused", "failed", "cancelled", "refused"})
LOOKS_SECONDS_MIN, LOOKS_SECONDS_MAX = 0.1, 2.0


def ended(
    work: W,
    *,
    timeout: float | None = None,
    progress: Progress = False,
    read: Callable[[], Flow[W]] | None = None,
    is_over: Callable[[W], bool] | None = None,
) -> Flow[W]:
    """Return work as soon as it is over; it is looked at ever more rarely.

    :param read: reads it again; by default its `status_url`.
    :param is_over: by default, whether its state is `done`.
    :raises WorkStopped: if it is paused, has failed, was cancelled or refused.
    :raises TookTooLong: if it is not over in time.
    """
    ends_at = None if timeout is None else time.monotonic() + timeout
    seconds = LOOKS_SECONDS_MIN
    with ExitStack() as stack:
        show = _bar(stack) if progress is True else progress or (lambda _work: None)
        while True:
            show(work)
            if (is_over or _is_done)(work):
                return work
            if ends_at is not None and time.monotonic() >= ends_at:
                raise TookTooLong(f"after {timeout} seconds it is not over: {work!r}")
            yield Sleep(seconds)
            seconds = min(seconds * 1.5, LOOKS_SECONDS_MAX)
            work = yield from (_read_again(work) if read is None else read())


def _is_done(work: Any) -> bool:
    if work.state in STOPPED:
        problem = work.get("problem") or {}
        reason = problem.get("detail") or work.get("refusal", "")
        raise WorkStopped(work, f"{work.state}: {reason}")
    return bool(work.state == "done")


def _read_again(work: Any) -> Flow[Any]:
    request = Request(method="GET", path=own_path(work.status_url))
    opened = yield from response_to(request)
    return type(work)(opened.response.json())


def _bar(stack: ExitStack) -> Callable[[Any], None]:
    """Return a function that shows the progress of work; without tqdm nothing is shown."""
    try:
        from tqdm.auto import tqdm  # noqa: PLC0415 # the caller has it, or need not
    except ImportError:
        return lambda _work: None
    bar = stack.enter_context(tqdm())

    def show(work: Any) -> None:
        if "progress" in work:
            bar.total, bar.n, bar.unit = (
                work.progress.total,
                work.progress.done,
                work.progress.parts,
            )
        elif "clock" in work:
            bar.set_description_str(work.clock.time)
            bar.total, bar.n, bar.unit = work.end_tick, work.clock.tick, "ticks"
        bar.refresh()

    return show
