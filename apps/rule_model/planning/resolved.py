"""Makes hours of what somebody has decided to do (stand-in, not a language model).

Whoever "has decided to" do something, and has agreed on no time for it, gives it one or two
hours a day of those that are free: no meal, no sleep, no appointment, no work behind a counter.
An errand, which names its day, gets one hour of that day.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from apps.planning.chains.hourly_plan import HourSlot
from apps.planning.offers import OfferedPlace
from apps.rule_model.planning.activities import activity_for
from apps.rule_model.planning.appointments import appointments_of
from apps.rule_model.planning.at_home import BEDTIME, MORNING, WASHING
from apps.rule_model.planning.campaigns import CAMPAIGN, CANVASSING, RUNS_FOR
from apps.rule_model.planning.clauses import sentences_of, times_in
from apps.rule_model.planning.dates import DATE, WEEKDAY, dates, is_on
from apps.rule_model.planning.eating import EATING
from apps.rule_model.planning.finding import place_named
from apps.rule_model.planning.telling import told_steps

SLOTS_A_DAY = 2
LEAST_MINUTES = 20
DAYLIGHT = (7 * 60, 19 * 60)
_DECIDED = " has decided to "
_BUSY = (BEDTIME, MORNING, WASHING, *EATING)
_DUTY = re.compile(
    r"\b(?:class(?:es)?|lectures?|seminars?|lessons?|teach\w*|work(?:s|ing)? at|"
    r"attend\w*|rehears\w+ with|party|customers)\b"
)
# What is a matter of words is said when the other one is met; it fills no hour.
WORDS = re.compile(
    r"^(?:tell|ask|invite|thank|apologi[sz]e|greet|call|say|talk|speak|remember|forget|think)\b"
)
_AT_ONCE = re.compile(r" at once$")
_PARTS = {
    "morning": (0, 12 * 60),
    "afternoon": (12 * 60, 18 * 60),
    "evening": (18 * 60, 24 * 60),
    "night": (20 * 60, 28 * 60),
}
_ON_A_DAY = re.compile(
    rf",?\s*\bon (?:the (?P<part>{'|'.join(_PARTS)}) of )?(?:{WEEKDAY},? )?{DATE}"
    r"(?:,? \d{4})?",
    re.IGNORECASE,
)
_PUBLIC = re.compile(r"\b(?:Park|Square|Cafe|Café|Pub|Market|Plaza|Garden)\b")
_OPEN_AIR = re.compile(r"\b(?:park|square|plaza|gardens?|beach|forest|lake|pond)\b", re.I)


def with_resolutions(
    slots: Sequence[HourSlot],
    name: str,
    told: Iterable[str],
    *,
    date: str,
    places: Sequence[OfferedPlace],
    known: Sequence[str] = (),
) -> list[HourSlot]:
    """Return the slots with hours for what the person is told to have decided to do.

    Each errand of the day gets one, and so much more the latest of the other things; what
    is `known` beside that may hold appointments, which are kept.
    """
    told = tuple(told)
    deeds = list(dict.fromkeys(deed for text in told for deed in _deeds(text, name, date)))
    if not deeds:
        return list(slots)
    kept = appointments_of(name, (*told, *known), date=date, places=places, home="")
    free = [
        index
        for index, slot in enumerate(slots)
        if _is_free(slot, name, places)
        and not any(one.start < slot.to_minute and slot.from_minute < one.end for one in kept)
    ]
    taken = list(slots)
    for errand in (deed for deed in deeds if dates(deed)):
        hour = _hour_for(errand, slots, free, name, places)
        if hour is not None:
            taken[hour[0]] = hour[1]
            free.remove(hour[0])
    pursuit = next((deed for deed in deeds if not dates(deed)), None)
    if pursuit is not None and free:
        for index, after in _hours_for(pursuit, slots, free, name, places):
            taken[index] = after
    return taken


def _deeds(text: str, name: str, date: str) -> Iterable[str]:
    for sentence in sentences_of(text):
        subject, decided, deed = sentence.partition(_DECIDED)
        if not decided or subject != name or WORDS.match(deed):
            continue
        if dates(deed) and (not is_on(deed, date) or times_in(deed)[0] is not None):
            continue  # another day's, or an appointment
        if not _AT_ONCE.search(deed):
            yield deed
        elif RUNS_FOR.match(deed):
            yield _AT_ONCE.sub("", deed)  # begun at once, and gone on with


def _is_free(slot: HourSlot, name: str, places: Sequence[OfferedPlace]) -> bool:
    place = next((place for place in places if place.path == slot.place), None)
    is_kept = place is not None and name in place.keepers
    is_meal = any(
        activity_for(step.text) in _BUSY for step in told_steps(slot.chunk, slot.from_minute)
    )
    long_enough = slot.to_minute - slot.from_minute >= LEAST_MINUTES
    return long_enough and not (is_kept or is_meal or _DUTY.search(slot.chunk))


def _hour_for(
    errand: str,
    slots: Sequence[HourSlot],
    free: Sequence[int],
    name: str,
    places: Sequence[OfferedPlace],
) -> tuple[int, HourSlot] | None:
    """Return the first free slot that the errand can be done in.

    At the time of day that it names or, outdoors, by daylight, if there is such a slot.
    """
    deed, day = _ON_A_DAY.sub("", errand).strip(), _ON_A_DAY.search(errand)
    hours = [(at, _for_deed(slots[at], deed, name, places, is_last=False)) for at in free]
    home = _home(slots[0], name, places)
    wanted = place_named(deed, places, home=home, person=name) or home
    possible = [hour for hour in hours if hour[1].place == wanted]
    part = _PARTS.get(((day and day["part"]) or "").lower())
    best = [at for at in possible if (_is_in(at[1], part) if part else _suits(at[1]))]
    return next(iter([*best, *possible]), None)


def _hours_for(
    deed: str,
    slots: Sequence[HourSlot],
    free: Sequence[int],
    name: str,
    places: Sequence[OfferedPlace],
) -> Iterable[tuple[int, HourSlot]]:
    """Yield the first and the last free slot of those that suit the deed."""
    suiting = [
        at for at in free if _suits(_for_deed(slots[at], deed, name, places, is_last=False))
    ] or free[:1]
    for index in sorted({suiting[0], suiting[-1]})[:SLOTS_A_DAY]:
        is_last = index != suiting[0]
        yield index, _for_deed(slots[index], deed, name, places, is_last=is_last)


def _suits(slot: HourSlot) -> bool:
    """Say whether the slot is not spent outdoors in the dark."""
    return _is_in(slot, DAYLIGHT) or _OPEN_AIR.search(slot.place) is None


def _is_in(slot: HourSlot, hours: tuple[int, int]) -> bool:
    return hours[0] <= slot.from_minute and slot.to_minute <= hours[1]


def _home(slot: HourSlot, name: str, places: Sequence[OfferedPlace]) -> str:
    return next((place.path for place in places if name in place.residents), slot.place)


def _for_deed(
    slot: HourSlot, deed: str, name: str, places: Sequence[OfferedPlace], *, is_last: bool
) -> HourSlot:
    home = _home(slot, name, places)
    office = RUNS_FOR.match(deed)
    if office is None:
        place = place_named(deed, places, home=home, person=name) or home
        return replace(slot, chunk=deed, place=_open(slot, place, name, places, home))
    text = f"{CANVASSING if is_last else CAMPAIGN} for {office['office']}"
    public = _public(slot, name, places) if is_last else home
    return replace(slot, chunk=text, place=public or home)


def _open(
    slot: HourSlot, path: str, name: str, places: Sequence[OfferedPlace], home: str
) -> str:
    place = next(place for place in places if place.path == path) if path != home else None
    if place is None or _lets_in(slot, place, name):
        return path
    return home


def _public(slot: HourSlot, name: str, places: Sequence[OfferedPlace]) -> str:
    """Return a place where people meet and that is open then, "" if none is known."""
    open_to_all = (
        place.path
        for place in places
        if _PUBLIC.search(place.root)
        and name not in place.keepers
        and not place.residents
        and _lets_in(slot, place, name)
    )
    return next(open_to_all, "")


def _lets_in(slot: HourSlot, place: OfferedPlace, name: str) -> bool:
    return place.lets_in(name, from_minute=slot.from_minute, to_minute=slot.to_minute)
