"""What a town's people do with one another in two days, seed by seed (paper 7.1).

    .venv/bin/python -m benchmarks.society [SEED ...] [--days 2] [--json FILE]

For each seed all of Smallville live two days offline. The table says how many know of the
party and of the candidacy at the end of each day, each with a chain of events back to whom it
began with; who agreed, declined and came; how often people talk, repeat a talk, and reflect.
"""

import argparse
import json
import statistics
import time
from collections import Counter
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import UUID

from benchmarks.setting import prepare

prepare()

from apps import wiring  # noqa: E402 (Django has to be set up first)
from apps.agents import queries as agent_queries  # noqa: E402
from apps.dialogue.events import Agreed, Declined, Said  # noqa: E402
from apps.eventlog.event import Recorded  # noqa: E402
from apps.eventlog.store import log_sha256  # noqa: E402
from apps.kernel.game_time import GameCalendar  # noqa: E402
from apps.llm import queries as model_queries  # noqa: E402
from apps.memory.events import MemoryFormed, MemoryKind  # noqa: E402
from apps.reflection.events import Reflected  # noqa: E402
from apps.simulation import queries  # noqa: E402
from apps.simulation.engine import lifecycle  # noqa: E402
from apps.simulation.engine.in_process import RunOptions, run_until_rest  # noqa: E402
from apps.simulation.engine.lifecycle import SimulationSpec  # noqa: E402
from tests.support.diffusion import CANDIDACY, PARTY, Grapevine, News  # noqa: E402

SEEDS = tuple(range(1, 11))
PARTY_DAY = "2023-02-14"
PARTY_PLACE = "Hobbs Cafe"
SAME_TALK_MINUTES = 60


def main() -> None:
    """Live the days of each seed and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("seeds", nargs="*", type=int, default=SEEDS)
    parser.add_argument("--days", type=int, default=2)
    parser.add_argument("--json", dest="file")
    asked = parser.parse_args()
    found = []
    for seed in asked.seeds or SEEDS:
        measured = measure(seed, asked.days)
        found.append(measured)
        print(json.dumps(measured, ensure_ascii=False), flush=True)
    summary = {
        name: {
            "mean": round(statistics.mean(values), 2),
            "min": min(values),
            "max": max(values),
        }
        for name in found[0]
        if isinstance(found[0][name], int | float)
        and (values := [one[name] for one in found]) is not None
    }
    print(json.dumps(summary, indent=1))
    if asked.file:
        told = json.dumps({"seeds": found, "summary": summary}, indent=1)
        Path(asked.file).write_text(told, encoding="utf-8")


def measure(seed: int, days: int) -> dict[str, Any]:
    """Live the days of one seed and return its figures."""
    began = time.perf_counter()
    row = lifecycle.create_simulation(
        wiring.ports(), SimulationSpec(name=f"society {seed}", world="smallville", seed=seed)
    )
    calendar = queries.calendar_of(row.pk)
    ends = [calendar.tick_at(calendar.start + timedelta(days=day + 1)) for day in range(days)]
    lifecycle.request_run(row.pk, until_tick=ends[-1])
    run_until_rest(wiring.ports(), row.pk, RunOptions())
    row.refresh_from_db()
    assert row.settled_tick == ends[-1], row.reason
    events = list(wiring.event_store().read(row.pk))
    people = len(agent_queries.list_agents(row.pk))
    agent_days = people * days
    figures: dict[str, Any] = {
        "seed": seed,
        "log_sha256": log_sha256(row.pk)[:16],
        "seconds": round(time.perf_counter() - began),
        "events": len(events),
    }
    grapevine = Grapevine(row.pk)
    for day, end in enumerate(ends, start=1):
        for news in (PARTY, CANDIDACY):
            figures |= spread_figures(grapevine, news, end, people, day)
    figures |= party_figures(row.pk, events, calendar)
    figures |= talk_figures(events, calendar, agent_days)
    figures |= reflection_figures(events, agent_days)
    spent = model_queries.spent(row.pk)
    figures["calls an agent-day"] = round(spent.calls / agent_days, 1)
    figures["tokens an agent-day"] = round(
        (spent.prompt_tokens + spent.completion_tokens) / agent_days
    )
    lifecycle.delete_simulation(wiring.ports(), row.pk)
    return figures


def spread_figures(
    grapevine: Grapevine, news: News, tick: int, people: int, day: int
) -> dict[str, Any]:
    """Return the percentage of people who know, and how many from whom it began with.

    Everybody who knows has a chain of events back to them, or this raises.
    """
    knowers = grapevine.knowers(news, at_tick=tick)
    chains = [grapevine.chain(news, agent, at_tick=tick) for agent in knowers]
    return {
        f"{news.name} % day {day}": round(100 * len(knowers) / people, 1),
        f"{news.name} first hand day {day}": sum(len(chain) == 1 for chain in chains),
        f"{news.name} longest chain day {day}": max(map(len, chains), default=0),
    }


def party_figures(
    simulation_id: UUID, events: list[Recorded], calendar: GameCalendar
) -> dict[str, Any]:
    """Return who agreed, declined and came to the party."""
    agreed = {
        one.stream
        for one in events
        if isinstance(one.event, Agreed) and "party" in one.event.activity
    }
    declined = {
        one.stream
        for one in events
        if isinstance(one.event, Declined) and "party" in one.event.activity
    }
    came: set[str] = set()
    for row in agent_queries.list_agents(simulation_id):
        actions = agent_queries.actions_between(
            simulation_id,
            row.agent,
            from_tick=calendar.tick_at(datetime.fromisoformat(f"{PARTY_DAY}T17:00")),
            to_tick=calendar.tick_at(datetime.fromisoformat(f"{PARTY_DAY}T19:00")),
        )
        if any(one.area.startswith(PARTY_PLACE) and not one.towards for one in actions):
            came.add(row.agent)
    came.discard(PARTY.origin)
    asked = (agreed | declined) - {PARTY.origin}
    return {
        "agreed to the party": len(agreed),
        "declined it": len(declined - agreed),
        "came": len(came),
        "came of those asked": len(came & asked),
        "who came": sorted(came),
    }


def talk_figures(
    events: list[Recorded], calendar: GameCalendar, agent_days: int
) -> dict[str, Any]:
    """Return how often people talk, decline, and say the same again within an hour."""
    said = [one for one in events if isinstance(one.event, Said)]
    answered: Counter[str] = Counter()
    pairs: dict[str, frozenset[str]] = {}
    begins: dict[str, int] = {}
    texts: dict[tuple[frozenset[str], str, str], int] = {}
    repeated_words = 0
    for one in said:
        event = one.event
        assert isinstance(event, Said)
        answered[event.conversation] += 1
        pair = pairs.setdefault(event.conversation, frozenset((one.stream, event.to)))
        begins.setdefault(event.conversation, one.tick)
        key = (pair, one.stream, event.text)
        before = texts.get(key)
        hour = calendar.ticks_of(minutes=SAME_TALK_MINUTES)
        if before is not None and one.tick - before < hour and len(event.text.split()) > 6:
            repeated_words += 1
        texts[key] = one.tick
    talks = [name for name, count in answered.items() if count > 1]
    again = 0
    latest: dict[frozenset[str], int] = {}
    for name in sorted(talks, key=begins.__getitem__):
        before = latest.get(pairs[name])
        if before is not None and begins[name] - before < calendar.ticks_of(
            minutes=SAME_TALK_MINUTES
        ):
            again += 1
        latest[pairs[name]] = begins[name]
    return {
        "talks an agent-day": round(2 * len(talks) / agent_days, 2),
        "utterances a talk": round(
            sum(answered[name] for name in talks) / max(1, len(talks)), 1
        ),
        "declined anything": sum(isinstance(one.event, Declined) for one in events),
        "talked again within an hour": again,
        "said the same within an hour": repeated_words,
    }


def reflection_figures(events: list[Recorded], agent_days: int) -> dict[str, Any]:
    """Return how often people reflect, and how many insights rest on insights."""
    reflected = sum(isinstance(one.event, Reflected) for one in events)
    insights: dict[str, set[int]] = {}
    deep = 0
    for one in events:
        event = one.event
        if not isinstance(event, MemoryFormed) or event.kind is not MemoryKind.REFLECTION:
            continue
        own = insights.setdefault(one.stream, set())
        deep += bool(own.intersection(event.evidence))
        own.add(event.number)
    return {
        "reflections an agent-day": round(reflected / agent_days, 2),
        "insights": sum(map(len, insights.values())),
        "insights on insights": deep,
    }


if __name__ == "__main__":
    main()
