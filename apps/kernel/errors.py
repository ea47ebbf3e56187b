"""The base classes of all errors that the service raises on purpose."""

import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, ClassVar


class SmallvilleError(Exception):
    """An error of the service; without a message, the docstring of its class is the message.

    `code` names the error for programs: of a subclass that sets none it is the name of the
    class, as "agent-unknown" of AgentUnknown.
    """

    code: ClassVar[str] = "internal-error"

    def __init_subclass__(cls, **options: Any) -> None:
        """Set the code of a subclass that has none of its own."""
        super().__init_subclass__(**options)
        if "code" not in vars(cls):
            cls.code = re.sub(r"(?<!^)(?=[A-Z])", "-", cls.__name__).lower()

    def __init__(self, message: str | None = None) -> None:
        super().__init__(message or (type(self).__doc__ or "").strip())

    @property
    def message(self) -> str:
        """What is wrong and how to correct it."""
        return str(self)


def problem_of_error(error: Exception, then: str = "") -> tuple[str, str]:
    """Return code and text of the problem that an error leaves in a row.

    An unforeseen error may quote data of others or paths of the server: those are in the log.

    :param then: what to do about an unforeseen error.
    """
    if isinstance(error, SmallvilleError):
        return error.code, error.message
    problem = f"an error of the service ({type(error).__name__}); its log has the details"
    return SmallvilleError.code, problem + then


class DomainError(SmallvilleError):
    """The request cannot be carried out; the message has a hint."""

    code: ClassVar[str] = "refused"


class NotFound(DomainError):
    """There is nothing of that name."""


class Conflict(DomainError):
    """What there is at the moment does not allow it; it may be allowed later."""


@contextmanager
def exit_with_message() -> Iterator[None]:
    """End the process with status 1 on an error of the domain, and write its message."""
    try:
        yield
    except DomainError as error:
        sys.stderr.write(f"{error.message}\n")
        raise SystemExit(1) from None
