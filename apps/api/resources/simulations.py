"""Simulations: created, listed, shown, changed, run, paused, deleted."""

import secrets
from dataclasses import fields
from functools import partial
from http import HTTPStatus
from typing import Any, ClassVar
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from apps import wiring
from apps.access.rights import Right
from apps.api.http.etags import (
    ETAG,
    IF_MATCH,
    IF_NONE_MATCH,
    require_current_version,
    versioned_response,
)
from apps.api.http.fields import Strict, address_of
from apps.api.http.lists import ListView, list_parameters, page_of_items
from apps.api.http.request_errors import VersionPassed
from apps.api.http.simulation_context import list_visible_simulations
from apps.api.http.simulation_views import SimulationView
from apps.api.http.views import FOUNDING, ApiView, operation
from apps.api.resources.simulation_forms import (
    SPECIFICATION_ERRORS,
    ChangeSimulation,
    FoundedOn,
    Pause,
    Simulation,
    simulation_values,
)
from apps.experiments.commands import EXPERIMENTS
from apps.experiments.queries import list_experiments, list_run_simulations
from apps.llm.calls.queries import answering_models
from apps.llm.prices import PriceUnknown
from apps.simulation.commands.embodiments import NeedsPace
from apps.simulation.engine import lifecycle
from apps.simulation.engine.deletion import HasBranches
from apps.simulation.engine.lifecycle import (
    CannotRun,
    Run,
    SimulationSpec,
    StillRunning,
    TooManyRunning,
    ensure_may_run,
)
from apps.simulation.locks import lock_simulation_row
from apps.simulation.models import SimulationRow
from apps.work.kinds import WorkUnknown

RANDOM_SEEDS = 2**53
"""A random seed is below this, so that programs that keep numbers as doubles keep it."""


NO_EXPERIMENT = "none"


class OfExperiment(Strict):
    """Whether runs of experiments are listed."""

    experiment = serializers.RegexField(
        r"^(none|[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12})$",
        required=False,
        error_messages={"invalid": 'write the id of an experiment, or "none"'},
        help_text="Only the runs of this experiment of yours, by its id; `none`: only "
        "simulations that are no run of one of yours.",
    )


class Simulations(ListView):
    """The simulations that you have a role in."""

    query = list_parameters(
        "name, world", "recorded_at", default="-recorded_at", more=OfExperiment
    )
    rate_limits: ClassVar = {"POST": FOUNDING}

    @operation(
        "listSimulations",
        "/simulations",
        "simulations",
        page_of_items(Simulation),
        errors=(WorkUnknown,),
    )
    def get(self, request: Request) -> Any:
        """List the simulations that you have a role in, by default the newest first."""
        rows = self._of_experiment(list_visible_simulations(self.user))
        return self.page(
            self.matching(rows, "name", "world"),
            Simulation,
            prepare=lambda page: simulation_values(page, self.user),
            recorded_at=("created_at", "pk"),
        )

    def _of_experiment(self, rows: QuerySet[SimulationRow]) -> QuerySet[SimulationRow]:
        """Return the rows that the filter admits."""
        wanted = self.parameters.get("experiment")
        experiments = list_experiments(self.user.pk)
        if wanted is None:
            return rows
        if wanted == NO_EXPERIMENT:
            return rows.exclude(pk__in=list_run_simulations(experiments))
        one = EXPERIMENTS.get(UUID(wanted), owner_id=self.user.pk)
        return rows.filter(pk__in=list_run_simulations(experiments.filter(pk=one.pk)))

    @operation(
        "createSimulation",
        "/simulations",
        "simulations",
        {201: Simulation},
        request=SimulationSpec,
        errors=SPECIFICATION_ERRORS,
    )
    def post(self, request: Request) -> Response:
        """Create a simulation; all agents are asleep at home, and it is paused.

        The rule-based model forms the agents' seed memories at once. With a remote model they
        are formed later: `preparation` shows the progress, and a retrieval from an agent, or an
        interview with it, is rejected with 409 `simulation-preparing` until the agent is ready.
        """
        spec = self.body(SimulationSpec)
        if spec.seed is None:
            spec = spec.model_copy(update={"seed": secrets.randbelow(RANDOM_SEEDS)})
        row = lifecycle.create_simulation(wiring.ports(), spec, owner_id=self.user.pk)
        return located_response(self, row, HTTPStatus.CREATED)


class Deletion(Strict):
    """What becomes of the past that branches share."""

    keep_branches = serializers.BooleanField(
        required=False,
        default=False,
        help_text="Whether branches keep the past that they share; nobody else can read it.",
    )


class OneSimulation(SimulationView):
    """A simulation and its status."""

    query = Strict
    queries: ClassVar = {"DELETE": Deletion}

    rights: ClassVar = {"PATCH": Right.OWN, "DELETE": Right.OWN}

    @operation(
        "getSimulation",
        "",
        "simulations",
        {200: Simulation, 304: None},
        parameters=[ETAG, IF_NONE_MATCH],
    )
    def get(self, request: Request, **_names: str) -> Response:
        """Show a simulation."""
        return versioned_response(request, represent_simulation(self, self.context.row))

    @operation(
        "changeSimulation",
        "",
        "simulations",
        Simulation,
        request=ChangeSimulation,
        parameters=[ETAG, IF_MATCH],
        errors=(StillRunning, VersionPassed, PriceUnknown),
    )
    def patch(self, request: Request, **_names: str) -> Response:
        """Rename a simulation, or change its budget while it is paused; for its owners.

        The budget counts what was used so far. Members that are left out stay. A name is no
        part of the history: the hash of the log stays the same.
        """
        requested = self.body(ChangeSimulation)
        with transaction.atomic():
            row = self._lock_current(request)
            if requested.name:
                row = lifecycle.rename_simulation(row.pk, requested.name)
            if "budget" in requested.model_fields_set:
                row = lifecycle.change_budget(row.pk, requested.budget)
        return versioned_response(request, represent_simulation(self, row))

    @operation(
        "deleteSimulation",
        "",
        "simulations",
        {204: None},
        parameters=[IF_MATCH],
        errors=(StillRunning, VersionPassed, HasBranches),
    )
    def delete(self, request: Request, **_names: str) -> Response:
        """Delete a paused simulation with its whole history; for its owners.

        A simulation whose past branches share is deleted with `keep_branches` only.
        """
        with transaction.atomic():
            self._lock_current(request)
            lifecycle.delete_simulation(
                wiring.ports(),
                self.context.id,
                keep_branches=self.parameters["keep_branches"],
            )
        return Response(status=HTTPStatus.NO_CONTENT)

    def _lock_current(self, request: Request) -> SimulationRow:
        """Return the row, locked until the end of the transaction, if If-Match allows it."""
        row = lock_simulation_row(self.context.id)
        require_current_version(request, partial(represent_simulation, self, row))
        return row


class SimulationSettingsView(SimulationView):
    """The settings of a simulation."""

    query = Strict

    @operation("getSettings", "/settings", "simulations", FoundedOn)
    def get(self, request: Request, **_names: str) -> Response:
        """Show the settings that a simulation was created with."""
        created = self.context.founded
        shown = {field.name: getattr(created, field.name) for field in fields(created)}
        return Response(self.represent(FoundedOn, shown | created.settings.model_dump()))


class RunSimulation(SimulationView):
    """Runs of a simulation."""

    @operation(
        "runSimulation",
        "/run",
        "simulations",
        {202: Simulation},
        request=Run,
        errors=(CannotRun, NeedsPace, TooManyRunning, PriceUnknown),
    )
    def post(self, request: Request, **_names: str) -> Response:
        """Run a simulation: to a game time, for a number of ticks, or without end.

        Without `until` and `ticks` the run has no end, without `pace` it is as fast as
        possible; but while the simulation runs, what is left out stays as it is.
        """
        requested = self.body(Run)
        with transaction.atomic():
            ensure_may_run(
                self.context.id, running_max=settings.SIMULATIONS_RUNNING_PER_USER_MAX
            )
            row = lifecycle.request_run(
                self.context.id,
                until_tick=requested.until,
                ticks=requested.ticks,
                pace=requested.pace,
                keeps_end=not requested.model_fields_set & {"until", "ticks"},
                keeps_pace="pace" not in requested.model_fields_set,
            )
        return located_response(self, row, HTTPStatus.ACCEPTED)


class PauseSimulation(SimulationView):
    """Pauses of a simulation."""

    @operation(
        "pauseSimulation",
        "/pause",
        "simulations",
        {202: Simulation},
        request=Pause,
    )
    def post(self, request: Request, **_names: str) -> Response:
        """Pause a simulation; it is `pausing` until all agents are at the same tick."""
        row = lifecycle.request_pause(self.context.id, reason=self.body(Pause).reason)
        return located_response(self, row, HTTPStatus.ACCEPTED)


def represent_simulation(view: ApiView, row: SimulationRow) -> dict[str, Any]:
    """Return the representation of a simulation for the user of a request."""
    [values] = simulation_values([row], view.user)
    values["answering_models"] = answering_models(row.pk, until_tick=row.committed_tick)
    shown: dict[str, Any] = view.represent(Simulation, values)
    return shown


def located_response(view: ApiView, row: SimulationRow, status: HTTPStatus) -> Response:
    """Return the response with a simulation and its address."""
    address = address_of(view.request, "getSimulation", simulation=row.pk)
    shown = represent_simulation(view, row)
    return Response(shown, status=status, headers={"Location": address})
