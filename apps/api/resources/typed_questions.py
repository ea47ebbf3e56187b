"""The fields of questions that interviews and surveys share: answer forms and conditions."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from apps.api.http.fields import Choice, Strict, Text, Whole
from apps.interaction.answer_forms import AnswerKind, UnusableAnswerForm, answer_form
from apps.interaction.conditions import Condition, UnknownCondition, condition_named

ANSWER_KINDS = [kind.value for kind in AnswerKind]
CONDITIONS_HELP = (
    "The kinds of memory that the answer may rest on: `full`, `no-reflection`, "
    "`no-reflection-no-planning`, `no-observation-no-reflection-no-planning`, or kinds with "
    "`+` between them, as `observation+dialogue`."
)


@extend_schema_field({"type": ["string", "number"]})
class AnswerValue(serializers.Field[Any, Any, Any, Any]):
    """The value of an answer in a response: an option, a number, or null."""

    def to_representation(self, value: Any) -> Any:
        """Return it unchanged."""
        return value


class ConditionField(Text):
    """The name of a condition of interviews; becomes the condition."""

    def to_internal_value(self, data: Any) -> Condition:
        """Return the condition."""
        try:
            return condition_named(super().to_internal_value(data))
        except UnknownCondition as error:
            raise serializers.ValidationError(error.message, code=error.code) from None

    def to_representation(self, value: Any) -> str:
        """Return the name."""
        return value.name if isinstance(value, Condition) else str(value)


class AnswerFormFields(Strict):
    """The form of an answer; the members depend on the kind."""

    kind = Choice(
        choices=ANSWER_KINDS,
        help_text="`open` has spoken words alone; `choice` one of `options`, `scale` a whole "
        "number from `minimum` to `maximum`, `number` any number, beside the words.",
    )
    options = serializers.ListField(
        child=Text(), required=False, help_text="Two or more texts, of a choice."
    )
    minimum = Whole(required=False)
    maximum = Whole(required=False)
    low = Text(required=False, help_text="The meaning of the minimum of a scale.")
    high = Text(required=False, help_text="The meaning of the maximum of a scale.")
    unit = Text(required=False, help_text="The unit of a number.")

    def to_internal_value(self, data: Any) -> Any:
        """Return the form."""
        try:
            return answer_form(super().to_internal_value(data))
        except UnusableAnswerForm as error:
            raise serializers.ValidationError(error.message, code=error.code) from None

    def to_representation(self, instance: dict[str, Any]) -> dict[str, Any]:
        """Return the members that are set."""
        return dict(instance)
