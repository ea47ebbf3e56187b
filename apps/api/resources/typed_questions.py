"""The fields of questions that interviews and surveys share: answer forms and conditions."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from apps.api.http.fields import DescribedValue, Text
from apps.evaluation.questionnaires.typed_questions import QuestionnaireName
from apps.interaction.answer_forms import AnswerForm
from apps.interaction.conditions import Condition, UnknownCondition, condition_named

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


class NameField(DescribedValue, kind=QuestionnaireName):
    """A name of lower-case words with hyphens."""


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


class AnswerFormField(DescribedValue, kind=AnswerForm):
    """The form of an answer."""
