"""The projection of embodiments, action requests and outcomes."""

from dataclasses import asdict

from apps.eventlog.event import Event, Recorded
from apps.eventlog.projection import Projection
from apps.simulation.embodiment.events import (
    REQUEST_EVENTS,
    ActionRequestAnswered,
    EmbodimentBegan,
    EmbodimentEnded,
    EmbodimentEvent,
)
from apps.simulation.embodiment.models import BEGIN, END, AnswerRow, CallRow, EmbodimentRow
from apps.simulation.embodiment.requested_actions import NAMES

_KINDS: dict[type[Event], str] = {
    EmbodimentBegan: BEGIN,
    EmbodimentEnded: END,
    **{event: NAMES[action] for action, event in REQUEST_EVENTS.items()},
}
_NOT_IN_BODY = frozenset({"embodiment", "agent", "by", "reason", "is_visitor"})


def _begin(recorded: Recorded) -> None:
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
    _insert_request(recorded)


def _end(recorded: Recorded) -> None:
    event = recorded.event
    assert isinstance(event, EmbodimentEnded)
    EmbodimentRow.objects.filter(
        simulation_id=recorded.simulation_id, number=event.embodiment
    ).update(to_tick=recorded.tick, ended_by=event.by, ended_reason=event.reason)
    _insert_request(recorded)


def _insert_request(recorded: Recorded) -> None:
    event = recorded.event
    assert isinstance(event, EmbodimentEvent)
    CallRow.objects.create(
        simulation_id=recorded.simulation_id,
        event=str(recorded.place),
        tick=recorded.tick,
        ordinal=recorded.place.ordinal,
        agent=event.agent,
        embodiment=event.embodiment,
        kind=_KINDS[type(event)],
        body={key: value for key, value in asdict(event).items() if key not in _NOT_IN_BODY},
        by=event.by,
        reason=event.reason,
    )


def _insert_answer(recorded: Recorded) -> None:
    AnswerRow.objects.create(
        simulation_id=recorded.simulation_id,
        agent=recorded.stream,
        tick=recorded.tick,
        **asdict(recorded.event),
    )


EMBODIMENTS = Projection(
    models=(EmbodimentRow, CallRow, AnswerRow),
    handlers={
        EmbodimentBegan: _begin,
        EmbodimentEnded: _end,
        **dict.fromkeys(REQUEST_EVENTS.values(), _insert_request),
        ActionRequestAnswered: _insert_answer,
    },
)
