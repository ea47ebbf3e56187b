"""Queries of the call log: the calls of a simulation, and their cost."""

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from operator import attrgetter
from typing import Any, Literal
from uuid import UUID

from django.db.models import (
    Case,
    CharField,
    Count,
    F,
    IntegerField,
    Max,
    Min,
    Q,
    QuerySet,
    Sum,
    Value,
    When,
)
from django.db.models.expressions import Combinable, ExpressionWrapper
from django.db.models.functions import Concat, Floor

from apps.django_support.keyset import pages_of
from apps.django_support.statements import rows_of
from apps.django_support.text_search import JsonContains, pattern_of
from apps.kernel.errors import NotFound
from apps.kernel.game_time import TICK_MAX
from apps.llm.calls.answering import AnswerOutcome
from apps.llm.calls.call_log import EMBEDDING
from apps.llm.calls.prompt_storage import fetch_messages
from apps.llm.model_spec import OFFLINE
from apps.llm.models import (
    ANSWERED_BY,
    EmbeddingCallRow,
    ModelCallRow,
    ModelFailureRow,
)
from apps.llm.port import CallPurpose, Served
from apps.llm.usage import MEMBERS, Usage, UsageLine

SEARCHED_AT_ONCE = 500


class ModelCallUnknown(NotFound):
    """There is no such model call in this simulation."""


ALL = "all"
"""The key of a total beside those of tasks or models."""
OUTCOME_COUNTS = {
    name: Count("id", filter=Q(outcome=outcome.value))
    for name, outcome in {
        "kept": AnswerOutcome.VALID,
        "adjusted": AnswerOutcome.ADJUSTED,
        "asked_again": AnswerOutcome.REPAIRED,
        "fell_back": AnswerOutcome.FELL_BACK,
    }.items()
}
"""How many rows with an `outcome` have each one, by the fields of `AnswerOutcomes`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CallFilters:
    """Conditions on calls, None for no condition. Ticks: from_tick <= tick < to_tick."""

    stream: str | None = None
    task: str | None = None
    outcome: str | None = None
    from_tick: int | None = None
    to_tick: int | None = None
    search: str | None = None


class CostGroup(StrEnum):
    """What costs can be grouped by: LLM task, model, agent, or game day, counted from 0."""

    TASK = "task"
    MODEL = "model"
    AGENT = "agent"
    DAY = "day"


_MODEL = Case(
    When(server=OFFLINE, then=Value(OFFLINE)),
    default=Concat("server", Value(":"), "model"),
    output_field=CharField(),
)
"""The name of the model of a call, as in `ModelSpec.chats`."""


def model_call_rows(simulation_id: UUID, filters: CallFilters) -> QuerySet[ModelCallRow]:
    """Return calls in the order of (tick, stream, id).

    `filters.search` applies to the prompts and the answer.
    """
    conditions = {
        "stream": filters.stream,
        "task": filters.task,
        "outcome": filters.outcome,
        "tick__gte": filters.from_tick,
        "tick__lt": filters.to_tick,
    }
    given = {name: value for name, value in conditions.items() if value is not None}
    rows = ModelCallRow.objects.filter(simulation_id=simulation_id, **given)
    if filters.search is not None:
        in_prompts = Q(pk__in=_with_prompt_text(rows, filters.search))
        rows = rows.filter(in_prompts | Q(JsonContains("answer", filters.search)))
    return rows.order_by("tick", "stream", "id")


def calls_of_history(
    simulation_id: UUID, *, until_tick: int, with_evaluations: bool = False
) -> QuerySet[ModelCallRow]:
    """Return the calls of turns up to the tick in the order of (tick, stream, id).

    :param with_evaluations: whether to return those of interviews, judges and news searches,
        too, which are no history: more of them may follow.
    """
    calls = model_call_rows(simulation_id, CallFilters(to_tick=until_tick + 1))
    return calls if with_evaluations else calls.filter(purpose=CallPurpose.TURN)


def embedding_calls_of_history(
    simulation_id: UUID, *, until_tick: int
) -> QuerySet[EmbeddingCallRow]:
    """Return the requests for vectors of turns up to the tick, in the same order."""
    rows = EmbeddingCallRow.objects.filter(
        simulation_id=simulation_id, tick__lte=until_tick, purpose=CallPurpose.TURN
    )
    return rows.order_by("tick", "stream", "id")


def _with_prompt_text(rows: QuerySet[ModelCallRow], text: str) -> list[int]:
    """Return the keys of the calls with the text in a message; the prompts are compressed."""
    is_in = _finder(text)
    return [
        call.pk
        for page in pages_of(rows.only("prompt").order_by("pk"), SEARCHED_AT_ONCE)
        for call in fetch_messages(page)
        if any(is_in(message["content"]) for message in call.messages)
    ]


def _finder(text: str) -> Callable[[str], bool]:
    """Return whether the text is in another one, in any case; ASCII is found faster."""
    if text.isascii():
        wanted = text.lower()
        return lambda content: wanted in content.lower()
    pattern = re.compile(pattern_of(text))
    return lambda content: pattern.search(content) is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerOutcomes:
    """The outcomes of the answers of one task or model, or of all; failed calls have none.

    `kept` are done as given at once, `adjusted` with recorded differences, `asked_again` were
    invalid at first, and in place of `fell_back` the fallback of the task is done.
    """

    key: str
    """The LLM task, or the model as `server:model`; "all" in the total."""
    calls: int = 0
    kept: int = 0
    adjusted: int = 0
    asked_again: int = 0
    fell_back: int = 0

    @property
    def kept_share(self) -> float | None:
        """The share of answers that are done as given, 0 to 1; None without calls."""
        return self.kept / self.calls if self.calls else None


def answer_outcomes(
    simulation_id: UUID,
    *,
    by: Literal[CostGroup.TASK, CostGroup.MODEL] = CostGroup.TASK,
    as_of_tick: int | None = None,
    of_turns_only: bool = False,
) -> tuple[AnswerOutcomes, list[AnswerOutcomes]]:
    """Return the outcomes of the answers: of all, and by task or model in order of their names.

    :param of_turns_only: whether to leave out the calls of interviews, of judges and of
        searches for news, which evaluate the simulation and which branches do not inherit.
    """
    rows = ModelCallRow.objects.filter(simulation_id=simulation_id)
    if of_turns_only:
        rows = rows.filter(purpose=CallPurpose.TURN)
    if as_of_tick is not None:
        rows = rows.filter(tick__lte=as_of_tick)
    counted = {"calls": Count("id"), **OUTCOME_COUNTS}
    key = F("task") if by is CostGroup.TASK else _MODEL
    lines = [
        AnswerOutcomes(**row) for row in rows.order_by(key).values(key=key).annotate(**counted)
    ]
    return AnswerOutcomes(key=ALL, **rows.aggregate(**counted)), lines


@dataclass(frozen=True, slots=True, kw_only=True)
class AnsweringModel(Served):
    """A model that answered calls of turns, as its server named it; reused answers count.

    Built-in embeddings are computed without a call.
    """

    server: str
    model: str
    """The name that was asked."""
    calls: int
    first_tick: int
    last_tick: int


def answering_models(simulation_id: UUID, *, until_tick: int) -> list[AnsweringModel]:
    """Return what answered the calls of the history up to the tick, in order of its use."""
    found = [
        AnsweringModel(**row)
        for calls in (calls_of_history, embedding_calls_of_history)
        for row in calls(simulation_id, until_tick=until_tick)
        .order_by()
        .values(*ANSWERED_BY)
        .annotate(calls=Count("id"), first_tick=Min("tick"), last_tick=Max("tick"))
    ]
    return sorted(found, key=attrgetter("first_tick", "last_tick", *ANSWERED_BY))


def get_model_call(simulation_id: UUID, call_id: str) -> ModelCallRow:
    """Return the call; the last one, if it was repeated with another template or model.

    :raises ModelCallUnknown: if there is none.
    """
    rows = ModelCallRow.objects.filter(simulation_id=simulation_id, call_id=call_id)
    row = rows.order_by("-id").first()
    if row is None:
        raise ModelCallUnknown(f"this simulation has no model call {call_id!r}")
    return row


def model_calls_of(simulation_id: UUID, call_ids: Collection[str]) -> dict[str, ModelCallRow]:
    """Return those of the calls that are recorded, by id, each as `get_model_call` does."""
    rows = ModelCallRow.objects.filter(simulation_id=simulation_id, call_id__in=call_ids)
    return {row.call_id: row for row in rows.order_by("id")}


def costs(
    simulation_id: UUID,
    *,
    by: CostGroup = CostGroup.TASK,
    ticks_per_day: int = 8_640,
    ticks_before_midnight: int | None = None,
    as_of_tick: int | None = None,
) -> list[UsageLine]:
    """Return what was used, by group, in the order of the groups' keys.

    Failed calls count where tokens were paid for. Requests to a remote embedding model count as
    calls of the task "embedding"; servers have no cache for them.

    `as_of_tick`: only calls of ticks up to this one. `ticks_before_midnight`: the ticks of the
    first game day, when the simulation does not start at midnight.
    """
    shift = 0 if ticks_before_midnight is None else ticks_per_day - ticks_before_midnight
    day = ExpressionWrapper((F("tick") + shift) / ticks_per_day, output_field=IntegerField())
    keys: dict[CostGroup, Combinable] = {
        CostGroup.MODEL: _MODEL,
        CostGroup.AGENT: F("stream"),
        CostGroup.DAY: Floor(day),
    }
    until: dict[str, Any] = {} if as_of_tick is None else {"tick__lte": as_of_tick}
    return _lines(_usage(keys.get(by), simulation_id=simulation_id, **until))


def costs_by_task_and_model(simulation_id: UUID) -> tuple[list[UsageLine], list[UsageLine]]:
    """Return what `costs` returns by LLM task and by model, with the queries of one of them."""
    by_task: dict[str, Usage] = {}
    by_model: dict[str, Usage] = {}
    pairs = _usage(_MODEL, with_tasks=True, simulation_id=simulation_id)
    for (model, task), used in pairs.items():
        by_task[task] = by_task.get(task, Usage()) + used
        by_model[model] = by_model.get(model, Usage()) + used
    return _lines(by_task), _lines(by_model)


def _lines(used: Mapping[Any, Usage]) -> list[UsageLine]:
    return [
        UsageLine(key=str(key), **{name: getattr(one, name) for name in MEMBERS})
        for key, one in sorted(used.items())
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenNotes:
    """What is known of the tokens of calls besides their numbers."""

    reasoning_tokens: int
    """Tokens of thoughts, which are a part of those of answers."""
    is_estimated: bool
    """Whether some are estimates, because the server reports none."""


_NOTES = """
SELECT coalesce(sum((attempt->>'reasoning_tokens')::bigint), 0),
    coalesce(bool_or(attempt ? 'is_estimated'), false)
FROM llm_modelcallrow, jsonb_array_elements(attempts) AS attempt
WHERE simulation_id = %(simulation)s AND reused_from IS NULL AND tick <= %(tick)s
"""


def token_notes(simulation_id: UUID, *, as_of_tick: int | None = None) -> TokenNotes:
    """Return what is known of the tokens of the completed calls, by their attempts."""
    until = TICK_MAX if as_of_tick is None else as_of_tick
    [(tokens, is_estimated)] = rows_of(_NOTES, {"simulation": simulation_id, "tick": until})
    return TokenNotes(reasoning_tokens=tokens, is_estimated=is_estimated)


def spent(simulation_id: UUID) -> Usage:
    """Return what the whole simulation has used so far (L5)."""
    return spent_by_simulation([simulation_id])[simulation_id]


def reused_calls(
    simulation_ids: Sequence[UUID], *, as_of_tick: int | None = None
) -> dict[UUID, int]:
    """Return how many calls were answered by calls of the family, where there are any."""
    rows = ModelCallRow.objects.own().filter(simulation_id__in=simulation_ids)
    if as_of_tick is not None:
        rows = rows.filter(tick__lte=as_of_tick)
    counted = rows.exclude(reused_from=None).order_by().values_list("simulation_id")
    return dict(counted.annotate(calls=Count("id")))


def same_requests(branch: UUID, parent: UUID, *, until_tick: int) -> int:
    """Return how many calls of a branch itself its parent has made with the same request."""
    own = ModelCallRow.objects.own().filter(simulation_id=branch, tick__lte=until_tick)
    of_parent = ModelCallRow.objects.filter(simulation_id=parent, tick__lte=until_tick)
    requests = [
        set(rows.order_by().values_list("call_id", "request_sha256"))
        for rows in (own, of_parent)
    ]
    return len(requests[0] & requests[1])


def spent_by_simulation(simulation_ids: Sequence[UUID]) -> dict[UUID, Usage]:
    """Return what each of the simulations has used so far."""
    used = _usage(F("simulation_id"), simulation_id__in=simulation_ids)
    return {found: used.get(found, Usage()) for found in simulation_ids}


_CHAT_TOKENS: Mapping[str, Combinable] = {
    name: F(name)
    for name in (
        "prompt_tokens",
        "cached_prompt_tokens",
        "completion_tokens",
        "billed_equivalent_tokens",
    )
}
_EMBEDDING_TOKENS: Mapping[str, Combinable] = {
    "prompt_tokens": F("prompt_tokens"),
    "cached_prompt_tokens": Value(0),
    "completion_tokens": Value(0),
    "billed_equivalent_tokens": F("prompt_tokens"),
}


def _usage(
    key: Combinable | None, *, with_tasks: bool = False, **conditions: object
) -> dict[Any, Usage]:
    """Return what the calls used by key; without a key, by LLM task.

    :param with_tasks: whether to return it by pairs of the key and the LLM task.
    """
    names = ("key", "of_task") if with_tasks else ("key",)
    tables: Sequence[tuple[QuerySet[Any], Combinable, Mapping[str, Combinable]]] = (
        (ModelCallRow.objects.own(), F("task"), _CHAT_TOKENS),
        (ModelFailureRow.objects.all(), F("task"), _CHAT_TOKENS),
        (EmbeddingCallRow.objects.own(), Value(EMBEDDING), _EMBEDDING_TOKENS),
    )
    found: dict[Any, Usage] = {}
    for rows, task, tokens in tables:
        keyed = rows.filter(**conditions).annotate(key=key or task, of_task=task)
        for used in (
            keyed.values(*names)
            .order_by()
            .annotate(
                calls=Count("id"),
                latency=Sum("latency_ms"),
                money=Sum("cost"),
                **{f"sum_of_{name}": Sum(counted) for name, counted in tokens.items()},
            )
        ):
            if used["calls"]:  # grouped by a constant, no rows at all are one group
                place = (used["key"], used["of_task"]) if with_tasks else used["key"]
                found[place] = found.get(place, Usage()) + Usage(
                    calls=used["calls"],
                    latency_ms=used["latency"],
                    cost=used["money"],
                    **{name: used[f"sum_of_{name}"] for name in tokens},
                )
    return found


def tokens_of(simulation_id: UUID, call_ids: Collection[str]) -> int:
    """Return the tokens of prompts and answers of the calls; a failed one counts as well."""
    named = {"simulation_id": simulation_id, "call_id__in": list(call_ids)}
    return sum(
        rows.aggregate(tokens=Sum(F("prompt_tokens") + F("completion_tokens")))["tokens"] or 0
        for rows in (
            ModelCallRow.objects.filter(**named, reused_from=None),
            ModelFailureRow.objects.filter(**named),
        )
    )
