"""A town whose model server goes wrong in one way, and what comes of it."""

import json
from dataclasses import dataclass

from apps import wiring
from apps.eventlog.rebuild import check
from apps.llm.models import EmbeddingCallRow, ModelCallRow
from apps.simulation.models import Status
from tests.model_server.cases import Case, Ends, mended
from tests.support.thinking_towns import ThinkingTown, thinking_town
from tests.support.towns import ONE_BY_ONE, history_of

ISABELLA = ("Isabella Rodriguez",)
STRUCK_FROM = 2_000  # everybody is asleep; the next call is the first of the morning
END = 2_400  # 6:40: she is up, has planned her day and acts


@dataclass(frozen=True, kw_only=True)
class Struck:
    """How the morning went. `extra` counts requests that an undisturbed one does not need."""

    ends: Ends | None
    reason: str
    requests: int
    on_record: int
    extra: int
    answered_twice: int
    committed_tick: int
    history: str
    problems: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class Undisturbed:
    """The morning as it should be."""

    requests: int
    history: str


def undisturbed() -> Undisturbed:
    """Live the morning with a server that does its work."""
    with thinking_town(ISABELLA) as town:
        town.live(END)
        return Undisturbed(requests=len(town.server.requests), history=history_of(town.row.pk))


def strike(case: Case, expected: Undisturbed) -> Struck:
    """Live the morning with a server that goes wrong; mend it when the town has paused."""
    with thinking_town(
        ISABELLA,
        manner=ONE_BY_ONE,
        timeout_seconds=case.seconds_per_try,
        deadline_seconds=case.deadline_seconds,
    ) as town:
        town.live(STRUCK_FROM)
        town.server.kind = case.kind
        town.server.goes_wrong(*case.faults)
        town.server.for_good = case.for_good
        case.switch(town.server)
        row = town.live(END)
        reason = row.reason if row.committed_tick < END else ""
        if row.status == Status.PAUSED and row.committed_tick < END:
            mended(town.server)
            row = town.live(END)
        requests = len(town.server.requests)
        return Struck(
            ends=_end_of(town, paused=bool(reason)),
            reason=reason,
            requests=requests,
            on_record=town.tries_on_record,
            extra=requests - expected.requests,
            answered_twice=_answered_twice(town),
            committed_tick=row.committed_tick,
            history=history_of(row.pk),
            problems=tuple(check(wiring.event_store(), row.pk).problems),
        )


def _end_of(town: ThinkingTown, *, paused: bool) -> Ends:
    """Return the worst that became of a call, by the call log."""
    rows = ModelCallRow.objects.filter(simulation_id=town.row.pk)
    outcomes = set(rows.values_list("outcome", flat=True))
    tries = [
        attempt for attempts in rows.values_list("attempts", flat=True) for attempt in attempts
    ]
    embedded = EmbeddingCallRow.objects.filter(simulation_id=town.row.pk)
    setbacks = [
        *(setback for attempt in tries for setback in attempt.get("setbacks", ())),
        *(said for kept in embedded.values_list("setbacks", flat=True) for said in kept),
    ]
    refused = [said for said in setbacks if said.startswith("400: ")]
    if paused:
        return Ends.PAUSED
    if "fell_back" in outcomes:
        return Ends.FELL_BACK
    if "repaired" in outcomes:
        return Ends.REPAIRED
    return Ends.RETRIED if len(setbacks) > len(refused) else Ends.VALID


def _answered_twice(town: ThinkingTown) -> int:
    """Return how many answers and vectors the server gave rightly more than once."""
    asked: list[str] = []
    for body in town.server.answered:
        if "messages" in body:
            asked.append(json.dumps([body["seed"], body["messages"]]))
        else:
            asked += body["input"]
    return len(asked) - len(set(asked))
