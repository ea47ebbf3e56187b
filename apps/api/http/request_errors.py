"""Errors of requests: values, bodies, addresses, headers, versions, limits."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import chain
from typing import Any

from apps.kernel.errors import DomainError
from apps.kernel.request_models import Fault


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldError:
    """What is wrong with one value: `pointer` (RFC 6901) into the body, or a `parameter`."""

    code: str
    detail: str
    pointer: str | None = None
    parameter: str | None = None


def json_pointer(above: str, name: object) -> str:
    """Return the pointer to a member below another pointer."""
    return f"{above}/{str(name).replace('~', '~0').replace('/', '~1')}"


class InvalidRequest(DomainError):
    """A value of the request cannot be used."""

    def __init__(self, errors: Sequence[FieldError]) -> None:
        self.errors = tuple(errors)
        first = self.errors[0]
        where = first.parameter or first.pointer or "the body"
        more = f" (and {len(self.errors) - 1} more)" if len(self.errors) > 1 else ""
        super().__init__(f"{where}: {first.detail}{more}")


class MalformedBody(DomainError):
    """The body is not JSON."""


class BodyTooLarge(DomainError):
    """The body is too long."""


class LengthRequired(DomainError):
    """The request does not name the length of its body."""


class AddressTooLong(DomainError):
    """The address is too long."""


class HeadersTooLarge(DomainError):
    """The headers are too long."""


class RequestTimeout(DomainError):
    """The request did not arrive in time."""


class TooManyConnections(DomainError):
    """The process has as many connections open as it may."""


class ServiceStopping(DomainError):
    """The process ends before the request is answered."""


class VersionPassed(DomainError):
    """The resource has changed since it was read."""


class StreamsTaken(DomainError):
    """The process has as many streams open as it may."""


class TooManyStreams(DomainError):
    """You have as many streams open as you may."""


class StreamsNeedAsgi(DomainError):
    """This server cannot keep a stream open."""


class DownloadsTaken(DomainError):
    """The process has as many downloads open as it may."""


class TooManyDownloads(DomainError):
    """You have as many downloads open as you may."""


STREAM_ERRORS = (StreamsTaken, TooManyStreams)
DOWNLOAD_ERRORS = (DownloadsTaken, TooManyDownloads)


def error_of_fault(fault: Fault) -> FieldError:
    """Return the error of a value that a pydantic model refuses."""
    pointer = reduce(json_pointer, fault.place, "")
    return FieldError(pointer=pointer, code=fault.code, detail=fault.detail)


def parameter_errors(detail: Mapping[Any, Any]) -> Iterator[FieldError]:
    """Yield the errors of a validated query, as the framework has them, by parameter.

    Those of a repeated parameter are by its place.
    """
    for name, found in detail.items():
        below = chain.from_iterable(found.values()) if isinstance(found, Mapping) else found
        for error in below:
            code = str(getattr(error, "code", None) or "invalid").replace("_", "-")
            yield FieldError(parameter=str(name), code=code, detail=str(error))
