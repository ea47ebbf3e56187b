"""The commands `embody` and `hand-back`: a user takes and gives up control of an agent (U4)."""

from uuid import UUID

from django.db import transaction

from apps.simulation.commands.command import Processing
from apps.simulation.commands.command_log import Issuer, ensure_present, issued, record_command
from apps.simulation.commands.embodiments import (
    EMBODY,
    HAND_BACK,
    AlreadyEmbodied,
    EmbodimentBody,
    accept_control,
    control_tick,
    ensure_controller,
    ensure_not_embodied,
    ensure_paced,
    get_open_embodiment,
    next_number,
)
from apps.simulation.embodiment.events import EmbodimentBegan, EmbodimentEnded
from apps.simulation.embodiment.queries import open_embodiments
from apps.simulation.locks import lock_simulation_row
from apps.simulation.models import CommandRow


def request_embodiment(simulation_id: UUID, agent: str, *, issuer: Issuer) -> CommandRow:
    """Request control of an agent; the body of the command has the embodiment's number.

    :raises AgentUnknown: if the simulation has no such agent.
    :raises NeedsPace: if the simulation runs as fast as possible.
    :raises AlreadyEmbodied: if a user controls the agent, or has requested to.
    :raises TickPast: if the requested tick is past.
    """
    with transaction.atomic():
        ensure_paced(lock_simulation_row(simulation_id))
        ensure_present(simulation_id, agent)
        ensure_not_embodied(simulation_id, agent)
        body = EmbodimentBody(embodiment=next_number(simulation_id))
        return record_command(simulation_id, EMBODY, agent, body, issuer)


def process_embody(processing: Processing, command: CommandRow, body: EmbodimentBody) -> None:
    """Begin the embodiment at the agent's first free tick.

    :raises NotFound: if the agent has left or is about to leave.
    :raises AlreadyEmbodied: if a user has taken control of the agent since.
    """
    tick = control_tick(processing.schedule, command)
    if any(one.agent == command.agent for one in open_embodiments(command.simulation_id)):
        raise AlreadyEmbodied(f"a user controls {command.agent!r} already")
    event = EmbodimentBegan(embodiment=body.embodiment, is_visitor=False, **issued(command))
    accept_control(processing, command, tick, event)


def request_hand_back(
    simulation_id: UUID, number: int, *, issuer: Issuer, is_owner: bool
) -> CommandRow:
    """Request the end of an embodiment: the agent controls itself again, a visitor leaves.

    :raises EmbodimentUnknown: if there is none of the number.
    :raises EmbodimentOver: if it is over, or its end was requested.
    :raises NotYourEmbodiment: if another user began it.
    :raises TickPast: if the requested tick is past.
    """
    agent = ensure_controller(simulation_id, number, issuer, is_owner=is_owner)
    body = EmbodimentBody(embodiment=number)
    return record_command(simulation_id, HAND_BACK, agent, body, issuer)


def process_hand_back(
    processing: Processing, command: CommandRow, body: EmbodimentBody
) -> None:
    """End the embodiment at the agent's first free tick, and not before it has begun.

    :raises NotFound: if the agent has left or is about to leave.
    :raises EmbodimentOver: if the embodiment is over, or has not begun.
    """
    tick = control_tick(processing.schedule, command)
    one = get_open_embodiment(command.simulation_id, body.embodiment)
    event = EmbodimentEnded(embodiment=one.number, is_visitor=one.is_visitor, **issued(command))
    accept_control(processing, command, max(tick, one.from_tick), event)
