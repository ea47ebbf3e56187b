"""The root of every error that the service raises on purpose."""

from typing import ClassVar


class SmallvilleError(Exception):
    """Something went wrong in the town's machinery."""

    code: ClassVar[str] = "internal-error"

    def __init__(self, message: str | None = None) -> None:
        super().__init__(message or (type(self).__doc__ or "").strip())

    @property
    def message(self) -> str:
        """What is the case and how it is mended, for people."""
        return str(self)


class DomainError(SmallvilleError):
    """What was asked for cannot be done; the message names the mend."""

    code: ClassVar[str] = "refused"


class NotFound(DomainError):
    """There is nothing of that name here."""

    code: ClassVar[str] = "not-found"
