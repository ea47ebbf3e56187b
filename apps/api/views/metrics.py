"""Figures of the whole service for Prometheus."""

import ipaddress
from collections.abc import Iterator

from django.contrib.auth.models import User
from django.db.models import Count, Q, Sum
from django.http import HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import NotAuthenticated, PermissionDenied
from rest_framework.permissions import AllowAny
from rest_framework.request import Request

from apps.api.base import ApiView
from apps.api.openapi import problem, refusal
from apps.llm.models import ModelCallRow
from apps.simulation.models import SimulationRow, Status, TurnRow

PROMETHEUS = "text/plain; version=0.0.4; charset=utf-8"


class Metrics(ApiView):
    """Figures in the text form of Prometheus; for this machine, or an administrator."""

    permission_classes = (AllowAny,)
    throttle_classes = ()

    @extend_schema(
        operation_id="getMetrics",
        summary="Figures for Prometheus; from this machine, or with an administrator's token",
        tags=["operation"],
        responses={
            (200, "text/plain"): str,
            problem(401): refusal(
                "Not from this machine, and no token (`token-missing`) or a wrong one "
                "(`token-invalid`)."
            ),
            problem(403): refusal("The token is not an administrator's (`not-allowed`)."),
            problem(503): refusal("The database does not answer (`database-unavailable`)."),
        },
    )
    def get(self, request: Request) -> HttpResponse:
        """Show the figures."""
        if not is_from_this_machine(request):
            _refuse_unless_administrator(request)
        return HttpResponse("".join(_lines()), content_type=PROMETHEUS)


def is_from_this_machine(request: Request) -> bool:
    """Return whether a process of this machine asks, not a proxy for somebody else."""
    forwarded = any(
        name in request.META for name in ("HTTP_X_FORWARDED_FOR", "HTTP_FORWARDED", "HTTP_VIA")
    )
    try:
        return not forwarded and ipaddress.ip_address(request.META["REMOTE_ADDR"]).is_loopback
    except (KeyError, ValueError):
        return False


def _refuse_unless_administrator(request: Request) -> None:
    user = request.user
    if not user.is_authenticated:
        raise NotAuthenticated
    if not (isinstance(user, User) and user.is_superuser):
        raise PermissionDenied("the figures of the whole service are an administrator's")


def _lines() -> Iterator[str]:
    by_status = dict(
        SimulationRow.objects.order_by()
        .values_list("status")
        .annotate(Count("pk"))
        .values_list("status", "pk__count")
    )
    yield from _metric(
        "smallville_simulations",
        "gauge",
        "Simulations by what they are doing.",
        {f'{{status="{status}"}}': by_status.get(status, 0) for status in Status.values},
    )
    ticks = SimulationRow.objects.aggregate(ticks=Sum("settled_tick"))["ticks"] or 0
    yield from _metric(
        "smallville_settled_ticks", "gauge", "Settled ticks of all simulations.", {"": ticks}
    )
    turns = TurnRow.objects.aggregate(
        sent=Count("pk", filter=Q(state=TurnRow.State.SENT)),
        taken=Count("pk", filter=Q(state=TurnRow.State.TAKEN)),
    )
    yield from _metric(
        "smallville_turns_in_work",
        "gauge",
        "Turns handed out, and turns that somebody works on.",
        {f'{{state="{state}"}}': count for state, count in turns.items()},
    )
    yield from _model_metrics()


def _model_metrics() -> Iterator[str]:
    used = ModelCallRow.objects.aggregate(
        calls=Count("pk"), prompt=Sum("prompt_tokens"), completion=Sum("completion_tokens")
    )
    yield from _metric(
        "smallville_model_calls_total", "counter", "Answered model calls.", {"": used["calls"]}
    )
    yield from _metric(
        "smallville_model_tokens_total",
        "counter",
        "Tokens of prompts and of answers.",
        {f'{{kind="{kind}"}}': used[kind] or 0 for kind in ("prompt", "completion")},
    )


def _metric(name: str, kind: str, words: str, samples: dict[str, int]) -> Iterator[str]:
    yield f"# HELP {name} {words}\n# TYPE {name} {kind}\n"
    for labels, value in samples.items():
        yield f"{name}{labels} {value}\n"
