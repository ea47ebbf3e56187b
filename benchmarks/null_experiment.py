"""Does the evaluation of the paper with a model that answers at random: no condition may win.

    export SMALLVILLE_HOME=/tmp/evaluation SECRET_KEY=x
    .venv/bin/python -m benchmarks.null_experiment SIMULATION MOMENT FOLDER [AGENT...]

Asks the 25 questions of the agents, or of all, under the conditions of the paper and one of its
own, has the answers ranked by the same server, and writes the report into the folder.
"""

import sys
from pathlib import Path
from uuid import UUID

from benchmarks.setting import prepare

prepare()

from apps.agents import queries as agent_queries  # noqa: E402 (Django is set up first)
from apps.evaluation.models import RankingRow  # noqa: E402
from apps.evaluation.questionnaires.typed_questions import shipped_questionnaires  # noqa: E402
from apps.evaluation.rankings.commands import RANKINGS, request_ranking  # noqa: E402
from apps.evaluation.rankings.ranking_plan import RankingRequest  # noqa: E402
from apps.evaluation.rankings.report_pages import write_report  # noqa: E402
from apps.evaluation.surveys.commands import SURVEYS, SurveyRequest, request_survey  # noqa: E402
from apps.interaction.conditions import CONDITIONS, condition_named  # noqa: E402
from apps.kernel.game_moments import first_tick_from  # noqa: E402
from apps.simulation import queries  # noqa: E402
from tests.model_server.random_answers import random_model_ports  # noqa: E402

WITHOUT_PLANS = condition_named("observation+dialogue+reflection")
BY, SEED = "a benchmark", 1


def main() -> None:
    """Ask, rank, and write the report."""
    simulation, moment, folder, *agents = sys.argv[1:]
    row = queries.get_simulation(UUID(simulation))
    tick = first_tick_from(moment, queries.calendar_of(row.pk))
    request = SurveyRequest(
        questionnaire=shipped_questionnaires()["paper"],
        agents={tick: agents or agent_queries.slugs_in_simulation(row.pk, as_of_tick=tick)},
        conditions=[*CONDITIONS.values(), WITHOUT_PLANS],
    )
    with random_model_ports() as ports:
        survey = request_survey(row.pk, request, by=BY)
        SURVEYS.carry_out(ports, survey.pk)
        survey.refresh_from_db()
        by_model = RankingRequest(judge=RankingRow.Judge.MODEL, seed=SEED)
        ranking = request_ranking(survey, by_model, by=BY)
        RANKINGS.carry_out(ports, ranking.pk)
    ranking.refresh_from_db()
    print(write_report(ranking, Path(folder)))


if __name__ == "__main__":
    main()
