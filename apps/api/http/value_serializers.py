"""Serializers of responses, made from the dataclasses of the values that they represent.

The docstring of the dataclass describes the component; the string below a field, or the
docstring of a property, describes the member.
"""

import ast
import dataclasses
import types
from collections.abc import Callable, Collection, Mapping
from datetime import datetime
from decimal import Decimal
from enum import Enum
from functools import cache
from inspect import cleandoc, getdoc, getsource
from itertools import pairwise
from textwrap import dedent
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints
from uuid import UUID

from django.utils.functional import lazy
from rest_framework import serializers

from apps.api.http.fields import AnyField, Choice, Serializer, TextOrNull

_PLAIN: Mapping[type, type[AnyField]] = {
    bool: serializers.BooleanField,
    int: serializers.IntegerField,
    float: serializers.FloatField,
    Decimal: serializers.FloatField,
    str: serializers.CharField,
    UUID: serializers.UUIDField,
    datetime: serializers.DateTimeField,
}
_of_value: dict[type[Any], type[Serializer]] = {}


def serializer_of(
    value: type[Any],
    name: str = "",
    *,
    also: Collection[str] = (),
    without: Collection[str] = (),
    **others: AnyField,
) -> type[Serializer]:
    """Return the serializer of a dataclass; its name is that of the component.

    Values of this dataclass within others are represented by it, too.

    :param also: properties of the dataclass that are represented as well.
    :param without: fields that are left out.
    :param others: fields in place of those that have their name or are their source, and
        further ones.
    """
    hints = get_type_hints(value)
    sources = {field.source or own: own for own, field in others.items()}
    members: dict[str, AnyField] = {}
    for field in dataclasses.fields(value):
        if field.name in sources:
            members[sources[field.name]] = others[sources[field.name]]
        elif field.name not in without:
            members[field.name] = field_of(hints[field.name], _help_text(value, field.name))
    for own in also:
        getter: Callable[[Any], Any] = getattr(value, own).fget
        members[own] = field_of(
            get_type_hints(getter)["return"], (getdoc(getter) or "").replace("None", "null")
        )
    members |= others
    attributes = {
        **members,
        "__doc__": _description(value, others.values()),
        "__module__": __name__,
    }
    made = type(name or value.__name__, (Serializer,), attributes)
    assert value not in _of_value, f"{value} is represented already: give it before its users"
    _of_value[value] = made
    return made


def field_of(hint: Any, help_text: str | None = None) -> AnyField:
    """Return the field of a response for values of a type.

    :raises TypeError: for a type that needs a field of its own.
    """
    options: dict[str, Any] = {} if help_text is None else {"help_text": help_text}
    if get_origin(hint) in {Union, types.UnionType}:
        [hint] = [one for one in get_args(hint) if one is not type(None)]
        options["allow_null"] = True
    if isinstance(hint, type) and hint in _PLAIN:
        return _PLAIN[hint](**options)
    if get_origin(hint) is not None:
        return _field_of_generic(get_origin(hint), get_args(hint), options)
    if issubclass(hint, Enum):
        return Choice(choices=hint, **options)
    if dataclasses.is_dataclass(hint):
        return _serializer(hint)(**options)
    raise TypeError(f"values of {hint} have no field; give one")


def _field_of_generic(origin: Any, arguments: Any, options: Mapping[str, Any]) -> AnyField:
    if origin is Literal:
        return Choice(choices=[*arguments], **options)
    if issubclass(origin, Mapping):
        return serializers.DictField(child=_child(arguments[1]), **options)
    if dataclasses.is_dataclass(arguments[0]):
        return _serializer(arguments[0])(many=True, **options)
    return serializers.ListField(child=_child(arguments[0]), **options)


def _description(value: type[Any], others: Collection[AnyField]) -> str:
    """Return the docstring of a dataclass in the words of JSON."""
    described = _in_json(getdoc(value))
    is_null_if_empty = any(isinstance(field, TextOrNull) for field in others)
    return described.replace('""', "null") if is_null_if_empty else described


def _in_json(description: str | None) -> str:
    return (description or "").replace("None", "null")


def _child(hint: Any) -> AnyField:
    return serializers.JSONField() if hint is Any or hint is object else field_of(hint)


def _serializer(value: Any) -> type[Serializer]:
    return _of_value.get(value) or serializer_of(value)


@cache
def _descriptions(value: type[Any]) -> dict[str, str]:
    """Return the strings below the fields of a dataclass and its bases, by field."""
    found: dict[str, str] = {}
    for kind in reversed(value.__mro__):
        if dataclasses.is_dataclass(kind):
            [definition] = ast.parse(dedent(getsource(kind))).body
            assert isinstance(definition, ast.ClassDef)
            body = definition.body
            for field, below in pairwise(body):
                if (
                    isinstance(field, ast.AnnAssign)
                    and isinstance(field.target, ast.Name)
                    and isinstance(below, ast.Expr)
                    and isinstance(below.value, ast.Constant)
                ):
                    found[field.target.id] = " ".join(cleandoc(str(below.value.value)).split())
    return found


# Only the OpenAPI document has them; to read sources would delay the start of every process.
_help_text: Callable[[type[Any], str], str] = lazy(
    lambda value, field: _descriptions(value).get(field, ""), str
)
