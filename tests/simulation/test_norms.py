"""Norms are enforced: one-person bathrooms hold one, closing time empties the cafe (W5)."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime
from uuid import UUID

import pytest
from pytest_django import DjangoDbBlocker

from apps import wiring
from apps.agents import queries as agent_queries
from apps.agents.events import EntryTried, TurnedAway
from apps.eventlog.event import Event
from apps.planning.inputs import HourlyPlanInput
from apps.planning.llm_tasks.hourly_plan import HOURLY_PLAN, HourlyPlan
from apps.rule_model.model import Chance
from apps.simulation import queries
from apps.simulation.models import SimulationRow
from apps.simulation.ports import Ports
from apps.world.loading import world_named
from tests.support.dorm import BATHROOM, FIVE, crowded_dorm, found_crowded
from tests.support.rules import TASK_RULES
from tests.support.towns import (
    EIGHT_THREADS,
    LOCK_STEP,
    answering,
    found,
    history_of,
    live,
    shared,
    with_delays,
)

pytestmark = pytest.mark.django_db(transaction=True)

SIX_IN_THE_EVENING = 18 * 60
CAFE = "Hobbs Cafe: cafe"


@pytest.fixture(scope="module")
def dorm(tmp_path_factory: pytest.TempPathFactory) -> Ports:
    """Ports onto Smallville with the four students and Isabella, who keeps the cafe."""
    return crowded_dorm(tmp_path_factory.mktemp("worlds"))


def named(event: Event, node: str) -> bool:
    return isinstance(event, TurnedAway) and event.node == node


class TestOnePersonBathroom:
    def test_holds_one_at_a_time_and_turns_others_away(self, dorm: Ports) -> None:
        row = live(found_crowded(dorm), "2023-02-13T09:00", ports=dorm)
        inside = people_inside(row.pk, dorm, BATHROOM, "2023-02-13T07:00", "2023-02-13T09:00")
        assert max(len(agents) for agents in inside) == 1
        # The others wait for it, and move on with their day when it takes too long.
        events = list(wiring.event_store().read(row.pk))
        away = [one for one in events if isinstance(one.event, TurnedAway)]
        turned_away = {one.stream for one in away if named(one.event, BATHROOM)}
        assert len(turned_away) >= 2
        doing = {
            agent: [
                action.description
                for action in agent_queries.actions_between(
                    row.pk, agent, from_tick=0, to_tick=row.committed_tick
                )
            ]
            for agent in ("ada-green", "bob-hill", "cid-moss", "dan-wood")
        }
        for agent in turned_away:
            waits = [
                number
                for number, description in enumerate(doing[agent])
                if description.startswith("waiting for the men's bathroom")
            ]
            assert waits
            assert len(doing[agent][waits[-1] + 1 :]) >= 3, "they do not wait for ever"

    def test_is_won_by_one_of_those_who_try_in_the_same_tick(self, dorm: Ports) -> None:
        # All wake in the same tick; the same one is let in however the turns are taken.
        lock_step = live(found_crowded(dorm), "2023-02-13T08:30", LOCK_STEP, ports=dorm)
        slow = replace(with_delays(seed=5), worlds=dorm.worlds)
        threads = live(found_crowded(dorm), "2023-02-13T08:30", EIGHT_THREADS, ports=slow)
        assert history_of(threads.pk) == history_of(lock_step.pk)
        tried = [
            one for one in wiring.event_store().read(lock_step.pk)
            if isinstance(one.event, EntryTried)
        ]  # fmt: skip
        assert tried


def evenings_at_the_cafe(inputs: HourlyPlanInput, chance: Chance) -> HourlyPlan:
    """Answer as the rule model does, but with no thought of closing time in the evening."""
    plan: HourlyPlan = TASK_RULES[HOURLY_PLAN.name](inputs, chance)
    hours = [
        hour.model_copy(update={"activity": "read history", "place": "Hobbs Cafe"})
        if inputs.slots[hour.time - 1].from_minute >= SIX_IN_THE_EVENING
        else hour
        for hour in plan.hours
    ]
    return plan.model_copy(update={"hours": hours})


def careless(dorm: Ports) -> Ports:
    """Return ports whose people plan to sit in the cafe until they go to bed."""
    return answering({HOURLY_PLAN.name: evenings_at_the_cafe}, ports=dorm)


@pytest.fixture(scope="module")
def evening(
    dorm: Ports, django_db_setup: None, django_db_blocker: DjangoDbBlocker
) -> Iterator[SimulationRow]:
    """Run a simulation of agents who plan to stay in the cafe when it closes at eight."""

    def simulate() -> SimulationRow:
        row = found(agents=FIVE[:3], world="crowded", ports=dorm)
        return live(row, "2023-02-13T20:30", ports=careless(dorm))

    with shared(django_db_blocker, simulate) as row:
        yield row


@pytest.mark.django_db
class TestClosingTime:
    def test_empties_the_cafe_of_all_but_its_keeper(
        self, evening: SimulationRow, dorm: Ports
    ) -> None:
        before = people_inside(evening.pk, dorm, CAFE, "2023-02-13T19:50", "2023-02-13T20:00")
        assert set().union(*before) > {"isabella-rodriguez"}
        # A few minutes are enough to walk to the door.
        after = people_inside(evening.pk, dorm, CAFE, "2023-02-13T20:05", "2023-02-13T20:30")
        assert set().union(*after) <= {"isabella-rodriguez"}

    def test_is_perceived_and_remembered(self, evening: SimulationRow) -> None:
        texts = [
            recorded.event.description  # type: ignore[attr-defined]
            for recorded in wiring.event_store().read(evening.pk)
            if recorded.event.type == "memory.formed.v1"
        ]
        assert "Hobbs Cafe is closing" in texts


def people_inside(
    simulation_id: UUID, ports: Ports, area: str, since: str, until: str
) -> list[set[str]]:
    """Return who stood in the area at the end of each tick between two game times."""
    world = world_named("crowded", ports.worlds)
    calendar = queries.calendar_of(simulation_id)
    first, last = (calendar.tick_at(_time(clock)) for clock in (since, until))
    tracks = agent_queries.tracks(simulation_id, from_tick=first, to_tick=last)
    return [
        {
            agent
            for agent, track in tracks.items()
            if (tile := track.tile_at(tick)) is not None and world.map.area_at(tile) == area
        }
        for tick in range(first, last)
    ]


def _time(clock: str) -> datetime:
    return datetime.fromisoformat(clock)
