"""Fields of responses and of queries, whose unknown parameters are rejected."""

from collections.abc import Callable, Mapping
from datetime import datetime
from enum import Enum
from typing import Any, ClassVar, NoReturn

from django.urls import reverse
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.fields import get_attribute
from rest_framework.request import Request

from apps.kernel import game_moments
from apps.kernel.game_time import FOREVER_TICK, GameCalendar
from apps.kernel.request_models import RequestModel, inline_schema
from apps.kernel.requested_values import SLUG_PATTERN

INTEGER_MAX = 2**31 - 1
SHOWN_CHARACTERS_MAX = 60

AnyField = serializers.Field[Any, Any, Any, Any]
_OF_TICK = "_tick"


class Serializer(serializers.Serializer[Any]):
    """Has fields with names that Python reserves, declared with an underscore behind them.

    A `Tick` that is named `…_tick` has its game time before it, as `…_at`.

    The context has the `request`; below a simulation its `calendar`, and `as_of_tick`, the tick
    as of which it is read.
    """

    def get_fields(self) -> dict[str, AnyField]:
        """Return the fields by the names that clients use."""
        fields: dict[str, AnyField] = {}
        for name, field in super().get_fields().items():
            if isinstance(field, Tick) and name.endswith(_OF_TICK):
                fields[f"{name.removesuffix(_OF_TICK)}_at"] = field.game_time(name)
            fields[name.rstrip("_")] = field
        return fields


class Strict(Serializer):
    """The parameters of a query; unknown ones are rejected."""

    def to_internal_value(self, data: Any) -> Any:
        """Return the values.

        :raises ValidationError: for an unknown field.
        """
        if isinstance(data, Mapping):
            known = ", ".join(self.fields) or "none at all"
            _reject(
                [name for name in data if name not in self.fields],
                f"there is no such field; there are: {known}",
                "unknown-field",
            )
        return super().to_internal_value(data)


def _reject(names: list[str], detail: str, code: str) -> None:
    if names:
        error = serializers.ErrorDetail(detail, code=code)
        raise serializers.ValidationError({name: [error] for name in names})


class _NullIfEmpty(AnyField):
    def to_representation(self, value: Any) -> Any:
        return super().to_representation(value) if value else None


class TextOrNull(_NullIfEmpty, serializers.CharField):
    """A text of a response; an empty one is null."""


class NumberOrNull(_NullIfEmpty, serializers.IntegerField):
    """A number of a response; 0 is null."""


class SlugParameter(serializers.RegexField):
    """The slug of an agent, or the name of another stream of the log, in a query."""

    default_error_messages: ClassVar = {"invalid": "write a slug such as isabella-rodriguez"}

    def __init__(self, **options: Any) -> None:
        super().__init__(f"^{SLUG_PATTERN}$", **options)


class Choice(serializers.ChoiceField):
    """One of a few words; the error for any other lists them."""

    default_error_messages: ClassVar = {"invalid_choice": '"{input}" is none of: {choices}'}

    def __init__(self, choices: Any, **options: Any) -> None:
        if isinstance(choices, type) and issubclass(choices, Enum):
            # As the OpenAPI document pairs them, which names enumerations by their choices.
            pairs = [(choice.value, choice.name) for choice in choices]
            choices = getattr(choices, "choices", pairs)
        super().__init__(choices, **options)

    def fail(self, key: str, **inputs: Any) -> NoReturn:
        """Reject a value; the error shows the beginning of it."""
        shown = str(inputs.get("input", ""))[:SHOWN_CHARACTERS_MAX]
        super().fail(key, input=shown, choices=", ".join(map(str, self.choices)))


class _OfTick(AnyField):
    """Null for FOREVER_TICK, and with `only_past` for ticks after the one that is read."""

    def __init__(self, *, only_past: bool = False, **options: Any) -> None:
        super().__init__(**options)
        self._only_past = only_past

    def is_shown(self, tick: int) -> bool:
        """Return whether the field is not null."""
        is_future = self._only_past and tick > self.context["as_of_tick"]
        return tick < FOREVER_TICK and not is_future


@extend_schema_field({"type": "string", "pattern": game_moments.GAME_TIME_PATTERN})
class GameTime(_OfTick):
    """A game time in a response: of a datetime, or of the beginning of a tick."""

    def to_representation(self, value: datetime | int) -> str | None:
        """Return the game time in ISO 8601, without a zone."""
        if isinstance(value, datetime):
            return game_moments.iso(value)
        calendar: GameCalendar = self.context["calendar"]
        return game_moments.iso(calendar.time_at(value)) if self.is_shown(value) else None


class Tick(_OfTick, serializers.IntegerField):
    """A tick in a response."""

    def __init__(self, **options: Any) -> None:
        super().__init__(min_value=0, **options)
        self._options = options

    def game_time(self, name: str) -> GameTime:
        """Return the field of its game time, given the name of this one."""
        return GameTime(**{"source": name, **self._options})

    def to_representation(self, value: int) -> Any:
        """Return the tick."""
        return value if self.is_shown(value) else None


class Clock(Serializer):
    """A committed tick, and the game time at which it begins."""

    tick = serializers.IntegerField(min_value=0, source="*")
    time = GameTime(source="*")


_MOMENT_HELP = "A game time without a zone (2023-02-13T06:55:00), or a tick."


@extend_schema_field(
    {"type": "string", "pattern": game_moments.MOMENT_PATTERN, "description": _MOMENT_HELP}
)
class MomentParameter(serializers.Field[int, str, str, Any]):
    """A game time or a tick in a query; becomes the first tick from then on."""

    default_error_messages: ClassVar = {"invalid": "write a game time or a tick"}
    snap: Callable[[str | int, GameCalendar], int] = staticmethod(game_moments.first_tick_from)

    def to_internal_value(self, data: Any) -> int:
        """Return the tick."""
        if isinstance(data, bool) or not isinstance(data, str | int):
            self.fail("invalid")
        try:
            return type(self).snap(data, self.context["calendar"])
        except game_moments.UnusableTime as error:
            raise serializers.ValidationError(error.message, code=error.code) from None


class PastMomentParameter(MomentParameter):
    """A game time or a tick in a query; becomes the last tick that had begun by then."""

    snap = staticmethod(game_moments.last_tick_until)


class ResourceURL(serializers.URLField):
    """The address of a resource.

    :param view: the name of its route.
    :param names: attributes by the parameter of the path that they are.
    """

    def __init__(self, view: str, **names: str) -> None:
        super().__init__(source="*")
        self._view, self._names = view, names

    def to_representation(self, value: Any) -> str:
        """Return the absolute address."""
        names = {name: get_attribute(value, [one]) for name, one in self._names.items()}
        return address_of(self.context["request"], self._view, **names)


def address_of(request: Request, view: str, **names: Any) -> str:
    """Return the absolute address of a route, whatever the query of the request.

    The function of the framework would add the `format` of a download to it.
    """
    address: str = request.build_absolute_uri(reverse(view, kwargs=names))
    return address


class PlainList(serializers.Field[Any, Any, Any, Any]):
    """A list in a response that has plain values already."""

    def to_representation(self, value: list[Any]) -> list[Any]:
        """Return it unchanged: serializers for many items take a tenth of a second."""
        return value


def plain_list_of(component: str, **options: Any) -> PlainList:
    """Return a field for a list of plain values, described as items of a component."""
    kind = type(f"{component}PlainList", (PlainList,), {})
    items = {"$ref": f"#/components/schemas/{component}"}
    field: PlainList = extend_schema_field({"type": "array", "items": items})(kind)(**options)
    return field


class DescribedValue(AnyField):
    """A value of a response that a pydantic model or an annotated type describes.

    :param kind: the model or the type, an argument of the subclass.
    """

    kind: ClassVar[object]

    def __init_subclass__(cls, *, kind: object, **options: Any) -> None:
        """Describe the field in the OpenAPI document by the schema of the type."""
        super().__init_subclass__(**options)
        cls.kind = kind
        extend_schema_field(dict(inline_schema(kind)))(cls)

    def to_representation(self, value: Any) -> Any:
        """Return plain values as they are, a model as such."""
        return value.to_json() if isinstance(value, RequestModel) else value


class Position(Serializer):
    """A tile of the map; (0, 0) is the top left."""

    x = serializers.IntegerField(min_value=0)
    y = serializers.IntegerField(min_value=0)

    def to_representation(self, instance: tuple[int, int]) -> dict[str, int]:
        """Return the coordinates of the tile."""
        x, y = instance
        return {"x": x, "y": y}


class ProblemError(Serializer):
    """What is wrong with one value of the request."""

    pointer = serializers.CharField(
        required=False, help_text="The value's place in the body (JSON Pointer)."
    )
    parameter = serializers.CharField(required=False, help_text="Its name in the query.")
    code = serializers.CharField()
    detail = serializers.CharField()


class ProblemDocument(Serializer):
    """A problem document (RFC 9457); `code` is stable, the texts are for people."""

    type = serializers.CharField(help_text="urn:smallville:problem:<code>")
    title = serializers.CharField()
    status = serializers.IntegerField(min_value=400, max_value=599)
    detail = serializers.CharField()
    code = serializers.CharField()
    instance = serializers.CharField()
    errors = ProblemError(many=True)  # type: ignore[assignment]
    candidates = serializers.ListField(
        child=serializers.CharField(), required=False, help_text="Names that may be meant."
    )
