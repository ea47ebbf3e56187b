"""What people have thought over, read over HTTP with the trees beneath it (R3)."""

from collections.abc import Iterator
from typing import Any

import pytest
from pytest_django import DjangoAssertNumQueries

from apps.simulation.models import SimulationRow
from tests.acceptance.api.calling import Caller, owned_by_isabella, problem
from tests.support.snapshots import simulated
from tests.support.towns import shared_fixture

ISABELLA = "/agents/isabella-rodriguez"
EVENING = "2023-02-13T18:00"
THRESHOLD = 5


evening = shared_fixture(
    lambda: simulated(EVENING, seed=10, settings={"reflection_threshold": THRESHOLD})
)
"""Three people who reflect easily in the evening of their first day."""


@pytest.fixture
def reflections(evening: SimulationRow, isabella: Caller) -> str:
    """Return the address of Isabella's reflections."""
    return f"{owned_by_isabella(evening)}{ISABELLA}/reflections"


def beneath(memory: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the memories of a tree, the one on top first."""
    yield memory
    for below in memory["because_of"]:
        yield from beneath(below)


class TestReflections:
    def test_are_listed_newest_first_in_pages(self, reflections: str, isabella: Caller) -> None:
        whole = isabella.get(reflections).json()
        assert whole["next"] is None
        times = [reflection["created_at"] for reflection in whole["results"]]
        assert len(times) >= 2
        assert times == sorted(times, reverse=True)
        assert isabella.everything(reflections, limit=1) == whole["results"]

    def test_tell_the_questions_and_the_event(self, reflections: str, isabella: Caller) -> None:
        town = reflections.partition(ISABELLA)[0]
        for reflection in isabella.everything(reflections):
            assert len(reflection["questions"]) == 3
            assert reflection["importance"] > THRESHOLD
            event = isabella.get(f"{town}/events/{reflection['event']}").json()
            assert event["type"] == "reflection.reflected.v1"
            assert event["data"]["questions"] == reflection["questions"]

    def test_unfold_each_insight_into_memories(
        self, reflections: str, isabella: Caller, settings: Any
    ) -> None:
        settings.REQUEST_RATE_MAX = ""  # it looks at every memory of every tree
        person = reflections.removesuffix("/reflections")
        insights = [
            insight["memory"]
            for reflection in isabella.everything(reflections)
            for insight in reflection["insights"]
        ]
        assert insights
        for insight in insights:
            assert insight["kind"] == "reflection"
            assert [below["id"] for below in insight["because_of"]] == insight["evidence"]
            for memory in beneath(insight):
                kept = isabella.get(f"{person}/memories/{memory['id']}").json()
                for name in ("kind", "description", "importance", "created_at", "evidence"):
                    assert memory[name] == kept[name]
        assert any(
            memory["kind"] == "reflection"
            for insight in insights
            for below in insight["because_of"]
            for memory in beneath(below)
        )

    def test_name_the_question_that_an_insight_answers(
        self, reflections: str, isabella: Caller
    ) -> None:
        for reflection in isabella.everything(reflections):
            for thought in (*reflection["insights"], *reflection["dropped"]):
                assert thought["question"] in reflection["questions"]

    def test_are_none_where_nobody_had_any(self, town: str, isabella: Caller) -> None:
        assert isabella.get(f"{town}{ISABELLA}/reflections").json() == {
            "results": [],
            "next": None,
        }

    def test_take_few_queries(
        self,
        reflections: str,
        isabella: Caller,
        django_assert_max_num_queries: DjangoAssertNumQueries,
    ) -> None:
        with django_assert_max_num_queries(8):
            isabella.get(reflections)

    def test_of_nobody_are_not_found(self, town: str, isabella: Caller) -> None:
        problem(isabella.get(f"{town}/agents/nobody/reflections"), 404, "agent-unknown")

    def test_refuse_a_cursor_of_another_list(self, reflections: str, isabella: Caller) -> None:
        problem(isabella.get(reflections, cursor="WyJhIl0"), 422, "invalid-request")
