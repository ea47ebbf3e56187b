"""Measures the calls, tokens and CPU of surveys and a ranking, for their estimates.

    export SMALLVILLE_HOME=/tmp/surveys
    .venv/bin/python manage.py simulate --seed 7 --agents 3 --until 2023-02-13T12:00
    .venv/bin/python -m benchmarks.survey_figures

Asks the questionnaires of the service of all agents of the only simulation in the database, now
and under each condition of the paper, and prints the mean tokens of a call of each LLM task
(`survey_estimates`). The answers to the questions of the paper are ranked by the rule judge
(`ranking_estimates`). The surveys are deleted at the end.
"""

import json
import time
from statistics import mean

from benchmarks.setting import prepare

prepare()

from apps import wiring  # noqa: E402 (Django is set up first)
from apps.agents import queries as agent_queries  # noqa: E402
from apps.evaluation.expected_calls import (  # noqa: E402
    TOKENS_PER_RANK,
    answers_of_tasks,
)
from apps.evaluation.models import SurveyRow  # noqa: E402
from apps.evaluation.questionnaires.typed_questions import shipped_questionnaires  # noqa: E402
from apps.evaluation.rankings.commands import RANKINGS, request_ranking  # noqa: E402
from apps.evaluation.rankings.queries import judgements_of  # noqa: E402
from apps.evaluation.rankings.ranking_plan import RankingRequest  # noqa: E402
from apps.evaluation.surveys.commands import SURVEYS, SurveyRequest, request_survey  # noqa: E402
from apps.interaction.conditions import CONDITIONS  # noqa: E402
from apps.interaction.models import InterviewRow  # noqa: E402
from apps.llm.models import ModelCallRow  # noqa: E402
from apps.simulation.models import SimulationRow  # noqa: E402


def main() -> None:
    """Print a line of JSON for the surveys, and one for each LLM task."""
    row = SimulationRow.objects.get()
    tick = row.committed_tick
    agents = agent_queries.slugs_in_simulation(row.pk, as_of_tick=tick)
    began = time.process_time()
    surveys = []
    for questionnaire in shipped_questionnaires().values():
        request = SurveyRequest(
            questionnaire=questionnaire,
            agents={tick: agents},
            conditions=list(CONDITIONS.values()),
        )
        survey = request_survey(row.pk, request, by="a benchmark")
        SURVEYS.carry_out(wiring.ports(), survey.pk)
        surveys.append(survey)
    seconds = time.process_time() - began
    asked = InterviewRow.objects.filter(surveyinterviewrow__survey__in=surveys)
    calls = [call for interview in asked for call in interview.model_calls]
    print(json.dumps({"interviews": asked.count(), "cpu_seconds": round(seconds, 1)}))
    rows = list(ModelCallRow.objects.filter(simulation_id=row.pk, call_id__in=calls))
    for task in sorted({call.task for call in rows}):
        of_task = [call for call in rows if call.task == task]
        figures = {
            "task": task,
            "calls": len(of_task),
            "prompt_tokens": round(mean(call.prompt_tokens for call in of_task)),
            "completion_tokens": round(mean(call.completion_tokens for call in of_task)),
        }
        print(json.dumps(figures))
    paper = next(one for one in surveys if one.questionnaire["name"] == "paper")
    print(json.dumps(_ranked(paper)))
    for survey in surveys:
        SURVEYS.delete(survey.pk)


def _ranked(survey: SurveyRow) -> dict[str, float]:
    """Rank the answers by the rule judge, and return the figures of its calls."""
    survey.refresh_from_db()
    ranking = request_ranking(survey, RankingRequest(judge="rule"), by="a benchmark")
    RANKINGS.carry_out(wiring.ports(), ranking.pk)
    judgements = list(judgements_of(ranking))
    ranked = answers_of_tasks([one.task.answers for one in judgements])
    ids = [call for one in judgements for call in one.model_calls]
    calls = list(
        ModelCallRow.objects.filter(simulation_id=survey.simulation_id, call_id__in=ids)
    )
    prompts = sum(call.prompt_tokens for call in calls)
    completions = sum(call.completion_tokens for call in calls)
    return {
        "rankings": len(calls),
        "prompt_tokens_without_answers": round((prompts - ranked.tokens) / len(calls)),
        "completion_tokens_without_ranks": round(
            (completions - ranked.answers * TOKENS_PER_RANK) / len(calls)
        ),
    }


if __name__ == "__main__":
    main()
