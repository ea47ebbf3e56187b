"""Strict fields and serializers: unknown members are rejected, values are not converted."""

from collections.abc import Callable, Mapping
from datetime import datetime
from http import HTTPStatus
from typing import Any, ClassVar, NoReturn

from drf_spectacular.utils import (
    OpenApiParameter,
    extend_schema_field,
    extend_schema_serializer,
)
from rest_framework import serializers

from apps.api.http import game_times
from apps.api.http.deprecation import conflicting_names, old_names
from apps.kernel.game_time import GameCalendar

NAME_CHARACTERS_MAX = 120
INTEGER_MAX = 2**31 - 1
SHOWN_CHARACTERS_MAX = 60
SLUG_PATTERN = r"[a-z0-9][a-z0-9-]{0,119}"


class Renaming(serializers.Serializer[Any]):
    """Has fields with names that Python keeps for itself, and old names of fields.

    The former are declared with an underscore behind them. The latter are declared by
    `deprecated_name_of` and are deprecated in the schema.
    """

    def __init_subclass__(cls, **inputs: Any) -> None:
        """Mark the old names for the schema."""
        super().__init_subclass__(**inputs)
        extend_schema_serializer(deprecate_fields=list(old_names(cls._declared_fields)))(cls)

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        """Return the fields by the names that clients use."""
        return {name.rstrip("_"): field for name, field in super().get_fields().items()}


class Strict(Renaming):
    """Refuses fields that it does not know."""

    def to_internal_value(self, data: Any) -> Any:
        """Return the values, having looked for fields that there are not."""
        if isinstance(data, Mapping):
            unknown = [name for name in data if name not in self.fields]
            if unknown:
                there_are = ", ".join(self.fields) or "none at all"
                detail = serializers.ErrorDetail(
                    f"there is no such field; there are: {there_are}", code="unknown-field"
                )
                raise serializers.ValidationError({name: [detail] for name in unknown})
        for old in conflicting_names(self.fields, data):
            new = self.fields[old].source
            detail = serializers.ErrorDetail(
                f"this is an old name of {new}; give {new} alone", code="given-twice"
            )
            raise serializers.ValidationError({old: [detail]})
        return super().to_internal_value(data)


class Text(serializers.CharField):
    """A string, and nothing that could be made one."""

    def to_internal_value(self, data: Any) -> str:
        """Return the text."""
        if not isinstance(data, str):
            self.fail("invalid")
        return super().to_internal_value(data)


class Slug(serializers.RegexField):
    """What a person or another stream of the log is called in addresses."""

    default_error_messages: ClassVar = {"invalid": "write a slug such as isabella-rodriguez"}

    def __init__(self, **inputs: Any) -> None:
        """Take what any field takes."""
        super().__init__(f"^{SLUG_PATTERN}$", **inputs)


class Choice(serializers.ChoiceField):
    """One of a few words; the error of any other lists them."""

    default_error_messages: ClassVar = {"invalid_choice": '"{input}" is none of: {choices}'}

    def fail(self, key: str, **inputs: Any) -> NoReturn:
        """Refuse, with as much of what was sent as anybody needs to see."""
        shown = str(inputs.get("input", ""))[:SHOWN_CHARACTERS_MAX]
        super().fail(key, input=shown, choices=", ".join(map(str, self.choices)))


class Whole(serializers.IntegerField):
    """A whole number, and nothing that could be made one."""

    def to_internal_value(self, data: Any) -> int:
        """Return the number."""
        if isinstance(data, bool) or not isinstance(data, int):
            self.fail("invalid")
        return data


class Number(serializers.FloatField):
    """A number, and nothing that could be made one."""

    def to_internal_value(self, data: Any) -> float:
        """Return the number."""
        if isinstance(data, bool) or not isinstance(data, int | float):
            self.fail("invalid")
        try:
            return float(data)
        except OverflowError:
            self.fail("invalid")


@extend_schema_field({"type": "string", "pattern": game_times.GAME_TIME_PATTERN})
class GameTime(serializers.Field[datetime, Any, str, Any]):
    """A game time in an answer."""

    def to_representation(self, value: datetime) -> str:
        """Return it in ISO 8601, without a zone."""
        return game_times.iso(value)


class Tick(serializers.IntegerField):
    """A tick in an answer: the first one that had begun at the game time beside it."""

    def __init__(self, **inputs: Any) -> None:
        """Take what any field takes."""
        super().__init__(min_value=0, **inputs)


_MOMENT_WORDS = "A game time without a zone (2023-02-13T06:55:00), or a tick."


@extend_schema_field(
    {"type": "string", "pattern": game_times.MOMENT_PATTERN, "description": _MOMENT_WORDS}
)
class MomentParameter(serializers.Field[int, str, str, Any]):
    """A game time or a tick in the query; becomes the first tick from then on.

    Its serializer has the simulation's calendar as `context["calendar"]`.
    """

    default_error_messages: ClassVar = {"invalid": "write a game time or a tick"}
    snap: Callable[[str | int, GameCalendar], int] = staticmethod(game_times.first_tick_from)

    def to_internal_value(self, data: Any) -> int:
        """Return the tick."""
        if isinstance(data, bool) or not isinstance(data, str | int):
            self.fail("invalid")
        try:
            return type(self).snap(data, self.context["calendar"])
        except game_times.UnusableTime as refusal:
            raise serializers.ValidationError(refusal.message, code=refusal.code) from None


@extend_schema_field(
    {
        "oneOf": [
            {"type": "string", "pattern": game_times.MOMENT_PATTERN},
            {"type": "integer", "minimum": 0, "maximum": game_times.TICK_MAX},
        ],
        "description": _MOMENT_WORDS,
    }
)
class Moment(MomentParameter):
    """A game time or a tick in a body; becomes the first tick from then on."""


class PastMoment(Moment):
    """A game time or a tick in a body; becomes the last tick that had begun by then."""

    snap = staticmethod(game_times.last_tick_until)


class PlainList(serializers.Field[Any, Any, Any, Any]):
    """A list in an answer that holds plain values already."""

    def to_representation(self, value: list[Any]) -> list[Any]:
        """Return it unchanged: serializers for many items take a tenth of a second."""
        return value


def plain_list_of(component: str, **options: Any) -> PlainList:
    """Return a field for a list of plain values, described as items of a component."""
    kind = type(f"{component}PlainList", (PlainList,), {})
    items = {"$ref": f"#/components/schemas/{component}"}
    field: PlainList = extend_schema_field({"type": "array", "items": items})(kind)(**options)
    return field


def location_of(description: str) -> OpenApiParameter:
    """Return the description of the header Location of a response 201."""
    return OpenApiParameter(
        "Location",
        str,
        OpenApiParameter.HEADER,
        response=[HTTPStatus.CREATED],
        description=description,
    )


class Clock(serializers.Serializer[Any]):
    """A settled tick, and the game time at which it begins."""

    tick = serializers.IntegerField(min_value=0)
    time = GameTime()


class Position(serializers.Serializer[Any]):
    """A tile of the map; (0, 0) is the top left."""

    x = serializers.IntegerField(min_value=0)
    y = serializers.IntegerField(min_value=0)


class ProblemError(serializers.Serializer[Any]):
    """What is wrong with one value of the request."""

    pointer = serializers.CharField(
        required=False, help_text="Where it stands in the body (JSON Pointer)."
    )
    parameter = serializers.CharField(required=False, help_text="Its name in the query.")
    code = serializers.CharField()
    detail = serializers.CharField()


class ProblemDocument(serializers.Serializer[Any]):
    """A problem as RFC 9457 has it; `code` is stable, the words are for people."""

    type = serializers.CharField(help_text="urn:smallville:problem:<code>")
    title = serializers.CharField()
    status = serializers.IntegerField(min_value=400, max_value=599)
    detail = serializers.CharField()
    code = serializers.CharField()
    instance = serializers.CharField()
    errors = ProblemError(many=True)  # type: ignore[assignment]
    candidates = serializers.ListField(
        child=serializers.CharField(), required=False, help_text="What may have been meant."
    )
