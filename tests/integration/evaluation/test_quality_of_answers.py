"""The outcomes of a run's answers are those of its turns, whatever is asked about it later."""

import pytest

from apps import wiring
from apps.evaluation.news_searches.commands import (
    NEWS_SEARCHES,
    NewsSearchRequest,
    request_news_search,
)
from apps.evaluation.news_searches.llm_tasks import (
    NEWS_VERIFICATION,
    HoldingMemory,
    NewsExtent,
    NewsVerification,
)
from apps.evaluation.quality.counts import RunQuality, run_quality
from apps.evaluation.questionnaires.typed_questions import shipped_questionnaires
from apps.evaluation.surveys.commands import SURVEYS, SurveyRequest, request_survey
from apps.interaction.conditions import NO_REFLECTION
from apps.llm.calls.queries import answer_outcomes
from apps.memory.llm_tasks.summaries import SUMMARIES
from apps.simulation.engine.forks import ForkSpec, fork_simulation
from apps.simulation.models import SimulationRow
from tests.support.snapshots import simulated
from tests.support.towns import answering

pytestmark = pytest.mark.django_db(transaction=True)  # leases are renewed by threads
ISABELLA = "isabella-rodriguez"


def quality(row: SimulationRow, tick: int) -> RunQuality:
    return run_quality(row.pk, wiring.ports().worlds, as_of_tick=tick)


def disobedient(_inputs: object, _chance: object) -> NewsVerification:
    """Name a memory that is not there, as a bad judge does."""
    held = HoldingMemory(memory=999, extent=NewsExtent.PART, reason="so it seems")
    return NewsVerification(knows=True, held=(held,))


def test_are_the_same_after_evaluations_and_in_a_branch() -> None:
    row = simulated("2023-02-13T07:00", agents=("Isabella Rodriguez",))
    tick = row.committed_tick
    before = quality(row, tick)
    assert before.answers.kept > 0

    asked = SurveyRequest(
        questionnaire=shipped_questionnaires()["news"],
        agents={tick: [ISABELLA]},
        conditions=[NO_REFLECTION],
    )
    survey = request_survey(row.pk, asked, by="a test")
    assert SURVEYS.carry_out(wiring.ports(), survey.pk)
    search = request_news_search(
        row.pk,
        NewsSearchRequest(news="Isabella has a party", agents=[ISABELLA], as_of_tick=tick),
        by="a test",
    )
    assert NEWS_SEARCHES.carry_out(answering({NEWS_VERIFICATION.name: disobedient}), search.pk)

    of_all, by_task = answer_outcomes(row.pk, as_of_tick=tick)
    assert of_all.fell_back == 1, "the judge has answered badly"
    summaries = {one.key: one.calls for one in by_task}[SUMMARIES.name]
    of_turns = {one.key: one.calls for one in before.answers_by_task}[SUMMARIES.name]
    assert summaries == of_turns + 1, "the survey has a summary of its own"

    after = quality(row, tick)
    assert (after.answers, after.answers_by_task) == (before.answers, before.answers_by_task)
    fork = fork_simulation(wiring.ports(), row.pk, ForkSpec(name="a branch", at_tick=tick))
    branch = quality(fork, tick)
    assert (branch.answers, branch.answers_by_task) == (before.answers, before.answers_by_task)
