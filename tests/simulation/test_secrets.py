"""Terms of passing on what was told, and the own words of the day (D1, D3)."""

from collections.abc import Sequence

import pytest

from apps import wiring
from apps.dialogue.events import Said, Told
from apps.dialogue.inputs import TakeawaysInput, UtteranceInput
from apps.dialogue.llm_tasks import TAKEAWAYS, UTTERANCE
from apps.dialogue.llm_tasks.takeaways import Learnt, Takeaways, only_that_they_talked
from apps.dialogue.llm_tasks.utterance import Utterance
from apps.eventlog.rebuild import check
from apps.memory.events import FactEstablished, FactKind, MemoryFormed
from apps.memory.passing_on import IN_CONFIDENCE
from apps.memory.queries import current_facts
from apps.reaction.inputs import DecisionInput, ObservedAgent, TalkReason
from apps.reaction.llm_tasks import DECISION, Decision, go_on
from apps.rule_model.model import Chance, TaskRule
from tests.support.inputs import texts_of
from tests.support.scripted_home import (
    EDDY,
    FIRST_DAY,
    JOHN,
    MEI,
    UPSTAIRS,
    Script,
    action,
    lived,
)
from tests.support.towns import happened

pytestmark = pytest.mark.django_db(transaction=True)

SECRET = "The pharmacy has to close in summer."
LEARNT = "John Lin told Mei Lin that the pharmacy has to close in summer."
TELLING = action("telling", 5, act=("talk to", MEI, SECRET))
MORNING: Script = {
    JOHN: [TELLING, action("eating an egg", 55)],
    MEI: [action("eating congee", 60)],
    EDDY: [UPSTAIRS],
}
AFTER: Script = {
    JOHN: [action("reading", 60, where="Mei and John Lin's bedroom: desk")],
    MEI: [action(f"cleaning up {number}", 10) for number in range(6)],
    EDDY: [action("eating toast", 60)],
}


class Minds:
    """Answers of the three, and what they were asked; John's news is told on the terms."""

    def __init__(self, terms: str) -> None:
        self.terms = terms
        self.decisions: list[DecisionInput] = []
        self.utterances: list[UtteranceInput] = []

    @property
    def rules(self) -> dict[str, TaskRule]:
        return {
            UTTERANCE.name: self.speak,
            TAKEAWAYS.name: self.take_away,
            DECISION.name: self.decide,
        }

    def speak(self, inputs: UtteranceInput, _: Chance) -> Utterance:
        self.utterances.append(inputs)
        last = inputs.acquaintance.last_talk
        if last is not None and LEARNT in last.told and not inputs.lines:
            return Utterance(utterance="How was your night?", ends=True)
        text = "I see, good to know." if inputs.lines else inputs.intent
        return Utterance(utterance=text or SECRET, ends=bool(inputs.lines))

    def take_away(self, inputs: TakeawaysInput, _: Chance) -> Takeaways:
        learnt = tuple(
            Learnt(
                sentence=LEARNT
                if inputs.agent_name == MEI
                else f"{line.speaker} told Eddy Lin: {line.text}",
                line=number,
                importance=8,
                passing_on=self.terms if inputs.agent_name == MEI else "",
            )
            for number, line in enumerate(inputs.lines, start=1)
            if SECRET in line.text and line.speaker != inputs.agent_name
        )
        own = [line.text for line in inputs.lines if line.speaker == inputs.agent_name]
        told = tuple(one.key for one in inputs.news if one.text == LEARNT and SECRET in own)
        return only_that_they_talked(inputs).model_copy(update={"learnt": learnt, "told": told})

    def decide(self, inputs: DecisionInput, _: Chance) -> Decision:
        self.decisions.append(inputs)
        return go_on(inputs)

    def offered(self, agent: str) -> list[str]:
        """Return the news that decisions of Mei about the agent have listed as not told."""
        return [
            reason.text
            for inputs in self.decisions
            if inputs.agent_name == MEI
            for one in inputs.observed
            if isinstance(one, ObservedAgent) and one.name == agent
            for reason in one.reasons
            if reason.kind is TalkReason.NEWS
        ]


@pytest.mark.parametrize(
    ("terms", "is_offered"),
    [
        ("", True),
        (IN_CONFIDENCE, False),
        (f"not before {FIRST_DAY} 17:00", False),
        (f"not before {FIRST_DAY} 07:30", True),
        ("only to Eddy Lin", True),
        ("only to Tom Moreno", False),
    ],
)
def test_what_was_told_is_offered_as_news_on_its_terms(terms: str, is_offered: bool) -> None:
    minds = Minds(terms)
    row = lived(MORNING, later=AFTER, rules=minds.rules)
    [formed] = memories(happened(row, MemoryFormed), LEARNT)
    assert formed.passing_on == terms
    assert any(inputs.agent_name == MEI for inputs in minds.decisions)
    assert (LEARNT in minds.offered(EDDY)) is is_offered
    secrets = [one for one in happened(row, FactEstablished) if one.event.passing_on]
    assert bool(secrets) is bool(terms)
    for one in secrets:
        assert (one.stream, one.event.kind) == ("mei-lin", FactKind.SECRET)
        assert (one.event.other, one.event.evidence) == ("john-lin", (formed.number,))
    assert check(wiring.event_store(), row.pk).problems == ()


def test_a_secret_is_in_mind_as_one_and_can_be_told_all_the_same() -> None:
    telling = action("telling him", 10, act=("talk to", EDDY, SECRET))
    minds = Minds(IN_CONFIDENCE)
    after = {**AFTER, MEI: [telling, *AFTER[MEI][1:]]}
    row = lived(MORNING, later=after, rules=minds.rules)
    asked = [one for one in minds.utterances if (one.agent_name, one.other_name) == (MEI, EDDY)]
    assert f"{LEARNT} (to be kept secret)" in texts_of(UTTERANCE, asked[0], "memories")
    # He remembers it from her, in the utterance in which she told it.
    [told] = [
        one
        for one in happened(row, Said)
        if one.stream == "mei-lin" and one.event.to == "eddy-lin" and one.event.text == SECRET
    ]
    [heard] = [
        one
        for one in happened(row, MemoryFormed)
        if one.stream == "eddy-lin" and one.event.description.endswith(SECRET)
    ]
    assert (heard.cause, heard.event.subject) == (told.place, "mei-lin")
    facts = current_facts(row.pk, "mei-lin", as_of_tick=row.committed_tick)
    assert [one.statements for one in facts if one.kind == FactKind.SECRET] == [(LEARNT,)]


def test_own_words_of_the_day_are_in_prompts_about_the_same_agent() -> None:
    minds = Minds("")
    again = {
        **AFTER,
        JOHN: [action("saying it", 10, act=("talk to", MEI, "say more")), *AFTER[JOHN]],
    }
    lived(MORNING, later=again, rules=minds.rules)
    first, second = [
        one
        for one in minds.utterances
        if (one.agent_name, one.other_name) == (JOHN, MEI) and not one.lines
    ]
    said = f"John Lin has said to Mei Lin today: {SECRET}"
    assert said not in texts_of(UTTERANCE, first, "acquaintance")
    assert said in texts_of(UTTERANCE, second, "acquaintance")


def test_what_was_told_is_known_as_told_to_that_agent_on_any_talk_after() -> None:
    minds = Minds("")
    to_eddy = action("telling him", 10, act=("talk to", EDDY, SECRET))
    first = {
        JOHN: MORNING[JOHN],
        MEI: [action("eating congee", 20), to_eddy, action("drinking tea", 30)],
        EDDY: [(UPSTAIRS[0], 10), action("eating toast", 50)],
    }
    again = {
        MEI: [
            action("telling him the news", 10, act=("talk to", EDDY, SECRET)),
            action("reading the paper", 50),
        ],
        EDDY: [action("eating an apple", 60)],
    }
    row = lived(first, later=again, rules=minds.rules)
    [told] = happened(row, Told)
    [formed] = memories(happened(row, MemoryFormed), LEARNT)
    assert (told.stream, told.event.memories) == ("mei-lin", (formed.number,))
    before, after = [
        texts_of(UTTERANCE, one, "acquaintance")
        for one in minds.utterances
        if (one.agent_name, one.other_name) == (MEI, EDDY) and one.intent and not one.lines
    ]
    line = f"Mei Lin has told Eddy Lin before: {LEARNT.rstrip('.')}"
    assert line not in before
    assert line in after
    words = [one.event.text for one in happened(row, Said) if one.stream == "mei-lin"]
    assert words.count(SECRET) == 1, "a mind that reads its prompt tells it once"
    assert check(wiring.event_store(), row.pk).problems == ()


def memories(formed: Sequence[object], words: str) -> list[MemoryFormed]:
    """Return the memories of these words."""
    events = (getattr(one, "event", None) for one in formed)
    return [one for one in events if isinstance(one, MemoryFormed) and one.description == words]
