"""Users act for a person: what they may ask, and of whom (U4)."""

from dataclasses import dataclass
from typing import ClassVar
from uuid import UUID

from django.db import transaction
from django.db.models import QuerySet

from apps.kernel.errors import NotFound, Refusal
from apps.simulation.commands.command_log import Asking, asked, refuse_absent, refuse_past
from apps.simulation.commands.directions import Deed, Move, Words, body_of
from apps.simulation.embodiment import queries as embodiments
from apps.simulation.embodiment.rules import Embodiment
from apps.simulation.locks import hold_row
from apps.simulation.models import CommandRow, SimulationRow, Status

EMBODY = "embody"
VISIT = "visit"
ACTION = "embodied-action"
HAND_BACK = "hand-back"
KINDS = (EMBODY, VISIT, ACTION, HAND_BACK)
_BEGINNINGS = (EMBODY, VISIT)
_WAITING = (CommandRow.State.PENDING, CommandRow.State.ACCEPTED)


class NeedsPace(Refusal):
    """A town in which users act needs a pace."""

    code: ClassVar[str] = "pace-needed"


class AlreadyEmbodied(Refusal):
    """Somebody acts for this person already."""

    code: ClassVar[str] = "already-embodied"


class EmbodimentUnknown(NotFound):
    """There is no such embodiment."""

    code: ClassVar[str] = "embodiment-unknown"


class EmbodimentOver(Refusal):
    """The embodiment is over."""

    code: ClassVar[str] = "embodiment-over"


class NotYourEmbodiment(Refusal):
    """Somebody else acts for this person."""

    code: ClassVar[str] = "not-your-embodiment"


@dataclass(frozen=True, slots=True, kw_only=True)
class Actor:
    """Who asks for something to be done through a person; owners may do it for others."""

    asking: Asking
    is_in_charge: bool


def request_embodiment(simulation_id: UUID, agent: str, *, asking: Asking) -> CommandRow:
    """Ask to act for a person; the body of the command has the embodiment's number.

    :raises NotFound: if nobody of that slug is in town.
    :raises NeedsPace: if the simulation runs as fast as it can.
    :raises AlreadyEmbodied: if somebody acts for them, or is about to.
    :raises TickPast: if the time asked for is past.
    """
    with transaction.atomic():
        row = hold_row(simulation_id)
        refuse_unpaced(row)
        refuse_absent(simulation_id, agent)
        _refuse_embodied(simulation_id, agent)
        refuse_past(simulation_id, asking)
        body = {"embodiment": next_number(simulation_id)}
        return asked(simulation_id, EMBODY, agent, body, asking)


def request_action(
    simulation_id: UUID, number: int, action: Move | Words | Deed, *, actor: Actor
) -> CommandRow:
    """Ask the person of the embodiment to do something.

    `apps.simulation.commands.directions` makes the actions that there are.

    :raises EmbodimentUnknown: if there is none of that number.
    :raises EmbodimentOver: if it is over, or about to be.
    :raises NotYourEmbodiment: if somebody else began it.
    :raises TickPast: if the time asked for is past.
    """
    agent = _refuse_others(simulation_id, number, actor)
    refuse_past(simulation_id, actor.asking)
    body = {"embodiment": number, **body_of(action)}
    return asked(simulation_id, ACTION, agent, body, actor.asking)


def request_hand_back(simulation_id: UUID, number: int, *, actor: Actor) -> CommandRow:
    """Ask for the person to be their own again; a visitor leaves town.

    :raises EmbodimentUnknown: if there is none of that number.
    :raises EmbodimentOver: if it is over, or about to be.
    :raises NotYourEmbodiment: if somebody else began it.
    """
    agent = _refuse_others(simulation_id, number, actor)
    return asked(simulation_id, HAND_BACK, agent, {"embodiment": number}, actor.asking)


@dataclass(frozen=True, slots=True, kw_only=True)
class Overview:
    """An embodiment, begun or not: `refusal` says why it never began."""

    number: int
    agent: str
    is_visitor: bool
    by: str
    reason: str
    embodiment: Embodiment | None = None
    refusal: str = ""


def overviews(simulation_id: UUID) -> list[Overview]:
    """Return every embodiment that was asked for, by number."""
    found = {
        row.body["embodiment"]: Overview(
            number=row.body["embodiment"],
            agent=row.agent,
            is_visitor=row.kind == VISIT,
            by=row.by,
            reason=row.reason,
            refusal=row.refusal,
        )
        for row in _beginnings(simulation_id)
    }
    for one in embodiments.list_embodiments(simulation_id):
        found[one.number] = Overview(
            number=one.number,
            agent=one.agent,
            is_visitor=one.is_visitor,
            by=one.by,
            reason=one.reason,
            embodiment=one,
        )
    return [found[number] for number in sorted(found)]


def overview(simulation_id: UUID, number: int) -> Overview:
    """Return the embodiment of that number.

    :raises EmbodimentUnknown: if there is none.
    """
    for one in overviews(simulation_id):
        if one.number == number:
            return one
    raise _unknown(number)


def beginning_of(simulation_id: UUID, number: int) -> CommandRow:
    """Return the command that asked for the embodiment.

    :raises EmbodimentUnknown: if there is none of that number.
    """
    row = _beginnings(simulation_id).filter(body__embodiment=number).first()
    if row is None:
        raise _unknown(number)
    return row


def _unknown(number: int) -> EmbodimentUnknown:
    return EmbodimentUnknown(
        f"there is no embodiment {number} here; GET …/embodiments lists them"
    )


def waiting_to_begin(simulation_id: UUID) -> list[CommandRow]:
    """Return the commands for embodiments that have not begun, in the order of numbers."""
    rows = _beginnings(simulation_id).filter(state=CommandRow.State.PENDING)
    return sorted(rows, key=lambda row: int(row.body["embodiment"]))


def refuse_unpaced(row: SimulationRow) -> None:
    """Refuse to have a user act in a town that runs as fast as it can.

    :raises NeedsPace: if it does.
    """
    if row.status != Status.PAUSED and row.pace is None:
        raise NeedsPace(
            "the simulation runs as fast as it can; give it a pace that you can keep up with "
            'first, as in POST …/run {"pace": 60}'
        )


def refuse_while_embodied(simulation_id: UUID) -> None:
    """Refuse to let a town run as fast as it can while a user acts in it.

    :raises NeedsPace: if one does, or is about to.
    """
    standing = [one.number for one in embodiments.open_embodiments(simulation_id)]
    standing += [row.body["embodiment"] for row in waiting_to_begin(simulation_id)]
    if standing:
        raise NeedsPace(
            f"a user acts for somebody (embodiment {standing[0]}): ask for a pace, as in "
            '{"pace": 60}, or DELETE the embodiment and let its last tick pass first'
        )


def next_number(simulation_id: UUID) -> int:
    """Return the number of the next embodiment; the simulation's row is held."""
    asked_for = _beginnings(simulation_id).values_list("body__embodiment", flat=True)
    return int(1 + max(embodiments.last_number(simulation_id), *asked_for, 0))


def _beginnings(simulation_id: UUID) -> QuerySet[CommandRow]:
    return CommandRow.objects.filter(simulation_id=simulation_id, kind__in=_BEGINNINGS)


def _refuse_embodied(simulation_id: UUID, agent: str) -> None:
    standing = [
        one.number
        for one in embodiments.open_embodiments(simulation_id)
        if one.agent == agent and not _is_to_end(simulation_id, one.number)
    ]
    pending = [
        row.body["embodiment"]
        for row in waiting_to_begin(simulation_id)
        if row.agent == agent and not _is_to_end(simulation_id, row.body["embodiment"])
    ]
    if standing or pending:
        raise AlreadyEmbodied(
            f"embodiment {(*standing, *pending)[0]} acts for {agent!r}; it is to end first"
        )


def _refuse_others(simulation_id: UUID, number: int, actor: Actor) -> str:
    """Return for whom the embodiment acts, having looked at who asks and whether it stands."""
    standing: Embodiment | None = embodiments.find_embodiment(simulation_id, number)
    if standing is not None:
        by, agent, is_over = standing.by, standing.agent, standing.to_tick is not None
    else:
        row = beginning_of(simulation_id, number)
        by, agent = row.by, row.agent
        is_over = row.state == CommandRow.State.REFUSED
    if by != actor.asking.by and not actor.is_in_charge:
        raise NotYourEmbodiment(f"{by} began embodiment {number}; begin one of your own")
    if is_over or _is_to_end(simulation_id, number):
        raise EmbodimentOver(f"embodiment {number} is over; begin another one")
    return agent


def _is_to_end(simulation_id: UUID, number: int) -> bool:
    return CommandRow.objects.filter(
        simulation_id=simulation_id,
        kind=HAND_BACK,
        body__embodiment=number,
        state__in=_WAITING,
        at_tick=None,
    ).exists()
