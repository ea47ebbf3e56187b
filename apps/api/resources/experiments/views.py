"""The views of experiments: requested, estimated, listed, shown, controlled, deleted."""

from http import HTTPStatus
from typing import Any, ClassVar

from rest_framework.request import Request
from rest_framework.response import Response

from apps import wiring
from apps.access.rights import Right
from apps.api.http.fields import Strict
from apps.api.http.lists import ListView, list_parameters, page_of_items
from apps.api.http.operation import operation
from apps.api.http.rate_limits import FOUNDING
from apps.api.http.simulation_context import parse_resource_id
from apps.api.http.views import ApiView, Errors
from apps.api.http.worker_tasks import send_after_commit
from apps.api.resources.commands import accepted_response
from apps.api.resources.experiments.requests import (
    NewExperiment,
    ReasonToStop,
    RequestedExperiment,
    ResumedBudget,
)
from apps.api.resources.experiments.serializers import (
    Experiment,
    ExperimentEstimateShown,
    ExperimentSummary,
)
from apps.api.resources.requested_work import values_of_work
from apps.api.resources.simulations.requests import budget_of
from apps.django_support.text_search import contains
from apps.experiments.budgets import spent_of
from apps.experiments.commands import (
    EXPERIMENTS,
    ExperimentAtWork,
    ExperimentNotPaused,
    ExperimentNotRunning,
    ExperimentOver,
    cancel_experiment,
    delete_experiment,
    pause_experiment,
    request_experiment,
    resume_experiment,
)
from apps.experiments.design import ExperimentDesign
from apps.experiments.design_checks import check_design
from apps.experiments.design_files import read_design
from apps.experiments.event_table import ExperimentUnknown, progress_of
from apps.experiments.experiment_estimates import estimate_experiment
from apps.experiments.measure_registry import MeasureUnknown
from apps.experiments.models import ExperimentRow
from apps.experiments.plain_values import UnusableExperiment
from apps.experiments.queries import get_experiment, list_experiments
from apps.kernel.errors import DomainError
from apps.llm.catalogue import ModelNotAllowed
from apps.llm.model_spec import UnknownModel
from apps.llm.prices import PriceUnknown
from apps.simulation.settings import UnusableSettings
from apps.world.errors import UnknownPerson, UnknownWorld
from apps.world.problems import WorldBroken

ADVANCE_EXPERIMENT = "smallville.advance_experiment"
DESIGN_ERRORS: Errors = (
    UnusableExperiment,
    MeasureUnknown,
    UnknownWorld,
    WorldBroken,
    UnknownPerson,
    UnknownModel,
    UnusableSettings,
    ModelNotAllowed,
    PriceUnknown,
    DomainError,
)
_TIRED = {
    "name": "tired-host",
    "title": "Does the party take place if the host is tired?",
    "agents": ["Isabella Rodriguez", "Klaus Mueller", "Maria Lopez"],
    "seeds": {"from": 1, "to": 5},
    "interventions": {
        "none": {},
        "tired": {
            "at": "2023-02-13T08:00:00",
            "commands": [
                {
                    "kind": "inner-voice",
                    "agent": "isabella-rodriguez",
                    "text": "You are too tired to give a party this year",
                }
            ],
        },
    },
    "moments": ["2023-02-13T20:00:00", "2023-02-14T20:00:00"],
    "measures": [
        "network.talked.density",
        "conversations",
        {"diffusion": {"name": "party", "topic": ["party"], "about": ["Isabella"]}},
    ],
    "budget": {"tokens": 5_000_000},
}


class _DesignView(ApiView):
    """A view that reads a design."""

    def design_of(self, requested: dict[str, Any]) -> ExperimentDesign:
        """Return the requested design, with questionnaires of the user."""
        return read_design(requested, self.user)


class Experiments(ListView, _DesignView):
    """The experiments of a user."""

    query = list_parameters("name, title", "recorded_at", default="-recorded_at")
    rate_limits: ClassVar = {"POST": FOUNDING}

    @operation(
        "listExperiments", "/experiments", "evaluation", page_of_items(ExperimentSummary)
    )
    def get(self, request: Request) -> Any:
        """List your experiments, by default the latest first."""
        rows = list_experiments(self.user.pk)
        if "search" in self.parameters:
            rows = rows.filter(contains(self.parameters["search"], "name", "title"))
        return self.page(
            rows,
            ExperimentSummary,
            prepare=lambda page: [_summary(row) for row in page],
            recorded_at=("requested_at", "pk"),
        )

    @operation(
        "createExperiment",
        "/experiments",
        "evaluation",
        {202: Experiment},
        request=NewExperiment,
        examples={"A tired host": _TIRED},
        errors=DESIGN_ERRORS,
    )
    def post(self, request: Request) -> Response:
        """Run simulations under conditions, measure them at moments, and compare them by seed.

        Every combination of the levels of world, settings, model and intervention is a
        condition. Runs that differ by an intervention only share their past as forks. You own
        the simulations, whose names begin with that of the experiment, and their use counts to
        the budget. `POST /experiments/estimate` estimates the cost before.
        """
        reason = self.body(NewExperiment).get("reason", "")
        sent = dict(self.request.data)
        members = {name: one for name, one in sent.items() if name != "reason"}
        row = request_experiment(
            wiring.ports(),
            self.design_of(members),
            _chains(),
            by=self.user.get_username(),
            reason=reason,
            owner_id=self.user.pk,
        )
        _send(row)
        return accepted_response(self.represent(Experiment, _values(row)))


class ExperimentEstimates(_DesignView):
    """The estimate of an experiment, which is not created."""

    rights: ClassVar = {"POST": Right.READ}

    @operation(
        "estimateExperiment",
        "/experiments/estimate",
        "evaluation",
        ExperimentEstimateShown,
        request=RequestedExperiment,
        examples={"A tired host": _TIRED},
        errors=DESIGN_ERRORS,
    )
    def post(self, request: Request) -> Response:
        """Validate an experiment, and estimate its calls, tokens and cost."""
        self.body(RequestedExperiment)
        design = self.design_of(dict(self.request.data))
        check_design(wiring.ports(), design)
        found = estimate_experiment(wiring.ports(), design, _chains())
        shown = {
            "conditions": len(design.conditions),
            "runs": len(design.measured_runs),
            "shared_pasts": design.shared_pasts,
            "ticks": found.ticks,
            "shared_ticks": found.shared_ticks,
            "total": found.total,
        }
        return Response(self.represent(ExperimentEstimateShown, shown))


class ExperimentView(ApiView):
    """A view of one experiment of the user."""

    address: ClassVar[str] = "/api/v1/experiments/{experiment}"
    errors: ClassVar[Errors] = (ExperimentUnknown,)
    row: ExperimentRow

    def load_resources(self, **names: str) -> None:
        """Load the experiment.

        :raises NotAllowed: if the token only reads, and the request changes something.
        :raises ExperimentUnknown: if the user has none of the id.
        """
        self.require_right(self.right_of(str(self.request.method)))
        given = names["experiment"]
        experiment_id = parse_resource_id(given, ExperimentUnknown, "you have no experiment")
        self.row = get_experiment(self.user.pk, experiment_id)

    def shown(self) -> Response:
        """Return the response with the experiment as it is now."""
        self.row.refresh_from_db()
        return Response(self.represent(Experiment, _values(self.row)))


class OneExperiment(ExperimentView):
    """An experiment."""

    query = Strict

    @operation("getExperiment", "", "evaluation", Experiment)
    def get(self, request: Request, **_names: str) -> Response:
        """Show an experiment: its design, its progress, its estimate and its use."""
        return self.shown()

    @operation("deleteExperiment", "", "evaluation", {204: None}, errors=(ExperimentAtWork,))
    def delete(self, request: Request, **_names: str) -> Response:
        """Delete an experiment that does not run, with its events; its simulations stay."""
        delete_experiment(self.row.pk)
        return Response(status=HTTPStatus.NO_CONTENT)


class PausedExperiment(ExperimentView):
    """The pause of an experiment."""

    @operation(
        "pauseExperiment",
        "/pause",
        "evaluation",
        Experiment,
        request=ReasonToStop,
        examples={"For a look": {"reason": "the first seeds look odd"}},
        errors=(ExperimentNotRunning,),
    )
    def post(self, request: Request, **_names: str) -> Response:
        """Pause an experiment with its runs, their surveys and their news searches.

        A model call that is under way is paid for and kept; none begins after it.
        """
        reason = self.body(ReasonToStop).get("reason", "")
        pause_experiment(self.row.pk, by=self.user.get_username(), reason=reason)
        return self.shown()


class ResumedExperiment(ExperimentView):
    """The continuation of an experiment."""

    @operation(
        "resumeExperiment",
        "/resume",
        "evaluation",
        Experiment,
        request=ResumedBudget,
        examples={"With more tokens": {"budget": {"tokens": 10_000_000}}},
        errors=(ExperimentNotPaused, PriceUnknown),
    )
    def post(self, request: Request, **_names: str) -> Response:
        """Let a paused experiment go on with the runs that were held.

        The budget counts what was used so far; one that is left out stays.
        """
        requested = self.body(ResumedBudget)
        budget = budget_of(requested.get("budget"))
        resume_experiment(self.row.pk, by=self.user.get_username(), budget=budget)
        _send(self.row)
        return self.shown()


class CancelledExperiment(ExperimentView):
    """The end of an experiment before its end."""

    @operation(
        "cancelExperiment",
        "/cancel",
        "evaluation",
        Experiment,
        request=ReasonToStop,
        examples={"With a reason": {"reason": "the question is answered"}},
        errors=(ExperimentOver,),
    )
    def post(self, request: Request, **_names: str) -> Response:
        """End an experiment and pause its runs, surveys and news searches.

        What is measured and what is answered stays.
        """
        reason = self.body(ReasonToStop).get("reason", "")
        cancel_experiment(self.row.pk, by=self.user.get_username(), reason=reason)
        return self.shown()


def _chains() -> list[str]:
    return [task.name for task in wiring.LLM_TASKS]


def _send(row: ExperimentRow) -> None:
    send_after_commit(ADVANCE_EXPERIMENT, experiment_id=str(row.pk))


def _summary(row: ExperimentRow) -> dict[str, Any]:
    return values_of_work(EXPERIMENTS, row)


def _values(row: ExperimentRow) -> dict[str, Any]:
    progress = progress_of(row.pk)
    used = spent_of(progress)
    return _summary(row) | {
        "design": progress.requested.design,
        "conditions": len(progress.design.conditions),
        "shared_pasts": progress.design.shared_pasts,
        "estimate": progress.requested.estimate["total"],
        "used": {
            "calls": used.calls,
            "tokens": used.tokens,
            "cost": used.cost,
        },
    }
