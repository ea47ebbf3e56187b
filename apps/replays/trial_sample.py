"""The request of a trial, and the sample of recorded calls that it sends to another model."""

import fnmatch
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated
from uuid import UUID

from django.db.models import Count, Sum
from pydantic import Field

from apps import history
from apps.history import SimulationRow
from apps.kernel.chance import draw
from apps.kernel.errors import DomainError
from apps.kernel.request_models import Listed, RequestModel
from apps.kernel.requested_values import TASK_CHARACTERS_MAX, LastTickUntil, Reason, Seed
from apps.llm.calls.budget import Money, Tokens
from apps.llm.estimates import Figure
from apps.llm.model_spec import MODEL_CHARACTERS_MAX
from apps.replays.models import ModelTrialRow

CALLS_PER_TASK_DEFAULT, CALLS_PER_TASK_MAX = 20, 10_000
PATTERNS_MAX = 100


class UnusableTrial(DomainError):
    """There are no recorded calls to ask again, or the ticks are not committed."""


class TrialRequest(RequestModel):
    """Another model, and which recorded calls of turns it is asked again."""

    model: Annotated[str, Field(max_length=MODEL_CHARACTERS_MAX)]
    """A chat model that `GET /models` lists, such as `openai:gpt-5-nano`, or `offline`."""
    from_: LastTickUntil | None = Field(None, alias="from")
    """The first tick; by default 0."""
    to: LastTickUntil | None = None
    """The last tick; by default the committed one."""
    tasks: Annotated[
        Listed[Annotated[str, Field(max_length=TASK_CHARACTERS_MAX)]],
        Field(max_length=PATTERNS_MAX),
    ] = ()
    """Only calls of these LLM tasks; `*` stands for any text, as in `dialogue.*`."""
    calls_per_task: Annotated[int, Field(ge=1, le=CALLS_PER_TASK_MAX)] = CALLS_PER_TASK_DEFAULT
    """The number of calls of each LLM task, drawn at random; all of a task with fewer."""
    seed: Seed = 0
    """The seed of the draw. The same seed with a higher number of calls draws those of a lower
    number as well."""
    tokens_max: Tokens | None = None
    """The trial pauses when its calls have used so many tokens."""
    money_max: Money | None = None
    """The trial pauses when its calls have cost so much; rejected for a model without a
    price. Both limits may be exceeded by the calls that are asked at once."""
    reason: Reason = ""
    """The reason; it is stored with the trial."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TrialSpan:
    """The committed ticks [first, last]."""

    first: int
    last: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """Recorded calls that are sent to another model, drawn from those `recorded` by LLM task.

    `calls` has the ids by tick and agent of their turns, in canonical order.
    """

    recorded: Mapping[str, int]
    calls: Mapping[tuple[int, str], Sequence[str]]

    @property
    def size(self) -> int:
        """The number of calls that are asked."""
        return sum(map(len, self.calls.values()))


def span_of(simulation: SimulationRow, first: int | None, last: int | None) -> TrialSpan:
    """Return the ticks of a request.

    :raises UnusableTrial: if they are not committed, or there are none.
    """
    now = simulation.committed_tick
    span = TrialSpan(first=first or 0, last=now if last is None else last)
    calendar = history.calendar_of(simulation.pk)
    if span.last > now:
        raise UnusableTrial(calendar.not_committed(span.last, now))
    if span.last < span.first:
        raise UnusableTrial(
            f"{calendar.moment(span.last)} is before {calendar.moment(span.first)}"
        )
    return span


def sample_of(
    simulation_id: UUID, span: TrialSpan, tasks: Sequence[str], calls_per_task: int, seed: int
) -> Sample:
    """Return the calls to ask: of each LLM task at most so many, drawn by the seed.

    :param tasks: patterns of names of tasks; all tasks without any.
    :raises UnusableTrial: if there are none.
    """
    rows = history.calls_of_history(simulation_id, until_tick=span.last).filter(
        tick__gte=span.first
    )
    found: dict[str, dict[str, tuple[int, str]]] = defaultdict(dict)
    for call_id, task, tick, agent in rows.values_list("call_id", "task", "tick", "stream"):
        if not tasks or any(fnmatch.fnmatchcase(task, pattern) for pattern in tasks):
            found[task][call_id] = (tick, agent)
    if not found:
        raise UnusableTrial(
            "there are no recorded calls of these LLM tasks in this time; run the simulation "
            "first, or name others: `GET …/costs?by=task` lists those that it has"
        )
    drawn = {
        call_id: of_task[call_id]
        for of_task in found.values()
        for call_id in _drawn(of_task, calls_per_task, seed)
    }
    calls: dict[tuple[int, str], list[str]] = defaultdict(list)
    for call_id, turn in sorted(drawn.items(), key=lambda one: (one[1], one[0])):
        calls[turn].append(call_id)
    recorded = {task: len(of_task) for task, of_task in sorted(found.items())}
    return Sample(recorded=recorded, calls=calls)


def expected_use(simulation_id: UUID, sample: Sample) -> Mapping[str, Figure]:
    """Return what the recorded calls of a sample used, by LLM task."""
    drawn = [call_id for call_ids in sample.calls.values() for call_id in call_ids]
    last_tick = max(tick for tick, _ in sample.calls)
    rows = history.calls_of_history(simulation_id, until_tick=last_tick)
    sums = (
        rows.filter(call_id__in=drawn)
        .order_by()
        .values("task")
        .annotate(
            calls=Count("call_id", distinct=True),
            prompt_tokens=Sum("prompt_tokens"),
            completion_tokens=Sum("completion_tokens"),
        )
    )
    return {
        one["task"]: Figure(
            calls=one["calls"],
            prompt_tokens=one["prompt_tokens"],
            completion_tokens=one["completion_tokens"],
        )
        for one in sums
    }


def sample_of_row(row: ModelTrialRow) -> Sample:
    """Return the calls that a trial asks, which are the same each time."""
    span = TrialSpan(first=row.from_tick, last=row.to_tick)
    return sample_of(row.simulation_id, span, row.tasks, row.calls_per_task, row.seed)


def _drawn(call_ids: Mapping[str, object], count: int, seed: int) -> list[str]:
    return sorted(call_ids, key=lambda call_id: draw(seed, "trial", call_id))[:count]
