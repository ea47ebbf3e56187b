"""What users ask through people, accepted into the log, and what came of it (U4, U7)."""

from uuid import UUID

from django.db import transaction

from apps.eventlog.event import Event
from apps.simulation.commands.command_log import became, log_command
from apps.simulation.commands.embodying import (
    ACTION,
    EMBODY,
    HAND_BACK,
    AlreadyEmbodied,
    EmbodimentOver,
)
from apps.simulation.embodiment import queries as embodiments
from apps.simulation.embodiment.events import (
    EmbodimentBegan,
    EmbodimentEnded,
    MoveRequested,
    SayRequested,
    UseRequested,
)
from apps.simulation.embodiment.rules import Outcome
from apps.simulation.models import CommandRow
from apps.simulation.ports import Ports


def accept(ports: Ports, command: CommandRow, tick: int) -> None:
    """Put what is asked on the log; it is heeded in the person's turn at the tick.

    Never before the embodiment that it belongs to has begun, which may be ahead of the person.

    :raises Refusal: if it cannot be asked any more.
    """
    number, agent = command.body["embodiment"], command.agent
    standing = {one.number: one for one in embodiments.open_embodiments(command.simulation_id)}
    event: Event
    if command.kind == EMBODY:
        if any(one.agent == agent for one in standing.values()):
            raise AlreadyEmbodied(f"somebody acts for {agent!r} already")
        event = began(command, is_visitor=False)
    elif number not in standing:
        raise EmbodimentOver(f"embodiment {number} is over, or has not begun by then")
    elif command.kind == HAND_BACK:
        event = EmbodimentEnded(
            embodiment=number,
            agent=agent,
            is_visitor=standing[number].is_visitor,
            by=command.by,
            reason=command.reason,
        )
    else:
        event = _asked_for(command)
    if number in standing:
        tick = max(tick, standing[number].from_tick)
    with transaction.atomic():
        command.body["event"] = str(log_command(ports, command, tick, event).place)
        command.save(update_fields=["body"])
        is_heeded = command.kind == ACTION  # what comes of it is for the person to say
        state = CommandRow.State.ACCEPTED if is_heeded else CommandRow.State.DONE
        became(command, state, tick)


def began(command: CommandRow, *, is_visitor: bool) -> EmbodimentBegan:
    """Return what the log says of somebody whom a user begins to act for."""
    return EmbodimentBegan(
        embodiment=command.body["embodiment"],
        agent=command.agent,
        is_visitor=is_visitor,
        by=command.by,
        reason=command.reason,
    )


def tell_outcomes(simulation_id: UUID) -> None:
    """Keep what has come of the actions that were asked of people, with their commands."""
    waiting = CommandRow.objects.filter(
        simulation_id=simulation_id, kind=ACTION, state=CommandRow.State.ACCEPTED
    )
    for command in waiting:
        event = command.body["event"]
        call = embodiments.get_request(simulation_id, command.agent, event)
        if call.outcome == Outcome.REFUSED:
            command.refusal = f"{call.code}: {call.why}"
            became(command, CommandRow.State.REFUSED, command.effective_tick)
        elif call.outcome == Outcome.DONE:
            became(command, CommandRow.State.DONE, command.effective_tick)


def _asked_for(command: CommandRow) -> Event:
    """Return what the log says of an action that was asked for."""
    body = command.body
    number, agent, by, reason = (
        body["embodiment"],
        command.agent,
        command.by,
        command.reason,
    )
    if "move" in body:
        tile = body["move"]["tile"]
        return MoveRequested(
            embodiment=number,
            agent=agent,
            to=body["move"]["to"],
            tile=None if tile is None else (tile[0], tile[1]),
            by=by,
            reason=reason,
        )
    if "say" in body:
        return SayRequested(embodiment=number, agent=agent, by=by, reason=reason, **body["say"])
    return UseRequested(embodiment=number, agent=agent, by=by, reason=reason, **body["act"])
