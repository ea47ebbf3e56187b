"""Values that users give, as pydantic models: parser, bounds, schema and messages in one place.

HTTP bodies, files, forms, options and settings are read by `read_values`, so that a value has
the same rules at every door. Each fault says what is allowed.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from typing import Annotated, Any, ClassVar, TypeVar, cast

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    SerializerFunctionWrapHandler,
    TypeAdapter,
    ValidationError,
    WrapValidator,
    model_serializer,
    model_validator,
)
from pydantic_core import ErrorDetails, PydanticCustomError

from apps.kernel.errors import DomainError
from apps.kernel.names import either, names_there_are
from apps.kernel.text import compose

SHOWN_CHARACTERS_MAX = 60
# Text is stored without control characters; rejecting them loses nothing silently.
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_SURROGATE = re.compile("[\ud800-\udfff]")
_OF_VALUE = ("must ", "needs ", "is missing", "has ")
_CODES = {
    "missing": "required",
    "extra_forbidden": "unknown-field",
    "greater_than": "min-value",
    "greater_than_equal": "min-value",
    "less_than": "max-value",
    "less_than_equal": "max-value",
    "string_too_short": "blank",
    "string_too_long": "max-length",
    "too_short": "min-length",
    "too_long": "max-length",
    "literal_error": "invalid-choice",
    "enum": "invalid-choice",
    "union_tag_invalid": "invalid-choice",
    "union_tag_not_found": "required",
    "string_pattern_mismatch": "invalid",
}
Schema = Mapping[str, Any]
Model = TypeVar("Model", bound="RequestModel")
Value = TypeVar("Value")

Listed = Annotated[tuple[Value, ...], Field(strict=False)]
"""A list in the request, a tuple in the model."""


class RequestModel(BaseModel):
    """Refuses unknown members and converts no types; texts are stripped and not blank.

    `noun` is what messages call a member. With `null_is_left_out` a null stands for no
    member, and empty texts are not written.
    """

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        strict=True,
        use_attribute_docstrings=True,
        str_strip_whitespace=True,
        str_min_length=1,
        allow_inf_nan=False,
    )
    noun: ClassVar[str] = "field"
    null_is_left_out: ClassVar[bool] = False

    @model_validator(mode="before")
    @classmethod
    def _without_nulls(cls, values: Any) -> Any:
        if not cls.null_is_left_out or not isinstance(values, Mapping):
            return values
        return {name: value for name, value in values.items() if value is not None}

    @model_serializer(mode="wrap")
    def _without_what_is_left_out(self, handler: SerializerFunctionWrapHandler) -> Any:
        values = handler(self)
        if not self.null_is_left_out:
            return values
        return {name: value for name, value in values.items() if value not in (None, "")}

    def to_json(self) -> dict[str, Any]:
        """Return plain values that `read_values` takes."""
        return self.model_dump(mode="json", by_alias=True)


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong with the value at a place: names of members and indices of lists."""

    place: tuple[str | int, ...]
    code: str
    detail: str

    def __str__(self) -> str:
        place = self.place[:-1] if self.code == "unknown-field" else self.place
        where = ".".join(map(str, place))
        joint = " " if self.detail.startswith(_OF_VALUE) else ": "
        return f"{where}{joint}{self.detail}" if where else self.detail


class UnusableValues(DomainError):
    """The values do not fit the model; `faults` has at least one."""

    def __init__(self, faults: Sequence[Fault]) -> None:
        self.faults = tuple(faults)
        more = f" (and {len(self.faults) - 1} more)" if len(self.faults) > 1 else ""
        super().__init__(f"{self.faults[0]}{more}")


def read_values(
    model: type[Model],
    values: object,
    *,
    context: Mapping[str, Any] | None = None,
    error: type[DomainError] | None = None,
) -> Model:
    """Return the model of plain values, with texts in composed letters.

    :param context: what the validators of the model ask for.
    :param error: the class of the error instead of `UnusableValues`; it gets the message.
    :raises UnusableValues: if a value is missing, unknown, of another type or out of bounds.
    """
    read: Model = read_value(model, values, context=context, error=error)
    return read


def read_value(
    kind: object,
    value: object,
    where: str = "",
    *,
    context: Mapping[str, Any] | None = None,
    error: type[DomainError] | None = None,
) -> Any:
    """Return a single value of an annotated type, such as a number within bounds.

    :param where: the name of the value, for messages.
    :param context: what the validators of the type ask for.
    :param error: the class of the error instead of `UnusableValues`; it gets the message.
    :raises UnusableValues: if it is of another type or out of bounds.
    """
    value, place = compose(value), (where,) if where else ()
    faults = list(_unstorable(value, place))
    if not faults:
        try:
            return _adapter(kind).validate_python(value, context=context)
        except ValidationError as found:
            noun = getattr(kind, "noun", RequestModel.noun)
            schema = schema_of(kind)
            # A default that is made from a field with a fault is no fault of its own.
            details = [
                one
                for one in found.errors(include_url=False)
                if one["type"] != "default_factory_not_called"
            ]
            faults = _without_lengths([_fault(one, schema, place, noun) for one in details])
    refused = UnusableValues(faults)
    raise refused if error is None else error(refused.message)


def said_as(detail: str) -> WrapValidator:
    """Return a validator that says every fault of a value in one way."""

    def validate(value: object, handler: Callable[[object], Any]) -> Any:
        try:
            return handler(value)
        except ValidationError:
            raise PydanticCustomError(
                "invalid", "{detail}, not {shown}", {"detail": detail, "shown": shown(value)}
            ) from None

    return WrapValidator(validate)


def fault(detail: str, code: str = "invalid") -> PydanticCustomError:
    """Return the error that a validator of a model raises."""
    return PydanticCustomError(code, "{detail}", {"detail": detail})


def different(items: tuple[Value, ...]) -> tuple[Value, ...]:
    """Return the items of a list, each there once; a validator of models."""
    seen: set[Value] = set()
    for item in items:
        if item in seen:
            raise fault(f"has {shown(item)} twice")
        seen.add(item)
    return items


def shown(value: object) -> str:
    """Return the value for a message, cut off if it is long."""
    return repr(value)[:SHOWN_CHARACTERS_MAX]


@cache
def schema_of(kind: object) -> Schema:
    """Return the JSON schema of what a model or an annotated type reads, without titles."""
    schema: Schema = _untitled(_adapter(kind).json_schema(mode="validation"))
    return schema


@cache
def _adapter(kind: object) -> TypeAdapter[Any]:
    is_model = isinstance(kind, type) and issubclass(kind, BaseModel)
    # An annotated type is no class, so that mypy knows no type for it.
    config = None if is_model else RequestModel.model_config
    return TypeAdapter(cast("Any", kind), config=config)


def inline_schema(kind: object) -> Schema:
    """Return the JSON schema of what a model or a type reads, without references."""
    root = schema_of(kind)

    def inlined(schema: Any) -> Any:
        if isinstance(schema, list):
            return [inlined(one) for one in schema]
        if not isinstance(schema, dict):
            return schema
        if "$ref" in schema:
            beside = {name: one for name, one in schema.items() if name != "$ref"}
            return inlined({**root["$defs"][schema["$ref"].rpartition("/")[2]], **beside})
        return {
            name: one if name == "mapping" else inlined(one)
            for name, one in schema.items()
            if name not in {"$defs", "discriminator"}
        }

    schema: Schema = inlined(root)
    return schema


def without_null(schema: Schema) -> Schema:
    """Return the schema of the value that may be null; other schemas as they are."""
    options = [one for one in schema.get("anyOf", ()) if one != {"type": "null"}]
    if len(options) != 1:
        return schema
    return {**options[0], **{name: one for name, one in schema.items() if name != "anyOf"}}


def _untitled(schema: Any) -> Any:
    """Return the schema without the titles that pydantic makes of names."""
    if isinstance(schema, list):
        return [_untitled(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    kept = {name: one for name, one in schema.items() if name != "title"}
    if isinstance(description := kept.get("description"), str):
        kept["description"] = " ".join(description.split())
    # Stands for what is left out: "" and [] could not be given, null may mean another thing.
    if kept.get("default") in ("", [], None):
        kept.pop("default", None)
    for group in ("properties", "$defs"):
        if group in kept:
            kept[group] = {name: _untitled(one) for name, one in kept[group].items()}
    values = {"default", "examples", "enum", "description", "properties", "$defs"}
    return {name: one if name in values else _untitled(one) for name, one in kept.items()}


def _unstorable(value: object, place: tuple[str | int, ...]) -> Iterator[Fault]:
    if isinstance(value, str):
        if control := _CONTROL.search(value):
            named = f"U+{ord(control[0]):04X}"
            detail = f"has {named}, a control character; leave it out"
            yield Fault(place, "unusable-text", detail)
        if _SURROGATE.search(value):
            detail = "has half of a surrogate pair, which is no character; leave it out"
            yield Fault(place, "unusable-text", detail)
    elif isinstance(value, Mapping):
        for name, below in value.items():
            yield from _unstorable(name, place)
            yield from _unstorable(below, (*place, str(name)))
    elif isinstance(value, list | tuple):
        for index, below in enumerate(value):
            yield from _unstorable(below, (*place, index))


def _without_lengths(faults: list[Fault]) -> list[Fault]:
    """Return the faults without those of lists that are too short since an item has a fault."""
    below = {fault.place[:size] for fault in faults for size in range(len(fault.place))}
    return [one for one in faults if one.code != "min-length" or one.place not in below]


def _fault(
    error: ErrorDetails, schema: Schema, above: tuple[str | int, ...], noun: str
) -> Fault:
    place = (*above, *_steps(error["loc"], schema))
    if error["type"] != "extra_forbidden":
        return Fault(place, *_described(error, schema))
    name = str(error["loc"][-1])
    known = sorted(_schema_at(schema, error["loc"][:-1]).get("properties", {}))
    detail = f"there is no {noun} {shown(name)}; {names_there_are(known, name)}"
    return Fault(place, "unknown-field", detail)


def _code(kind: str, value: object) -> str:
    if value is None and kind.endswith("_type"):
        return "null"
    return _CODES.get(kind, "invalid" if "_" in kind else kind)


def _described(error: ErrorDetails, schema: Schema) -> tuple[str, str]:
    """Return the code and the detail of an error of pydantic."""
    kind, given = error["type"], error.get("ctx", {})
    code = _code(kind, error["input"])
    found = _option_for(error["input"], _schema_at(schema, error["loc"]), schema)
    if kind == "missing":
        detail = "is missing"
    elif kind in {"value_error", "assertion_error"}:
        detail = str(given["error"])
    elif "detail" in given:
        detail = error["msg"]
    elif code == "invalid-choice":
        detail = _one_of(found, given, given.get("tag", error["input"]))
    elif (words := _words_of(found)) is None:
        detail = error["msg"]
    else:
        detail = f"must be {words}, not {shown(error['input'])}"
        if error["input"] is True or error["input"] is False:
            detail += "; put quotation marks around it" if found["type"] == "string" else ""
        elif isinstance(default := found.get("default"), int | float):
            detail += f"; the default is {default}"
    return code, detail


_TYPES = ((list | tuple, "array"), (Mapping, "object"), (str, "string"), (int, "integer"))


def _option_for(value: object, schema: Schema, root: Schema) -> Schema:
    """Return of a union the option for values of this kind."""
    kinds = {name for kind, name in _TYPES if isinstance(value, kind)}
    options = [*schema.get("anyOf", ()), *schema.get("oneOf", ())]
    found = (_resolved(one, root) for one in options)
    return next((one for one in found if one.get("type") in kinds), schema)


def _one_of(schema: Schema, given: Mapping[str, Any], value: object) -> str:
    """Return which values there are, and the one that is like the value."""
    said = str(given.get("expected", given.get("expected_tags", "")))
    options = schema.get("enum") or re.findall(r"'([^']*)'", said)
    near = get_close_matches(value, options, n=1) if isinstance(value, str) else []
    meant = f"; did you mean {either(near)}?" if near else ""
    return f"must be one of {', '.join(options)}, not {shown(value)}{meant}"


_KINDS = {
    "integer": "a whole number",
    "number": "a number",
    "string": "a text",
    "boolean": "true or false",
    "object": "an object",
    "array": "a list",
}
_BOUNDS = {
    "integer": ("minimum", "maximum", ""),
    "number": ("minimum", "maximum", ""),
    "string": ("minLength", "maxLength", " characters"),
    "array": ("minItems", "maxItems", " items"),
    "object": ("minProperties", "maxProperties", " members"),
}


def _words_of(schema: Schema) -> str | None:
    """Return what the schema allows, such as "a whole number between 1 and 60"."""
    if "enum" in schema:
        return f"one of {', '.join(map(str, schema['enum']))}"
    kind = schema.get("type")
    if not isinstance(kind, str) or kind not in _KINDS:
        return None
    words = _KINDS[kind]
    low, high, unit = _BOUNDS.get(kind, ("", "", ""))
    least, most = schema.get(low), schema.get(high)
    if pattern := schema.get("pattern"):
        words += f" of the form {pattern}"
    if least is not None and most is not None:
        joint = "between {} and {}" if not unit else "of {} to {}"
        return f"{words} {joint.format(_short(least), _short(most))}{unit}"
    if most is not None:
        return f"{words} of at most {_short(most)}{unit}"
    if least is not None and (kind != "string" or least > 1):
        return f"{words} of at least {_short(least)}{unit}"
    return words


def _short(bound: float) -> str:
    return str(int(bound)) if bound == int(bound) else str(bound)


def _steps(place: tuple[str | int, ...], schema: Schema) -> tuple[str | int, ...]:
    """Return the place without the branches of unions that pydantic puts into it."""
    found = []
    for index, step in enumerate(place):
        above = _resolved(_schema_at(schema, place[:index]), schema)
        if step != "[key]" and not (above and _is_branch(above, step)):
            found.append(step)
    return tuple(found)


def _is_branch(schema: Schema, step: str | int) -> bool:
    if "discriminator" in schema:
        return step in schema["discriminator"]["mapping"]
    is_member = step in schema.get("properties", {}) or isinstance(step, int)
    return ("anyOf" in schema or "oneOf" in schema) and not is_member


def _resolved(schema: Schema, root: Schema) -> Schema:
    """Return the schema behind a reference or, of a value that may be null, the value's."""
    while True:
        if "$ref" in schema:
            beside = {name: one for name, one in schema.items() if name != "$ref"}
            schema = {**root["$defs"][schema["$ref"].rpartition("/")[2]], **beside}
        elif (value := without_null(schema)) is not schema:
            schema = value
        else:
            return schema


def _schema_at(root: Schema, place: tuple[str | int, ...]) -> Schema:
    """Return the schema of the value at the place; an empty one where there are several."""
    schema = _resolved(root, root)
    for step in place:
        if isinstance(step, int):
            schema = _option_for([], schema, root)
        if "discriminator" in schema and step in schema["discriminator"]["mapping"]:
            below: Any = {"$ref": schema["discriminator"]["mapping"][step]}
        elif isinstance(step, int):
            below = schema.get("items")
        elif "oneOf" in schema and step in root.get("$defs", {}):
            below = root["$defs"][step]
        else:
            below = schema.get("properties", {}).get(step, schema.get("additionalProperties"))
        if not isinstance(below, Mapping):
            return {}
        schema = _resolved(below, root)
    return schema
