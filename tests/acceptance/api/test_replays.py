"""A replay over HTTP: requested, carried out by a worker, shown, deleted."""

from typing import Any

import pytest

from apps import wiring
from apps.replays.commands import REPLAYS
from apps.simulation.models import SimulationRow
from apps.simulation.turn import pipeline
from apps.simulation.turn.remember.remember import remember
from tests.acceptance.api.calling import Caller, accepted, problem

UNTIL_TICK = 2_600


@pytest.fixture
def replays(town: str) -> str:
    """Return the address of the simulation's replays."""
    return f"{town}/replays"


@pytest.fixture
def changed_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let agents remember nothing, as a changed version of the code might."""
    steps = tuple(one for one in pipeline.STEPS if one[0] is not remember)
    monkeypatch.setattr(pipeline, "STEPS", steps)


def work() -> None:
    """Do what workers do with the replays that wait."""
    for replay_id in REPLAYS.ids():
        REPLAYS.carry_out(wiring.ports(), replay_id)


def requested(caller: Caller, replays: str, **body: Any) -> dict[str, Any]:
    """Request a replay; return it as it was accepted."""
    return accepted(caller.post(replays, body))


class TestReplay:
    def test_finds_the_events_of_the_log(
        self, lived: SimulationRow, replays: str, isabella: Caller
    ) -> None:
        estimated = isabella.post(f"{replays}/estimate", {"to": UNTIL_TICK}).json()
        assert (estimated["ticks"], estimated["calls"]) == (UNTIL_TICK + 1, 0)
        asked = requested(isabella, replays, to=UNTIL_TICK, reason="before the upgrade")
        assert (asked["state"], asked["from_tick"], asked["turns"]) == ("pending", 0, 0)
        work()
        shown = isabella.get(f"{replays}/{asked['id']}").json()
        assert (shown["state"], shown["divergence"], shown["problem"]) == (
            "done",
            None,
            None,
        )
        assert shown["turns"] > 10
        assert (shown["changed_calls"], shown["changed_call"]) == (0, None)
        [listed] = isabella.get(replays).json()["results"]
        assert listed == shown

    @pytest.mark.usefixtures("changed_rules")
    def test_ends_at_the_first_event_that_differs(
        self, town: str, replays: str, isabella: Caller
    ) -> None:
        asked = requested(isabella, replays)
        work()
        divergence = isabella.get(f"{replays}/{asked['id']}").json()["divergence"]
        event = isabella.get(f"{town}/events/{divergence['event']}").json()
        assert divergence["logged"]["type"] == event["type"]
        assert divergence["logged"] != divergence["replayed"]

    def test_can_be_of_a_part_of_the_history(self, replays: str, isabella: Caller) -> None:
        asked = requested(
            isabella, replays, **{"from": "2023-02-13T06:30:00", "to": "2023-02-13T07:00:00"}
        )
        assert (asked["from_tick"], asked["to_tick"]) == (2340, 2520)

    def test_is_one_at_a_time(self, replays: str, isabella: Caller) -> None:
        requested(isabella, replays)
        problem(isabella.post(replays, {}), 409, "replay-in-progress")

    def test_needs_committed_ticks(self, replays: str, isabella: Caller) -> None:
        document = problem(isabella.post(replays, {"to": 999_999}), 422, "invalid-request")
        assert document["errors"][0]["pointer"] == "/to"
        document = problem(isabella.post(replays, {"from": 9, "to": 8}), 422, "invalid-request")
        assert document["errors"][0]["code"] == "before-from"

    def test_is_resumed_after_an_error_has_stopped_it(
        self, town: str, replays: str, isabella: Caller
    ) -> None:
        asked = requested(isabella, replays, to=UNTIL_TICK)
        assert asked["waits_for"] == "a worker"
        row = SimulationRow.objects.get(pk=town.rpartition("/")[2])
        model, row.model = row.model, {"server": "unknown"}
        row.save()
        with pytest.raises(Exception, match="unknown"):
            work()
        address = f"{replays}/{asked['id']}"
        shown = isabella.get(address).json()
        assert (shown["state"], shown["waits_for"]) == (
            "paused",
            "a user who resumes the replay",
        )
        assert shown["waits_since"] == shown["end_recorded_at"]
        row.model = model
        row.save()
        assert isabella.post(f"{address}/resume", {}).json()["problem"] is None
        work()
        shown = isabella.get(address).json()
        assert (shown["state"], shown["waits_for"]) == ("done", None)
        problem(isabella.post(f"{address}/resume", {}), 409, "work-not-paused")
