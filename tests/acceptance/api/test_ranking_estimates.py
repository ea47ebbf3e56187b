"""The estimate of a ranking by a judge: calls, tokens and cost, before anything is asked."""

from decimal import Decimal

import pytest
from django.contrib.auth.models import User
from pytest_django import Settings

from apps.access.commands import issue_token
from apps.evaluation.models import RankingRow, RankingTaskRow
from apps.llm.models import ModelCallRow
from apps.llm.prices import Price
from apps.simulation.models import SimulationRow
from tests.acceptance.api.calling import Caller, problem
from tests.acceptance.api.ranking import CONDITIONS, requested, work

pytestmark = pytest.mark.django_db


def test_tells_what_the_judge_then_uses(
    isabella: Caller, lived: SimulationRow, survey: str
) -> None:
    path = f"{survey}/rankings/estimate"
    estimate = isabella.post(path, {"judge": "rule"}).json()
    assert not RankingRow.objects.exists()
    assert (estimate["tasks"], estimate["calls"], estimate["left_out"]) == (6, 6, 0)
    assert estimate["is_priced"]
    assert [line["rests_on"] for line in estimate["by_task"]] == ["figures"]
    requested(isabella, survey, judge="rule")
    work()
    made = ModelCallRow.objects.filter(simulation_id=lived.pk, task="interview.ranking")
    assert made.count() == estimate["calls"]
    for name in ("prompt_tokens", "completion_tokens"):
        used = sum(made.values_list(name, flat=True))
        assert used / 1.5 < estimate[name] < used * 1.5, name

    # Once the simulation has enough calls of its own, those tell the tokens.
    requested(isabella, survey, judge="rule", seed=1)
    work()
    mean = sum(made.values_list("prompt_tokens", flat=True)) / made.count()
    again = isabella.post(path, {"judge": "rule", "questions_per_category": 1}).json()
    assert again["calls"] == 4
    assert again["by_task"][0]["rests_on"] == "figures, with own tokens a call"
    assert again["prompt_tokens"] == round(4 * mean)


def test_costs_what_the_model_of_the_simulation_does(
    isabella: Caller, lived: SimulationRow, survey: str, settings: Settings
) -> None:
    path = f"{survey}/rankings/estimate"
    body = {"judge": "model", "conditions": CONDITIONS[:2]}
    model = {**lived.model, "server": "own", "chat_model": "llama"}
    SimulationRow.objects.filter(pk=lived.pk).update(model=model)
    unpriced = isabella.post(path, body).json()
    assert (unpriced["is_priced"], unpriced["cost"]) == (False, 0)
    settings.MODEL_PRICES = {"llama": Price(prompt=Decimal(2), completion=Decimal(10))}
    priced = isabella.post(path, body).json()
    assert priced["is_priced"]
    tokens = 2 * priced["prompt_tokens"] + 10 * priced["completion_tokens"]
    assert priced["cost"] == pytest.approx(tokens / 1_000_000)
    assert tokens > 0
    # Of more conditions a judge reads and ranks more answers.
    of_all = isabella.post(path, {"judge": "model"}).json()
    assert of_all["calls"] == priced["calls"]
    assert of_all["cost"] > priced["cost"]
    assert isabella.post(path, {"judge": "rule"}).json()["cost"] == 0


def test_of_people_is_free(isabella: Caller, survey: str) -> None:
    estimate = isabella.post(f"{survey}/rankings/estimate", {"judge": "people"}).json()
    assert estimate["tasks"] == 6
    assert {
        estimate[name] for name in ("calls", "prompt_tokens", "completion_tokens", "cost")
    } == {0}


def test_is_refused_as_the_ranking_would_be(isabella: Caller, survey: str) -> None:
    body = {"judge": "rule", "conditions": ["full", "human"]}
    problem(isabella.post(f"{survey}/rankings/estimate", body), 422, "unusable-ranking")


def test_needs_the_right_to_read_only(isabella: Caller, survey: str) -> None:
    owner = User.objects.get(username="isabella")
    reader = Caller(issue_token(owner, "reads", reads_only=True))
    body = {"judge": "rule"}
    assert reader.post(f"{survey}/rankings/estimate", body).status_code == 200
    problem(reader.post(f"{survey}/rankings", body), 403, "not-allowed")
    assert not RankingTaskRow.objects.exists()
