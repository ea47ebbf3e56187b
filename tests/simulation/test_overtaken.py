"""Acts that were planned before a talk, and what was left for later (X2, D1)."""

import pytest

from apps import wiring
from apps.agents.acts import ActOutcome
from apps.dialogue.inputs import UtteranceInput
from apps.dialogue.llm_tasks import UTTERANCE
from apps.dialogue.llm_tasks.utterance import Utterance
from apps.eventlog.rebuild import check
from apps.reaction.inputs import DecisionInput, ObservedAgent
from apps.reaction.llm_tasks import DECISION, Decision, go_on
from apps.rule_model.model import Chance, TaskRule
from tests.support.scripted_home import JOHN, MEI, Script, action, began, lived, outcomes, said

pytestmark = pytest.mark.django_db(transaction=True)

NEWS = "The stove of the cafe has burned."
MORNING: Script = {
    JOHN: [
        action("greeting", 5, act=("talk to", MEI, "say good morning")),
        action("eating an egg", 55),
    ],
    MEI: [
        action("eating congee", 25),
        action("telling the news", 5, act=("talk to", JOHN, NEWS)),
        action("drinking tea", 30),
    ],
}


class Voices:
    """What is said, and the inputs of Mei's utterances; `last` are her words at half past."""

    def __init__(self, last: str) -> None:
        self.last = last
        self.asked: list[UtteranceInput] = []

    def __call__(self, inputs: UtteranceInput, _: Chance) -> Utterance:
        if inputs.agent_name != MEI:
            return Utterance(utterance="Good morning.", ends=bool(inputs.lines))
        self.asked.append(inputs)
        if inputs.lines:
            return Utterance(utterance=NEWS, ends=True)
        return Utterance(utterance=self.last, ends=True)


@pytest.mark.parametrize(
    ("last", "outcome", "spoken"),
    [("", ActOutcome.OVERTAKEN, 1), ("And nobody was hurt.", ActOutcome.DONE, 2)],
)
def test_an_act_that_a_talk_has_overtaken_is_dropped_or_confirmed(
    last: str, outcome: ActOutcome, spoken: int
) -> None:
    voices = Voices(last)
    row = lived(MORNING, agents=(JOHN, MEI), rules={UTTERANCE.name: voices})
    assert outcomes(row, "mei-lin") == [outcome]
    assert len([one for one in said(row) if one[0] == "mei-lin"]) == spoken
    assert began(row, "mei-lin", "drinking tea")
    answer, planned = voices.asked
    assert answer.coming == ("telling the news", "drinking tea")
    assert planned.intent == NEWS
    assert planned.since
    assert planned.may_be_silent
    assert planned.coming == ("drinking tea",)
    assert check(wiring.event_store(), row.pk).problems == ()


def test_what_was_left_for_later_is_in_mind_when_the_other_one_speaks_first() -> None:
    voices = Voices("")

    def later(inputs: DecisionInput, _: Chance) -> Decision:
        for number, one in enumerate(inputs.observed, start=1):
            if inputs.agent_name == MEI and isinstance(one, ObservedAgent) and one.may_talk:
                return go_on(inputs).model_copy(
                    update={"choice": "later", "observation": number, "what": "tell the news"}
                )
        return go_on(inputs)

    # Each of the two is asked about the other one in a quarter of an hour, before he speaks.
    settings = {"situation_calls_per_hour": 4, "reaction_pause_minutes": 10}
    script = {
        JOHN: [action("eating an egg", 40), *MORNING[JOHN]],
        MEI: [action(f"eating congee {number}", 5) for number in range(12)],
    }
    rules: dict[str, TaskRule] = {UTTERANCE.name: voices, DECISION.name: later}
    lived(script, agents=(JOHN, MEI), rules=rules, settings=settings)
    assert voices.asked[0].intent == "tell the news"
