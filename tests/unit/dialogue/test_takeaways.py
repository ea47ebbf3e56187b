"""The LLM task of takeaways, and what is kept of its answer."""

from dataclasses import replace

import pytest

from apps.agents.status import STRANGER, Acquaintance, Standing
from apps.dialogue.decisions import (
    Digest,
    Opinion,
    SourcedSentence,
    digest,
    scheduled_activity,
)
from apps.dialogue.events import Agreed, Declined
from apps.dialogue.inputs import Line, TakeawaysInput
from apps.dialogue.llm_tasks import TAKEAWAYS
from apps.dialogue.llm_tasks.takeaways import Learnt, OpinionOf, Refusal, Takeaways
from apps.memory.events import ScheduledActivity
from tests.support.builders import commitment_to, spoken_by
from tests.support.inputs import ALDWIN, OSRIC, OSRICS_SUMMARY, at, check, texts_of

TALK = "90/aldwin-prior"
INPUTS = TakeawaysInput(
    agent_name=OSRIC,
    other_name=ALDWIN,
    summary=OSRICS_SUMMARY,
    acquaintance=Acquaintance(home="The Priory"),
    now=at("16:40"),
    place="The Scriptorium",
    lines=(
        Line(speaker=ALDWIN, text="The bishop comes on Friday."),
        Line(speaker=OSRIC, text="I shall be there."),
    ),
)
SPOKEN = tuple(
    spoken_by(agent, "", line.text, tick=90 + number, number=number, conversation=TALK)
    for number, (agent, line) in enumerate(
        zip(("aldwin-prior", "osric-penhale"), INPUTS.lines, strict=True), start=1
    )
)
MEETING = commitment_to(
    "meet the bishop", "1410-03-09", "9:30", "11:00", place="The Gatehouse", importance=9
)
ANSWER = Takeaways(
    gist="Osric Penhale and Aldwin Prior\n spoke of the bishop.",
    learnt=(Learnt(sentence="Aldwin Prior told that the bishop comes.", line=1, importance=8),),
    agreed=(MEETING,),
    importance=6,
    declined=(Refusal(activity="sing alone.", importance=2),),
    about_other="Aldwin Prior is kind.",
    about_other_importance=4,
    for_plans="",
)


def kept(answer: Takeaways) -> Digest:
    check(TAKEAWAYS, INPUTS, answer)
    return digest(
        answer, agent="osric-penhale", other="aldwin-prior", conversation=TALK, spoken=SPOKEN
    )


def agreed(**changes: str) -> Agreed:
    commitment = MEETING.model_copy(update=changes)
    [(event, importance)] = kept(ANSWER.model_copy(update={"agreed": (commitment,)})).agreed
    assert importance == MEETING.importance
    return event


class TestPrompt:
    @pytest.mark.parametrize(
        ("variable", "text"),
        [
            ("now", "Saturday, March 3, 1410, 4:40 pm"),
            ("today", "1410-03-03"),
            ("place", "The Scriptorium"),
            ("summary", OSRICS_SUMMARY.text),
            (
                "acquaintance",
                f"{OSRIC} and {ALDWIN} both live in The Priory\n"
                f"{OSRIC} and {ALDWIN} have not talked today",
            ),
            ("said", f"{ALDWIN}: The bishop comes on Friday.\n{OSRIC}: I shall be there."),
        ],
    )
    def test_has_the_conversation_and_when_it_ended(self, variable: str, text: str) -> None:
        assert texts_of(TAKEAWAYS, INPUTS, variable) == text


class TestWhatIsKept:
    def test_is_the_answer_word_for_word(self) -> None:
        digested = kept(ANSWER)
        assert digested.gist == SourcedSentence(
            sentence="Osric Penhale and Aldwin Prior spoke of the bishop.",
            speaker="aldwin-prior",
            importance=6,
            event=SPOKEN[0].event,
        )
        assert digested.learned == (
            SourcedSentence(
                sentence="Aldwin Prior told that the bishop comes.",
                speaker="aldwin-prior",
                importance=8,
                event=SPOKEN[0].event,
            ),
        )
        assert digested.declined == (
            (Declined(conversation=TALK, other="aldwin-prior", activity="sing alone."), 2),
        )
        opinion = SourcedSentence(sentence="Aldwin Prior is kind.", importance=4)
        assert digested.opinions == (Opinion(other="aldwin-prior", thought=opinion),)
        assert digested.plan_note is None

    def test_has_an_opinion_of_each_participant(self) -> None:
        several = replace(INPUTS, besides=("Ebba Cellarer",), ties_besides=(STRANGER,))
        of_ebba = OpinionOf(
            of="Ebba Cellarer", opinion="Ebba counts well.", standing=Standing.FRIENDLY
        )
        answer = ANSWER.model_copy(update={"about_besides": (of_ebba,)})
        check(TAKEAWAYS, several, answer)
        digested = digest(
            answer,
            agent="osric-penhale",
            other="aldwin-prior",
            conversation=TALK,
            spoken=SPOKEN,
            others={"Ebba Cellarer": "ebba-cellarer"},
        )
        [_, opinion] = digested.opinions
        assert (opinion.other, opinion.standing) == ("ebba-cellarer", Standing.FRIENDLY)
        assert opinion.thought is not None
        assert opinion.thought.sentence == "Ebba counts well."

    def test_is_a_note_for_plans_with_the_times_of_the_news(self) -> None:
        news = Learnt(
            sentence="The bishop comes.",
            line=1,
            starts="1410-03-09 09:30",
            ends="1410-03-09 11:00",
        )
        undecided = {"agreed": (), "for_plans": "Osric Penhale has not decided yet."}
        note = kept(ANSWER.model_copy(update=undecided | {"learnt": (news,)})).plan_note
        assert note is not None
        assert note.scheduled == ScheduledActivity(
            activity="", starts=at("9:30", day=9), ends=at("11:00", day=9)
        )
        without = kept(ANSWER.model_copy(update=undecided)).plan_note
        assert without is not None
        assert without.scheduled is None

    def test_is_nothing_that_was_learned_from_own_words_or_from_none(self) -> None:
        learnt = tuple(Learnt(sentence="A lesson", line=line) for line in (0, 2, 3))
        assert kept(ANSWER.model_copy(update={"learnt": learnt})).learned == ()

    def test_is_an_agreement_with_its_game_times(self) -> None:
        event = agreed()
        assert (event.day, event.from_minute, event.to_minute) == ("1410-03-09", 570, 660)
        assert scheduled_activity(event) == ScheduledActivity(
            activity="meet the bishop",
            place="The Gatehouse",
            starts=at("9:30", day=9),
            ends=at("11:00", day=9),
        )

    def test_ends_on_the_next_day_or_an_hour_later_where_the_end_is_not_after_the_start(
        self,
    ) -> None:
        overnight = scheduled_activity(agreed(starts="22:00", ends="02:00"))
        assert (overnight.starts, overnight.ends) == (at("22:00", day=9), at("2:00", day=10))
        mistaken = scheduled_activity(agreed(starts="17:00", ends="17:00"))
        assert mistaken.ends == at("18:00", day=9)

    def test_is_the_fallback_if_need_be(self) -> None:
        digested = kept(TAKEAWAYS.fallback(INPUTS))
        assert digested.gist.sentence == f"{OSRIC} talked with {ALDWIN}"
        assert (digested.learned, digested.agreed, digested.declined) == ((), (), ())


class TestRejection:
    @pytest.mark.parametrize(
        ("changes", "error"),
        [
            ({"date": "Sunday"}, "give the date as YYYY-MM-DD"),
            ({"starts": "after vespers"}, "give times from 00:00 to 23:59"),
            ({"ends": "24:00"}, "give times from 00:00 to 23:59"),
            ({"activity": "  "}, '"activity" is blank'),
            ({"activity": "to meet the bishop"}, 'infinitive without "to"'),
            ({"activity": "osric penhale meets the bishop"}, "without a name before it"),
        ],
    )
    def test_of_commitments_says_what_to_give(
        self, changes: dict[str, str], error: str
    ) -> None:
        with pytest.raises(ValueError, match=error):
            agreed(**changes)

    def test_of_what_was_declined_and_of_a_blank_gist(self) -> None:
        for update, error in (
            ({"declined": (Refusal(activity="To sing alone"),)}, 'infinitive without "to"'),
            ({"gist": " "}, "what Osric Penhale and Aldwin Prior talked about"),
        ):
            with pytest.raises(ValueError, match=error):
                kept(ANSWER.model_copy(update=update))
