"""Requesting an interview, and answering it at once or in a worker (U1)."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, ClassVar
from uuid import UUID

from django.db import transaction
from django.db.models import Max, Q
from django.utils import timezone

from apps.interaction.conditions import Condition
from apps.interaction.context import Interview, Used
from apps.interaction.interviewing import Answered, ask
from apps.interaction.models import InterviewRow
from apps.kernel.errors import DomainError, SmallvilleError
from apps.llm.cleaning import in_one_line
from apps.simulation.commands.command_log import Issuer, ensure_present
from apps.simulation.commands.interventions import InterviewBody, request_intervention
from apps.simulation.engine.lifecycle import ensure_not_deleted
from apps.simulation.locks import lock_simulation_row
from apps.simulation.ports import Ports

QUESTION_CHARACTERS_MAX = 1_000
PERSONA_CHARACTERS_MAX = 200
PERSONA_DEFAULT = "somebody who asks questions"
# Longer than the wait for any model: after it the process that was to answer is gone.
LAPSED = timedelta(minutes=30)


class UnusableQuestion(DomainError):
    """Question or persona are blank or too long."""

    code: ClassVar[str] = "unusable-question"


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """A question to an agent as of a tick, with the persona of the asker.

    With `remember` the agent remembers it; with `is_waited_for` no worker answers it.
    """

    agent: str
    question: str
    persona: str = PERSONA_DEFAULT
    condition: Condition = Condition.FULL
    remember: bool = False
    as_of_tick: int
    is_waited_for: bool = True


def request_interview(
    simulation_id: UUID, wanted: Wanted, *, by: str, reason: str = ""
) -> InterviewRow:
    """Keep what is asked, under the simulation's next number.

    :raises SimulationUnknown: if the simulation has been deleted.
    :raises UnusableQuestion: if question or persona are blank or too long.
    :raises NotFound: if the agent is to remember it and is not in the simulation.
    """
    if wanted.remember:
        ensure_present(simulation_id, wanted.agent)
    _refuse_unusable(wanted.question, "question", QUESTION_CHARACTERS_MAX)
    _refuse_unusable(wanted.persona, "persona", PERSONA_CHARACTERS_MAX)
    with transaction.atomic():
        lock_simulation_row(simulation_id)  # two interviews at once get two numbers
        rows = InterviewRow.objects.filter(simulation_id=simulation_id)
        latest = rows.aggregate(latest=Max("number"))["latest"] or 0
        return InterviewRow.objects.create(
            simulation_id=simulation_id,
            number=latest + 1,
            agent=wanted.agent,
            persona=wanted.persona,
            question=wanted.question,
            conditions=wanted.condition.value,
            as_of_tick=wanted.as_of_tick,
            by=by,
            reason=reason,
            remember=wanted.remember,
            is_waited_for=wanted.is_waited_for,
        )


def answer_interview(ports: Ports, interview_id: UUID) -> InterviewRow | None:
    """Ask what was kept and keep the answer.

    Returns None if another process answers it, or if it is answered or deleted. A call that
    was completed before is not made again (L6).

    :raises SimulationUnknown: if the simulation was deleted before the answer was kept.
    :raises Refusal: if there is no answer to be had; the row says why.
    """
    row = _taken(interview_id)
    if row is None:
        return None
    try:
        return _kept(row, ask(ports, _interview(row)))
    except Exception as error:
        ensure_not_deleted(row.simulation_id)  # anything can fail whose rows are gone
        if isinstance(error, SmallvilleError):
            _failed(row, error.code, error.message)
        else:
            mistake = f"a mistake in the service: {type(error).__name__}"
            _failed(row, SmallvilleError.code, mistake)
        raise


def waiting_interviews() -> list[UUID]:
    """Return the interviews that a worker is to answer."""
    now = timezone.now()
    lapsed = Q(state=InterviewRow.State.ASKED, taken_at__lt=now - LAPSED)
    rows = InterviewRow.objects.filter(
        Q(state=InterviewRow.State.PENDING) | lapsed, is_waited_for=False
    )
    return list(rows.order_by("asked_at").values_list("pk", flat=True))


def _taken(interview_id: UUID) -> InterviewRow | None:
    """Return the interview if it waits for an answer, taken for this process."""
    now = timezone.now()
    free = Q(state=InterviewRow.State.PENDING) | Q(
        state=InterviewRow.State.ASKED, taken_at__lt=now - LAPSED
    )
    rows = InterviewRow.objects.filter(free, pk=interview_id)
    if not rows.update(state=InterviewRow.State.ASKED, taken_at=now):
        return None
    return InterviewRow.objects.filter(pk=interview_id).first()


def _interview(row: InterviewRow) -> Interview:
    return Interview(
        simulation_id=row.simulation_id,
        number=row.number,
        agent=row.agent,
        persona=in_one_line(row.persona),
        question=in_one_line(row.question),
        condition=Condition(row.conditions),
        as_of_tick=row.as_of_tick,
    )


def _kept(row: InterviewRow, answered: Answered) -> InterviewRow:
    """Keep the answer and, if the agent is to remember it, record the command (U1).

    :raises SimulationUnknown: if the simulation was deleted; it is held until all is kept.
    """
    with transaction.atomic():
        lock_simulation_row(row.simulation_id)
        row.answer = answered.answer
        row.memories = list(_as_json(answered.used))
        row.model_calls = list(answered.model_calls)
        row.state = InterviewRow.State.ANSWERED
        row.answered_at = timezone.now()
        if row.remember:
            interview = InterviewBody(
                persona=in_one_line(row.persona),
                question=in_one_line(row.question),
                answer=row.answer,
                model_calls=answered.model_calls,
            )
            issuer = Issuer(by=row.by, reason=row.reason)
            command = request_intervention(
                row.simulation_id, row.agent, interview, issuer=issuer
            )
            row.command_id = command.pk
        row.save()
    return row


def _failed(row: InterviewRow, code: str, why: str) -> None:
    InterviewRow.objects.filter(pk=row.pk).update(
        state=InterviewRow.State.FAILED,
        problem_code=code,
        problem=why,
        answered_at=timezone.now(),
    )


def _as_json(used: Iterable[Used]) -> Iterable[dict[str, Any]]:
    for one in used:
        memory = one.memory
        yield {
            "number": memory.number,
            "kind": memory.kind.value,
            "description": memory.description,
            "importance": memory.importance,
            "evidence": list(memory.evidence),
            "subject": memory.subject,
            "formed_tick": memory.formed_tick,
            "last_retrieved_tick": memory.last_retrieved_tick,
            "rank": memory.rank,
            "score": memory.score,
            "query": one.query,
        }


def _refuse_unusable(text: str, what: str, characters_max: int) -> None:
    if not in_one_line(text) or len(text) > characters_max:
        raise UnusableQuestion(f"give the {what} in 1 to {characters_max:,} characters")
