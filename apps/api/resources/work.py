"""Background work over HTTP: what the resources of all kinds have in common."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from functools import partial
from http import HTTPStatus
from typing import Any, ClassVar

import structlog
from celery import current_app
from django.db import transaction
from django.db.models import QuerySet
from django.http.response import HttpResponseBase
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from apps.access.rights import Right
from apps.api.http.fields import Choice, Serializer, Strict, TextOrNull
from apps.api.http.lists import ListView, list_parameters, page_of_items
from apps.api.http.simulation_context import parse_resource_id
from apps.api.http.simulation_views import SimulationView
from apps.api.http.value_serializers import serializer_of
from apps.api.http.views import ApiView, Errors, header, operation
from apps.api.resources.commands import accepted_response
from apps.kernel.request_models import RequestModel
from apps.kernel.requested_values import Reason
from apps.llm.calls.budget import Tokens
from apps.work.kinds import (
    CARRY_OUT_WORK,
    WorkKind,
    WorkNotPaused,
    WorkOver,
    WorkProgress,
    WorkUnknown,
)
from apps.work.rows import WorkRow, WorkState

logger = structlog.get_logger(__name__)

RESPOND_ASYNC = "respond-async"
PREFER = header(
    "Prefer", "`respond-async`: the response is 202, with the address of the work, at once."
)


class Resumption(RequestModel):
    """Nothing: work that was stopped continues as it was requested."""


class TokenLimit(RequestModel):
    """A limit of tokens."""

    tokens_max: Tokens | None = None
    """The work pauses when its model calls have used so many tokens; it may exceed them by
    those of one of its parts. The budget of the simulation holds besides."""


class ReasonToStop(RequestModel):
    """The reason of a pause or an end."""

    reason: Reason = ""
    """It is stored."""


class WorkProblem(Serializer):
    """The reason that work is paused, has failed or was cancelled."""

    code = serializers.CharField()
    detail = serializers.CharField()


def progress_of_work(values: type[WorkProgress], name: str) -> type[Serializer]:
    """Return the serializer of the progress of a kind of work."""
    return serializer_of(
        values, name, parts=serializers.CharField(help_text="What is counted.")
    )


Progress = progress_of_work(WorkProgress, "Progress")


class Work(Serializer):
    """The fields that work of all kinds has, before those of its kind."""

    state = Choice(choices=WorkState)
    progress = Progress()
    waits_for = TextOrNull(
        allow_null=True, help_text="What the work waits for; null if it computes, or is over."
    )
    waits_since = serializers.DateTimeField(
        allow_null=True, help_text="By the service's clock."
    )
    problem = WorkProblem(
        allow_null=True, help_text="The reason that it is paused, has failed or was cancelled."
    )
    by = serializers.CharField()
    reason = serializers.CharField()
    recorded_at = serializers.DateTimeField(
        source="requested_at", help_text="By the service's clock."
    )
    end_recorded_at = serializers.DateTimeField(
        source="finished_at", allow_null=True, help_text="By the service's clock."
    )


class LimitedWork(Work):
    """Work with a limit of tokens."""

    tokens = serializers.IntegerField(min_value=0, help_text="Used by its model calls so far.")
    tokens_max = serializers.IntegerField(allow_null=True)


class OfKind(ApiView):
    """A view of work of one kind."""

    kind: ClassVar[WorkKind[Any]]
    shown_as: ClassVar[type[Serializer]]

    def values_of(self, rows: Sequence[Any]) -> list[dict[str, Any]]:
        """Return the values of the rows as a response has them."""
        return work_values(self.kind, rows)

    def shown(self, row: WorkRow) -> dict[str, Any]:
        """Return the representation of work."""
        shown: dict[str, Any] = self.represent(self.shown_as, self.values_of([row])[0])
        return shown

    def accepted(self, row: WorkRow) -> Response:
        """Send work to the workers, and return the response that names its address."""
        transaction.on_commit(partial(_send, self.kind.name, str(row.pk)))
        return accepted_response(self.shown(row))

    def accepted_at_once(self, row: WorkRow) -> Response:
        """Accept work of a request that prefers not to wait (`prefers_async`)."""
        response = self.accepted(row)
        response.headers["Preference-Applied"] = RESPOND_ASYNC
        return response


class WorkList(ListView, OfKind):
    """The work of a kind; `searched` has the fields of the rows by the words for them."""

    listed_as: ClassVar[type[Serializer] | None] = None
    searched: ClassVar[Mapping[str, str]] = {"by": "by", "reason": "reason"}

    def rows(self) -> QuerySet[Any]:
        """Return the rows that the user may see."""
        return self.kind.rows

    def listed(self) -> HttpResponseBase:
        """Return the page of the rows that the query asks for."""
        return self.page(
            self.matching(self.rows(), *self.searched.values()),
            self.listed_as or self.shown_as,
            prepare=self.values_of,
            recorded_at=("requested_at", "pk"),
        )


class WorkRequests(WorkList):
    """The work of a kind: listed, requested, and estimated before a request.

    `record` and `estimate` get the body, a `body_model`; the docstring of `record` describes
    its operation.
    """

    body_model: ClassVar[type[RequestModel]]
    estimated_model: ClassVar[type[RequestModel] | None] = None
    estimated_as: ClassVar[type[Serializer]]

    def ensure_may_request(self) -> None:
        """Check what a request needs besides the right to the method, before its body."""

    def record(self, requested: Any) -> WorkRow:
        """Record what the body requests."""
        raise NotImplementedError

    def estimate(self, requested: Any) -> object:
        """Return the values of `estimated_as`; nothing is recorded."""
        raise NotImplementedError


class WorkView(OfKind):
    """A view below work of one kind, which is in `work_row`.

    `parameter` is that of the path. `resumption` is the body with which it is resumed.
    """

    query: ClassVar[type[Strict]] = Strict
    errors: ClassVar[Errors] = (WorkUnknown,)
    parameter: ClassVar[str]
    resumption: ClassVar[type[RequestModel]] = Resumption
    work_row: Any

    def load_resources(self, **names: str) -> None:
        """Load the work.

        :raises WorkUnknown: if there is none of that id.
        """
        super().load_resources(**names)
        self.require_right(self.right_of(str(self.request.method)))
        message = f"there is no {self.kind.noun}"
        work_id = parse_resource_id(names[self.parameter], WorkUnknown, message)
        self.work_row = self.kind.get(work_id, **self.found_by(**names))

    def found_by(self, **names: str) -> dict[str, Any]:
        """Return the values of a row that is below the path."""
        raise NotImplementedError

    def ensure_may_change(self) -> None:
        """Check what a change of the work needs besides the right to the method."""

    def changed(self, change: Callable[..., None], **values: Any) -> dict[str, Any]:
        """Change the work by a verb of its kind, and return its representation."""
        self.ensure_may_change()
        change(self.work_row.pk, by=self.user.get_username(), **values)
        self.work_row = self.kind.get(self.work_row.pk)
        return self.shown(self.work_row)


class SimulationWorkView(WorkView, SimulationView):
    """A view below work of a simulation."""

    query: ClassVar[type[Strict]] = Strict

    def found_by(self, **_names: str) -> dict[str, Any]:
        """Return the simulation."""
        return {"simulation_id": self.context.id}


class SimulationWorkRequests(WorkRequests, SimulationView):
    """The work of a kind of a simulation."""

    def rows(self) -> QuerySet[Any]:
        """Return the work of the simulation."""
        return self.kind.rows.filter(simulation_id=self.context.id)


def views_of_requests(
    below: type[WorkRequests],
    *,
    tag: str,
    route: str,
    errors: Errors = (),
    rate: str = "",
    request_id: str,
) -> tuple[type[OfKind], ...]:
    """Return the views of all work of a kind: its list with the request, and the estimate.

    :param below: the view from which they are derived.
    :param route: the path of the list.
    :param request_id: the id of the operation of a request.
    """
    kind, title = below.kind, _title(below.kind)
    plural = "".join(word.capitalize() for word in route.strip("/").split("-"))

    def get(self: WorkRequests, _request: Request, **_names: str) -> HttpResponseBase:
        return self.listed()

    def post(self: WorkRequests, _request: Request, **_names: str) -> Response:
        self.ensure_may_request()
        return self.accepted(self.record(self.body(self.body_model)))

    def estimate(self: WorkRequests, _request: Request, **_names: str) -> Response:
        requested = self.body(self.estimated_model or self.body_model)
        return Response(self.represent(self.estimated_as, self.estimate(requested)))

    get.__doc__ = f"List the {kind.noun}s, by default the latest first."
    post.__doc__ = below.record.__doc__
    estimate.__doc__ = f"Estimate the cost of a {kind.noun} without asking anything."
    item = page_of_items(below.listed_as or below.shown_as)
    requested: dict[str, Any] = {
        "request": below.body_model,
        "errors": errors,
    }
    estimated: dict[str, Any] = {
        "request": below.estimated_model or below.body_model,
        "errors": errors,
    }
    query = list_parameters(", ".join(below.searched), "recorded_at", default="-recorded_at")
    shown, expected = {202: below.shown_as}, below.estimated_as
    listed = {
        "query": query,
        "rate_limits": {"POST": rate} if rate else {},
        "get": operation(f"list{plural}", route, tag, item)(get),
        "post": operation(request_id, route, tag, shown, **requested)(post),
    }
    estimates = {
        "query": Strict,
        "rights": {"POST": Right.READ},
        "post": operation(f"estimate{title}", f"{route}/estimate", tag, expected, **estimated)(
            estimate
        ),
    }
    return (
        _derived(below, plural, f"The {kind.noun}s that there are.", listed),
        _derived(below, f"{title}Estimates", f"The estimate of a {kind.noun}.", estimates),
    )


def views_of_work(below: type[WorkView], *, tag: str) -> tuple[type[OfKind], ...]:
    """Return the views of one work of a kind: read and delete, pause, resume, cancel.

    :param below: the view from which they are derived; its address is that of the work.
    """
    kind, title = below.kind, _title(below.kind)

    def get(self: WorkView, _request: Request, **_names: str) -> Response:
        return Response(self.shown(self.work_row))

    def delete(self: WorkView, _request: Request, **_names: str) -> Response:
        self.kind.delete(self.work_row.pk)
        return Response(status=HTTPStatus.NO_CONTENT)

    def pause(self: WorkView, _request: Request, **_names: str) -> Response:
        return Response(self.changed(self.kind.pause, **vars(self.body(ReasonToStop))))

    def resume(self: WorkView, _request: Request, **_names: str) -> Response:
        self.changed(self.kind.resume, **vars(self.body(self.resumption)))
        return self.accepted(self.work_row)

    def cancel(self: WorkView, _request: Request, **_names: str) -> Response:
        return Response(self.changed(self.kind.cancel, **vars(self.body(ReasonToStop))))

    def declared(method: Any, verb: str, words: str, responses: object, **more: Any) -> Any:
        method.__doc__ = words
        end = "" if verb in {"get", "delete"} else f"/{verb}"
        return operation(f"{verb}{title}", end, tag, responses, **more)(method)

    shown = below.shown_as
    of_one = {
        "get": declared(get, "get", f"Show a {kind.noun}: its state and its progress.", shown),
        "delete": declared(
            delete,
            "delete",
            f"Delete a {kind.noun}; if it is in progress, it stops.",
            {204: None},
        ),
    }
    verbs = {
        "pause": declared(
            pause,
            "pause",
            f"Pause a {kind.noun} until a user resumes it.\n\nA model call that is under way "
            "is paid for and kept; none begins after it.",
            shown,
            request=ReasonToStop,
            errors=(WorkOver,),
        ),
        "resume": declared(
            resume,
            "resume",
            f"Let a {kind.noun} go on that is paused or has failed.",
            {202: shown},
            request=below.resumption,
            errors=(WorkNotPaused,),
        ),
        "cancel": declared(
            cancel,
            "cancel",
            f"End a {kind.noun} before its end.\n\nWhat it has recorded stays.",
            shown,
            request=ReasonToStop,
            errors=(WorkOver,),
        ),
    }
    return (
        _derived(below, f"One{title}", f"A {kind.noun}.", of_one),
        *(
            _derived(
                below, f"{verb.capitalize()}{title}", f"A {kind.noun}.", {"post": verbs[verb]}
            )
            for verb in verbs
        ),
    )


def _title(kind: WorkKind[Any]) -> str:
    return "".join(word.capitalize() for word in kind.noun.split())


def _derived(
    below: type[OfKind], name: str, words: str, members: dict[str, Any]
) -> type[OfKind]:
    about = {"__doc__": words, "__module__": below.__module__}
    return type(name, (below,), about | members)


def _send(kind: str, work_id: str) -> None:
    """Send the task of work; the beat sends it again, so that one may be lost."""
    try:
        with current_app.producer_or_acquire() as producer:
            # The client does not wait for a broker that is down.
            producer.connection.ensure_connection(max_retries=0)
            values = {"kind": kind, "work_id": work_id}
            current_app.send_task(CARRY_OUT_WORK, kwargs=values, producer=producer, retry=False)
    except Exception as error:
        # The exceptions of brokers have no common class.
        logger.warning("broker out of order", work=kind, work_id=work_id, error=repr(error))


def prefers_async(request: Request) -> bool:
    """Return whether the header Prefer (RFC 7240) has `respond-async`."""
    preferred = request.headers.get("Prefer", "").lower().split(",")
    return any(one.partition(";")[0].strip() == RESPOND_ASYNC for one in preferred)


def work_values(kind: WorkKind[Any], rows: Sequence[Any]) -> list[dict[str, Any]]:
    """Return the values of rows with their progress, their problems and their waits."""
    progress, waits = kind.progress_of(rows), kind.waits_of(rows)
    return [
        vars(row)
        | {
            "progress": asdict(progress[row.pk]) | {"parts": kind.parts},
            "problem": {"code": row.problem_code, "detail": row.problem}
            if row.problem
            else None,
            "waits_for": (wait := waits[row.pk]) and wait.awaited,
            "waits_since": wait and wait.since,
        }
        for row in rows
    ]
