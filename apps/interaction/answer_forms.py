"""The form of the answer to a question: spoken words alone, or a value beside them (E1)."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated, Any

from pydantic import (
    AfterValidator,
    Field,
    SerializerFunctionWrapHandler,
    model_serializer,
    model_validator,
)

from apps.kernel.request_models import Listed, RequestModel, fault, read_values

OPTIONS_MAX = 50
OPTION_CHARACTERS_MAX = 200
BOUND_MAX = 1_000_000_000
SCALE_STEPS_MAX = 100


class AnswerKind(StrEnum):
    """The kind of an answer."""

    OPEN = "open"
    CHOICE = "choice"
    SCALE = "scale"
    NUMBER = "number"


class NoValue(StrEnum):
    """Why an answer to a typed question has no value.

    The model gave no valid answer, or only words; or the rule-based model does not answer
    questions of the form, or knows of no memory that supports a value, or of several that
    support different ones.
    """

    UNREADABLE = "unreadable"
    NOT_GIVEN = "not-given"
    FORM_NOT_ANSWERED = "form-not-answered"
    NOT_SUPPORTED = "not-supported"
    CONTRADICTORY = "contradictory"


def _in_one_line(text: str) -> str:
    if text != " ".join(text.split()):
        raise fault("must be a text with single spaces, on one line")
    return text


def _different(options: tuple[str, ...]) -> tuple[str, ...]:
    if len({option.casefold() for option in options}) < len(options):
        raise fault("must differ from each other")
    return options


FormText = Annotated[str, Field(max_length=OPTION_CHARACTERS_MAX), AfterValidator(_in_one_line)]
_Bound = Annotated[int, Field(ge=-BOUND_MAX, le=BOUND_MAX)]
_MEMBERS: Mapping[AnswerKind, frozenset[str]] = {
    AnswerKind.OPEN: frozenset(),
    AnswerKind.CHOICE: frozenset({"options"}),
    AnswerKind.SCALE: frozenset({"minimum", "maximum", "low", "high"}),
    AnswerKind.NUMBER: frozenset({"minimum", "maximum", "unit"}),
}


class AnswerForm(RequestModel):
    """The form of an answer; the members depend on the kind."""

    kind: Annotated[AnswerKind, Field(strict=False)] = AnswerKind.OPEN
    """`open` has spoken words alone; `choice` one of `options`, `scale` a whole number from
    `minimum` to `maximum`, `number` any number, beside the words."""
    options: Annotated[
        Listed[FormText],
        Field(min_length=2, max_length=OPTIONS_MAX),
        AfterValidator(_different),
    ] = ()
    """Two or more texts, of a choice."""
    minimum: _Bound | None = None
    """Of a scale, and optionally of a number."""
    maximum: _Bound | None = None
    """Of a scale, and optionally of a number."""
    low: FormText = ""
    """The meaning of the minimum of a scale."""
    high: FormText = ""
    """The meaning of the maximum of a scale."""
    unit: FormText = ""
    """The unit of a number."""

    @model_validator(mode="after")
    def _fits_the_kind(self) -> "AnswerForm":
        unknown = sorted(self.model_fields_set - _MEMBERS[self.kind] - {"kind"})
        if unknown:
            raise fault(f"an answer of the kind {self.kind} has no {', '.join(unknown)}")
        if self.kind is AnswerKind.CHOICE and not self.options:
            raise fault(f"give 2 to {OPTIONS_MAX} options")
        if self.kind is AnswerKind.SCALE and None in (self.minimum, self.maximum):
            raise fault("give the minimum and the maximum of the scale")
        if self.minimum is None or self.maximum is None:
            return self
        if self.minimum >= self.maximum:
            raise fault("the minimum must be less than the maximum")
        if self.kind is AnswerKind.SCALE and self.maximum - self.minimum > SCALE_STEPS_MAX:
            raise fault(f"a scale has {SCALE_STEPS_MAX} steps at most")
        return self

    @property
    def notes(self) -> tuple[str, ...]:
        """The texts of the questionnaire's author that a prompt shows beside the question."""
        if self.kind is AnswerKind.SCALE:
            ends = ((self.minimum, self.low), (self.maximum, self.high))
            return tuple(f"{end}: {meaning}" for end, meaning in ends if meaning)
        return self.options or tuple(filter(None, (self.unit,)))

    @model_serializer(mode="wrap")
    def _without_what_is_left_out(self, handler: SerializerFunctionWrapHandler) -> Any:
        values = handler(self).items()
        return {name: value for name, value in values if value not in (None, "", (), [])}


OPEN = AnswerForm()


def answer_form(values: Mapping[str, Any]) -> AnswerForm:
    """Return the form of the values by field name.

    :raises UnusableValues: if a field is missing, unknown to the kind, or out of bounds.
    """
    return read_values(AnswerForm, values)
