"""The rows of embodiments, written with the events that say them."""

from dataclasses import asdict
from typing import Any

from apps.embodiment.events import (
    CallAnswered,
    DeedAsked,
    EmbodimentBegan,
    EmbodimentEnded,
    MoveAsked,
    WordsAsked,
)
from apps.embodiment.models import AnswerRow, CallRow, EmbodimentRow
from apps.embodiment.rules import Kind
from apps.eventlog.event import Recorded
from apps.eventlog.projection import Projection

_NOT_OF_THE_BODY = frozenset({"embodiment", "agent", "by", "reason", "is_visitor"})


def _began(recorded: Recorded) -> None:
    event = recorded.event
    assert isinstance(event, EmbodimentBegan)
    EmbodimentRow.objects.create(
        simulation_id=recorded.simulation_id,
        number=event.embodiment,
        agent=event.agent,
        is_visitor=event.is_visitor,
        by=event.by,
        reason=event.reason,
        from_tick=recorded.tick,
    )
    _call(recorded, Kind.BEGIN)


def _ended(recorded: Recorded) -> None:
    event = recorded.event
    assert isinstance(event, EmbodimentEnded)
    EmbodimentRow.objects.filter(
        simulation_id=recorded.simulation_id, number=event.embodiment
    ).update(to_tick=recorded.tick, ended_by=event.by, ended_reason=event.reason)
    _call(recorded, Kind.END)


def _move_asked(recorded: Recorded) -> None:
    _call(recorded, Kind.MOVE)


def _words_asked(recorded: Recorded) -> None:
    _call(recorded, Kind.SAY)


def _deed_asked(recorded: Recorded) -> None:
    _call(recorded, Kind.ACT)


def _call(recorded: Recorded, kind: Kind) -> None:
    event: Any = recorded.event
    body = {
        name: value for name, value in asdict(event).items() if name not in _NOT_OF_THE_BODY
    }
    CallRow.objects.create(
        simulation_id=recorded.simulation_id,
        event=str(recorded.place),
        tick=recorded.tick,
        ordinal=recorded.place.ordinal,
        agent=event.agent,
        embodiment=event.embodiment,
        kind=kind.value,
        body=body,
        by=event.by,
        reason=event.reason,
    )


def _answered(recorded: Recorded) -> None:
    event = recorded.event
    assert isinstance(event, CallAnswered)
    AnswerRow.objects.create(
        simulation_id=recorded.simulation_id,
        agent=recorded.stream,
        call=event.call,
        tick=recorded.tick,
        outcome=event.outcome,
        code=event.code,
        why=event.why,
    )


EMBODIMENTS = Projection(
    name="embodiment.hands",
    models=(EmbodimentRow, CallRow, AnswerRow),
    handlers={
        EmbodimentBegan: _began,
        EmbodimentEnded: _ended,
        MoveAsked: _move_asked,
        WordsAsked: _words_asked,
        DeedAsked: _deed_asked,
        CallAnswered: _answered,
    },
)
