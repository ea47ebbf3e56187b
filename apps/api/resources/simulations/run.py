"""Runs and pauses of a simulation."""

from http import HTTPStatus
from typing import ClassVar

from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.urls import reverse
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from apps.api.http.fields import Moment, Number, Strict, Text, Whole
from apps.api.http.game_times import TICK_MAX
from apps.api.http.simulation_views import SimulationView
from apps.api.resources.commands import REASON_CHARACTERS_MAX
from apps.api.resources.simulations.presentation import Simulation, show_simulation
from apps.llm.prices import PriceUnknown
from apps.simulation.commands.embodiments import NeedsPace
from apps.simulation.engine import lifecycle
from apps.simulation.engine.lifecycle import CannotRun
from apps.simulation.engine.running_limit import TooManyRunning, ensure_may_run
from apps.simulation.models import SimulationRow

PACE_MIN, PACE_MAX = 0.001, 1_000_000


class Run(Strict):
    """How far and how fast a simulation is to run; with both ends, to the nearer one.

    While it runs, what is left out stays as it was asked for before.
    """

    until = Moment(required=False, allow_null=True)
    ticks = Whole(
        required=False,
        allow_null=True,
        min_value=1,
        max_value=TICK_MAX,
        help_text="How many ticks from now on; null: no such end.",
    )
    pace = Number(
        required=False,
        allow_null=True,
        min_value=PACE_MIN,
        max_value=PACE_MAX,
        help_text="Game seconds per real second (the paper's is 60); null: as fast as it can.",
    )


class Pause(Strict):
    """Why a simulation is to be paused."""

    reason = Text(
        required=False,
        max_length=REASON_CHARACTERS_MAX,
        default="asked",
        help_text="What the simulation shows as the reason while it rests.",
    )


_RUNNING = [
    OpenApiExample("Until a game time", {"until": "2023-02-13T06:55:00"}, request_only=True),
    OpenApiExample("Six ticks", {"ticks": 6}, request_only=True),
    OpenApiExample("At the paper's pace, without end", {"pace": 60}, request_only=True),
]

_PAUSING = OpenApiExample("With a reason", {"reason": "until tomorrow"}, request_only=True)


class RunSimulation(SimulationView):
    """Runs of a simulation."""

    errors: ClassVar = {"POST": (CannotRun, NeedsPace, TooManyRunning, PriceUnknown)}

    @extend_schema(
        operation_id="runSimulation",
        summary="Let a simulation run: to a game time, for so many ticks, or without end",
        description="Left out, `until` and `ticks` mean without end and `pace` as fast as it "
        "can; but while the simulation runs, what is left out stays as it is.",
        tags=["simulations"],
        request=Run,
        responses={202: Simulation},
        examples=_RUNNING,
    )
    def post(self, request: Request, **_names: str) -> Response:
        """Ask for a run; look at the simulation to see how far it has come."""
        requested = self.body(Run)
        with transaction.atomic():
            ensure_may_run(
                self.context.id, running_max=settings.SIMULATIONS_RUNNING_PER_USER_MAX
            )
            row = lifecycle.request_run(
                self.context.id,
                until_tick=requested.get("until"),
                ticks=requested.get("ticks"),
                pace=requested.get("pace"),
                keeps_end=not requested.keys() & {"until", "ticks"},
                keeps_pace="pace" not in requested,
            )
        return accepted_run(request, row, self.user)


class PauseSimulation(SimulationView):
    """Pauses of a simulation."""

    @extend_schema(
        operation_id="pauseSimulation",
        summary="Let a simulation come to rest; it is `pausing` until everybody has caught up",
        tags=["simulations"],
        request=Pause,
        responses={202: Simulation},
        examples=[_PAUSING],
    )
    def post(self, request: Request, **_names: str) -> Response:
        """Ask for a pause."""
        row = lifecycle.request_pause(self.context.id, reason=self.body(Pause)["reason"])
        return accepted_run(request, row, self.user)


def accepted_run(request: Request, row: SimulationRow, user: User) -> Response:
    """Return the response 202 with the simulation and its address."""
    address = reverse("simulation", kwargs={"simulation": row.pk})
    return Response(
        show_simulation(row, user),
        status=HTTPStatus.ACCEPTED,
        headers={"Location": request.build_absolute_uri(address)},
    )
