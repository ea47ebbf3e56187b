"""Says what each hour of an outlined day holds (stand-in, not a language model)."""

import re
from collections.abc import Sequence

from apps.planning.chains.hourly_plan import (
    HourActivity,
    HourlyPlan,
    HourSlot,
    HoursToPlan,
)
from apps.rule_model.model import Chance
from apps.rule_model.planning.activities import activity_for
from apps.rule_model.planning.agreed import with_appointments
from apps.rule_model.planning.eating import EATEN, EATING, HALVES, MEAL_OUT, READIED
from apps.rule_model.planning.furniture import seated
from apps.rule_model.planning.resolved import with_resolutions
from apps.rule_model.planning.telling import Told, as_text, shares, told_steps
from apps.rule_model.planning.vocabulary import THING, Activity, HourText, When

_DAY = re.compile(r" (\d{1,2})\b")
HOUR, QUARTER = 60, 15
MEALS = ("breakfast", "lunch", "dinner")
REST_AFTER, LINGER_AFTER = "rest a while after {}", "linger after {}"
# A meal that has less of its first hour than this is eaten in the next.
MEAL_MINUTES_MIN = 45
Entry = tuple[int, Told]  # the index of a slot and a step told for it


def hourly_plan(given: HoursToPlan, chance: Chance) -> HourlyPlan:
    """Return one activity for each slot, at the place that its chunk names."""
    agreed = with_appointments(
        given.slots, given.agent_name, given.memories, date=given.date, places=given.places
    )
    slots = with_resolutions(
        agreed, given.agent_name, given.memories, date=given.date, places=given.places
    )
    entries = _entries(slots)
    kinds = [activity_for(step.text) for _, step in entries]
    texts: list[str] = []
    for index, ((slot, step), kind) in enumerate(zip(entries, kinds, strict=True)):
        fitting = _fitting(kind, _when(kinds, index))
        turn = _turn(given, slots[slot].place)
        texts.append(_hour_text(step.text, kind, fitting, used=texts, turn=turn, chance=chance))
    return HourlyPlan(
        hours=[
            HourActivity(
                time=number + 1,
                activity=as_text(
                    [
                        Told(step.start, text)
                        for (at, step), text in zip(entries, texts, strict=True)
                        if at == number
                    ]
                ),
                place=slot.place,
            )
            for number, slot in enumerate(slots)
        ]
    )


def _entries(slots: Sequence[HourSlot]) -> list[Entry]:
    """Return what each slot is for: a chunk that tells several things is shared out."""
    entries: list[Entry] = []
    begun = slots[0]
    for index, slot in enumerate(slots):
        if slot.chunk != begun.chunk:
            begun = slot
        steps = told_steps(slot.chunk, begun.from_minute)
        shared = shares(steps, slot.from_minute, slot.to_minute)
        goes_on = index + 1 < len(slots) and slots[index + 1].chunk == slot.chunk
        if goes_on and _begins_late(shared[-1], slot, steps):
            shared[-1] = Told(shared[-1].start, _half(shared[-1].text, 0))
        if slot is not begun:
            shared[0] = _once(shared[0], entries[-1][1].text)
        entries.extend((index, step) for step in shared)
    return entries


def _begins_late(step: Told, slot: HourSlot, steps: Sequence[Told]) -> bool:
    """Say whether a meal begins so late in the slot that it is eaten in the next one."""
    last = next(told for told in reversed(steps) if told.text == step.text)
    after = [told.start for told in steps if told.start > last.start]
    return (
        activity_for(step.text) in HALVES
        and last.start >= slot.from_minute
        and slot.to_minute - step.start < MEAL_MINUTES_MIN
        and min(after, default=slot.to_minute + HOUR) - slot.to_minute >= QUARTER
    )


def _half(text: str, half: int) -> str:
    """Return one half of a meal: it is got ready, then it is eaten."""
    kind = activity_for(text)
    assert kind in HALVES, "only a meal has halves"
    return HALVES[kind][half].format(_meal_in(text))


def _once(step: Told, before: str) -> Told:
    """Return the step; a meal that was got ready is eaten, and rested after once it is."""
    kind, done = activity_for(step.text), activity_for(before)
    if kind in HALVES and done in READIED:
        return Told(step.start, _half(step.text, 1))
    if kind not in EATING or not (before == step.text or done in EATEN):
        return step
    after = LINGER_AFTER if kind is MEAL_OUT else REST_AFTER
    return Told(step.start, after.format(_meal_in(step.text)))


def _meal_in(text: str) -> str:
    return next((meal for meal in MEALS if meal in text), "the meal")


def _turn(given: HoursToPlan, place: str) -> int:
    """Return whose turn it is of those who share the place: another each day."""
    residents = next((at.residents for at in given.places if at.path == place), ())
    order = residents.index(given.agent_name) if given.agent_name in residents else 0
    day = _DAY.search(given.date)
    return order + (int(day[1]) if day else 0)


def _when(kinds: Sequence[Activity | None], index: int) -> When:
    """Return FIRST for a kind's first hour of the day, LAST for its last one."""
    same = [at for at, kind in enumerate(kinds) if kind is kinds[index]]
    if len(same) > 1 and index == same[0]:
        return When.FIRST
    return When.LAST if len(same) > 1 and index == same[-1] else When.ANY


def _fitting(kind: Activity | None, when: When) -> list[HourText]:
    if kind is None:
        return []
    fitting = [hour for hour in kind.hours if hour.when is when]
    return fitting or [hour for hour in kind.hours if hour.when is When.ANY]


def _hour_text(
    step: str,
    kind: Activity | None,
    fitting: Sequence[HourText],
    *,
    used: Sequence[str],
    turn: int,
    chance: Chance,
) -> str:
    """Return the hour's text; a meal or an outing keeps its own words, which name the place."""
    if kind is None or (len(kind.hours) == 1 and not kind.by_turns):
        return step
    said = [seated(hour.text.replace(THING, kind.thing_in(step)), step) for hour in fitting]
    if kind.by_turns:
        return said[turn % len(said)]
    fresh = [text for text in said if text not in used[-2:]] or said
    rare = [text for text in fresh if text not in used] or fresh
    return chance.choice(rare, "hour", len(used))
