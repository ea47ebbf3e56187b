"""The task of planning the hours of a day: what each piece of a chunk holds (P1)."""

from collections.abc import Iterable, Sequence

from apps.planning.chains.hourly_plan import HourActivity, HourlyPlan
from apps.planning.inputs import HourlyPlanInput, HourSlot
from apps.rule_model.content import Activity, Content, Hour, Vocabulary
from apps.rule_model.model import Chance
from apps.rule_model.planning.places import Surroundings, surroundings_of
from apps.rule_model.planning.steps_in_text import (
    Stated,
    as_text,
    longest,
    shares,
    steps_in,
)
from apps.rule_model.planning.timeline import ACTIVITY_CHARACTERS_MAX
from apps.rule_model.planning.wording import seated, wording_of

REST_AFTER = "rest a while after {meal}"


def hourly_plan(given: HourlyPlanInput, chance: Chance, content: Content) -> HourlyPlan:
    """Return one activity for each slot, at the place that its chunk or its step names."""
    where = surroundings_of(given, content)
    places = _places(given.slots, where)
    entries = _entries(given.slots, places, where)
    kinds = [content.at(places[at]).activity_for(step.text) for at, step in entries]
    texts: list[str] = []
    for index, (at, step) in enumerate(entries):
        turn = _turn(given, places[at])
        fitting = kinds[index].hours_at(_position(kinds, index))
        texts.append(_hour_text(step.text, kinds[index], fitting, texts, turn, chance))
    told = list(zip(entries, texts, strict=True))
    hours = [
        _in_one([Stated(step.start, text) for (at, step), text in told if at == number])
        for number in range(len(places))
    ]
    return HourlyPlan(
        hours=[
            HourActivity(time=number, activity=activity, place=place)
            for number, (activity, place) in enumerate(zip(hours, places, strict=True), start=1)
        ]
    )


def _in_one(steps: Sequence[Stated]) -> str:
    """Return the steps of an hour as one activity, the last alone where all are too long."""
    text = as_text(steps)
    return text if len(text) <= ACTIVITY_CHARACTERS_MAX else steps[-1].text


def _stated(slots: Sequence[HourSlot]) -> Iterable[tuple[HourSlot, list[Stated]]]:
    """Yield each slot with the steps of its chunk, which began with an earlier slot."""
    begun = slots[0] if slots else None
    for slot in slots:
        if begun is None or (slot.activity, slot.place) != (begun.activity, begun.place):
            begun = slot
        yield slot, steps_in(slot.activity, begun.from_minute)


def _places(slots: Sequence[HourSlot], where: Surroundings) -> list[str]:
    """Return where each slot is spent: a chunk of several steps may name several places."""
    places = []
    for slot, steps in _stated(slots):
        place = slot.place
        if len(steps) > 1:
            main = longest(steps, slot.from_minute, slot.to_minute)
            named = where.named(main.text) if main is not steps[0] else ""
            place = where.narrowed(named, main.text) if named else slot.place
        is_open = where.lets_in(place, slot.from_minute, slot.to_minute)
        places.append(place if is_open else slot.place)
    return places


def _entries(
    slots: Sequence[HourSlot], places: Sequence[str], where: Surroundings
) -> list[tuple[int, Stated]]:
    """Return what each slot is for, with its index; a chunk of several things is shared out."""
    entries: list[tuple[int, Stated]] = []
    stated = list(_stated(slots))
    for index, (slot, steps) in enumerate(stated):
        vocabulary = where.content.at(places[index])
        here = [
            step
            for step in shares(steps, slot.from_minute, slot.to_minute)
            if len(steps) == 1 or _is_at(step, places[index], slot, where)
        ]
        shared = here or [longest(steps, slot.from_minute, slot.to_minute)]
        if index and stated[index - 1][1] == steps:
            shared[0] = _once(shared[0], entries[-1][1].text, vocabulary)
        entries.extend((index, step) for step in shared)
    return entries


def _is_at(step: Stated, place: str, slot: HourSlot, where: Surroundings) -> bool:
    """Whether the step is done at the place of its slot."""
    named = where.named(step.text) or slot.place
    return named.partition(": ")[0] == place.partition(": ")[0]


def _once(step: Stated, before: str, vocabulary: Vocabulary) -> Stated:
    """Return the step; a meal that was eaten is rested after."""
    kind, done = vocabulary.activity_for(step.text), vocabulary.activity_for(before)
    if kind.role != "meal" or not (before == step.text or done.stage == "eaten"):
        return step
    after = kind.after or REST_AFTER
    return Stated(step.start, wording_of(step.text, kind).fill(after))


def _turn(given: HourlyPlanInput, place: str) -> int:
    """Return whose turn it is of the people who share the place: another each day."""
    residents = next((at.residents for at in given.places if at.path == place), ())
    order = residents.index(given.agent_name) if given.agent_name in residents else 0
    return order + given.date.toordinal()


def _position(kinds: Sequence[Activity], index: int) -> str:
    """Return "first" for a kind's first hour of the day, "last" for its last one."""
    same = [at for at, kind in enumerate(kinds) if kind is kinds[index]]
    if len(same) > 1 and index == same[0]:
        return "first"
    return "last" if len(same) > 1 and index == same[-1] else "any"


def _hour_text(
    step: str,
    kind: Activity,
    hours: Sequence[Hour],
    used: Sequence[str],
    turn: int,
    chance: Chance,
) -> str:
    """Return the hour's words; an activity with one sort of hour keeps the plan's words."""
    if len(kind.hours) == 1 and not kind.by_turns:
        return step
    words = wording_of(step, kind)
    told = [seated(words.fill(hour.text), step) if hour.text else step for hour in hours]
    if kind.by_turns:
        return told[turn % len(told)]
    fresh = [text for text in told if text not in used[-2:]] or told
    rare = [text for text in fresh if text not in used] or fresh
    return chance.choice(rare, "hour", len(used))
