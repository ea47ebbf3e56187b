"""The commands that reach an agent in its turn: inner voice, observation, interview (U7)."""

from typing import Annotated, ClassVar
from uuid import UUID

from pydantic import AfterValidator, Field

from apps.agents import queries as agent_queries
from apps.agents.naming import agent_named_first
from apps.agents.sharing import is_alarming
from apps.kernel.errors import DomainError
from apps.llm.cleaning import in_one_line
from apps.simulation.commands.command import CommandBody, Processing, earliest_tick
from apps.simulation.commands.command_log import (
    Issuer,
    accept,
    ensure_present,
    issued,
    next_command_tick,
    record_command,
)
from apps.simulation.events import InnerVoiceGiven, InterviewGiven, ObservationGiven
from apps.simulation.interventions import (
    INNER_VOICE,
    OBSERVATION,
    REMEMBER_INTERVIEW,
    InterventionEvent,
)
from apps.simulation.models import CommandRow

TEXT_CHARACTERS_MAX = 1_000


class UnusableText(DomainError):
    """The text is empty or too long."""


def _text(text: str) -> str:
    line = in_one_line(text)
    if not 0 < len(line) <= TEXT_CHARACTERS_MAX:
        raise UnusableText(f"give a text of 1 to {TEXT_CHARACTERS_MAX:,} characters")
    return line


Text = Annotated[
    str,
    AfterValidator(_text),
    Field(json_schema_extra={"maxLength": TEXT_CHARACTERS_MAX}),
]


class InterventionBody(CommandBody):
    """The values of the intervention's event, and the model calls that they come from."""

    kind: ClassVar[str]
    event: ClassVar[type[InterventionEvent]]
    model_calls: tuple[str, ...] = ()


class InnerVoiceBody(InterventionBody):
    """A thought that the agent has as its own, and acts on (U2).

    :raises UnusableText: if it is empty or too long.
    """

    kind = INNER_VOICE
    event = InnerVoiceGiven
    text: Text


class ObservationBody(InterventionBody):
    """A perception that the agent's senses do not report (U6).

    :raises UnusableText: if it is empty or too long.
    """

    kind = OBSERVATION
    event = ObservationGiven
    text: Text
    about: str = ""
    is_alarming: bool | None = None


class InterviewBody(InterventionBody):
    """A question to the agent and its answer, which the agent remembers (U1)."""

    kind = REMEMBER_INTERVIEW
    event = InterviewGiven
    persona: str
    question: str
    answer: str


def request_intervention(
    simulation_id: UUID, agent: str, intervention: InterventionBody, *, issuer: Issuer
) -> CommandRow:
    """Request an intervention that reaches the agent.

    :raises AgentUnknown: if the simulation has no such agent.
    :raises TickPast: if the requested tick is past.
    """
    ensure_present(simulation_id, agent)
    if isinstance(intervention, ObservationBody):
        intervention = _with_facts(intervention, simulation_id, agent)
    return record_command(simulation_id, intervention.kind, agent, intervention, issuer)


def _with_facts(
    observation: ObservationBody, simulation_id: UUID, agent: str
) -> ObservationBody:
    """Add the subject of the observation, and whether it is alarming, if these are missing."""
    others = (
        (row.agent, row.name)
        for row in agent_queries.list_agents(simulation_id)
        if row.agent != agent
    )
    facts = {
        "about": observation.about or agent_named_first(observation.text, others),
        "is_alarming": is_alarming(observation.text, observation.is_alarming),
    }
    return observation.model_copy(update=facts)


def process(processing: Processing, command: CommandRow, body: InterventionBody) -> None:
    """Append the intervention at the agent's first free tick; its turn there applies it.

    :raises NotFound: if the agent has left.
    """
    first = earliest_tick(processing.schedule, command)
    tick = next_command_tick(command.simulation_id, first)
    accept(
        processing.ports,
        command,
        tick,
        body.event(**issued(command), **body.model_dump(exclude={"model_calls"})),
        state=CommandRow.State.ACCEPTED,
        model_calls=body.model_calls,
    )
    processing.schedule.add_intervention(command.agent, tick)
