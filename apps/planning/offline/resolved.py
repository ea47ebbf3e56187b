"""Makes hours of what somebody has decided to do (stand-in, not a language model).

Whoever "has decided to" do something, and has agreed on no time for it, gives it one or two
hours a day of those that are free: no meal, no sleep, no work behind a counter.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from apps.planning.chains.hourly_plan import HourSlot
from apps.planning.offers import OfferedPlace
from apps.planning.offline.activities import activity_for
from apps.planning.offline.at_home import BEDTIME, MORNING, WASHING
from apps.planning.offline.campaigns import CAMPAIGN, CANVASSING, RUNS_FOR
from apps.planning.offline.clauses import sentences_of, times_in
from apps.planning.offline.dates import dates, is_on
from apps.planning.offline.eating import EATING
from apps.planning.offline.finding import place_named
from apps.planning.offline.telling import told_steps

SLOTS_A_DAY = 2
LEAST_MINUTES = 20
_DECIDED = " has decided to "
_BUSY = (BEDTIME, MORNING, WASHING, *EATING)
_DUTY = re.compile(r"\b(?:class(?:es)?|lectures?|seminars?|teach\w*|work(?:s|ing)? at)\b")
# What is a matter of words is said when the other one is met; it fills no hour.
_WORDS = re.compile(
    r"^(?:tell|ask|invite|thank|apologi[sz]e|greet|call|say|talk|speak|remember|forget|think)\b"
)
_PUBLIC = re.compile(r"\b(?:Park|Square|Cafe|Café|Pub|Market|Plaza|Garden)\b")


def with_resolutions(
    slots: Sequence[HourSlot],
    name: str,
    told: Iterable[str],
    *,
    date: str,
    places: Sequence[OfferedPlace],
) -> list[HourSlot]:
    """Return the slots with hours for the latest thing that the person has decided to do."""
    deeds = [deed for text in told for deed in _deeds(text, name, date)]
    free = [index for index, slot in enumerate(slots) if _is_free(slot, name, places)]
    if not deeds or not free:
        return list(slots)
    taken = list(slots)
    for index in sorted({free[0], free[-1]})[:SLOTS_A_DAY]:
        taken[index] = _for_deed(slots[index], deeds[0], name, places, is_last=index != free[0])
    return taken


def _deeds(text: str, name: str, date: str) -> Iterable[str]:
    for sentence in sentences_of(text):
        subject, decided, deed = sentence.partition(_DECIDED)
        if not decided or subject != name or _WORDS.match(deed):
            continue
        if dates(deed) and (not is_on(deed, date) or times_in(deed)[0] is not None):
            continue  # another day's, or an appointment
        yield deed


def _is_free(slot: HourSlot, name: str, places: Sequence[OfferedPlace]) -> bool:
    place = next((place for place in places if place.path == slot.place), None)
    is_kept = place is not None and name in place.keepers
    is_meal = any(
        activity_for(step.text) in _BUSY for step in told_steps(slot.chunk, slot.from_minute)
    )
    long_enough = slot.to_minute - slot.from_minute >= LEAST_MINUTES
    return long_enough and not (is_kept or is_meal or _DUTY.search(slot.chunk))


def _for_deed(
    slot: HourSlot, deed: str, name: str, places: Sequence[OfferedPlace], *, is_last: bool
) -> HourSlot:
    home = next((place.path for place in places if name in place.residents), slot.place)
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
