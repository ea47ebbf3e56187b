"""The projection of embodiments, action requests and outcomes."""

from apps.eventlog.event import Event, Recorded
from apps.eventlog.projection import Projection
from apps.eventlog.row_writing import fields_of, insert, inserting
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


def _begin(event: EmbodimentBegan, recorded: Recorded) -> None:
    insert(EmbodimentRow, recorded, number=event.embodiment)
    _insert_request(event, recorded)


def _end(event: EmbodimentEnded, recorded: Recorded) -> None:
    EmbodimentRow.objects.filter(
        simulation_id=recorded.simulation_id, number=event.embodiment
    ).update(to_tick=recorded.tick, ended_by=event.by, ended_reason=event.reason)
    _insert_request(event, recorded)


def _insert_request(event: EmbodimentEvent, recorded: Recorded) -> None:
    body = {name: value for name, value in fields_of(event).items() if name not in _NOT_IN_BODY}
    insert(CallRow, recorded, kind=_KINDS[type(event)], body=body)


EMBODIMENTS = Projection(
    models=(EmbodimentRow, CallRow, AnswerRow),
    handlers={
        EmbodimentBegan: _begin,
        EmbodimentEnded: _end,
        **dict.fromkeys(REQUEST_EVENTS.values(), _insert_request),
        ActionRequestAnswered: inserting(AnswerRow),
    },
)
