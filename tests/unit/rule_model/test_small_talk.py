"""What is brought up in talk besides news: the day, the work, what both see, by the tie."""

from dataclasses import replace

from apps.agents.status import Acquaintance, AgentStatus, Agreement
from apps.agents.summary import LastingFacts
from apps.dialogue.inputs import UtteranceInput
from apps.memory.events import MemoryOrigin
from apps.rule_model.dialogue.agenda import topics
from apps.rule_model.dialogue.scene import scene_of
from apps.rule_model.language.grammar import activity_in_first_person
from apps.rule_model.model import Chance
from apps.rule_model.phrasebook import PHRASES
from tests.unit.rule_model.speakers import (
    FINN,
    MOR,
    NOW,
    TAVISH,
    UNA,
    Speaker,
    lines,
    memory,
    planned,
    says,
    taken,
    turn,
)

SEEDS = range(1, 61)
FRIEND = Speaker(UNA).remembering(f"{UNA} is a friend of {TAVISH}")
MORNING = (
    planned(6, 7, "wake up and complete the morning routine"),
    planned(7, 9, "go on carving his oar", "Kelp Cottage"),
    planned(11, 13, "smoke herring", "the smokehouse"),
)


def opened(inputs: UtteranceInput) -> list[str]:
    return [says(inputs, seed).utterance for seed in SEEDS]


def acts_in(said: list[str]) -> set[str]:
    return {heard.act for text in said for heard in PHRASES.understand(text)}


def test_a_friend_is_told_of_the_day_in_the_past_tense() -> None:
    friend = Speaker(TAVISH, outline=MORNING).remembering(f"{TAVISH} is a friend of {UNA}")
    said = [text for text in opened(turn(friend, UNA)) if "carving" in text]
    assert said
    assert all("carving my oar this morning." in text for text in said)
    assert not any("routine" in text for text in opened(turn(friend, UNA)))
    gist = taken(UNA, TAVISH, lines((TAVISH, said[0]))).gist
    assert f"{TAVISH} carving {TAVISH}'s oar" in gist


def test_what_was_done_here_or_told_before_is_not_told() -> None:
    friend = Speaker(TAVISH, outline=MORNING).remembering(f"{TAVISH} is a friend of {UNA}")
    here = replace(turn(friend, UNA), place="the kitchen of Kelp Cottage")
    gist = f"{TAVISH} and {UNA} talked about {TAVISH} carving {TAVISH}'s oar"
    heard = memory(gist, MemoryOrigin.CONVERSATION, subject=UNA)
    told = turn(replace(friend, memories=(*friend.memories, heard)), UNA)
    for inputs in (here, told):
        assert not any("I was" in text or "spent" in text for text in opened(inputs))


def test_an_everyday_deed_in_two_verbs_is_not_told_by_the_first() -> None:
    cooked = (planned(8, 9, "make and eat a stew", "the kitchen of Kelp Cottage"),)
    friend = Speaker(TAVISH, outline=cooked).remembering(f"{TAVISH} is a friend of {UNA}")
    assert not any("making" in text for text in opened(turn(friend, UNA)))


def test_the_house_of_the_own_family_is_the_speakers() -> None:
    evening = "spend a quiet evening at Skerry family's house"
    assert (
        activity_in_first_person(evening, "Una Skerry") == "spend a quiet evening at my house"
    )
    assert activity_in_first_person(evening, TAVISH) == evening


def test_one_series_is_not_many() -> None:
    pursued = f"{UNA} is filming a series about the harbour"
    friend = Speaker(TAVISH).remembering(f"{TAVISH} is a friend of {UNA}", pursued)
    asked = [text for text in opened(turn(friend, UNA)) if "your series" in text]
    assert asked
    assert all("How is your series" in text for text in asked)


def test_a_house_of_two_is_that_of_the_other_one_and_the_speaker() -> None:
    house = f"mend nets at {TAVISH} and {MOR}'s house"
    assert activity_in_first_person(house, TAVISH) == f"mend nets at {MOR}'s and my house"
    assert activity_in_first_person(house, MOR) == f"mend nets at {TAVISH}'s and my house"
    assert activity_in_first_person(house, MOR, TAVISH) == "mend nets at your and my house"


def test_the_work_of_all_day_is_no_plan_to_tell() -> None:
    day = (
        planned(8, 9, "open the smokehouse and serve its customers", "the harbour"),
        planned(11, 13, "serve the customers of the smokehouse", "the harbour"),
        planned(14, 16, "tar the boat", "Kelp Cottage"),
        planned(18, 20, "come to the harvest supper", "Kelp Hall"),
    )
    asks = lines((UNA, "Hello, Tavish. What are you doing today?"))
    asked = turn(Speaker(TAVISH, outline=day), UNA, asks)
    said = opened(asked)
    assert any("tar the boat" in text for text in said)
    assert not any("serve" in text for text in said)
    supper = Agreement(
        activity=day[3].activity,
        place="Kelp Hall",
        starts=day[3].starts,
        ends=day[3].ends,
        other=MOR,
    )
    agreed = opened(replace(asked, agreements=(supper,)))
    assert any("harvest supper" in text for text in agreed), "what is agreed comes first"
    assert not any("tar the boat" in text for text in agreed)


def test_a_plan_for_the_evening_is_not_told_in_the_morning() -> None:
    evening = (planned(20, 22, "tar the boat", "Kelp Cottage"),)
    asks = lines((UNA, "Hello, Tavish. What are you doing today?"))
    asked = turn(Speaker(TAVISH, outline=evening), UNA, asks)
    assert not any("tar the boat" in text for text in opened(asked)), "it is half past nine"
    assert any(
        "tar the boat" in text for text in opened(replace(asked, now=NOW.replace(hour=16)))
    )


def test_a_guest_that_has_agreed_is_not_told_of_the_plans_for_the_supper() -> None:
    when = "on June 4, 1872, from 6:00 pm to 8:00 pm"
    plans = f"{UNA} is planning a harvest supper at Kelp Hall {when}"
    host = turn(Speaker(UNA).remembering(plans), TAVISH)
    host = replace(host, summary=replace(host.summary, lasting=LastingFacts(pursuits=(plans,))))
    told = "I'm planning a harvest supper"
    assert any(told in text for text in topics(scene_of(host, Chance(1, "talk", "1"))))
    agreed = Agreement(
        activity="host the harvest supper",
        place="Kelp Hall",
        starts=NOW.replace(day=4, hour=18),
        ends=NOW.replace(day=4, hour=20),
        other=TAVISH,
    )
    guest = replace(host, agreements=(agreed,))
    assert not any(told in text for text in topics(scene_of(guest, Chance(1, "talk", "1"))))


def test_the_mould_depends_on_the_tie() -> None:
    stranger = turn(Speaker(UNA), TAVISH)
    lasting = LastingFacts(occupation=(f"{UNA} is the keeper of the smokehouse",))
    summary = replace(stranger.summary, lasting=lasting)
    said = opened(replace(stranger, summary=summary))
    assert any("I'm the keeper of the smokehouse." in text for text in said)
    friends = opened(replace(turn(FRIEND, TAVISH), summary=summary))
    assert not any("keeper" in text for text in friends)
    near = Acquaintance(facts=(f"{UNA} loves her husband, {TAVISH}",), home="Kelp Cottage")
    at_home = acts_in(opened(replace(turn(Speaker(UNA), TAVISH), acquaintance=near)))
    assert "ask_night" in at_home, "it is half past nine"
    assert "ask_night" not in acts_in(friends)


def test_in_the_evening_one_asks_how_the_day_was_and_is_told() -> None:
    evening = NOW.replace(hour=19)
    assert "ask_past_day" in acts_in(opened(replace(turn(FRIEND, TAVISH), now=evening)))
    asked = lines((UNA, "How was your day?"))
    answer = replace(turn(Speaker(TAVISH, outline=MORNING), UNA, asked), now=evening)
    assert all("carving my oar" in text or "smoking" in text for text in opened(answer))


def test_one_that_stays_goes_on_with_what_it_did() -> None:
    said = lines((TAVISH, "Good morning, Una."), (UNA, "Hi."), (TAVISH, "So it is."))
    last = replace(turn(FRIEND, TAVISH, said), utterances_left=1)
    ends = opened(last)
    assert any("mending nets" in text for text in ends)
    assert not acts_in(ends) & {"farewell", "leaving"}
    walks = AgentStatus(agent_name=UNA, activity="walking to the pier")
    assert not any("walking" in text for text in opened(replace(last, status=walks)))


def test_a_remark_is_on_what_the_other_one_does() -> None:
    rests = AgentStatus(agent_name=FINN, activity="tarring his boat")
    inputs = replace(turn(Speaker(UNA), FINN), other_status=rests)
    assert any("tarring your boat." in text for text in opened(inputs))


def test_a_supper_that_is_over_is_no_work_that_goes_on() -> None:
    asks = lines((TAVISH, "How is your work going?"))
    for day, is_told in ((2, False), (4, True)):
        when = f"on June {day}, 1872, from 6:00 pm to 8:00 pm"
        plans = f"{UNA} is planning a harvest supper at Kelp Hall {when}"
        asked = turn(Speaker(UNA).remembering(plans), TAVISH, asks)
        said = opened(asked)
        assert any("I'm planning a harvest supper" in text for text in said) is is_told


def test_guests_speak_of_the_supper_while_they_are_at_it() -> None:
    six = NOW.replace(day=4, hour=18, minute=30)
    supper = f"{UNA} invited {FINN} to {UNA}'s harvest supper at Kelp Hall on June 4, 1872"
    heard = memory(f"{supper}, from 6:00 pm to 8:00 pm", MemoryOrigin.LEARNED, subject=UNA)
    guest = Speaker(FINN, (heard,)).remembering(f"{FINN} is a friend of {TAVISH}")
    inputs = replace(turn(guest, TAVISH), now=six)
    assert all("harvest supper" in said for said in opened(replace(inputs, place="Kelp Hall")))
    heard_it = lines((TAVISH, "I like this harvest supper."))
    answer = says(replace(turn(guest, TAVISH, heard_it), now=six)).utterance
    assert "enjoys" in acts_in([answer])
    assert "here" not in acts_in(opened(replace(inputs, place="the harbour")))
