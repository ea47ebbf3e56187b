"""Grounding: the area, object, object state and emoji of each action (W2, W4, W7).

The descent of the agent's own tree: the place came with the hour; the model is asked for the
area, then the object, then the effects. An answer that means no offered option is replaced by
a default.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from apps.kernel.text import one_line
from apps.llm.mind import Mind
from apps.planning.chains.area_choice import AREA_CHOICE
from apps.planning.chains.object_choice import NO_OBJECT, OBJECT_CHOICE
from apps.planning.chains.staging import PLAIN_EMOJI, PLAIN_STATE, STAGING
from apps.planning.circumstances import Circumstances
from apps.planning.inputs import (
    ActionOnObject,
    AreaChoiceInput,
    ObjectChoiceInput,
    PlacedAction,
    StagingInput,
)
from apps.planning.matching import chosen
from apps.planning.offers import OfferedArea


@dataclass(frozen=True, slots=True, kw_only=True)
class Grounded:
    """The area, object, object state and emoji of an action; no object is ""."""

    area: str
    object: str
    object_state: str
    emoji: str


def ground(
    mind: Mind, of: Circumstances, actions: Sequence[str], *, place: str, current_area: str
) -> dict[str, Grounded]:
    """Return the grounding of each action; asks one to three times."""
    areas = of.areas(place)
    default = default_area(of, areas, place=place, current_area=current_area)
    where = _areas_of(
        mind,
        AreaChoiceInput(
            agent_name=of.identity.name,
            place=place,
            current_area=current_area,
            actions=tuple(actions),
            areas=areas,
            default=default,
        ),
    )
    offered = _areas_used(of, areas, where)
    objects = _objects_of(
        mind,
        ObjectChoiceInput(
            agent_name=of.identity.name,
            actions=tuple(PlacedAction(action, where[action]) for action in actions),
            areas=offered,
        ),
    )
    staged = StagingInput(
        agent_name=of.identity.name,
        actions=tuple(ActionOnObject(action, objects[action]) for action in actions),
    )
    return _staged(mind, staged, where)


def default_area(
    of: Circumstances, areas: Sequence[OfferedArea], *, place: str, current_area: str
) -> str:
    """Return the area for an answer that means none of those offered.

    The hour's own area if it names one, else the current area or the home if it is at the
    place, else the place's first known area, else the home.
    """
    paths = [area.path for area in areas]
    wanted = (place, current_area, of.identity.home)
    return next((path for path in wanted if path in paths), (*paths, of.identity.home)[0])


def _areas_of(mind: Mind, given: AreaChoiceInput) -> dict[str, str]:
    """Return the area of each action; where there is no choice nothing is asked."""
    if len(given.areas) < 2:
        return dict.fromkeys(given.actions, given.default)
    options = [area.path for area in given.areas]
    answers = {choice.action: choice.area for choice in mind.ask(AREA_CHOICE, given).choices}
    return {
        action: chosen(answers.get(number, ""), options) or given.default
        for number, action in enumerate(given.actions, start=1)
    }


def stage(mind: Mind, name: str, doing: str, used: str) -> tuple[str, str]:
    """Return the emoji of an action, and the state of its object; asks once."""
    given = StagingInput(agent_name=name, actions=(ActionOnObject(doing, used),))
    looks = _staged(mind, given, {doing: ""})[doing]
    return looks.emoji, looks.object_state


def _areas_used(
    of: Circumstances, areas: Sequence[OfferedArea], where: Mapping[str, str]
) -> tuple[OfferedArea, ...]:
    """Return the areas that actions are in, with their objects."""
    used = frozenset(where.values())
    missing = used - {area.path for area in areas}
    elsewhere = [area for path in sorted(missing) for area in of.areas(path)]
    return tuple(area for area in (*areas, *elsewhere) if area.path in used)


def _objects_of(mind: Mind, given: ObjectChoiceInput) -> dict[str, str]:
    """Return the path of each action's object, "" for none."""
    if not any(area.objects for area in given.areas):
        return {action.description: "" for action in given.actions}
    options = {
        area.path: [f"{area.path}: {name}" for name in area.objects] for area in given.areas
    }
    answers = {
        choice.action: choice.object for choice in mind.ask(OBJECT_CHOICE, given).choices
    }
    return {
        action.description: _object(
            answers.get(number, NO_OBJECT), options.get(action.area, [])
        )
        for number, action in enumerate(given.actions, start=1)
    }


def _object(answer: str, options: Sequence[str]) -> str:
    if answer.strip().casefold() in {"", NO_OBJECT, "nothing", "no object"}:
        return ""
    return chosen(answer, options) or ""


def _staged(mind: Mind, given: StagingInput, where: Mapping[str, str]) -> dict[str, Grounded]:
    """Return the grounding; an action without a staging gets the plain emoji and state."""
    answers = {staging.action: staging for staging in mind.ask(STAGING, given).stagings}
    grounded = {}
    for number, action in enumerate(given.actions, start=1):
        staging = answers.get(number)
        emoji, state = PLAIN_EMOJI, PLAIN_STATE
        if staging is not None:
            emoji, state = one_line(staging.emoji), one_line(staging.object_state)
        grounded[action.description] = Grounded(
            area=where[action.description],
            object=action.object,
            object_state=state if action.object else "",
            emoji=emoji,
        )
    return grounded
