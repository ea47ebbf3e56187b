"""The projection of conversations."""

from collections.abc import Sequence
from enum import StrEnum

from apps.dialogue.events import (
    Agreed,
    AgreementEnded,
    Declined,
    Overheard,
    Promised,
    PromiseEnded,
    Said,
    TalkEnded,
)
from apps.dialogue.models import (
    CommitmentRow,
    OverheardRow,
    PromiseRow,
    TalkRow,
    UtteranceRow,
)
from apps.eventlog.event import Recorded
from apps.eventlog.projection import Projection
from apps.eventlog.row_writing import agent_rows, insert, inserting, row_of
from apps.lineage.history_rows import HistoryQuerySet


def _said(event: Said, recorded: Recorded) -> None:
    insert(UtteranceRow, recorded)
    # An agent is in a conversation from its first utterance on.
    _part(recorded, event.conversation).copy_inherited()
    part = row_of(TalkRow, recorded, event, other=event.to)
    TalkRow.objects.bulk_create([part], ignore_conflicts=True)


def _ended(event: TalkEnded, recorded: Recorded) -> None:
    ended = {"to_tick": recorded.tick, "why": event.why, "heard_by": list(event.heard_by)}
    if not _part(recorded, event.conversation).update(**ended):
        # An agent that has only listened gets its row now.
        insert(TalkRow, recorded, to_tick=recorded.tick)


def _part(recorded: Recorded, conversation: str) -> HistoryQuerySet[TalkRow]:
    """Return the row of the agent's part in a conversation, if there is one."""
    return TalkRow.objects.get_queryset().filter(
        simulation_id=recorded.simulation_id,
        agent=recorded.stream,
        conversation=conversation,
    )


def _agreed(event: Agreed, recorded: Recorded) -> None:
    insert(CommitmentRow, recorded, declined=False)
    if event.replaces:
        replaced = agent_rows(
            CommitmentRow, recorded, event=event.replaces, superseded_tick=None
        )
        replaced.update(superseded_tick=recorded.tick)


def _declined(_event: Declined, recorded: Recorded) -> None:
    insert(CommitmentRow, recorded, declined=True)


def _agreement_ended(event: AgreementEnded, recorded: Recorded) -> None:
    _end(CommitmentRow, recorded, event.agreements, event.outcome)


def _promise_ended(event: PromiseEnded, recorded: Recorded) -> None:
    _end(PromiseRow, recorded, [event.promise], event.outcome)


def _end(
    model: type[CommitmentRow] | type[PromiseRow],
    recorded: Recorded,
    events: Sequence[str],
    outcome: StrEnum,
) -> None:
    """Record the end of the agent's rows of the earlier events."""
    rows = agent_rows(model, recorded, event__in=events, ended_tick=None)
    rows.update(ended_tick=recorded.tick, outcome=outcome.value)


CONVERSATIONS = Projection(
    models=(UtteranceRow, TalkRow, OverheardRow, CommitmentRow, PromiseRow),
    handlers={
        Said: _said,
        TalkEnded: _ended,
        Overheard: inserting(OverheardRow),
        Agreed: _agreed,
        Declined: _declined,
        AgreementEnded: _agreement_ended,
        Promised: inserting(PromiseRow),
        PromiseEnded: _promise_ended,
    },
)
