"""People reflect in the course of their days, and on what they thought before (R1-R3, S1)."""

from typing import Any

import pytest

from apps import wiring
from apps.agents.events import ActionKind
from apps.agents.models import ActionRow, SeenAgentRow
from apps.eventlog.models import EventRow
from apps.eventlog.rebuild import Order, check, rebuild
from apps.memory.models import MemoryRow, RepetitionRow, SelfSummaryRow
from apps.memory.rules import ROUTINE_IMPORTANCE
from apps.reflection.models import ReflectionRow
from apps.reflection.queries import trees
from apps.simulation.models import SimulationRow
from tests.support.towns import (
    EIGHT_THREADS,
    LOCK_STEP,
    ONE_BY_ONE,
    found,
    history_of,
    live,
    shared_fixture,
    with_delays,
)
from tests.support.trees import walk

# Three people perceive little of each other in a day: with the paper's 150 they would
# reflect once or not at all.
THRESHOLD = 5
AFTERNOON = "2023-02-13T14:00"
EVENING = "2023-02-13T20:00"


def thoughtful() -> SimulationRow:
    """Found a town of three who reflect easily."""
    return found(settings={"reflection_threshold": THRESHOLD})


town = shared_fixture(
    lambda: live(thoughtful(), EVENING, EIGHT_THREADS, ports=with_delays(4, 0.005))
)


@pytest.mark.django_db
class TestADay:
    def reflections(self, town: SimulationRow) -> Any:
        return ReflectionRow.objects.filter(simulation_id=town.pk).order_by("agent", "tick")

    def memories(self, town: SimulationRow, agent: str) -> dict[int, MemoryRow]:
        rows = MemoryRow.objects.filter(simulation_id=town.pk, agent=agent)
        return {row.number: row for row in rows}

    def test_are_thought_over_by_everybody(self, town: SimulationRow) -> None:
        assert {row.agent for row in self.reflections(town)} == {
            "isabella-rodriguez",
            "klaus-mueller",
            "maria-lopez",
        }

    def perceptions(self, town: SimulationRow, agent: str) -> list[tuple[int, int]]:
        """Return the tick and the importance of all that the agent perceived (R1).

        These are memories, their repetitions (ADR 45), sights, and own actions (ADR 50).
        """
        memories = self.memories(town, agent)
        perceived = {number: one for number, one in memories.items() if one.perceived}
        of_agent = {"simulation_id": town.pk, "agent": agent}
        repetitions = RepetitionRow.objects.filter(**of_agent, number__in=perceived)
        sights = SeenAgentRow.objects.filter(**of_agent)
        actions = ActionRow.objects.filter(**of_agent, kind=ActionKind.PLANNED.value)
        return [
            *((one.formed_tick, one.rating) for one in perceived.values()),
            *((row.from_tick, perceived[row.number].rating) for row in repetitions),
            *((row.from_tick, ROUTINE_IMPORTANCE) for row in (*sights, *actions)),
        ]

    def test_are_thought_over_at_the_first_tick_past_the_threshold(
        self, town: SimulationRow
    ) -> None:
        begun: dict[str, int] = {}
        for row in self.reflections(town):
            since = begun.get(row.agent, 0)
            formed = [
                memory
                for memory in self.memories(town, row.agent).values()
                if memory.perceived and since <= memory.formed_tick < row.tick
            ]
            assert all((memory.rated_tick or row.tick + 1) <= row.tick for memory in formed)
            perceived = [
                (tick, importance)
                for tick, importance in self.perceptions(town, row.agent)
                if since <= tick < row.tick
            ]
            assert row.importance == sum(importance for _, importance in perceived)
            assert row.importance > THRESHOLD
            latest = max(tick for tick, _ in perceived)
            assert row.tick == latest + 1
            before = [importance for tick, importance in perceived if tick < latest]
            assert sum(before) <= THRESHOLD
            begun[row.agent] = row.tick

    def test_leave_insights_that_rest_on_what_was_before(self, town: SimulationRow) -> None:
        for row in self.reflections(town):
            memories = self.memories(town, row.agent)
            for insight in row.insights:
                memory = memories[insight["memory"]]
                assert memory.kind == "reflection"
                assert memory.description == insight["statement"]
                assert memory.evidence == insight["evidence"]
                assert memory.formed_tick == row.tick
                assert memory.evidence
                assert all(
                    memories[number].formed_tick < row.tick for number in memory.evidence
                )

    def test_are_built_upon(self, town: SimulationRow) -> None:
        # Insights cite insights: trees have more than one storey.
        depths = [
            depth
            for agent in ("isabella-rodriguez", "klaus-mueller", "maria-lopez")
            for tree in trees(town.pk, agent, as_of_tick=town.committed_tick)
            for depth, _ in walk(tree)
        ]
        assert max(depths) >= 2

    def test_say_nothing_twice(self, town: SimulationRow) -> None:
        for agent in ("isabella-rodriguez", "klaus-mueller", "maria-lopez"):
            said = [
                memory.description
                for memory in self.memories(town, agent).values()
                if memory.kind == "reflection"
            ]
            assert len(set(said)) == len(said)

    def test_wake_nobody(self, town: SimulationRow) -> None:
        for row in self.reflections(town):
            began = EventRow.objects.filter(
                simulation_id=town.pk,
                stream=row.agent,
                tick__lt=row.tick,
                type__in=["agents.action-began.v1", "agents.walk-began.v1"],
            ).order_by("tick", "ordinal")
            last = began.last()
            assert last is not None
            assert not last.data.get("asleep") or last.data["until_tick"] <= row.tick

    def test_make_the_summary_new_the_next_time_it_is_needed(self, town: SimulationRow) -> None:
        summaries = SelfSummaryRow.objects.filter(simulation_id=town.pk)
        planned = EventRow.objects.filter(
            simulation_id=town.pk, type="planning.actions-planned.v1"
        )
        for row in self.reflections(town):
            needed = [
                event.tick
                for event in planned.filter(stream=row.agent, tick__gt=row.tick)
                if not event.data["items"][0]["asleep"]
            ]
            if needed:
                assert summaries.filter(
                    agent=row.agent, from_tick__gt=row.tick, from_tick__lte=min(needed)
                ).exists()

    def test_are_rebuilt_alike(self, town: SimulationRow) -> None:
        rebuild(wiring.event_store(), town.pk, order=Order.COMMIT)
        assert check(wiring.event_store(), town.pk).problems == ()


@pytest.mark.django_db(transaction=True)
class TestHistory:
    def test_with_reflections_is_the_same_however_it_is_run(self) -> None:
        lock_step = live(thoughtful(), AFTERNOON, LOCK_STEP)
        assert ReflectionRow.objects.filter(simulation_id=lock_step.pk).count() >= 3
        expected = history_of(lock_step.pk)
        assert history_of(live(thoughtful(), AFTERNOON, ONE_BY_ONE).pk) == expected
        threads = live(thoughtful(), AFTERNOON, EIGHT_THREADS, ports=with_delays(seed=1))
        assert history_of(threads.pk) == expected
