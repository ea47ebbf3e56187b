"""A day with known hours: what is repeated, its provenance, and its counts (P1, V6)."""

import pytest

from apps import history, wiring
from apps.eventlog.event import EventId
from apps.eventlog.queries import find_event
from apps.eventlog.rebuild import check
from apps.planning.events import ActionsPlanned
from apps.planning.models import PlanItemRow
from apps.simulation.models import SimulationRow
from apps.simulation.provenance import provenance_of
from tests.support.towns import found, happened, live, shared_fixture

pytestmark = pytest.mark.django_db

KLAUS = "Klaus Mueller"
AFTERNOON = "2023-02-13T16:30"


row = shared_fixture(
    lambda: live(found(agents=(KLAUS,), settings={"preset": "economy"}), AFTERNOON)
)
"""A day in the library, with the preset that reuses hours at once."""


def test_repeats_hours_with_the_same_words_and_place(row: SimulationRow) -> None:
    planned = {one.place: one.event for one in happened(row, ActionsPlanned)}
    reused = [event for event in planned.values() if event.reused_from]
    assert reused
    for event in reused:
        source = planned[event.reused_from]
        assert source.reused_from == ""
        hours = PlanItemRow.objects.filter(
            simulation_id=row.pk, number__in=(event.parent, source.parent)
        )
        assert len(set(hours.values_list("description", "place"))) == 1
        done = [one.description for one in source.items]
        assert [one.description for one in event.items] == done[: len(event.items)]
    assert history.hour_counts(row.pk).reused == len(reused)
    assert check(wiring.event_store(), row.pk).problems == ()


def test_is_explained_by_the_call_that_planned_the_first_hour(row: SimulationRow) -> None:
    place, source = next(
        (one.place, one.event.reused_from)
        for one in happened(row, ActionsPlanned)
        if one.event.reused_from
    )
    event = find_event(row.pk, EventId.parse(place))
    assert event is not None
    shown = provenance_of(row, event, as_of_tick=row.committed_tick)
    assert [one.event_id for one in shown["causes"]] == [source]
    assert {call["for"] for call in shown["model_calls"]} == {source}
