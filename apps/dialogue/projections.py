"""The projection of conversations."""

from collections.abc import Sequence
from enum import StrEnum
from typing import Any

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
from apps.lineage.history_rows import HistoryQuerySet


def _said(recorded: Recorded) -> None:
    event = recorded.event
    assert isinstance(event, Said)
    UtteranceRow.objects.create(
        simulation_id=recorded.simulation_id,
        agent=recorded.stream,
        tick=recorded.tick,
        conversation=event.conversation,
        number=event.number,
        to=event.to,
        text=event.text,
        ends=event.ends,
        memories=list(event.memories),
        participants=list(event.participants),
        by_phone=event.by_phone,
        intent=event.intent,
        leaves=event.leaves,
        event=str(recorded.place),
    )
    # An agent is in a conversation from its first utterance on.
    _part(recorded, event.conversation).copy_inherited()
    TalkRow.objects.bulk_create(
        [
            TalkRow(
                simulation_id=recorded.simulation_id,
                agent=recorded.stream,
                conversation=event.conversation,
                other=event.to,
                from_tick=recorded.tick,
                by_phone=event.by_phone,
            )
        ],
        ignore_conflicts=True,
    )


def _ended(recorded: Recorded) -> None:
    event = recorded.event
    assert isinstance(event, TalkEnded)
    ended = {
        "to_tick": recorded.tick,
        "why": event.why,
        "heard_by": list(event.heard_by),
    }
    if not _part(recorded, event.conversation).update(**ended):
        # An agent that has only listened gets its row now.
        TalkRow.objects.create(
            simulation_id=recorded.simulation_id,
            agent=recorded.stream,
            conversation=event.conversation,
            other=event.other,
            from_tick=recorded.tick,
            **ended,
        )


def _part(recorded: Recorded, conversation: str) -> HistoryQuerySet[TalkRow]:
    """Return the row of the agent's part in a conversation, if there is one."""
    return TalkRow.objects.get_queryset().filter(
        simulation_id=recorded.simulation_id,
        agent=recorded.stream,
        conversation=conversation,
    )


def _overheard(recorded: Recorded) -> None:
    event = recorded.event
    assert isinstance(event, Overheard)
    _insert(
        OverheardRow,
        recorded,
        conversation=event.conversation,
        utterances=list(event.utterances),
        is_over=event.is_over,
    )


def _agreed(recorded: Recorded) -> None:
    event = recorded.event
    assert isinstance(event, Agreed)
    _insert(
        CommitmentRow,
        recorded,
        conversation=event.conversation,
        other=event.other,
        activity=event.activity,
        declined=False,
        place=event.place,
        day=event.day,
        from_minute=event.from_minute,
        to_minute=event.to_minute,
        cancelled=event.cancelled,
        besides=list(event.besides),
    )
    if event.replaces:
        CommitmentRow.objects.filter(
            simulation_id=recorded.simulation_id,
            agent=recorded.stream,
            event=event.replaces,
            superseded_tick=None,
        ).update(superseded_tick=recorded.tick)


def _declined(recorded: Recorded) -> None:
    event = recorded.event
    assert isinstance(event, Declined)
    _insert(
        CommitmentRow,
        recorded,
        conversation=event.conversation,
        other=event.other,
        activity=event.activity,
        declined=True,
    )


def _agreement_ended(recorded: Recorded) -> None:
    event = recorded.event
    assert isinstance(event, AgreementEnded)
    _end(CommitmentRow, recorded, event.agreements, event.outcome)


def _promised(recorded: Recorded) -> None:
    event = recorded.event
    assert isinstance(event, Promised)
    _insert(
        PromiseRow,
        recorded,
        conversation=event.conversation,
        other=event.other,
        what=event.what,
        to=event.to,
        memory=event.memory,
    )


def _promise_ended(recorded: Recorded) -> None:
    event = recorded.event
    assert isinstance(event, PromiseEnded)
    _end(PromiseRow, recorded, [event.promise], event.outcome)


def _insert(
    model: type[CommitmentRow] | type[OverheardRow] | type[PromiseRow],
    recorded: Recorded,
    **what: Any,
) -> None:
    """Insert a row of the agent with the tick and the id of the event."""
    model.objects.create(
        simulation_id=recorded.simulation_id,
        agent=recorded.stream,
        tick=recorded.tick,
        event=str(recorded.place),
        **what,
    )


def _end(
    model: type[CommitmentRow] | type[PromiseRow],
    recorded: Recorded,
    events: Sequence[str],
    outcome: StrEnum,
) -> None:
    """Record the end of the agent's rows of the earlier events."""
    model.objects.filter(
        simulation_id=recorded.simulation_id,
        agent=recorded.stream,
        event__in=events,
        ended_tick=None,
    ).update(ended_tick=recorded.tick, outcome=outcome.value)


CONVERSATIONS = Projection(
    models=(UtteranceRow, TalkRow, OverheardRow, CommitmentRow, PromiseRow),
    handlers={
        Said: _said,
        TalkEnded: _ended,
        Overheard: _overheard,
        Agreed: _agreed,
        Declined: _declined,
        AgreementEnded: _agreement_ended,
        Promised: _promised,
        PromiseEnded: _promise_ended,
    },
)
