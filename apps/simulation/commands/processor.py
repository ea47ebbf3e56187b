"""Processes the pending commands of a simulation, each at the tick that is free for it."""

from django.db import transaction

from apps.kernel.errors import DomainError
from apps.simulation.commands import remove_agent
from apps.simulation.commands.command import Processing
from apps.simulation.commands.command_log import pending_commands, reject
from apps.simulation.commands.registry import spec_of
from apps.simulation.commands.schedule import Schedule
from apps.simulation.models import CommandRow
from apps.simulation.ports import Constants, Ports


class CommandProcessor:
    """The processor of one simulation's commands."""

    def __init__(self, ports: Ports, constants: Constants) -> None:
        """Take what commands are processed with."""
        self._ports = ports
        self._constants = constants

    def process_due(self, schedule: Schedule) -> int | None:
        """Process the commands that are due; return the tick of the next one, if any."""
        processing = Processing(ports=self._ports, constants=self._constants, schedule=schedule)
        later: list[int] = []
        for command in pending_commands(self._constants.simulation_id):
            if command.at_tick is not None and command.at_tick > schedule.next_tick:
                later.append(command.at_tick)
            else:
                _process(processing, command)
        for agent, tick in schedule.due_departures():
            remove_agent.depart(processing, agent, tick)
        return min(later, default=None)


def _process(processing: Processing, command: CommandRow) -> None:
    """Process the command in one transaction, or record why it is rejected."""
    try:
        with transaction.atomic():
            spec_of(command.kind).run(processing, command)
    except DomainError as refusal:
        reject(command, refusal.message)
