"""Interviews of people who live on meanwhile: they change nothing and hold nothing (U1, L5)."""

import threading
from dataclasses import replace
from datetime import datetime, time
from itertools import pairwise
from uuid import UUID

import pytest
from django.db import connection, connections
from django.db.backends.base.base import BaseDatabaseWrapper

from apps import wiring
from apps.interaction.commands import InterviewRequest, answer_interview, request_interview
from apps.interaction.conditions import FULL, NO_OBSERVATION, Condition
from apps.interaction.inputs import InterviewInput
from apps.interaction.llm_tasks import ANSWER, InterviewAnswer
from apps.interaction.models import InterviewRow
from apps.llm.calls.budget import Budget
from apps.llm.calls.queries import spent
from apps.llm.models import ModelCallRow
from apps.llm.opening import Models
from apps.llm.port import BudgetSpent, ChatModel, Completion, Request
from apps.memory.rules import CONDENSED_IMPORTANCE_MAX
from apps.reflection.events import ReflectionKind
from apps.reflection.models import ReflectionRow
from apps.rule_model.model import Chance
from apps.simulation import queries
from apps.simulation.engine import lifecycle
from apps.simulation.models import SimulationRow
from apps.work.rows import WorkState
from tests.support.snapshots import simulated
from tests.support.thinking_towns import thinking_town
from tests.support.towns import (
    EIGHT_THREADS,
    THREE,
    answering,
    found,
    history_of,
    live,
    with_delays,
)

pytestmark = pytest.mark.django_db(transaction=True)

ISABELLA = "isabella-rodriguez"
MORNING = "2023-02-13T08:30"


def ask(
    simulation_id: UUID,
    question: str,
    *,
    as_of_tick: int,
    ports: object = None,
    condition: Condition = FULL,
) -> InterviewRow:
    request = InterviewRequest(
        agent=ISABELLA, question=question, as_of_tick=as_of_tick, conditions=condition
    )
    row = request_interview(simulation_id, request, by="a researcher")
    answered = answer_interview(ports or wiring.ports(), row.pk)  # type: ignore[arg-type]
    assert answered is not None
    return answered


class WithoutConnection:
    """A model that looks, while it thinks, whether whoever asks holds a connection."""

    remote = True

    def __init__(self, inner: ChatModel, asker: BaseDatabaseWrapper) -> None:
        self._inner = inner
        self._asker = asker
        self.held: list[bool] = []
        self.server = inner.server
        self.name = inner.name

    def complete(self, request: Request) -> Completion:
        self.held.append(self._asker.connection is not None)
        return self._inner.complete(request)


class TestWhileTheTownRuns:
    def test_changes_nothing_of_its_history(self) -> None:
        undisturbed = history_of(simulated(MORNING).pk)
        row = found()
        lives = threading.Thread(target=_live_apart, args=(row,))
        lives.start()
        answered = 0
        while lives.is_alive():
            committed_tick = queries.get_simulation(row.pk).committed_tick
            if committed_tick:
                ask(row.pk, "What are you doing?", as_of_tick=committed_tick)
                answered += 1
        lives.join()
        row.refresh_from_db()
        assert answered > 3
        assert history_of(row.pk) == undisturbed
        # Each has calls of its own: none stands in for another's, or for a turn's.
        held = InterviewRow.objects.filter(simulation_id=row.pk).order_by("number")
        assert [one.number for one in held] == list(range(1, answered + 1))
        calls = [call for one in held for call in one.model_calls]
        assert len(set(calls)) == len(calls) >= answered
        kept = ModelCallRow.objects.filter(simulation_id=row.pk)
        ids = list(kept.values_list("call_id", flat=True))
        assert len(set(ids)) == len(ids)


def test_retrieves_nothing_of_little_importance_of_a_condensed_day() -> None:
    row = simulated(MORNING, settings={"condensed_memories": "left out"})
    before = ask(row.pk, "What have you done?", as_of_tick=row.committed_tick)
    ReflectionRow.objects.create(
        simulation_id=row.pk,
        agent=ISABELLA,
        tick=row.committed_tick,
        ordinal=99,
        importance=0,
        insights=[{}],
        kind=ReflectionKind.CONSOLIDATION,
    )
    after = ask(row.pk, "What have you done?", as_of_tick=row.committed_tick)
    kept = [one["number"] for one in after.memories]
    gone = [one for one in before.memories if one["number"] not in kept]
    assert kept
    assert gone
    assert all(one["importance"] <= CONDENSED_IMPORTANCE_MAX for one in gone)


class TestWithARemoteModel:
    def test_holds_no_connection_while_it_thinks(self) -> None:
        with thinking_town() as town:
            town.live(2_500)
            looking: list[WithoutConnection] = []
            ports = replace(
                town.ports,
                open_models=lambda spec, seed: _looked_at(
                    town.ports.open_models(spec, seed), looking
                ),
            )
            row = ask(town.row.pk, "Who are you?", as_of_tick=2_400, ports=ports)
            assert row.answer
            assert [held for model in looking for held in model.held] == [False]

    def test_is_paid_for_once_and_counts_in_the_budget(self) -> None:
        with thinking_town(budget=Budget(tokens=10_000_000)) as town:
            town.live(2_500)
            before, chats = spent(town.row.pk), len(town.chats)
            row = ask(town.row.pk, "Who are you?", as_of_tick=2_400, ports=town.ports)
            assert len(town.chats) == chats + 1
            assert spent(town.row.pk).prompt_tokens > before.prompt_tokens
            # Whoever takes it up after a crash finds the answer that was paid for (L6).
            InterviewRow.objects.filter(pk=row.pk).update(state=WorkState.PENDING)
            again = answer_interview(town.ports, row.pk)
            assert again is not None
            assert again.answer == row.answer
            assert len(town.chats) == chats + 1
            # A budget that is spent ends it; why stands in the interview.
            lifecycle.change_budget(town.row.pk, Budget(tokens=1))
            with pytest.raises(BudgetSpent):
                ask(town.row.pk, "Who are you?", as_of_tick=2_400, ports=town.ports)
            latest = InterviewRow.objects.order_by("number").last()
            assert latest is not None
            assert (latest.state, latest.problem_code) == ("failed", "budget-spent")


def _live_apart(row: SimulationRow) -> None:
    try:
        live(row, MORNING, EIGHT_THREADS, ports=with_delays(seed=5, seconds_max=0.03))
    finally:
        connection.close()


def _looked_at(models: Models, looking: list[WithoutConnection]) -> Models:
    looked_at = WithoutConnection(models.chat, connections["default"])
    looking.append(looked_at)
    return replace(models, chat=looked_at)


def test_of_a_night_before_the_first_summary_makes_one_for_itself() -> None:
    # In the first night no agent has a summary yet; nothing of the interview is kept.
    row = simulated("2023-02-13T01:00")
    before = history_of(row.pk)
    answered = ask(row.pk, "What do you do for a living?", as_of_tick=row.committed_tick)
    tasks = [call.split("/")[2] for call in answered.model_calls]
    assert tasks == ["self_summary.summaries", "interview.answer"]
    assert history_of(row.pk) == before


class TestInput:
    """What the LLM task is given, by the condition (E2)."""

    def test_has_what_the_agent_knows_with_game_times(self) -> None:
        row = simulated(MORNING)
        inputs = self.given_by(row, FULL)
        now = queries.calendar_of(row.pk).time_at(row.committed_tick)
        assert inputs.now == now
        assert inputs.status is not None
        assert inputs.status.activity
        assert inputs.place
        night = inputs.spent[0]
        assert night.is_asleep
        assert night.starts == datetime.combine(now.date(), time.min)
        assert inputs.spent[-1].ends == now
        assert all(one.ends == two.starts for one, two in pairwise(inputs.plans))
        assert inputs.plans[-1].is_asleep
        assert {memory.subject_name for memory in inputs.memories} <= {"", *THREE}
        assert all(memory.formed_at <= now for memory in inputs.memories)

    def test_has_less_where_less_was_observed(self) -> None:
        row = simulated(MORNING)
        inputs = self.given_by(row, NO_OBSERVATION)
        assert inputs.status is None
        assert (inputs.spent, inputs.plans, inputs.memories) == ((), (), ())
        assert not inputs.summary.core

    def given_by(self, row: SimulationRow, condition: Condition) -> InterviewInput:
        asked: list[InterviewInput] = []

        def answer(inputs: InterviewInput, chance: Chance) -> InterviewAnswer:
            asked.append(inputs)
            return InterviewAnswer(answer="I am \n well.")

        ports = answering({ANSWER.name: answer})
        tick = row.committed_tick
        answered = ask(row.pk, "Well?", as_of_tick=tick, ports=ports, condition=condition)
        assert answered.answer == "I am well."
        return asked[0]
