"""Says what each hour of an outlined day holds (stand-in, not a language model)."""

import re
from collections.abc import Sequence

from apps.llm.offline import Chance
from apps.planning.chains.hourly_plan import (
    HourActivity,
    HourlyPlan,
    HourSlot,
    HoursToPlan,
)
from apps.planning.offline.activities import activity_for
from apps.planning.offline.eating import AFTER_MEAL, EATING, LINGERING, MEAL_OUT
from apps.planning.offline.furniture import seated
from apps.planning.offline.telling import Told, as_text, shares, told_steps
from apps.planning.offline.vocabulary import THING, Activity, HourText, When

_DAY = re.compile(r" (\d{1,2})\b")
MEALS = ("breakfast", "lunch", "dinner")
REST_AFTER, LINGER_AFTER = "rest a while after {}", "linger after {}"
AFTERWARDS = (AFTER_MEAL, LINGERING)
Entry = tuple[int, Told]  # the index of a slot and a step told for it


def hourly_plan(given: HoursToPlan, chance: Chance) -> HourlyPlan:
    """Return one activity for each slot, at the place that its chunk names."""
    entries = _entries(given.slots)
    kinds = [activity_for(step.text) for _, step in entries]
    texts: list[str] = []
    for index, ((slot, step), kind) in enumerate(zip(entries, kinds, strict=True)):
        fitting = _fitting(kind, _when(kinds, index))
        turn = _turn(given, given.slots[slot].place)
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
            for number, slot in enumerate(given.slots)
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
        shared[0] = _once(shared[0], entries[-1][1].text if slot is not begun else "")
        entries.extend((index, step) for step in shared)
    return entries


def _once(step: Told, before: str) -> Told:
    """Return the step; of a meal that went before, the rest after it."""
    kind = activity_for(step.text)
    if kind not in EATING or not (before == step.text or activity_for(before) in AFTERWARDS):
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
