"""The figures of believability of a morning of a family of three, against its rows."""

import pytest

from apps.agents.models import ActionRow
from apps.dialogue.models import UtteranceRow
from apps.llm.models import ModelCallRow
from apps.llm.port import CallPurpose
from apps.memory.events import MemoryOrigin
from apps.memory.models import MemoryRow
from apps.simulation.models import SimulationRow
from benchmarks.believability.figures import measure, measure_world
from benchmarks.believability.table import table
from tests.support.towns import found, live, shared_fixture

pytestmark = pytest.mark.django_db

LINS = ("Eddy Lin", "John Lin", "Mei Lin")
MIDDAY = "2023-02-13T12:00"


town = shared_fixture(lambda: live(found(seed=4, agents=LINS), MIDDAY))


def test_the_figures_agree_with_the_rows(town: SimulationRow) -> None:
    figures = measure(town, days=1)["figures"]
    memories = MemoryRow.objects.filter(simulation_id=town.pk).exclude(
        origin=MemoryOrigin.DESCRIPTION
    )
    distinct = memories.values("agent", "description").distinct().count()
    calls = ModelCallRow.objects.filter(simulation_id=town.pk)
    said = UtteranceRow.objects.filter(simulation_id=town.pk)
    [per_agent] = figures["memories per agent-day"]
    assert per_agent == round(memories.count() / len(LINS), 1)
    [repeats] = figures["memories that repeat an earlier one word for word, %"]
    assert repeats == round(100 * (1 - distinct / memories.count()), 1)
    assert figures["model calls"] == [calls.count()]
    [talks], [unanswered] = figures["conversations"], figures["openings without an answer, %"]
    openings = said.values("conversation").distinct().count()
    assert talks >= 1
    assert unanswered == round(100 * (1 - talks / openings), 1)
    assert figures["seed tie in the dialogue prompt, %"] == [100.0]
    assert figures["own pursuits per outline"][0] > 0


def test_calls_of_interviews_of_all_kinds_are_no_part_of_the_figures(
    town: SimulationRow,
) -> None:
    before = measure(town, days=1)["figures"]
    asked = ModelCallRow.objects.filter(simulation_id=town.pk).latest("pk")
    for kind in ("answer", "choice", "number", "ranking"):
        asked.pk, asked.call_id = None, f"{asked.tick}/eddy-lin/interview.{kind}/1"
        asked.task, asked.purpose = f"interview.{kind}", CallPurpose.INTERVIEW
        asked.save(force_insert=True)
    assert measure(town, days=1)["figures"] == before


def test_the_figures_of_the_world_name_what_was_not_lived(town: SimulationRow) -> None:
    result = measure_world(town, days=1)
    actions = ActionRow.objects.filter(simulation_id=town.pk, towards="", asleep=False)
    used = set(actions.exclude(object="").values_list("object", flat=True))
    assert used
    assert not used & set(result["objects never used"])
    due, lived = (result["figures"][f"timed phrases {what}"][0] for what in ("due", "lived, %"))
    assert 0 < lived < 100
    # The evening is still to come: what is due then is missing.
    assert len(result["phrases never lived"]) == round(due * (100 - lived) / 100)


def test_a_result_makes_a_table(town: SimulationRow) -> None:
    result = {"commit": "abc"} | measure(town, days=1)
    text = table({("smallville", 4): result}, {("smallville", 4): result})
    assert "| model calls |" in text
    assert "## smallville, seed 4" in text
