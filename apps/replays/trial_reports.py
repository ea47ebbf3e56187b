"""What a trial of a model has found, by LLM task."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any
from uuid import UUID

from django.db.models import Avg, Count, Q, Sum

from apps.llm.calls.queries import ALL, OUTCOME_COUNTS
from apps.replays.models import ModelTrialRow, TrialAnswerRow


@dataclass(frozen=True, slots=True, kw_only=True)
class TrialUse:
    """What calls of a model used together."""

    tokens: int = 0
    """Of prompts and answers."""
    latency_ms: int = 0
    """The model's own time over all attempts."""
    cost: Decimal | None = None
    """By the price of the model; null if it is not known."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TrialLine:
    """The answers to the calls of one LLM task, or of all, counted and compared."""

    task: str
    """The LLM task; "all" in the total."""
    recorded_calls: int
    """The recorded calls of the time."""
    asked: int = 0
    """The calls that the other model has answered so far."""
    kept: int = 0
    """Its answers that a turn would use as given."""
    adjusted: int = 0
    """Its answers that a turn would use with recorded differences."""
    asked_again: int = 0
    """Its answers that were valid only after an invalid one."""
    fell_back: int = 0
    """The calls without a valid answer, for which a turn would use the fallback of the task."""
    compared: int = 0
    """Answers of both models that have a decision; 0 for a task of text alone."""
    equal: int = 0
    """Those of `compared` with equal decisions."""
    overlap: float | None = None
    """The mean share of the facts of two decisions that both have; null without any."""
    recorded: TrialUse
    """What the recorded calls used that were asked again."""
    other: TrialUse
    """What the other model used for them."""
    saved: Decimal | None
    """The cost that the other model would save on all `recorded_calls`, projected from the
    calls that were asked; negative if it costs more, null unless both prices are known."""

    @property
    def valid_share(self) -> float | None:
        """The share of calls with a valid answer, from 0 to 1; None without calls."""
        return (self.asked - self.fell_back) / self.asked if self.asked else None

    @property
    def equal_share(self) -> float | None:
        """The share of `compared` with equal decisions, from 0 to 1; None without any."""
        return self.equal / self.compared if self.compared else None


_COUNTED = {
    "asked": Count("id"),
    **OUTCOME_COUNTS,
    "compared": Count("is_equal"),
    "equal": Count("id", filter=Q(is_equal=True)),
    "overlap": Avg("overlap"),
}
_USED = {
    "prompt": Sum("prompt_tokens"),
    "completion": Sum("completion_tokens"),
    "latency": Sum("latency_ms"),
    "money": Sum("cost"),
    "priced": Count("cost"),
    "recorded_of_tokens": Sum("recorded_tokens"),
    "recorded_latency": Sum("recorded_latency_ms"),
    "recorded_money": Sum("recorded_cost"),
    "recorded_priced": Count("recorded_cost"),
}


def lines_of_trials(rows: Sequence[ModelTrialRow]) -> Mapping[UUID, list[TrialLine]]:
    """Return for each trial a line for each LLM task by name, and at last that of all."""
    answers = TrialAnswerRow.objects.filter(trial__in=rows).order_by()
    by_task = answers.values("trial", "task").annotate(**_COUNTED, **_USED)
    found = {(one["trial"], one["task"]): one for one in by_task}
    whole = answers.values("trial").annotate(**_COUNTED, **_USED)
    totals = {one["trial"]: one for one in whole}
    lines = {
        row.pk: [
            _line(task, calls, found.get((row.pk, task), {}))
            for task, calls in sorted(row.recorded.items())
        ]
        for row in rows
    }
    return {
        row.pk: [
            *lines[row.pk],
            replace(
                _line(ALL, sum(row.recorded.values()), totals.get(row.pk, {})),
                saved=_saved_together(lines[row.pk]),
            ),
        ]
        for row in rows
    }


def _saved_together(lines: Sequence[TrialLine]) -> Decimal | None:
    """Return what the tasks save; the sample has not as many calls of each as there are."""
    saved = [line.saved for line in lines]
    known = [one for one in saved if one is not None]
    return sum(known, Decimal(0)) if len(known) == len(saved) else None


def _line(task: str, calls: int, counted: Mapping[str, Any]) -> TrialLine:
    used: dict[str, Any] = {name: counted.get(name) or 0 for name in _USED}
    recorded = TrialUse(
        tokens=used["recorded_of_tokens"],
        latency_ms=used["recorded_latency"],
        cost=_cost(counted, "recorded_money", "recorded_priced"),
    )
    other = TrialUse(
        tokens=used["prompt"] + used["completion"],
        latency_ms=used["latency"],
        cost=_cost(counted, "money", "priced"),
    )
    values = {name: counted[name] for name in _COUNTED if name in counted}
    saved = None
    if recorded.cost is not None and other.cost is not None:
        saved = (recorded.cost - other.cost) / counted["asked"] * calls
    return TrialLine(
        task=task, recorded_calls=calls, recorded=recorded, other=other, saved=saved, **values
    )


def _cost(counted: Mapping[str, Any], money: str, priced: str) -> Decimal | None:
    """Return a sum of costs, None if one of them is not known."""
    if not counted or counted[priced] < counted["asked"]:
        return None
    return Decimal(counted[money])
