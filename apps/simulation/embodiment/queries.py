"""Reads embodiments and action requests, as of a tick or as they are now."""

from uuid import UUID

from django.db.models import Max, Q

from apps.simulation.embodiment.models import AnswerRow, CallRow, EmbodimentRow
from apps.simulation.embodiment.rules import (
    ActionRequest,
    Control,
    Embodiment,
    Outcome,
    RequestKind,
    control_at,
)

_EMBODIMENT_FIELDS = (
    "number",
    "agent",
    "is_visitor",
    "by",
    "reason",
    "from_tick",
    "to_tick",
    "ended_by",
    "ended_reason",
)


def list_embodiments(simulation_id: UUID) -> list[Embodiment]:
    """Return the embodiments that have begun, by number."""
    rows = EmbodimentRow.objects.filter(simulation_id=simulation_id).order_by("number")
    return [Embodiment(**values) for values in rows.values(*_EMBODIMENT_FIELDS)]


def find_embodiment(simulation_id: UUID, number: int) -> Embodiment | None:
    """Return the embodiment of the number, None if it has not begun."""
    rows = EmbodimentRow.objects.filter(simulation_id=simulation_id, number=number)
    values = rows.values(*_EMBODIMENT_FIELDS).first()
    return None if values is None else Embodiment(**values)


def open_embodiments(simulation_id: UUID) -> list[Embodiment]:
    """Return the embodiments that no command has ended, by number."""
    return [one for one in list_embodiments(simulation_id) if one.to_tick is None]


def last_number(simulation_id: UUID) -> int:
    """Return the highest number of an embodiment that has begun, 0 if there is none."""
    rows = EmbodimentRow.objects.filter(simulation_id=simulation_id)
    return int(rows.aggregate(last=Max("number"))["last"] or 0)


def is_embodied(simulation_id: UUID, agent: str, *, tick: int) -> bool:
    """Return whether a user controls the agent in the tick."""
    rows = EmbodimentRow.objects.filter(
        Q(to_tick=None) | Q(to_tick__gt=tick),
        simulation_id=simulation_id,
        agent=agent,
        from_tick__lte=tick,
    )
    return rows.exists()


def control_of(simulation_id: UUID, agent: str, *, tick: int) -> Control | None:
    """Return the control of the agent's turn in the tick; None if it controls itself."""
    rows = EmbodimentRow.objects.filter(
        simulation_id=simulation_id, agent=agent, from_tick__lte=tick
    )
    latest = rows.order_by("-number").values(*_EMBODIMENT_FIELDS).first()
    if latest is None:
        return None
    requests = _requests(simulation_id, agent, until_tick=tick, answered_before=tick)
    return control_at(Embodiment(**latest), requests, tick=tick)


def latest_requests(
    simulation_id: UUID, embodiment: Embodiment, *, as_of_tick: int, count: int
) -> list[ActionRequest]:
    """Return the last `count` actions requested in the embodiment, with outcomes, in order."""
    found = _requests(
        simulation_id,
        embodiment.agent,
        until_tick=as_of_tick + 1,
        answered_before=as_of_tick + 1,
        embodiment=embodiment.number,
    )
    ends = {RequestKind.BEGIN, RequestKind.END}
    return [request for request in found if request.kind not in ends][-count:]


def get_request(simulation_id: UUID, agent: str, event: str) -> ActionRequest:
    """Return the action request of the event, with its outcome by now."""
    [request] = _requests(simulation_id, agent, event=event)
    return request


def first_open_ticks(simulation_id: UUID) -> dict[str, int]:
    """Return the tick of the earliest request without an answer, by agent."""
    answered = AnswerRow.objects.filter(simulation_id=simulation_id).values("call")
    rows = CallRow.objects.filter(simulation_id=simulation_id).exclude(event__in=answered)
    # The earliest comes last, and stays.
    return dict(rows.order_by("-tick").values_list("agent", "tick"))


def _requests(
    simulation_id: UUID,
    agent: str,
    *,
    until_tick: int | None = None,
    answered_before: int | None = None,
    embodiment: int | None = None,
    event: str | None = None,
) -> list[ActionRequest]:
    rows = CallRow.objects.filter(simulation_id=simulation_id, agent=agent)
    answers = AnswerRow.objects.filter(simulation_id=simulation_id, agent=agent)
    if until_tick is not None:
        rows = rows.filter(tick__lte=until_tick)
    if answered_before is not None:
        answers = answers.filter(tick__lt=answered_before)
    if embodiment is not None:
        rows = rows.filter(embodiment=embodiment)
    if event is not None:
        rows, answers = rows.filter(event=event), answers.filter(call=event)
    latest: dict[str, AnswerRow] = {}
    for answer in answers.order_by("tick", "id"):
        known = latest.get(answer.call)
        if known is None or known.outcome == Outcome.BEGUN:
            latest[answer.call] = answer
    return [_request(row, latest.get(row.event)) for row in rows.order_by("tick", "ordinal")]


def _request(row: CallRow, answer: AnswerRow | None) -> ActionRequest:
    return ActionRequest(
        event=row.event,
        tick=row.tick,
        embodiment=row.embodiment,
        kind=RequestKind(row.kind),
        body=row.body,
        by=row.by,
        reason=row.reason,
        outcome="" if answer is None else answer.outcome,
        answered_tick=None if answer is None else answer.tick,
        code="" if answer is None else answer.code,
        why="" if answer is None else answer.why,
    )
