"""How much of what is said and thought was said and thought before."""

import re
from collections.abc import Iterable, Sequence
from typing import Any

_NUMBER = re.compile(r"\d+")


def nameless(texts: Iterable[str], names: Sequence[str]) -> list[str]:
    """Return the texts with one sign for all names."""
    parts = {part for name in names for part in (name, *name.split())}
    if not parts:
        return list(texts)
    ordered = sorted(parts, key=lambda part: (-len(part), part))
    pattern = re.compile(r"\b(?:" + "|".join(map(re.escape, ordered)) + r")\b")
    return [pattern.sub("*", text) for text in texts]


def forms_of(statements: Iterable[str], names: Sequence[str]) -> list[str]:
    """Return the statements with one sign for all names and numbers."""
    return [_NUMBER.sub("#", form) for form in nameless(statements, names)]


def repeated(values: Sequence[Any]) -> int:
    """Return how many of the values occur earlier in the sequence."""
    return len(values) - len(set(values))
