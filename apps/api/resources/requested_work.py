"""What responses about the work that users have requested have in common."""

from collections import Counter
from typing import Protocol

from rest_framework import serializers

from apps.api.http.fields import AnyField, Serializer


class WithProblem(Protocol):
    """A row that says why its work has failed or is paused; both texts are "" if not."""

    problem_code: str
    problem: str


def problem_of(row: WithProblem) -> dict[str, str] | None:
    """Return the problem of the row as a response has it, None without one."""
    return {"code": row.problem_code, "detail": row.problem} if row.problem else None


# The name and the docstring are those of the component in the OpenAPI document.
class InterviewProblem(Serializer):
    """The reason that there is no answer."""

    code = serializers.CharField()
    detail = serializers.CharField()


class RequestedWork(Serializer):
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
