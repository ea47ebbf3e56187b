"""The actions of an hour: one call of the model, and the plan items of its answer (P1, W2)."""

from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import TypedDict

from apps.agents.acts import ActKind
from apps.agents.status import Deed
from apps.kernel.language import noted, phrase
from apps.kernel.text import one_line
from apps.llm.calls.agent_llm import AgentLLM
from apps.planning.context import PlanningContext
from apps.planning.events import ActionsPlanned, PlannedAction, PlannedItem
from apps.planning.inputs import EarlierWork, HourActionsInput, Surroundings
from apps.planning.llm_tasks.hour_actions import HOUR_ACTIONS, NO_OBJECT, HourAction, times_of
from apps.planning.rules import PlannedHour
from apps.planning.surroundings import AreaOption
from apps.planning.tiling import Span
from apps.world.norms import keepers_of

SLEEPING = noted("sleeping")
SLEEP_EMOJI = "😴"
BED_STATE = noted("occupied by a sleeper")
SLEEP_IMPORTANCE = 1


class ActFields(TypedDict, total=False):
    """The fields of a planned action that concern other agents."""

    act: ActKind
    other: str
    about: str
    with_agents: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class HourSoFar:
    """What the actions of an hour follow: the hour's beginning as the agent experiences it.

    `previous` is the previous action, "" without one; `done` are the finished actions of the
    hour, `done_before` what it may go on with, `performed` what was done of the day so far;
    `next_activity` is that of the next hour, ""
    without one; `given_up` are the objects for which the agent waited in vain.
    """

    previous: str = ""
    done: tuple[str, ...] = ()
    done_before: tuple[EarlierWork, ...] = ()
    performed: tuple[Deed, ...] = ()
    next_activity: str = ""
    surroundings: Surroundings = field(default_factory=Surroundings)
    given_up: frozenset[str] = frozenset()


def plan_actions(
    llm: AgentLLM,
    context: PlanningContext,
    *,
    hour: PlannedHour,
    now_tick: int,
    so_far: HourSoFar,
    next_number: int,
) -> ActionsPlanned:
    """Return the actions of the rest of an hour, with areas and objects (P1, W2).

    Calls the model once, or never for an hour of sleep, which is one action. An action of the
    answer is one item, however long it is, with the walk to its area before it.

    :raises ValueError: if the hour is over.
    """
    span = Span(max(now_tick, hour.from_tick), hour.to_tick)
    if span.ticks <= 0:
        raise ValueError(f"the hour {hour.number} is over at tick {now_tick}")
    if hour.asleep:
        return ActionsPlanned(
            parent=hour.number, items=(_sleep(next_number, hour, span, context),)
        )
    inputs = _input(hour, span, context, so_far)
    answer = llm.ask(HOUR_ACTIONS, inputs)
    day = inputs.date.isoformat()
    _, *later = (context.tick(one.start, day) for one in times_of(inputs, answer.actions))
    items = tuple(
        _action(next_number + index, hour, action, Span(start, end), inputs)
        for index, (action, (start, end)) in enumerate(
            zip(answer.actions, pairwise([span.from_tick, *later, span.to_tick]), strict=True)
        )
    )
    return ActionsPlanned(parent=hour.number, items=items)


def _input(
    hour: PlannedHour, span: Span, context: PlanningContext, so_far: HourSoFar
) -> HourActionsInput:
    day = context.calendar.time_at(span.from_tick).date()
    areas = tuple(_without(area, so_far.given_up) for area in _areas(context, hour.place, span))
    current = so_far.surroundings.current_area
    begins, ends = (
        context.minute(at, day.isoformat()) for at in (span.from_tick, span.to_tick)
    )
    longest_walk = max(0, ends - begins - context.settings.action_minutes_min)
    walk = min(context.walk_to(hour.place) or 0, longest_walk)
    return HourActionsInput(
        **context.inputs(day),
        previous=so_far.previous,
        done=so_far.done,
        done_before=so_far.done_before,
        performed=so_far.performed,
        activity=hour.description,
        place=hour.place,
        next_activity=so_far.next_activity,
        from_minute=begins + walk,
        to_minute=ends,
        walk_minutes=walk,
        walks={current: context.walks}
        | {area.path: context.walks_from(area.path) for area in areas if area.path != current},
        minutes_min=context.settings.action_minutes_min,
        minutes_max=context.settings.action_minutes_max,
        areas=areas,
        default_area=_default_area(context, areas, hour.place, so_far.surroundings),
        surroundings=so_far.surroundings,
        keepers=keepers_of(context.tree, hour.place) if hour.place in context.tree else (),
        is_home=context.tree.place_of(hour.place) == context.home_place,
    )


def _areas(context: PlanningContext, place: str, span: Span) -> tuple[AreaOption, ...]:
    """Return the known areas of the place; of a place without any, the home."""
    known = context.areas(place, span) or context.areas(context.home_place)
    return known or (AreaOption(path=context.identity.home),)


def _without(area: AreaOption, objects: frozenset[str]) -> AreaOption:
    """Return the area without the objects of these paths."""
    left = (name for name in area.objects if f"{area.path}: {name}" not in objects)
    return replace(area, objects=tuple(left))


def _default_area(
    context: PlanningContext,
    areas: tuple[AreaOption, ...],
    place: str,
    surroundings: Surroundings,
) -> str:
    """Return the area of the fallback.

    It is the area of the hour, else the current area or the home if it is in the place, else
    the first area.
    """
    paths = [area.path for area in areas]
    preferred = (place, surroundings.current_area, context.identity.home)
    return next((path for path in preferred if path in paths), paths[0])


def _action(
    number: int, hour: PlannedHour, answer: HourAction, span: Span, inputs: HourActionsInput
) -> PlannedAction:
    area = inputs.area_of(answer.area)
    assert area is not None, "the check of the task has accepted the area"
    place = area.path.removesuffix(area.name)
    has_object = answer.object != NO_OBJECT
    return PlannedAction(
        number=number,
        parent=hour.number,
        description=one_line(answer.description),
        area=area.path,
        object=f"{place}{answer.object}" if has_object else "",
        object_state=one_line(answer.object_state) if has_object else "",
        emoji=one_line(answer.emoji),
        from_tick=span.from_tick,
        to_tick=span.to_tick,
        asleep=False,
        importance=answer.importance,
        **_act(answer, inputs),
    )


def _act(answer: HourAction, inputs: HourActionsInput) -> ActFields:
    """Return the fields of an answered action that concern other agents."""
    act = answer.act
    slugs = {agent.name: agent.slug for agent in inputs.surroundings.agents}
    if act is None:
        names = dict.fromkeys(answer.with_agents)
        return {"with_agents": tuple(slugs[name] for name in names)}
    kind = ActKind(act.kind)
    return {
        "act": kind,
        "other": slugs.get(act.agent, "") if kind.may_name_agent else "",
        "about": one_line(act.about),
    }


def _sleep(
    number: int, hour: PlannedHour | PlannedItem, span: Span, context: PlanningContext
) -> PlannedAction:
    return PlannedAction(
        number=number,
        parent=hour.number,
        description=phrase(SLEEPING),
        area=context.sleeping_area,
        object=context.identity.bed,
        object_state=phrase(BED_STATE),
        emoji=SLEEP_EMOJI,
        from_tick=span.from_tick,
        to_tick=span.to_tick,
        asleep=True,
        importance=SLEEP_IMPORTANCE,
    )
