"""The page docs/reference/careful_day.md: the outcomes of recorded answers, and their cost."""

from collections.abc import Iterable
from pathlib import Path

from apps.llm.models import ModelCallRow
from benchmarks.cost_table import TOTAL, Use
from tests.model_server.prefix_cache import VLLM, PrefixCache, prompt_tokens_of
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
_COST_HEAD = """## Cost

Calls and tokens per agent-day, with the recorded answers; a token is four characters. `cached`
is the share of the input that a server has in its cache, if it caches blocks of 16 tokens as
vLLM does and evicts nothing. The rule-based model does not talk as much:
[cost of LLM tasks](../benchmarks/cost_of_tasks.md).

| LLM task | calls | input | output | cached |
|---|--:|--:|--:|--:|"""


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
    return head + "\n".join(
        [
            *rows,
            "",
            "## Not kept as given",
            "",
            *changed,
            "",
            _COST_HEAD,
            *_cost_rows(day.all_calls),
            "",
        ]
    )


def _cost_rows(calls: Iterable[ModelCallRow]) -> list[str]:
    """Return a line for each task, that with the most tokens first, and one for all."""
    cache = PrefixCache(VLLM)
    uses: dict[str, Use] = {}
    for call in calls:
        used = Use(
            calls=1,
            messages=call.prompt_tokens,
            output=call.completion_tokens,
            cached_vllm=cache.look_up(prompt_tokens_of({"messages": call.messages}, VLLM)),
        )
        uses[call.task] = uses.get(call.task, Use()) + used
    tasks = sorted(uses, key=lambda task: -uses[task].tokens)
    total = sum(uses.values(), start=Use())
    return [*(_cost_row(task, uses[task]) for task in tasks), _cost_row(TOTAL, total)]


def _cost_row(task: str, use: Use) -> str:
    calls, read, written = (
        total / len(AGENTS) for total in (use.calls, use.messages, use.output)
    )
    return f"| {task} | {calls:.1f} | {read:,.0f} | {written:,.0f} | {use.share_vllm:.0%} |"
