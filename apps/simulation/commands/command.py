"""The parts of a command kind: its body, its processing, and the schedule that it changes."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar
from uuid import UUID

from pydantic import BaseModel, ConfigDict, ValidationError

from apps.kernel.errors import DomainError, NotFound
from apps.lineage.branches import shares_past
from apps.simulation.locks import lock_simulation_row
from apps.simulation.models import CommandRow
from apps.simulation.ports import Constants, Ports


class Schedule(Protocol):
    """The ticks at which a command can take effect, and what a command changes."""

    @property
    def next_tick(self) -> int:
        """The tick at which an agent may join: no agent has committed it."""

    def first_free_tick(self, agent: str) -> int | None:
        """Return the first tick that the agent has not begun; None if it has left."""

    def first_unseen_tick(self, path: str) -> int:
        """Return the first uncommitted tick after which no agent has had the object in view."""

    def add_agent(self, agent: str) -> None:
        """Read the rows of an agent that has joined."""

    def can_leave(self, agent: str) -> bool:
        """Return whether the agent stays in the simulation, and another agent does."""

    def is_leaving(self, agent: str) -> bool:
        """Return whether the departure of the agent is scheduled."""

    def schedule_departure(self, agent: str, tick: int) -> None:
        """Note that the agent leaves at the tick."""

    def due_departures(self) -> list[tuple[str, int]]:
        """Return the agents that have come to the tick of their departure, with the tick."""

    def remove_agent(self, agent: str) -> None:
        """Forget the clock of an agent that has left."""

    def add_intervention(self, agent: str, tick: int) -> None:
        """Note that an intervention reaches the agent at the tick."""

    def reload_embodiments(self) -> None:
        """Read again which agents users control, and the open action requests."""

    def reload_object_states(self) -> None:
        """Read again which object states users have set."""


def next_unshared_tick(schedule: Schedule, simulation_id: UUID) -> int:
    """Return the tick at which an agent may join; it is not in a past that branches share.

    Tick 0 is committed with the creation, but agents may still join at it.
    """
    tick = schedule.next_tick
    if tick == 0:
        lock_simulation_row(simulation_id)  # against a fork at the same time
        tick = int(shares_past(simulation_id))
    return tick


def earliest_tick(schedule: Schedule, command: CommandRow) -> int:
    """Return the first tick of the command's agent that is free and not before `at_tick`.

    :raises NotFound: if the agent has left.
    """
    first_free = schedule.first_free_tick(command.agent)
    if first_free is None:
        raise NotFound(f"{command.agent} has left the simulation")
    return max(first_free, command.at_tick or 0)


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
