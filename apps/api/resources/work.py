"""Background work over HTTP: what the resources of all kinds have in common."""

from collections import Counter
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

from apps.api.http.fields import AnyField, Choice, Serializer, Strict, Text, TextOrNull
from apps.api.http.lists import ListView
from apps.api.http.simulation_context import parse_resource_id
from apps.api.http.simulation_views import SimulationView
from apps.api.http.views import ApiView, Errors, operation
from apps.api.resources.commands import accepted_response
from apps.kernel.requested_values import REASON_CHARACTERS_MAX
from apps.work.kinds import (
    CARRY_OUT_WORK,
    WorkKind,
    WorkNotPaused,
    WorkOver,
    WorkProgress,
    WorkUnknown,
)
from apps.work.rows import WorkRow, WorkState

TOKENS_MAX = 10**15
logger = structlog.get_logger(__name__)


class Resumption(Strict):
    """Nothing: work that was stopped goes on as it was requested."""


class TokenLimit(Strict):
    """A limit of tokens."""

    tokens_max = serializers.IntegerField(
        required=False,
        min_value=1,
        max_value=TOKENS_MAX,
        help_text="The work pauses when its model calls have used so many tokens; it may "
        "exceed them by those of one of its parts. The budget of the simulation holds besides.",
    )


def stored_reason(what: str) -> Text:
    """Return the field of the reason for a request, which is stored with what it asks for."""
    return Text(
        max_length=REASON_CHARACTERS_MAX,
        required=False,
        help_text=f"The reason; it is stored with the {what}.",
    )


class ReasonToStop(Strict):
    """The reason of a pause or an end."""

    reason = Text(required=False, max_length=REASON_CHARACTERS_MAX, help_text="It is stored.")


class WorkProblem(Serializer):
    """The reason that work is paused, has failed or was cancelled."""

    code = serializers.CharField()
    detail = serializers.CharField()


class Progress(Serializer):
    """How much of the work is done."""

    parts = serializers.CharField(help_text="What is counted.")
    done = serializers.IntegerField(min_value=0)
    total = serializers.IntegerField(min_value=0)


class Work(Serializer):
    """The fields that work of all kinds has, behind those of its kind."""

    state = Choice(choices=WorkState.choices)
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

    def get_fields(self) -> dict[str, AnyField]:
        """Return the fields of the kind first; the framework puts inherited ones first."""
        fields = super().get_fields()
        kinds = [kind for kind in type(self).__mro__ if issubclass(kind, Work)]
        declared = Counter(
            name
            for kind in kinds
            for name in kind._declared_fields  # noqa: SLF001 (there is no public name)
        )
        return {name: fields[name] for name in sorted(fields, key=declared.__getitem__)}


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


class WorkList(ListView, OfKind):
    """The work of a kind."""

    def listed(
        self, rows: QuerySet[Any], *searched: str, item: type[Serializer] | None = None
    ) -> HttpResponseBase:
        """Return a page of the rows.

        :param searched: the fields that are searched.
        :param item: the serializer of a row, if it is not that of the work alone.
        """
        return self.page(
            self.matching(rows, *searched),
            item or self.shown_as,
            prepare=self.values_of,
            recorded_at=("requested_at", "pk"),
        )


class WorkView(OfKind):
    """A view below work of one kind, which is in `work_row`.

    `parameter` is that of the path. `resumption` is the body with which it is resumed.
    """

    query: ClassVar[type[Strict]] = Strict
    errors: ClassVar[Errors] = (WorkUnknown,)
    parameter: ClassVar[str]
    resumption: ClassVar[type[Strict]] = Resumption
    resumption_example: ClassVar[Mapping[str, Any]] = {}
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

    def changes_of(self, requested: dict[str, Any]) -> dict[str, Any]:
        """Return the values that the body of a resumption changes."""
        return requested

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


def views_of_work(below: type[WorkView], *, tag: str) -> tuple[type[WorkView], ...]:
    """Return the views of one work of a kind: read and delete, pause, resume, cancel.

    :param below: the view from which they are derived; its address is that of the work.
    """
    kind = below.kind
    title = "".join(word.capitalize() for word in kind.noun.split())

    def get(self: WorkView, _request: Request, **_names: str) -> Response:
        return Response(self.shown(self.work_row))

    def delete(self: WorkView, _request: Request, **_names: str) -> Response:
        self.kind.delete(self.work_row.pk)
        return Response(status=HTTPStatus.NO_CONTENT)

    def pause(self: WorkView, _request: Request, **_names: str) -> Response:
        return Response(self.changed(self.kind.pause, **self.body(ReasonToStop)))

    def resume(self: WorkView, _request: Request, **_names: str) -> Response:
        changes = self.changes_of(self.body(self.resumption))
        self.changed(self.kind.resume, **changes)
        return self.accepted(self.work_row)

    def cancel(self: WorkView, _request: Request, **_names: str) -> Response:
        return Response(self.changed(self.kind.cancel, **self.body(ReasonToStop)))

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
            examples={"For a look": {"reason": "it looks odd"}},
            errors=(WorkOver,),
        ),
        "resume": declared(
            resume,
            "resume",
            f"Let a {kind.noun} go on that is paused or has failed.",
            {202: shown},
            request=below.resumption,
            examples={"As an example": below.resumption_example},
            errors=(WorkNotPaused,),
        ),
        "cancel": declared(
            cancel,
            "cancel",
            f"End a {kind.noun} before its end.\n\nWhat it has recorded stays.",
            shown,
            request=ReasonToStop,
            examples={"With a reason": {"reason": "the question is answered"}},
            errors=(WorkOver,),
        ),
    }
    return (
        _derived(below, f"One{title}", of_one),
        *(
            _derived(below, f"{verb.capitalize()}{title}", {"post": verbs[verb]})
            for verb in verbs
        ),
    )


def _derived(below: type[WorkView], name: str, methods: dict[str, Any]) -> type[WorkView]:
    words = {"__doc__": f"A {below.kind.noun}.", "__module__": below.__module__}
    return type(name, (below,), words | methods)


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


def work_values(kind: WorkKind[Any], rows: Sequence[Any]) -> list[dict[str, Any]]:
    """Return the values of rows with their progress, their problems and their waits."""
    progress = kind.progress_of(rows)
    return [_values(kind, row, progress[row.pk]) for row in rows]


def _values(kind: WorkKind[Any], row: WorkRow, progress: WorkProgress) -> dict[str, Any]:
    """Return the values of a row with its progress, its problem and its wait."""
    wait = kind.wait_of(row)
    return vars(row) | {
        "progress": asdict(progress) | {"parts": kind.parts},
        "problem": {"code": row.problem_code, "detail": row.problem} if row.problem else None,
        "waits_for": None if wait is None else wait.awaited,
        "waits_since": None if wait is None else wait.since,
    }
