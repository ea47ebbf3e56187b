"""An own activity is one memory, formed when the agent turns to another one (M2, ADR 50)."""

from dataclasses import replace
from typing import Any

from apps.agents.acts import ActKind
from apps.agents.events import ActionBegan, ActionKind
from apps.memory.earlier_memories import EarlierMemory
from apps.memory.events import MemoryOrigin
from apps.simulation.turn.context.outcome import PlannedStep, Turn
from apps.simulation.turn.context.records import DoneAction
from apps.simulation.turn.perform.stay import begin, pass_time
from tests.support.turns import (
    ADA,
    BEN,
    KITCHEN,
    NOW,
    PLANNED,
    MemoryStreamInMemory,
    Scene,
    descriptions_of,
    events_of,
    item,
    tick_at,
)

HOUR, NEXT = 2, 4
STEP = PlannedStep(
    kind=ActionKind.PLANNED,
    description="chopping onions",
    emoji="x",
    area=KITCHEN,
    from_tick=NOW,
    to_tick=tick_at("10:15"),
    plan_item=9,
    hour=NEXT,
    importance=2,
)


def done(description: str, starts: str, ends: str, **facts: Any) -> DoneAction:
    of_hour: dict[str, Any] = {"hour": HOUR, "activity": "write letters", "importance": 2}
    return DoneAction(
        description=description,
        continues=0,
        hour_ends=NOW,
        from_tick=tick_at(starts),
        to_tick=tick_at(ends),
        **of_hour | facts,
    )


LETTERS = (
    done("waking up", "6:30", "6:40", hour=1, activity="get up", importance=1),
    done("cutting the paper", "9:00", "9:10", importance=1),
    done("writing to the mayor", "9:10", "9:30", importance=4),
    done("sealing the letter", "9:30", "9:35"),
    done("writing to the mayor", "9:35", "9:50", importance=3),
    done("writing to Cem", "9:50", "10:00", importance=3),
)


def begins(
    *actions: DoneAction, step: PlannedStep = STEP, stream: MemoryStreamInMemory | None = None
) -> Turn:
    hours = (item("hour", "9:00", "10:00"), item("hour", "10:00", "11:00", "cook", number=NEXT))
    records = replace(PLANNED, hours=hours, done=actions)
    scene = Scene(records=records, memories=stream or MemoryStreamInMemory())
    return begin(scene.context(), step)


def test_it_names_its_times_and_what_mattered_most_in_it() -> None:
    outcome = begins(*LETTERS)
    [began] = events_of(outcome)
    assert isinstance(began, ActionBegan)
    assert began.activity == "cook"
    [memory] = (one.draft for one in outcome.memories)
    assert memory.description == (
        "Ada Finch was writing to the mayor, sealing the letter and writing to Cem "
        "from 9:00 am to 10:00 am"
    )
    assert (memory.importance, memory.activity) == (4, "write letters")
    assert (memory.origin, memory.subject) == (MemoryOrigin.OWN_ACTION, ADA)


def test_the_next_action_of_the_same_activity_leaves_no_memory() -> None:
    assert begins(*LETTERS, step=replace(STEP, hour=HOUR)).memories == ()


def test_a_pause_without_activity_does_not_end_it() -> None:
    records = replace(PLANNED, done=LETTERS)
    outcome = pass_time(Scene(records=records).context(), until=NOW + 6)
    assert [type(event) for event in events_of(outcome)] == [ActionBegan]
    assert outcome.memories == ()


def test_routine_is_on_the_log_only() -> None:
    assert begins(*(replace(one, importance=1) for one in LETTERS)).memories == ()


def test_what_the_model_has_not_rated_in_the_plan_is_rated_later() -> None:
    [memory] = begins(*(replace(one, importance=0) for one in LETTERS)).memories
    assert memory.draft.importance is None


def test_an_activity_that_is_remembered_from_earlier_is_counted() -> None:
    stream = MemoryStreamInMemory()
    stream.activities["write letters", ADA] = EarlierMemory(5, tick_at("8:00"))
    outcome = begins(*LETTERS, stream=stream)
    assert (outcome.memories, [one.number for one in outcome.repetitions]) == ((), [5])
    stream.activities["write letters", ADA] = EarlierMemory(5, tick_at("9:55"))
    assert begins(*LETTERS, stream=stream).repetitions == (), "it was counted in the night"


def test_what_concerns_others_or_matters_is_remembered_besides() -> None:
    giving = replace(LETTERS[2], description="giving Ben a letter", act=ActKind.GIVE.value)
    dream = replace(LETTERS[3], description="burning a letter", importance=8)
    outcome = begins(*LETTERS[:2], giving, dream, LETTERS[5])
    [memory] = descriptions_of(outcome)
    assert memory == (
        "Ada Finch was cutting the paper and writing to Cem from 9:00 am to 10:00 am"
    )
    for step in (replace(STEP, with_agents=(BEN,)), replace(STEP, importance=8)):
        assert descriptions_of(begins(step=step)) == ["Ada Finch is chopping onions"]
