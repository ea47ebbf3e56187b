"""The page docs/reference/careful_day.md: the outcomes of recorded answers, and their cost."""

from collections.abc import Iterable
from pathlib import Path

from apps.llm.models import ModelCallRow
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
_TOTAL = "**all**"
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
        ]
    )


def _cost_rows(calls: Iterable[ModelCallRow]) -> Iterable[str]:
    """Yield a line for each task, that with the most tokens first, and one for all."""
    cache, uses = PrefixCache(VLLM), {_TOTAL: [0, 0, 0, 0]}
    for call in calls:
        cached = cache.look_up(prompt_tokens_of({"messages": call.messages}, VLLM))
        used = (1, call.prompt_tokens, call.completion_tokens, cached)
        for key in (call.chain, _TOTAL):
            uses[key] = [
                sum(pair) for pair in zip(uses.get(key, (0, 0, 0, 0)), used, strict=True)
            ]
    agents = len(AGENTS)
    for task, (count, read, written, cached) in sorted(
        uses.items(), key=lambda one: (one[0] == _TOTAL, -one[1][1] - one[1][2])
    ):
        means = f"{count / agents:.1f} | {read / agents:,.0f} | {written / agents:,.0f}"
        yield f"| {task} | {means} | {cached / read:.0%} |"
    yield ""
