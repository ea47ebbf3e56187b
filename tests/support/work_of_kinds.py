"""Work of each kind, requested in a small town."""

import io
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import User

from apps import wiring
from apps.archives import imports
from apps.archives.exporting import write_archive
from apps.counterfactuals import commands as counterfactuals
from apps.evaluation.models import RankingRow
from apps.evaluation.news_searches import commands as news_searches
from apps.evaluation.questionnaires.typed_questions import read_questionnaire
from apps.evaluation.rankings import commands as rankings
from apps.evaluation.rankings.ranking_plan import RankingRequest
from apps.evaluation.surveys import commands as surveys
from apps.experiments import commands as experiments
from apps.experiments.design import read_design
from apps.interaction import commands as interviews
from apps.interaction.conditions import condition_named
from apps.interaction.models import InterviewRow
from apps.replays import commands as replays
from apps.replays import trials
from apps.replays.trial_sample import TrialRequest
from apps.simulation.engine.forks import ForkSpec
from apps.simulation.engine.in_process import RunOptions, run_until_rest
from apps.simulation.models import SimulationRow, Status
from apps.work.kinds import WorkKind
from apps.work.rows import WorkState

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
    """Work that waits, and a table that it needs."""

    kind: WorkKind[Any]
    row: Any
    table: str

    @property
    def state(self) -> str:
        """The state of the work now."""
        self.row.refresh_from_db()
        state: str = self.row.state
        return state

    def take(self) -> bool:
        """Carry the work out, or its next step; return whether it was taken."""
        return self.kind.carry_out(wiring.ports(), self.row.pk)

    @property
    def address(self) -> str:
        """The address of the work."""
        kind, row = self.kind.name, self.row
        if kind in {"experiment", "import"}:
            return f"/{kind}s/{row.pk}"
        if kind == "ranking":
            above = f"/simulations/{row.survey.simulation_id}/surveys/{row.survey_id}"
            return f"{above}/rankings/{row.pk}"
        several = "news-searches" if kind == "news-search" else f"{kind}s"
        return f"/simulations/{row.simulation_id}/{several}/{row.pk}"


def replay(row: SimulationRow) -> Requested:
    """Request a replay of the whole history."""
    asked = replays.request_replay(row.pk, from_tick=0, to_tick=row.committed_tick, by="a test")
    return Requested(
        replays.REPLAYS,
        asked,
        EVENTS,
    )


def model_trial(row: SimulationRow) -> Requested:
    """Request a trial of the rule-based model on one call of each LLM task."""
    request = TrialRequest(model="offline", calls_per_task=1)
    return Requested(
        trials.TRIALS,
        trials.request_trial(wiring.ports(), row.pk, request, by="a test"),
        CALLS,
    )


def counterfactual(row: SimulationRow) -> Requested:
    """Request a counterfactual of ten minutes."""
    spec = counterfactuals.CounterfactualSpec(
        fork=ForkSpec(name="a branch", at_tick=0), until_tick=60
    )
    asked = counterfactuals.request_counterfactual(
        wiring.ports(), row.pk, spec, by="a test", owner_id=row.owner_id
    )
    return Requested(
        counterfactuals.COUNTERFACTUALS,
        asked,
        EVENTS,
    )


def run_branches(work: Requested) -> None:
    """Let the runs of a counterfactual come to the end, so that its next step compares."""
    if work.kind.name == "counterfactual":
        work.take()
        for one in SimulationRow.objects.filter(status=Status.RUNNING):
            run_until_rest(wiring.ports(), one.pk, RunOptions())


def interview(row: SimulationRow) -> Requested:
    """Request an interview that a worker answers."""
    request = interviews.InterviewRequest(
        agent=ISABELLA,
        question="Who are you?",
        as_of_tick=row.committed_tick,
        answered_by=InterviewRow.Answerer.WORKER,
    )
    return Requested(
        interviews.INTERVIEWS,
        interviews.request_interview(row.pk, request, by="a test"),
        CALLS,
    )


def survey(row: SimulationRow, *conditions: str) -> Requested:
    """Request a survey of one question."""
    questions = [{"name": "who", "text": "Who are you?"}]
    request = surveys.SurveyRequest(
        questionnaire=read_questionnaire(
            {"name": "one", "title": "One question", "questions": questions}
        ),
        agents={row.committed_tick: [ISABELLA]},
        conditions=[condition_named(name) for name in conditions or ("full",)],
    )
    return Requested(
        surveys.SURVEYS,
        surveys.request_survey(row.pk, request, by="a test"),
        CALLS,
    )


def ranking(row: SimulationRow) -> Requested:
    """Request a ranking of the answers of a survey by the model."""
    asked = survey(row, "full", "no-reflection")
    asked.take()
    assert asked.state == WorkState.DONE
    request = RankingRequest(judge=RankingRow.Judge.MODEL)
    return Requested(
        rankings.RANKINGS,
        rankings.request_ranking(asked.row, request, by="a test"),
        CALLS,
    )


def news_search(row: SimulationRow) -> Requested:
    """Request a search of a piece of news."""
    request = news_searches.NewsSearchRequest(
        news="Isabella Rodriguez has a party", agents=[ISABELLA], as_of_tick=row.committed_tick
    )
    return Requested(
        news_searches.NEWS_SEARCHES,
        news_searches.request_news_search(row.pk, request, by="a test"),
        CALLS,
    )


def experiment(row: SimulationRow) -> Requested:
    """Request an experiment of one run; its first step starts it."""
    asked = experiments.request_experiment(
        wiring.ports(),
        read_design(DESIGN),
        wiring.LLM_TASK_NAMES,
        by="a test",
        owner_id=row.owner_id,
    )
    return Requested(
        experiments.EXPERIMENTS,
        asked,
        EVENTS,
    )


def import_of(row: SimulationRow) -> Requested:
    """Request an import of the archive of the simulation."""
    owner = row.owner or User.objects.get_or_create(username="isabella")[0]
    file = io.BytesIO(b"".join(write_archive(wiring.ports(), row)))
    asked = imports.request_import(file, owner=owner, reason="a test")
    return Requested(imports.IMPORTS, asked, EVENTS)


REQUESTS: dict[str, Callable[[SimulationRow], Requested]] = {
    "interview": interview,
    "survey": survey,
    "ranking": ranking,
    "news-search": news_search,
    "replay": replay,
    "model-trial": model_trial,
    "counterfactual": counterfactual,
    "experiment": experiment,
    "import": import_of,
}
"""Requests work of each kind of the registry, given a simulation with Isabella."""
