"""The attendance of a gathering over HTTP, in a history that is written by hand."""

from typing import Any, ClassVar

import pytest
from django.contrib.auth.models import User

from apps.evaluation.models import NewsFindingRow, NewsSearchRow
from apps.memory.events import MemoryOrigin
from apps.simulation.models import SimulationRow
from apps.work.rows import WorkState
from tests.acceptance.api.calling import Caller, problem
from tests.support.handwritten import DAY, HandwrittenHistory
from tests.support.towns import THREE

pytestmark = pytest.mark.django_db

ISABELLA, KLAUS, MARIA = "isabella-rodriguez", "klaus-mueller", "maria-lopez"
CAFE = "Hobbs Cafe: cafe"
HEARD, LAMPS = "Isabella gives a lantern feast", "The lamps are lit at the cafe tonight"
INVALID = "invalid-request"
FEAST = {
    "topic": ["lantern feast"],
    "place": "Hobbs Cafe",
    "from": f"{DAY}T17:00:00",
    "to": f"{DAY}T19:00:00",
}


@pytest.fixture
def history(isabella: Caller) -> HandwrittenHistory:
    """Return the history of Isabella's feast: Klaus comes to it, Maria is there for a coffee.

    Klaus knew since noon. Maria hears of it at six, and Klaus of another thing.
    """
    history = HandwrittenHistory(*THREE)
    heard, acting = history.remembering, history.acting
    history.append("10:00", ISABELLA, heard(ISABELLA, HEARD, MemoryOrigin.INNER_VOICE))
    history.append("12:00", KLAUS, heard(KLAUS, HEARD))
    history.append("16:00", ISABELLA, acting(CAFE))
    history.append("16:30", MARIA, acting(CAFE))
    history.append("17:29:40", KLAUS, acting(CAFE))
    history.append("18:00", MARIA, heard(MARIA, HEARD))
    SimulationRow.objects.filter(pk=history.id).update(
        owner=User.objects.get(username="isabella"), committed_tick=history.tick("20:00")
    )
    return history


def attendance(caller: Caller, history: HandwrittenHistory, **changes: Any) -> dict[str, Any]:
    found = caller.post(f"/simulations/{history.id}/attendance", FEAST | changes)
    assert found.status_code == 200, found.content
    shown: dict[str, Any] = found.json()
    return shown


def test_has_the_guests_with_the_evidence(
    isabella: Caller, history: HandwrittenHistory
) -> None:
    def at(time: str) -> dict[str, Any]:
        return {"tick": history.tick(time), "time": f"{DAY}T{time}"}

    found = attendance(isabella, history)
    klaus, maria = found.pop("guests")
    assert found == {
        "place": "Hobbs Cafe",
        "from": at("17:00:00"),
        "to": at("19:00:00"),
        "hosts": [ISABELLA],
        "knew": 2,
        "accepted": 0,
        "came": 2,
        "came_knowing": 1,
        "unverified": [],
    }
    assert klaus == {
        "agent": KLAUS,
        "knew": True,
        "memory": history.number_of(KLAUS, HEARD),
        "knew_from": at("12:00:00"),
        "agreements": [],
        "minutes": 90,
        "came": at("17:29:40"),
        "came_knowing": True,
    }
    assert maria == {
        "agent": MARIA,
        "knew": True,
        "memory": history.number_of(MARIA, HEARD),
        "knew_from": at("18:00:00"),
        "agreements": [],
        "minutes": 120,
        "came": at("17:00:00"),
        "came_knowing": False,
    }
    town = f"/simulations/{history.id}"
    memory = isabella.get(f"{town}/agents/{MARIA}/memories/{maria['memory']}").json()
    assert memory["description"] == HEARD
    came = klaus["came"]["tick"]
    places = [_place(isabella, town, KLAUS, tick) for tick in (came - 1, came)]
    assert places == ["Oak Hill College Dorm", "Hobbs Cafe"]


def test_leaves_out_the_hosts_that_are_named(
    isabella: Caller, history: HandwrittenHistory
) -> None:
    found = attendance(isabella, history, hosts=[KLAUS])
    assert found["hosts"] == [KLAUS]
    assert [guest["agent"] for guest in found["guests"]] == [ISABELLA, MARIA]
    assert (found["came"], found["came_knowing"]) == (2, 1)
    nobody = attendance(isabella, history, hosts=[])
    assert (nobody["hosts"], nobody["came"], nobody["came_knowing"]) == ([], 3, 2)


def searched(history: HandwrittenHistory, time: str, **findings: tuple[str, str]) -> str:
    """Return the id of a finished search as of a time, by agent's held memory and error."""
    search = NewsSearchRow.objects.create(
        simulation_id=history.id,
        news="Isabella is having a feast",
        as_of_tick=history.tick(time),
        verifier=NewsSearchRow.MODEL,
        state=WorkState.DONE,
        by="isabella",
    )
    for number, (name, (held, parse_error)) in enumerate(findings.items(), start=1):
        slug = {"isabella": ISABELLA, "klaus": KLAUS, "maria": MARIA}[name]
        memory = {"number": history.number_of(slug, held), "description": held} if held else {}
        NewsFindingRow.objects.create(
            search=search,
            number=number,
            agent=slug,
            knows=bool(held),
            considered=[memory] if held else [],
            held=[memory] if held else [],
            parse_error=parse_error,
        )
    return str(search.pk)


class TestNewsByMeaning:
    """Maria heard of the feast in words that no list has."""

    FEAST: ClassVar = {name: FEAST[name] for name in ("place", "from", "to")}

    @pytest.fixture
    def told(self, history: HandwrittenHistory) -> HandwrittenHistory:
        """Return the history in which Maria heard of the lamps, after the feast has begun."""
        history.append("18:30", MARIA, history.remembering(MARIA, LAMPS))
        return history

    def test_is_found_by_the_memories_of_a_search(
        self, isabella: Caller, told: HandwrittenHistory
    ) -> None:
        search = searched(
            told, "19:00", isabella=(HEARD, ""), klaus=("", "no answer"), maria=(LAMPS, "")
        )
        path = f"/simulations/{told.id}/attendance"
        found = isabella.post(path, self.FEAST | {"search": search}).json()
        klaus, maria = found["guests"]
        assert (found["hosts"], found["unverified"]) == ([ISABELLA], [KLAUS])
        assert (klaus["knew"], klaus["memory"], klaus["came_knowing"]) == (False, None, False)
        assert maria["memory"] == told.number_of(MARIA, LAMPS)
        assert maria["knew_from"]["tick"] == told.tick("18:30")
        assert (found["came"], found["came_knowing"]) == (2, 0)

    def test_needs_a_search_of_all_agents_to_the_end(
        self, isabella: Caller, told: HandwrittenHistory
    ) -> None:
        path = f"/simulations/{told.id}/attendance"
        all_agents = {"isabella": (HEARD, ""), "klaus": (HEARD, ""), "maria": (LAMPS, "")}
        early = searched(told, "18:59", **all_agents)
        refused = problem(isabella.post(path, self.FEAST | {"search": early}), 422, INVALID)
        assert f"as of {DAY}T19:00:00 or later" in refused["detail"]
        partial = searched(told, "19:00", klaus=(HEARD, ""))
        refused = problem(isabella.post(path, self.FEAST | {"search": partial}), 422, INVALID)
        assert f"left out {ISABELLA}, {MARIA}" in refused["detail"]
        going_on = searched(told, "19:00", **all_agents)
        NewsSearchRow.objects.filter(pk=going_on).update(state="running")
        response = isabella.post(path, self.FEAST | {"search": going_on})
        problem(response, 409, "news-search-not-finished")
        problem(
            isabella.post(path, self.FEAST | {"search": str(told.id)}),
            404,
            "work-unknown",
        )

    def test_is_given_in_one_way(self, isabella: Caller, told: HandwrittenHistory) -> None:
        path = f"/simulations/{told.id}/attendance"
        search = searched(told, "19:00", klaus=(HEARD, ""))
        for words in ({}, {"search": search, "topic": ["feast"]}):
            problem(isabella.post(path, self.FEAST | words), 422, INVALID)
        asked = isabella.post(path, self.FEAST | {"search": search, "asks": ["feast?"]})
        [error] = problem(asked, 422, INVALID)["errors"]
        assert (error["pointer"], "leave it out" in error["detail"]) == ("/asks", True)


@pytest.mark.parametrize(
    ("change", "status", "code"),
    [
        ({"place": "The Moon"}, 422, "invalid-request"),
        ({"to": FEAST["from"]}, 422, "invalid-request"),
        ({"to": "2024-01-01T00:00"}, 422, "invalid-request"),
        ({"hosts": ["Isabella Rodriguez"]}, 422, "invalid-request"),
        ({"hosts": "isabella-rodriguez"}, 422, "invalid-request"),
        ({"hosts": ["isabel-rodriguez"]}, 404, "agent-unknown"),
    ],
)
def test_of_what_does_not_exist_is_refused(
    isabella: Caller,
    history: HandwrittenHistory,
    change: dict[str, Any],
    status: int,
    code: str,
) -> None:
    found = isabella.post(f"/simulations/{history.id}/attendance", FEAST | change)
    problem(found, status, code)


def _place(caller: Caller, town: str, agent: str, tick: int) -> str:
    """Return the place of an agent as the state of the town shows it."""
    agents = caller.get(f"{town}/state", at=str(tick)).json()["agents"]
    [place] = [one["place"] for one in agents if one["slug"] == agent]
    return str(place).partition(": ")[0]
