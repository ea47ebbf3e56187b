"""A promise to pass something on is a reason to talk, and ends when it was kept (D3)."""

import pytest

from apps import wiring
from apps.dialogue.events import Promised, PromiseEnded, PromiseOutcome, Said
from apps.dialogue.inputs import TakeawaysInput, UtteranceInput
from apps.dialogue.llm_tasks import TAKEAWAYS, UTTERANCE
from apps.dialogue.llm_tasks.takeaways import (
    Promise,
    SettledPromise,
    Takeaways,
    only_that_they_talked,
)
from apps.dialogue.llm_tasks.utterance import Utterance
from apps.eventlog.rebuild import check
from apps.memory.events import MemoryFormed, MemoryOrigin, MemorySuperseded
from apps.reaction.inputs import DecisionInput, ObservedAgent, TalkReason
from apps.reaction.llm_tasks import DECISION, Decision, go_on
from apps.rule_model.model import Chance
from tests.support.builders import speaks
from tests.support.rules import TASK_RULES
from tests.support.scripted_home import EDDY, JOHN, MEI, action, lived
from tests.support.towns import happened

pytestmark = pytest.mark.django_db(transaction=True)

REQUEST = "Tell Eddy that the bridge is closed."
WARNING = "The old bridge has collapsed this morning, nobody can leave town."
BRIDGE = "The bridge is closed since February 13, 2023."


def takeaways(inputs: TakeawaysInput, _: Chance) -> Takeaways:
    """Return that Mei promises, and that she keeps what she has said."""
    said = {line.text for line in inputs.lines if line.speaker == MEI}
    changes: dict[str, object] = {}
    if inputs.agent_name == MEI and inputs.lines[0].text == REQUEST:
        changes["promised"] = (Promise(what=BRIDGE, to=EDDY),)
    if BRIDGE in said:
        changes["settled"] = tuple(
            SettledPromise(key=one.key, why="kept") for one in inputs.promises
        )
    return only_that_they_talked(inputs).model_copy(update=changes)


def saying(inputs: UtteranceInput, _: Chance) -> Utterance:
    if inputs.lines:
        return Utterance(utterance="All right.", ends=True)
    return Utterance(utterance=inputs.intent, ends=False)


def deciding(inputs: DecisionInput, _: Chance) -> Decision:
    """Talk to the one that was promised something."""
    for number, one in enumerate(inputs.observed, start=1):
        reasons = one.reasons if isinstance(one, ObservedAgent) and one.may_talk else ()
        for reason in reasons:
            if reason.kind is TalkReason.PROMISED:
                what = f"tell him: {reason.text}"
                return speaks(number, what, reason.text)
    return go_on(inputs)


def test_a_promise_is_kept_at_the_next_opportunity() -> None:
    asked = {
        JOHN: [action("asking", 5, act=("talk to", MEI, REQUEST)), action("eating", 55)],
        MEI: [action("eating congee", 30), action("drinking tea", 30)],
        EDDY: [action("eating toast", 60)],
    }
    row = lived(
        asked,
        rules={TAKEAWAYS.name: takeaways, UTTERANCE.name: saying, DECISION.name: deciding},
    )
    [promised] = happened(row, Promised)
    assert (promised.stream, promised.event.other, promised.event.to) == (
        "mei-lin",
        "john-lin",
        "eddy-lin",
    )
    told = [one for one in happened(row, Said) if one.event.text == BRIDGE]
    assert [(one.stream, one.event.to) for one in told] == [("mei-lin", "eddy-lin")]
    [ended] = happened(row, PromiseEnded)
    assert ended.event.promise == str(promised.place)
    assert ended.event.outcome is PromiseOutcome.KEPT
    [memory] = [
        one.event
        for one in happened(row, MemoryFormed)
        if one.event.origin is MemoryOrigin.PROMISED
    ]
    assert memory.description == f"{MEI} promised to {JOHN} to tell {EDDY}: {BRIDGE}"
    [superseded] = happened(row, MemorySuperseded)
    assert superseded.event.number == memory.number == promised.event.memory
    assert check(wiring.event_store(), row.pk).problems == ()


def test_a_danger_is_passed_on_by_the_rule_based_model() -> None:
    """John tells Mei of the bridge; she promises to pass it on, and tells Eddy."""

    def spoken(inputs: UtteranceInput, chance: Chance) -> Utterance:
        if inputs.agent_name == JOHN and not inputs.lines:
            return Utterance(utterance=WARNING, ends=False)
        answer = TASK_RULES[UTTERANCE.name](inputs, chance)
        assert isinstance(answer, Utterance)
        return answer

    asked = {
        JOHN: [action("warning", 5, act=("talk to", MEI, WARNING)), action("eating", 55)],
        MEI: [action("eating congee", 30), action("drinking tea", 30)],
        EDDY: [action("eating toast", 60)],
    }

    def decided(inputs: DecisionInput, chance: Chance) -> Decision:
        # Nobody talks with her before: she does not talk again within an hour and a half.
        answer = TASK_RULES[DECISION.name](inputs, chance) if inputs.agent_name == MEI else None
        return answer if isinstance(answer, Decision) else go_on(inputs)

    own = {TAKEAWAYS.name: TASK_RULES[TAKEAWAYS.name], DECISION.name: decided}
    row = lived(asked, rules={**own, UTTERANCE.name: spoken})
    promised = [one for one in happened(row, Promised) if one.stream == "mei-lin"]
    assert promised, "she says that she will pass it on"
    told = [
        one
        for one in happened(row, Said)
        if (one.stream, one.event.to) == ("mei-lin", "eddy-lin") and "bridge" in one.event.text
    ]
    assert told
    kept = [one.event for one in happened(row, PromiseEnded) if one.stream == "mei-lin"]
    assert [one.outcome for one in kept] == [PromiseOutcome.KEPT]
