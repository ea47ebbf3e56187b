"""Every schedule that the lookahead policy allows gives the history of lock-step (V2).

A turn reads other agents through its views alone, each read within the distance that the
policy assumes. Whether that holds is tried with agents who walk past one another and talk at
any speed: in the schedules tried here some of them are as far ahead of others as the policy
lets them be.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from hypothesis import HealthCheck, Phase, example, given, settings
from hypothesis import strategies as st

from apps import wiring
from apps.dialogue.events import Said
from apps.eventlog.models import EventRow
from apps.memory.events import MemoryFormed
from apps.simulation.models import SimulationRow
from apps.simulation.ports import Ports
from apps.world.folders import WorldFolders
from tests.support.schedules import (
    Pick,
    at_random,
    farthest_ahead,
    holding_back,
    lock_step,
    out_of_order,
)
from tests.support.street import STREET, wandering_and_talking, write_street
from tests.support.towns import answering, found, happened

pytestmark = pytest.mark.django_db(transaction=True)

GAME_SECONDS = 3_000  # from ten minutes before everybody wakes
PICKS: dict[str, Callable[[], Pick]] = {
    "farthest ahead": lambda: farthest_ahead,
    "at random": lambda: at_random(1),
    "the first agent last": lambda: holding_back("ada-finch"),
    "the third agent last": lambda: holding_back("cem-kaya"),
}
WALKED_PAST: dict[str, Any] = {
    "seed": 3,
    "vision": 3,
    "words_per_minute": 20,
    "tick_seconds": 20,
    "utterances": 4,
    "walks_off": 3,
    "pick": "farthest ahead",
}
TALKED_AS_THREE: dict[str, Any] = WALKED_PAST | {
    "seed": 11,
    "vision": 8,
    "words_per_minute": 60,
    "utterances": 6,
    "walks_off": 4,
    "pick": "at random",
    "hearing_distance": 8,
    "talk_reason_minutes": 1,
}


@pytest.fixture(scope="module")
def worlds(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write the generated world."""
    return write_street(tmp_path_factory.mktemp("worlds"))


def ports_of(worlds: Path, *, utterances: int, walks_off: int) -> Ports:
    answers = wandering_and_talking(utterances=utterances, walks_off=walks_off)
    return answering(answers, ports=replace(wiring.ports(), worlds=WorldFolders(worlds)))


def street(ports: Ports, *, seed: int, **settings: Any) -> SimulationRow:
    """Create a simulation of the street in which agents soon weigh the same things again."""
    impatient = {"reaction_pause_minutes": 1, "retention_hours": 0.2}
    return found(
        seed=seed, agents=None, world=STREET, ports=ports, settings=impatient | settings
    )


def events_of(simulation_id: UUID) -> list[tuple[Any, ...]]:
    """Return the events in canonical order, as the log's hash has them."""
    rows = EventRow.objects.filter(simulation_id=simulation_id)
    found = rows.order_by("tick", "stream", "ordinal")
    return list(found.values_list("tick", "stream", "ordinal", "type", "data"))


def run_both_ways(worlds: Path, given_values: Mapping[str, Any]) -> SimulationRow:
    """Compare the history of lock-step with that of another order, and return the latter."""
    asked = dict(given_values)
    ports = ports_of(
        worlds, utterances=asked.pop("utterances"), walks_off=asked.pop("walks_off")
    )
    pick = PICKS[asked.pop("pick")]()
    last_tick = GAME_SECONDS // asked["tick_seconds"]
    expected, actual = street(ports, **asked), street(ports, **asked)
    lock_step(ports, expected.pk, last_tick)
    out_of_order(ports, actual.pk, last_tick, pick=pick)
    assert events_of(actual.pk) == events_of(expected.pk)
    return actual


class TestLookahead:
    @settings(
        max_examples=3,
        deadline=None,
        derandomize=True,
        phases=[Phase.explicit, Phase.generate],
        suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
    )
    @example(given_values=TALKED_AS_THREE)
    @given(
        given_values=st.fixed_dictionaries(
            {
                "seed": st.integers(0, 1_000),
                "vision": st.integers(1, 8),
                "words_per_minute": st.integers(10, 60),
                "tick_seconds": st.sampled_from([10, 20, 60]),
                "utterances": st.integers(1, 6),
                "walks_off": st.integers(2, 5),
                "pick": st.sampled_from(list(PICKS)),
            }
        )
    )
    def test_gives_the_history_of_lock_step_however_agents_walk_and_talk(
        self, worlds: Path, given_values: Mapping[str, Any]
    ) -> None:
        run_both_ways(worlds, given_values)

    def test_gives_it_where_speakers_walk_out_of_view_before_their_words_are_said(
        self, worlds: Path
    ) -> None:
        row = run_both_ways(worlds, WALKED_PAST)
        utterances = {one.place for one in happened(row, Said)}
        cut_off = [
            one
            for one in happened(row, MemoryFormed)
            if "began to say something" in one.event.description
        ]
        assert cut_off
        assert {one.cause for one in cut_off} <= utterances
