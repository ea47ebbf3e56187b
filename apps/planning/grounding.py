"""Grounding: the area, object, object state and emoji of each action (W2, W4, W7).

The descent of the agent's own tree: the place came with the hour; the model is asked for the
area, then the object, then the effects. An answer that means no offered option is replaced by
a default.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from apps.kernel.text import one_line
from apps.llm.agent_llm import AgentLLM
from apps.planning.circumstances import Circumstances
from apps.planning.inputs import (
    ActionOnObject,
    AreaChoiceInput,
    ObjectChoiceInput,
    PlacedAction,
    StagingInput,
)
from apps.planning.llm_tasks.area_choice import AREA_CHOICE
from apps.planning.llm_tasks.object_choice import NO_OBJECT, OBJECT_CHOICE
from apps.planning.llm_tasks.staging import PLAIN_EMOJI, PLAIN_STATE, STAGING
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
    llm: AgentLLM, of: Circumstances, actions: Sequence[str], *, place: str, current_area: str
) -> dict[str, Grounded]:
    """Return the grounding of each action; asks one to three times."""
    areas = of.areas(place)
    default = default_area(of, areas, place=place, current_area=current_area)
    where = _areas_of(
        llm,
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
        llm,
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
    return _staged(llm, staged, where)


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


def _areas_of(llm: AgentLLM, inputs: AreaChoiceInput) -> dict[str, str]:
    """Return the area of each action; where there is no choice nothing is asked."""
    if len(inputs.areas) < 2:
        return dict.fromkeys(inputs.actions, inputs.default)
    options = [area.path for area in inputs.areas]
    answers = {choice.action: choice.area for choice in llm.ask(AREA_CHOICE, inputs).choices}
    return {
        action: chosen(answers.get(number, ""), options) or inputs.default
        for number, action in enumerate(inputs.actions, start=1)
    }


def stage(llm: AgentLLM, name: str, doing: str, used: str) -> tuple[str, str]:
    """Return the emoji of an action, and the state of its object; asks once."""
    inputs = StagingInput(agent_name=name, actions=(ActionOnObject(doing, used),))
    looks = _staged(llm, inputs, {doing: ""})[doing]
    return looks.emoji, looks.object_state


def _areas_used(
    of: Circumstances, areas: Sequence[OfferedArea], where: Mapping[str, str]
) -> tuple[OfferedArea, ...]:
    """Return the areas that actions are in, with their objects."""
    used = frozenset(where.values())
    missing = used - {area.path for area in areas}
    elsewhere = [area for path in sorted(missing) for area in of.areas(path)]
    return tuple(area for area in (*areas, *elsewhere) if area.path in used)


def _objects_of(llm: AgentLLM, inputs: ObjectChoiceInput) -> dict[str, str]:
    """Return the path of each action's object, "" for none."""
    if not any(area.objects for area in inputs.areas):
        return {action.description: "" for action in inputs.actions}
    options = {
        area.path: [f"{area.path}: {name}" for name in area.objects] for area in inputs.areas
    }
    answers = {
        choice.action: choice.object for choice in llm.ask(OBJECT_CHOICE, inputs).choices
    }
    return {
        action.description: _object(
            answers.get(number, NO_OBJECT), options.get(action.area, [])
        )
        for number, action in enumerate(inputs.actions, start=1)
    }


def _object(answer: str, options: Sequence[str]) -> str:
    if answer.strip().casefold() in {"", NO_OBJECT, "nothing", "no object"}:
        return ""
    return chosen(answer, options) or ""


def _staged(
    llm: AgentLLM, inputs: StagingInput, where: Mapping[str, str]
) -> dict[str, Grounded]:
    """Return the grounding; an action without a staging gets the plain emoji and state."""
    answers = {staging.action: staging for staging in llm.ask(STAGING, inputs).stagings}
    grounded = {}
    for number, action in enumerate(inputs.actions, start=1):
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
