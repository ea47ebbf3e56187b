"""Bystanders hear what others say near them, and may join in; three talk at a table (D2)."""

from pathlib import Path

import pytest

from apps import history
from apps.dialogue.events import Overheard, Said, TalkEnded
from apps.dialogue.utterances import Ending
from apps.memory.events import MemoryFormed, MemoryOrigin
from apps.reaction.inputs import DecisionInput, ObservedAgent
from apps.reaction.llm_tasks import DECISION, Decision, go_on
from apps.rule_model.model import Chance
from apps.simulation.engine.in_process import RunOptions
from apps.simulation.models import SimulationRow
from tests.support.builders import speaks
from tests.support.street import crowd_fixture, require_one_history, simulate_crowd
from tests.support.towns import (
    ONE_BY_ONE,
    happened,
)

pytestmark = pytest.mark.django_db(transaction=True)

ADA, CEM, EVE = "ada-finch", "cem-kaya", "eve-novak"
NEWS = "I am running for mayor."
ADVICE = "I heard that, and I will vote for you."


def eve_talks_and_cem_joins(inputs: DecisionInput, chance: Chance) -> Decision:
    """Let Eve tell Ada her news, and Cem join in when he overhears it."""
    for number, observed in enumerate(inputs.observed, start=1):
        if not isinstance(observed, ObservedAgent) or not observed.may_talk:
            continue
        is_overheard = any(NEWS in one.text for one in observed.reasons)
        if inputs.agent_name == "Cem Kaya" and is_overheard:
            return said(number, ADVICE).model_copy(update={"to": "Ada Finch"})
        is_met = observed.acquaintance.last_talk is None
        if (inputs.agent_name, observed.name) == ("Eve Novak", "Ada Finch") and is_met:
            return said(number, NEWS)
    return go_on(inputs)


def said(number: int, words: str) -> Decision:
    return speaks(number, "talk", words)


def overheard(folder: Path, manner: RunOptions = ONE_BY_ONE) -> SimulationRow:
    rules = {DECISION.name: eve_talks_and_cem_joins}
    return simulate_crowd(folder, rules, manner, utterances=8)


row = crowd_fixture(overheard)


@pytest.mark.django_db
class TestBystanders:
    def test_remember_what_they_overhear(self, row: SimulationRow) -> None:
        [news] = [one for one in happened(row, Said) if one.event.text == NEWS]
        assert (news.stream, news.event.to) == (EVE, ADA)
        heard = [one for one in happened(row, Overheard) if one.cause == news.place]
        assert heard
        assert not {ADA, EVE} & {one.stream for one in heard}
        conversation = news.event.conversation
        ends = [
            one
            for one in happened(row, Overheard)
            if one.event.conversation == conversation and one.event.is_over
        ]
        assert {one.stream for one in heard} <= {one.stream for one in ends}
        memories = {one.cause: one for one in happened(row, MemoryFormed)}
        for end in (one for one in ends if one.stream in {two.stream for two in heard}):
            memory = memories[end.place]
            assert memory.event.origin is MemoryOrigin.OVERHEARD
            assert memory.stream == end.stream
            assert NEWS in memory.event.description

    def test_may_join_in(self, row: SimulationRow) -> None:
        [news] = [one for one in happened(row, Said) if one.event.text == NEWS]
        [advice] = [one for one in happened(row, Said) if one.event.text == ADVICE]
        assert (advice.stream, advice.event.to) == (CEM, ADA), "he says it to the listener"
        assert advice.event.conversation == news.event.conversation
        assert advice.event.participants == (ADA, EVE)

    def test_talk_as_three_and_part(self, row: SimulationRow) -> None:
        [advice] = [one for one in happened(row, Said) if one.event.text == ADVICE]
        conversation = advice.event.conversation
        spoken = [one for one in happened(row, Said) if one.event.conversation == conversation]
        assert {one.stream for one in spoken} == {ADA, CEM, EVE}
        ended = [
            one for one in happened(row, TalkEnded) if one.event.conversation == conversation
        ]
        assert sorted(one.stream for one in ended) == [ADA, CEM, EVE]
        assert not {one.event.why for one in ended} & {Ending.NO_ANSWER, Ending.BUSY}
        members = history.members_of(row.pk, [conversation], as_of_tick=row.committed_tick)
        assert members == {conversation: [EVE, ADA, CEM]}
        gists = [
            one.stream
            for one in happened(row, MemoryFormed)
            if one.event.origin is MemoryOrigin.CONVERSATION
            and one.tick in {end.tick for end in ended}
        ]
        assert {ADA, CEM, EVE} <= set(gists)

    def test_answer_the_words_that_are_said_to_them(self, row: SimulationRow) -> None:
        [advice] = [one for one in happened(row, Said) if one.event.text == ADVICE]
        conversation = advice.event.conversation
        spoken = [one for one in happened(row, Said) if one.event.conversation == conversation]
        answers = [one for one in spoken if one.event.number > 1 and one != advice]
        by_event = {one.place: one for one in spoken}
        for answer in answers:
            assert by_event[answer.cause].event.to == answer.stream


def test_they_make_one_history_in_any_order(tmp_path: Path) -> None:
    require_one_history(tmp_path, overheard)
