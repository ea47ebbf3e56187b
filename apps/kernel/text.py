"""Helpers for short texts: white space, lists, length and letters."""

import re
import unicodedata
from collections.abc import Sequence
from typing import Any

from apps.kernel.language import phrase

_SENTENCE_END = re.compile(r"[.!?]+[\"'\u201d\u2019\u00bb)]*(?=\s)")
_MARKUP = re.compile(r"([\\`*{}\[\]<>#|~&]|(?<!\w)_|_(?!\w))")
_CUT = " …"
_NO_END = " ,;:-"


def in_markdown(text: str) -> str:
    """Return the text on one line, as it stands in Markdown: no tag, no markup."""
    return _MARKUP.sub(r"\\\1", one_line(text))


def one_line(text: str) -> str:
    """Return the text with single spaces for white space, without spaces at its ends."""
    return " ".join(text.split())


def compose(value: Any) -> Any:  # a document of JSON or YAML
    """Return the text in composed letters (NFC), or the document with such texts and names.

    Without it "Café" with one letter é and with e and an accent would be two names.
    """
    if isinstance(value, str):
        return unicodedata.normalize("NFC", value)
    if isinstance(value, dict):
        return {compose(name): compose(below) for name, below in value.items()}
    if isinstance(value, list):
        return [compose(below) for below in value]
    return value


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


def shortened(text: str, characters_max: int) -> str:
    """Return the text, cut after a whole sentence where it is longer than allowed.

    A text whose sentences end only in its first half, or nowhere, is cut after a word.
    """
    if len(text) <= characters_max:
        return text
    if characters_max <= len(_CUT):
        return text[:characters_max]
    ends = [end.end() for end in _SENTENCE_END.finditer(text, 0, characters_max + 1)]
    if ends and ends[-1] > characters_max // 2:
        return text[: ends[-1]]
    return f"{clip(text, characters_max - len(_CUT)).rstrip(_NO_END)}{_CUT}"


def clip(text: str, characters_max: int) -> str:
    """Return the text, cut after the last whole word where it is longer than allowed."""
    if len(text) <= characters_max:
        return text
    head = text[: characters_max + 1].rpartition(" ")[0] or text[:characters_max]
    return head.rstrip()
