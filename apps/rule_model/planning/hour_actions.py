"""The task of the actions of an hour, with area, object, look and importance (P1, W2)."""

from dataclasses import replace

from apps.memory.events import MemoryOrigin
from apps.planning.action_times import fitted_minutes, walks_before
from apps.planning.inputs import HourActionsInput
from apps.planning.llm_tasks import hour_actions as task
from apps.planning.surroundings import AreaOption
from apps.rule_model.content import Content, Step
from apps.rule_model.memory import importance_of
from apps.rule_model.model import Chance
from apps.rule_model.phrasebook import INTENTS
from apps.rule_model.planning.details import steps_of_hour
from apps.rule_model.planning.rooms import areas_of, emoji_of, objects_of, state_of

# An agent that is to be met is waited for so long, then spoken to.
MEETING_MINUTES_MIN = 30
MEETING = (
    ("wait for", False, "waiting for {name}", 10),
    ("talk to", True, "meeting {name}", 5),
)


def hour_actions(
    inputs: HourActionsInput, chance: Chance, content: Content
) -> task.HourActions:
    """Return the hour's actions; the agent that the plan of the hour names is met first."""
    known = (agent.name for agent in inputs.surroundings.agents)
    name = next((name for name in known if name in inputs.activity), "")
    if inputs.minutes < MEETING_MINUTES_MIN or any(name in one for one in inputs.done):
        name = ""
    actions = _actions(inputs, name, chance, content)
    taken = sum(walks_before(inputs, [action.area for action in actions]))
    taken += sum(minutes for *_, minutes in MEETING) if name else 0
    if 0 < taken <= inputs.minutes - inputs.minutes_min:
        shorter = replace(inputs, to_minute=inputs.to_minute - taken)
        actions = _actions(shorter, name, chance, content)
    minutes = fitted_minutes(
        inputs, [action.minutes for action in actions], [action.area for action in actions]
    )
    fitted = zip(actions, minutes, strict=False)
    timed = [one.model_copy(update={"minutes": length}) for one, length in fitted]
    return task.HourActions(actions=timed)


def _actions(
    inputs: HourActionsInput, name: str, chance: Chance, content: Content
) -> list[task.HourAction]:
    """Return the actions, before them the meeting with the agent of the name, if any."""
    steps = steps_of_hour(inputs, chance, content)
    texts = [step.doing for step in steps]
    areas = areas_of(inputs, texts, content)
    objects = objects_of(inputs, texts, areas, content)
    parts = zip(steps, areas, objects, strict=True)
    actions = [_action(inputs, step, area, used, content) for step, area, used in parts]
    return [*_meeting(inputs, name, areas[0], content), *actions] if name else actions


def _meeting(
    inputs: HourActionsInput, name: str, area: AreaOption, content: Content
) -> list[task.HourAction]:
    greet = INTENTS.fill("greet", other=name)
    return [
        _action(inputs, Step(doing.format(name=name), minutes), area, "", content).model_copy(
            update={
                "act": task.ActWithAgent(kind=kind, agent=name, about=greet if speaks else "")
            }
        )
        for kind, speaks, doing, minutes in MEETING
    ]


def _action(
    inputs: HourActionsInput, step: Step, area: AreaOption, used: str, content: Content
) -> task.HourAction:
    known = inputs.surroundings.agents
    remembered = f"{inputs.agent_name} is {step.doing}"
    return task.HourAction(
        description=step.doing,
        minutes=step.minutes,
        area=area.name,
        object=f"{area.name}: {used}" if used else task.NO_OBJECT,
        object_state=state_of(step.doing, used, content.at(area.path)),
        emoji=emoji_of(step.doing, used, content.at(area.path)),
        importance=importance_of(remembered, MemoryOrigin.OWN_ACTION),
        with_agents=tuple(one.name for one in known if one.name in step.doing),
    )
