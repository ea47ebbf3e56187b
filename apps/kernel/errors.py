"""The base classes of all errors that the service raises on purpose."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import ClassVar


class SmallvilleError(Exception):
    """An error of the service; without a message, the docstring of its class is the message."""

    code: ClassVar[str] = "internal-error"

    def __init__(self, message: str | None = None) -> None:
        super().__init__(message or (type(self).__doc__ or "").strip())

    @property
    def message(self) -> str:
        """What is wrong and how to correct it."""
        return str(self)


class DomainError(SmallvilleError):
    """The request cannot be carried out; the message has a hint."""

    code: ClassVar[str] = "refused"


class NotFound(DomainError):
    """There is nothing of that name."""

    code: ClassVar[str] = "not-found"


@contextmanager
def exit_with_message() -> Iterator[None]:
    """End the process with status 1 on an error of the domain, and write its message."""
    try:
        yield
    except DomainError as error:
        sys.stderr.write(f"{error.message}\n")
        raise SystemExit(1) from None
