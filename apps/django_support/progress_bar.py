"""The progress bar of commands."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from tqdm import tqdm

SILENT_SECONDS = 2.0
"""Work that takes less shows no bar."""


@contextmanager
def progress_bar(
    noun: str, *, total: float = 0, initial: float = 0
) -> Iterator[Callable[..., None]]:
    """Show a bar while the block runs; yield the function that takes what is done.

    The function also takes another total, where that is known later.
    """
    with tqdm(unit=noun, total=total, initial=initial) as bar:

        def show(done: float, new_total: float | None = None) -> None:
            if new_total is not None:
                bar.total = new_total
            bar.update(done - bar.n)

        yield show


def follow(items: Iterable[Any], noun: str, total: int | None) -> Iterable[Any]:
    """Return the items, with a bar once they take long."""
    return tqdm(items, unit=noun, total=total, delay=SILENT_SECONDS, leave=False)
