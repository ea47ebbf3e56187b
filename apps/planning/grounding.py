"""Grounding: the area, object, object state and emoji of each action (W2, W4, W7).

The model is asked for the area in the place of the hour, then for the object, then for the
effects. An answer without a candidate is replaced by a default.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from apps.kernel.text import one_line
from apps.llm.agent_llm import AgentLLM
from apps.planning.context import PlanningContext
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
from apps.planning.options import AreaOption


@dataclass(frozen=True, slots=True, kw_only=True)
class Grounded:
    """The grounding of an action; `object` and `object_state` are "" without an object."""

    area: str
    object: str
    object_state: str
    emoji: str


def ground(
    llm: AgentLLM,
    context: PlanningContext,
    actions: Sequence[str],
    *,
    place: str,
    current_area: str,
) -> dict[str, Grounded]:
    """Return the grounding of each action, after one to three calls of the model."""
    name = context.identity.name
    candidates = context.areas(place)
    areas = _choose_areas(
        llm,
        AreaChoiceInput(
            agent_name=name,
            place=place,
            current_area=current_area,
            actions=tuple(actions),
            areas=candidates,
            default=default_area(context, candidates, place=place, current_area=current_area),
        ),
    )
    objects = _choose_objects(
        llm,
        ObjectChoiceInput(
            agent_name=name,
            actions=tuple(PlacedAction(action, areas[action]) for action in actions),
            areas=_areas_used(context, candidates, areas),
        ),
    )
    effects = StagingInput(
        agent_name=name,
        actions=tuple(ActionOnObject(action, objects[action]) for action in actions),
    )
    return _choose_effects(llm, effects, areas)


def choose_effects(llm: AgentLLM, name: str, doing: str, used: str) -> tuple[str, str]:
    """Return the emoji of an action and the state of its object, after one call."""
    inputs = StagingInput(agent_name=name, actions=(ActionOnObject(doing, used),))
    effects = _choose_effects(llm, inputs, {doing: ""})[doing]
    return effects.emoji, effects.object_state


def default_area(
    context: PlanningContext, areas: Sequence[AreaOption], *, place: str, current_area: str
) -> str:
    """Return the area for an answer without a candidate.

    It is the area of the hour, else the current area or the home if it is in the place, else
    the first known area of the place, else the home.
    """
    paths = [area.path for area in areas]
    preferred = (place, current_area, context.identity.home)
    return next((path for path in preferred if path in paths), (*paths, preferred[2])[0])


def _choose_areas(llm: AgentLLM, inputs: AreaChoiceInput) -> dict[str, str]:
    """Return the area of each action, without a call if there are less than two."""
    if len(inputs.areas) < 2:
        return dict.fromkeys(inputs.actions, inputs.default)
    options = [area.path for area in inputs.areas]
    answers = {choice.action: choice.area for choice in llm.ask(AREA_CHOICE, inputs).choices}
    return {
        action: chosen(answers.get(number, ""), options) or inputs.default
        for number, action in enumerate(inputs.actions, start=1)
    }


def _areas_used(
    context: PlanningContext, areas: Sequence[AreaOption], chosen_areas: Mapping[str, str]
) -> tuple[AreaOption, ...]:
    """Return the chosen areas with their objects."""
    used = frozenset(chosen_areas.values())
    missing = used - {area.path for area in areas}
    elsewhere = [area for path in sorted(missing) for area in context.areas(path)]
    return tuple(area for area in (*areas, *elsewhere) if area.path in used)


def _choose_objects(llm: AgentLLM, inputs: ObjectChoiceInput) -> dict[str, str]:
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


def _choose_effects(
    llm: AgentLLM, inputs: StagingInput, areas: Mapping[str, str]
) -> dict[str, Grounded]:
    """Return the groundings; an action without an answer gets the default emoji and state."""
    answers = {
        staging.action: (one_line(staging.emoji), one_line(staging.object_state))
        for staging in llm.ask(STAGING, inputs).stagings
    }
    grounded = {}
    for number, action in enumerate(inputs.actions, start=1):
        emoji, state = answers.get(number, (PLAIN_EMOJI, PLAIN_STATE))
        grounded[action.description] = Grounded(
            area=areas[action.description],
            object=action.object,
            object_state=state if action.object else "",
            emoji=emoji,
        )
    return grounded
