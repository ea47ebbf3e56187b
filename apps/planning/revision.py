"""Planning the rest of a day anew from a moment on, keeping what is past (X2)."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from apps.llm.mind import Mind
from apps.planning.chains.hourly_plan import HourlyPlan, HourSlot
from apps.planning.chains.revised_hours import REVISED_HOURS, HoursToRevise
from apps.planning.circumstances import Circumstances
from apps.planning.events import HoursPlanned, PlannedItem
from apps.planning.offers import place_chosen
from apps.planning.rules import PlanItem
from apps.planning.words import plain_activity


@dataclass(frozen=True, slots=True, kw_only=True)
class FirstThing:
    """What is done at once: an infinitive, the path of where, and for how many ticks."""

    description: str
    place: str
    ticks: int


@dataclass(frozen=True, slots=True)
class _Rest:
    """What is left of a planned hour."""

    item: PlanItem
    from_tick: int
    to_tick: int


def hour_as_item(day: str, hour: PlannedItem) -> PlanItem:
    """Return an hour that has just been planned as it would be read back."""
    return PlanItem(
        number=hour.number,
        parent=hour.parent,
        level="hour",
        day=day,
        description=hour.description,
        place=hour.place,
        object="",
        object_state="",
        emoji="",
        asleep=hour.asleep,
        from_tick=hour.from_tick,
        to_tick=hour.to_tick,
    )


def revise_hours(
    mind: Mind,
    of: Circumstances,
    *,
    rest: Sequence[PlanItem],
    now_tick: int,
    happened: str,
    first: FirstThing | None,
    next_number: int,
) -> HoursPlanned:
    """Return the hours from now on; `rest` are those planned that are not over, in order.

    Asks once; nothing where only sleep is left. The night stays what it was.

    :raises ValueError: if nothing is left of the day.
    """
    if not rest:
        raise ValueError(f"no planned hour is left at tick {now_tick}")
    day = next(item.day for item in rest)
    begins = now_tick if first is None else now_tick + first.ticks
    ends = rest[-1].to_tick
    left = [
        _Rest(item, max(item.from_tick, begins), item.to_tick)
        for item in rest
        if item.to_tick > begins
    ]
    awake = [part for part in left if not part.item.asleep]
    answered = _asked(mind, of, awake, day=day, now_tick=now_tick, happened=happened)
    items = [] if first is None else [_first(first, rest[0], now_tick, min(begins, ends), of)]
    items += [_revised(part, answered.get(part.from_tick)) for part in left]
    return HoursPlanned(
        day=day,
        items=tuple(
            replace(item, number=next_number + index) for index, item in enumerate(items)
        ),
    )


def _asked(
    mind: Mind,
    of: Circumstances,
    awake: Sequence[_Rest],
    *,
    day: str,
    now_tick: int,
    happened: str,
) -> dict[int, tuple[str, str]]:
    """Return what each time that is left is for, and where, by its first tick."""
    if not awake:
        return {}
    given = HoursToRevise(
        agent_name=of.identity.name,
        summary=of.summary,
        memories=tuple(of.memories),
        date=of.date(day),
        now_minute=of.minute(now_tick, day),
        happened=happened,
        slots=tuple(
            HourSlot(
                from_minute=of.minute(part.from_tick, day),
                to_minute=of.minute(part.to_tick, day),
                chunk=part.item.description,
                place=part.item.place,
            )
            for part in awake
        ),
        places=of.places(),
    )
    return _answers(mind.ask(REVISED_HOURS, given), given, awake)


def _answers(
    answer: HourlyPlan, given: HoursToRevise, awake: Sequence[_Rest]
) -> dict[int, tuple[str, str]]:
    """Return the usable answers; a time without one stays as it was planned."""
    by_number = {hour.time: hour for hour in reversed(answer.hours)}
    found = {}
    for number, part in enumerate(awake, start=1):
        hour = by_number.get(number)
        if hour is not None:
            found[part.from_tick] = (
                plain_activity(given.agent_name, hour.activity, default=part.item.description),
                place_chosen(hour.place, given.places, default=part.item.place),
            )
    return found


def _first(
    first: FirstThing, current: PlanItem, now_tick: int, to_tick: int, of: Circumstances
) -> PlannedItem:
    return PlannedItem(
        number=0,
        parent=current.parent,
        description=plain_activity(
            of.identity.name, first.description, default="take a moment"
        ),
        place=first.place,
        from_tick=now_tick,
        to_tick=to_tick,
        asleep=False,
    )


def _revised(part: _Rest, answer: tuple[str, str] | None) -> PlannedItem:
    description, place = answer or (part.item.description, part.item.place)
    return PlannedItem(
        number=0,
        parent=part.item.parent,
        description=description,
        place=place,
        from_tick=part.from_tick,
        to_tick=part.to_tick,
        asleep=part.item.asleep,
    )
