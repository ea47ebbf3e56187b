"""Typed inputs of LLM tasks: parts to build them of, of a priory in 1410, and readings."""

from datetime import datetime

from apps.agents.status import AgentStatus, PlannedTime
from apps.agents.summary import AgentSummary
from apps.llm.task import Answer, Inputs, LLMTask
from apps.memory.events import MemoryKind, MemoryOrigin
from apps.memory.items import MemoryItem
from apps.reaction.inputs import DecisionInput, ObservedAgent, agent_in

OSRIC, ALDWIN = "Osric Penhale", "Aldwin Prior"
OSRICS_SUMMARY = AgentSummary(
    name=OSRIC, age=34, traits=("meticulous", "shy"), core="Osric is the scribe."
)


def at(clock: str, *, day: int = 3) -> datetime:
    """Return a game time of March 1410, such as `at("9:05")`; the third is a Saturday."""
    hour, _, minute = clock.partition(":")
    return datetime(1410, 3, day, int(hour), int(minute))


def status(name: str, activity: str, *, until: datetime | None = None) -> AgentStatus:
    return AgentStatus(agent_name=name, activity=activity, until=until)


def planned(starts: datetime, ends: datetime, activity: str, place: str = "") -> PlannedTime:
    return PlannedTime(starts=starts, ends=ends, activity=activity, place=place)


def memory(
    description: str, *, number: int = 1, kind: MemoryKind = MemoryKind.OBSERVATION
) -> MemoryItem:
    return MemoryItem(
        number=number,
        kind=kind,
        origin=MemoryOrigin.DESCRIPTION,
        description=description,
        importance=5,
        formed_at=at("0:00"),
    )


def agents_to_address(inputs: DecisionInput) -> list[tuple[int, ObservedAgent]]:
    """Return the observed agents that are free to be addressed, with their numbers."""
    agents = enumerate(map(agent_in, inputs.observed), start=1)
    return [(number, agent) for number, agent in agents if agent and agent.may_talk]


def texts_of(task: LLMTask[Inputs, Answer], inputs: Inputs, variable: str) -> str:
    """Return a variable of the task's prompt, the items of a list one on each line."""
    value = task.variables(inputs)[variable]
    return "\n".join(getattr(value, "texts", ())) or getattr(value, "text", "")


def check(task: LLMTask[Inputs, Answer], inputs: Inputs, answer: Answer) -> None:
    """Check the answer as the task does.

    :raises ValueError: if the task rejects it.
    """
    assert task.check is not None
    task.check(inputs, answer)
