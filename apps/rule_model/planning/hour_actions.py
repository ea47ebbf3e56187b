"""The task of the actions of an hour, with area, object, look and importance (P1, W2)."""

from collections.abc import Sequence

from apps.memory.events import MemoryKind, MemoryOrigin
from apps.memory.inputs import NewMemory
from apps.planning.inputs import HourActionsInput
from apps.planning.llm_tasks.hour_actions import (
    NO_OBJECT,
    ActWithAgent,
    AnswerKind,
    HourAction,
    HourActions,
)
from apps.rule_model.content import Content
from apps.rule_model.memory import rating
from apps.rule_model.model import Chance
from apps.rule_model.phrasebook import INTENTS
from apps.rule_model.planning.details import steps_of_hour
from apps.rule_model.planning.rooms import areas_of, emoji_of, objects_of, state_of
from apps.rule_model.planning.timeline import ACTIVITY_CHARACTERS_MAX

# Who is to be met is waited for so long, then spoken to.
MEETING_MINUTES_MIN = 30
WAITS, TALKS = 10, 5


def hour_actions(inputs: HourActionsInput, chance: Chance, content: Content) -> HourActions:
    """Return the hour's actions, with the areas and objects that their words ask for."""
    steps = steps_of_hour(inputs, chance, content)
    texts = [step.doing[:ACTIVITY_CHARACTERS_MAX] for step in steps]
    areas = areas_of(inputs, texts, content)
    objects = objects_of(inputs.agent_name, texts, areas, content)
    actions = [
        HourAction(
            description=text,
            minutes=step.minutes,
            area=area.name,
            object=f"{area.name}: {used}" if used else NO_OBJECT,
            object_state=state_of(text, used, content.at(area.path)),
            emoji=emoji_of(text, used, content.at(area.path)),
            importance=_importance(inputs.agent_name, text),
        )
        for step, text, area, used in zip(steps, texts, areas, objects, strict=True)
    ]
    return HourActions(actions=_with_meeting(inputs, actions))


def _with_meeting(inputs: HourActionsInput, actions: Sequence[HourAction]) -> list[HourAction]:
    """Return the actions after a talk with the agent that the plan of the hour names."""
    known = (agent.name for agent in inputs.surroundings.agents)
    name = next((name for name in known if name in inputs.activity), "")
    if not name or inputs.done or inputs.minutes < MEETING_MINUTES_MIN:
        return list(actions)
    area = actions[0].area
    kept, left = [], inputs.minutes - WAITS - TALKS
    for action in actions:
        if left > 0:
            kept.append(action.model_copy(update={"minutes": min(action.minutes, left)}))
        left -= action.minutes
    return [
        _meeting("wait for", name, area, f"waiting for {name}", WAITS),
        _meeting("talk to", name, area, f"meeting {name}", TALKS),
        *kept,
    ]


def _meeting(kind: AnswerKind, name: str, area: str, doing: str, minutes: int) -> HourAction:
    return HourAction(
        description=doing,
        minutes=minutes,
        area=area,
        object=NO_OBJECT,
        object_state="",
        emoji="👋",
        importance=2,
        act=ActWithAgent(kind=kind, agent=name, about=INTENTS.fill("greet", other=name)),
    )


def _importance(name: str, doing: str) -> int:
    """Return the importance of the memory of the action."""
    return rating(
        NewMemory(
            kind=MemoryKind.OBSERVATION,
            origin=MemoryOrigin.OWN_ACTION,
            description=f"{name} is {doing}",
        )
    )
