"""Estimates of the cost of a survey, before it is requested (L5)."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from uuid import UUID

from apps import history
from apps.evaluation.questionnaires.typed_questions import Questionnaire
from apps.evaluation.surveys.commands import SurveyRequest
from apps.interaction.conditions import Condition
from apps.interaction.spoken_answers import task_of
from apps.llm.estimates import CALLS_MIN, RestsOn
from apps.llm.prices import FREE, Price
from apps.memory.summary.llm_tasks import SUMMARIES

# The mean tokens of a prompt and of an answer, measured with the rule-based model on November
# 23, 2026, by `python -m benchmarks.survey_figures`.
FIGURES: Mapping[str, tuple[int, int]] = {
    "interview.answer": (1_842, 26),
    "interview.choice": (1_880, 15),
    "interview.number": (1_904, 10),
    "self_summary.summaries": (1_225, 119),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class EstimatedTask:
    """The calls of one LLM task in a survey, with the tokens and the cost of all of them."""

    chain: str
    calls: int
    prompt_tokens: int
    completion_tokens: int
    cost: Decimal
    rests_on: RestsOn


def estimate_survey(
    simulation_id: UUID, request: SurveyRequest, price: Price | None
) -> list[EstimatedTask]:
    """Return the estimate by LLM task, in order of their names.

    The calls are those of `calls_of_survey`. The tokens of a call are the mean of the
    simulation's own calls of the task, once there are CALLS_MIN of them, else the figures. An
    invalid answer is asked for again, which the figures do not contain.
    """
    own = {line.key: line for line in history.costs(simulation_id)}
    found = []
    asked = sum(map(len, request.agents.values()))
    counted = calls_of_survey(request.questionnaire, request.conditions, asked=asked)
    for chain, calls in sorted(counted.items()):
        line = own.get(chain)
        rests_on, per_call = RestsOn.FIGURES, FIGURES[chain]
        if line is not None and line.calls >= CALLS_MIN:
            rests_on = RestsOn.OWN_TOKENS
            per_call = (
                round(line.prompt_tokens / line.calls),
                round(line.completion_tokens / line.calls),
            )
        tokens = {
            "prompt_tokens": calls * per_call[0],
            "cached_prompt_tokens": 0,
            "completion_tokens": calls * per_call[1],
        }
        found.append(
            EstimatedTask(
                chain=chain,
                calls=calls,
                prompt_tokens=tokens["prompt_tokens"],
                completion_tokens=tokens["completion_tokens"],
                cost=(price or FREE).cost(**tokens),
                rests_on=rests_on,
            )
        )
    return found


def calls_of_survey(
    questionnaire: Questionnaire, conditions: Iterable[Condition], *, asked: int
) -> Counter[str]:
    """Return the number of calls by LLM task.

    An interview has one call. Under a condition that leaves a part of the memories, each agent
    needs one more at each moment, for the summary that its interviews share.

    :param asked: how many agents are asked, at each moment, in all.
    """
    calls: Counter[str] = Counter()
    for condition in conditions:
        for question in questionnaire.questions:
            calls[task_of(question.form).name] += asked
        if condition.kinds and not condition.is_full:
            calls[SUMMARIES.name] += asked
    return calls
