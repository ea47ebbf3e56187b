"""Values of prompt templates: trusted text, which may stand anywhere, and quoted data.

Trusted are names that keep the rule of names, numbers, game times, and constant sentences made
of these. Everything else is data: text of users, world files and language models.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime

from apps.kernel.game_moments import clock_of
from apps.kernel.game_time import MINUTES_PER_DAY, format_clock, format_date, format_time
from apps.kernel.language import phrase
from apps.kernel.names import plain_name


@dataclass(frozen=True, slots=True)
class Trusted:
    """Text that may stand anywhere in a prompt; only this module creates it."""

    text: str


@dataclass(frozen=True, slots=True)
class Data:
    """Texts that stand in a quoted section only: one, or a numbered list."""

    texts: tuple[str, ...]
    is_list: bool = False


PromptValue = Trusted | Data


def agent_name(name: str) -> Trusted:
    """Return the name of an agent or a visitor, without characters that names cannot have."""
    return Trusted(plain_name(name))


def number(value: int) -> Trusted:
    """Return the number in digits."""
    return Trusted(str(int(value)))


def game_time(time: datetime) -> Trusted:
    """Return the game time: "Monday, February 13, 2023, 9:00 am"."""
    return Trusted(format_time(time))


def game_date(day: date) -> Trusted:
    """Return the date: "Monday, February 13, 2023"."""
    return Trusted(format_date(day))


def iso_date(day: date) -> Trusted:
    """Return the date in the format of answers: "2023-02-13"."""
    return Trusted(day.isoformat())


def clock(time: datetime | int) -> Trusted:
    """Return the time of day, of a game time or of minutes after midnight: "9:00 am"."""
    return Trusted(format_clock(time))


def answer_clock(minute: int) -> Trusted:
    """Return minutes after midnight in the form in which answers give times: "09:00".

    A model answers in the form in which its prompt has a time.
    """
    return Trusted(clock_of(minute % MINUTES_PER_DAY))


def sentence(template: str, **values: Trusted) -> Trusted:
    """Return a constant sentence, such as "{name} has just woken up".

    `template` is a constant of the code, a phrase of the catalogues; the values are trusted.
    """
    return Trusted(phrase(template, **{name: value.text for name, value in values.items()}))


def joined(values: Iterable[Trusted]) -> Trusted:
    """Return the values with commas between them."""
    return Trusted(", ".join(value.text for value in values))


def one_after_another(sentences: Iterable[Trusted]) -> Trusted:
    """Return the sentences with a space between them."""
    return Trusted(" ".join(one.text for one in sentences))


def data(text: str) -> Data:
    """Return one text as data; "" is shown as "(nothing)"."""
    return Data((text,))


def data_list(texts: Iterable[str]) -> Data:
    """Return the texts as data, numbered from 1, each on a line of its own."""
    return Data(tuple(texts), is_list=True)
