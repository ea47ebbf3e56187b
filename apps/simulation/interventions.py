"""What users tell an agent, as its own turn reads it from the log (U2, U6, U7)."""

import json
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from apps.django_support.statements import rows_of
from apps.eventlog.event import COMMANDS_STREAM, Event, Place
from apps.simulation.events import InnerVoiceGiven, InterviewGiven, ObservationGiven
from apps.simulation.models import CommandRow

INNER_VOICE = "inner-voice"
OBSERVATION = "observation"
REMEMBER_INTERVIEW = "remember-interview"

# Of each kind of command: the event that it becomes; who asks and why is in all of them.
EVENTS_OF_KINDS: dict[str, type[InnerVoiceGiven | ObservationGiven | InterviewGiven]] = {
    INNER_VOICE: InnerVoiceGiven,
    OBSERVATION: ObservationGiven,
    REMEMBER_INTERVIEW: InterviewGiven,
}
KINDS = tuple(EVENTS_OF_KINDS)
_BY_TYPE = {event.type: event for event in EVENTS_OF_KINDS.values()}

_TOLD_FROM = """
SELECT DISTINCT data ->> 'agent', tick FROM eventlog_eventrow
WHERE simulation_id = %(simulation)s AND stream = %(stream)s AND tick >= %(tick)s
    AND type = ANY(%(types)s)
"""
_TOLD_AT = """
SELECT ordinal, type, data::text FROM eventlog_eventrow
WHERE simulation_id = %(simulation)s AND stream = %(stream)s AND tick = %(tick)s
    AND type = ANY(%(types)s) AND data ->> 'agent' = %(agent)s
ORDER BY ordinal
"""


@dataclass(frozen=True, slots=True)
class Told:
    """Something that a user tells a person, and the identity of the event that says so."""

    event: Event
    place: str


def taken_in(simulation_id: UUID, agent: str, tick: int) -> None:
    """Keep that the person has taken in what they were told at the tick."""
    CommandRow.objects.filter(
        simulation_id=simulation_id,
        agent=agent,
        kind__in=KINDS,
        state=CommandRow.State.ACCEPTED,
        effective_tick=tick,
    ).update(state=CommandRow.State.DONE)


def told_from(simulation_id: UUID, tick: int) -> dict[str, frozenset[int]]:
    """Return the ticks, from one on, at which people are told something, by slug."""
    asked_for = {**_of_kinds(simulation_id), "tick": tick}
    ticks: dict[str, frozenset[int]] = {}
    for agent, at in rows_of(_TOLD_FROM, asked_for):
        ticks[agent] = ticks.get(agent, frozenset()) | {at}
    return ticks


def told_at(simulation_id: UUID, agent: str, tick: int) -> tuple[Told, ...]:
    """Return what the person is told in the tick, in order."""
    asked_for = {**_of_kinds(simulation_id), "tick": tick, "agent": agent}
    return tuple(
        Told(_BY_TYPE[kind](**json.loads(data)), str(Place(tick, COMMANDS_STREAM, ordinal)))
        for ordinal, kind, data in rows_of(_TOLD_AT, asked_for)
    )


def _of_kinds(simulation_id: UUID) -> dict[str, Any]:
    return {
        "simulation": simulation_id,
        "stream": COMMANDS_STREAM,
        "types": list(_BY_TYPE),
    }
