"""Social measures over HTTP, as of any moment."""

import pytest

from apps.eventlog.store import log_sha256
from apps.simulation.models import SimulationRow
from tests.acceptance.api.calling import Caller, problem

pytestmark = pytest.mark.django_db

PARTY = {"topic": ["party"], "about": ["Isabella", "Valentine", "Hobbs Cafe"]}


def test_are_those_of_the_moment(isabella: Caller, town: str, lived: SimulationRow) -> None:
    now = isabella.get(f"{town}/social").json()
    then = isabella.get(f"{town}/social", at="2023-02-13T03:00:00").json()
    assert (now["agents"], then["agents"]) == (3, 3)
    networks = {network["kind"]: network for network in now["networks"]}
    assert set(networks) == {"remembered", "sighted", "met", "talked", "related"}
    relationships = isabella.get(f"{town}/relationships").json()
    # There is no density of acquaintance as such: each kind is reported apart.
    assert "density" not in relationships
    densities = {kind: network["density"] for kind, network in networks.items()}
    assert densities == relationships["densities"]
    assert then["plans"]["planned"] < now["plans"]["planned"]
    assert 0.5 < now["plans"]["begun_share"] <= 1
    assert then["conversations"]["conversations"] == 0


def test_follow_a_piece_of_news_to_its_origin(
    isabella: Caller, town: str, lived: SimulationRow
) -> None:
    before = log_sha256(lived.pk)
    found = isabella.post(f"{town}/diffusion", PARTY).json()
    findings = {one["agent"]: one for one in found["findings"]}
    host = findings["isabella-rodriguez"]
    assert (host["verdict"], host["evidence"]) == ("knows", None)
    knower = host["knower"]
    assert (knower["is_origin"], knower["chain"], knower["problem"]) == (True, [], None)
    assert "party" in knower["description"]
    path = f"{town}/agents/isabella-rodriguez/memories/{knower['memory']}"
    assert isabella.get(path).json()["description"] == knower["description"]
    unaware = [one for one in findings.values() if one["verdict"] == "unaware"]
    assert all(one["knower"] is None for one in unaware)
    assert found["knowers"] + len(unaware) == found["agents"] == 3
    assert found["share"] == pytest.approx(found["knowers"] / 3)
    assert found["unexplained"] == 0
    none = isabella.post(f"{town}/diffusion", {"topic": ["eclipse"]}).json()
    assert (none["share"], none["knowers"]) == (0, 0)
    assert log_sha256(lived.pk) == before


def test_of_news_without_words_are_refused(isabella: Caller, town: str) -> None:
    problem(isabella.post(f"{town}/diffusion", {"topic": []}), 422, "invalid-request")


def test_show_where_agents_spend_their_time(
    isabella: Caller, town: str, lived: SimulationRow
) -> None:
    found = isabella.get(f"{town}/routines", other=lived.pk).json()
    routines = {routine["agent"]: routine for routine in found["agents"]}
    host = routines["isabella-rodriguez"]
    assert sum(host["shares"].values()) == pytest.approx(1)
    assert max(host["shares"], key=host["shares"].get) == "Isabella Rodriguez's apartment"
    assert host["shares"]["Hobbs Cafe"] > 0
    assert host["radius"] > 0
    # A history does not differ from itself.
    assert found["mean_divergence"] == pytest.approx(0)
    asleep = isabella.get(f"{town}/routines", at="2023-02-13T03:00:00").json()
    [first] = [one for one in asleep["agents"] if one["agent"] == "isabella-rodriguez"]
    assert (first["places_per_day"], first["divergence"]) == (1, None)
    unknown = isabella.get(f"{town}/routines", other="5f0c7a9e-3f0b-4d7a-9b53-0f3b1c1c9a11")
    problem(unknown, 404, "other-unknown")
