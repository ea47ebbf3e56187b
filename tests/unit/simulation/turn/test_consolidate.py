"""Consolidate: at bedtime the day becomes a few memories with their evidence (R2, R3)."""

from dataclasses import replace

import pytest

from apps.agents.events import ActionBegan, ActionKind
from apps.memory.events import MemoryKind, MemoryOrigin
from apps.reflection.events import DropReason, Reflected, ReflectionKind
from apps.reflection.inputs import ConsolidationInput
from apps.reflection.llm_tasks.consolidation import DayMemories, DayMemory
from apps.simulation.turn.remember.reflect import consolidate, goes_to_sleep
from tests.support.turns import (
    BEDROOM,
    NOW,
    PLANNED,
    MemoryStreamInMemory,
    Scene,
    action,
    events_of,
    item,
    run,
)

ASLEEP = action("sleeping", asleep=True, kind=ActionKind.SLEEPING)
NIGHT = item("hour", "9:00", "15:00", "sleep", asleep=True, place=BEDROOM)
NAP = item("hour", "9:00", "11:00", "sleep", asleep=True, place=BEDROOM)
BEDTIME = replace(PLANNED, hours=(NIGHT,))
KEPT = DayMemories(
    memories=(
        DayMemory(statement="Ada finished her letter on June 3", because_of=(1, 2)),
        DayMemory(statement="Ada flew on June 3", because_of=(7,)),
    )
)


def is_due(scene: Scene) -> bool:
    """Return whether the day is condensed when the agent has begun to sleep."""
    turn = scene.context()
    began = ActionBegan(
        description="sleeping",
        emoji="💤",
        tile=turn.tile,
        area=BEDROOM,
        object="",
        object_state="",
        asleep=True,
        until_tick=NIGHT.to_tick,
        plan_item=2,
        kind=ActionKind.SLEEPING,
    )
    return goes_to_sleep(turn.record(began))


def test_a_day_becomes_memories_that_name_their_evidence() -> None:
    scene = Scene(
        records=BEDTIME,
        memories=MemoryStreamInMemory(agreed=("Ada agreed to write", "Ada agreed to sign")),
        script={"reflection.consolidation": KEPT},
    )
    outcome = run(consolidate, scene.context())
    [condensed] = events_of(outcome)
    assert isinstance(condensed, Reflected)
    assert condensed.kind is ReflectionKind.CONSOLIDATION
    [memory] = outcome.memories
    assert memory.draft.description == "Ada finished her letter on June 3", "word for word"
    assert memory.draft.evidence == (1, 2)
    assert (memory.draft.kind, memory.draft.origin) == (
        MemoryKind.REFLECTION,
        MemoryOrigin.CONSOLIDATION,
    )
    assert [one.statement for one in condensed.dropped] == ["Ada flew on June 3"]


def test_what_was_kept_of_earlier_days_is_in_the_prompt_and_not_kept_again() -> None:
    memories = MemoryStreamInMemory(
        "Ada finished her letter on June 3",
        agreed=("Ada agreed to write", "Ada agreed to sign"),
    )
    memories.place(1, kind=MemoryKind.REFLECTION, origin=MemoryOrigin.CONSOLIDATION)
    again = DayMemory(statement="Ada finished her letter on June 3", because_of=(1, 2))
    scene = Scene(
        records=BEDTIME,
        memories=memories,
        script={"reflection.consolidation": DayMemories(memories=(again,))},
    )
    outcome = run(consolidate, scene.context())
    [request] = scene.model.asked
    assert isinstance(request.inputs, ConsolidationInput)
    assert [one.number for one in request.inputs.kept] == [1]
    assert [one.number for one in request.inputs.memories] == [2, 3]
    assert "Ada finished her letter on June 3" in request.messages[-1].content
    [condensed] = events_of(outcome)
    assert isinstance(condensed, Reflected)
    assert [one.reason for one in condensed.dropped] == [DropReason.REPEATS]
    assert outcome.memories == ()


def test_a_night_ends_a_day() -> None:
    assert is_due(Scene(records=BEDTIME))


@pytest.mark.parametrize(
    "scene",
    [
        Scene(records=replace(PLANNED, hours=(NAP,))),
        Scene(records=BEDTIME, own=ASLEEP),
        Scene(records=replace(BEDTIME, last_consolidated=NOW - 6)),
    ],
    ids=["a nap", "asleep already", "condensed today"],
)
def test_nothing_else_does(scene: Scene) -> None:
    assert not is_due(scene)


def test_a_day_without_memories_is_not_asked_about() -> None:
    outcome = run(consolidate, Scene(records=BEDTIME).context())
    assert events_of(outcome) == []
