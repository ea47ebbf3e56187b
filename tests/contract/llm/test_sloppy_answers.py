"""Every LLM task and answers as small models give them: none is silently wrong (L2).

The good answers are those of the rule-based model in a short simulation. Each is changed in
form only, so the meaning of what comes of it is known: the same answer, or an invalid one.
"""

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from pytest_django import DjangoDbBlocker

from apps import wiring
from apps.evaluation.models import RankingRow
from apps.evaluation.news_searches.commands import (
    NEWS_SEARCHES,
    NewsSearchRequest,
    request_news_search,
)
from apps.evaluation.questionnaires.typed_questions import read_questionnaire
from apps.evaluation.rankings.commands import RANKINGS, request_ranking
from apps.evaluation.rankings.ranking_plan import RankingRequest
from apps.evaluation.surveys.commands import SURVEYS, SurveyRequest, request_survey
from apps.interaction.answer_forms import OPEN, AnswerForm, AnswerKind
from apps.interaction.commands import InterviewRequest, answer_interview, request_interview
from apps.interaction.conditions import FULL, NO_OBSERVATION
from apps.llm.answers.task_answer import InvalidAnswer
from apps.llm.calls.answering import AnswerOutcome, ask_until_valid, validated_answer
from apps.llm.model_spec import ModelSpec
from apps.llm.opening import Models
from apps.llm.port import ChatModel, Completion, Request
from apps.llm.task import LLMTask
from apps.simulation.commands.command_log import Issuer
from apps.simulation.commands.interventions import InnerVoiceBody, request_intervention
from apps.simulation.models import SimulationRow
from apps.simulation.ports import Ports
from tests.support.llm_doubles import ScriptedModel
from tests.support.sloppy_answers import Reading, SloppyAnswer, sloppy_answers
from tests.support.towns import found, live, set_object, shared

ISABELLA = "isabella-rodriguez"
STOVE = "Isabella Rodriguez's apartment: kitchen: stove"
TASKS: dict[str, LLMTask[Any, Any]] = {task.name: task for task in wiring.LLM_TASKS}
CASES_MIN, KINDS_MIN = 200, 12
# Of the questions of interviews, each kind that has a task of its own.
FORMS = (
    OPEN,
    AnswerForm(kind=AnswerKind.CHOICE, options=("work at the cafe", "sleep all day")),
    AnswerForm(kind=AnswerKind.SCALE, minimum=1, maximum=7),
)


class ListeningModel:
    """Passes requests on, and keeps the longest request of each task with its answer."""

    def __init__(self, inner: ChatModel, heard: dict[str, tuple[Request, str]]) -> None:
        self._inner, self._heard = inner, heard
        self.server, self.name, self.remote = inner.server, inner.name, inner.remote

    def complete(self, request: Request) -> Completion:
        completion = self._inner.complete(request)
        heard = self._heard.get(request.task_name)
        if heard is None or len(heard[1]) < len(completion.text):
            self._heard[request.task_name] = (request, completion.text)
        return completion


def listening(heard: dict[str, tuple[Request, str]]) -> Ports:
    """Return ports whose model keeps what it is asked and what it answers."""
    ports = wiring.ports()

    def models(spec: ModelSpec, seed: int) -> Models:
        opened = ports.open_models(spec, seed)
        return replace(opened, chat=ListeningModel(opened.chat, heard))

    return replace(ports, open_models=models)


@pytest.fixture(scope="module")
def examples(
    django_db_setup: None, django_db_blocker: DjangoDbBlocker
) -> Iterator[dict[str, tuple[Request, str]]]:
    """Let three agents live until they sleep; a user breaks a stove and speaks to one."""
    heard: dict[str, tuple[Request, str]] = {}
    ports = listening(heard)

    def simulate() -> Any:
        row = live(
            found(seed=10, settings={"reflection_threshold": 8}, ports=ports),
            "2023-02-13T11:00",
            ports=ports,
        )
        voice = InnerVoiceBody(text="You should buy apples at The Willows Market and Pharmacy")
        request_intervention(
            row.pk, ISABELLA, voice, issuer=Issuer(by="a researcher", reason="", at_tick=None)
        )
        set_object(row, STOVE, "broken", at_tick=row.committed_tick + 1)
        row = live(row, "2023-02-13T23:30", ports=ports)
        for form in FORMS:
            asked = InterviewRequest(
                agent=ISABELLA,
                question="What do you do today?",
                as_of_tick=row.committed_tick,
                form=form,
            )
            interview = request_interview(row.pk, asked, by="a researcher")
            answer_interview(ports, interview.pk)
        rank_answers(row, ports)
        search_news(row, ports)
        return row

    with shared(django_db_blocker, simulate):
        yield heard


def rank_answers(row: SimulationRow, ports: Ports) -> None:
    """Let the model judge Isabella's answers under two conditions."""
    questions = {"name": "self", "questions": [{"name": "who", "text": "Who are you?"}]}
    request = SurveyRequest(
        questionnaire=read_questionnaire(questions),
        agents={row.committed_tick: [ISABELLA]},
        conditions=[FULL, NO_OBSERVATION],
    )
    survey = request_survey(row.pk, request, by="a researcher")
    SURVEYS.carry_out(ports, survey.pk)
    survey.refresh_from_db()
    by_model = RankingRequest(judge=RankingRow.Judge.MODEL)
    RANKINGS.carry_out(ports, request_ranking(survey, by_model, by="a researcher").pk)


def search_news(row: SimulationRow, ports: Ports) -> None:
    """Let the model verify who knows of Isabella's party."""
    request = NewsSearchRequest(
        news="Isabella Rodriguez is having a Valentine's Day party at Hobbs Cafe",
        agents=[ISABELLA],
        as_of_tick=row.committed_tick,
    )
    searched = request_news_search(row.pk, request, by="a researcher")
    NEWS_SEARCHES.carry_out(ports, searched.pk)


def cases_of(task: LLMTask[Any, Any], heard: tuple[Request, str]) -> Iterator[SloppyAnswer]:
    request, text = heard
    answer = validated_answer(task, request.inputs, text).answer
    return sloppy_answers(answer, task.offered(request.inputs))


def read(task: LLMTask[Any, Any], request: Request, case: SloppyAnswer) -> Reading:
    """Return what comes of the answer.

    :raises AssertionError: if it is read as another answer than the one that is meant.
    """
    try:
        adjusted = validated_answer(task, request.inputs, case.text)
    except InvalidAnswer:
        return Reading.ASKED_AGAIN
    good = validated_answer(task, request.inputs, json.dumps(case.means))
    assert adjusted.answer == good.answer, f"{task.name}, {case.kind} at {case.where}"
    is_same = adjusted.differences == good.differences
    return Reading.KEPT if is_same else Reading.REPAIRED


@pytest.mark.django_db
def test_every_task_reads_sloppy_answers_as_they_are_meant(
    examples: dict[str, tuple[Request, str]],
) -> None:
    assert examples.keys() == TASKS.keys()
    counts: Counter[tuple[str, str]] = Counter()
    kinds: set[str] = set()
    for name, heard in examples.items():
        for case in cases_of(TASKS[name], heard):
            reading = read(TASKS[name], heard[0], case)
            assert reading is case.reading, (
                f"{name}: {case.kind} at {case.where!r} was {reading}: {case.text[:300]}"
            )
            counts[name, reading] += 1
            kinds.add(case.kind)
    assert counts.total() >= CASES_MIN
    assert len(kinds) >= KINDS_MIN


@pytest.mark.django_db
def test_every_task_falls_back_by_name_to_a_valid_answer(
    examples: dict[str, tuple[Request, str]],
) -> None:
    for name, (request, _) in examples.items():
        task = TASKS[name]
        silent = ScriptedModel({name: ["no", "never", "not I"]})
        fallen = ask_until_valid(task, request.inputs, request, silent)
        assert fallen.outcome is AnswerOutcome.FELL_BACK
        assert fallen.fallback == task.fallback.__name__
        validated_answer(task, request.inputs, fallen.answer.model_dump_json())
