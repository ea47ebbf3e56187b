"""Isabella, Klaus and Maria of Smallville, ready to plan."""

from dataclasses import replace
from datetime import datetime
from functools import cache
from pathlib import Path

from apps.agents.identity import Hours, Identity
from apps.kernel.game_time import GameCalendar
from apps.llm.mind import Mind
from apps.llm.testing import Scripted, ScriptedModel, mind_in_memory
from apps.planning.circumstances import Circumstances
from apps.planning.commands import DayPlan, plan_day
from apps.rule_model.content import load_content
from apps.rule_model.model import RuleModel
from apps.rule_model.planning import task_rules
from apps.world.loading import load_world
from apps.world.world import World

WORLDS = Path(__file__).parent.parent.parent.parent / "worlds"
ISABELLA, KLAUS, MARIA = "Isabella Rodriguez", "Klaus Mueller", "Maria Lopez"
CALENDAR = GameCalendar(datetime(2023, 2, 13), 10)


@cache
def smallville() -> World:
    return load_world(WORLDS / "smallville")


def identity_of(name: str) -> Identity:
    person = smallville().person(name)
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


def circumstances_of(name: str, *phrases: str) -> Circumstances:
    """Return what the person plans with on the first morning, all phrases in mind."""
    person = smallville().person(name)
    return Circumstances(
        identity=identity_of(name),
        summary=f"{name} is {', '.join(person.traits)}.",
        memories=phrases or person.seeds,
        known=frozenset(person.knows),
        tree=smallville().tree,
        calendar=CALENDAR,
    )


def with_hours(of: Circumstances, hours: Hours) -> Circumstances:
    return replace(of, identity=replace(of.identity, hours=hours))


def tick(clock: str, day: int = 13) -> int:
    """Return the tick of a time of day such as "6:00" in February 2023."""
    hour, _, minute = clock.partition(":")
    return CALENDAR.tick_at(datetime(2023, 2, day, int(hour), int(minute)))


def offline_mind(*, seed: int = 7, at: int = 0, stream: str = "somebody") -> Mind:
    return mind_in_memory(
        RuleModel(task_rules(load_content(WORLDS)), seed=seed), tick=at, stream=stream
    )


def scripted_mind(**answers: Scripted) -> Mind:
    """Return a mind that answers planning's chains as scripted, by the chain's noun."""
    script = {f"planning.{noun}": answer for noun, answer in answers.items()}
    return mind_in_memory(ScriptedModel(script))


def planned(
    name: str, *phrases: str, seed: int = 7, day: int = 13, yesterday: str = ""
) -> DayPlan:
    """Return the day as the stand-in plans it at the person's waking hour."""
    of = circumstances_of(name, *phrases)
    now = tick("0:00", day) + CALENDAR.ticks_of(minutes=of.identity.hours.wake)
    mind = offline_mind(seed=seed, at=now, stream=of.identity.slug)
    return plan_day(mind, of, now_tick=now, yesterday=yesterday, next_number=1)
