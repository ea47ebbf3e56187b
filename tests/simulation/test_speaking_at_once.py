"""Several agents speak to one at once: nothing that was said is lost (D2)."""

from collections import Counter
from collections.abc import Mapping
from pathlib import Path

import pytest

from apps.dialogue.events import Said, TalkEnded
from apps.dialogue.inputs import TakeawaysInput
from apps.dialogue.llm_tasks import TAKEAWAYS
from apps.dialogue.llm_tasks.takeaways import Takeaways, only_that_they_talked
from apps.dialogue.utterances import Ending
from apps.memory.events import MemoryFormed, MemoryOrigin
from apps.planning.events import HoursPlanned
from apps.rule_model.model import Chance, TaskRule
from apps.simulation.engine.in_process import RunOptions
from apps.simulation.models import SimulationRow
from tests.support.builders import commitment_to
from tests.support.street import (
    FIRST_MINUTES,
    crowd_fixture,
    require_one_history,
    simulate_crowd,
)
from tests.support.towns import (
    ONE_BY_ONE,
    happened,
)

pytestmark = pytest.mark.django_db(transaction=True)

CEM, EVE = "cem-kaya", "eve-novak"
EIGHT = commitment_to("hear the composition", "2024-06-03", "20:00", "21:00")


def eve_agrees_with_cem(inputs: TakeawaysInput, chance: Chance) -> Takeaways:
    """Let Eve agree with Cem, who speaks to her while she talks with others."""
    kept = only_that_they_talked(inputs)
    is_with_cem = (inputs.agent_name, inputs.other_name) == ("Eve Novak", "Cem Kaya")
    return kept.model_copy(update={"agreed": (EIGHT,)}) if is_with_cem else kept


def crowded(folder: Path, manner: RunOptions = ONE_BY_ONE, **settings: int) -> SimulationRow:
    rules: Mapping[str, TaskRule] = {TAKEAWAYS.name: eve_agrees_with_cem}
    return simulate_crowd(folder, rules, manner, until=FIRST_MINUTES, **settings)


row = crowd_fixture(lambda folder: crowded(folder, hearing_distance=0))


@pytest.mark.django_db
class TestWordsToAnAgentInAConversation:
    def test_are_answered_when_it_is_over(self, row: SimulationRow) -> None:
        said = happened(row, Said)
        answerable = [one for one in said if one.tick < row.committed_tick]
        openings = [one for one in answerable if one.event.number == 1]
        at_once = Counter((one.tick, one.event.to) for one in openings)
        assert max(at_once.values()) > 2, "several agents speak to one in the same tick"
        answered = {one.event.conversation for one in said if one.event.number == 2}
        gave_way = {
            one.event.conversation
            for one in happened(row, TalkEnded)
            if one.event.why == Ending.GAVE_WAY
        }
        assert {one.event.conversation for one in openings} == answered | gave_way
        assert not [
            one for one in happened(row, TalkEnded) if one.event.why == Ending.NO_ANSWER
        ]

    def test_leave_no_memory_that_they_were_not_answered(self, row: SimulationRow) -> None:
        own = [
            one.event.description
            for one in happened(row, MemoryFormed)
            if one.event.origin is MemoryOrigin.OWN_UTTERANCE
        ]
        assert own == []

    def test_reach_its_plan(self, row: SimulationRow) -> None:
        [opening] = [
            one
            for one in happened(row, Said)
            if (one.stream, one.event.to, one.event.number) == (CEM, EVE, 1)
        ]
        [answer] = [
            one
            for one in happened(row, Said)
            if one.event.conversation == opening.event.conversation and one.stream == EVE
        ]
        between = [
            one.event
            for one in happened(row, Said)
            if one.stream == EVE and opening.tick < one.tick < answer.tick
        ]
        assert between, "she talked with others first"
        [revised] = [
            one
            for one in happened(row, HoursPlanned)
            if one.stream == EVE and one.tick > answer.tick
        ]
        [ended] = [
            one.tick
            for one in happened(row, TalkEnded)
            if one.event.conversation == opening.event.conversation and one.stream == EVE
        ]
        assert revised.tick == ended, "the agreement is in the plan as soon as they part"


def test_they_make_one_history_in_any_order(tmp_path: Path) -> None:
    require_one_history(tmp_path, crowded)
