"""Prints how far models agree on the recorded calls of a simulation, by LLM task.

    export MODELS_FILE=models.yaml
    .venv/bin/python manage.py carry_out trial_of_tiny.yaml
    .venv/bin/python manage.py carry_out trial_of_half.yaml
    .venv/bin/python -m benchmarks.model_agreement

Reads the latest trial of each model in the database, also one that is not done. The trials of
one simulation with the same seed ask the same calls: so models are compared with each other.
"""

from collections.abc import Iterable, Iterator, Mapping
from itertools import combinations

from benchmarks.setting import MILLISECONDS, prepare

prepare()

from apps.llm.answers.decisions import Decision, agreement  # noqa: E402 (Django is set up first)
from apps.llm.calls.queries import ALL  # noqa: E402
from apps.replays.models import ModelTrialRow, TrialAnswerRow  # noqa: E402
from apps.replays.trial_reports import TrialLine, lines_of_trials  # noqa: E402
from apps.reports.blocks import Block, Heading, TableOfTexts, as_markdown  # noqa: E402

COLUMNS = (
    "task", "recorded", "asked", "kept", "adjusted", "asked again", "fell back", "equal",
    "overlap", "tokens a call", "s a call",
)  # fmt: skip


NUMBERS = frozenset(range(1, len(COLUMNS)))


def trials() -> Mapping[str, ModelTrialRow]:
    """Return the latest trial of each model, by its name."""
    return {row.model: row for row in ModelTrialRow.objects.order_by("requested_at")}


def cells(line: TrialLine) -> list[str]:
    """Return the cells of a line."""
    return [
        line.task,
        *(
            str(getattr(line, name))
            for name in (
                "recorded_calls",
                "asked",
                "kept",
                "adjusted",
                "asked_again",
                "fell_back",
            )
        ),
        f"{line.equal} of {line.compared}" if line.compared else "-",
        "-" if line.overlap is None else f"{line.overlap:.2f}",
        f"{line.other.tokens / (line.asked or 1):.0f}",
        f"{line.other.latency_ms / MILLISECONDS / (line.asked or 1):.1f}",
    ]


def compared(one: ModelTrialRow, other: ModelTrialRow) -> Iterator[tuple[str, list[float]]]:
    """Yield for each LLM task, and for all, the overlaps of the decisions of two trials."""
    answers = [
        {row.call_id: row for row in TrialAnswerRow.objects.filter(trial=trial)}
        for trial in (one, other)
    ]
    overlaps: dict[str, list[float]] = {}
    for call_id in sorted(answers[0].keys() & answers[1].keys()):
        first, second = (of_trial[call_id] for of_trial in answers)
        facts, others = _decision(first), _decision(second)
        if facts is not None and others is not None:
            overlap = agreement(facts, others).overlap
            overlaps.setdefault(first.task, []).append(overlap)
    yield from sorted(overlaps.items())
    yield ALL, [overlap for of_task in overlaps.values() for overlap in of_task]


def _decision(row: TrialAnswerRow) -> Decision | None:
    return None if row.decision is None else frozenset(map(tuple, row.decision))


def blocks(found: Mapping[str, ModelTrialRow]) -> Iterable[Block]:
    """Yield a table for each model, and one for each pair of models."""
    lines = lines_of_trials(list(found.values()))
    for model, trial in found.items():
        yield Heading(
            2, f"Answers of {model} to the recorded calls of {_recorded_models(trial)}"
        )
        rows = [cells(line) for line in lines[trial.pk]]
        yield TableOfTexts(COLUMNS, rows, number_columns=NUMBERS)
    for one, other in combinations(found, 2):
        yield Heading(2, f"{one} and {other}")
        pairs = [
            [
                task,
                f"{overlaps.count(1.0)} of {len(overlaps)}",
                f"{sum(overlaps) / len(overlaps):.2f}" if overlaps else "-",
            ]
            for task, overlaps in compared(found[one], found[other])
        ]
        yield TableOfTexts(("task", "equal", "overlap"), pairs, frozenset({1, 2}))


def _recorded_models(trial: ModelTrialRow) -> str:
    models = TrialAnswerRow.objects.filter(trial=trial).values_list("recorded_model", flat=True)
    return " and ".join(sorted(set(models)))


if __name__ == "__main__":
    print(as_markdown(blocks(trials())))
