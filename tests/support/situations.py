"""The situation of a question to a model, from the typed inputs of its LLM task; pure.

A recorded answer is found by its situation, so that a reworded template does not lose it.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Any

from apps.dialogue.inputs import TakeawaysInput, UtteranceInput
from apps.kernel.text import clip
from apps.llm.port import Request
from apps.memory.items import ImportanceInput
from apps.planning.inputs import (
    AdoptedThought,
    DayOutlineInput,
    HourActionsInput,
    HourlyPlanInput,
    OwnThoughtInput,
    ReactionReason,
    RevisedHoursInput,
)
from apps.planning.llm_tasks.revised_hours import reason_text
from apps.reaction.inputs import (
    DecisionInput,
    KnockHeard,
    Observed,
    ObservedAgent,
    ObservedObject,
    Obstacle,
)
from apps.reflection.inputs import InsightsInput

SPOKEN_CHARACTERS_MAX = 60
ASKED_AGAIN = " (asked again)"


@dataclass(frozen=True, slots=True, kw_only=True)
class Situation:
    """What a question is about: the agent, the LLM task, the game time and the subject.

    `at` is None where the inputs have no time. `subject` is "" where agent, task and time say
    all.
    """

    agent: str
    task: str
    at: datetime | None
    subject: str


def situation_of(request: Request) -> Situation:
    """Return the situation of a request."""
    inputs: Any = request.inputs
    describe = _DESCRIBED.get(type(inputs))
    at, subject = describe(inputs) if describe else (getattr(inputs, "now", None), "")
    if request.is_correction:
        subject += ASKED_AGAIN
    return Situation(agent=inputs.agent_name, task=request.task_name, at=at, subject=subject)


def observation_label(observed: Observed) -> str:
    """Return the name of an observation, which its changing state is no part of."""
    match observed:
        case ObservedAgent():
            return observed.name
        case KnockHeard():
            return f"knock of {observed.agent.name}"
        case ObservedObject():
            return observed.name
        case Obstacle():
            return observed.description
        case _:
            return observed.text


def _outline(inputs: DayOutlineInput) -> tuple[datetime, str]:
    return _moment(inputs.date, inputs.now_minute), ""


def _hourly(inputs: HourlyPlanInput) -> tuple[datetime, str]:
    return _moment(inputs.date, inputs.slots[0].from_minute), ""


def _actions(inputs: HourActionsInput) -> tuple[datetime, str]:
    subject = f"{inputs.minutes} min at {inputs.place}: {inputs.activity}"
    return _moment(inputs.date, inputs.from_minute), subject


def _revised(inputs: RevisedHoursInput) -> tuple[datetime, str]:
    reasons = []
    for reason in inputs.reasons:
        match reason:
            case ReactionReason():
                reasons.append(f"decided to {reason.activity}")
            case AdoptedThought():
                reasons.append(f"thought: {reason.deed or reason.thought}")
            case _:
                reasons.append(reason_text(reason, name=inputs.agent_name))
    return _moment(inputs.date, inputs.now_minute), "; ".join(reasons)


def _own_thought(inputs: OwnThoughtInput) -> tuple[datetime, str]:
    return inputs.now, inputs.voice


def _decision(inputs: DecisionInput) -> tuple[datetime, str]:
    return inputs.now, "; ".join(sorted(map(observation_label, inputs.observed)))


def _utterance(inputs: UtteranceInput) -> tuple[datetime, str]:
    if not inputs.lines:
        return inputs.now, f"to {inputs.other_name}, first: {inputs.intent}"
    last = inputs.lines[-1]
    said = clip(last.text, SPOKEN_CHARACTERS_MAX)
    return inputs.now, f"to {inputs.other_name}, after {last.speaker}: {said}"


def _takeaways(inputs: TakeawaysInput) -> tuple[datetime, str]:
    first = clip(inputs.lines[0].text, SPOKEN_CHARACTERS_MAX)
    return inputs.now, f"with {inputs.other_name}, {len(inputs.lines)} lines: {first}"


def _insights(inputs: InsightsInput) -> tuple[datetime, str]:
    return inputs.now, "; ".join(question.text for question in inputs.questions)


def _importance(inputs: ImportanceInput) -> tuple[None, str]:
    return None, "; ".join(memory.description for memory in inputs.memories)


def _moment(day: date, minute: int) -> datetime:
    return datetime.combine(day, time()) + timedelta(minutes=minute)


_DESCRIBED: Mapping[type, Callable[[Any], tuple[datetime | None, str]]] = {
    DayOutlineInput: _outline,
    HourlyPlanInput: _hourly,
    HourActionsInput: _actions,
    RevisedHoursInput: _revised,
    OwnThoughtInput: _own_thought,
    DecisionInput: _decision,
    UtteranceInput: _utterance,
    TakeawaysInput: _takeaways,
    InsightsInput: _insights,
    ImportanceInput: _importance,
}
