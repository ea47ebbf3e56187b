"""End agreements whose time has passed: record the outcome, and remember it (D3)."""

from collections.abc import Sequence

from apps.dialogue.endings import Attendance, PassedAgreement, absent_from, outcome_of
from apps.dialogue.events import AgreementEnded
from apps.kernel.language import noted, phrase
from apps.memory.events import AgreementOutcome, MemoryKind, MemoryOrigin, ScheduledActivity
from apps.simulation.turn.context.outcome import TurnOutcome, record
from apps.simulation.turn.context.turn_context import TurnContext
from apps.simulation.turn.remember.conversation_memories import agreement_text

# Of more agents than these a memory names the first.
NAMED_MAX = 8
_SENTENCES = {
    AgreementOutcome.KEPT: noted("{agreed}, and did so"),
    AgreementOutcome.MISSED: noted("{agreed}, but missed it"),
    AgreementOutcome.DROPPED: noted("{agreed}, but did something else"),
}


def end_agreements(context: TurnContext, outcome: TurnOutcome) -> TurnOutcome:
    """Record the outcomes of the agreements that are over, and remember them."""
    for agreement, attended in context.records.passed:
        agreement_outcome = outcome_of(agreement, attended)
        is_kept = agreement_outcome is AgreementOutcome.KEPT
        ended = AgreementEnded(
            agreements=agreement.events,
            outcome=agreement_outcome,
            present=attended.seen if is_kept else (),
        )
        outcome = record(context, outcome, ended, cause=agreement.events[0])
        scheduled = _scheduled(context, agreement, attended, agreement_outcome)
        outcome = outcome.with_memory(
            MemoryKind.OBSERVATION,
            ended_text(context.identity.name, scheduled),
            cause=outcome.last_event,
            subject=agreement.others[0],
            perceived=True,
            origin=MemoryOrigin.ENDED,
            scheduled=scheduled,
        )
    return outcome


def _scheduled(
    context: TurnContext,
    agreement: PassedAgreement,
    attended: Attendance,
    agreement_outcome: AgreementOutcome,
) -> ScheduledActivity:
    """Return the activity with its outcome and, if the agent was there, those present."""
    is_kept = agreement_outcome is AgreementOutcome.KEPT
    absent = absent_from(agreement, attended.seen) if is_kept else ()
    return ScheduledActivity(
        activity=agreement.activity,
        place=agreement.place,
        starts=agreement.starts,
        ends=agreement.ends,
        outcome=agreement_outcome,
        present=tuple(map(context.name_of, attended.seen)) if is_kept else (),
        absent=tuple(map(context.name_of, absent)),
    )


# --- Sentences -------------------------------------------------------------------------------


def ended_text(name: str, ended: ScheduledActivity) -> str:
    """Return the memory of the end of an agreement, with its place, date and times."""
    assert ended.outcome is not None, "the agreement is over"
    parts = [phrase(_SENTENCES[ended.outcome], agreed=agreement_text(name, ended))]
    if ended.present:
        parts.append(phrase("also there: {names}", names=_named(ended.present)))
    if ended.absent:
        parts.append(phrase("not there: {names}", names=_named(ended.absent)))
    return "; ".join(parts)


def _named(names: Sequence[str]) -> str:
    return ", ".join(names[:NAMED_MAX])
