"""The form of the answer to a question: spoken words alone, or a value beside them (E1)."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, ClassVar

from apps.kernel.errors import SmallvilleError

OPTIONS_MAX = 50
OPTION_CHARACTERS_MAX = 200
BOUND_MAX = 1_000_000_000
SCALE_STEPS_MAX = 100
_NUMERIC_FIELDS = frozenset({"minimum", "maximum"})


class UnusableAnswerForm(SmallvilleError):
    """The form of the answer to a question is incomplete or contradictory."""

    code: ClassVar[str] = "unusable-answer-form"


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


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerForm:
    """The form of an answer; each kind has its own fields.

    - `options` of a choice, at least two;
    - `minimum` and `maximum`, whole numbers, of a scale, and optionally of a number;
    - `low` and `high` are the meanings of the ends of a scale, "" for none;
    - `unit` of a number, "" for none.
    """

    kind: AnswerKind = AnswerKind.OPEN
    options: tuple[str, ...] = ()
    minimum: int | None = None
    maximum: int | None = None
    low: str = ""
    high: str = ""
    unit: str = ""

    @property
    def notes(self) -> tuple[str, ...]:
        """The texts of the questionnaire's author that a prompt shows beside the question."""
        if self.kind is AnswerKind.SCALE:
            ends = ((self.minimum, self.low), (self.maximum, self.high))
            return tuple(f"{end}: {meaning}" for end, meaning in ends if meaning)
        return self.options or tuple(filter(None, (self.unit,)))


OPEN = AnswerForm()
_FIELDS: Mapping[AnswerKind, frozenset[str]] = {
    AnswerKind.OPEN: frozenset(),
    AnswerKind.CHOICE: frozenset({"options"}),
    AnswerKind.SCALE: frozenset({"minimum", "maximum", "low", "high"}),
    AnswerKind.NUMBER: frozenset({"minimum", "maximum", "unit"}),
}
FORM_FIELDS = frozenset({"kind"}).union(*_FIELDS.values())


def answer_form(values: Mapping[str, Any]) -> AnswerForm:
    """Return the form of the values by field name.

    :raises UnusableAnswerForm: if a field is missing, unknown to the kind, or out of bounds.
    """
    try:
        kind = AnswerKind(values.get("kind", AnswerKind.OPEN))
    except ValueError:
        kinds = ", ".join(AnswerKind)
        raise UnusableAnswerForm(
            f"{values['kind']!r} is no kind: give one of {kinds}"
        ) from None
    given = {name: value for name, value in values.items() if name != "kind"}
    unknown = sorted(given.keys() - _FIELDS[kind])
    if unknown:
        raise UnusableAnswerForm(f"an answer of the kind {kind} has no {', '.join(unknown)}")
    for name, value in given.items():
        _require_type(name, value)
    form = AnswerForm(kind=kind, **given | {"options": tuple(given.get("options", ()))})
    if kind is AnswerKind.CHOICE:
        _require_options(form)
    _require_bounds(form)
    return form


def form_json(form: AnswerForm) -> dict[str, Any]:
    """Return the fields of the form that are set, as they are stored."""
    fields = {name: getattr(form, name) for name in sorted(_FIELDS[form.kind])}
    set_ones = {name: value for name, value in fields.items() if value not in (None, "", ())}
    if form.options:
        set_ones["options"] = list(form.options)
    return {"kind": form.kind.value, **set_ones}


def _require_type(name: str, value: Any) -> None:
    if name in _NUMERIC_FIELDS:
        if type(value) is not int or abs(value) > BOUND_MAX:
            raise UnusableAnswerForm(f"{name} must be a whole number within {BOUND_MAX:,}")
        return
    texts = value if name == "options" else [value]
    if not isinstance(texts, list | tuple) or not all(map(_is_text, texts)):
        raise UnusableAnswerForm(
            f"{name} must be of texts of 1 to {OPTION_CHARACTERS_MAX} characters; put "
            'quotation marks around words such as "yes" in YAML'
        )


def _is_text(value: object) -> bool:
    return (
        isinstance(value, str)
        and bool(value.strip())
        and value == " ".join(value.split())
        and len(value) <= OPTION_CHARACTERS_MAX
    )


def _require_options(form: AnswerForm) -> None:
    if not 2 <= len(form.options) <= OPTIONS_MAX:
        raise UnusableAnswerForm(f"give 2 to {OPTIONS_MAX} options")
    if len({option.casefold() for option in form.options}) < len(form.options):
        raise UnusableAnswerForm("the options must differ from each other")


def _require_bounds(form: AnswerForm) -> None:
    if form.kind is AnswerKind.SCALE and None in (form.minimum, form.maximum):
        raise UnusableAnswerForm("give the minimum and the maximum of the scale")
    if form.minimum is None or form.maximum is None:
        return
    if form.minimum >= form.maximum:
        raise UnusableAnswerForm("the minimum must be less than the maximum")
    if form.kind is AnswerKind.SCALE and form.maximum - form.minimum > SCALE_STEPS_MAX:
        raise UnusableAnswerForm(f"a scale has {SCALE_STEPS_MAX} steps at most")
