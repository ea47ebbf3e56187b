"""Estimates of the cost of a ranking by a judge, before it is requested (L5)."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from statistics import mean
from uuid import UUID

from apps import history
from apps.evaluation.models import RankingRow
from apps.evaluation.rankings.judging import judging_model
from apps.evaluation.rankings.llm_tasks import RANKING
from apps.evaluation.rankings.queries import tasks_of
from apps.evaluation.rankings.ranking_plan import RankingPlan
from apps.evaluation.surveys import survey_estimates
from apps.evaluation.surveys.commands import SurveyRequest
from apps.interaction.spoken_answers import task_of
from apps.llm.catalogue import price_of
from apps.llm.estimates import CALLS_MIN, RestsOn
from apps.llm.prices import FREE
from apps.llm.tokens import count_tokens

FIGURES = (2_166, 3)
"""The mean tokens of a prompt without the answers to rank, and of the judge's answer without
the ranks: measured with the rule judge on November 26, 2026, by `benchmarks.survey_figures`."""
TOKENS_PER_RANK = 0.5
"""A digit and a comma; a token has four characters."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswersToRank:
    """How many tasks a judge ranks, and how many answers, of how many tokens, they have."""

    tasks: int
    answers: int
    tokens: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RankingEstimate:
    """The expected calls, tokens and cost of a ranking; no cost without a known price."""

    tasks: int
    calls: int
    prompt_tokens: int
    completion_tokens: int
    cost: Decimal | None
    rests_on: RestsOn


def answers_of_plan(plan: RankingPlan) -> AnswersToRank:
    """Return what a judge would read of a finished survey."""
    return answers_of_tasks([task.answers for task in plan.tasks])


def answers_of_tasks(tasks: Sequence[Mapping[str, str]]) -> AnswersToRank:
    """Return what a judge reads, given the answers of each task by condition."""
    answers = [answer for given in tasks for answer in given.values()]
    return AnswersToRank(
        tasks=len(tasks), answers=len(answers), tokens=sum(map(count_tokens, answers))
    )


def answers_that_wait(ranking: RankingRow) -> AnswersToRank:
    """Return what a judge has not ranked yet."""
    waiting = tasks_of(ranking).filter(rankingjudgementrow=None)
    return answers_of_tasks([task.answers for task in waiting])


def expected_answers(
    request: SurveyRequest, questions_per_category: int | None
) -> AnswersToRank:
    """Return what a judge would read of a survey that is not taken yet.

    Each question is supposed to be answered under each condition, in as many tokens as the
    figures of surveys have.
    """
    questions, most = request.questionnaire.questions, questions_per_category
    by_category = Counter(one.category for one in questions).values()
    ranked = sum(count if most is None else min(count, most) for count in by_category)
    tasks = ranked * sum(map(len, request.agents.values()))
    answers = tasks * len(request.conditions)
    spoken = mean(survey_estimates.FIGURES[task_of(one.form).name][1] for one in questions)
    return AnswersToRank(tasks=tasks, answers=answers, tokens=round(answers * spoken))


def estimate_ranking(simulation_id: UUID, judge: str, ranked: AnswersToRank) -> RankingEstimate:
    """Return the estimate: a judge has one call for each task, and people have none.

    The tokens of a call are the mean of the simulation's own calls of the task, once there are
    CALLS_MIN of them, else the figures. Invalid ranks are asked for again, which the figures do
    not contain.
    """
    calls = 0 if judge == RankingRow.Judge.PEOPLE else ranked.tasks
    rests_on = RestsOn.FIGURES
    prompt = completion = 0
    if calls:
        prompt = calls * FIGURES[0] + ranked.tokens
        completion = calls * FIGURES[1] + round(ranked.answers * TOKENS_PER_RANK)
    for line in history.costs(simulation_id):
        if line.key == RANKING.name and line.calls >= CALLS_MIN:
            rests_on = RestsOn.OWN_TOKENS
            prompt = calls * round(line.prompt_tokens / line.calls)
            completion = calls * round(line.completion_tokens / line.calls)
    model = judging_model(simulation_id, judge)
    price = FREE if calls == 0 else price_of(model.chat_model, model.server)
    tokens = {
        "prompt_tokens": prompt,
        "cached_prompt_tokens": 0,
        "completion_tokens": completion,
    }
    return RankingEstimate(
        tasks=ranked.tasks,
        calls=calls,
        prompt_tokens=prompt,
        completion_tokens=completion,
        cost=None if price is None else price.cost(**tokens),
        rests_on=rests_on,
    )
