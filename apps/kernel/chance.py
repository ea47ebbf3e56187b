"""Chance that is a pure function of the seed and of what is decided.

The same question gets the same answer in every process, whatever was asked before (V2).
"""

from collections.abc import Sequence
from hashlib import blake2b
from typing import TypeVar

_DRAW_BYTES = 8
_Option = TypeVar("_Option")


def draw(seed: int, *what: str | int) -> int:
    """Return a number of 64 bits that belongs to the seed and to what is decided."""
    question = "\x1f".join((str(seed), *(str(part) for part in what)))
    return int.from_bytes(blake2b(question.encode(), digest_size=_DRAW_BYTES).digest(), "big")


def unit(seed: int, *what: str | int) -> float:
    """Return a number in [0, 1)."""
    return draw(seed, *what) / 2.0**64


def choice(options: Sequence[_Option], seed: int, *what: str | int) -> _Option:
    """Return one of the options, each as likely as the others.

    :raises IndexError: if there is nothing to choose from.
    """
    if not options:
        raise IndexError("there is nothing to choose from")
    return options[draw(seed, *what) % len(options)]
