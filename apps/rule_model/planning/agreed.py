"""Keeps what was agreed to, even where a plan forgot it (stand-in)."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from apps.planning.chains.hourly_plan import HourSlot
from apps.planning.offers import OfferedPlace
from apps.rule_model.planning.appointments import Appointment, appointments_of


def with_appointments(
    slots: Iterable[HourSlot],
    name: str,
    memories: Iterable[str],
    *,
    date: str,
    places: Sequence[OfferedPlace],
) -> list[HourSlot]:
    """Return the slots with the appointments of which the person is sure put in."""
    agreed = [
        told
        for told in appointments_of(name, memories, date=date, places=places, home="")
        if told.sure
    ]
    return [_with_appointment(slot, name, places, agreed) for slot in slots]


def _with_appointment(
    slot: HourSlot, name: str, places: Sequence[OfferedPlace], agreed: Sequence[Appointment]
) -> HourSlot:
    half = (slot.to_minute - slot.from_minute) / 2
    due = (told for told in agreed if _minutes_in(slot, told) > half)
    told = next((told for told in due if _lets_in(name, places, told)), None)
    if told is None or told.place == slot.place:
        return slot
    return replace(slot, chunk=told.text, place=told.place)


def _minutes_in(slot: HourSlot, told: Appointment) -> int:
    return min(slot.to_minute, told.end) - max(slot.from_minute, told.start)


def _lets_in(name: str, places: Sequence[OfferedPlace], told: Appointment) -> bool:
    return any(
        place.path == told.place
        and place.lets_in(name, from_minute=told.start, to_minute=told.end)
        for place in places
    )
