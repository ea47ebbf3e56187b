"""The attendance of a gathering over HTTP, in a history that is written by hand."""

from typing import Any

import pytest
from django.contrib.auth.models import User

from apps.memory.events import MemoryOrigin
from apps.simulation.models import SimulationRow
from tests.acceptance.api.calling import Caller, problem
from tests.support.handwritten import DAY, HandwrittenHistory
from tests.support.towns import THREE

pytestmark = pytest.mark.django_db

ISABELLA, KLAUS, MARIA = "isabella-rodriguez", "klaus-mueller", "maria-lopez"
CAFE = "Hobbs Cafe: cafe"
HEARD = "Isabella gives a lantern feast"
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
        owner=User.objects.get(username="isabella"), settled_tick=history.tick("20:00")
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
