"""The prompts of one agent's day in Markdown, with the answers, from the call log."""

import json
from collections.abc import Iterator
from datetime import date
from uuid import UUID

from apps import history
from apps.kernel.game_time import format_clock, format_date
from apps.llm.models import ModelCallRow
from apps.simulation.queries import get_creation

_OPENING = """\
# The prompts of a day

All model calls of {agent} on {date}, in order, from the call log of a simulation of the world
`{world}` with seed {seed} and the model `{model}`: {calls} calls with {prompt:,} tokens of
prompts and {answer:,} of answers. A system message is printed where it occurs first. Written
by `manage.py tell_prompts`.
"""
_FENCE = "````"


def write_prompts(simulation_id: UUID, agent: str, *, day: date | None = None) -> str:
    """Return the calls of the agent's turns on a game day as Markdown.

    :param day: None for the first day of the simulation.
    :raises NotFound: if there is no such simulation.
    """
    committed = history.get_simulation(simulation_id).committed_tick
    created = get_creation(simulation_id)
    calendar = created.calendar
    day = day or calendar.start.date()
    rows = [
        row
        for row in history.calls_of_history(simulation_id, until_tick=committed).filter(
            stream=agent
        )
        if calendar.time_at(row.tick).date() == day
    ]
    opening = _OPENING.format(
        agent=agent,
        date=format_date(day),
        world=created.world,
        seed=created.seed,
        model=rows[0].model if rows else "none",
        calls=len(rows),
        prompt=sum(row.prompt_tokens for row in rows),
        answer=sum(row.completion_tokens for row in rows),
    )
    shown: dict[str, str] = {}
    times = {row.tick: format_clock(calendar.time_at(row.tick)) for row in rows}
    sections = ("\n".join(_section(row, times[row.tick], shown)) for row in rows)
    return "\n".join([opening, *sections])


def _section(row: ModelCallRow, time: str, shown: dict[str, str]) -> Iterator[str]:
    """Yield the lines of a call; `shown` has the calls of the system messages so far."""
    yield f"## {time}: {row.task} ({row.call_id})\n"
    yield f"{row.prompt_tokens:,} + {row.completion_tokens:,} tokens, {row.outcome}.\n"
    for message in row.messages:
        text = str(message["content"])
        before = shown.setdefault(text, row.call_id) if message["role"] == "system" else ""
        if before not in ("", row.call_id):
            yield f"System message as in {before}.\n"
            continue
        yield from (f"{str(message['role']).capitalize()}:\n", *_fenced(text))
    yield "Answer:\n"
    yield from _fenced(json.dumps(row.answer, ensure_ascii=False, indent=1))
    for one in row.differences:
        yield f"- `{one['field']}`: {one['answered']!r} → {one['used']!r} ({one['reason']})"


def _fenced(text: str) -> tuple[str, ...]:
    return (_FENCE, text.rstrip(), f"{_FENCE}\n")
