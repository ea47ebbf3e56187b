"""What users tell a person, who takes it in in their own turn: from asking to the log (U7)."""

import json
from dataclasses import dataclass
from typing import Any, ClassVar
from uuid import UUID

from django.db import transaction

from apps.django_support.statements import rows_of
from apps.eventlog.event import COMMANDS_STREAM, Event, Place
from apps.kernel.errors import Refusal
from apps.llm.cleaning import in_one_line
from apps.simulation.asking import (
    Asking,
    asked,
    became,
    log_command,
    refuse_absent,
    refuse_past,
)
from apps.simulation.events import InnerVoiceGiven, InterviewGiven, ObservationGiven
from apps.simulation.models import CommandRow
from apps.simulation.ports import Ports

INNER_VOICE = "inner-voice"
OBSERVATION = "observation"
REMEMBER_INTERVIEW = "remember-interview"
TEXT_CHARACTERS_MAX = 1_000

# Of each kind of command: the event that it becomes; who asks and why is in all of them.
_EVENTS: dict[str, type[InnerVoiceGiven | ObservationGiven | InterviewGiven]] = {
    INNER_VOICE: InnerVoiceGiven,
    OBSERVATION: ObservationGiven,
    REMEMBER_INTERVIEW: InterviewGiven,
}
KINDS = tuple(_EVENTS)
_BY_TYPE = {event.type: event for event in _EVENTS.values()}

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


class UnusableText(Refusal):
    """The words cannot be told to anybody."""

    code: ClassVar[str] = "unusable-text"


@dataclass(frozen=True, slots=True)
class Told:
    """Something that a user tells a person, and the identity of the event that says so."""

    event: Event
    place: str


def request_inner_voice(
    simulation_id: UUID, agent: str, *, text: str, asking: Asking
) -> CommandRow:
    """Ask for a person to have a thought as their own, and to act on it (U2).

    :raises NotFound: if nobody of that slug is in town.
    :raises UnusableText: if the words are none or too many.
    :raises TickPast: if the time asked for is past.
    """
    return _requested(simulation_id, agent, INNER_VOICE, {"text": _words(text)}, asking)


def request_observation(
    simulation_id: UUID, agent: str, *, text: str, asking: Asking
) -> CommandRow:
    """Ask for a person to perceive something that no sense of theirs reports (U6).

    :raises NotFound: if nobody of that slug is in town.
    :raises UnusableText: if the words are none or too many.
    :raises TickPast: if the time asked for is past.
    """
    return _requested(simulation_id, agent, OBSERVATION, {"text": _words(text)}, asking)


def request_interview(
    simulation_id: UUID,
    agent: str,
    *,
    persona: str,
    question: str,
    answer: str,
    model_calls: tuple[str, ...],
    asking: Asking,
) -> CommandRow:
    """Ask for a person to remember what they were asked and what they answered (U1).

    :raises NotFound: if nobody of that slug is in town.
    """
    body = {"persona": persona, "question": question, "answer": answer}
    return _requested(
        simulation_id,
        agent,
        REMEMBER_INTERVIEW,
        {**body, "model_calls": list(model_calls)},
        asking,
    )


def accept(ports: Ports, command: CommandRow, tick: int) -> None:
    """Put on the log what the person is told at the tick; their own turn takes it in."""
    body = dict(command.body)
    calls = tuple(body.pop("model_calls", ()))
    event = _EVENTS[command.kind](
        agent=command.agent, by=command.by, reason=command.reason, **body
    )
    with transaction.atomic():
        log_command(ports, command, tick, event, model_calls=calls)
        became(command, CommandRow.State.ACCEPTED, tick)


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


def _requested(
    simulation_id: UUID, agent: str, kind: str, body: dict[str, Any], asking: Asking
) -> CommandRow:
    refuse_absent(simulation_id, agent)
    refuse_past(simulation_id, asking)
    return asked(simulation_id, kind, agent, body, asking)


def _words(text: str) -> str:
    words = in_one_line(text)
    if not 0 < len(words) <= TEXT_CHARACTERS_MAX:
        raise UnusableText(f"say it in 1 to {TEXT_CHARACTERS_MAX:,} characters")
    return words
