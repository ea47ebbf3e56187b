"""Processes the pending commands of a simulation, each at the tick that is free for it."""

from django.db import transaction

from apps.kernel.errors import DomainError
from apps.simulation.commands import remove_agent
from apps.simulation.commands.command import Processing
from apps.simulation.commands.command_log import pending_commands, reject
from apps.simulation.commands.registry import spec_of
from apps.simulation.models import CommandRow


def process_due_commands(processing: Processing) -> int | None:
    """Process the commands that are due; return the tick of the next one, None without one."""
    schedule, later = processing.schedule, []
    for command in pending_commands(processing.constants.simulation_id):
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
    except DomainError as error:
        reject(command, error.message)
