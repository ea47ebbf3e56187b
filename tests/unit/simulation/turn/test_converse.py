"""Converse: take up an address, answer, wait, and part (D1, D2, D3)."""

from dataclasses import replace
from typing import Any

import pytest

from apps.agents.events import ActionBegan, ActionKind
from apps.dialogue.events import Agreed, Said, TalkEnded
from apps.dialogue.inputs import UtteranceInput
from apps.dialogue.llm_tasks.takeaways import Commitment, Takeaways
from apps.dialogue.llm_tasks.utterance import Utterance
from apps.dialogue.rules import Ending
from apps.dialogue.utterances import Spoken, Talk
from apps.memory.events import MemoryOrigin
from apps.simulation.snapshot.local_view import OutOfView
from apps.simulation.turn.converse import break_off, converse, open_conversation
from apps.simulation.turn.outcome import PERFORMED, FollowPlan, RevisePlan, SpeakTo
from tests.support.turns import (
    ADA,
    BEDROOM,
    BEN,
    NOW,
    OVER,
    STOVE,
    Scene,
    action,
    descriptions_of,
    events_of,
    run,
    tick_at,
    tile_at,
    tile_in,
)

HELLO = Utterance(utterance="Good morning, Ben.", ends=False)
GIST = Takeaways(
    gist="Ada Finch and Ben Marsh talked about bread",
    learnt=(),
    agreed=(),
    declined=(),
    about_other="",
    for_plans="",
)
SUPPER = Commitment(
    activity="eat with Ben", place="kitchen", date="2024-06-03", starts="18:00", ends="19:00"
)


def said(speaker: str, text: str, *, ago: int, number: int, ends: bool = False) -> Spoken:
    other = BEN if speaker == ADA else ADA
    return Spoken(
        agent=speaker,
        tick=NOW - ago,
        conversation="c",
        number=number,
        to=other,
        text=text,
        ends=ends,
        event=f"{NOW - ago}/{speaker}/0",
    )


# Four words take a tick: they are heard in the tick after the one in which they are said.
ADDRESSED = said(BEN, "Have you slept well?", ago=1, number=1)
MINE = said(ADA, "I have, thank you.", ago=9, number=1)
ANSWER = said(BEN, "There is fresh bread.", ago=1, number=2)
TALK = Talk(agent=ADA, conversation="c", other=BEN, from_tick=NOW - 9, to_tick=None)
BENS_TALK = replace(TALK, agent=BEN, other=ADA)
TALKING = action("talking with Ben Marsh", kind=ActionKind.TALKING, from_tick=NOW - 9)


def in_talk(*spoken: Spoken, **changes: Any) -> Scene:
    """Return a scene in which Ada is in a conversation with Ben, who is at the stove."""
    facts: dict[str, Any] = {
        "own": TALKING,
        "ben": tile_at(STOVE),
        "talks": [TALK, BENS_TALK],
        "spoken": spoken,
        "script": {"dialogue.utterance": HELLO, "dialogue.takeaways": GIST},
    }
    return Scene(**facts | changes)


class TestAddress:
    def test_is_taken_up_while_walking(self) -> None:
        walking = action("walking to the kitchen", towards=STOVE, kind=ActionKind.WALKING)
        scene = Scene(
            own=walking,
            ben=tile_at(STOVE),
            spoken=[ADDRESSED],
            script={"dialogue.utterance": HELLO},
        )
        outcome = run(converse, scene.context())
        spoken, began = events_of(outcome)
        assert isinstance(spoken, Said)
        assert (spoken.conversation, spoken.to, spoken.number) == ("c", BEN, 2)
        assert spoken.text == "Good morning, Ben."
        assert outcome.events[0].cause == ADDRESSED.event
        assert isinstance(began, ActionBegan)
        assert (began.kind, began.until_tick > NOW) == (ActionKind.TALKING, True)
        assert outcome.intention == PERFORMED

    def test_reaches_the_model_word_for_word(self) -> None:
        scene = Scene(
            ben=tile_at(STOVE), spoken=[ADDRESSED], script={"dialogue.utterance": HELLO}
        )
        run(converse, scene.context())
        inputs = scene.inputs()
        assert isinstance(inputs, UtteranceInput)
        assert [(line.speaker, line.text) for line in inputs.lines] == [
            ("Ben Marsh", "Have you slept well?")
        ]

    def test_that_is_not_heard_to_the_end_leaves_a_memory(self) -> None:
        scene = Scene(ben=tile_in(BEDROOM), spoken=[ADDRESSED])
        outcome = run(converse, scene.context())
        assert outcome.intention is None
        assert [memory.draft.origin for memory in outcome.memories] == [MemoryOrigin.UNHEARD]

    def test_without_any_the_turn_goes_on(self) -> None:
        context = Scene(ben=tile_at(STOVE)).context()
        assert run(converse, context).intention is None


class TestConversation:
    def test_answers_what_was_said(self) -> None:
        outcome = run(converse, in_talk(MINE, ANSWER).context())
        spoken = events_of(outcome)[0]
        assert isinstance(spoken, Said)
        assert spoken.number == 3

    def test_waits_for_an_answer(self) -> None:
        outcome = run(converse, in_talk(replace(MINE, tick=NOW - 2)).context())
        assert (outcome.events, outcome.intention) == ((), PERFORMED)

    @pytest.mark.parametrize(
        ("scene", "why"),
        [
            (in_talk(MINE, ANSWER, ben=tile_in(BEDROOM)), Ending.GONE),
            (in_talk(MINE, replace(ANSWER, ends=True)), Ending.SAID_ALL),
            (in_talk(MINE, talks=[TALK, replace(BENS_TALK, to_tick=NOW - 1)]), Ending.LEFT),
            (in_talk(MINE, own=replace(TALKING, until_tick=NOW)), Ending.NO_ANSWER),
        ],
        ids=["out of view", "the last words", "the other one left", "no answer"],
    )
    def test_ends_with(self, scene: Scene, why: Ending) -> None:
        outcome = run(converse, scene.context())
        ended = events_of(outcome)[0]
        assert isinstance(ended, TalkEnded)
        assert ended.why == why.value
        assert outcome.talk is None
        assert outcome.intention == FollowPlan()

    def test_is_looked_back_on_in_the_words_of_the_model(self) -> None:
        outcome = run(converse, in_talk(MINE, replace(ANSWER, ends=True)).context())
        assert descriptions_of(outcome) == ["Ada Finch and Ben Marsh talked about bread"]

    def test_without_an_answer_leaves_that_as_a_memory(self) -> None:
        scene = in_talk(MINE, own=replace(TALKING, until_tick=NOW))
        assert descriptions_of(run(converse, scene.context())) == [
            "Ben Marsh did not answer Ada Finch"
        ]

    def test_revises_the_plan_for_an_agreement_of_today(self) -> None:
        agreed = GIST.model_copy(update={"agreed": (SUPPER,)})
        scene = in_talk(MINE, replace(ANSWER, ends=True), script={"dialogue.takeaways": agreed})
        outcome = run(converse, scene.context())
        assert any(isinstance(event, Agreed) for event in events_of(outcome))
        assert isinstance(outcome.intention, RevisePlan)
        assert (
            "Ada Finch agreed to eat with Ben at kitchen on Monday, June 3"
            in (descriptions_of(outcome)[-1])
        )

    def test_of_tomorrow_leaves_the_plan_of_today_as_it_is(self) -> None:
        tomorrow = SUPPER.model_copy(update={"date": "2024-06-04"})
        agreed = GIST.model_copy(update={"agreed": (tomorrow,)})
        scene = in_talk(MINE, replace(ANSWER, ends=True), script={"dialogue.takeaways": agreed})
        assert run(converse, scene.context()).intention == FollowPlan()


class TestOpening:
    def test_says_the_first_words_of_a_new_conversation(self) -> None:
        scene = Scene(ben=tile_at(STOVE), script={"dialogue.utterance": HELLO})
        intention = SpeakTo(other=BEN, intent="greet Ben", cause="3600/ada-finch/0")
        outcome = run(open_conversation, scene.context(), intention=intention)
        spoken = events_of(outcome)[0]
        assert isinstance(spoken, Said)
        assert (spoken.number, spoken.to) == (1, BEN)
        assert outcome.events[0].cause == "3600/ada-finch/0"
        assert scene.inputs().intent == "greet Ben"

    def test_needs_the_other_agent_in_view(self) -> None:
        scene = Scene(ben=tile_in(BEDROOM), script={"dialogue.utterance": HELLO})
        intention = SpeakTo(other=BEN, intent="greet Ben", cause="")
        with pytest.raises(OutOfView):
            run(open_conversation, scene.context(), intention=intention)

    def test_keeps_the_object_in_use_and_waits_longer_for_a_user(self) -> None:
        using = action("baking", object=STOVE, object_state="hot")
        scene = Scene(own=using, ben=tile_at(STOVE), script={"dialogue.utterance": HELLO})
        intention = SpeakTo(other=BEN, intent="greet Ben", cause="")
        mine = events_of(run(open_conversation, scene.context(), intention=intention))[1]
        scene.controlled = frozenset({BEN})
        users = events_of(run(open_conversation, scene.context(), intention=intention))[1]
        assert isinstance(mine, ActionBegan)
        assert isinstance(users, ActionBegan)
        assert (mine.object, mine.object_state) == (STOVE, "hot")
        assert users.until_tick > mine.until_tick


class TestBreakingOff:
    def test_ends_the_conversation_that_there_is(self) -> None:
        outcome = run(break_off, in_talk(MINE, ANSWER).context())
        assert [type(event) for event in events_of(outcome)] == [TalkEnded]
        assert outcome.intention is None, "what comes instead is decided by another step"

    def test_does_nothing_outside_a_conversation(self) -> None:
        assert run(break_off, Scene(own=OVER).context()).events == ()


def test_utterances_are_timed_by_their_words() -> None:
    early = replace(ADDRESSED, tick=tick_at("9:00"))
    scene = Scene(ben=tile_at(STOVE), spoken=[early])
    assert run(converse, scene.context()).events == (), "it was heard an hour ago"
