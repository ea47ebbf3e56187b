"""The rule model: from the given and seeded chance, and from nothing else (L4)."""

import pytest

from apps.rule_model.model import Chance, RuleModel, UnansweredTask
from tests.model_server.example import TASK_RULES, request


class TestOfflineModel:
    def test_says_that_it_is_no_language_model(self) -> None:
        assert "no language model" in RuleModel({}, seed=0).name

    def test_answers_the_same_call_the_same(self) -> None:
        texts = {RuleModel(TASK_RULES, seed=7).complete(request()).text for _ in range(3)}
        assert len(texts) == 1

    def test_answers_differently_for_another_seed_or_call(self) -> None:
        model = RuleModel(TASK_RULES, seed=7)
        texts = {
            model.complete(request()).text,
            model.complete(request("8/isabella-rodriguez/memory.importances/0")).text,
            RuleModel(TASK_RULES, seed=8).complete(request()).text,
        }
        assert len(texts) == 3

    def test_names_the_mend_for_a_task_without_an_answer(self) -> None:
        model = RuleModel({}, seed=0)
        with pytest.raises(
            UnansweredTask, match=r"importances; add one to apps/rule_model/tasks\.py"
        ):
            model.complete(request())

    def test_estimates_tokens_from_what_a_model_would_read(self) -> None:
        completion = RuleModel(TASK_RULES, seed=7).complete(request())
        characters = sum(len(message.content) for message in request().messages)
        assert completion.prompt_tokens == pytest.approx(characters / 4, abs=2)


class TestChance:
    def test_keeps_within_its_bounds(self) -> None:
        chance = Chance(1, "planning.day", "0/klaus-mueller/planning.day/0")
        drawn = {chance.between(2, 4, number) for number in range(60)}
        assert drawn == {2, 3, 4}
        assert 0 <= chance.unit("x") < 1
        assert chance.choice(["only"], "x") == "only"

    def test_has_nothing_to_choose_from_nothing(self) -> None:
        with pytest.raises(IndexError):
            Chance(1, "a", "b").choice([], "x")
