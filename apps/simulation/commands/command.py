"""The parts of a command kind: its body, and the function that processes it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from apps.kernel.errors import DomainError
from apps.simulation.commands.schedule import Schedule
from apps.simulation.models import CommandRow
from apps.simulation.ports import Constants, Ports


class CommandBodyInvalid(DomainError):
    """The stored body of a command does not fit its kind."""


class CommandBody(BaseModel):
    """The values of a command, as its row stores them.

    A validator that raises a `DomainError` rejects the values with its code and message.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    def to_json(self) -> dict[str, Any]:
        """Return the values that were set, as JSON."""
        return self.model_dump(mode="json", exclude_unset=True)


Body = TypeVar("Body", bound=CommandBody)


@dataclass(frozen=True, slots=True, kw_only=True)
class Processing:
    """The ports, the simulation and the schedule that a command is processed with."""

    ports: Ports
    constants: Constants
    schedule: Schedule


@dataclass(frozen=True, slots=True)
class CommandSpec(Generic[Body]):
    """A command kind: the type of its body, and the function that processes it.

    `process` decides the tick, appends the events, records the command's state and updates the
    schedule; it raises a `DomainError` to reject the command.
    """

    body: type[Body]
    process: Callable[[Processing, CommandRow, Body], None]

    def run(self, processing: Processing, command: CommandRow) -> None:
        """Process the command.

        :raises CommandBodyInvalid: if the stored body does not fit.
        :raises DomainError: if the command cannot be carried out.
        """
        try:
            body = self.body.model_validate(command.body)
        except ValidationError as error:
            faults = "; ".join(
                f"{'.'.join(map(str, fault['loc']))}: {fault['msg']}"
                for fault in error.errors(include_url=False)
            )
            raise CommandBodyInvalid(
                f"the body of this {command.kind} command is invalid ({faults}); issue it again"
            ) from error
        self.process(processing, command, body)
