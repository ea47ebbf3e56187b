"""Reads the interventions of users that reach an agent in its own turn (U1, U2, U6, U7)."""

import json
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from apps.eventlog.event import COMMANDS_STREAM, EventId
from apps.eventlog.queries import AGENTS_NAMED, NAMING_AGENT
from apps.lineage.statements import history_rows
from apps.simulation.events import InnerVoiceGiven, InterviewGiven, ObservationGiven
from apps.simulation.models import CommandRow

INNER_VOICE = "inner-voice"
OBSERVATION = "observation"
REMEMBER_INTERVIEW = "remember-interview"
KINDS = (INNER_VOICE, OBSERVATION, REMEMBER_INTERVIEW)

InterventionEvent = InnerVoiceGiven | ObservationGiven | InterviewGiven
_TYPES: dict[str, type[InterventionEvent]] = {
    event.type: event for event in (InnerVoiceGiven, ObservationGiven, InterviewGiven)
}


@dataclass(frozen=True, slots=True)
class Intervention:
    """An intervention, and the identity of its event."""

    event: InterventionEvent
    event_id: str


def mark_applied(simulation_id: UUID, agent: str, tick: int) -> None:
    """Set the commands of the interventions that the agent's turn has applied to done."""
    CommandRow.objects.filter(
        simulation_id=simulation_id,
        agent=agent,
        kind__in=KINDS,
        state=CommandRow.State.ACCEPTED,
        effective_tick=tick,
    ).update(state=CommandRow.State.DONE)


def intervention_ticks(simulation_id: UUID, from_tick: int) -> dict[str, frozenset[int]]:
    """Return the ticks of interventions, from `from_tick` on, by agent."""
    ticks: dict[str, frozenset[int]] = {}
    for agent, at in history_rows(
        AGENTS_NAMED, _variables(simulation_id, from_tick), simulation_id
    ):
        ticks[agent] = ticks.get(agent, frozenset()) | {at}
    return ticks


def interventions_at(simulation_id: UUID, agent: str, tick: int) -> tuple[Intervention, ...]:
    """Return the interventions that reach the agent at the tick, in order."""
    variables = {**_variables(simulation_id, tick), "agent": agent}
    return tuple(
        Intervention(
            _TYPES[kind](**json.loads(data)), str(EventId(tick, COMMANDS_STREAM, ordinal))
        )
        for ordinal, kind, data in history_rows(NAMING_AGENT, variables, simulation_id)
    )


def _variables(simulation_id: UUID, tick: int) -> dict[str, Any]:
    return {
        "simulation": simulation_id,
        "stream": COMMANDS_STREAM,
        "types": list(_TYPES),
        "tick": tick,
    }
