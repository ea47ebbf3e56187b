"""Finds what one can be invited to, in memories and in what was said (stand-in).

Not a language model: a gathering is one of a few nouns behind an article or an owner, with
the place and the times that stand in the same words.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

from apps.rule_model.reading.moments import When, clock_of, spoken_day, when_in
from apps.rule_model.reading.names import PERSON, subject_of
from apps.rule_model.reading.news import EVENT_WORDS
from apps.rule_model.reading.topics import place_in

_GATHERING = re.compile(
    rf"(?:\b(?P<host>{PERSON})'s|\b(?:an?|the|his|her|their|this|that)) "
    rf"(?P<name>(?:(?!(?:the|a|an|to|of|for|is)\b)[\w'-]+ ){{0,4}}?(?:{EVENT_WORDS}))\b"
)
_HOSTS = re.compile(
    r"\b(?:planning|organi[sz]ing|giving|having|holding|hosting|throwing|preparing|gives|holds|"
    r"hosts|will (?:give|hold|host|have|throw))\b"
)

_PROPOSED = re.compile(
    r"\b(?:want|like|care|love)s? (?:[\w ]+ )?to "
    r"(?P<deed>(?!come\b|join\b|be\b|know\b)[a-z]+ .+)"
)
_WHEN = re.compile(r",? (?:on (?:the \w+ of )?[A-Z]\w+ \d|from \d|at \d|around \d).*")


@dataclass(frozen=True, slots=True)
class Gathering:
    """Something that one can be invited to; "" and None where it is not said.

    `activity` is what is done together where it is no gathering with a name: "have dinner
    with Vera Novak".
    """

    name: str
    host: str
    place: str
    when: When
    activity: str = ""

    @property
    def title(self) -> str:
        """Whose it is: "Isabella Rodriguez's Valentine's Day party"."""
        return f"{self.host}'s {self.name}" if self.host else f"the {self.name}"

    @property
    def deed(self) -> str:
        """What one agrees to: "come to Isabella Rodriguez's Valentine's Day party"."""
        return self.activity or f"come to {self.title}"

    @property
    def in_full(self) -> str:
        """The gathering with place and times, as memories have it."""
        return " ".join(filter(None, (self.activity or self.title, self.where, self._dated())))

    @property
    def where(self) -> str:
        """The place behind "at", "" if it is not known."""
        return f"at {self.place}" if self.place else ""

    def said(self, today: date) -> str:
        """Return the place and the time in spoken words."""
        day = spoken_day(self.when.day, today) if self.when.day else ""
        return " ".join(filter(None, (self.where, day, self._hours())))

    def _dated(self) -> str:
        day, hours = self.when.day, self._hours()
        if day is None:
            return hours
        dated = f"on {day:%B} {day.day}, {day.year}"
        return f"{dated}, {hours}" if hours else dated

    def _hours(self) -> str:
        if self.when.start is None:
            return ""
        begins = clock_of(self.when.start)
        return (
            f"at {begins}"
            if self.when.end is None
            else f"from {begins} to {clock_of(self.when.end)}"
        )


def outing_in(sentence: str, today: date) -> Gathering | None:
    """Return what the sentence proposes to do together, None if it proposes nothing."""
    match = _PROPOSED.search(sentence)
    if match is None:
        return None
    place, when = place_in(match["deed"]), when_in(match["deed"], today)
    deed = match["deed"].replace(f" at {place}", "") if place else match["deed"]
    deed = _WHEN.sub("", deed).strip(" ?,")
    return Gathering(deed, "", place, when, deed)


def gathering_in(sentences: Iterable[str], today: date) -> Gathering | None:
    """Return the gathering that the sentences speak of, put together from all of them."""
    found: Gathering | None = None
    for sentence in sentences:
        told = _told(sentence, today)
        if told is None and found is not None:
            told = Gathering(found.name, "", place_in(sentence), when_in(sentence, today))
        if told is not None:
            found = told if found is None else _together(found, told)
    return found


def _told(sentence: str, today: date) -> Gathering | None:
    match = _GATHERING.search(sentence)
    if match is None:
        return None
    host = match["host"] or ""
    if not host and _HOSTS.search(sentence):
        host = subject_of(sentence)
    return Gathering(
        match["name"], host, place_in(sentence[match.end() :]), when_in(sentence, today)
    )


def _together(first: Gathering, more: Gathering) -> Gathering:
    """Return what both tell, if they may be the same; else the later."""
    if first.name.split()[-1] != more.name.split()[-1]:
        return more
    return Gathering(
        max(first.name, more.name, key=len),
        first.host or more.host,
        first.place or more.place,
        When(
            first.when.day or more.when.day,
            more.when.start if first.when.start is None else first.when.start,
            more.when.end if first.when.end is None else first.when.end,
        ),
    )
