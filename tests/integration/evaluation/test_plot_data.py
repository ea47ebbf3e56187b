"""Plots show what the queries of the apps tell of the same moment."""

import pytest

from apps import wiring
from apps.agents import queries as agent_queries
from apps.evaluation.plots.plot_catalogue import PLOTS, PlotRequest, draw_plot
from apps.evaluation.plots.summary_plots import relationship_graph, tasks_by_tokens
from apps.evaluation.plots.time_plots import activity_of, activity_spans, importance_history
from apps.evaluation.social.news import news_of
from apps.evaluation.social.social_measures import social_measures
from apps.llm.calls import queries as llm_queries
from apps.memory.queries import list_all_memories
from apps.simulation import queries
from apps.simulation.models import SimulationRow
from tests.support.snapshots import simulated
from tests.support.towns import live, shared_fixture

pytestmark = pytest.mark.django_db
EIGHT = 2_880
DRAWN: dict[str, bytes] = {}


def as_of(row: SimulationRow, tick: int) -> PlotRequest:
    return PlotRequest(
        simulation_id=row.pk,
        calendar=queries.calendar_of(row.pk),
        as_of_tick=tick,
        read_log=lambda key, until: wiring.event_store().read(key, until_tick=until),
        news=news_of(["party"], ["Isabella", "Hobbs Cafe"]),
    )


def lived_until_ten() -> SimulationRow:
    """Return a day until ten, with the plots that were drawn at eight."""
    row = simulated("2023-02-13T08:00")
    DRAWN.update({name: draw_plot(plot, as_of(row, EIGHT)) for name, plot in PLOTS.items()})
    return live(row, "2023-02-13T10:00")


noon = shared_fixture(lived_until_ten)


def test_of_a_past_moment_are_those_that_were_drawn_then(noon: SimulationRow) -> None:
    assert DRAWN.keys() == PLOTS.keys()
    for name, plot in PLOTS.items():
        assert draw_plot(plot, as_of(noon, EIGHT)) == DRAWN[name], name
        assert draw_plot(plot, as_of(noon, noon.committed_tick)) != DRAWN[name], name


def test_activity_is_that_of_the_actions(noon: SimulationRow) -> None:
    lanes = activity_spans(as_of(noon, noon.committed_tick))
    names = agent_queries.names_of_agents(noon.pk, as_of_tick=noon.committed_tick)
    assert list(lanes) == sorted(names.values())
    for tick in range(0, noon.committed_tick + 1, 97):
        for agent, action in agent_queries.actions_at(noon.pk, tick=tick).items():
            [span] = [one for one in lanes[names[agent]] if one.from_tick <= tick < one.to_tick]
            assert span.activity == activity_of(action), (agent, tick)
    assert {span.activity for spans in lanes.values() for span in spans} >= {
        "asleep", "walking", "at an action",
    }  # fmt: skip
    for spans in lanes.values():
        assert (spans[0].from_tick, spans[-1].to_tick) == (0, noon.committed_tick + 1)


def test_costs_are_those_of_the_call_log(noon: SimulationRow) -> None:
    lines = tasks_by_tokens(as_of(noon, EIGHT))
    costs = llm_queries.costs(noon.pk, as_of_tick=EIGHT)
    assert sorted(lines, key=lambda line: line.key) == costs
    tokens = [line.prompt_tokens + line.completion_tokens for line in lines]
    assert tokens == sorted(tokens, reverse=True)
    assert tokens[0] > 0


def test_every_rated_memory_is_in_one_circle(noon: SimulationRow) -> None:
    history = importance_history(as_of(noon, EIGHT))
    rated = [one for one in list_all_memories(noon.pk, as_of_tick=EIGHT) if one.rated]
    assert sum(history.memories.values()) == len(rated) > 3
    assert {hour for hour, *_ in history.memories} <= {*range(9)}


def test_relationships_are_those_of_the_social_measures(noon: SimulationRow) -> None:
    tick = noon.committed_tick
    graph = relationship_graph(as_of(noon, tick))
    [network] = [
        one
        for one in social_measures(noon.pk, as_of_tick=tick).networks
        if one.kind == "talked"
    ]
    assert graph.network == network
    assert len(graph.talked) == network.ties
    assert all(count > 0 for count in graph.talked.values())
