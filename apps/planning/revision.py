"""Revising the rest of a planned day; what is past stays as it was (X2)."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date

from apps.llm.agent_llm import AgentLLM
from apps.planning.circumstances import Circumstances
from apps.planning.decisions import activities_and_places, slot_of
from apps.planning.events import HoursPlanned, PlannedItem
from apps.planning.inputs import RevisedHoursInput, RevisionReason
from apps.planning.llm_tasks.revised_hours import REVISED_HOURS
from apps.planning.rules import PlanItem
from apps.planning.tiling import Span


@dataclass(frozen=True, slots=True, kw_only=True)
class FirstThing:
    """What is done at once: an infinitive, the path of a place or area, and the length."""

    description: str
    place: str
    ticks: int


def hour_as_item(day: str, hour: PlannedItem) -> PlanItem:
    """Return an hour that has just been planned as it is read back."""
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
        continues=hour.continues,
        from_tick=hour.from_tick,
        to_tick=hour.to_tick,
    )


def revise_hours(
    llm: AgentLLM,
    of: Circumstances,
    *,
    rest: Sequence[PlanItem],
    now_tick: int,
    reasons: tuple[RevisionReason, ...],
    first: FirstThing | None,
    next_number: int,
) -> HoursPlanned:
    """Return the hours from now on; `rest` are those planned that are not over, in order.

    Asks once; nothing where only sleep is left. The night stays what it was. The rest of an
    hour that has begun continues that hour.

    :raises ValueError: if nothing is left of the day.
    """
    if not rest:
        raise ValueError(f"no planned hour is left at tick {now_tick}")
    day = rest[0].day
    begins = now_tick if first is None else now_tick + first.ticks
    left = [
        replace(item, from_tick=max(item.from_tick, begins), continues=_continued(item, begins))
        for item in rest
        if item.to_tick > begins
    ]
    items = [] if first is None else [_first(first, rest, now_tick)]
    items += _revised(llm, of, left, day=day, now_tick=now_tick, reasons=reasons)
    return HoursPlanned(
        day=day,
        items=tuple(
            replace(item, number=next_number + index) for index, item in enumerate(items)
        ),
    )


def _continued(item: PlanItem, begins: int) -> int:
    """Return the number of the hour that the rest of an item continues, 0 for a whole item."""
    if item.from_tick >= begins:
        return item.continues
    return item.continues or item.number


def _revised(
    llm: AgentLLM,
    of: Circumstances,
    left: Sequence[PlanItem],
    *,
    day: str,
    now_tick: int,
    reasons: tuple[RevisionReason, ...],
) -> list[PlannedItem]:
    """Return what is left of the day; a time without an answer stays as it was planned."""
    awake = [item for item in left if not item.asleep]
    if not awake:
        return [_planned(item, item.description, item.place) for item in left]
    inputs = RevisedHoursInput(
        agent_name=of.identity.name,
        summary=of.summary,
        memories=of.memories,
        date=date.fromisoformat(day),
        now_minute=of.minute(now_tick, day),
        reasons=reasons,
        slots=tuple(
            slot_of(
                item.description,
                item.place,
                Span(item.from_tick, item.to_tick),
                day=day,
                of=of,
            )
            for item in awake
        ),
        places=of.places(),
    )
    answered = iter(
        activities_and_places(
            llm.ask(REVISED_HOURS, inputs),
            [(item.description, item.place) for item in awake],
            inputs.places,
        )
    )
    return [
        _planned(item, *((item.description, item.place) if item.asleep else next(answered)))
        for item in left
    ]


def _first(first: FirstThing, rest: Sequence[PlanItem], now_tick: int) -> PlannedItem:
    return PlannedItem(
        number=0,
        parent=rest[0].parent,
        description=first.description,
        place=first.place,
        from_tick=now_tick,
        to_tick=min(now_tick + first.ticks, rest[-1].to_tick),
        asleep=False,
    )


def _planned(item: PlanItem, description: str, place: str) -> PlannedItem:
    return PlannedItem(
        number=0,
        parent=item.parent,
        description=description,
        place=place,
        from_tick=item.from_tick,
        to_tick=item.to_tick,
        asleep=item.asleep,
        continues=item.continues,
    )
