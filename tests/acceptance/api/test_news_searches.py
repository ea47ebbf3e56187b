"""News searches over HTTP: estimated, requested, carried out, and read with evidence."""

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext

from apps import wiring
from apps.access.commands import issue_token
from apps.evaluation.news_searches.commands import NEWS_SEARCHES
from apps.eventlog.event import SIMULATION_STREAM
from apps.eventlog.models import EventRow
from apps.eventlog.store import log_sha256
from apps.simulation.models import SimulationRow
from tests.acceptance.api.calling import Caller, problem

pytestmark = pytest.mark.django_db

PARTY = "Isabella Rodriguez is having a Valentine's Day party at Hobbs Cafe on February 14"


def work() -> None:
    """Do what workers do with the searches that wait."""
    for search_id in NEWS_SEARCHES.ids():
        NEWS_SEARCHES.carry_out(wiring.ports(), search_id)


def test_are_carried_out_and_show_their_evidence(
    isabella: Caller, town: str, lived: SimulationRow
) -> None:
    before = log_sha256(lived.pk)
    estimate = isabella.post(f"{town}/news-searches/estimate", {"news": PARTY}).json()
    assert (estimate["agents"], estimate["calls_max"]) == (3, 9)
    assert 3 <= estimate["calls"] <= 9
    assert (estimate["cost"], estimate["is_priced"]) == (0, True)

    response = isabella.post(f"{town}/news-searches", {"news": PARTY, "reason": "to see"})
    assert response.status_code == 202
    accepted = response.json()
    assert (accepted["state"], accepted["progress"]["done"]) == ("pending", 0)
    assert response["Location"] == accepted["status_url"]
    path = f"{town}/news-searches/{accepted['id']}"
    problem(isabella.get(f"{path}/diffusion"), 409, "news-search-not-finished")

    work()
    done = isabella.get(path).json()
    assert (done["state"], done["progress"]) == (
        "done",
        {"parts": "agents", "done": 3, "total": 3, "invalid": 0},
    )
    found = isabella.get(f"{path}/diffusion").json()
    assert (found["agents"], found["hallucinated"], found["unexplained"]) == (3, 0, 0)
    by_agent = {one["agent"]: one for one in found["findings"]}
    host = by_agent["isabella-rodriguez"]
    knower = host["knower"]
    assert (host["verdict"], knower["is_origin"], knower["chain"]) == ("knows", True, [])
    assert "party" in host["evidence"]["held"][0]["description"]
    unaware = [one for one in found["findings"] if one["verdict"] == "unaware"]
    assert found["knowers"] + len(unaware) == 3
    for one in unaware:
        assert one["evidence"]["considered"], "each no has the memories that were read"
        [call] = one["evidence"]["model_calls"]
        asked = isabella.get(f"{town}/model-calls/{call}").json()
        assert any(PARTY in message["content"] for message in asked["messages"])
    assert log_sha256(lived.pk) == before


def test_that_are_not_finished_do_not_read_the_log(isabella: Caller, town: str) -> None:
    asked = isabella.post(f"{town}/news-searches", {"news": PARTY}).json()
    path = f"{town}/news-searches/{asked['id']}/diffusion"

    def reads_the_log() -> bool:
        with CaptureQueriesContext(connection) as queries:
            isabella.get(path)
        asked = [query["sql"] for query in queries if EventRow._meta.db_table in query["sql"]]
        # A process reads once what a simulation was created with.
        return any(f"'{SIMULATION_STREAM}'" not in sql for sql in asked)

    assert not reads_the_log()
    work()
    assert reads_the_log()


def test_agree_with_words_and_can_be_listed_and_deleted(isabella: Caller, town: str) -> None:
    asked = isabella.post(f"{town}/news-searches", {"news": PARTY}).json()
    path = f"{town}/news-searches/{asked['id']}"
    work()
    found = isabella.get(f"{path}/diffusion").json()
    words = {"topic": ["party"], "about": ["Isabella", "Valentine"]}
    by_words = isabella.post(f"{town}/diffusion", words).json()
    verdicts = [
        [(one["agent"], one["verdict"]) for one in report["findings"]]
        for report in (by_words, found)
    ]
    assert verdicts[0] == verdicts[1]
    # The same moment and agents: it is one report.
    assert isabella.post(f"{town}/diffusion", {"search": asked["id"]}).json() == found
    assert [one["id"] for one in isabella.everything(f"{town}/news-searches")] == [asked["id"]]
    problem(isabella.post(f"{path}/resume", {}), 409, "work-not-paused")
    assert isabella.delete(path).status_code == 204
    problem(isabella.get(path), 404, "work-unknown")


def test_are_of_any_moment_and_any_agents(isabella: Caller, town: str) -> None:
    body = {"news": PARTY, "agents": ["klaus-mueller"], "at": 0, "verifier": "rule"}
    asked = isabella.post(f"{town}/news-searches", body).json()
    work()
    found = isabella.get(f"{town}/news-searches/{asked['id']}/diffusion").json()
    assert found["as_of"]["tick"] == 0
    assert [one["agent"] for one in found["findings"]] == ["klaus-mueller"]


def test_say_what_cannot_be_searched(isabella: Caller, town: str) -> None:
    path = f"{town}/news-searches"
    refused = problem(isabella.post(path, {"news": "of the"}), 422, "unusable-news")
    assert "give a sentence" in refused["detail"]
    problem(isabella.post(f"{path}/estimate", {"news": "of the"}), 422, "unusable-news")
    problem(isabella.post(path, {"news": "x" * 501}), 422, "invalid-request")
    problem(isabella.post(path, {"news": PARTY, "at": 10**7}), 422, "invalid-request")
    problem(isabella.post(path, {"news": PARTY, "agents": ["nobody"]}), 404, "agent-unknown")


def test_need_a_token_that_may_command(isabella: Caller, town: str) -> None:
    user = User.objects.get(username="isabella")
    reader = Caller(issue_token(user, "reads", reads_only=True))
    problem(reader.post(f"{town}/news-searches", {"news": PARTY}), 403, "not-allowed")
    assert reader.post(f"{town}/news-searches/estimate", {"news": PARTY}).status_code == 200
