"""A retrieval over the same memories under another rule of importance, as of any moment."""

from typing import Any

import pytest

from apps.eventlog.store import log_sha256
from apps.simulation.models import SimulationRow
from tests.acceptance.api.calling import Caller, problem

pytestmark = pytest.mark.django_db

PATH = "/agents/isabella-rodriguez/retrievals"
EARLIER = "2023-02-13T06:30:00"


def ranking(caller: Caller, town: str, **others: Any) -> Any:
    body = {"query": "Valentine's Day party", "limit": 500, **others}
    response = caller.post(f"{town}{PATH}", body)
    assert response.status_code == 200, response.content
    return response.json()


def importances(ranked: Any) -> dict[int, float]:
    return {one["id"]: one["parts"]["importance"]["raw"] for one in ranked["results"]}


def test_rates_by_origin_then_by_kind_then_as_before(town: str, isabella: Caller) -> None:
    before = ranking(isabella, town)
    rule = {"observation": 2, "description": 9}
    after = ranking(isabella, town, importances=rule)
    rated, found = importances(before), importances(after)
    origins = {one["id"]: one["origin"] for one in before["results"]}
    kinds = {one["id"]: one["kind"] for one in before["results"]}
    expected = {
        number: rule.get(origins[number], rule.get(kinds[number], rated[number]))
        for number in rated
    }
    assert found == expected
    assert {"description", "own-action"} <= set(origins.values())
    assert any(found[number] == rated[number] for number in found if kinds[number] == "plan")


def test_scales_over_all_memories_under_the_rule(town: str, isabella: Caller) -> None:
    only_importance = {"recency": 0, "importance": 1, "relevance": 0}
    found = ranking(
        isabella,
        town,
        importances={"observation": 1, "plan": 1, "reflection": 10, "dialogue": 10}
        | {"description": 10},
        weights=only_importance,
        at=EARLIER,
    )
    scores = {one["id"]: one["score"] for one in found["results"]}
    raw = importances(found)
    assert {raw[number] for number, score in scores.items() if score == 1} == {10}
    assert {raw[number] for number, score in scores.items() if score == 0} == {1}


def test_changes_nothing(town: str, lived: SimulationRow, isabella: Caller) -> None:
    history, before = log_sha256(lived.pk), ranking(isabella, town)
    ranking(isabella, town, importances={"observation": 10})
    assert ranking(isabella, town) == before
    assert log_sha256(lived.pk) == history


@pytest.mark.parametrize(
    ("rule", "hint"),
    [
        ({"breakfast": 3}, "description"),
        ({"observation": 11}, "10"),
        ({"observation": 0}, "1"),
        ({"observation": "high"}, "whole number"),
    ],
)
def test_rejects_a_rule_that_cannot_be_applied(
    town: str, isabella: Caller, rule: dict[str, Any], hint: str
) -> None:
    body = {"query": "party", "importances": rule}
    found = problem(isabella.post(f"{town}{PATH}", body), 422, "invalid-request")
    assert hint in str(found["errors"])
