"""A day in worlds of two people, written from the guide alone: they wake, eat and sleep."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from pytest_django import DjangoDbBlocker

from apps import wiring
from apps.evaluation.quality import day_checks
from apps.evaluation.quality.counts import RunQuality, run_quality
from apps.eventlog.models import EventRow
from apps.history import DayRecord, read_day_record
from apps.replays.comparison import Replay, replay
from apps.simulation.engine import lifecycle
from apps.simulation.engine.forks import ForkSpec, fork_simulation
from apps.simulation.models import SimulationRow
from apps.simulation.ports import Ports
from apps.simulation.turn.context.context_reading import read_context
from apps.simulation.turn.context.turn_context import TurnContext
from apps.world.folders import WorldFolders
from tests.support.guides import HOW_TO, write_files
from tests.support.towns import found, live
from tests.support.whole_day import dawdling
from worlds.drawing.__main__ import main as draw

pytestmark = pytest.mark.django_db

ROOT = Path(__file__).parents[2]
# When three of the four have planned their second day.
UNTIL = "2024-06-04T06:40"
# The history of two days of this world is replayed, and a part of its turns read again.
REPLAYED, REPLAYED_UNTIL = "two_rooms", "2024-06-05T00:00"
TURNS_PER_SAMPLE = 40
CHECKS = {
    "wake and go to bed at their hours": day_checks.wrong_hours,
    "eat three times": day_checks.unfed,
    "sleep at night": day_checks.sleepless,
    "plan a day without gap or overlap": day_checks.untiled_plans,
    "are turned away no more than now and then": lambda lived: day_checks.often_turned_away(
        lived, most=8
    ),
    "do something else every now and then": day_checks.monotonous,
    "do not do the same again and again": day_checks.repetitive,
    "take a moment for what takes a moment": dawdling,
    "keep off the walls": day_checks.on_walls,
    "take one step at a time": day_checks.leaps,
    "are in one place at a time": day_checks.in_two_places,
    "share no room for one": day_checks.shared_rooms,
}


def write_the_guides_world(root: Path) -> Path:
    """Follow the guide: write its files, draw its plans."""
    write_files(HOW_TO / "bring_your_own_world.md", root)
    draw([str(root / "worlds" / "millbrook")])
    return root / "worlds"


@dataclass(frozen=True, slots=True)
class TinyDay:
    """The record of the day, and the quality of the run at its end."""

    record: DayRecord
    quality: RunQuality
    replayed: Replay | None = None
    reads: tuple[tuple[object, object], ...] = ()


@pytest.fixture(scope="module", params=["two_rooms", "millbrook"])
def tiny_day(
    request: pytest.FixtureRequest,
    tmp_path_factory: pytest.TempPathFactory,
    django_db_setup: None,
    django_db_blocker: DjangoDbBlocker,
) -> TinyDay:
    """Let both people live from midnight to the next morning."""
    world = request.param
    root = ROOT / "tests" / "worlds"
    if world == "millbrook":
        root = write_the_guides_world(tmp_path_factory.mktemp("worlds"))
    ports = replace(wiring.ports(), worlds=WorldFolders(root))
    with django_db_blocker.unblock():
        row = live(found(world=world, agents=None, ports=ports), UNTIL, ports=ports)
        record = read_day_record(row.pk, ports.worlds)
        quality = run_quality(row.pk, ports.worlds, as_of_tick=row.committed_tick)
        everything = TinyDay(record=record, quality=quality)
        if world == REPLAYED:
            live(row, REPLAYED_UNTIL, ports=ports)
            *_, replayed = replay(ports, row.pk, from_tick=0, to_tick=row.committed_tick)
            reads = tuple(reads_then_and_now(ports, row))
            everything = replace(everything, replayed=replayed, reads=reads)
        lifecycle.delete_simulation(ports, row.pk)
    return everything


def reads_then_and_now(ports: Ports, row: SimulationRow) -> Iterator[tuple[object, object]]:
    """Yield what turns read in a branch that ends before them, and in the whole history."""
    turns = EventRow.objects.filter(simulation_id=row.pk, tick__gt=0).order_by("tick", "stream")
    places = turns.values_list("tick", "stream").distinct()
    for tick, agent in list(places)[::TURNS_PER_SAMPLE]:
        spec = ForkSpec(name="until the tick before", at_tick=tick - 1)
        branch = fork_simulation(ports, row.pk, spec)
        then, now = (
            read_context(ports, simulation_id=one, agent=agent, tick=tick)
            for one in (branch.pk, row.pk)
        )
        yield _read(then), _read(now)
        lifecycle.delete_simulation(ports, branch.pk)


def _read(context: TurnContext) -> object:
    """Return the values of a context that name no simulation."""
    return (
        context.records,
        context.acquainted,
        context.news,
        context.interventions,
        context.deeds_today(),
    )


class TestADayOfTwo:
    @pytest.mark.parametrize("check", CHECKS)
    def test_is_one_on_which_they(self, tiny_day: TinyDay, check: str) -> None:
        assert CHECKS[check](tiny_day.record) == []

    @pytest.mark.parametrize("tiny_day", [REPLAYED], indirect=True)
    def test_is_led_to_again_by_a_replay_after_the_next(self, tiny_day: TinyDay) -> None:
        replayed = tiny_day.replayed
        assert replayed is not None
        assert (replayed.divergence, replayed.changed_call) == (None, "")
        assert replayed.turns > 500

    @pytest.mark.parametrize("tiny_day", [REPLAYED], indirect=True)
    def test_is_read_by_its_turns_without_what_came_later(self, tiny_day: TinyDay) -> None:
        assert len(tiny_day.reads) > 15
        for then, now in tiny_day.reads:
            assert now == then

    def test_has_no_impossible_behaviour_in_its_quality(self, tiny_day: TinyDay) -> None:
        quality = tiny_day.quality
        assert (quality.checked_day, quality.agents) == ("2024-06-03", 2)
        faults = {check.name: check.faults for check in quality.checks}
        for name in ("on-walls", "leaps", "in-two-places", "rooms-over-capacity"):
            assert faults[name] == ()
        assert quality.passed >= len(quality.checks) - 2
        assert quality.agent_days == pytest.approx(2 * 30 / 24, abs=0.1)
        # What is perceived again is counted at the memory that there is (ADR 45).
        assert quality.memories.count > 50
        assert quality.memories.repeated == 0
        assert quality.answers.fell_back == 0
