"""A village of three whose records are written by hand, without a database."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from apps.agents.track import Action
from apps.dialogue.models import CommitmentRow, UtteranceRow
from apps.evaluation.quality.days import Days
from apps.kernel.game_time import GameCalendar
from apps.memory.events import MemoryKind, MemoryOrigin
from apps.memory.models import MemoryRow
from apps.planning.models import PlanItemRow
from apps.reflection.models import ReflectionRow
from apps.world.tree import Node, NodeKind, Norms, WorldTree
from tools.day_figures.run_record import MeasuredCall, RunRecord, SeededAgent

CALENDAR = GameCalendar(datetime(2023, 2, 13), 10)
ADA, BEN, CID = "ada-finch", "ben-marsh", "cid-wood"
HALL, KITCHEN = "Mill Cafe: hall", "Mill Cafe: kitchen"
PEOPLE = {
    ADA: SeededAgent(
        slug=ADA,
        name="Ada Finch",
        seeds=(
            "Ada Finch owns the Mill Cafe, which is old",
            "Ada Finch is writing a cookbook",
            "Ada Finch is married to Ben Marsh",
            "Ada Finch bakes bread in the kitchen from 8:00 am to 10:00 am",
            "Ada Finch has a harvest party on February 13, 2023, from 5:00 pm to 7:00 pm",
        ),
    ),
    BEN: SeededAgent(slug=BEN, name="Ben Marsh", seeds=("Ben Marsh is a potter",)),
    CID: SeededAgent(slug=CID, name="Cid Wood", seeds=("Cid Wood is a smith",)),
}
TREE = WorldTree(
    [
        Node(path="", name="Millbrook", kind=NodeKind.TOWN, parent=None),
        Node(
            path="Mill Cafe",
            name="Mill Cafe",
            kind=NodeKind.PLACE,
            parent="",
            norms=Norms(keepers=("Ada Finch",)),
        ),
        Node(path=HALL, name="hall", kind=NodeKind.AREA, parent="Mill Cafe"),
        Node(path=KITCHEN, name="kitchen", kind=NodeKind.AREA, parent="Mill Cafe"),
        Node(
            path=f"{HALL}: customer seating",
            name="customer seating",
            kind=NodeKind.OBJECT,
            parent=HALL,
        ),
        Node(path=f"{KITCHEN}: oven", name="oven", kind=NodeKind.OBJECT, parent=KITCHEN),
    ]
)


def tick(clock: str, *, day: int = 1) -> int:
    """Return the tick of a time of the nth day."""
    hour, minute = map(int, clock.split(":"))
    return CALENDAR.tick_at(
        CALENDAR.start + timedelta(days=day - 1, hours=hour, minutes=minute)
    )


def village(
    *, days: int = 2, areas: Mapping[str, str] | None = None, **records: Any
) -> RunRecord:
    """Return the village with these records; `areas` are where agents are all the time."""
    town = RunRecord(
        days=Days(CALENDAR, days),
        agents=PEOPLE,
        tree=TREE,
        area_at=lambda agent, _tick: (areas or {}).get(agent, ""),
        actions={},
    )
    return replace(town, **records)


def said(
    agent: str, to: str, text: str, when: int, talk: str = "t", n: int = 1
) -> UtteranceRow:
    return UtteranceRow(
        agent=agent,
        to=to,
        tick=when,
        conversation=talk,
        number=n,
        text=text,
        ends=False,
        memories=[],
        participants=[],
    )


def talk(when: int, *lines: tuple[str, str, str], name: str = "") -> list[UtteranceRow]:
    """Return a conversation with a line each tick."""
    return [
        said(agent, to, text, when + n, name or f"{when}", n + 1)
        for n, (agent, to, text) in enumerate(lines)
    ]


def memory(agent: str, number: int, text: str, when: int, **facts: Any) -> MemoryRow:
    of_memory: dict[str, Any] = {
        "kind": MemoryKind.OBSERVATION,
        "origin": MemoryOrigin.OWN_ACTION,
        "rating": 2,
    } | facts
    return MemoryRow(
        agent=agent, number=number, description=text, formed_tick=when, **of_memory
    )


def action(doing: str, starts: int, until: int, **facts: Any) -> Action:
    of_action: dict[str, Any] = {
        "emoji": "",
        "area": HALL,
        "object": "",
        "object_state": "",
        "asleep": False,
        "towards": "",
        "plan_item": 0,
        "event": "",
    } | facts
    return Action(from_tick=starts, until_tick=until, description=doing, **of_action)


def plan(agent: str, number: int, text: str, when: int, **facts: Any) -> PlanItemRow:
    of_item: dict[str, Any] = {
        "level": "outline",
        "parent": 0,
        "asleep": False,
        "with_agents": [],
        "valid_from_tick": when,
    } | facts
    return PlanItemRow(
        agent=agent,
        number=number,
        description=text,
        from_tick=when,
        to_tick=when + 360,
        **of_item,
    )


def reflection(
    agent: str, when: int, statements: Sequence[str], dropped: int = 0
) -> ReflectionRow:
    return ReflectionRow(
        agent=agent,
        tick=when,
        insights=[{"statement": one} for one in statements],
        dropped=[{"statement": "again"}] * dropped,
    )


def agreed(activity: str, ends: str, day: str = "2023-02-13", **facts: Any) -> CommitmentRow:
    hour, minute = map(int, ends.split(":"))
    until = hour * 60 + minute
    of_row: dict[str, Any] = {"declined": False, "cancelled": False} | facts
    return CommitmentRow(
        agent=BEN,
        other=ADA,
        tick=10,
        activity=activity,
        day=day,
        from_minute=until - 60,
        to_minute=until,
        **of_row,
    )


def call(agent: str, when: int, task: str, text: str = "", tokens: int = 100) -> MeasuredCall:
    return MeasuredCall(
        agent=agent,
        tick=when,
        task=task,
        prompt_tokens=tokens,
        completion_tokens=10,
        text=text,
    )
