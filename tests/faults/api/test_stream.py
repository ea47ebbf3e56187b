"""Web processes and the database are killed; who follows a town is told all of it (A2)."""

import os
import signal
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from django.contrib.auth.models import User

from apps.access.commands import issue_token
from apps.eventlog.store import events_of
from apps.simulation.models import SimulationRow
from tests.support.postmaster import kill_database
from tests.support.serving import Service, served
from tests.support.snapshots import simulated
from tests.support.streams import Follower
from tests.support.towns import live

pytestmark = pytest.mark.django_db(transaction=True)

TIMES = ("06:20", "06:30", "06:40", "06:50")


@pytest.fixture
def followed() -> tuple[SimulationRow, str]:
    """Give a town at twenty past six, and a token of its owner's."""
    owner = User.objects.create_user("isabella")
    row = simulated(f"2023-02-13T{TIMES[0]}")
    SimulationRow.objects.filter(pk=row.pk).update(owner=owner)
    return row, issue_token(owner, "a test")


@pytest.fixture
def webs(tmp_path: Path, followed: tuple[SimulationRow, str]) -> Iterator[list[Service]]:
    """Serve by two web processes."""
    _, token = followed
    with ExitStack() as kept:
        services = []
        for name in ("one", "other"):
            (tmp_path / name).mkdir()
            services.append(kept.enter_context(served(tmp_path / name, token)))
        yield services


def log_of(row: SimulationRow) -> list[str]:
    row.refresh_from_db()
    rows = events_of(row.pk, until_tick=row.committed_tick)
    return [f"{event.tick}/{event.stream}/{event.ordinal}" for event in rows]


class TestFollowing:
    def test_goes_on_with_another_web_process(
        self, webs: list[Service], followed: tuple[SimulationRow, str]
    ) -> None:
        row, token = followed
        path = f"/api/v1/simulations/{row.pk}/stream"
        one, other = webs
        followers = [
            Follower(one.port, token, path, query={"after": "beginning"}) for _ in range(5)
        ]
        for follower in followers:
            follower.connect()
        already = log_of(row)
        for follower in followers:
            follower.hear(len(already) // 2)
        os.kill(one.process_id, signal.SIGKILL)
        for follower in followers:
            follower.wait_for(lambda it: it.is_over)
        live(row, f"2023-02-13T{TIMES[1]}")
        for follower in followers:
            # As a browser does: to the same address, with the last id.
            follower.port = other.port
            follower.connect()
        live(row, f"2023-02-13T{TIMES[2]}")
        log = log_of(row)
        for follower in followers:
            follower.hear(len(log))
            assert follower.ids == log
            follower.hang_up()

    def test_outlives_the_database(
        self, webs: list[Service], followed: tuple[SimulationRow, str]
    ) -> None:
        row, token = followed
        path = f"/api/v1/simulations/{row.pk}/stream"
        with (
            Follower(webs[0].port, token, path, query={"after": "beginning"}) as one,
            Follower(webs[1].port, token, path) as other,
        ):
            before = log_of(row)
            one.wait_for(lambda it: it.ids == before)
            other.wait_for(lambda it: bool(it.blocks))
            kill_database()
            live(row, f"2023-02-13T{TIMES[1]}")
            log = log_of(row)
            assert len(log) > len(before)
            for follower, told in ((one, log), (other, log[len(before) :])):
                follower.hear(len(told), seconds=90)
                assert follower.ids == told
                assert not follower.is_over
