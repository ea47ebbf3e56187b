"""The page docs/reference/careful_day.md: what became of the recorded answers of the day."""

from pathlib import Path

from tests.support.careful_day import AGENTS, SEED, UNTIL, CarefulDay

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "careful_day.md"
_HEAD = """# A careful day

Written by `python -m benchmarks.careful_day --write`. {agents}
of Smallville, seed {seed}, from 2023-02-13T00:00 to {until}.
The answers in `tests/fixtures/careful_day` were given one by one, with care, to the questions
as a model server gets them, in four parts between which the engine was corrected. They were
written in a short form; fields without content (empty lists) were filled in, and seven slips in
writing that form were corrected, not counted. References to numbered lines are stored as
labels. Ratings of importance were not recorded: the rule-based model gives them.

Of {calls} recorded answers {kept} are done as given at once ({share:.1%}).

| LLM task | recorded answers | kept as given | not recorded |
|---|--:|--:|--:|
"""


def page_of(day: CarefulDay) -> str:
    """Return the page as Markdown."""
    tasks, unrecorded = day.kept_by_task(), day.unrecorded()
    calls, kept = sum(one.calls for one in tasks), sum(one.kept for one in tasks)
    head = _HEAD.format(
        agents=", ".join(AGENTS), seed=SEED, until=UNTIL, calls=calls, kept=kept,
        share=kept / max(1, calls),
    )  # fmt: skip
    rows = [
        f"| {one.task} | {one.calls} | {one.kept} | {unrecorded.pop(one.task, 0)} |"
        for one in tasks
    ]
    rows += [f"| {task} | 0 | 0 | {count} |" for task, count in sorted(unrecorded.items())]
    changed = [f"- {line}" for line in day.changed()] or ["None."]
    return head + "\n".join([*rows, "", "## Not kept as given", "", *changed, ""])
