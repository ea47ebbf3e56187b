"""Trials of a model over HTTP: requested, estimated, carried out, shown."""

from typing import Any

import pytest
from pytest_django import Settings

from apps import wiring
from apps.eventlog.store import log_sha256
from apps.llm.models import ModelCallRow
from apps.replays.models import TrialAnswerRow
from apps.replays.trial_sample import UnusableTrial
from apps.replays.trials import TRIALS
from apps.simulation.models import SimulationRow
from apps.simulation.turn import pipeline
from apps.simulation.turn.perform.plan import plan
from tests.acceptance.api.calling import Caller, problem
from tests.model_server.server import PROMPT_TOKENS, ModelServer

EACH = 3
ROUNDS = 2  # of batches: the calls, and those whose answers were invalid
TEXT_ALONE = "self_summary.summaries"


@pytest.fixture
def trials(town: str) -> str:
    """Return the address of the trials of models on the simulation."""
    return f"{town}/model-trials"


@pytest.fixture
def changed_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let agents plan nothing, so that a turn makes fewer calls than it did."""
    steps = tuple(one for one in pipeline.STEPS if one[0] is not plan)
    monkeypatch.setattr(pipeline, "STEPS", steps)


def tried(caller: Caller, trials: str, **body: Any) -> dict[str, Any]:
    """Request a trial of the rule-based model, carry it out as workers do, and return it."""
    response = caller.post(trials, {"model": "offline", "calls_per_task": EACH} | body)
    assert response.status_code == 202, response.content
    assert response["Location"] == response.json()["status_url"]
    [trial_id] = TRIALS.ids()
    TRIALS.carry_out(wiring.ports(), trial_id)
    shown: dict[str, Any] = caller.get(f"{trials}/{trial_id}").json()
    return shown


class TestTrial:
    def test_of_the_model_that_answered_agrees_whole(
        self, lived: SimulationRow, trials: str, isabella: Caller
    ) -> None:
        history, calls = log_sha256(lived.pk), ModelCallRow.objects.count()
        costs = isabella.get(f"/simulations/{lived.pk}/costs").json()
        shown = tried(isabella, trials, reason="is it the same?")
        assert (shown["state"], shown["left_out"], shown["model"]) == ("done", 0, "offline")
        assert shown["progress"] == {
            "done": shown["calls"],
            "total": shown["calls"],
            "parts": "calls",
        }
        by_task = {line["task"]: line for line in shown["by_task"]}
        for task, line in by_task.items():
            assert line["asked"] == min(EACH, line["recorded_calls"]), task
            assert (line["valid_share"], line["fell_back"]) == (1.0, 0), task
            assert line["equal"] == line["compared"] == line["asked"] or task == TEXT_ALONE
        text_alone = by_task[TEXT_ALONE]
        assert (text_alone["compared"], text_alone["equal_share"]) == (0, None)
        total = shown["total"]
        assert (total["asked"], total["equal_share"], total["overlap"]) == (
            shown["calls"],
            1.0,
            1.0,
        )
        assert total["recorded"]["tokens"] == total["other"]["tokens"] == shown["tokens"]
        assert (total["saved"], shown["money"]) == (0.0, 0.0)
        # Nothing of the simulation has changed.
        assert (log_sha256(lived.pk), ModelCallRow.objects.count()) == (history, calls)
        assert isabella.get(f"/simulations/{lived.pk}/costs").json() == costs

    def test_asks_a_sample_that_the_seed_draws(self, trials: str, isabella: Caller) -> None:
        asked: list[set[str]] = []
        for values in ({}, {}, {"calls_per_task": EACH + 2}, {"seed": 1}):
            shown = tried(isabella, trials, tasks=["planning.*", "memory.*"], **values)
            rows = TrialAnswerRow.objects.filter(trial=shown["id"])
            asked.append(set(rows.values_list("call_id", flat=True)))
            TRIALS.delete(shown["id"])
        first, again, more, other = asked
        assert first == again != other
        assert first < more
        assert {one.split("/")[2].split(".")[0] for one in more} == {"planning", "memory"}

    def test_shows_the_answers_with_both_decisions(
        self, town: str, trials: str, isabella: Caller
    ) -> None:
        shown = tried(isabella, trials)
        answers = f"{trials}/{shown['id']}/answers"
        listed = isabella.everything(answers, order="tick")
        assert len(listed) == shown["calls"]
        [*hours] = isabella.everything(answers, task="planning.hour_actions", is_equal="true")
        assert len(hours) == EACH
        for one in hours:
            call = isabella.get(f"{town}/model-calls/{one['id']}").json()
            assert (one["answer"], one["agent"]) == (call["answer"], call["stream"])
            assert one["decision"] == one["recorded_decision"] != []
        assert isabella.everything(answers, is_equal="false") == []

    @pytest.mark.usefixtures("changed_rules")
    def test_leaves_out_calls_that_are_made_no_more(
        self, trials: str, isabella: Caller
    ) -> None:
        shown = tried(isabella, trials, calls_per_task=1_000)
        assert shown["state"] == "done"
        assert 0 < shown["left_out"] < shown["calls"]
        assert shown["left_out"] == shown["calls"] - shown["total"]["asked"]

    @pytest.mark.usefixtures("changed_rules")
    def test_pauses_if_none_of_its_calls_is_made_any_more(
        self, trials: str, isabella: Caller
    ) -> None:
        with pytest.raises(UnusableTrial, match="makes none of these prompts any more"):
            tried(isabella, trials, tasks=["planning.*"])
        [shown] = isabella.everything(trials)
        assert (shown["state"], shown["problem"]["code"]) == ("paused", "unusable-trial")


class TestRequest:
    def test_is_estimated_by_what_the_recorded_calls_used(
        self, trials: str, isabella: Caller
    ) -> None:
        body = {"model": "offline", "calls_per_task": EACH}
        told = isabella.post(f"{trials}/estimate", body).json()
        shown = tried(isabella, trials)
        assert told["calls"] == shown["calls"]
        assert told["prompt_tokens"] + told["completion_tokens"] == shown["tokens"]
        assert (told["cost"], told["is_priced"]) == (0.0, True)

    @pytest.mark.parametrize(
        ("body", "code"),
        [
            ({"model": "offline", "to": "2023-02-13T23:00:00"}, "unusable-trial"),
            ({"model": "offline", "from": 9, "to": 8}, "unusable-trial"),
            ({"model": "offline", "tasks": ["dialog.*"]}, "unusable-trial"),
            ({"model": "nowhere:none"}, "unknown-model"),
            ({}, "invalid-request"),
            ({"model": "offline", "calls_per_task": 0}, "invalid-request"),
        ],
    )
    def test_is_refused(
        self, trials: str, isabella: Caller, body: dict[str, Any], code: str
    ) -> None:
        for route in (trials, f"{trials}/estimate"):
            problem(isabella.post(route, body), 422, code)


@pytest.mark.django_db(transaction=True)
class TestBatches:
    """A trial of a model whose server takes batches, at half the price."""

    def test_shows_for_what_it_waits_and_what_it_costs(
        self, trials: str, isabella: Caller, settings: Settings
    ) -> None:
        body = {"model": "own", "calls_per_task": EACH}
        with ModelServer(lambda _body: "I am not sure what you mean.") as server:
            price = {"prompt": 1_000, "completion": 0}
            own = server.as_server(name="own", price=price, batch_look_seconds=0.001)
            settings.MODEL_SERVERS = {"own": own}
            whole = isabella.post(f"{trials}/estimate", body).json()
            in_batches = {"batches": True, "service_tier_share": 0.5}
            settings.MODEL_SERVERS = {"own": own.model_copy(update=in_batches)}
            estimate = isabella.post(f"{trials}/estimate", body).json()
            assert estimate["cost"] == pytest.approx(whole["cost"] / 2)
            trial = isabella.post(trials, body).json()
            [trial_id] = TRIALS.ids()
            TRIALS.carry_out(wiring.ports(), trial_id)
            shown = isabella.get(f"{trials}/{trial_id}").json()
            assert (shown["state"], shown["money"]) == ("pending", 0)
            assert shown["waits_for"] == "a batch of the model server own"
            for _ in range(ROUNDS):
                TRIALS.carry_out(wiring.ports(), trial_id)
            shown = isabella.get(f"{trials}/{trial_id}").json()
            assert (shown["state"], shown["calls"]) == ("done", trial["calls"])
            sent = len(server.batches.lines)
            assert sent == 2 * shown["calls"], "each answer was invalid, and asked again once"
            assert shown["money"] == pytest.approx(sent * PROMPT_TOKENS * 0.001 / 2)
            assert shown["total"]["other"]["cost"] == pytest.approx(shown["money"])
            assert not server.answered, "no call was sent outside of a batch"
