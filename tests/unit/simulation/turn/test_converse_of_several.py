"""Converse among several: join, answer or listen, go on without the one that leaves (D2)."""

from dataclasses import replace
from typing import Any

from apps.agents.acts import Act, ActKind
from apps.agents.events import ActionBegan
from apps.dialogue.events import Agreed, Overheard, Said, TalkEnded
from apps.dialogue.llm_tasks.utterance import Utterance
from apps.dialogue.utterances import Ending, Spoken, Talk
from apps.simulation.turn.context.outcome import Perform, PlannedStep, SpeakTo
from apps.simulation.turn.conversation.converse import converse, open_conversation
from apps.simulation.turn.decide.social_acts import begin_act
from apps.simulation.turn.perceive.observe import overhear
from tests.support.builders import commitment_to, only_a_gist
from tests.support.turns import (
    ADA,
    BEN,
    CEM,
    KITCHEN,
    NOW,
    OVER,
    PLANNED,
    STOVE,
    TABLE,
    Scene,
    action,
    descriptions_of,
    events_of,
    run,
    tile_at,
)

GIST = only_a_gist("Ada Finch, Ben Marsh and Cem Kaya talked about bread")
ALL = (ADA, BEN, CEM)


def said(speaker: str, to: str, *, ago: int, number: int, **changes: Any) -> Spoken:
    """Return a short utterance to the two others, of which `to` is to answer."""
    facts: dict[str, Any] = {
        "agent": speaker,
        "tick": NOW - ago,
        "conversation": "c",
        "number": number,
        "to": to,
        "text": f"It is {speaker} who speaks.",
        "ends": False,
        "event": f"{NOW - ago}/{speaker}/0",
        "participants": tuple(one for one in ALL if one != speaker),
    }
    return Spoken(**facts | changes)


def talk(agent: str, other: str) -> Talk:
    return Talk(agent=agent, conversation="c", other=other, from_tick=NOW - 9, to_tick=None)


THREE = (talk(ADA, BEN), talk(BEN, ADA), talk(CEM, BEN))
EARLIER = (said(ADA, BEN, ago=9, number=1), said(BEN, CEM, ago=6, number=2))


def table(*spoken: Spoken, answer: Utterance | None = None, **changes: Any) -> Scene:
    """Return a scene in which Ada talks with Ben and Cem in the kitchen."""
    facts: dict[str, Any] = {
        "own": action("talking", from_tick=NOW - 9),
        "ben": tile_at(STOVE),
        "others": {CEM: tile_at(TABLE)},
        "talks": THREE,
        "spoken": [*EARLIER, *spoken],
        "script": {"dialogue.utterance": answer or [], "dialogue.takeaways": GIST},
    }
    return Scene(**facts | changes)


class TestSeveral:
    def test_listen_to_words_that_another_one_is_to_answer(self) -> None:
        scene = table(said(CEM, BEN, ago=1, number=3))
        [began] = events_of(run(converse, scene.context()))
        assert isinstance(began, ActionBegan)
        assert began.description == "talking with Ben Marsh and Cem Kaya"
        assert scene.model.asked == []

    def test_choose_who_is_to_answer(self) -> None:
        words = Utterance(utterance="And you, Ben?", ends=False, to="Ben Marsh")
        scene = table(said(CEM, ADA, ago=1, number=3), answer=words)
        spoken = events_of(run(converse, scene.context()))[0]
        assert isinstance(spoken, Said)
        assert (spoken.to, spoken.number) == (BEN, 4)
        assert spoken.participants == (BEN, CEM)
        inputs = scene.inputs()
        assert (inputs.other_name, inputs.besides) == ("Cem Kaya", ("Ben Marsh",))
        assert [line.speaker for line in inputs.lines][-1] == "Cem Kaya"

    def test_go_on_without_the_one_that_takes_its_leave(self) -> None:
        words = Utterance(utterance="Bye, Cem! Ben, more bread?", ends=False)
        scene = table(said(CEM, ADA, ago=1, number=3, ends=True), answer=words)
        spoken = events_of(run(converse, scene.context()))[0]
        assert isinstance(spoken, Said)
        assert (spoken.to, spoken.participants) == (BEN, ())

    def test_go_on_without_the_one_that_has_left_without_a_goodbye(self) -> None:
        """Cem has spoken in words that Ada did not hear, and is gone from the conversation."""
        words = Utterance(utterance="More bread, Ben?", ends=False)
        left = replace(THREE[2], to_tick=NOW - 2)
        scene = table(said(BEN, ADA, ago=1, number=3), answer=words, talks=(*THREE[:2], left))
        spoken = events_of(run(converse, scene.context()))[0]
        assert isinstance(spoken, Said)
        assert (spoken.to, spoken.participants) == (BEN, ())
        assert scene.inputs().besides == ()

    def test_part_when_the_last_of_the_others_says_goodbye(self) -> None:
        scene = table(
            said(CEM, ADA, ago=4, number=3, ends=True),
            said(BEN, ADA, ago=1, number=4, ends=True),
            talks=(*THREE[:2], replace(THREE[2], to_tick=NOW - 2)),
        )
        ended = events_of(run(converse, scene.context()))[0]
        assert isinstance(ended, TalkEnded)
        assert ended.why == Ending.SAID_ALL
        assert GIST.gist in descriptions_of(run(converse, scene.context()))

    def test_do_not_speak_again_after_words_that_want_no_answer(self) -> None:
        """Ada has just spoken, and Cem has answered her to the end."""
        mine = said(ADA, CEM, ago=4, number=3)
        scene = table(mine, said(CEM, ADA, ago=1, number=4, ends=True))
        [began] = events_of(run(converse, scene.context()))
        assert isinstance(began, ActionBegan)
        assert scene.model.asked == []

    def test_listen_on_with_nothing_to_say(self) -> None:
        silence = Utterance(utterance="", ends=False)
        scene = table(said(CEM, ADA, ago=1, number=3), answer=silence)
        [began] = events_of(run(converse, scene.context()))
        assert isinstance(began, ActionBegan)
        assert began.description == "talking with Ben Marsh and Cem Kaya"

    def test_do_not_answer_while_they_speak_themselves(self) -> None:
        mine = said(ADA, BEN, ago=2, number=3, text="word " * 90)
        scene = table(mine, said(CEM, ADA, ago=1, number=3))
        assert not any(
            isinstance(one, Said) for one in events_of(run(converse, scene.context()))
        )

    def test_agree_with_all_that_spoke(self) -> None:
        supper = commitment_to("eat together", "2024-06-04", "18:00", "19:00")
        scene = table(
            said(CEM, ADA, ago=4, number=3, ends=True),
            said(BEN, ADA, ago=1, number=4, ends=True),
            talks=(*THREE[:2], replace(THREE[2], to_tick=NOW - 2)),
            script={"dialogue.takeaways": GIST.model_copy(update={"agreed": (supper,)})},
        )
        [agreed] = [
            one for one in events_of(run(converse, scene.context())) if isinstance(one, Agreed)
        ]
        assert (agreed.other, agreed.besides) == (BEN, (CEM,))


class TestListener:
    def test_takes_part_when_it_is_asked(self) -> None:
        words = Utterance(utterance="I would love some.", ends=False)
        scene = table(talks=THREE[1:], spoken=[said(BEN, ADA, ago=1, number=2)], answer=words)
        spoken = events_of(run(converse, scene.context()))[0]
        assert isinstance(spoken, Said)
        assert (spoken.conversation, spoken.to, spoken.number) == ("c", BEN, 3)
        assert spoken.participants == (BEN, CEM)

    def test_listens_to_what_is_said_to_another_one(self) -> None:
        words = said(BEN, CEM, ago=1, number=1)
        outcome = run(converse, table(talks=THREE[1:], spoken=[words]).context())
        assert events_of(outcome) == [
            Overheard(conversation="c", utterances=(words.event,), is_over=False)
        ]
        assert descriptions_of(outcome) == []

    def test_takes_from_it_what_those_take_that_have_spoken(self) -> None:
        heard = (said(BEN, CEM, ago=9, number=1), said(CEM, BEN, ago=5, number=2, ends=True))
        scene = table(talks=(), spoken=(), records=replace(PLANNED, overheard=heard))
        outcome = run(converse, scene.context())
        over, ended = events_of(outcome)[:2]
        assert over == Overheard(conversation="c", utterances=(), is_over=True)
        assert isinstance(ended, TalkEnded)
        assert (ended.conversation, ended.other) == ("c", BEN)
        assert GIST.gist in descriptions_of(outcome)
        inputs = scene.inputs()
        assert (inputs.other_name, inputs.besides) == ("Ben Marsh", ("Cem Kaya",))

    def test_takes_nothing_from_it_while_the_others_go_on(self) -> None:
        heard = (said(BEN, CEM, ago=9, number=1),)
        scene = table(talks=THREE[1:], spoken=(), records=replace(PLANNED, overheard=heard))
        assert events_of(run(converse, scene.context())) == []
        assert run(overhear, scene.context()).events == ()


class TestJoining:
    def test_is_an_utterance_of_the_conversation_of_the_others(self) -> None:
        scene = table(
            talks=THREE[1:], spoken=[said(BEN, CEM, ago=1, number=5, participants=())]
        )
        opening = SpeakTo(other=BEN, intent="join", cause="", words="I heard that, Ben.")
        spoken = events_of(run(open_conversation, scene.context(), intention=opening))[0]
        assert isinstance(spoken, Said)
        assert (spoken.conversation, spoken.number, spoken.to) == ("c", 6, BEN)
        assert spoken.participants == (BEN, CEM)

    def test_is_possible_at_the_first_words(self) -> None:
        scene = table(
            talks=[THREE[1]], spoken=[said(BEN, CEM, ago=1, number=1, participants=())]
        )
        opening = SpeakTo(other=BEN, intent="join", cause="", words="I heard that, Ben.")
        spoken = events_of(run(open_conversation, scene.context(), intention=opening))[0]
        assert isinstance(spoken, Said)
        assert (spoken.conversation, spoken.participants) == ("c", (BEN, CEM))

    def test_is_said_to_the_one_that_is_chosen(self) -> None:
        scene = table(
            talks=THREE[1:], spoken=[said(BEN, CEM, ago=1, number=5, participants=())]
        )
        opening = SpeakTo(other=BEN, intent="join", cause="", words="And you, Cem?", to=CEM)
        spoken = events_of(run(open_conversation, scene.context(), intention=opening))[0]
        assert isinstance(spoken, Said)
        assert (spoken.conversation, spoken.to) == ("c", CEM)

    def test_hears_what_the_others_are_saying_then(self) -> None:
        """Ben speaks to Cem in the tick in which Ada joins them."""
        mine = said(ADA, CEM, ago=2, number=2, text="Good morning!")
        bens = said(BEN, CEM, ago=2, number=2, text="word " * 30, participants=())
        scene = table(
            talks=(replace(THREE[0], other=CEM, from_tick=NOW - 2), *THREE[1:]),
            spoken=[said(CEM, BEN, ago=4, number=1, participants=()), mine, bens],
        )
        context = scene.context()
        assert context.utterances.heard() == [bens]
        assert context.utterances.heard_in("c") == [mine, bens]
        [began] = events_of(run(converse, context))
        assert isinstance(began, ActionBegan)
        assert scene.model.asked == []

    def test_is_not_possible_where_the_other_one_is_out_of_view(self) -> None:
        scene = table(
            talks=[THREE[1]],
            spoken=[said(BEN, CEM, ago=1, number=1, participants=())],
            others={},
        )
        opening = SpeakTo(other=BEN, intent="join", cause="", words="I heard that, Ben.")
        spoken = events_of(run(open_conversation, scene.context(), intention=opening))[0]
        assert isinstance(spoken, Said)
        assert (spoken.conversation, spoken.number) == (f"{NOW}/{ADA}", 1)


class TestTelling:
    def test_reaches_all_that_are_present(self) -> None:
        words = Utterance(utterance="I am running for mayor.", ends=True)
        step = PlannedStep(
            kind=action().kind,
            description="telling everybody of the candidacy",
            emoji="",
            area=KITCHEN,
            from_tick=NOW,
            to_tick=NOW + 60,
            plan_item=3,
            act=Act(kind=ActKind.TELL, about="the candidacy"),
        )
        scene = table(own=OVER, talks=(), spoken=(), answer=words)
        context = scene.context()
        told = run(begin_act, context, intention=Perform(step=step))
        outcome = open_conversation(told)
        [spoken] = [one for one in events_of(outcome) if isinstance(one, Said)]
        assert spoken.participants == (BEN, CEM)
