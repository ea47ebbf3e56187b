"""The task of planning the rest of a day again: what came between is put in (X2)."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from apps.memory.events import MemoryOrigin, ScheduledActivity
from apps.planning.chains.hourly_plan import HourActivity, HourlyPlan
from apps.planning.inputs import (
    ActivitiesAgreed,
    AdoptedThought,
    HourSlot,
    RevisedHoursInput,
    RevisionReason,
)
from apps.rule_model.content import Content
from apps.rule_model.model import Chance
from apps.rule_model.planning.commitments import (
    Commitment,
    Intention,
    commitments_of,
    intention_in,
    scheduled_on,
)
from apps.rule_model.planning.places import Surroundings, surroundings_of
from apps.rule_model.planning.steps_in_text import steps_in
from apps.rule_model.planning.timeline import HOUR

# A slot is given to a commitment that takes this much of it, or half of it.
OVERLAP_MINUTES_MIN = 30
DAYLIGHT = (7 * HOUR, 19 * HOUR)
SLOT_MINUTES_MIN = 30
NOT_FREE = frozenset({"meal", "routine", "duty"})


def revised_hours(given: RevisedHoursInput, _: Chance, content: Content) -> HourlyPlan:
    """Return what was planned, with what was agreed to and decided put in."""
    where = surroundings_of(given, content)
    slots = list(given.slots)
    taken: set[int] = set()
    for one in _commitments(given, where):
        taken |= _put(slots, one, where)
    for reason in given.reasons:
        for intention in _intentions(reason, given, where):
            free = [
                at for at in range(len(slots)) if at not in taken and _is_free(slots[at], where)
            ]
            taken |= _put_intention(slots, intention, free, where)
    return HourlyPlan(
        hours=[
            HourActivity(time=number, activity=slot.activity, place=slot.place)
            for number, slot in enumerate(slots, start=1)
        ]
    )


def _commitments(given: RevisedHoursInput, where: Surroundings) -> list[Commitment]:
    """Return what the reasons and the memories fix for the day, the reasons first."""
    scheduled = [activity for reason in given.reasons for activity in _scheduled_by(reason)]
    new = [scheduled_on(one, where, given.date, given.date) for one in scheduled]
    known = commitments_of(
        [memory for memory in given.memories if memory.origin is MemoryOrigin.AGREED],
        (),
        where,
        given.date,
    )
    return [one for one in new if one is not None] + known


def _scheduled_by(reason: RevisionReason) -> tuple[ScheduledActivity, ...]:
    if isinstance(reason, ActivitiesAgreed):
        return reason.activities
    if isinstance(reason, AdoptedThought) and reason.deed and not reason.minutes_now:
        return (ScheduledActivity(activity=reason.deed),)
    return ()


def _intentions(
    reason: RevisionReason, given: RevisedHoursInput, where: Surroundings
) -> Iterable[Intention]:
    if not isinstance(reason, AdoptedThought) or reason.minutes_now:
        return ()
    decided = ScheduledActivity(activity=reason.deed)
    return intention_in(decided, where, given.date, given.date)


def _put(slots: list[HourSlot], one: Commitment, where: Surroundings) -> set[int]:
    """Give the commitment the slots that it takes much of; return their indices."""
    if not where.lets_in(one.place, one.start, one.end):
        return set()
    taken = set()
    for at, slot in enumerate(slots):
        minutes = min(slot.to_minute, one.end) - max(slot.from_minute, one.start)
        half = (slot.to_minute - slot.from_minute) / 2
        if minutes >= min(OVERLAP_MINUTES_MIN, half) and minutes > 0:
            taken.add(at)
            if slot.place != one.place or one.activity not in slot.activity:
                slots[at] = replace(slot, activity=one.activity, place=one.place)
    return taken


def _put_intention(
    slots: list[HourSlot], one: Intention, free: Sequence[int], where: Surroundings
) -> set[int]:
    place = one.place or where.home
    times = {at: (slots[at].from_minute, slots[at].to_minute) for at in free}
    fitting = [at for at, (start, end) in times.items() if where.lets_in(place, start, end)]
    light = [
        at for at in fitting if DAYLIGHT[0] <= times[at][0] and times[at][1] <= DAYLIGHT[1]
    ] or fitting
    if not light:
        return set()
    chosen = {light[0]} if one.is_errand else {light[0], light[-1]}
    for at in chosen:
        slots[at] = replace(slots[at], activity=one.activity, place=place)
    return chosen


def _is_free(slot: HourSlot, where: Surroundings) -> bool:
    """Whether the slot holds no meal, no duty and no place that the agent keeps."""
    place = where.offered(slot.place)
    is_kept = place is not None and place.opens is not None and where.is_keeper(place)
    vocabulary = where.content.at(slot.place)
    steps = steps_in(slot.activity, slot.from_minute)
    is_fixed = any(vocabulary.activity_for(step.text).role in NOT_FREE for step in steps)
    return (
        slot.to_minute - slot.from_minute >= SLOT_MINUTES_MIN and not is_kept and not is_fixed
    )
