"""Reads embodiments and action requests, as of a tick or with their present outcomes."""

from dataclasses import fields
from typing import Any
from uuid import UUID

from apps.lineage.statements import history_rows
from apps.simulation.embodiment.models import BEGIN, END, AnswerRow, CallRow, EmbodimentRow
from apps.simulation.embodiment.requested_actions import (
    ACTIONS,
    ActionRequest,
    Control,
    Embodiment,
    Outcome,
    control_at,
)

_EMBODIMENT_FIELDS = tuple(field.name for field in fields(Embodiment))
# Every turn executes this.
_LATEST_EMBODIMENT = f"""
SELECT {", ".join(_EMBODIMENT_FIELDS)} FROM embodiment_embodimentrow
WHERE simulation_id = %(simulation)s AND agent = %(agent)s AND from_tick <= %(tick)s
ORDER BY number DESC LIMIT 1
"""  # noqa: S608 (names of the code)


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


def control_of(simulation_id: UUID, agent: str, *, tick: int) -> Control | None:
    """Return the control of the agent's turn in the tick; None if it controls itself."""
    values = {"simulation": simulation_id, "agent": agent, "tick": tick}
    begun = history_rows(_LATEST_EMBODIMENT, values, simulation_id)
    if not begun:
        return None
    latest = Embodiment(**dict(zip(_EMBODIMENT_FIELDS, begun[0], strict=True)))
    requests = _requests(simulation_id, agent, answered_before=tick, tick__lte=tick)
    return control_at(latest, requests, tick=tick)


def latest_requests(
    simulation_id: UUID, embodiment: Embodiment, *, as_of_tick: int, count: int
) -> list[ActionRequest]:
    """Return the last `count` actions requested in the embodiment, with outcomes, in order."""
    found = _requests(
        simulation_id,
        embodiment.agent,
        answered_before=as_of_tick + 1,
        tick__lte=as_of_tick + 1,
        embodiment=embodiment.number,
    )
    return [request for request in found if request.action is not None][-count:]


def get_request(simulation_id: UUID, agent: str, event: str) -> ActionRequest:
    """Return the action request of the event, with its present outcome."""
    [request] = _requests(simulation_id, agent, event=event)
    return request


def first_open_ticks(simulation_id: UUID) -> dict[str, int]:
    """Return the tick of the earliest request without an answer, by agent."""
    answered = AnswerRow.objects.filter(simulation_id=simulation_id).values("call")
    rows = CallRow.objects.filter(simulation_id=simulation_id).exclude(event__in=answered)
    # Of the requests of an agent, the last one, the earliest, is kept.
    return dict(rows.order_by("-tick").values_list("agent", "tick"))


def _requests(
    simulation_id: UUID, agent: str, *, answered_before: int | None = None, **conditions: Any
) -> list[ActionRequest]:
    """Return the agent's requests that meet the conditions, in order of effect."""
    of_agent = {"simulation_id": simulation_id, "agent": agent}
    rows = CallRow.objects.filter(**of_agent, **conditions).order_by("tick", "ordinal")
    answers = AnswerRow.objects.filter(**of_agent, call__in=[row.event for row in rows])
    if answered_before is not None:
        answers = answers.filter(tick__lt=answered_before)
    latest: dict[str, AnswerRow] = {}
    for answer in answers.order_by("tick", "id"):
        known = latest.get(answer.call)
        if known is None or known.outcome == Outcome.BEGUN:
            latest[answer.call] = answer
    return [_request(row, latest.get(row.event)) for row in rows]


def _request(row: CallRow, answer: AnswerRow | None) -> ActionRequest:
    outcome: dict[str, Any] = {}
    if answer is not None:
        outcome = {"outcome": answer.outcome, "answered_tick": answer.tick}
        outcome |= {"code": answer.code, "why": answer.why}
    return ActionRequest(
        event=row.event,
        tick=row.tick,
        embodiment=row.embodiment,
        action=None if row.kind in (BEGIN, END) else ACTIONS[row.kind].model_validate(row.body),
        by=row.by,
        reason=row.reason,
        **outcome,
    )
