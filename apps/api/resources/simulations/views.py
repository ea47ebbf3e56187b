"""Simulations: created, listed, shown, changed, deleted."""

import secrets
from dataclasses import fields
from datetime import datetime
from http import HTTPStatus
from typing import ClassVar
from uuid import UUID

from django.db import transaction
from django.urls import reverse
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from apps import wiring
from apps.access.rights import Right
from apps.api.http import listing
from apps.api.http.etags import (
    ETAG,
    IF_MATCH,
    IF_NONE_MATCH,
    require_current_version,
    versioned_response,
)
from apps.api.http.fields import NAME_CHARACTERS_MAX, Strict, Text, location_of
from apps.api.http.paging import Paged, page_of_items, page_response, split_page
from apps.api.http.rate_limits import FOUNDING
from apps.api.http.request_errors import VersionPassed
from apps.api.http.simulation_context import list_visible_simulations
from apps.api.http.simulation_views import SimulationView
from apps.api.http.views import ApiView
from apps.api.resources.simulations.creation import (
    ChosenBudget,
    FoundedOn,
    FoundSimulation,
    budget_of,
)
from apps.api.resources.simulations.presentation import (
    Simulation,
    show_simulation,
    show_simulations,
)
from apps.django_support.text_search import contains
from apps.kernel.errors import DomainError
from apps.llm.catalogue import ModelNotAllowed
from apps.llm.model_spec import UnknownModel
from apps.llm.prices import PriceUnknown
from apps.simulation.engine import lifecycle
from apps.simulation.engine.lifecycle import Founding, StillRunning
from apps.simulation.locks import lock_simulation_row
from apps.simulation.models import SimulationRow
from apps.simulation.settings import UnusableSettings
from apps.world.errors import UnknownPerson, UnknownWorld
from apps.world.problems import WorldBroken


class ChangeSimulation(Strict):
    """What can be changed of a simulation."""

    name = Text(
        required=False,
        max_length=NAME_CHARACTERS_MAX,
        help_text="Its new name, also while it runs; it need not be unique.",
    )
    budget = ChosenBudget(
        required=False,
        allow_null=True,
        help_text="What it may use, while it is paused; null: as much as it does.",
    )


_FOUNDING = OpenApiExample(
    "Three people of Smallville",
    request_only=True,
    value={
        "name": "First day",
        "world": "smallville",
        "seed": 7,
        "model": "offline",
        "settings": {"vision": 8},
        "agents": ["Isabella Rodriguez", "Klaus Mueller", "Maria Lopez"],
    },
)
_NAME_ALONE = OpenApiExample(
    "All agents of Smallville, with a random seed", {"name": "Another day"}, request_only=True
)


_BUDGET = OpenApiExample(
    "A quarter of a million tokens", {"budget": {"tokens": 250_000}}, request_only=True
)
_NAME = OpenApiExample("Another name", {"name": "With a fire drill"}, request_only=True)
RANDOM_SEEDS = 2**53
"""A random seed is below this, so that programs that keep numbers as doubles keep it."""


class SimulationFilters(Paged):
    """Which simulations, in which order."""

    search = listing.search_parameter("name, world")
    order = listing.order_parameter("recorded_at", default="-recorded_at")


class Simulations(ApiView):
    """The simulations that you have a role in."""

    errors: ClassVar = {
        "POST": (
            UnknownWorld,
            WorldBroken,
            UnknownPerson,
            UnknownModel,
            UnusableSettings,
            ModelNotAllowed,
            PriceUnknown,
            DomainError,
        )
    }
    query = SimulationFilters
    rate_limits: ClassVar = {"POST": FOUNDING}

    @extend_schema(
        operation_id="listSimulations",
        summary="List the simulations that you have a role in; by default the newest first",
        tags=["simulations"],
        responses={200: page_of_items(Simulation)},
    )
    def get(self, request: Request) -> Response:
        """List the simulations."""
        rows = list_visible_simulations(self.user)
        if "search" in self.parameters:
            rows = rows.filter(contains(self.parameters["search"], "name", "world"))
        keyset = listing.keyset_of(self.parameters["order"], recorded_at=("created_at", "pk"))
        rows = keyset.sort(keyset.behind(rows, listing.cursor_keys(self, datetime, UUID)))
        page, more = split_page(rows, self.parameters["limit"])
        cursor = listing.next_cursor(self, page[-1].created_at, page[-1].pk) if more else None
        return page_response(request, show_simulations(page, self.user), next_page=cursor)

    @extend_schema(
        operation_id="createSimulation",
        summary="Create a simulation; all agents are asleep at home, and it is paused",
        description="The agents' seed memories are formed at once by the rule-based model. A "
        "remote model is not waited for: `preparation` shows its progress, and a retrieval "
        "from an agent, or an interview with it, is refused with 409 `simulation-preparing` "
        "until the agent is ready.",
        tags=["simulations"],
        request=FoundSimulation,
        parameters=[location_of("The new simulation's address.")],
        responses={201: Simulation},
        examples=[_FOUNDING, _NAME_ALONE],
    )
    def post(self, request: Request) -> Response:
        """Create a simulation; without a seed a random one is chosen and recorded."""
        requested = self.body(FoundSimulation)
        seed = requested.get("seed")
        founding = Founding(
            name=requested["name"],
            world=requested["world"],
            seed=secrets.randbelow(RANDOM_SEEDS) if seed is None else seed,
            model=requested.get("model"),
            settings=requested.get("settings"),
            people=requested.get("agents"),
            budget=budget_of(requested.get("budget")),
        )
        row = lifecycle.create_simulation(wiring.ports(), founding, owner_id=self.user.pk)
        address = reverse("simulation", kwargs={"simulation": row.pk})
        return Response(
            show_simulation(row, self.user),
            status=HTTPStatus.CREATED,
            headers={"Location": request.build_absolute_uri(address)},
        )


class OneSimulation(SimulationView):
    """One simulation."""

    errors: ClassVar = {
        "PATCH": (StillRunning, VersionPassed, PriceUnknown),
        "DELETE": (StillRunning, VersionPassed),
    }
    rights: ClassVar = {"PATCH": Right.OWN, "DELETE": Right.OWN}

    @extend_schema(
        operation_id="getSimulation",
        summary="Look at what a simulation is doing",
        tags=["simulations"],
        parameters=[ETAG, IF_NONE_MATCH],
        responses={200: Simulation, 304: None},
    )
    def get(self, request: Request, **_names: str) -> Response:
        """Show the simulation."""
        return versioned_response(request, show_simulation(self.context.row, self.user))

    @extend_schema(
        operation_id="changeSimulation",
        summary="Rename a simulation, or change its budget while it is paused; for its owners",
        tags=["simulations"],
        parameters=[ETAG, IF_MATCH],
        request=ChangeSimulation,
        responses={200: Simulation},
        examples=[_BUDGET, _NAME],
    )
    def patch(self, request: Request, **_names: str) -> Response:
        """Change name or budget; what was used so far counts. What is not named stays.

        A name is no part of the history: the hash of the log stays the same.
        """
        requested = self.body(ChangeSimulation)
        with transaction.atomic():
            row = self._held(request)
            if "name" in requested:
                row = lifecycle.rename_simulation(row.pk, requested["name"])
            if "budget" in requested:
                row = lifecycle.change_budget(row.pk, budget_of(requested["budget"]))
        return versioned_response(request, show_simulation(row, self.user))

    @extend_schema(
        operation_id="deleteSimulation",
        summary="Delete a paused simulation with its whole history; for its owners",
        tags=["simulations"],
        parameters=[IF_MATCH],
        responses={204: None},
    )
    def delete(self, request: Request, **_names: str) -> Response:
        """Delete the simulation."""
        with transaction.atomic():
            self._held(request)
            lifecycle.delete_simulation(wiring.ports(), self.context.id)
        return Response(status=HTTPStatus.NO_CONTENT)

    def _held(self, request: Request) -> SimulationRow:
        """Return the row of the simulation, locked until the end of the transaction."""
        row = lock_simulation_row(self.context.id)
        require_current_version(request, show_simulation(row, self.user))
        return row


class SimulationSettingsView(SimulationView):
    """The settings of a simulation."""

    @extend_schema(
        operation_id="getSettings",
        summary="The settings that a simulation was founded with",
        tags=["simulations"],
        responses={200: FoundedOn},
    )
    def get(self, _request: Request, **_names: str) -> Response:
        """Show the settings."""
        founded = self.context.founded
        shown = {
            **{field.name: getattr(founded, field.name) for field in fields(founded)},
            **founded.settings.model_dump(),
            "start_at": founded.start,
        }
        return Response(FoundedOn(shown).data)
