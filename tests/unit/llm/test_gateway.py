"""The gateway's decisions, without a database."""

import os
import signal
import threading
from dataclasses import replace
from decimal import Decimal

import pytest

from apps.llm.calls.agent_llm import AgentLLM
from apps.llm.calls.call_log import CompletedCall
from apps.llm.calls.gateway import Gateway, Models
from apps.llm.hashing_embedding import HashingEmbedding
from apps.llm.port import ModelMisconfigured, ModelUnavailable
from apps.llm.prices import Price
from apps.llm.servers.delayed_model import DelayedModel
from apps.rule_model.model import RuleModel
from tests.model_server.example import (
    GOOD,
    GOOD_TEXT,
    IMPORTANCES,
    INPUTS,
    TASK_RULES,
    Importances,
    NewMemories,
)
from tests.support.llm_doubles import (
    SOME_SIMULATION,
    MemoryCallLog,
    MemoryVectors,
    ScriptedModel,
    UnscriptedTask,
    agent_llm_in_memory,
)

NAME = IMPORTANCES.name


@pytest.fixture
def call_log() -> MemoryCallLog:
    return MemoryCallLog()


def only_call(call_log: MemoryCallLog) -> CompletedCall:
    [call] = call_log.calls.values()
    return call


class TestAsk:
    def test_names_calls_by_tick_stream_task_and_number(self) -> None:
        llm = agent_llm_in_memory(ScriptedModel({NAME: GOOD}), tick=2490)
        llm.ask(IMPORTANCES, INPUTS)
        llm.ask(IMPORTANCES, INPUTS)
        assert llm.calls == (
            "2490/isabella-rodriguez/memory.importances/0",
            "2490/isabella-rodriguez/memory.importances/1",
        )

    def test_hands_out_each_call_once_for_events(self) -> None:
        llm = agent_llm_in_memory(ScriptedModel({NAME: GOOD}))
        llm.ask(IMPORTANCES, INPUTS)
        first = llm.take_calls()
        llm.ask(IMPORTANCES, INPUTS)
        assert (first + llm.take_calls(), llm.take_calls()) == (llm.calls, ())

    def test_never_makes_a_completed_call_again(self, call_log: MemoryCallLog) -> None:
        agent_llm_in_memory(ScriptedModel({NAME: GOOD}), call_log=call_log).ask(
            IMPORTANCES, INPUTS
        )
        silent = ScriptedModel({})
        again = agent_llm_in_memory(silent, call_log=call_log)
        assert again.ask(IMPORTANCES, INPUTS) == GOOD
        assert silent.asked == []

    def test_asks_anew_when_something_else_is_asked(self, call_log: MemoryCallLog) -> None:
        model = ScriptedModel({NAME: GOOD})
        agent_llm_in_memory(model, call_log=call_log).ask(IMPORTANCES, INPUTS)
        other = NewMemories(descriptions=("the tap drips", "the cup is idle"))
        agent_llm_in_memory(model, call_log=call_log).ask(IMPORTANCES, other)
        assert len(model.asked) == 2
        assert len(call_log.calls) == 2

    def test_keeps_everything_in_one_row(self, call_log: MemoryCallLog) -> None:
        model = ScriptedModel({NAME: ["no", GOOD_TEXT]})
        agent_llm_in_memory(model, call_log=call_log).ask(IMPORTANCES, INPUTS)
        call = only_call(call_log)
        assert (call.outcome, call.answer) == ("repaired", {"importances": [9, 1]})
        assert (call.spent.prompt_tokens, call.spent.completion_tokens) == (20, 10)
        assert call.messages == IMPORTANCES.prompt(INPUTS)
        assert call.attempts[0]["raw"] == "no"
        assert "no complete JSON object" in str(call.attempts[0]["error"])
        assert "raw" not in call.attempts[1]

    def test_puts_the_fallback_on_record_by_name(self, call_log: MemoryCallLog) -> None:
        llm = agent_llm_in_memory(ScriptedModel({NAME: "no"}), call_log=call_log)
        assert llm.ask(IMPORTANCES, INPUTS) == Importances(importances=[3, 3])
        assert (only_call(call_log).outcome, only_call(call_log).fallback) == (
            "fell_back",
            "middling",
        )

    def test_pauses_when_no_answer_can_be_used(self, call_log: MemoryCallLog) -> None:
        model = ScriptedModel({NAME: "no"}, remote=True)
        llm = agent_llm_in_memory(model, call_log=call_log)
        for _ in range(4):
            llm.ask(IMPORTANCES, INPUTS)
        with pytest.raises(ModelMisconfigured, match="no complete JSON object") as paused:
            llm.ask(IMPORTANCES, INPUTS)
        assert "no answer of the model 'scripted'" in paused.value.message
        assert len(call_log.calls) == 5

    def test_goes_on_with_the_answer_that_stands(self, call_log: MemoryCallLog) -> None:
        late = agent_llm_in_memory(
            ScriptedModel({NAME: Importances(importances=[2, 2])}), call_log=call_log
        )
        late.embed([])
        assert late.ask(IMPORTANCES, INPUTS) == Importances(importances=[2, 2])

        class Overtaken(MemoryCallLog):
            def record(self, call: CompletedCall) -> dict[str, object]:
                self.calls[call.key] = replace(call, answer={"importances": [5, 5]})
                return super().record(call)

        slow = agent_llm_in_memory(ScriptedModel({NAME: GOOD}), call_log=Overtaken())
        assert slow.ask(IMPORTANCES, INPUTS) == Importances(importances=[5, 5])

    def test_records_a_failure_and_what_it_cost(self, call_log: MemoryCallLog) -> None:
        model = ScriptedModel({NAME: ["no", ModelUnavailable("gone")]})
        with pytest.raises(ModelUnavailable, match="gone"):
            agent_llm_in_memory(model, call_log=call_log).ask(IMPORTANCES, INPUTS)
        [failure] = call_log.failures
        assert (failure.code, failure.spent.prompt_tokens) == ("model-unavailable", 10)
        assert call_log.calls == {}

    def test_fails_on_what_the_script_does_not_have(self) -> None:
        with pytest.raises(UnscriptedTask, match=r"memory\.importances"):
            agent_llm_in_memory(ScriptedModel({})).ask(IMPORTANCES, INPUTS)

    def test_counts_money(self, call_log: MemoryCallLog) -> None:
        model, embedding = ScriptedModel({NAME: GOOD}), HashingEmbedding()
        price = Price(prompt=Decimal(2))
        models = Models(chat=model, embedding=embedding, seed=1, price=price)
        AgentLLM(
            simulation_id=SOME_SIMULATION,
            tick=0,
            stream="klaus-mueller",
            models=models,
            gateway=Gateway(models, call_log, tick=0, stream="klaus-mueller", deferred=False),
            vectors=MemoryVectors(embedding),
        ).ask(IMPORTANCES, INPUTS)
        assert str(only_call(call_log).spent.cost) == "0.00002"


class TestAskTogether:
    GIVENS = tuple(NewMemories(descriptions=(f"thing {number}",)) for number in range(12))

    def test_gives_answers_and_ids_in_order_whatever_order_they_come_in(self) -> None:
        offline = RuleModel(TASK_RULES, seed=3)
        asked = [(IMPORTANCES, inputs) for inputs in self.GIVENS]
        plain, delayed = (
            agent_llm_in_memory(offline),
            agent_llm_in_memory(DelayedModel(offline, seed=5)),
        )
        assert plain.ask_together(asked) == delayed.ask_together(asked)
        assert plain.calls == delayed.calls

    def test_records_the_others_when_one_fails(self, call_log: MemoryCallLog) -> None:
        def moody(inputs: NewMemories) -> Importances:
            if inputs.descriptions == ("thing 3",):
                raise ModelUnavailable("gone")
            return Importances(importances=[1])

        model = ScriptedModel({NAME: moody}, remote=True)
        with pytest.raises(ModelUnavailable):
            agent_llm_in_memory(model, call_log=call_log).ask_together(
                [(IMPORTANCES, inputs) for inputs in self.GIVENS]
            )
        assert len(call_log.calls) == len(self.GIVENS) - 1
        assert len(call_log.failures) == 1

    def test_records_what_is_under_way_at_an_interruption(
        self, call_log: MemoryCallLog
    ) -> None:
        waits = threading.Barrier(2)

        def interrupting(inputs: NewMemories) -> Importances:
            waits.wait()
            if inputs == self.GIVENS[0]:
                os.kill(os.getpid(), signal.SIGINT)
            return Importances(importances=[1])

        model = ScriptedModel({NAME: interrupting}, remote=True)
        with pytest.raises(KeyboardInterrupt):
            agent_llm_in_memory(model, call_log=call_log).ask_together(
                [(IMPORTANCES, inputs) for inputs in self.GIVENS[:2]]
            )
        assert len(call_log.calls) == 2

    def test_asks_only_for_what_is_missing(self, call_log: MemoryCallLog) -> None:
        one = ScriptedModel({NAME: Importances(importances=[1])})
        agent_llm_in_memory(one, call_log=call_log).ask(IMPORTANCES, self.GIVENS[0])
        both = agent_llm_in_memory(one, call_log=call_log)
        both.ask_together([(IMPORTANCES, self.GIVENS[0]), (IMPORTANCES, self.GIVENS[1])])
        assert len(one.asked) == 2

    def test_of_nothing_is_nothing(self) -> None:
        assert agent_llm_in_memory(ScriptedModel({}, remote=True)).ask_together([]) == []


class TestDeferring:
    def llm(self, call_log: MemoryCallLog, *, remote: bool) -> AgentLLM:
        embedding = HashingEmbedding()
        chat = ScriptedModel({NAME: GOOD}, remote=remote)
        models = Models(chat=chat, embedding=embedding, seed=1)
        return AgentLLM(
            simulation_id=SOME_SIMULATION,
            tick=0,
            stream="klaus-mueller",
            models=models,
            gateway=Gateway(models, call_log, tick=0, stream="klaus-mueller", deferred=True),
            vectors=MemoryVectors(embedding),
        )

    def test_writes_local_calls_when_the_turn_is_saved(self, call_log: MemoryCallLog) -> None:
        llm = self.llm(call_log, remote=False)
        llm.ask(IMPORTANCES, INPUTS)
        assert call_log.calls == {}
        llm.save()
        llm.save()
        assert len(call_log.calls) == 1

    def test_never_defers_what_is_paid(self, call_log: MemoryCallLog) -> None:
        self.llm(call_log, remote=True).ask(IMPORTANCES, INPUTS)
        assert len(call_log.calls) == 1


class TestVectors:
    def test_are_rounded_as_they_are_kept(self) -> None:
        llm = agent_llm_in_memory(ScriptedModel({}))
        [exact] = HashingEmbedding().embed(["a walk in the park"])
        kept = llm.vector("a walk in the park")
        assert kept != exact
        assert kept == pytest.approx(exact, abs=1e-3)

    def test_come_by_text(self) -> None:
        llm = agent_llm_in_memory(ScriptedModel({}))
        assert set(llm.vectors(["a", "b", "a"])) == {"a", "b"}


class TestFits:
    def test_counts_four_characters_a_token(self) -> None:
        llm = agent_llm_in_memory(ScriptedModel({}))
        assert llm.fits(["a" * 40, "b" * 40, "c" * 4], 20) == 2
