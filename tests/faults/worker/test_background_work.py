"""Work of every kind goes on after the database or the worker was away in the middle of it."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.db import connections

from apps import wiring
from apps.counterfactuals import commands as counterfactuals
from apps.django_support.background_work import BackgroundWork
from apps.evaluation.models import RankingRow
from apps.evaluation.news_searches import commands as news_searches
from apps.evaluation.questionnaires.typed_questions import read_questionnaire
from apps.evaluation.rankings import commands as rankings
from apps.evaluation.rankings.ranking_plan import RankingRequest
from apps.evaluation.surveys import commands as surveys
from apps.experiments import commands as experiments
from apps.experiments.design_files import read_design
from apps.experiments.models import ExperimentEventRow
from apps.interaction import commands as interviews
from apps.interaction.conditions import condition_named
from apps.interaction.models import InterviewRow
from apps.replays import commands as replays
from apps.simulation.engine.forks import ForkSpec
from apps.simulation.engine.in_process import RunOptions, run_until_rest
from apps.simulation.models import SimulationRow, Status
from apps.worker import tasks
from tests.support.processes import database_url, is_awaited, stack, wait_until
from tests.support.snapshots import simulated

pytestmark = [pytest.mark.faults, pytest.mark.django_db(transaction=True)]

SECONDS_MAX = 60.0
EVENTS, CALLS = "eventlog_eventrow", "llm_modelcallrow"
ISABELLA = "isabella-rodriguez"
DESIGN = {
    "name": "one-run",
    "agents": ["Isabella Rodriguez"],
    "seeds": [1],
    "moments": ["2023-02-13T06:10"],
    "measures": ["plans"],
}


@dataclass(frozen=True)
class Requested:
    """Work that waits, the table that it needs, the state of its end, and how to take it."""

    kind: BackgroundWork[Any]
    row: Any
    table: str
    end: str
    carry_out: Callable[[str], None]

    @property
    def state(self) -> str:
        """The state of the work now."""
        self.row.refresh_from_db()
        state: str = self.row.state
        return state

    def take(self) -> None:
        """Carry the work out on a thread of its own, as a worker does."""
        try:
            self.carry_out(str(self.row.pk))
        finally:
            connections.close_all()


def replay(row: SimulationRow) -> Requested:
    """Request a replay of the whole history."""
    asked = replays.request_replay(row.pk, from_tick=0, to_tick=row.settled_tick, by="a test")
    return Requested(
        replays.REPLAYS,
        asked,
        EVENTS,
        "finished",
        lambda pk: tasks.carry_out_replay(replay_id=pk),
    )


def counterfactual(row: SimulationRow) -> Requested:
    """Request a counterfactual, and let its branch come to the end."""
    spec = counterfactuals.CounterfactualSpec(
        fork=ForkSpec(name="a branch", at_tick=0), until_tick=60
    )
    asked = counterfactuals.request_counterfactual(wiring.ports(), row.pk, spec, by="a test")
    counterfactuals.advance_counterfactual(asked.pk)
    for one in SimulationRow.objects.filter(status=Status.RUNNING):
        run_until_rest(wiring.ports(), one.pk, RunOptions())
    return Requested(
        counterfactuals.COUNTERFACTUALS,
        asked,
        EVENTS,
        "compared",
        lambda pk: tasks.advance_counterfactual(counterfactual_id=pk),
    )


def interview(row: SimulationRow) -> Requested:
    """Request an interview that a worker answers."""
    request = interviews.InterviewRequest(
        agent=ISABELLA,
        question="Who are you?",
        as_of_tick=row.settled_tick,
        answered_by=InterviewRow.Answerer.WORKER,
    )
    return Requested(
        interviews.INTERVIEWS,
        interviews.request_interview(row.pk, request, by="a test"),
        CALLS,
        "answered",
        lambda pk: tasks.answer_interview(interview_id=pk),
    )


def survey(row: SimulationRow, *conditions: str) -> Requested:
    """Request a survey of one question."""
    questions = [{"name": "who", "text": "Who are you?"}]
    request = surveys.SurveyRequest(
        questionnaire=read_questionnaire(
            {"name": "one", "title": "One question", "questions": questions}
        ),
        agents={row.settled_tick: [ISABELLA]},
        conditions=[condition_named(name) for name in conditions or ("full",)],
    )
    return Requested(
        surveys.SURVEYS,
        surveys.request_survey(row.pk, request, by="a test"),
        CALLS,
        "finished",
        lambda pk: tasks.answer_survey(survey_id=pk),
    )


def ranking(row: SimulationRow) -> Requested:
    """Request a ranking of the answers of a survey by the model."""
    asked = survey(row, "full", "no-reflection")
    asked.take()
    assert asked.state == "finished"
    request = RankingRequest(judge=RankingRow.Judge.MODEL)
    return Requested(
        rankings.RANKINGS,
        rankings.request_ranking(asked.row, request, by="a test"),
        CALLS,
        "finished",
        lambda pk: tasks.judge_ranking(ranking_id=pk),
    )


def news_search(row: SimulationRow) -> Requested:
    """Request a search of a piece of news."""
    request = news_searches.NewsSearchRequest(
        news="Isabella Rodriguez has a party", agents=[ISABELLA], as_of_tick=row.settled_tick
    )
    return Requested(
        news_searches.NEWS_SEARCHES,
        news_searches.request_news_search(row.pk, request, by="a test"),
        CALLS,
        "finished",
        lambda pk: tasks.search_news(search_id=pk),
    )


def experiment(_row: SimulationRow) -> Requested:
    """Request an experiment of one run; its first step starts it."""
    tasks_of_model = [task.name for task in wiring.LLM_TASKS]
    asked = experiments.request_experiment(
        wiring.ports(), read_design(DESIGN), tasks_of_model, by="a test"
    )
    return Requested(
        experiments.EXPERIMENTS,
        asked,
        EVENTS,
        "running",
        lambda pk: tasks.advance_experiment(experiment_id=pk),
    )


@contextmanager
def locked(*tables: str) -> Iterator[None]:
    """Let everybody wait who reads or writes the tables."""
    with psycopg.connect(database_url()) as lock:
        for table in tables:
            lock.execute(f"LOCK TABLE {table} IN ACCESS EXCLUSIVE MODE")
        yield


def end_waiting_connections(table: str) -> None:
    """End the connections that wait for the table, as a restart of the server does."""
    with psycopg.connect(database_url()) as operator:
        operator.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_locks "
            "WHERE relation = %s::regclass AND NOT granted",
            [table],
        )


@pytest.mark.parametrize(
    "request_work",
    [replay, counterfactual, interview, survey, ranking, news_search, experiment],
)
def test_an_outage_gives_work_back_that_then_ends(
    request_work: Callable[[SimulationRow], Requested],
) -> None:
    work = request_work(simulated("2023-02-13T06:10", people=("Isabella Rodriguez",)))
    assert work.kind.ids() == [work.row.pk]
    with locked(work.table), ThreadPoolExecutor(1) as worker:
        carried_out = worker.submit(work.take)
        wait_until(
            lambda: is_awaited(work.table),
            seconds=SECONDS_MAX,
            told=lambda: f"it has not come to {work.table}",
        )
        assert work.kind.ids() == [], "a process is at it"
        end_waiting_connections(work.table)
        carried_out.result(SECONDS_MAX)
    assert work.kind.ids() == [work.row.pk]
    assert work.row.problem == ""
    work.take()
    assert work.state == work.end
    assert not ExperimentEventRow.objects.filter(type="experiment.run-failed.v1").exists()


def test_another_worker_goes_on_soon_after_kill_9(tmp_path: Path) -> None:
    row = simulated("2023-02-13T06:10", people=("Isabella Rodriguez",))
    # Work in one piece, in steps, of one call, and of several calls.
    requested = [one(row) for one in (replay, counterfactual, interview, survey)]
    with stack(tmp_path) as processes:
        with locked(EVENTS, CALLS):
            processes.start_worker("first")
            processes.start_beat()
            wait_until(
                lambda: all(one.kind.ids() == [] for one in requested),
                seconds=SECONDS_MAX,
                told=lambda: processes.log_of("first"),
            )
            processes.kill("first")
        for one in requested:
            one.row.refresh_from_db()
        waits = {one.kind.noun: one.kind.wait_of(one.row) for one in requested}
        assert {noun for noun, wait in waits.items() if wait is None} <= {"replay"}
        processes.start_worker("second")
        wait_until(
            lambda: [one.state for one in requested] == [one.end for one in requested],
            seconds=SECONDS_MAX,
            told=lambda: f"{[one.state for one in requested]}: {processes.log_of('second')}",
        )
