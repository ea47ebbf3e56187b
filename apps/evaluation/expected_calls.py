"""The calls that interviews, surveys, rankings and news searches are expected to make (L5)."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from apps.evaluation.models import RankingRow
from apps.evaluation.news_searches.llm_tasks import NEWS_VERIFICATION
from apps.evaluation.rankings.llm_tasks import RANKING
from apps.evaluation.surveys.commands import SurveyRequest
from apps.interaction.answer_forms import AnswerForm
from apps.interaction.commands import task_of
from apps.interaction.conditions import Condition
from apps.llm.estimates import Figure
from apps.llm.tokens import count_tokens
from apps.memory.llm_tasks.summaries import SUMMARIES

FIGURES: Mapping[str, tuple[int, int]] = {
    "interview.answer": (1_842, 26),
    "interview.choice": (1_880, 15),
    "interview.number": (1_904, 10),
    SUMMARIES.name: (1_225, 119),
    RANKING.name: (2_166, 3),
    NEWS_VERIFICATION.name: (1_368, 57),
}
"""The mean tokens of a prompt and of an answer, of a ranking without the answers to rank and
without the ranks: measured with the rule-based model on November 23 and 26, 2026, by
`python -m benchmarks.survey_figures` and for docs/benchmarks/news_search.md."""
TOKENS_PER_RANK = 0.5
"""A digit and a comma; a token has four characters."""
CALLS_PER_AGENT = 1.6
"""Of a news search. An agent that knows the news needs a second call, which searches its
memories from before the first that was found."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswersToRank:
    """How many tasks a judge ranks, and how many answers, of how many tokens, they have."""

    tasks: int
    answers: int
    tokens: int


def expected_of_interviews(
    forms: Iterable[AnswerForm], conditions: Iterable[Condition], *, asked: int
) -> dict[str, Figure]:
    """Return the calls of interviews by LLM task.

    An interview has one call. Under a condition that leaves a part of the memories, each agent
    needs one more at each moment, for the summary that its interviews share.

    :param asked: how many agents are asked, at each moment, in all.
    """
    calls: Counter[str] = Counter()
    questions = list(forms)
    for condition in conditions:
        for form in questions:
            calls[task_of(form).name] += asked
        if condition.kinds and not condition.is_full:
            calls[SUMMARIES.name] += asked
    return {task: _by_figures(task, count) for task, count in calls.items()}


def expected_of_survey(request: SurveyRequest) -> dict[str, Figure]:
    """Return the calls of a survey by LLM task."""
    forms = [question.answer for question in request.questionnaire.questions]
    asked = sum(map(len, request.agents.values()))
    return expected_of_interviews(forms, request.conditions, asked=asked)


def expected_of_ranking(ranked: AnswersToRank, judge: str) -> dict[str, Figure]:
    """Return the calls of a ranking: a judge has one for each task, and people have none."""
    if judge == RankingRow.Judge.PEOPLE:
        return {}
    prompt, completion = FIGURES[RANKING.name]
    figure = Figure(
        calls=ranked.tasks,
        prompt_tokens=ranked.tasks * prompt + ranked.tokens,
        completion_tokens=ranked.tasks * completion + ranked.answers * TOKENS_PER_RANK,
    )
    return {RANKING.name: figure}


def expected_of_search(agents: int) -> dict[str, Figure]:
    """Return the calls of a news search in the memories of so many agents."""
    calls = round(agents * CALLS_PER_AGENT)
    return {NEWS_VERIFICATION.name: _by_figures(NEWS_VERIFICATION.name, calls)}


def answers_of_tasks(tasks: Sequence[Mapping[str, str]]) -> AnswersToRank:
    """Return what a judge reads, given the answers of each task by condition."""
    answers = [answer for given in tasks for answer in given.values()]
    return AnswersToRank(
        tasks=len(tasks), answers=len(answers), tokens=sum(map(count_tokens, answers))
    )


def _by_figures(task: str, calls: int) -> Figure:
    prompt, completion = FIGURES[task]
    return Figure(
        calls=calls, prompt_tokens=calls * prompt, completion_tokens=calls * completion
    )
