"""Converse: take up an address, answer, wait, and part (D1, D2, D3)."""

from dataclasses import replace
from datetime import datetime
from typing import Any

import pytest

from apps.agents.events import ActionBegan, ActionKind, PlacesLearnt
from apps.agents.status import Deed
from apps.dialogue.events import Agreed, Said, TalkEnded
from apps.dialogue.inputs import TakeawaysInput, UtteranceInput
from apps.dialogue.llm_tasks.takeaways import Learnt
from apps.dialogue.llm_tasks.utterance import Utterance
from apps.dialogue.utterances import Ending, Spoken, Talk, gives_way
from apps.memory.events import MemoryOrigin, MemorySuperseded, ScheduledActivity
from apps.planning.revision import ImmediateActivity
from apps.simulation.settings import SimulationSettings
from apps.simulation.snapshot.local_view import OutOfView
from apps.simulation.turn.context.outcome import (
    PERFORMED,
    FollowPlan,
    RevisePlan,
    SpeakTo,
)
from apps.simulation.turn.context.records import (
    ActionBeforeTalk,
    AgentRecords,
    EndedConversation,
)
from apps.simulation.turn.conversation.converse import converse, open_conversation
from apps.simulation.turn.conversation.part import break_off
from apps.simulation.turn.decide.doors import answer_waiting
from tests.support.builders import commitment_to, only_a_gist, open_commitment, spoken_by
from tests.support.turns import (
    ADA,
    BEDROOM,
    BEN,
    CEM,
    DESK,
    KITCHEN,
    NOW,
    OVER,
    PLACE,
    PLANNED,
    STOVE,
    TABLE,
    MemoryStreamInMemory,
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
GIST = only_a_gist("Ada Finch and Ben Marsh talked about bread")
SUPPER = commitment_to("eat with Ben", "2024-06-03", "18:00", "19:00", place="kitchen")


def said(speaker: str, text: str, *, ago: int, number: int, ends: bool = False) -> Spoken:
    other = BEN if speaker == ADA else ADA
    return spoken_by(
        speaker, other, text, tick=NOW - ago, number=number, conversation="c", ends=ends
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


class TestStatus:
    def test_in_a_conversation_is_what_the_agent_really_did_before(self) -> None:
        before = ActionBeforeTalk(activity="writing a letter", kind=ActionKind.PLANNED)
        scene = in_talk(MINE, ANSWER, records=replace(PLANNED, before_talk=before))
        run(converse, scene.context())
        status = scene.inputs().status
        assert (status.activity, status.is_before_talk) == ("writing a letter", True)

    def test_of_a_walk_is_what_the_agent_was_about_to_begin(self) -> None:
        walk = ActionBeforeTalk(activity="walking to the bathroom", kind=ActionKind.WALKING)
        scene = in_talk(MINE, ANSWER, records=replace(PLANNED, before_talk=walk))
        run(converse, scene.context())
        planned = PLANNED.action
        assert planned is not None
        assert scene.inputs().status.activity == f"about to begin {planned.description}"

    def test_names_those_within_hearing_that_take_no_part(self) -> None:
        scene = in_talk(MINE, ANSWER, others={CEM: tile_at(TABLE)})
        run(converse, scene.context())
        assert scene.inputs().within_hearing == ("Cem Kaya",)

    def test_comes_with_what_was_done_of_the_day(self) -> None:
        done = Deed(
            starts=datetime(2024, 6, 3, 8),
            ends=datetime(2024, 6, 3, 9),
            actions=("eating an egg",),
            place="the kitchen",
        )
        scene = in_talk(MINE, ANSWER, performed=(done,))
        run(converse, scene.context())
        assert scene.inputs().performed == (done,)

    def test_of_the_other_one_is_what_it_did_before(self) -> None:
        talking = action("talking with Ada Finch", kind=ActionKind.TALKING)
        scene = in_talk(MINE, ANSWER, bens=talking, before_talk={BEN: "kneading dough"})
        run(converse, scene.context())
        status = scene.inputs().other_status
        assert (status.activity, status.is_before_talk) == ("kneading dough", True)

    def test_of_the_other_one_in_another_conversation_is_that_it_talks(self) -> None:
        talking = action("talking with Cem Kaya", kind=ActionKind.TALKING)
        elsewhere = replace(BENS_TALK, conversation="d", other=CEM)
        scene = in_talk(MINE, ANSWER, bens=talking, before_talk={BEN: "kneading dough"})
        scene.talks = [TALK, elsewhere]
        run(converse, scene.context())
        status = scene.inputs().other_status
        assert (status.activity, status.is_before_talk) == ("talking with Cem Kaya", False)


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

    def test_of_an_agent_that_has_left_the_conversation_is_kept_and_not_answered(self) -> None:
        scene = Scene(
            ben=tile_at(STOVE),
            spoken=[ADDRESSED],
            talks=[replace(BENS_TALK, from_tick=NOW - 1, to_tick=NOW - 1)],
            script={"dialogue.utterance": HELLO},
        )
        outcome = run(converse, scene.context())
        assert (outcome.events, outcome.intention, scene.model.asked) == ((), None, [])
        assert descriptions_of(outcome) == ["Ben Marsh said to Ada Finch: Have you slept well?"]

    def test_without_any_the_turn_goes_on(self) -> None:
        context = Scene(ben=tile_at(STOVE)).context()
        assert run(converse, context).intention is None


class TestConversation:
    def test_answers_what_was_said(self) -> None:
        outcome = run(converse, in_talk(MINE, ANSWER).context())
        spoken = events_of(outcome)[0]
        assert isinstance(spoken, Said)
        assert spoken.number == 3

    def test_has_no_intention_left_once_it_is_carried_out(self) -> None:
        """Ada came to ask for flour; in her third line she has said so."""
        asked = replace(MINE, intent="ask for flour", tick=NOW - 40)
        answered = replace(ANSWER, tick=NOW - 30)
        again = said(ADA, "A pound of it.", ago=20, number=3)
        told = said(BEN, "Take two.", ago=1, number=4)
        for spoken, intent in (
            ((asked, ANSWER), "ask for flour"),
            ((asked, answered, again, told), ""),
        ):
            scene = in_talk(*spoken)
            run(converse, scene.context())
            assert scene.inputs().intent == intent

    def test_records_the_memories_that_the_model_was_given(self) -> None:
        starts = datetime(2024, 6, 3, 13)
        lunch = ScheduledActivity(activity="cook lunch", place="", starts=starts, ends=None)
        stream = MemoryStreamInMemory("Ben Marsh bakes bread", planned=lunch)
        for outline, numbers in ((PLANNED.hours, (1,)), ((), (1, 2))):
            records = replace(PLANNED, outline=outline)
            scene = in_talk(MINE, ANSWER, records=records, memories=stream)
            spoken = events_of(run(converse, scene.context()))[0]
            assert isinstance(spoken, Said)
            assert tuple(memory.number for memory in scene.inputs().memories) == numbers
            assert spoken.memories == numbers

    def test_waits_for_an_answer(self) -> None:
        outcome = run(converse, in_talk(replace(MINE, tick=NOW - 2)).context())
        assert (outcome.events, outcome.intention) == ((), PERFORMED)

    @pytest.mark.parametrize(
        ("scene", "why"),
        [
            (in_talk(MINE, ANSWER, ben=tile_in(BEDROOM)), Ending.GONE),
            (in_talk(MINE, replace(ANSWER, ends=True)), Ending.SAID_ALL),
            (in_talk(MINE, talks=[TALK, replace(BENS_TALK, to_tick=NOW - 1)]), Ending.LEFT),
            (
                in_talk(MINE, ANSWER, talks=[TALK, replace(BENS_TALK, to_tick=NOW - 1)]),
                Ending.LEFT,
            ),
            (in_talk(MINE, own=replace(TALKING, until_tick=NOW)), Ending.NO_ANSWER),
        ],
        ids=[
            "out of view",
            "the last words",
            "the other one left",
            "the other one spoke and left",
            "no answer",
        ],
    )
    def test_ends_with(self, scene: Scene, why: Ending) -> None:
        outcome = run(converse, scene.context())
        ended = events_of(outcome)[0]
        assert all(isinstance(one.inputs, TakeawaysInput) for one in scene.model.asked)
        assert isinstance(ended, TalkEnded)
        assert ended.why == why.value
        assert outcome.talk is None
        assert outcome.intention == FollowPlan()

    @pytest.mark.parametrize(
        ("changes", "heard_by"),
        [
            ({}, (CEM,)),
            ({"settings": SimulationSettings(hearing_distance=0)}, ()),
            ({"talks": [TALK, BENS_TALK, replace(TALK, agent=CEM, conversation="d")]}, ()),
            ({"others": {CEM: tile_in(BEDROOM)}}, ()),
        ],
        ids=["beside them", "too far", "in another conversation", "in another room"],
    )
    def test_is_heard_by_who_is_near(self, changes: dict[str, Any], heard_by: object) -> None:
        facts: dict[str, Any] = {"others": {CEM: tile_at(STOVE)}}
        scene = in_talk(MINE, replace(ANSWER, ends=True), **facts | changes)
        ended = events_of(run(converse, scene.context()))[0]
        assert isinstance(ended, TalkEnded)
        assert ended.heard_by == heard_by

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

    @pytest.mark.parametrize(
        ("words", "node"), [("the bedroom", BEDROOM), (DESK, BEDROOM), ("Hobbs Cafe", "")]
    )
    def test_has_the_place_that_its_words_mean_which_is_learnt(
        self, words: str, node: str
    ) -> None:
        agreed = GIST.model_copy(
            update={"agreed": (SUPPER.model_copy(update={"place": words}),)}
        )
        script = {"dialogue.takeaways": agreed}
        scene = in_talk(MINE, replace(ANSWER, ends=True), script=script, known=(PLACE, KITCHEN))
        events = events_of(run(converse, scene.context()))
        assert [one.node for one in events if isinstance(one, Agreed)] == [node]
        learnt = [one.nodes for one in events if isinstance(one, PlacesLearnt)]
        assert learnt == ([(node,)] if node else [])

    @pytest.mark.parametrize(
        ("other", "activity", "times"),
        [
            (BEN, "eat with Ben", 0),
            (BEN, "have a supper together", 0),
            (CEM, "eat with Ben", 1),
        ],
    )
    def test_on_what_the_two_have_agreed_on_before_is_no_second_agreement(
        self, other: str, activity: str, times: int
    ) -> None:
        before = open_commitment(
            "10/ada-finch/1", other, activity, "2024-06-03", (18 * 60, 19 * 60), place="kitchen"
        )
        scene = in_talk(
            MINE,
            replace(ANSWER, ends=True),
            records=replace(PLANNED, commitments=(before,)),
            script={"dialogue.takeaways": GIST.model_copy(update={"agreed": (SUPPER,)})},
        )
        outcome = run(converse, scene.context())
        assert sum(isinstance(event, Agreed) for event in events_of(outcome)) == times
        agreed = [one for one in outcome.memories if one.draft.origin is MemoryOrigin.AGREED]
        assert len(agreed) == times

    def test_of_tomorrow_leaves_the_plan_of_today_as_it_is(self) -> None:
        tomorrow = SUPPER.model_copy(update={"date": "2024-06-04"})
        agreed = GIST.model_copy(update={"agreed": (tomorrow,)})
        scene = in_talk(MINE, replace(ANSWER, ends=True), script={"dialogue.takeaways": agreed})
        assert run(converse, scene.context()).intention == FollowPlan()


class TestMemories:
    def test_have_the_agreements_that_have_ended_lately(self) -> None:
        memories = MemoryStreamInMemory("Ada bakes", ended=("Ada was at the concert",))
        scene = in_talk(MINE, ANSWER, memories=memories)
        run(converse, scene.context())
        told = [memory.description for memory in scene.inputs().memories]
        assert told == ["Ada bakes", "Ada was at the concert"]


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

    def test_says_the_words_that_were_decided_on(self) -> None:
        scene = Scene(ben=tile_at(STOVE))
        intention = SpeakTo(
            other=BEN, intent="", cause="", words="Eight is fine.", ends=True, memories=(4,)
        )
        outcome = run(open_conversation, scene.context(), intention=intention)
        spoken = events_of(outcome)[0]
        assert isinstance(spoken, Said)
        assert (spoken.text, spoken.ends, spoken.memories) == ("Eight is fine.", True, (4,))
        assert scene.model.asked == [], "the decision holds the words"

    def test_needs_the_other_agent_in_view(self) -> None:
        scene = Scene(ben=tile_in(BEDROOM), script={"dialogue.utterance": HELLO})
        intention = SpeakTo(other=BEN, intent="greet Ben", cause="", words="Good morning.")
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


class TestEarlierAgreements:
    HALF_PAST = "Ada Finch agreed to hear the song on Monday, June 3, from 7:30 pm to 8:30 pm"
    DINNER = "Ada Finch agreed to eat with Ben on Tuesday, June 4, from 6:00 pm to 7:00 pm"

    def corrected(self, *superseded: str) -> Scene:
        at_eight = commitment_to(
            "hear the song", "2024-06-04", "20:00", "21:00", place="kitchen"
        )
        answer = GIST.model_copy(update={"agreed": (at_eight,), "superseded": superseded})
        return in_talk(
            MINE,
            replace(ANSWER, ends=True),
            memories=MemoryStreamInMemory(agreed=(self.HALF_PAST, self.DINNER), gists={1: 9}),
            script={"dialogue.takeaways": answer},
        )

    def test_are_offered_with_keys(self) -> None:
        scene = self.corrected()
        run(converse, scene.context())
        [request] = scene.model.asked
        prompt = request.messages[1].content
        assert f"A1: {self.HALF_PAST}" in prompt
        assert f"A2: {self.DINNER}" in prompt
        schema: Any = request.json_schema
        items = schema["properties"]["superseded"]["items"]
        assert items["enum"] == ["A1", "A2"]

    def test_are_superseded_where_the_answer_says_so(self) -> None:
        outcome = run(converse, self.corrected("A1").context())
        superseded, of_gist = [
            one for one in events_of(outcome) if isinstance(one, MemorySuperseded)
        ]
        ended = next(new for new in outcome.events if isinstance(new.event, TalkEnded))
        assert (superseded.number, of_gist.number) == (1, 9)
        assert superseded.event == f"{NOW}/{ADA}/{outcome.events.index(ended)}"
        [agreed] = [one for one in outcome.memories if one.draft.origin is MemoryOrigin.AGREED]
        assert "from 8:00 pm to 9:00 pm" in agreed.draft.description

    def test_hold_where_the_answer_names_none(self) -> None:
        events = events_of(run(converse, self.corrected().context()))
        assert not any(isinstance(one, MemorySuperseded) for one in events)


class TestBreakingOff:
    def test_ends_the_conversation_that_there_is(self) -> None:
        outcome = run(break_off, in_talk(MINE, ANSWER).context())
        assert [type(event) for event in events_of(outcome)] == [TalkEnded]
        assert outcome.intention is None, "what comes instead is decided by another step"

    def test_does_nothing_outside_a_conversation(self) -> None:
        assert run(break_off, Scene(own=OVER).context()).events == ()


# --- Two speak at once, and a third one waits ------------------------------------------------

NAMED_MINE, NAMED_BENS = f"{NOW - 1}/{ADA}", f"{NOW - 1}/{BEN}"
MY_OPENING = replace(MINE, tick=NOW - 1, conversation=NAMED_MINE)
BENS_OPENING = replace(ADDRESSED, conversation=NAMED_BENS)
CROSSED = {
    "talks": [
        Talk(agent=ADA, conversation=NAMED_MINE, other=BEN, from_tick=NOW - 1, to_tick=None),
        Talk(agent=BEN, conversation=NAMED_BENS, other=ADA, from_tick=NOW - 1, to_tick=None),
    ],
    "own": replace(TALKING, from_tick=NOW - 1),
}
CEMS = replace(
    ADDRESSED, agent=CEM, conversation="d", text="It starts at eight.", event=f"{NOW}/cem/0"
)
CEMS_TALK = Talk(agent=CEM, conversation="d", other=ADA, from_tick=NOW - 1, to_tick=None)
BY_THE_STOVE = {CEM: tile_at(STOVE)}


def lines_asked(scene: Scene) -> list[tuple[str, str]]:
    return [(line.speaker, line.text) for line in scene.inputs().lines]


class TestCrossing:
    def scene(self, *, wins: bool, tick: int = NOW) -> Scene:
        seed = next(
            seed for seed in range(99) if gives_way(seed, NOW - 1, ADA, BEN) is not wins
        )
        return in_talk(MY_OPENING, BENS_OPENING, **CROSSED, seed=seed, tick=tick)

    def test_keeps_the_words_of_the_one_that_gives_way_in_its_own_history(self) -> None:
        scene = self.scene(wins=False)
        outcome = run(converse, scene.context())
        assert [type(event) for event in events_of(outcome)][:2] == [TalkEnded, Said]
        assert lines_asked(scene) == [
            ("Ada Finch", "I have, thank you."),
            ("Ben Marsh", "Have you slept well?"),
        ]

    def test_keeps_them_in_the_history_of_the_other_one(self) -> None:
        scene = self.scene(wins=True)
        answer = replace(ANSWER, conversation=NAMED_MINE, number=2)
        scene.spoken = [replace(MY_OPENING, tick=NOW - 3), answer]
        scene.spoken += [replace(BENS_OPENING, tick=NOW - 3)]
        run(converse, scene.context())
        assert lines_asked(scene) == [
            ("Ben Marsh", "Have you slept well?"),
            ("Ada Finch", "I have, thank you."),
            ("Ben Marsh", "There is fresh bread."),
        ]

    def test_needs_no_answer_and_no_memory_of_its_own(self) -> None:
        context = self.scene(wins=True).context()
        outcome = run(converse, context)
        [began] = events_of(outcome)
        assert isinstance(began, ActionBegan), "a turn that was due writes an event"
        assert context.action is not None
        assert began.until_tick == context.action.until_tick
        assert (outcome.memories, outcome.intention) == ((), PERFORMED)


class TestSomebodyElse:
    def test_is_heard_in_the_conversation_with_another_one(self) -> None:
        scene = in_talk(MINE, CEMS, ANSWER, others=BY_THE_STOVE)
        run(converse, scene.context())
        assert ("Cem Kaya", "It starts at eight.") in lines_asked(scene)

    def test_is_answered_when_the_conversation_is_over(self) -> None:
        last = replace(ANSWER, ends=True)
        scene = in_talk(
            MINE, CEMS, last, others=BY_THE_STOVE, talks=[TALK, BENS_TALK, CEMS_TALK]
        )
        context = scene.context()
        outcome = run(answer_waiting, context, has_parted=True, intention=FollowPlan())
        spoken = events_of(outcome)[0]
        assert isinstance(spoken, Said)
        assert (spoken.conversation, spoken.to, spoken.number) == ("d", CEM, 2)
        assert lines_asked(scene) == [("Cem Kaya", "It starts at eight.")]
        assert outcome.intention == PERFORMED

    def test_waits_while_something_has_to_be_done_at_once(self) -> None:
        first = ImmediateActivity(description="put out the fire", place=KITCHEN, ticks=30)
        urgent = RevisePlan(reasons=(), first=first)
        scene = Scene(ben=tile_at(STOVE), spoken=[CEMS], others=BY_THE_STOVE, talks=[CEMS_TALK])
        outcome = run(answer_waiting, scene.context(), intention=urgent)
        assert (outcome.events, outcome.intention) == ((), urgent)

    def test_is_waited_for_while_it_is_in_a_conversation(self) -> None:
        # Ben has been addressed by Ada, and talks with Cem.
        bens = replace(BENS_TALK, conversation="e", other=CEM)
        cems = replace(BENS_TALK, conversation="e", agent=CEM, other=BEN)
        over = replace(TALKING, until_tick=NOW)
        scene = in_talk(MINE, own=over, talks=[TALK, bens, cems], others=BY_THE_STOVE)
        outcome = run(converse, scene.context())
        [began] = events_of(outcome)
        assert isinstance(began, ActionBegan)
        assert began.kind is ActionKind.TALKING
        assert (descriptions_of(outcome), outcome.intention) == ([], PERFORMED)

    def test_is_not_said_to_have_not_answered_while_it_was_busy(self) -> None:
        mine = replace(MINE, tick=NOW - 1_000)
        bens = replace(BENS_TALK, conversation="e", other=CEM)
        cems = replace(BENS_TALK, conversation="e", agent=CEM, other=BEN)
        talk = replace(TALK, from_tick=NOW - 1_000)
        over = replace(TALKING, until_tick=NOW)
        scene = in_talk(mine, own=over, talks=[talk, bens, cems], others=BY_THE_STOVE)
        outcome = run(converse, scene.context())
        ended = events_of(outcome)[0]
        assert isinstance(ended, TalkEnded)
        assert ended.why == Ending.BUSY.value
        assert descriptions_of(outcome) == ["Ada Finch said to Ben Marsh: I have, thank you."]


AT_SIX = open_commitment(
    "1/ada-finch/1", BEN, "eat", "2024-06-03", (1080, 1140), place="kitchen"
)


class TestRemark:
    """A single utterance that wants no answer."""

    REMARK = replace(ADDRESSED, text="Eight is fine.", ends=True)
    SUPPER_IS_OPEN = replace(
        PLANNED,
        last_talks={BEN: EndedConversation(to_tick=NOW - 90, gist="They spoke of supper.")},
    )

    @pytest.mark.parametrize(
        "text", ["Good morning, Ada!", "Einen schönen Tag noch, Ada.", "Steady now, Mr. Marsh."]
    )
    def test_that_asks_and_tells_nothing_is_kept_in_its_words(self, text: str) -> None:
        scene = in_talk(replace(self.REMARK, text=text), talks=[], own=action())
        outcome = run(converse, scene.context())
        assert [type(event) for event in events_of(outcome)] == [TalkEnded]
        assert scene.model.asked == []
        [kept] = outcome.memories
        assert kept.draft.description == f"Ben Marsh said to Ada Finch: {text}"
        assert (kept.draft.origin, kept.draft.importance) == (MemoryOrigin.UTTERANCE, 2)

    @pytest.mark.parametrize(
        ("text", "why"),
        [
            ("Is it you, Ada?", "it asks"),
            ("你好吗\uff1f", "it asks, in Chinese"),
            ("See you at 7.", "a time"),
            ("Cem is ill.", "another agent"),
            ("I shall be in the kitchen.", "a place"),
            ("The mayor has been taken ill in the night, and no doctor is to be had.", "news"),
        ],
    )
    def test_that_may_tell_something_is_looked_back_on(self, text: str, why: str) -> None:
        remark = replace(self.REMARK, text=text)
        scene = in_talk(remark, talks=[], own=action(), noticed={CEM: "Cem Kaya is ill"})
        run(converse, scene.context())
        assert isinstance(scene.inputs(), TakeawaysInput), why

    @pytest.mark.parametrize(
        "records",
        [
            SUPPER_IS_OPEN,
            replace(PLANNED, commitments=(AT_SIX,)),
        ],
        ids=["after a talk", "with an agreement"],
    )
    def test_is_taken_away_by_the_listener_who_goes_on(self, records: AgentRecords) -> None:
        scene = in_talk(self.REMARK, talks=[], own=action(), records=records)
        outcome = run(converse, scene.context())
        assert [type(event) for event in events_of(outcome)] == [TalkEnded]
        assert descriptions_of(outcome) == ["Ada Finch and Ben Marsh talked about bread"]
        assert outcome.intention is None

    def test_revises_the_plan_of_the_listener(self) -> None:
        agreed = GIST.model_copy(update={"agreed": (SUPPER,)})
        script = {"dialogue.takeaways": agreed}
        scene = in_talk(self.REMARK, talks=[], script=script, records=self.SUPPER_IS_OPEN)
        outcome = run(converse, scene.context())
        assert any(isinstance(event, Agreed) for event in events_of(outcome))
        assert isinstance(outcome.intention, RevisePlan)

    def test_revises_the_plan_of_its_speaker(self) -> None:
        agreed = GIST.model_copy(update={"agreed": (SUPPER,)})
        over = replace(TALKING, until_tick=NOW)
        scene = in_talk(
            replace(MINE, ends=True),
            own=over,
            script={"dialogue.takeaways": agreed},
            records=self.SUPPER_IS_OPEN,
        )
        outcome = run(converse, scene.context())
        assert any(isinstance(event, Agreed) for event in events_of(outcome))
        assert isinstance(outcome.intention, RevisePlan)
        assert isinstance(scene.inputs(), TakeawaysInput)

    def test_leaves_its_speaker_with_its_words(self) -> None:
        over = replace(TALKING, until_tick=NOW)
        scene = in_talk(replace(MINE, ends=True), own=over)
        outcome = run(converse, scene.context())
        assert scene.model.asked == []
        assert descriptions_of(outcome) == ["Ada Finch said to Ben Marsh: I have, thank you."]

    def test_reaches_an_agent_that_talks_with_another_one(self) -> None:
        remark = replace(CEMS, ends=True)
        last = replace(ANSWER, ends=True)
        learnt = GIST.model_copy(
            update={"learnt": (Learnt(sentence="Cem Kaya told of eight", line=3),)}
        )
        script = {"dialogue.takeaways": learnt}
        scene = in_talk(MINE, remark, last, others=BY_THE_STOVE, script=script)
        outcome = run(converse, scene.context())
        told = next(one for one in outcome.memories if one.draft.subject == CEM)
        assert (told.draft.description, told.cause) == ("Cem Kaya told of eight", remark.event)


def test_utterances_are_timed_by_their_words() -> None:
    early = replace(ADDRESSED, tick=tick_at("9:00"))
    scene = Scene(ben=tile_at(STOVE), spoken=[early])
    assert run(converse, scene.context()).events == (), "it was heard an hour ago"
