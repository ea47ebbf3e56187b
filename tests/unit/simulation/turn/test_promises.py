"""Promises to pass something on: to whom they are told, and why they are dropped."""

from dataclasses import replace

import pytest

from apps.dialogue.commitments import OpenPromise
from apps.dialogue.decisions import Digest, SourcedSentence
from apps.dialogue.events import Promised, PromiseEnded, PromiseOutcome
from apps.dialogue.llm_tasks.takeaways import Promise
from apps.memory.events import FactKind, MemorySuperseded
from apps.memory.facts import Fact
from apps.reaction.inputs import TalkReason
from apps.simulation.turn.context.records import EndedConversation
from apps.simulation.turn.decide.reaction_candidates import reasons_to_talk
from apps.simulation.turn.remember.passed_commitments import (
    drop_promises,
    earlier_promises,
    open_promises,
    promises_for,
    settle_promises,
)
from tests.support.turns import ADA, BEN, CEM, NOW, PLANNED, Scene

DAYS = 6 * 60 * 24  # in ticks
BRIDGE = "The old bridge collapsed on June 3."
PROMISE = OpenPromise(
    event=f"{NOW - 60}/{ADA}/3", tick=NOW - 60, other="cleo", what=BRIDGE, to=BEN, memory=7
)
TO_ANYBODY = replace(PROMISE, to="")
TO_ANOTHER = replace(PROMISE, to="dan")


def scene(*promises: OpenPromise) -> Scene:
    return Scene(records=replace(PLANNED, promises=promises))


def test_a_promise_is_told_to_the_one_that_it_is_for() -> None:
    context = scene(PROMISE, TO_ANOTHER).context()
    [told] = promises_for(context, BEN)
    assert told.what == BRIDGE
    assert promises_for(context, "cleo") == ()
    assert [one.key for one in earlier_promises(context)] == ["P1", "P2"]


def test_a_promise_is_in_mind_with_what_was_talked_about_since() -> None:
    talk = EndedConversation(to_tick=NOW - 30, gist="Ada and Ben talked about the bridge")
    records = replace(PLANNED, promises=(PROMISE,), last_talks={BEN: talk})
    [since] = promises_for(Scene(records=records).context(), BEN)
    assert since.since == talk.gist
    before = replace(talk, to_tick=NOW - 90)
    records = replace(records, last_talks={BEN: before})
    [told] = promises_for(Scene(records=records).context(), BEN)
    assert told.since == ""


def test_a_promise_to_tell_others_is_not_for_the_one_that_it_was_made_to() -> None:
    context = scene(TO_ANYBODY).context()
    assert promises_for(context, BEN)
    assert promises_for(context, "cleo") == ()


def test_all_open_promises_are_known_to_the_agent_that_plans() -> None:
    context = scene(PROMISE, TO_ANOTHER).context()
    assert [one.what for one in open_promises(context)] == [BRIDGE, BRIDGE]


@pytest.mark.parametrize(
    ("words", "to"),
    [
        ("Ben Marsh", BEN),
        ("Ben", BEN),
        ("", ""),
        ("my mother", "my mother"),
        ("Kaya", "Kaya"),
    ],
)
def test_a_promise_is_for_the_known_agent_that_its_words_name(words: str, to: str) -> None:
    tie = Fact(
        number=1, kind=FactKind.RELATIONSHIP, statements=("they are friends",), other=BEN
    )
    context = Scene(records=replace(PLANNED, facts=(tie,))).context()
    kept = Digest(
        gist=SourcedSentence(sentence="They talked.", importance=3),
        learned=(),
        agreed=(),
        declined=(),
        opinions=(),
        plan_note=None,
        promised=(Promise(what=BRIDGE, to=words),),
    )
    outcome = settle_promises(context, CEM, "10/cem-kaya", kept, f"{NOW}/{ADA}/0")
    [made] = [new.event for new in outcome.events if isinstance(new.event, Promised)]
    assert made.to == to


@pytest.mark.parametrize(
    ("to", "name"), [("my mother", "my mother"), ("dora-klein", "Dora Klein")]
)
def test_a_promise_to_tell_somebody_who_is_not_here_is_for_nobody_else(
    to: str, name: str
) -> None:
    context = scene(replace(PROMISE, to=to)).context()
    assert promises_for(context, BEN) == ()
    [promise] = open_promises(context)
    assert promise.to == name


def test_a_promise_is_a_reason_to_talk() -> None:
    [reason, *_] = reasons_to_talk(scene(PROMISE).context(), BEN)
    assert (reason.kind, reason.text) == (TalkReason.PROMISED, BRIDGE)
    assert all(
        one.kind is not TalkReason.PROMISED
        for one in reasons_to_talk(scene(TO_ANOTHER).context(), BEN)
    )


def test_a_promise_is_no_reason_minutes_after_a_talk_in_which_it_could_be_kept() -> None:
    for talked, kinds in ((NOW - 19, []), (NOW - 21, [TalkReason.PROMISED])):
        talk = EndedConversation(to_tick=talked, gist="They spoke of bread.")
        promised = replace(PROMISE, tick=NOW - 20)
        records = replace(PLANNED, promises=(promised,), last_talks={BEN: talk})
        found = reasons_to_talk(Scene(records=records).context(), BEN)
        assert [one.kind for one in found] == kinds


@pytest.mark.parametrize(
    ("has_met", "outcome"),
    [(True, PromiseOutcome.NOT_SAID), (False, PromiseOutcome.NO_MEETING)],
)
def test_a_promise_that_was_not_kept_in_two_days_is_dropped_with_the_reason(
    *, has_met: bool, outcome: PromiseOutcome
) -> None:
    old = replace(PROMISE, tick=NOW - 2 * DAYS - 1, has_met=has_met)
    context = scene(old, PROMISE).context()
    dropped = drop_promises(context)
    found = [new.event for new in dropped.events]
    [ended] = [one for one in found if isinstance(one, PromiseEnded)]
    assert (ended.promise, ended.outcome) == (old.event, outcome)
    [superseded] = [one for one in found if isinstance(one, MemorySuperseded)]
    assert superseded.number == old.memory
