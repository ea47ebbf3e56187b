"""Documents of the service as objects, and values as the JSON that is sent."""

import json
import keyword
from collections.abc import Callable, Iterator, Mapping
from datetime import date, datetime
from functools import cache
from types import NoneType, UnionType
from typing import TYPE_CHECKING, Any, Union, get_args, get_origin, get_type_hints
from uuid import UUID

_hints_of: Callable[[Any], dict[str, Any]] = cache(get_type_hints)
"""Returns the types of the members of a class of records."""


class Record:
    """A document of the service; `record.name` and `record["name"]` are its members.

    The classes in `smallville.types` say which members there are. Those that a newer service
    has besides can be read too; optional ones that are missing are None. A member whose name is
    a word of Python ends in "_": `record.from_`.
    """

    def __init__(self, members: Mapping[str, Any]) -> None:
        self._members = dict(members)

    if not TYPE_CHECKING:  # a checker knows the members from the classes alone

        def __getattr__(self, name: str) -> Any:
            if name.startswith("__"):
                raise AttributeError(name)
            key, hint = unescaped(name), _hints_of(type(self)).get(name, Any)
            if key in self._members:
                value = shaped(self._members[key], hint)
            elif NoneType in _parts_of(hint):
                value = None
            else:
                known = ", ".join(self._members)
                raise AttributeError(
                    f"{type(self).__name__} has no member {key!r}, but {known}"
                )
            self.__dict__[name] = value
            return value

    def __getitem__(self, key: str) -> Any:
        return self._members[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._members)

    def __len__(self) -> int:
        return len(self._members)

    def __contains__(self, key: object) -> bool:
        return key in self._members

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *map(escaped, self._members)]

    def __repr__(self) -> str:
        shown = ", ".join(f"{escaped(key)}={value!r}" for key, value in self._members.items())
        return f"{type(self).__name__}({shown})"

    def get(self, key: str, default: Any = None) -> Any:
        """Return a member, or the default where there is none."""
        return self._members.get(key, default)

    def to_dict(self) -> dict[str, Any]:
        """Return the document as it came, in plain dictionaries and lists."""
        return self._members


def escaped(key: str) -> str:
    """Return the name of a member in Python: `from` is no name."""
    return f"{key}_" if keyword.iskeyword(key) else key


def unescaped(name: str) -> str:
    """Return the member that a name in Python is for."""
    return name[:-1] if name.endswith("_") and keyword.iskeyword(name[:-1]) else name


def shaped(value: Any, hint: Any) -> Any:
    """Return a part of a document as the type says; what does not fit it stays as it is."""
    parts = _parts_of(hint)
    if isinstance(value, list):
        of_lists = (get_args(part)[0] for part in parts if get_origin(part) is list)
        item = next(of_lists, Any)
        return [shaped(one, item) for one in value]
    if isinstance(value, dict):
        of_values = [get_args(part)[1] for part in parts if get_origin(part) is dict]
        if of_values:
            return {key: shaped(one, of_values[0]) for key, one in value.items()}
        kinds = [part for part in parts if isinstance(part, type) and issubclass(part, Record)]
        if kinds:
            return max(kinds, key=lambda kind: len(_hints_of(kind).keys() & value.keys()))(
                value
            )
    return value


def plain(value: Any) -> Any:
    """Return what is sent as JSON knows it: times as text, records as their content."""
    if isinstance(value, Record):
        return value.to_dict()
    if isinstance(value, Mapping):
        return {unescaped(key): plain(one) for key, one in value.items()}
    if isinstance(value, datetime):
        value = value.replace(microsecond=0)
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, UUID):
        return str(value)
    if isinstance(value, list | tuple | set | frozenset):
        return [plain(one) for one in value]
    return value


def encoded(body: Mapping[str, Any]) -> bytes:
    """Return a body as JSON."""
    return json.dumps(plain(body)).encode()


def _parts_of(hint: Any) -> tuple[Any, ...]:
    return get_args(hint) if get_origin(hint) in {Union, UnionType} else (hint,)
