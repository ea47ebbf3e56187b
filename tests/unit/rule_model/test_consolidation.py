"""What is kept of a day by rules: talks, what was agreed, and what took the time (R2)."""

from dataclasses import replace
from datetime import datetime, timedelta

from apps.memory.events import AgreementOutcome, MemoryKind, MemoryOrigin, ScheduledActivity
from apps.reflection.inputs import ConsolidationInput
from apps.reflection.llm_tasks.consolidation import CONSOLIDATION, DayMemories
from apps.rule_model.model import Chance
from tests.support.rules import TASK_RULES
from tests.unit.rule_model.speakers import HERRING, MOR, NOW, TAVISH, UNA, memory, planned
from tools.world_rehearsal import done_as

AGREED = memory(
    f"{UNA} agreed to come to the harvest supper on Tuesday, June 4, from 6:00 pm to 8:00 pm",
    MemoryOrigin.AGREED,
    kind=MemoryKind.PLAN,
    scheduled=ScheduledActivity(activity="come to the harvest supper"),
    importance=7,
)
DAY = ConsolidationInput(
    agent_name=UNA,
    summary=None,
    now=NOW.replace(hour=22),
    date=NOW.date(),
    memories=(
        replace(
            memory(f"{UNA} is tarring the hull", MemoryOrigin.OWN_ACTION),
            formed_at=NOW + timedelta(hours=1),
        ),
        memory(f"{UNA} and {TAVISH} talked of nets", MemoryOrigin.CONVERSATION, subject=TAVISH),
        memory(f"{UNA} and {MOR} talked of nets", MemoryOrigin.CONVERSATION, subject=MOR),
        AGREED,
    ),
    performed=(
        done_as(planned(10, 14, "work on the herring boat")),
        done_as(planned(14, 15, "have lunch")),
    ),
)


def kept(day: ConsolidationInput) -> dict[str, tuple[int, ...]]:
    answer = TASK_RULES[CONSOLIDATION.name](day, Chance(1, CONSOLIDATION.name, "1"))
    assert isinstance(answer, DayMemories)
    assert CONSOLIDATION.check is not None
    CONSOLIDATION.check(day, answer)
    return {one.statement: one.because_of for one in answer.memories}


def test_the_day_is_a_few_memories_with_their_evidence() -> None:
    agreed, talked, done = sorted(kept(DAY).items(), key=lambda one: one[1], reverse=True)
    assert agreed == (f"{AGREED.description}, as settled on Monday, June 3, 1872", (4,))
    assert talked == (f"{UNA} talked with {TAVISH} and {MOR} on Monday, June 3, 1872", (2, 3))
    assert done == (
        f"{UNA} spent about four hours working on the herring boat on Monday, June 3, 1872",
        (1,),
    )


def test_of_a_day_without_memories_nothing_is_kept() -> None:
    assert kept(replace(DAY, memories=())) == {}


def test_an_agreement_that_is_over_is_told_in_the_past_and_once() -> None:
    supper = ScheduledActivity(
        activity="come to the harvest supper",
        place="Seal Hall",
        starts=NOW.replace(hour=18),
        ends=NOW.replace(hour=20),
        outcome=AgreementOutcome.KEPT,
        present=(TAVISH, MOR),
    )
    ended = memory(
        f"{UNA} agreed to come to the harvest supper, and did so",
        MemoryOrigin.ENDED,
        scheduled=supper,
    )
    day = replace(
        DAY, memories=(AGREED, ended), performed=(done_as(planned(18, 20, supper.activity)),)
    )
    there = "was at the harvest supper at Seal Hall on June 3, 1872"
    assert kept(day) == {f"{UNA} {there}, with {TAVISH} and {MOR}": (2,)}
    missed = replace(ended, scheduled=replace(supper, outcome=AgreementOutcome.MISSED))
    assert kept(replace(day, memories=(missed,))) == {
        f"{UNA} did not keep the agreement to come to the harvest supper "
        "on Monday, June 3, 1872": (1,)
    }


def test_what_was_known_and_is_only_said_again_is_not_kept_again() -> None:
    news = memory(f"{MOR} told {UNA} that {HERRING}", MemoryOrigin.LEARNED, subject=MOR)
    assert any("herring" in one for one in kept(replace(DAY, memories=(news,))))
    again = replace(news, formed_at=NOW - timedelta(days=3), repeated_at=NOW, times=2)
    assert kept(replace(DAY, memories=(again,), performed=())) == {}


def test_what_two_agents_told_is_kept_once_and_not_again_the_day_after() -> None:
    told = tuple(
        memory(f"{name} told {UNA} that {HERRING}", MemoryOrigin.LEARNED, subject=name)
        for name in (MOR, TAVISH)
    )
    day = replace(DAY, memories=told, performed=())
    [said] = kept(day)
    assert HERRING in said
    assert kept(replace(day, kept=(memory(said, MemoryOrigin.CONSOLIDATION),))) == {}


def test_a_host_expects_its_guests() -> None:
    agreed = ScheduledActivity(
        activity="host the harvest supper",
        place="Kelp Hall",
        starts=datetime(1872, 6, 4, 18),
        ends=datetime(1872, 6, 4, 21),
    )
    hosted = [
        memory(f"{UNA} agreed", MemoryOrigin.AGREED, subject=name, scheduled=agreed)
        for name in (TAVISH, MOR)
    ]
    [said] = kept(replace(DAY, memories=tuple(hosted), performed=()))
    supper = "the harvest supper at Kelp Hall on Tuesday, June 4, 1872"
    assert said == f"{UNA} expects {TAVISH} and {MOR} at {supper}"
