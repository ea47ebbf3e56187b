"""A schedule with given ticks, on which a single command can be processed."""

from dataclasses import dataclass, field
from uuid import UUID

from apps import wiring
from apps.simulation.commands.command import Processing
from apps.simulation.commands.registry import spec_of
from apps.simulation.models import CommandRow
from apps.simulation.ports import constants_of


@dataclass
class FixedSchedule:
    """Answers with given ticks, and records the changes that commands make."""

    next_tick: int = 1
    free_ticks: dict[str, int] = field(default_factory=dict)
    unseen_ticks: dict[str, int] = field(default_factory=dict)
    staying: frozenset[str] = frozenset()
    leaving: dict[str, int] = field(default_factory=dict)
    changes: list[tuple[object, ...]] = field(default_factory=list)

    def first_free_tick(self, agent: str) -> int | None:
        return self.free_ticks.get(agent)

    def first_unseen_tick(self, path: str) -> int:
        return self.unseen_ticks[path]

    def add_agent(self, agent: str) -> None:
        self.changes.append(("add agent", agent))

    def can_leave(self, agent: str) -> bool:
        return agent in self.staying and len(self.staying) > 1

    def is_leaving(self, agent: str) -> bool:
        return agent in self.leaving

    def schedule_departure(self, agent: str, tick: int) -> None:
        self.leaving[agent] = tick

    def due_departures(self) -> list[tuple[str, int]]:
        return list(self.leaving.items())

    def remove_agent(self, agent: str) -> None:
        self.changes.append(("remove agent", agent))

    def add_intervention(self, agent: str, tick: int) -> None:
        self.changes.append(("add intervention", agent, tick))

    def reload_embodiments(self) -> None:
        self.changes.append(("reload embodiments",))

    def reload_object_states(self) -> None:
        self.changes.append(("reload object states",))


def processing_of(simulation_id: UUID, schedule: FixedSchedule) -> Processing:
    """Return what a command of the simulation is processed with on the schedule."""
    ports = wiring.ports()
    constants = constants_of(simulation_id, ports.worlds)
    return Processing(ports=ports, constants=constants, schedule=schedule)


def process_command(command: CommandRow, schedule: FixedSchedule) -> CommandRow:
    """Process the command on the schedule; return it."""
    spec_of(command.kind).run(processing_of(command.simulation_id, schedule), command)
    return command
