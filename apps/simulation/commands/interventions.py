"""What users tell a person, who takes it in in their own turn: from asking to the log (U7)."""

from typing import Any, ClassVar
from uuid import UUID

from django.db import transaction

from apps.kernel.errors import Refusal
from apps.llm.cleaning import in_one_line
from apps.simulation.commands.command_log import (
    Asking,
    asked,
    became,
    log_command,
    refuse_absent,
    refuse_past,
)
from apps.simulation.interventions import (
    EVENTS_OF_KINDS,
    INNER_VOICE,
    OBSERVATION,
    REMEMBER_INTERVIEW,
)
from apps.simulation.models import CommandRow
from apps.simulation.ports import Ports

TEXT_CHARACTERS_MAX = 1_000


class UnusableText(Refusal):
    """The words cannot be told to anybody."""

    code: ClassVar[str] = "unusable-text"


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
    event = EVENTS_OF_KINDS[command.kind](
        agent=command.agent, by=command.by, reason=command.reason, **body
    )
    with transaction.atomic():
        log_command(ports, command, tick, event, model_calls=calls)
        became(command, CommandRow.State.ACCEPTED, tick)


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
