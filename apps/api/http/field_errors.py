"""Errors of single values: a flat list with pointers, of what a serializer raises."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import reduce

from apps.api.http.request_errors import FieldError, json_pointer
from apps.kernel.request_models import Fault


def field_errors(detail: object) -> list[FieldError]:
    """Return the errors of a validation as a flat list, each with its pointer."""
    return list(_flattened(detail, ""))


def error_of_fault(fault: Fault) -> FieldError:
    """Return the error of a value that a pydantic model refuses."""
    pointer = reduce(json_pointer, fault.place, "")
    return FieldError(pointer=pointer, code=fault.code, detail=fault.detail)


def as_parameters(errors: Sequence[FieldError]) -> list[FieldError]:
    """Return errors of the address's query as such: named by parameter, not by pointer."""
    return [
        replace(error, pointer=None, parameter=(error.pointer or "").strip("/").split("/")[0])
        for error in errors
    ]


def _flattened(detail: object, pointer: str) -> Iterator[FieldError]:
    if isinstance(detail, Mapping):
        for name, below in detail.items():
            here = pointer if name == "non_field_errors" else json_pointer(pointer, name)
            yield from _flattened(below, here)
    elif isinstance(detail, list | tuple):
        for index, below in enumerate(detail):
            nested = isinstance(below, Mapping | list | tuple)
            yield from _flattened(below, f"{pointer}/{index}" if nested else pointer)
    else:
        code = str(getattr(detail, "code", None) or "invalid")
        yield FieldError(pointer=pointer, code=code.replace("_", "-"), detail=str(detail))
