"""What can be asked of embodiments: as of the end of a tick, or as they stand now."""

from collections.abc import Iterable
from uuid import UUID

from django.db.models import Max, Q

from apps.embodiment.models import AnswerRow, CallRow, EmbodimentRow
from apps.embodiment.rules import Call, Embodiment, Hands, Kind, Outcome, hands_of

_EMBODIMENT = (
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


def list_embodiments(
    simulation_id: UUID, *, after: int = 0, count: int | None = None
) -> list[Embodiment]:
    """Return the simulation's embodiments after a number, in order."""
    rows = EmbodimentRow.objects.filter(simulation_id=simulation_id, number__gt=after)
    found = rows.order_by("number").values(*_EMBODIMENT)
    return [Embodiment(**values) for values in (found if count is None else found[:count])]


def embodiment_numbered(simulation_id: UUID, number: int) -> Embodiment | None:
    """Return the embodiment of that number, if it has begun."""
    rows = EmbodimentRow.objects.filter(simulation_id=simulation_id, number=number)
    values = rows.values(*_EMBODIMENT).first()
    return None if values is None else Embodiment(**values)


def open_embodiments(simulation_id: UUID) -> list[Embodiment]:
    """Return those that nobody has ended."""
    return [one for one in list_embodiments(simulation_id) if one.to_tick is None]


def last_number(simulation_id: UUID) -> int:
    """Return the highest number of an embodiment that has begun, 0 if there is none."""
    rows = EmbodimentRow.objects.filter(simulation_id=simulation_id)
    return int(rows.aggregate(last=Max("number"))["last"] or 0)


def is_embodied(simulation_id: UUID, agent: str, *, tick: int) -> bool:
    """Whether what the person does in the tick is a user's."""
    rows = EmbodimentRow.objects.filter(
        Q(to_tick=None) | Q(to_tick__gt=tick),
        simulation_id=simulation_id,
        agent=agent,
        from_tick__lte=tick,
    )
    return rows.exists()


def hands_on(simulation_id: UUID, agent: str, *, tick: int) -> Hands | None:
    """Return what the person's turn in the tick has to heed; None if they are their own."""
    rows = EmbodimentRow.objects.filter(
        simulation_id=simulation_id, agent=agent, from_tick__lte=tick
    )
    latest = rows.order_by("-number").values(*_EMBODIMENT).first()
    if latest is None:
        return None
    calls = _calls(simulation_id, agent, until_tick=tick, answered_before=tick)
    return hands_of(Embodiment(**latest), calls, tick=tick)


def calls_of(
    simulation_id: UUID, embodiment: Embodiment, *, as_of_tick: int, count: int
) -> list[Call]:
    """Return the latest things asked in an embodiment, and what had come of them, in order."""
    found = _calls(
        simulation_id,
        embodiment.agent,
        until_tick=as_of_tick + 1,
        answered_before=as_of_tick + 1,
        embodiment=embodiment.number,
    )
    return [call for call in found if call.kind not in {Kind.BEGIN, Kind.END}][-count:]


def answers_of(simulation_id: UUID, agent: str, calls: Iterable[str]) -> dict[str, Call]:
    """Return how far the calls of these events have come by now, by event."""
    asked = frozenset(calls)
    found = _calls(simulation_id, agent, events=asked)
    return {call.event: call for call in found}


def first_open(simulation_id: UUID) -> dict[str, int]:
    """Return from which tick on somebody has something to heed, by slug."""
    answered = AnswerRow.objects.filter(simulation_id=simulation_id).values("call")
    rows = CallRow.objects.filter(simulation_id=simulation_id).exclude(event__in=answered)
    # The earliest comes last, and stays.
    return dict(rows.order_by("-tick").values_list("agent", "tick"))


def _calls(
    simulation_id: UUID,
    agent: str,
    *,
    until_tick: int | None = None,
    answered_before: int | None = None,
    embodiment: int | None = None,
    events: Iterable[str] | None = None,
) -> list[Call]:
    rows = CallRow.objects.filter(simulation_id=simulation_id, agent=agent)
    answers = AnswerRow.objects.filter(simulation_id=simulation_id, agent=agent)
    if until_tick is not None:
        rows = rows.filter(tick__lte=until_tick)
    if answered_before is not None:
        answers = answers.filter(tick__lt=answered_before)
    if embodiment is not None:
        rows = rows.filter(embodiment=embodiment)
    if events is not None:
        rows, answers = rows.filter(event__in=events), answers.filter(call__in=events)
    latest: dict[str, AnswerRow] = {}
    for answer in answers.order_by("tick", "id"):
        known = latest.get(answer.call)
        if known is None or known.outcome == Outcome.BEGUN:
            latest[answer.call] = answer
    return [_call(row, latest.get(row.event)) for row in rows.order_by("tick", "ordinal")]


def _call(row: CallRow, answer: AnswerRow | None) -> Call:
    return Call(
        event=row.event,
        tick=row.tick,
        embodiment=row.embodiment,
        kind=Kind(row.kind),
        body=row.body,
        by=row.by,
        reason=row.reason,
        outcome="" if answer is None else answer.outcome,
        answered_tick=None if answer is None else answer.tick,
        code="" if answer is None else answer.code,
        why="" if answer is None else answer.why,
    )
