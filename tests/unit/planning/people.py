"""Agents of two worlds that are ready to plan, and scripted answers."""

from dataclasses import replace
from datetime import datetime
from pathlib import Path

from apps.agents.summary import Hours, Identity
from apps.kernel.game_time import GameCalendar
from apps.llm.calls.agent_llm import AgentLLM
from apps.memory.commands import agent_summary
from apps.memory.events import MemoryKind, MemoryOrigin
from apps.memory.items import MemoryItem
from apps.planning.commands import DayPlan, plan_day
from apps.planning.context import PlanningContext
from apps.planning.llm_tasks.day_outline import ordinary_day
from apps.planning.llm_tasks.hourly_plan import hours_as_planned
from apps.simulation.settings import SimulationSettings
from apps.world.world import World
from tests.support.llm_doubles import Scripted, ScriptedModel, agent_llm_in_memory
from tests.support.worlds import smallville, two_rooms

TESTS = Path(__file__).parent.parent.parent
ISABELLA, KLAUS = "Isabella Rodriguez", "Klaus Mueller"
ADA, BEN = "Ada Finch", "Ben Marsh"
CALENDAR = GameCalendar(datetime(2023, 2, 13), 10)


def identity_of(name: str) -> Identity:
    person = world_of(name).person(name)
    return Identity(
        slug=person.slug,
        name=person.name,
        age=person.age,
        traits=person.traits,
        hours=Hours(
            wake=person.hours.wake, sleep=person.hours.sleep, dinner=person.hours.dinner
        ),
        home=person.home,
        bed=person.bed,
        workplace=person.workplace,
    )


def world_of(name: str) -> World:
    return two_rooms() if name in (ADA, BEN) else smallville()


def memory_of(description: str, number: int = 1) -> MemoryItem:
    return MemoryItem(
        number=number,
        kind=MemoryKind.OBSERVATION,
        origin=MemoryOrigin.DESCRIPTION,
        description=description,
        importance=3,
        formed_at=CALENDAR.start,
    )


def planning_context_of(name: str) -> PlanningContext:
    """Return what the agent plans with on the first morning, with its whole description."""
    person, identity = world_of(name).person(name), identity_of(name)
    return PlanningContext(
        identity=identity,
        summary=agent_summary(identity, None),
        memories=tuple(
            memory_of(phrase, number) for number, phrase in enumerate(person.seeds, start=1)
        ),
        known=frozenset(person.knows),
        tree=world_of(name).tree,
        calendar=CALENDAR,
        settings=SimulationSettings().planning,
    )


def with_hours(of: PlanningContext, hours: Hours) -> PlanningContext:
    return replace(of, identity=replace(of.identity, hours=hours))


def tick(clock: str, day: int = 13) -> int:
    """Return the tick of a time of day such as "6:00" in February 2023."""
    hour, _, minute = clock.partition(":")
    return CALENDAR.tick_at(datetime(2023, 2, day, int(hour), int(minute)))


def scripted_mind(**answers: Scripted) -> AgentLLM:
    """Return a mind that answers the tasks of planning as scripted, by their nouns."""
    return agent_llm_in_memory(scripted_model(**answers))


def scripted_model(**answers: Scripted) -> ScriptedModel:
    return ScriptedModel({f"planning.{noun}": answer for noun, answer in answers.items()})


def planned(name: str, *, day: int = 13) -> DayPlan:
    """Return an ordinary day from the agent's waking hour on."""
    of = planning_context_of(name)
    now = tick("0:00", day) + CALENDAR.ticks_of(minutes=of.identity.hours.wake)
    llm = scripted_mind(day_outline=ordinary_day, hourly_plan=hours_as_planned)
    return plan_day(llm, of, now_tick=now, yesterday=None, next_number=1)
