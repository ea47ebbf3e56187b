"""Surveys and news searches whose experiment is paused or cancelled while they are asked."""

from collections import Counter
from collections.abc import Callable
from typing import Any
from uuid import UUID

import pytest

from apps.evaluation.models import NewsSearchRow, SurveyRow
from apps.evaluation.news_searches.commands import NEWS_SEARCHES
from apps.evaluation.news_searches.llm_tasks import NEWS_VERIFICATION
from apps.evaluation.surveys.commands import SURVEYS
from apps.experiments.commands import EXPERIMENTS
from apps.interaction.llm_tasks import ANSWER
from apps.interaction.models import InterviewRow
from apps.memory.llm_tasks.summaries import SUMMARIES
from apps.simulation.ports import Ports
from apps.work.rows import WorkState
from tests.acceptance.api.calling import Caller
from tests.acceptance.api.test_experiments import (
    ONE_RUN,
    PARTY_NEWS,
    add_mood_questionnaire,
    path_of,
    requested,
    work,
)
from tests.support.lost import lose_process
from tests.support.rules import TASK_RULES
from tests.support.towns import answering

pytestmark = pytest.mark.django_db(transaction=True)  # leases are renewed by threads

TASKS = (ANSWER.name, SUMMARIES.name, NEWS_VERIFICATION.name)
QUESTIONS = ("How do you feel?", "What will you do?")
SURVEY = {"survey": {"questionnaire": "mood", "condition": "no-reflection"}}
Act = Callable[[], object]


class Asked:
    """Counts the calls by task, and acts during one of them, as another process could."""

    def __init__(self) -> None:
        self.calls: Counter[str] = Counter()
        self._acts: dict[tuple[str, int], Act] = {}

    def during(self, task: str, number: int, act: Act) -> None:
        """Act during the call of this number, from 1, of an LLM task."""
        self._acts[task, number] = act

    def ports(self) -> Ports:
        """Return ports whose model counts."""
        return answering({name: self._rule(name) for name in TASKS})

    def _rule(self, name: str) -> Callable[[Any, Any], Any]:
        def answer(inputs: Any, chance: Any) -> Any:
            self.calls[name] += 1
            self._acts.pop((name, self.calls[name]), lambda: None)()
            return TASK_RULES[name](inputs, chance)

        return answer


def requested_with(caller: Caller, measure: dict[str, Any]) -> UUID:
    """Request an experiment of one run and one measure, and let the run come to its moment."""
    shown = requested(caller, **ONE_RUN, moments=[20], measures=[measure])
    work(rounds=3)
    return UUID(shown["id"])


def with_survey(caller: Caller) -> UUID:
    """Request a survey of two questions to two agents, which share a summary for each."""
    named = [{"name": f"q{at}", "text": text} for at, text in enumerate(QUESTIONS)]
    add_mood_questionnaire(caller, named)
    return requested_with(caller, SURVEY)


def carry_out(ports: Ports) -> None:
    """Do what workers do with surveys and news searches that wait."""
    for survey in SURVEYS.ids():
        SURVEYS.carry_out(ports, survey)
    for search in NEWS_SEARCHES.ids():
        NEWS_SEARCHES.carry_out(ports, search)


def finished(caller: Caller, experiment: UUID, ports: Ports) -> dict[str, float | None]:
    """Resume the experiment, have it carried out, and return its values by measure."""
    EXPERIMENTS.resume(experiment, by="a test")
    work(rounds=2)
    carry_out(ports)
    work(rounds=2)
    shown = caller.get(path_of({"id": experiment})).json()
    assert shown["state"] == "done", shown["problem"]
    values = caller.get(f"{path_of(shown)}/results").json()["results"]
    return {one["measure"]: one["value"] for one in values}


def answered() -> int:
    return InterviewRow.objects.filter(state=WorkState.DONE).count()


class TestPause:
    def test_begins_no_call_of_a_survey_and_asks_none_again_later(
        self, isabella: Caller
    ) -> None:
        experiment, asked = with_survey(isabella), Asked()
        asked.during(ANSWER.name, 1, lambda: EXPERIMENTS.pause(experiment, by="a test"))
        carry_out(asked.ports())
        assert (asked.calls[ANSWER.name], answered()) == (1, 1), "the paid answer is kept"
        survey = SurveyRow.objects.get()
        assert (survey.state, survey.problem) == ("paused", "the experiment was paused")
        assert SURVEYS.ids() == []
        work(rounds=2)
        carry_out(asked.ports())
        assert asked.calls.total() == 2, "one summary and one answer"
        values = finished(isabella, experiment, asked.ports())
        assert values["survey.mood.q0.answered_share"] == 1.0
        assert asked.calls == {ANSWER.name: 4, SUMMARIES.name: 2}

    def test_begins_no_second_call_of_an_interview(self, isabella: Caller) -> None:
        experiment, asked = with_survey(isabella), Asked()
        asked.during(SUMMARIES.name, 1, lambda: EXPERIMENTS.pause(experiment, by="a test"))
        carry_out(asked.ports())
        assert asked.calls == {SUMMARIES.name: 1}
        states = set(InterviewRow.objects.values_list("state", flat=True))
        assert states == {WorkState.PENDING}, "the interview can be asked again"
        finished(isabella, experiment, asked.ports())
        assert asked.calls == {ANSWER.name: 4, SUMMARIES.name: 2}, "the summary is used"

    def test_begins_no_call_of_a_news_search_and_asks_none_again_later(
        self, isabella: Caller
    ) -> None:
        experiment, asked = requested_with(isabella, PARTY_NEWS), Asked()
        name = NEWS_VERIFICATION.name
        asked.during(name, 1, lambda: EXPERIMENTS.pause(experiment, by="a test"))
        carry_out(asked.ports())
        assert (asked.calls[name], NewsSearchRow.objects.get().state) == (1, "paused")
        work(rounds=2)
        carry_out(asked.ports())
        assert asked.calls[name] == 1
        values = finished(isabella, experiment, asked.ports())

        undisturbed = Asked()
        again = requested_with(isabella, PARTY_NEWS)
        carry_out(undisturbed.ports())
        work(rounds=2)
        path = f"{path_of({'id': again})}/results"
        expected = {
            one["measure"]: one["value"] for one in isabella.get(path).json()["results"]
        }
        assert values == expected
        assert asked.calls == undisturbed.calls

    def test_that_ends_during_a_call_leaves_the_survey_to_its_process(
        self, isabella: Caller
    ) -> None:
        experiment, asked = with_survey(isabella), Asked()

        def pause_for_a_moment() -> None:
            EXPERIMENTS.pause(experiment, by="a test")
            EXPERIMENTS.resume(experiment, by="a test")
            work(rounds=1)
            assert SurveyRow.objects.get().state == "running"
            assert SURVEYS.ids() == [], "two processes would pay twice"

        asked.during(ANSWER.name, 1, pause_for_a_moment)
        carry_out(asked.ports())
        assert SurveyRow.objects.get().state == "done"
        assert asked.calls == {ANSWER.name: 4, SUMMARIES.name: 2}

    def test_is_over_for_a_survey_whose_process_is_lost(self, isabella: Caller) -> None:
        experiment, asked = with_survey(isabella), Asked()
        lose_process(SurveyRow.objects.all(), state="running")
        EXPERIMENTS.pause(experiment, by="a test")
        assert SURVEYS.ids() == []
        finished(isabella, experiment, asked.ports())
        assert asked.calls == {ANSWER.name: 4, SUMMARIES.name: 2}


class TestCancellation:
    def test_begins_no_call_and_keeps_the_answers(self, isabella: Caller) -> None:
        experiment, asked = with_survey(isabella), Asked()
        asked.during(ANSWER.name, 2, lambda: EXPERIMENTS.cancel(experiment, by="a test"))
        carry_out(asked.ports())
        work(rounds=2)
        carry_out(asked.ports())
        assert (asked.calls[ANSWER.name], answered()) == (2, 2)
        assert SurveyRow.objects.get().problem == "the experiment was cancelled"

    def test_stops_what_no_process_has_taken(self, isabella: Caller) -> None:
        experiment, asked = requested_with(isabella, PARTY_NEWS), Asked()
        EXPERIMENTS.cancel(experiment, by="a test")
        carry_out(asked.ports())
        assert not asked.calls
