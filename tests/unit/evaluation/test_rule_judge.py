"""The rule judge, and what any judge is asked: ranks by evidence, in a blind order."""

from dataclasses import replace
from uuid import UUID

import pytest

from apps.evaluation.models import RankingTaskRow
from apps.evaluation.rankings.judging import ranked_by_evidence
from apps.evaluation.rankings.llm_tasks import RANKING, RankingAnswer, RankingInput
from apps.evaluation.rankings.queries import presented_conditions
from apps.interaction.conditions import CONDITIONS
from tests.unit.rule_model.speakers import INTERVIEW_OF_UNA, TAVISH, UNA, memory

pytestmark = pytest.mark.unit
GROUNDED = "I keep the smokehouse, and I am learning the fiddle."
VAGUE = "I do not know."
INVENTED = "I sail whaling ships and write operas about penguins."
INTERVIEW = replace(
    INTERVIEW_OF_UNA,
    memories=(
        memory(f"{UNA} keeps the smokehouse"),
        memory(f"{UNA} is learning the fiddle"),
        memory(f"{TAVISH} loves old sea charts"),
    ),
    question="What do you do?",
)


def ranks(*answers: str) -> list[int]:
    return ranked_by_evidence(RankingInput(interview=INTERVIEW, answers=answers))


class TestRuleJudge:
    def test_ranks_a_grounded_answer_above_a_vague_one_above_an_invented_one(self) -> None:
        assert ranks(GROUNDED, VAGUE, INVENTED) == [1, 2, 3]
        assert ranks(INVENTED, GROUNDED, VAGUE) == [3, 1, 2]

    def test_gives_equal_answers_the_same_rank(self) -> None:
        assert ranks(GROUNDED, VAGUE, GROUNDED, INVENTED) == [1, 3, 1, 4]

    def test_does_not_reward_words_of_the_question_or_repetition(self) -> None:
        assert ranks(GROUNDED, f"{GROUNDED} {GROUNDED} What do you do?") == [1, 1]


class TestTask:
    def test_refuses_ranks_that_are_not_one_for_each_answer(self) -> None:
        inputs = RankingInput(interview=INTERVIEW, answers=(GROUNDED, VAGUE))
        assert RANKING.check is not None
        RANKING.check(inputs, RankingAnswer(ranks=[1, 1]))
        for wrong in ([1], [1, 2, 3], [0, 1], [1, 3]):
            with pytest.raises(ValueError, match="rank"):
                RANKING.check(inputs, RankingAnswer(ranks=wrong))

    def test_shows_the_answers_and_no_condition(self) -> None:
        inputs = RankingInput(interview=INTERVIEW, answers=(GROUNDED, VAGUE))
        text = "\n".join(message.content for message in RANKING.prompt(inputs))
        assert GROUNDED in text
        assert VAGUE in text
        assert not [name for name in CONDITIONS if "-" in name and name in text]


def test_the_order_of_answers_is_random_by_task_and_evaluator_and_repeats() -> None:
    answers = dict.fromkeys(("full", "no-reflection", "human"), "words")
    tasks = [RankingTaskRow(pk=UUID(int=one), answers=answers) for one in range(200)]
    orders = [presented_conditions(one, seed=1, evaluator="isabella") for one in tasks]
    assert orders == [presented_conditions(one, seed=1, evaluator="isabella") for one in tasks]
    assert orders != [presented_conditions(one, seed=1, evaluator="klaus") for one in tasks]
    assert orders != [presented_conditions(one, seed=2, evaluator="isabella") for one in tasks]
    firsts = [order["A"] for order in orders]
    # Each is first in about a third of 200: four standard errors are 27.
    assert all(abs(firsts.count(name) - 200 / 3) < 27 for name in answers)
