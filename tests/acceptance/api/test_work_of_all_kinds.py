"""Background work of every kind has the same states, and the same operations over HTTP."""

from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth.models import User

from apps import wiring
from apps.access.commands import issue_token
from apps.simulation.models import SimulationRow
from apps.work.kinds import WorkKind
from tests.acceptance.api.calling import Caller, problem
from tests.support.lost import lose_process
from tests.support.work_of_kinds import REQUESTS, Requested

pytestmark = pytest.mark.django_db

STEPPED = {"counterfactual", "experiment"}
"""Kinds of which one step is taken after another, while their simulations run."""


@pytest.fixture(params=REQUESTS)
def work(request: pytest.FixtureRequest, lived: SimulationRow, town: str) -> Requested:
    """Return work of a kind that nobody is at."""
    lived.refresh_from_db()
    return REQUESTS[request.param](lived)


def kinds() -> Iterator[WorkKind[Any]]:
    yield from wiring.WORK_KINDS.values()


def test_every_kind_of_the_registry_is_tested() -> None:
    assert [kind.name for kind in kinds()] == list(REQUESTS)


def test_says_how_much_is_done_and_for_what_it_waits(work: Requested, isabella: Caller) -> None:
    shown = isabella.get(work.address).json()
    assert shown["state"] == ("running" if work.kind.name == "experiment" else "pending")
    assert shown["progress"]["parts"] == work.kind.parts
    assert shown["progress"]["done"] <= shown["progress"]["total"] > 0
    assert (shown["problem"], shown["end_recorded_at"]) == (None, None)
    assert shown["waits_for"]
    assert shown["waits_since"]
    assert work.row.pk in work.kind.ids()
    above = work.address.rpartition("/")[0]
    [listed] = [
        one for one in isabella.get(above).json()["results"] if one["id"] == str(work.row.pk)
    ]
    assert {name: shown[name] for name in listed} == listed


SEARCHED = {
    "interview": "WHO are",
    "survey": "oNe",
    "ranking": "MODEL",
    "news-search": "has a PARTY",
    "replay": "A Test",
    "model-trial": "OFF",
    "counterfactual": "A Test",
    "experiment": "ONE-run",
    "import": "A Test",
}
"""A text that the list of the kind finds, by kind."""


def test_is_listed_page_by_page_and_found_by_a_text(work: Requested, isabella: Caller) -> None:
    other = work.kind.get(work.row.pk)
    other.pk, other._state.adding = uuid4(), True
    if hasattr(other, "number"):
        other.number += 1
    other.save()
    above, found = work.address.rpartition("/")[0], {str(work.row.pk), str(other.pk)}
    upwards = isabella.everything(above, order="recorded_at")
    assert {one["id"] for one in upwards} == found
    for order, expected in (("recorded_at", upwards), ("-recorded_at", upwards[::-1])):
        assert isabella.everything(above, order=order, limit=1) == expected
    text = SEARCHED[work.kind.name]
    assert isabella.everything(above, order="recorded_at", limit=1, search=text) == upwards
    assert isabella.everything(above, search="no such words anywhere") == []


def test_is_paused_and_resumed(work: Requested, isabella: Caller) -> None:
    paused = isabella.post(f"{work.address}/pause", {"reason": "lunch"}).json()
    assert paused["state"] == "paused"
    assert paused["problem"] == {"code": "paused-by-user", "detail": "lunch"}
    assert paused["waits_for"] == f"a user who resumes the {work.kind.noun}"
    assert work.row.pk not in work.kind.ids()
    assert not work.take()
    again = isabella.post(f"{work.address}/pause", {"reason": "dinner"}).json()
    assert again["problem"]["detail"] == "lunch", "it is paused already"
    resumed = isabella.post(f"{work.address}/resume", {})
    assert resumed.status_code == 202
    assert resumed["Location"].endswith(work.address)
    assert (resumed.json()["state"], resumed.json()["problem"]) in [
        ("pending", None),
        ("running", None),
    ]
    assert work.row.pk in work.kind.ids()
    problem(isabella.post(f"{work.address}/resume", {}), 409, "work-not-paused")


def test_is_cancelled_for_good(work: Requested, isabella: Caller) -> None:
    why = "the question is answered"
    cancelled = isabella.post(f"{work.address}/cancel", {"reason": why}).json()
    assert (cancelled["state"], cancelled["waits_for"]) == ("cancelled", None)
    assert cancelled["problem"] == {"code": "cancelled-by-user", "detail": why}
    assert cancelled["end_recorded_at"]
    assert work.row.pk not in work.kind.ids()
    assert not work.take()
    for verb in ("pause", "cancel"):
        problem(isabella.post(f"{work.address}/{verb}", {}), 409, "work-over")
    problem(isabella.post(f"{work.address}/resume", {}), 409, "work-not-paused")
    assert isabella.get(work.address).json()["state"] == "cancelled"


def test_of_a_survey_ends_with_its_interviews(
    lived: SimulationRow, town: str, isabella: Caller
) -> None:
    lived.refresh_from_db()
    work = REQUESTS["survey"](lived)
    assert isabella.post(f"{work.address}/cancel", {}).status_code == 200
    [asked] = isabella.everything(f"{work.address}/interviews")
    assert asked["state"] == "cancelled"
    assert asked["problem"] == {
        "code": "cancelled-by-user",
        "detail": "its survey was cancelled",
    }
    assert asked["end_recorded_at"]


def test_that_an_error_has_stopped_is_resumed(work: Requested, isabella: Caller) -> None:
    work.kind.stop(work.row.pk, "a-code", "a reason")
    stopped = isabella.get(work.address).json()
    assert stopped["state"] == work.kind.stopped_state
    assert stopped["problem"] == {"code": "a-code", "detail": "a reason"}
    assert work.row.pk not in work.kind.ids()
    assert isabella.post(f"{work.address}/resume", {}).status_code == 202
    assert work.row.pk in work.kind.ids()
    assert isabella.get(work.address).json()["problem"] is None


def test_is_stopped_by_an_error_whose_words_are_not_shown(
    work: Requested, isabella: Caller
) -> None:
    assert work.kind.take(work.row.pk) is not None
    with pytest.raises(ZeroDivisionError), work.kind.carried_out(work.row.pk):
        raise ZeroDivisionError("by 0")
    shown = isabella.get(work.address).json()
    assert (shown["state"], shown["problem"]["code"]) == (
        work.kind.stopped_state,
        "internal-error",
    )
    assert "ZeroDivisionError" in shown["problem"]["detail"]
    assert "by 0" not in shown["problem"]["detail"]
    assert f"resume the {work.kind.noun}" in shown["problem"]["detail"]


@pytest.mark.parametrize("kind", ["survey", "ranking", "news-search", "model-trial"])
def test_of_a_model_pauses_at_its_limit_and_takes_another(
    kind: str, lived: SimulationRow, town: str, isabella: Caller
) -> None:
    lived.refresh_from_db()
    work = REQUESTS[kind](lived)
    work.kind.rows.filter(pk=work.row.pk).update(tokens_max=0)
    assert work.take()
    paused = isabella.get(work.address).json()
    assert (paused["state"], paused["tokens"]) == ("paused", 0)
    assert paused["problem"]["code"] == "token-limit-reached"
    assert isabella.post(f"{work.address}/resume", {"tokens_max": 10**9}).status_code == 202
    assert work.take()
    done = isabella.get(work.address).json()
    assert (done["state"], done["tokens_max"]) == ("done", 10**9)
    assert done["tokens"] > 0


def test_of_a_lost_process_is_taken_by_another_one(work: Requested, isabella: Caller) -> None:
    assert work.kind.take(work.row.pk) is not None
    assert isabella.get(work.address).json()["state"] == "running"
    assert work.row.pk not in work.kind.ids()
    assert work.kind.take(work.row.pk) is None
    lose_process(work.kind.rows.filter(pk=work.row.pk))
    waits_for = isabella.get(work.address).json()["waits_for"]
    assert waits_for == "another process: the one that was at it is lost"
    assert work.row.pk in work.kind.ids()
    assert work.take()
    assert work.state == ("running" if work.kind.name in STEPPED else "done")


@pytest.mark.parametrize("verb", ["pause", "cancel"])
def test_stops_at_its_next_progress(work: Requested, isabella: Caller, verb: str) -> None:
    taken = work.kind.take(work.row.pk)
    assert taken is not None
    assert isabella.post(f"{work.address}/{verb}", {}).status_code == 200
    state = work.state
    with work.kind.carried_out(work.row.pk):
        work.kind.end(work.row.pk, work.kind.stopped_state, "late", "too late")
    assert work.state == state
    assert work.kind.get(work.row.pk).seen_at is None


def test_is_deleted(work: Requested, isabella: Caller) -> None:
    assert isabella.delete(work.address).status_code == 204
    problem(isabella.get(work.address), 404, "work-unknown")
    problem(isabella.get(f"{work.address.rpartition('/')[0]}/none"), 404, "work-unknown")
    assert work.row.pk not in work.kind.ids()
    assert not work.take()


def test_is_only_read_with_a_token_that_reads(work: Requested, isabella: Caller) -> None:
    owner = User.objects.get(username="isabella")
    reader = Caller(issue_token(owner, "reads", reads_only=True))
    assert reader.get(work.address).status_code == 200
    for verb in ("pause", "resume", "cancel"):
        problem(reader.post(f"{work.address}/{verb}", {}), 403, "not-allowed")
    problem(reader.delete(work.address), 403, "not-allowed")
    assert work.kind.rows.filter(pk=work.row.pk).exists()
