"""The views of experiments: requested, estimated, listed, shown, controlled, deleted."""

from typing import Any, ClassVar

from rest_framework.request import Request
from rest_framework.response import Response

from apps import wiring
from apps.access.rights import Right
from apps.api.http.lists import list_parameters, page_of_items
from apps.api.http.operation import operation
from apps.api.http.rate_limits import FOUNDING
from apps.api.http.views import Errors
from apps.api.resources.experiments.serializers import (
    Experiment,
    ExperimentEstimateShown,
    ExperimentSummary,
    NewExperiment,
    ResumedBudget,
)
from apps.api.resources.work import OfKind, WorkList, WorkView, views_of_work
from apps.experiments.commands import (
    EXPERIMENTS,
    request_experiment,
)
from apps.experiments.design import ExperimentDesign, UnusableExperiment
from apps.experiments.design_checks import check_design, estimate_experiment
from apps.experiments.event_table import progress_of
from apps.experiments.measure_registry import MeasureUnknown
from apps.experiments.queries import list_experiments, spent_of
from apps.kernel.errors import DomainError
from apps.llm.catalogue import ModelNotAllowed
from apps.llm.model_spec import UnknownModel
from apps.llm.prices import PriceUnknown
from apps.simulation.settings import UnusableSettings
from apps.work.rows import WorkRow
from apps.world.problems import AgentNotInWorld, UnknownWorld, WorldBroken

DESIGN_ERRORS: Errors = (
    UnusableExperiment,
    MeasureUnknown,
    UnknownWorld,
    WorldBroken,
    AgentNotInWorld,
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


class _DesignView(OfKind):
    """A view that reads a design."""

    kind = EXPERIMENTS
    shown_as = Experiment

    @property
    def serializer_context(self) -> dict[str, Any]:
        """The context, with the owner of the questionnaires that a design names."""
        return super().serializer_context | {"owner": self.user}

    def shown(self, row: WorkRow) -> dict[str, Any]:
        """Return the representation of an experiment, with what its events amount to."""
        values = self.values_of([row])[0] | _values(row)
        shown: dict[str, Any] = self.represent(Experiment, values)
        return shown


class Experiments(WorkList, _DesignView):
    """The experiments of a user."""

    query = list_parameters("name, title", "recorded_at", default="-recorded_at")
    rate_limits: ClassVar = {"POST": FOUNDING}

    @operation(
        "listExperiments", "/experiments", "evaluation", page_of_items(ExperimentSummary)
    )
    def get(self, request: Request) -> Any:
        """List your experiments, by default the latest first."""
        rows = list_experiments(self.user.pk)
        return self.listed(rows, "name", "title", item=ExperimentSummary)

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
        design = self.body(NewExperiment)
        row = request_experiment(
            wiring.ports(),
            design,
            wiring.LLM_TASK_NAMES,
            by=self.user.get_username(),
            reason=design.reason,
            owner_id=self.user.pk,
        )
        return self.accepted(row)


class ExperimentEstimates(_DesignView):
    """The estimate of an experiment, which is not created."""

    rights: ClassVar = {"POST": Right.READ}

    @operation(
        "estimateExperiment",
        "/experiments/estimate",
        "evaluation",
        ExperimentEstimateShown,
        request=ExperimentDesign,
        examples={"A tired host": _TIRED},
        errors=DESIGN_ERRORS,
    )
    def post(self, request: Request) -> Response:
        """Validate an experiment, and estimate its calls, tokens and cost."""
        design = self.body(ExperimentDesign)
        check_design(wiring.ports(), design)
        found = estimate_experiment(wiring.ports(), design, wiring.LLM_TASK_NAMES)
        shown = {
            "conditions": len(design.conditions),
            "runs": len(design.measured_runs),
            "shared_pasts": design.shared_pasts,
            "ticks": found.ticks,
            "shared_ticks": found.shared_ticks,
            "total": found.total,
        }
        return Response(self.represent(ExperimentEstimateShown, shown))


class ExperimentView(_DesignView, WorkView):
    """A view of one experiment of the user."""

    address: ClassVar[str] = "/api/v1/experiments/{experiment}"
    parameter = "experiment"
    resumption = ResumedBudget
    resumption_example: ClassVar = {"budget": {"tokens": 10_000_000}}

    def found_by(self, **_names: str) -> dict[str, Any]:
        """Return the owner."""
        return {"owner_id": self.user.pk}

    def changes_of(self, requested: dict[str, Any]) -> dict[str, Any]:
        """Return the budget, which counts what was used so far; one left out stays."""
        return {"budget": requested.get("budget")}


VIEWS = views_of_work(ExperimentView, tag="evaluation")


def _values(row: WorkRow) -> dict[str, Any]:
    progress = progress_of(row.pk)
    return {
        "design": progress.design.to_json(),
        "conditions": len(progress.design.conditions),
        "shared_pasts": progress.design.shared_pasts,
        "estimate": progress.requested.estimate["total"],
        "used": spent_of(progress),
    }
