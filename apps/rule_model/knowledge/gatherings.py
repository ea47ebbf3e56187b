"""What one can be invited to, as memories and speech name it: a noun, an owner, where, when."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

from apps.rule_model.language.moments import When, clock_of, spoken_day, when_in
from apps.rule_model.language.names import PERSON, subject_of
from apps.rule_model.language.topics import place_in, stems_of
from apps.rule_model.language.words import either, english, vocabulary

_NOUN = either(english("gatherings"))
_GATHERING = re.compile(
    rf"(?:\b(?P<host>{PERSON}|[A-Z]\w+)'s|\b(?:an?|the|his|her|their|this|that)) "
    rf"(?P<name>(?:(?!(?:the|a|an|to|of|for|is)\b)[\w'-]+ ){{0,4}}?(?:{_NOUN})"
    r"(?: of (?:Saint )?[A-Z]\w+)?)\b"
)
_HOSTS = re.compile(vocabulary("phrases_knowledge")["gatherings"]["hosts"])
_WHEN = re.compile(
    r",? (?:on (?:the \w+ of )?[A-Z]\w+ \d|from \d|at \d|around \d|tomorrow|today|tonight).*"
)


@dataclass(frozen=True, slots=True)
class Gathering:
    """Something that one can be invited to; "" and None where it is not said.

    `activity` is an infinitive where it is no gathering with a name: "have dinner with Vera
    Novak".
    """

    name: str
    host: str
    place: str
    when: When
    activity: str = ""

    @property
    def title(self) -> str:
        """The gathering with its host: "Vera Novak's harvest party"."""
        return f"{self.host}'s {self.name}" if self.host else f"the {self.name}"

    @property
    def deed(self) -> str:
        """What one agrees to, an infinitive: "come to Vera Novak's harvest party"."""
        return self.activity or f"come to {self.title}"

    @property
    def where(self) -> str:
        """The place behind "at", "" if it is not known."""
        return f"at {self.place}" if self.place else ""

    @property
    def in_full(self) -> str:
        """The gathering with place, date and times written in full."""
        return " ".join(filter(None, (self.activity or self.title, self.where, self._dated())))

    @property
    def keys(self) -> frozenset[str]:
        """The words by which it is known again."""
        return stems_of(self.name)

    def spoken(self, speaker: str, today: date) -> str:
        """Return the gathering as its host or another one speaks of it."""
        whose = "my" if self.host == speaker else f"{self.host}'s" if self.host else "the"
        day = spoken_day(self.when.day, today) if self.when.day else ""
        return " ".join(filter(None, (whose, self.name, self.where, day, self._hours())))

    def _dated(self) -> str:
        day, hours = self.when.day, self._hours()
        if day is None:
            return hours
        dated = f"on {day:%B} {day.day}, {day.year:04d}"
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


def outing(deed: str, today: date) -> Gathering:
    """Return an activity that is proposed: "take a walk in Mill Garden tomorrow"."""
    place, when = place_in(deed), when_in(deed, today)
    plain = deed.replace(f" at {place}", "") if place else deed
    plain = _WHEN.sub("", plain).strip(" ?,")
    return Gathering(plain, "", place, when, plain)


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
    where = place_in(sentence[match.end() :])
    return Gathering(match["name"], host, where, when_in(sentence, today))


def _together(first: Gathering, more: Gathering) -> Gathering:
    """Return what both tell, if they may be the same; else the later one."""
    if not stems_of(first.name) & stems_of(more.name):
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
