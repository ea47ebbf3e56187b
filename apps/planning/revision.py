"""Revision of the rest of a planned day (X2)."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from datetime import date

from apps.llm.agent_llm import AgentLLM
from apps.planning.context import PlanningContext
from apps.planning.decisions import activities_and_places, planned_item
from apps.planning.events import HoursPlanned, PlannedItem
from apps.planning.inputs import RevisedHoursInput, RevisionReason
from apps.planning.llm_tasks.revised_hours import REVISED_HOURS
from apps.planning.rules import PlanItem
from apps.planning.tiling import Span


@dataclass(frozen=True, slots=True, kw_only=True)
class ImmediateActivity:
    """An immediate activity: an infinitive, the path of a place or area, and the length."""

    description: str
    place: str
    ticks: int


def stored_hour(day: str, hour: PlannedItem) -> PlanItem:
    """Return a newly planned hour as a stored item."""
    return PlanItem(level="hour", day=day, **asdict(hour))


def revise_hours(
    llm: AgentLLM,
    context: PlanningContext,
    *,
    rest: Sequence[PlanItem],
    now_tick: int,
    reasons: tuple[RevisionReason, ...],
    first: ImmediateActivity | None,
    next_number: int,
) -> HoursPlanned:
    """Return the hours from now on; `rest` are the planned hours that are not over, in order.

    Calls the model once, or never if only sleep is left. Sleep is not revised. The rest of
    an interrupted hour continues that hour.

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
    items = []
    if first is not None:
        span = Span(now_tick, min(begins, rest[-1].to_tick))
        items.append(planned_item(span, first.description, first.place, parent=rest[0].parent))
    items += _revised(llm, context, left, day=day, now_tick=now_tick, reasons=reasons)
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
    context: PlanningContext,
    left: Sequence[PlanItem],
    *,
    day: str,
    now_tick: int,
    reasons: tuple[RevisionReason, ...],
) -> list[PlannedItem]:
    """Return the rest of the day; a time without an answer keeps its plan."""
    awake = [item for item in left if not item.asleep]
    answered = iter(_answered(llm, context, awake, day, now_tick, reasons) if awake else ())
    items = []
    for item in left:
        activity, place = (item.description, item.place) if item.asleep else next(answered)
        span = Span(item.from_tick, item.to_tick)
        revised = planned_item(span, activity, place, parent=item.parent)
        items.append(replace(revised, asleep=item.asleep, continues=item.continues))
    return items


def _answered(
    llm: AgentLLM,
    context: PlanningContext,
    awake: Sequence[PlanItem],
    day: str,
    now_tick: int,
    reasons: tuple[RevisionReason, ...],
) -> list[tuple[str, str]]:
    """Return the activity and the place of each waking item, after one call of the model."""
    slots = [
        context.slot(item.description, item.place, Span(item.from_tick, item.to_tick), day)
        for item in awake
    ]
    inputs = RevisedHoursInput(
        agent_name=context.identity.name,
        summary=context.summary,
        memories=context.memories,
        date=date.fromisoformat(day),
        now_minute=context.minute(now_tick, day),
        reasons=reasons,
        slots=tuple(slots),
        places=context.places(),
    )
    planned = [(slot.activity, slot.place) for slot in slots]
    return activities_and_places(llm.ask(REVISED_HOURS, inputs), planned)
