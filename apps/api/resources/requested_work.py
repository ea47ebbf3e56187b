"""What responses about the work that users have requested have in common."""

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


class LimitedWork(Serializer):
    """The fields that work with a limit of tokens has in common, behind those of its kind."""

    tokens_max = serializers.IntegerField(allow_null=True)
    problem = InterviewProblem(allow_null=True, help_text="The reason that it is paused.")
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
        common = LimitedWork._declared_fields
        own = {name: field for name, field in fields.items() if name not in common}
        return own | {name: fields[name] for name in common}
