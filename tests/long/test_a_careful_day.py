"""A day of six agents with recorded answers: what they decided is what happens.

The answers were given with care, as a good model gives them. `python -m benchmarks.careful_day`
replays the day, and records answers to questions that are new.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from pytest_django import DjangoDbBlocker

from apps import wiring
from apps.agents.acts import ActKind, ActOutcome
from apps.agents.events import ActionBegan, ActReported
from apps.dialogue.events import Agreed
from apps.eventlog.store import log_sha256
from apps.memory.models import MemoryRow
from apps.simulation.engine import lifecycle
from apps.simulation.ports import constants_of
from apps.simulation.snapshot.world_snapshot import read_world_snapshot
from tests.support.careful_day import UNTIL, CarefulDay, replay_day
from tests.support.towns import happened

# Without the mark there is no database when this file is run by itself.
pytestmark = pytest.mark.django_db

TEN = "2023-02-13T10:00"
# Most of the others are lengths of actions, which give time to the way between areas.
KEPT_SHARE_MIN = 0.83
RECORDED_MIN = 340  # some moments have come since for which no answer is recorded
RUNS = re.compile(r"John Lin.* (is running|runs|means to run|is going to run) for mayor")


@contextmanager
def replayed(blocker: DjangoDbBlocker, until: str) -> Iterator[CarefulDay]:
    """Give the replayed day to tests that read it; its threads see what is committed."""
    with blocker.unblock():
        day = replay_day(until=until)
    yield day
    with blocker.unblock():
        lifecycle.delete_simulation(wiring.ports(), day.row.pk)


@pytest.fixture(scope="module")
def day(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[CarefulDay]:
    """Give the day."""
    with replayed(django_db_blocker, UNTIL) as day:
        yield day


@pytest.fixture(scope="module")
def again(day: CarefulDay, django_db_blocker: DjangoDbBlocker) -> Iterator[CarefulDay]:
    """Give the first hours of the day, replayed again."""
    with replayed(django_db_blocker, TEN) as first_hours:
        yield first_hours


class TestACarefulDay:
    def test_is_done_as_it_was_answered(self, day: CarefulDay) -> None:
        calls, changed = len(day.calls), day.changed()
        assert calls >= RECORDED_MIN
        assert len(changed) <= calls * (1 - KEPT_SHARE_MIN), "\n".join(changed)

    def test_has_the_same_history_again(self, day: CarefulDay, again: CarefulDay) -> None:
        assert again.log == log_sha256(day.row.pk, until_tick=again.row.committed_tick)


class TestWhatHappened:
    def test_the_candidacy_is_known_to_those_who_were_told(self, day: CarefulDay) -> None:
        heard = MemoryRow.objects.filter(
            simulation_id=day.row.pk, origin__in=("learned", "conversation")
        ).exclude(agent="john-lin")
        told = [
            memory.agent
            for memory in heard.order_by("formed_tick", "number")
            if RUNS.search(memory.description)
        ]
        in_order = ["tom-moreno", "sam-moore", "mei-lin", "eddy-lin", "jane-moreno"]
        assert list(dict.fromkeys(told)) == in_order, "Jane hears it from Tom, after dinner"

    def test_appointments_for_tomorrow_are_open_or_cancelled(self, day: CarefulDay) -> None:
        tomorrow = [one for one in happened(day.row, Agreed) if one.event.day == "2023-02-14"]
        pairs = {(one.stream, one.event.other) for one in tomorrow}
        assert {("john-lin", "sam-moore"), ("sam-moore", "john-lin")} <= pairs
        cancelled = {one.stream for one in tomorrow if one.event.cancelled}
        assert cancelled == {"john-lin", "tom-moreno"}

    def test_a_concert_at_home_is_agreed_by_three(self, day: CarefulDay) -> None:
        half_past_seven = 19 * 60 + 30
        concert = {
            one.stream
            for one in happened(day.row, Agreed)
            if one.event.day == "2023-02-13" and one.event.from_minute == half_past_seven
        }
        assert concert == {"john-lin", "mei-lin", "eddy-lin"}

    def test_a_son_is_looked_for_and_found(self, day: CarefulDay) -> None:
        searched = [
            one.event.outcome
            for one in happened(day.row, ActReported)
            if (one.stream, one.event.kind) == ("mei-lin", ActKind.LOOK_FOR)
        ]
        assert searched == [ActOutcome.NOT_HERE, ActOutcome.NOT_HERE, ActOutcome.DONE]

    def test_a_guest_is_met_at_the_door_and_stays_for_tea(self, day: CarefulDay) -> None:
        tea = {
            (one.stream, one.event.other)
            for one in happened(day.row, Agreed)
            if "tea" in one.event.activity and one.event.day == "2023-02-13"
        }
        assert tea == {("jane-moreno", "mei-lin"), ("mei-lin", "jane-moreno")}

    def test_the_concert_begins_when_all_three_are_in_the_room(self, day: CarefulDay) -> None:
        row = day.row
        [played] = [
            one
            for one in happened(row, ActionBegan)
            if one.stream == "eddy-lin" and "playing the whole piece" in one.event.description
        ]
        world = constants_of(row.pk, wiring.ports().worlds).world
        view = read_world_snapshot(row.pk, world=world, seed=row.seed, from_tick=played.tick)
        tiles = [
            view.tracks[agent].tile_at(played.tick)
            for agent in ("john-lin", "mei-lin", "eddy-lin")
        ]
        rooms = {world.map.area_at(tile) for tile in tiles if tile is not None}
        assert rooms == {played.event.area}
