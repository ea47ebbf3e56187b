"""A gathering before, while and after it takes place, in interviews and in talk."""

from dataclasses import replace
from datetime import datetime, timedelta

from apps.agents.status import LastTalk
from apps.interaction.inputs import InterviewInput
from apps.memory.events import AgreementOutcome, MemoryOrigin, ScheduledActivity
from apps.memory.items import MemoryItem
from apps.rule_model.knowledge.news import news_in
from tests.unit.rule_model.speakers import (
    FINN,
    MOR,
    NOW,
    SUPPER,
    TAVISH,
    UNA,
    Speaker,
    lines,
    memory,
    says,
    taken,
    turn,
)
from tests.unit.rule_model.test_interview_answers import INPUTS, answers

SIX, EIGHT = datetime(1872, 6, 4, 18), datetime(1872, 6, 4, 20)
BEFORE, AFTER = NOW, EIGHT + timedelta(hours=14)
QUESTION = "What do you know about the harvest supper?"
WHEN = "on June 4, 1872, from 6:00 pm to 8:00 pm"
HEARD = f"{UNA} invited {FINN} to {UNA}'s harvest supper at Kelp Hall {WHEN}"


def ended(name: str, activity: str, *present: str) -> MemoryItem:
    """Return the memory of the end of an agreement on the supper."""
    return memory(
        f"{name} agreed to {activity} at Kelp Hall {WHEN}",
        MemoryOrigin.ENDED,
        scheduled=ScheduledActivity(
            activity=activity,
            place="Kelp Hall",
            starts=SIX,
            ends=EIGHT,
            outcome=AgreementOutcome.KEPT,
            present=present,
        ),
    )


def scheduled_of(one: MemoryItem) -> ScheduledActivity:
    assert one.scheduled is not None
    return one.scheduled


HOSTED = ended(UNA, "host the harvest supper", FINN, TAVISH)
ATTENDED = ended(FINN, f"come to {UNA}'s harvest supper", UNA, TAVISH)


def asked(name: str, at: datetime, *memories: MemoryItem) -> str:
    inputs: InterviewInput = replace(
        INPUTS,
        agent_name=name,
        summary=replace(INPUTS.summary, name=name),
        now=at,
        memories=memories,
        question=QUESTION,
    )
    return answers(QUESTION, inputs)


def test_a_guest_answers_by_what_it_was_told_and_then_by_what_it_has_seen() -> None:
    invited = memory(HEARD, MemoryOrigin.LEARNED, subject=UNA)
    assert asked(FINN, BEFORE, invited) == (
        f"I heard from {UNA} that {UNA} is having a harvest supper at Kelp Hall tomorrow "
        "from 6 to 8 pm."
    )
    after = asked(FINN, AFTER, invited, ATTENDED)
    assert after == f"I was at {UNA}'s harvest supper at Kelp Hall yesterday."


def test_the_host_tells_of_it() -> None:
    plan = memory(SUPPER)
    assert "tomorrow" in asked(UNA, BEFORE, plan)
    after = asked(UNA, AFTER, plan, HOSTED)
    assert after == "I held the harvest supper at Kelp Hall yesterday."


def test_one_that_was_not_there_does_not_speak_of_it_as_ahead() -> None:
    heard = memory(HEARD, MemoryOrigin.LEARNED, subject=UNA)
    assert asked(FINN, AFTER, heard) == "I don't know."


def test_what_an_agent_was_at_is_news_to_those_that_were_not_there() -> None:
    before = memory(
        f"{FINN} and {MOR} talked about {UNA}'s harvest supper",
        MemoryOrigin.CONVERSATION,
        subject=MOR,
    )
    memories = (memory(HEARD, MemoryOrigin.LEARNED, subject=UNA), ATTENDED, before)
    [news] = news_in(memories, AFTER, (FINN, MOR), FINN)
    assert news.core == f"{FINN} was at {UNA}'s harvest supper at Kelp Hall on June 4, 1872"
    last = LastTalk(minutes_ago=24 * 60, gist=before.description)
    assert not news.is_known_to(MOR, memories, last, AFTER), "they talked before it"
    assert news.is_known_to(TAVISH, memories, None, AFTER), "he was there too"
    asked = replace(last, minutes_ago=60)
    assert news.is_known_to(MOR, memories, asked, AFTER), "they have talked about it since"
    told = replace(before, formed_at=AFTER)
    assert news.is_known_to(MOR, (*memories, told), None, AFTER)
    assert news_in(memories, AFTER + timedelta(days=2), (), FINN) == [], "it is long ago"


def test_a_guest_speaks_of_it_in_the_past_tense() -> None:
    guest = Speaker(FINN, (ATTENDED,))
    was_there = f"{FINN} was at {UNA}'s harvest supper at Kelp Hall on June 4, 1872"
    intent = f"tell {MOR} that {was_there}"
    said = says(replace(turn(guest, MOR, intent=intent), now=AFTER)).utterance
    assert f"I was at {UNA}'s harvest supper at Kelp Hall yesterday." in said


def openings(speaker: Speaker, other: str) -> list[str]:
    return [says(replace(turn(speaker, other), now=AFTER), n).utterance for n in range(1, 21)]


def test_two_that_were_there_speak_of_it_and_agree() -> None:
    host, guest = Speaker(UNA, (HOSTED,)), Speaker(FINN, (ATTENDED,))
    friend = f"{FINN} is a friend of {UNA}"
    for said in openings(guest.remembering(friend), UNA):
        assert "your harvest supper yesterday" in said
    heard = lines((FINN, "Thank you for your harvest supper yesterday."))
    answer = says(replace(turn(host, FINN, heard), now=AFTER)).utterance
    assert answer.startswith(("I'm glad that you liked it.", "It was good that you came."))
    gist = taken(UNA, FINN, heard).gist
    assert f"{UNA}'s harvest supper" in gist


def test_one_that_had_agreed_and_did_not_come_was_missed() -> None:
    away = memory(
        HOSTED.description,
        MemoryOrigin.ENDED,
        scheduled=replace(scheduled_of(HOSTED), present=(FINN,), absent=(MOR,)),
    )
    host = Speaker(UNA, (away,)).remembering(f"{UNA} is a friend of {MOR}")
    assert all("my harvest supper yesterday" in said for said in openings(host, MOR))
    missed = lines((UNA, "I missed you at my harvest supper yesterday."))
    answer = says(replace(turn(Speaker(MOR), UNA, missed), now=AFTER)).utterance
    assert "sorry" in answer


def test_the_host_is_asked_how_it_was_by_one_that_was_not_there() -> None:
    heard = memory(HEARD.replace(FINN, MOR), MemoryOrigin.LEARNED, subject=UNA)
    curious = Speaker(MOR, (heard,)).remembering(f"{MOR} is a friend of {UNA}")
    said = openings(curious, UNA)
    assert all("your harvest supper" in one and "yesterday?" in one for one in said)
    asked = lines((MOR, "How was your harvest supper yesterday?"))
    answer = says(replace(turn(Speaker(UNA, (HOSTED,)), MOR, asked), now=AFTER)).utterance
    assert f"{FINN} and {TAVISH} came too." in answer


def test_what_was_talked_about_since_is_not_brought_up_again() -> None:
    gist = f"{FINN} and {UNA} talked about {UNA}'s harvest supper on June 4, 1872"
    told = replace(
        memory(gist, MemoryOrigin.CONVERSATION, subject=UNA),
        formed_at=EIGHT + timedelta(hours=1),
    )
    guest = Speaker(FINN, (ATTENDED, told)).remembering(f"{FINN} is a friend of {UNA}")
    assert not any("supper" in said for said in openings(guest, UNA))


def test_news_of_what_is_over_is_not_wished_luck() -> None:
    was_there = f"I was at {UNA}'s harvest supper at Kelp Hall yesterday."
    news = lines((FINN, f"You know what, {was_there}"))
    for seed in range(1, 11):
        answer = says(replace(turn(Speaker(MOR), FINN, news), now=AFTER), seed).utterance
        assert "a good time" in answer or "liked to see" in answer
