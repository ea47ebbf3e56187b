"""The null experiment: random answers, ranked by a random judge over HTTP. Nothing may win."""

import pytest

from apps.evaluation.models import RankingRow
from apps.evaluation.questionnaires.typed_questions import Questionnaire, shipped_questionnaires
from apps.evaluation.rankings.commands import RANKINGS, request_ranking
from apps.evaluation.rankings.queries import judgements_of
from apps.evaluation.rankings.ranking_plan import RankingRequest
from apps.evaluation.rankings.reports import report_of
from apps.evaluation.surveys.commands import SURVEYS, SurveyRequest, request_survey
from apps.interaction.conditions import CONDITIONS
from tests.model_server.random_answers import random_model_ports
from tests.support.snapshots import simulated

pytestmark = pytest.mark.django_db(transaction=True)
# A change of a prompt draws new answers and ranks; one draw in 20 falls below 0.05 by chance. A
# condition that is first in every ranking has a p below 1e-6.
LEVEL = 0.001
QUESTIONS = 8


def test_no_condition_wins_where_answers_and_ranks_are_random() -> None:
    morning = simulated("2023-02-13T07:00")
    paper = shipped_questionnaires()["paper"]
    some = Questionnaire(
        name=paper.name,
        title=paper.title,
        source=paper.source,
        questions=tuple(one for one in paper.questions if not one.placeholders)[:QUESTIONS],
    )
    request = SurveyRequest(
        questionnaire=some,
        agents={morning.committed_tick: ["isabella-rodriguez", "klaus-mueller"]},
        conditions=list(CONDITIONS.values()),
    )
    with random_model_ports() as ports:
        survey = request_survey(morning.pk, request, by="a researcher")
        SURVEYS.carry_out(ports, survey.pk)
        survey.refresh_from_db()
        by_model = RankingRequest(judge=RankingRow.Judge.MODEL, seed=2)
        ranking = request_ranking(survey, by_model, by="a researcher")
        RANKINGS.carry_out(ports, ranking.pk)
    ranking.refresh_from_db()
    report = report_of(ranking)
    assert (ranking.state, report.tasks, report.invalid) == ("done", 2 * QUESTIONS, 0)
    # The judge is no constant. In a seventh of such rankings one of the 16 pairs of a condition
    # and a rank is missing by chance.
    for name in ranking.conditions:
        given = {one.ranks[name] for one in judgements_of(ranking)}
        assert given <= {1, 2, 3, 4}
        assert len(given) > 2
    assert report.kruskal_wallis.p is not None
    assert report.kruskal_wallis.p > LEVEL
    assert report.friedman.p is not None
    assert report.friedman.p > LEVEL
    assert all((pair.dunn_p or 0) > LEVEL for pair in report.pairs)
