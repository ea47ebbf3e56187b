"""The commands `embody` and `hand-back`, by which a user takes and gives up control (U4).

What all commands of embodied agents share: numbers, rights and overviews.
"""

from dataclasses import dataclass
from typing import ClassVar
from uuid import UUID

from django.db import transaction

from apps.kernel.errors import Conflict, DomainError, NotFound
from apps.simulation.commands.command import CommandBody, Processing, Schedule, earliest_tick
from apps.simulation.commands.command_log import (
    Issuer,
    accept,
    ensure_present,
    issued,
    record_command,
)
from apps.simulation.embodiment import queries
from apps.simulation.embodiment.events import EmbodimentBegan, EmbodimentEnded, EmbodimentEvent
from apps.simulation.embodiment.queries import open_embodiments
from apps.simulation.embodiment.requested_actions import Embodiment
from apps.simulation.locks import lock_simulation_row
from apps.simulation.models import CommandRow, SimulationRow, Status

EMBODY = "embody"
VISIT = "visit"
EMBODIED_ACTION = "embodied-action"
HAND_BACK = "hand-back"


class NeedsPace(Conflict):
    """A simulation with embodied agents needs a pace."""

    code: ClassVar[str] = "pace-needed"


class AlreadyEmbodied(Conflict):
    """A user controls the agent already."""


class EmbodimentUnknown(NotFound):
    """There is no such embodiment."""


class EmbodimentOver(Conflict):
    """The embodiment is over."""


class NotYourEmbodiment(DomainError):
    """Another user controls the agent."""


class EmbodimentBody(CommandBody):
    """The number of the embodiment; `event` is the command's event, once it is in the log."""

    embodiment: int
    event: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class EmbodimentOverview:
    """A requested embodiment; `embodiment` is None until it has begun.

    `refusal` is the reason if it was rejected.
    """

    number: int
    agent: str
    is_visitor: bool
    by: str
    reason: str
    embodiment: Embodiment | None
    refusal: str

    @property
    def is_over(self) -> bool:
        """Whether the embodiment was ended, or rejected."""
        ended = self.embodiment is not None and self.embodiment.to_tick is not None
        return ended or bool(self.refusal)


def list_embodiments(simulation_id: UUID) -> list[EmbodimentOverview]:
    """Return the requested embodiments, by number."""
    requests = CommandRow.objects.filter(
        simulation_id=simulation_id,
        kind__in=[EMBODY, VISIT],
        body__has_key="embodiment",  # a rejected body may have none
    )
    begun = {one.number: one for one in queries.list_embodiments(simulation_id)}
    found = [
        EmbodimentOverview(
            number=row.body["embodiment"],
            agent=row.agent,
            is_visitor=row.kind == VISIT,
            by=row.by,
            reason=row.reason,
            embodiment=begun.get(row.body["embodiment"]),
            refusal=row.refusal,
        )
        for row in requests
    ]
    return sorted(found, key=lambda one: one.number)


def get_embodiment(simulation_id: UUID, number: int) -> EmbodimentOverview:
    """Return the embodiment of the number.

    :raises EmbodimentUnknown: if there is none.
    """
    for one in list_embodiments(simulation_id):
        if one.number == number:
            return one
    raise EmbodimentUnknown(
        f"there is no embodiment {number} here; GET …/embodiments lists them"
    )


def get_open_embodiment(simulation_id: UUID, number: int) -> Embodiment:
    """Return the embodiment of the number, which has begun and was not ended.

    :raises EmbodimentOver: if it was ended, or has not begun.
    """
    one = queries.find_embodiment(simulation_id, number)
    if one is None or one.to_tick is not None:
        raise EmbodimentOver(f"embodiment {number} is over, or has not begun")
    return one


def next_number(simulation_id: UUID) -> int:
    """Return the number of the next embodiment; the caller holds the simulation's row."""
    return 1 + max((one.number for one in list_embodiments(simulation_id)), default=0)


def ensure_paced(row: SimulationRow) -> None:
    """Check that the simulation does not run as fast as possible.

    :raises NeedsPace: if it does.
    """
    if row.status != Status.PAUSED and row.pace is None:
        raise NeedsPace(
            "the simulation runs as fast as possible; give it a pace that you can keep up with "
            'first, as in POST …/run {"pace": 60}'
        )


def ensure_none_embodied(simulation_id: UUID) -> None:
    """Check that no user controls an agent, or has requested to.

    :raises NeedsPace: if one does: the simulation cannot run as fast as possible.
    """
    for one in list_embodiments(simulation_id):
        if not one.is_over:
            raise NeedsPace(
                f"a user controls an agent (embodiment {one.number}): request a pace, as in "
                '{"pace": 60}, or DELETE the embodiment and let its last tick pass first'
            )


def ensure_not_embodied(simulation_id: UUID, agent: str) -> None:
    """Check that no embodiment of the agent is open, unless its end was requested.

    :raises AlreadyEmbodied: if one is.
    """
    for one in list_embodiments(simulation_id):
        if one.agent == agent and not one.is_over and not _is_ending(simulation_id, one.number):
            raise AlreadyEmbodied(
                f"embodiment {one.number} controls {agent!r}; it has to end first"
            )


def ensure_controller(
    simulation_id: UUID, number: int, issuer: Issuer, *, is_owner: bool
) -> str:
    """Check that the issuer controls the agent of the embodiment; return the agent.

    :param is_owner: whether the issuer owns the simulation, and may control every agent.
    :raises EmbodimentUnknown: if there is no embodiment of the number.
    :raises NotYourEmbodiment: if another user began it.
    :raises EmbodimentOver: if it is over, or its end was requested.
    """
    one = get_embodiment(simulation_id, number)
    if one.by != issuer.by and not is_owner:
        raise NotYourEmbodiment(f"{one.by} began embodiment {number}; begin one of your own")
    if one.is_over or _is_ending(simulation_id, number):
        raise EmbodimentOver(f"embodiment {number} is over; begin another one")
    return one.agent


def control_tick(schedule: Schedule, command: CommandRow) -> int:
    """Return the earliest tick at which a user can control the command's agent.

    :raises NotFound: if the agent has left or is about to leave.
    """
    if schedule.is_leaving(command.agent):
        raise NotFound(f"{command.agent} is about to leave the simulation")
    return earliest_tick(schedule, command)


def accept_control(
    processing: Processing,
    command: CommandRow,
    tick: int,
    event: EmbodimentEvent,
    *,
    state: CommandRow.State = CommandRow.State.DONE,
) -> None:
    """Accept a command to an embodied agent, and record the identity of its event."""
    command.body["event"] = accept(processing.ports, command, tick, event, state=state)
    command.save(update_fields=["body"])
    processing.schedule.reload_embodiments()


def _is_ending(simulation_id: UUID, number: int) -> bool:
    return CommandRow.objects.filter(
        simulation_id=simulation_id,
        kind=HAND_BACK,
        body__embodiment=number,
        state__in=[CommandRow.State.PENDING, CommandRow.State.ACCEPTED],
        at_tick=None,
    ).exists()


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
