"""Values of prompt templates: trusted text, which may stand anywhere, and quoted data.

Trusted are names under the rule of names, numbers, game times, and sentences of the project
made of these. Everything else is data: what users, world files and language models wrote.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from apps.kernel.errors import SmallvilleError
from apps.kernel.names import plain_name

_DAY = r"(?:[A-Z][a-z]+day, [A-Z][a-z]+ \d{1,2}, \d{4}|\d{4}-\d\d-\d\d)"
_CLOCK = r"\d{1,2}:\d\d [ap]m"
_TIME = re.compile(f"{_DAY}|{_CLOCK}|{_DAY}, {_CLOCK}")


class NotATime(SmallvilleError):
    """A prompt was given a game time that is none; pass user text as data."""

    code = "not-a-time"


@dataclass(frozen=True, slots=True)
class Trusted:
    """Text that may stand anywhere in a prompt. Made by the functions of this module only."""

    text: str


@dataclass(frozen=True, slots=True)
class Data:
    """Texts that stand in a quoted section only: one, or a numbered list."""

    texts: tuple[str, ...]
    is_list: bool = False


PromptValue = Trusted | Data


def agent_name(name: str) -> Trusted:
    """Return the name of an agent or a visitor, without anything that a name cannot hold."""
    return Trusted(plain_name(name))


def number(value: int) -> Trusted:
    """Return the number in digits."""
    return Trusted(str(int(value)))


def game_time(words: str) -> Trusted:
    """Return a game time or a date in words: "Monday, February 13, 2023, 9:00 am".

    :raises NotATime: if it has another form.
    """
    if not _TIME.fullmatch(words):
        raise NotATime(f"{words[:80]!r} is no game time")
    return Trusted(words)


def sentence(template: str, **values: Trusted) -> Trusted:
    """Return a sentence of the project's own, such as "{name} has just woken up".

    `template` is a constant of the code; the values are trusted themselves.
    """
    return Trusted(template.format(**{name: value.text for name, value in values.items()}))


def joined(values: Iterable[Trusted]) -> Trusted:
    """Return the values with commas between them."""
    return Trusted(", ".join(value.text for value in values))


def data(text: str) -> Data:
    """Return one text as data; "" is shown as "(nothing)"."""
    return Data((text,))


def data_list(texts: Iterable[str]) -> Data:
    """Return the texts as data, numbered from 1, each on a line of its own."""
    return Data(tuple(texts), is_list=True)
