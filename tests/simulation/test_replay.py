"""A morning is taken again from recorded answers, and compared with its log."""

import pytest

from apps import wiring
from apps.eventlog.models import EventRow
from apps.eventlog.store import log_sha256
from apps.llm.calls import agent_llm
from apps.llm.models import EmbeddingRow, ModelCallRow
from apps.replays.comparison import Replay, replay
from apps.simulation.commands.agents import request_agent, request_removal
from apps.simulation.commands.command_log import Issuer
from apps.simulation.commands.interventions import (
    InnerVoiceBody,
    InterviewBody,
    ObservationBody,
    request_intervention,
)
from apps.simulation.commands.registry import COMMANDS
from apps.simulation.models import CommandRow, SimulationRow
from apps.simulation.turn import pipeline
from apps.simulation.turn.perceive.observe import observe
from tests.support.hands import User, live_on
from tests.support.towns import found, live, set_object, shared_fixture

USER = Issuer(by="a tester")
NEWCOMER = {
    "age": 22,
    "traits": ["curious"],
    "description": "Ada Finch studies history; Ada Finch likes lunch at Hobbs Cafe at noon",
    "hours": {"wake": "07:00", "sleep": "23:00"},
    "home": "Oak Hill College Dorm: Ayesha Khan's room",
    "knows": [],
}


def lived_morning() -> SimulationRow:
    """Let three people live a morning in which users do all that they can do."""
    row = live(found(), "2023-02-13T07:30")
    request_agent(wiring.ports(), row.pk, name="Ada Finch", facts=NEWCOMER, issuer=USER)
    set_object(row, "Hobbs Cafe: cafe: refrigerator", "burning")
    visitor = User(row)
    visitor.visit("Ben Marsh", description="Ben Marsh writes a book")
    live_on(row, "2023-02-13T07:32")
    visitor.move("Hobbs Cafe: cafe: behind the counter")
    for body in (
        InnerVoiceBody(text="You want to read about the weather"),
        ObservationBody(text="The library closes earlier today"),
        InterviewBody(persona="a reporter", question="How are you?", answer="I am fine."),
    ):
        request_intervention(row.pk, "klaus-mueller", body, issuer=USER)
    live_on(row, "2023-02-13T07:36")
    visitor.hand_back()
    live_on(row, "2023-02-13T07:38")
    visitor.visit("Ben Marsh")
    live_on(row, "2023-02-13T07:40")
    visitor.hand_back()
    live_on(row, "2023-02-13T07:45")
    controlled = User(row)
    controlled.embody("isabella-rodriguez")
    live_on(row, "2023-02-13T07:50")
    controlled.hand_back()
    request_removal(row.pk, "maria-lopez", issuer=USER)
    live_on(row, "2023-02-13T07:55")
    live(row, "2023-02-13T09:00")
    on_log = CommandRow.objects.filter(simulation_id=row.pk).exclude(effective_tick=None)
    assert set(on_log.values_list("kind", flat=True)) == set(COMMANDS)
    return row


morning = shared_fixture(lived_morning)


def replayed(row: SimulationRow) -> Replay:
    """Return the result of a replay of the whole morning."""
    [*_, last] = replay(wiring.ports(), row.pk, from_tick=0, to_tick=row.committed_tick)
    return last


def _written(row: SimulationRow) -> tuple[str, int, int]:
    """Return the hash of the log, and the numbers of model calls and vectors."""
    return log_sha256(row.pk), ModelCallRow.objects.count(), EmbeddingRow.objects.count()


@pytest.mark.django_db
class TestReplay:
    def test_leads_to_the_events_of_the_log(self, morning: SimulationRow) -> None:
        result = replayed(morning)
        assert result.divergence is None
        assert (result.changed_calls, result.changed_call) == (0, "")
        calls = ModelCallRow.objects.filter(simulation_id=morning.pk)
        assert result.calls == calls.count()
        turns = EventRow.objects.filter(simulation_id=morning.pk).exclude(
            stream__in=["simulation", "commands"]
        )
        # Commands let agents join, with a first action, return and leave; a visitor leaves in
        # a turn.
        joined, returned, left = (
            turns.filter(type=f"agents.{what}.v1").count()
            for what in ("joined", "returned", "left")
        )
        assert (joined, returned, left) == (5, 1, 3)
        assert result.events == turns.count() - 2 * (joined + returned) - 1

    def test_writes_nothing(self, morning: SimulationRow) -> None:
        before = (
            log_sha256(morning.pk),
            ModelCallRow.objects.count(),
            EmbeddingRow.objects.count(),
        )
        replayed(morning)
        after = (
            log_sha256(morning.pk),
            ModelCallRow.objects.count(),
            EmbeddingRow.objects.count(),
        )
        assert after == before

    def test_stops_at_the_first_event_that_differs(
        self, morning: SimulationRow, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        steps = tuple(one for one in pipeline.STEPS if one[0] is not observe)
        monkeypatch.setattr(pipeline, "STEPS", steps)
        divergence = replayed(morning).divergence
        assert divergence is not None
        assert divergence.logged is not None
        assert divergence.logged != divergence.replayed
        place = divergence.event
        row = EventRow.objects.get(
            simulation_id=morning.pk,
            tick=place.tick,
            stream=place.stream,
            ordinal=place.ordinal,
        )
        assert divergence.logged.type == row.type

    def test_uses_recorded_answers_whatever_the_request_is_now(
        self, morning: SimulationRow, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(agent_llm, "request_sha256", lambda *_request: "another template")
        result = replayed(morning)
        assert result.divergence is None
        assert result.changed_calls == result.calls > 0
        first = ModelCallRow.objects.filter(simulation_id=morning.pk).earliest("tick", "stream")
        assert result.changed_call.startswith(f"{first.tick}/{first.stream}/")

    def test_names_the_answer_that_is_missing(self, morning: SimulationRow) -> None:
        lost = ModelCallRow.objects.filter(
            simulation_id=morning.pk, task="planning.day_outline"
        ).earliest("tick", "stream")
        lost.delete()
        divergence = replayed(morning).divergence
        assert divergence is not None
        assert divergence.replayed is None
        assert lost.call_id in divergence.error
