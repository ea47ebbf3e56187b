"""What a recording has is what the interface shows of the same moments."""

import json
from typing import Any

import pytest
from django.contrib.auth.models import User

from apps import wiring
from apps.archives.recordings.recorded_history import (
    BEGINNINGS,
    RECORDED_FIELDS,
    RecordedSpan,
    SpanUnusable,
    record_history,
    span_of,
)
from apps.eventlog.store import log_sha256
from apps.simulation import queries
from apps.simulation.models import SimulationRow
from apps.simulation.ports import constants_of
from tests.acceptance.api.calling import Caller, caller_of
from tests.support.snapshots import simulated
from tests.support.towns import shared_fixture

pytestmark = pytest.mark.django_db
SEVEN, NINE = 2_520, 3_240


morning = shared_fixture(lambda: simulated("2023-02-13T09:30"))
"""A morning of three agents."""


def recorded(row: SimulationRow, first: int = SEVEN, last: int = NINE) -> dict[str, Any]:
    ports = wiring.ports()
    constants = constants_of(row.pk, ports.worlds)
    span = RecordedSpan(from_tick=first, to_tick=last)
    return record_history(ports.store, row, constants, span)


@pytest.fixture
def reader(db: None) -> Caller:
    return caller_of(User.objects.create_superuser("a reader of recordings"))


def test_the_state_is_that_of_the_interface(morning: SimulationRow, reader: Caller) -> None:
    state = recorded(morning)["state"]
    shown = reader.get(f"/simulations/{morning.pk}/state", at=SEVEN).json()
    for own, other in zip(state["agents"], shown["agents"], strict=True):
        assert {name: other[name] for name in own.keys() & other.keys()} == {
            name: own[name] for name in own.keys() & other.keys()
        }
    assert state["objects"] == shown["objects"]
    assert [talk["id"] for talk in state["conversations"]] == [
        talk["id"] for talk in shown["conversations"]
    ]


def test_events_are_those_after_the_beginning(morning: SimulationRow) -> None:
    history = recorded(morning)
    types = {event.type for event in RECORDED_FIELDS}
    log = [
        one
        for one in wiring.event_store().read(morning.pk, until_tick=NINE)
        if one.tick > SEVEN and one.event.type in types - {"memory.formed.v1"}
    ]
    own = [event["id"] for event in history["events"] if event["type"] != "memory.formed.v1"]
    assert own == [str(one.place) for one in log]
    walks = [event for event in history["events"] if event["type"] == "agents.walk-began.v1"]
    assert walks
    assert all(event["data"]["steps"] for event in walks)


def test_an_action_has_its_plan(morning: SimulationRow, reader: Caller) -> None:
    history = recorded(morning)
    types = {event.type for event in BEGINNINGS}
    planned = 0
    for event in history["events"]:
        number = event["data"].get("plan_item", 0)
        if event["type"] not in types or not number:
            continue
        rows = {row[0]: row for row in history["plans"][event["id"].split("/")[1]]}
        path = f"/simulations/{morning.pk}/events/{event['id']}/provenance"
        if planned % 7 == 0:  # of some, what the interface says
            plan = reader.get(path).json()["plan"]
            assert rows[number][6] == plan["action"]["description"]
            assert rows[rows[number][1]][6] == plan["hour"]["description"]
        planned += 1
    assert planned > 10


def test_is_the_same_each_time_and_changes_nothing(morning: SimulationRow) -> None:
    before = log_sha256(morning.pk)
    assert json.dumps(recorded(morning)) == json.dumps(recorded(morning))
    assert log_sha256(morning.pk) == before


def test_over_http_is_one_file(morning: SimulationRow, reader: Caller) -> None:
    response = reader.get(f"/simulations/{morning.pk}/recording", **{"from": SEVEN, "to": NINE})
    assert response.status_code == 200
    assert response["Content-Type"] == "text/html; charset=utf-8"
    assert response["Content-Disposition"].startswith("attachment")
    assert response.content.startswith(b"<!doctype html>")
    assert len(response.content) < 500_000
    refused = reader.get(f"/simulations/{morning.pk}/recording", **{"from": NINE, "to": SEVEN})
    assert (refused.status_code, refused.json()["code"]) == (422, "span-unusable")


@pytest.mark.parametrize("span", [(NINE, SEVEN), (SEVEN, SEVEN), (-1, SEVEN), (0, 10**6)])
def test_an_unusable_span_is_refused(morning: SimulationRow, span: tuple[int, int]) -> None:
    calendar = queries.calendar_of(morning.pk)
    with pytest.raises(SpanUnusable, match="the committed moment, 2023-02-13T09:30:00"):
        span_of(morning, calendar, from_tick=span[0], to_tick=span[1])


def test_a_recording_has_a_day_at_most(morning: SimulationRow) -> None:
    calendar = queries.calendar_of(morning.pk)
    morning.committed_tick = 20_000  # not saved
    assert span_of(morning, calendar, from_tick=0, to_tick=8_640).to_tick == 8_640
    with pytest.raises(SpanUnusable, match="24 hours"):
        span_of(morning, calendar, from_tick=0, to_tick=8_641)
    morning.refresh_from_db()
