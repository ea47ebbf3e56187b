"""What responses about the work that users have requested have in common."""

from collections import Counter
from typing import Any, TypeVar

from rest_framework import serializers

from apps.api.http.fields import AnyField, Serializer, Strict, TextOrNull
from apps.django_support.background_work import BackgroundWork, RequestedWorkRow

_Row = TypeVar("_Row", bound=RequestedWorkRow)


def values_of_work(work: BackgroundWork[_Row], row: _Row) -> dict[str, Any]:
    """Return the values of a row with its problem and its wait as a response has them."""
    wait = work.wait_of(row)
    return vars(row) | {
        "problem": {"code": row.problem_code, "detail": row.problem} if row.problem else None,
        "waits_for": None if wait is None else wait.awaited,
        "waits_since": None if wait is None else wait.since,
    }


class Resumption(Strict):
    """Nothing: work that an error has stopped goes on as it was requested."""


class WaitFields(Serializer):
    """What work waits for, and since when."""

    waits_for = TextOrNull(
        allow_null=True, help_text="What the work waits for; null if it computes, or is over."
    )
    waits_since = serializers.DateTimeField(
        allow_null=True, help_text="By the service's clock."
    )


# The name and the docstring are those of the component in the OpenAPI document.
class InterviewProblem(Serializer):
    """The reason that there is no answer."""

    code = serializers.CharField()
    detail = serializers.CharField()


class RequestedWork(WaitFields):
    """The fields that requested work has in common, behind those of its kind."""

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
        kinds = [kind for kind in type(self).__mro__ if issubclass(kind, RequestedWork)]
        declared = Counter(
            name
            for kind in kinds
            for name in kind._declared_fields  # noqa: SLF001 (there is no public name)
        )
        return {name: fields[name] for name in sorted(fields, key=declared.__getitem__)}


class LimitedWork(RequestedWork):
    """Requested work with a limit of tokens."""

    tokens_max = serializers.IntegerField(allow_null=True)
    problem = InterviewProblem(allow_null=True, help_text="The reason that it is paused.")
