"""A conversation of others is one memory of the agent that overhears it (D2, ADR 57)."""

from dataclasses import replace
from typing import Any

import pytest

from apps.dialogue.events import Overheard
from apps.dialogue.utterances import Spoken, Talk
from apps.memory.events import MemoryOrigin
from apps.simulation.turn.perceive.observe import (
    LINE_CHARACTERS_MAX,
    WORDS_CHARACTERS_MAX,
    overhear,
)
from tests.support.builders import spoken_by
from tests.support.turns import (
    ADA,
    BEDROOM,
    BEN,
    CEM,
    NOW,
    PLANNED,
    STOVE,
    TABLE,
    Scene,
    descriptions_of,
    events_of,
    run,
    tile_at,
    tile_in,
)

TALK = f"{NOW - 40}/{BEN}"
NEWS = "I am running for mayor."


def line(text: str, *, ago: int, number: int = 1, agent: str = BEN) -> Spoken:
    return spoken_by(
        agent,
        CEM if agent == BEN else BEN,
        text,
        tick=NOW - ago,
        number=number,
        conversation=TALK,
    )


def beside(*spoken: Spoken, is_over: bool = False, **changes: Any) -> Scene:
    """Return a scene in which Ada is near Ben and Cem, who talk or have talked."""
    ended = NOW - 1 if is_over else None
    talks = [
        Talk(agent=one, conversation=TALK, other=other, from_tick=NOW - 40, to_tick=ended)
        for one, other in ((BEN, CEM), (CEM, BEN))
    ]
    facts: dict[str, Any] = {
        "ben": tile_at(STOVE),
        "others": {CEM: tile_at(TABLE)},
        "spoken": spoken,
        "talks": talks,
    }
    return Scene(**facts | changes)


OPENING, ANSWER = line("Hi, Cem.", ago=40), line("Hello!", ago=30, number=2, agent=CEM)
LAST = line(NEWS, ago=1, number=3)
BEFORE = replace(PLANNED, overheard=(OPENING, ANSWER))


def test_what_is_overheard_is_recorded_while_the_conversation_goes_on() -> None:
    outcome = run(overhear, beside(LAST).context())
    assert events_of(outcome) == [
        Overheard(conversation=TALK, utterances=(LAST.event,), is_over=False)
    ]
    assert outcome.events[0].cause == LAST.event
    assert outcome.memories == ()
    silence = beside(records=BEFORE)
    assert run(overhear, silence.context()).events == ()


@pytest.mark.parametrize(
    "end",
    [
        {"is_over": True},
        {"ben": tile_in(BEDROOM), "others": {}},
    ],
    ids=["they part", "they are out of view"],
)
def test_it_is_one_memory_when_no_more_of_it_is_heard(end: dict[str, Any]) -> None:
    records = replace(PLANNED, overheard=(OPENING, ANSWER, LAST))
    outcome = run(overhear, beside(records=records, **end).context())
    assert events_of(outcome) == [Overheard(conversation=TALK, utterances=(), is_over=True)]
    [memory] = outcome.memories
    assert memory.draft.description == (
        "Ada Finch overheard Ben Marsh and Cem Kaya talking. "
        f'Ben Marsh: "Hi, Cem." Cem Kaya: "Hello!" Ben Marsh: "{NEWS}"'
    )
    assert memory.draft.origin is MemoryOrigin.OVERHEARD
    assert (memory.draft.subject, memory.cause) == (BEN, outcome.last_event)
    assert memory.draft.perceived


def test_the_last_words_are_a_part_of_it() -> None:
    outcome = run(overhear, beside(LAST, is_over=True, records=BEFORE).context())
    [ended] = events_of(outcome)
    assert ended == Overheard(conversation=TALK, utterances=(LAST.event,), is_over=True)
    assert descriptions_of(outcome)[0].endswith(f'"{NEWS}"')


def test_a_single_utterance_is_remembered_in_its_words() -> None:
    outcome = run(overhear, beside(LAST, is_over=True).context())
    assert descriptions_of(outcome) == [f"Ben Marsh said to Cem Kaya: {NEWS}"]


def test_joining_the_conversation_ends_the_overhearing() -> None:
    scene = beside(records=BEFORE)
    own = Talk(agent=ADA, conversation=TALK, other=BEN, from_tick=NOW - 2, to_tick=None)
    scene.talks = [*scene.talks, own]
    assert len(run(overhear, scene.context()).memories) == 1


def test_a_long_conversation_is_remembered_without_its_shortest_words() -> None:
    spoken = tuple(
        line(text, ago=40 - number, number=number)
        for number, text in enumerate(("a" * 110, "Yes.", "b" * 100, "c " * 90, "No."), start=1)
    )
    records = replace(PLANNED, overheard=(*spoken, line("d" * 70, ago=30, number=6)))
    [text] = descriptions_of(run(overhear, beside(records=records, is_over=True).context()))
    words = [part.rstrip('" ') for part in text.split('Ben Marsh: "')[1:]]
    assert [one[0] for one in words] == ["a", "b", "c", "d"]
    assert max(map(len, words)) <= LINE_CHARACTERS_MAX
    assert sum(map(len, words)) <= WORDS_CHARACTERS_MAX
