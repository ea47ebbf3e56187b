"""The quality of a run by day, and the drift of an agent from its description."""

from typing import Any

import pytest

from apps import wiring
from apps.agents.events import AgentJoined
from apps.evaluation.quality.counts import run_quality
from apps.evaluation.quality.persona_drift import DriftOfDay, persona_drift
from apps.memory.events import FactKind, FactSource
from apps.memory.models import FactRow, SelfSummaryRow
from apps.simulation.models import SimulationRow
from benchmarks.believability.figures import measure
from tests.support.towns import found, happened, live, shared_fixture

pytestmark = pytest.mark.django_db

ISABELLA = "isabella-rodriguez"
AFTER_TWO_DAYS = "2023-02-15T03:30"


run = shared_fixture(
    lambda: live(found(seed=3, agents=("Isabella Rodriguez",)), AFTER_TWO_DAYS)
)


def quality(row: SimulationRow, tick: int) -> Any:
    return run_quality(row.pk, wiring.ports().worlds, as_of_tick=tick, has_days=True)


def drift(row: SimulationRow) -> tuple[DriftOfDay, DriftOfDay]:
    [agent] = persona_drift(row.pk, as_of_tick=row.committed_tick)
    assert agent.agent == ISABELLA
    first, second = agent.days
    return first, second


def test_the_figures_of_days_are_those_of_the_benchmark(run: SimulationRow) -> None:
    by_day = quality(run, run.committed_tick).by_day
    assert by_day.dates == ("2023-02-13", "2023-02-14")
    benchmark = measure(run, days=2)["figures"]
    assert by_day.series == {name: benchmark[name] for name in by_day.series}
    assert by_day.series["memories per agent-day"][1] > 0
    assert "goodbye, and all still in the room ten minutes later, %" in by_day.series


def test_a_day_counts_when_it_is_over(run: SimulationRow) -> None:
    whole = quality(run, run.committed_tick)
    earlier = quality(run, run.committed_tick - 24 * 360)
    assert earlier.by_day.dates == ("2023-02-13",)
    for name, values in earlier.by_day.series.items():
        assert values == whole.by_day.series[name][:1]
    [then], [now] = earlier.drift, whole.drift
    assert then.days == now.days[:1]
    assert quality(run, 360).by_day.dates == ()


def test_an_agent_that_lives_by_its_description_does_not_drift(run: SimulationRow) -> None:
    first, second = drift(run)
    assert (first.facts_kept, first.occupation_kept, first.pursuits_kept) == (1, 1, 1)
    assert first.action_divergence == 0
    assert second.action_divergence is not None
    assert 0 < second.action_divergence < 1
    assert first.occupation_in_summary is True
    assert first.seeds_in_summary is not None
    assert 0 < first.seeds_in_summary <= 1


def test_a_lost_occupation_and_another_summary_are_drift(run: SimulationRow) -> None:
    [joined] = happened(run, AgentJoined)
    assert "Hobbs Cafe" in joined.event.description
    later = run.committed_tick - 12 * 360
    own = {"simulation_id": run.pk, "agent": ISABELLA}
    FactRow.objects.filter(**own, kind=FactKind.OCCUPATION).update(to_tick=later)
    FactRow.objects.create(
        **own, number=900, kind=FactKind.OCCUPATION, other="", tie="", standing="",
        statements=["Isabella Rodriguez sails"], opinion="", evidence=[],
        source=FactSource.INSIGHT, until="", from_tick=later,
    )  # fmt: skip
    SelfSummaryRow.objects.filter(**own).update(text="Isabella Rodriguez sails the seas.")
    first, second = drift(run)
    assert (first.occupation_kept, second.occupation_kept) == (1, 0)
    assert second.facts_added == first.facts_added + 1
    assert second.occupation_in_summary is False
    assert second.seeds_in_summary == 0
    assert second.facts_kept is not None
    assert second.facts_kept < 1
