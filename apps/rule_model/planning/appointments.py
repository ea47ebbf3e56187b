"""Reads appointments out of memories: what, on which day, when and where (stand-in).

"Klaus Mueller agreed to have lunch with Maria Lopez at Hobbs Cafe on Tuesday, February 14,
from 12:00 PM to 1:00 PM": plain patterns, no understanding. Whoever only heard of something
has no appointment; whoever was invited and said nothing has one that is not sure.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from apps.planning.offers import OfferedPlace
from apps.rule_model.planning.clauses import (
    TIME,
    TIME_OR_HOUR,
    part_in,
    sentences_of,
    times_in,
    without_subject,
)
from apps.rule_model.planning.dates import DATE, WEEKDAY, dates, is_on, weekdays
from apps.rule_model.planning.finding import in_short, place_named

HOUR = 60
PARTY_MINUTES = 2 * HOUR
PARTS = {
    "morning": (9 * HOUR, 11 * HOUR),
    "day": (10 * HOUR, 12 * HOUR),
    "afternoon": (14 * HOUR, 16 * HOUR),
    "evening": (18 * HOUR, 20 * HOUR),
    "night": (20 * HOUR, 22 * HOUR),
}
HOST = "host "
_SURE = re.compile(
    (
        r"^(?:has |have |had |is |was )?(?:also |just |now )?(?:agreed(?! that)|promised|"
        r"arranged|decided|said yes|accepted|going|an appointment|plans|planning|"
        r"committed)\b.*?\bto (.+)"
    ),
    re.IGNORECASE,
)
_UNSURE = re.compile(
    (
        r"^(?:(?:is|was|has been|got) (?:also )?(?:invited|asked)|hopes|wants|would like|"
        r"might like|may want|considers?|thinks of going)\b.*?\bto (.+)"
    ),
    re.IGNORECASE,
)
_INVITES = r"\b(?:invited|invites|asked) (?:[^.;]*?\b)?(?:{name}|{first})\b.*?\bto (.+)"
_DECLINED = re.compile(
    r"\b(?:declined|refused|turned down|said no|can(?:not|'t)|could not|won't|will not)\b"
)
_CANCELLED = re.compile(r"\b(?:cancell?ed|called off)\b")
_HOSTS = re.compile(
    r"^(?:(?:is|has been|was|will be|will|also|now)\s+)*"
    r"(?:plan|organi[sz]|prepar|host|throw|giv|hold)(?:s|es|e|ing|ning)\b"
)
_GUEST = re.compile(r"\b(?:come|go|going|attend|join|be at)\b")
_NO_NAME = r"(?!(?:an?|the|his|her|their|to|of|\w+ing|\w+s)\s)"
_PARTY = re.compile(
    rf"(?:{_NO_NAME}[\w-]+(?:'s)? )?(?:{_NO_NAME}[\w-]+(?:'s)? )?"
    r"(?:party|celebration|reception|concert)\b"
)
# What a person heard, said or thought of is not yet what they will do.
_TALK = re.compile(
    r"^(?:ask|talk|think|chat|call|invite|greet|tell|listen|look|see|plan|help|learn|read)\b"
)
# The plan of a day is in the memory too; it is not an appointment, it was made of them.
_OWN_PLAN = re.compile(rf"^plans .* from \S+ [ap]m to \S+ [ap]m on \w+, {DATE}$")
_WHEN = re.compile(
    (
        rf",?\s*\b(?:on|this|next) (?:the (?:evening|afternoon|morning) of )?"
        rf"(?:{WEEKDAY}(?:,? {DATE})?|{DATE})(?:,? \d{{4}})?"
        r"|,?\s*\b(?:from|between|at|around|about|by|until|till|starting (?:at|from))"
        rf"(?: around| about)? {TIME_OR_HOUR}(?:\s*(?:to|and|until|till|[-\u2013])\s*{TIME})?"
        rf"|,\s*{TIME}(?:\s*(?:to|until|till|[-\u2013])\s*{TIME})?"
        r"|,?\s*\b(?:in the (?:early )?(?:morning|afternoon|evening)|at night)\b"
    ),
    re.IGNORECASE,
)
_INVITATION = re.compile(r"^.*?\binvitation to\s+", re.IGNORECASE)
# "her", "a", "Isabella Rodriguez's", but not the "Valentine's" of "Valentine's Day".
_OWNED = re.compile(
    r"^(?:an?|the|his|her|their|(?:[A-Z][\w-]+ ){0,2}[A-Z][\w-]+'s)\s+(?=\w)(?!(?:Day|Eve)\b)"
)
_GO = re.compile(
    r"^(?:come (?:over )?(?:to|by|at)|go to|be at|attend|join|take part in|stop by|drop by|"
    r"show up (?:at|for))\s+"
)
_ELSEWHERE = re.compile(r"\b(?:at|in) (?:the )?[A-Z]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Appointment:
    """What will be done at an hour of a day, and where (a path); not sure if unanswered."""

    text: str
    place: str
    start: int
    end: int
    sure: bool

    @property
    def is_host(self) -> bool:
        """Whether the person gives the party."""
        return self.text.startswith(HOST)


def appointments_of(
    name: str, memories: Iterable[str], *, date: str, places: Sequence[OfferedPlace], home: str
) -> list[Appointment]:
    """Return what the memories say that the person will do on the day, in order of time.

    What is at a place that the person does not know cannot be gone to.
    """
    sentences = [sentence for text in memories for sentence in sentences_of(text)]
    today = [sentence for sentence in sentences if _is_today(sentence, date)]
    read = [
        appointment for sentence in today for appointment in _read(sentence, name, places, home)
    ]
    declined = [_span(s) for s in today if _of_self(s, name, _DECLINED)]
    cancelled = [_span(s) for s in today if _CANCELLED.search(s)]
    kept = [
        appointment
        for appointment in read
        if not any(_meets(appointment, span) for span in cancelled)
        and (appointment.sure or not any(_meets(appointment, span) for span in declined))
    ]
    return _each_once(kept)


def is_own_plan(sentence: str) -> bool:
    """Say whether the sentence, without its subject, is the memory of a day's plan."""
    return _OWN_PLAN.search(sentence) is not None


def _is_today(sentence: str, date: str) -> bool:
    """Say whether the sentence names the day: its date or, without any, its weekday."""
    if dates(sentence):
        return is_on(sentence, date)
    agreed = re.search(r"\b(?:agreed|promised|invited|arranged)\b", sentence)
    return agreed is not None and date.partition(",")[0] in weekdays(sentence)


def _read(
    sentence: str, name: str, places: Sequence[OfferedPlace], home: str
) -> Iterator[Appointment]:
    span, told = _span(sentence), _told(sentence, name)
    if span is None or told is None:
        return
    text, sure = told
    place = place_named(sentence, places, home=home, person=name)
    if place is None and not _ELSEWHERE.search(_WHEN.sub("", sentence)):
        place = home
    if place:
        yield Appointment(text=text, place=place, start=span[0], end=span[1], sure=sure)


def _told(sentence: str, name: str) -> tuple[str, bool] | None:
    """Return what is to be done, and whether it is sure, None for what is no appointment."""
    own = without_subject(name, sentence)
    if own is None:
        first = re.escape(name.partition(" ")[0])
        invited = re.search(_INVITES.format(name=re.escape(name), first=first), sentence)
        return (_to_do(invited[1]), False) if invited else None
    if is_own_plan(own) or _DECLINED.search(own):
        return None
    party = _PARTY.search(own)
    if party and _HOSTS.search(own) and not _GUEST.search(own):
        return f"{HOST}{_the(party[0])}", True
    for pattern, sure in ((_SURE, True), (_UNSURE, False)):
        found = pattern.search(own)
        if found:
            return _to_do(found[1]), sure
    plain = in_short(_WHEN.sub("", own))
    return None if plain is None or _TALK.search(plain) else (plain, True)


def _to_do(words: str) -> str:
    """Return "be at the party" for "come to her party at … on …", other deeds as told."""
    told = " ".join(_WHEN.sub("", _INVITATION.sub("", words)).split()).strip(" ,")
    goes = _GO.match(told)
    thing = told[goes.end() :] if goes else told
    if _OWNED.match(thing):
        return f"be at {_the(thing)}"
    if goes and not goes[0].startswith("join"):
        return f"be at {thing}"
    return in_short(told) or told


def _the(thing: str) -> str:
    """Return "the party" for "a party", "her party" or "Isabella's party"."""
    return f"the {_OWNED.sub('', thing.strip())}"


def _span(sentence: str) -> tuple[int, int] | None:
    """Return from when until when, in minutes, as far as the sentence says."""
    start, end = times_in(sentence)
    if start is None:
        return PARTS.get(part_in(sentence))
    usual = PARTY_MINUTES if _PARTY.search(sentence) else HOUR
    return start, start + usual if end is None else end


def _of_self(sentence: str, name: str, pattern: re.Pattern[str]) -> bool:
    own = without_subject(name, sentence)
    return own is not None and pattern.search(own) is not None


def _meets(appointment: Appointment, span: tuple[int, int] | None) -> bool:
    return span is None or (appointment.start < span[1] and span[0] < appointment.end)


def _each_once(read: Sequence[Appointment]) -> list[Appointment]:
    """Return of those that meet the surest: the host's own, then what was agreed to."""
    best_first = sorted(read, key=lambda a: (not a.is_host, not a.sure, -a.end, a.text))
    kept: list[Appointment] = []
    for appointment in best_first:
        if not any(_meets(other, (appointment.start, appointment.end)) for other in kept):
            kept.append(appointment)
    return sorted(kept, key=lambda appointment: appointment.start)
