"""Memories and actions of a lived morning have the facts behind their descriptions."""

from dataclasses import replace
from datetime import datetime
from pathlib import Path

import pytest

from apps import wiring
from apps.agents import queries as agent_queries
from apps.agents.events import ActionBegan, ActionKind, WalkBegan
from apps.memory.events import MemoryFormed, MemoryOrigin
from apps.planning.events import ActionsPlanned, HoursPlanned
from apps.planning.inputs import OwnThoughtInput
from apps.planning.llm_tasks.own_thought import OwnThought
from apps.rule_model.model import Chance
from apps.simulation import queries
from apps.simulation.commands.command_log import Issuer
from apps.simulation.commands.interventions import (
    InnerVoiceBody,
    ObservationBody,
    request_intervention,
)
from apps.simulation.models import SimulationRow
from apps.world.folders import WorldFolders
from tests.support.towns import answering, found, happened, live

pytestmark = pytest.mark.django_db(transaction=True)

WORLDS = Path(__file__).parents[1] / "worlds"
ADA, BEN = "ada-finch", "ben-marsh"
VOICE_AT, NOON = "2024-06-03T10:20", "2024-06-03T12:00"
SCHEDULED = {MemoryOrigin.PLANNED, MemoryOrigin.DECIDED, MemoryOrigin.AGREED}


def resolve(_: OwnThoughtInput, __: Chance) -> OwnThought:
    return OwnThought(
        thought="Ada Finch wants fresh air.",
        deed="Ben and I walk around the mill",
        place="kitchen",
        minutes_now=20,
    )


@pytest.fixture
def row() -> SimulationRow:
    """Let two agents of one cottage live until noon; a user intervenes at 10:20."""
    ports = answering(
        {"planning.own_thought": resolve},
        ports=replace(wiring.ports(), worlds=WorldFolders(WORLDS)),
    )
    row = found(world="two_rooms", agents=None, ports=ports)
    tick = queries.calendar_of(row.pk).tick_at(datetime.fromisoformat(VOICE_AT))
    issuer = Issuer(by="a researcher", reason="", at_tick=tick)
    request_intervention(row.pk, ADA, InnerVoiceBody(text="Go out"), issuer=issuer)
    request_intervention(
        row.pk, BEN, ObservationBody(text="Ada Finch is humming."), issuer=issuer
    )
    return live(row, NOON, ports=ports)


def memories(row: SimulationRow, agent: str, origin: MemoryOrigin) -> list[MemoryFormed]:
    formed = (one for one in happened(row, MemoryFormed) if one.stream == agent)
    return [one.event for one in formed if one.event.origin is origin]


class TestALivedMorning:
    def test_has_the_facts_of_everything_that_is_remembered_and_done(
        self, row: SimulationRow
    ) -> None:
        self.check_memories(row)
        self.check_interventions(row)
        self.check_subjects(row)
        self.check_kinds(row)
        self.check_the_interrupted_hour(row)

    def check_memories(self, row: SimulationRow) -> None:
        formed = [one.event for one in happened(row, MemoryFormed)]
        assert MemoryOrigin.UNKNOWN not in {memory.origin for memory in formed}
        for memory in formed:
            assert (memory.scheduled is not None) == (memory.origin in SCHEDULED), memory

    def check_interventions(self, row: SimulationRow) -> None:
        [thought] = memories(row, ADA, MemoryOrigin.INNER_VOICE)
        [decision] = memories(row, ADA, MemoryOrigin.DECIDED)
        assert thought.description == "Ada Finch wants fresh air."
        assert decision.evidence == (thought.number,)
        assert decision.scheduled is not None
        assert decision.scheduled.activity == "Ben and I walk around the mill"
        assert decision.scheduled.starts == datetime.fromisoformat(VOICE_AT)
        assert decision.scheduled.ends == datetime(2024, 6, 3, 10, 40)
        [told] = memories(row, BEN, MemoryOrigin.TOLD_OBSERVATION)
        assert told.subject == ADA

    def check_subjects(self, row: SimulationRow) -> None:
        names = {"Ada Finch": ADA, "": "Mill Cottage: kitchen"}
        for name, subject in names.items():
            assert agent_queries.name_of_agent(row.pk, subject) == name
        assert agent_queries.name_of_agent(row.pk, "mill") == ""

    def check_kinds(self, row: SimulationRow) -> None:
        for one in happened(row, ActionBegan):
            is_asleep = one.event.kind is ActionKind.SLEEPING
            assert one.event.asleep == is_asleep, one.event
            if one.event.kind is ActionKind.PLANNED:
                assert one.event.plan_item, one.event
        assert {one.event.kind for one in happened(row, WalkBegan)} == {ActionKind.WALKING}
        track = agent_queries.tracks(row.pk, from_tick=0)[ADA]
        kinds = {action.kind for action in track.actions}
        assert {ActionKind.PLANNED, ActionKind.SLEEPING, ActionKind.WALKING} <= kinds

    def check_the_interrupted_hour(self, row: SimulationRow) -> None:
        """Check that the rest of the hour names the hour that it continues."""
        revised = next(
            one.event
            for one in happened(row, HoursPlanned)
            if one.stream == ADA and one.event.items[0].description.startswith("Ben and I")
        )
        walk, rest, *_ = revised.items
        assert walk.continues == 0
        old = {
            item.number: item
            for one in happened(row, HoursPlanned)
            if one.stream == ADA
            for item in one.event.items
        }
        assert old[rest.continues].from_tick < walk.from_tick < old[rest.continues].to_tick
        parents = {one.event.parent for one in happened(row, ActionsPlanned)}
        assert rest.number in parents
