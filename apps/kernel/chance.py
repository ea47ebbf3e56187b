"""Random numbers as a pure function of a seed and a key.

A key has the same number in every process, regardless of other draws (V2).
"""

from collections.abc import Sequence
from hashlib import blake2b
from typing import TypeVar

_DRAW_BYTES = 8
_Option = TypeVar("_Option")


def draw(seed: int, *what: str | int) -> int:
    """Return the number of 64 bits for a seed and a key of several parts."""
    key = "\x1f".join(map(str, (seed, *what)))
    return int.from_bytes(blake2b(key.encode(), digest_size=_DRAW_BYTES).digest(), "big")


def unit(seed: int, *what: str | int) -> float:
    """Return a number in [0, 1)."""
    return draw(seed, *what) / 2.0**64


def choice(options: Sequence[_Option], seed: int, *what: str | int) -> _Option:
    """Return one of the options, each as likely as the others.

    :raises IndexError: if there are no options.
    """
    if not options:
        raise IndexError("there are no options to choose from")
    return options[draw(seed, *what) % len(options)]
