"""What concerns everybody is promised to be passed on, and passed on."""

from dataclasses import replace

from apps.agents.status import PromiseToTell
from apps.dialogue.inputs import EarlierPromise, Line
from apps.reaction.inputs import ReasonToTalk, TalkReason
from tests.unit.rule_model.speakers import (
    FINN,
    MOR,
    TAVISH,
    UNA,
    Speaker,
    lines,
    reply,
    says,
    taken,
    turn,
)
from tests.unit.rule_model.test_reaction import decides, moment, seen

WARNING = "The old bridge has collapsed this morning, nobody can leave the village."
BRIDGE = "the old bridge collapsed on the morning of June 3, 1872"
PROMISE = PromiseToTell(what=BRIDGE, to="", other=FINN)


def test_a_danger_is_learnt_and_promised_to_be_passed_on() -> None:
    said = reply(Speaker(UNA), FINN, WARNING)
    assert "pass it on" in said or "tell the others" in said
    kept = taken(UNA, FINN, lines((FINN, WARNING), (UNA, said)))
    [learnt], [promised] = kept.learnt, kept.promised
    assert "the old bridge has collapsed" in learnt.sentence.lower()
    assert "the old bridge has collapsed" in promised.what.lower()
    assert "June 3, 1872" in promised.what
    assert promised.to == ""
    assert taken(FINN, UNA, lines((FINN, WARNING), (UNA, said))).promised == ()


def test_a_loss_of_one_person_is_not_spread() -> None:
    said = reply(Speaker(UNA), FINN, f"Did you hear that {MOR} has died?")
    assert "sorry" in said or "terrible" in said
    assert taken(UNA, FINN, lines((FINN, f"{MOR} has died."), (UNA, said))).promised == ()


def test_news_is_promised_to_an_agent_that_is_close_to_the_hearer() -> None:
    ties = (f"{UNA} shares Kelp Cottage with {TAVISH}", f"{UNA} knows {MOR} by sight")
    guest = Speaker(UNA, ties=ties).remembering(f"{UNA} is a friend of {FINN}")
    invited = "Will you come to my harvest supper at Kelp Hall on June 4, 1872 from 6 to 8 pm?"
    for told in (invited, f"Did you hear that {MOR} will run for harbour master next month?"):
        heard = lines((FINN, told))
        said = [says(turn(guest, FINN, heard), seed).utterance for seed in range(1, 21)]
        promises = [text for text in said if f"I'll tell {TAVISH}." in text]
        assert 0 < len(promises) < len(said), told
        assert not any(f"I'll tell {MOR}" in text for text in said)
        [kept] = taken(UNA, FINN, [*heard, *lines((UNA, promises[0]))]).promised
        assert kept.to == TAVISH
        assert kept.what.startswith((f"{FINN} is having a harvest supper", f"{MOR} will run"))
        beside = replace(turn(guest, FINN, heard), within_hearing=(TAVISH,))
        heard_it = [says(beside, seed).utterance for seed in range(1, 21)]
        assert not any("I'll tell" in text for text in heard_it)
        refused = [text for text in said if "I can't" in text or "No, thank" in text]
        assert not any("I'll tell" in text for text in refused), "a refused party is not spread"


def test_a_promise_is_a_reason_to_talk() -> None:
    met = seen(MOR, "resting on a bench")
    promised = replace(met, reasons=(ReasonToTalk(kind=TalkReason.PROMISED, text=BRIDGE),))
    decided = decides(moment(Speaker(UNA), promised, activity="taking a walk"))
    assert decided.choice == "talk"
    assert "the old bridge collapsed" in decided.say
    other = decides(moment(Speaker(UNA), met, activity="taking a walk"))
    assert "bridge" not in other.say


def test_a_promise_is_kept_in_a_conversation_that_another_one_began() -> None:
    greeted = [Line(speaker=MOR, text="Hello, Una.")]
    inputs = replace(turn(Speaker(UNA), MOR, greeted), promises=(PROMISE,))
    assert "the old bridge collapsed" in says(inputs).utterance


def test_a_promise_is_kept_once_in_a_conversation() -> None:
    supper = f"{FINN} is having a harvest supper at Kelp Hall on June 4, 1872, from 6 to 8 pm"
    promise = PromiseToTell(what=supper, to=MOR, other=FINN)
    inputs = replace(turn(Speaker(UNA), MOR, ()), promises=(promise,))
    told = says(inputs).utterance
    assert "harvest supper" in told
    answered = lines((UNA, told), (MOR, "Is that so?"))
    again = replace(turn(Speaker(UNA), MOR, answered), promises=(promise,))
    for seed in range(1, 11):
        assert "harvest supper" not in says(again, seed).utterance


def test_a_promise_is_settled_when_it_was_said_or_was_known() -> None:
    earlier = (EarlierPromise(key="P1", promise=PROMISE),)
    told = "You know what, the old bridge collapsed this morning."
    cases = (
        ((UNA, told), (MOR, "Really?"), "kept"),
        ((MOR, told), (UNA, "Yes, I've heard about that."), "known"),
    )
    for first, second, why in cases:
        [settled] = taken(UNA, MOR, lines(first, second), promises=earlier).settled
        assert (settled.key, settled.why) == ("P1", why)
    silent = lines((UNA, "Hello, Mor."), (MOR, "Hello."))
    assert taken(UNA, MOR, silent, promises=earlier).settled == ()
    to_tavish = (EarlierPromise(key="P1", promise=replace(PROMISE, to=TAVISH)),)
    said = lines((UNA, told), (MOR, "Really?"))
    assert taken(UNA, MOR, said, promises=to_tavish).settled == ()
