"""Helpers for short texts: white space, lists and length."""

from collections.abc import Sequence

from apps.kernel.language import phrase


def one_line(text: str) -> str:
    """Return the text with single spaces for white space, without spaces at its ends."""
    return " ".join(text.split())


def join_and(items: Sequence[str]) -> str:
    """Return "a, b and c"; "" without items."""
    if len(items) < 2:
        return "".join(items)
    return phrase("{items} and {last}", items=", ".join(items[:-1]), last=items[-1])


def join_or(items: Sequence[str]) -> str:
    """Return "a, b or c"; "" without items."""
    if len(items) < 2:
        return "".join(items)
    return phrase("{items} or {last}", items=", ".join(items[:-1]), last=items[-1])


def clip(text: str, characters_max: int) -> str:
    """Return the text, cut after the last whole word where it is longer than allowed."""
    if len(text) <= characters_max:
        return text
    head = text[: characters_max + 1].rpartition(" ")[0] or text[:characters_max]
    return head.rstrip()
