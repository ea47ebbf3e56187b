"""A visit as a user has it: a web process, a worker at a pace, and HTTP between (U4)."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from django.contrib.auth.models import User

from apps import wiring
from apps.access.commands import issue_token
from apps.eventlog.rebuild import check
from apps.simulation.models import SimulationRow
from tests.support.processes import wait_until
from tests.support.serving import Service, served
from tests.support.snapshots import simulated

pytestmark = pytest.mark.django_db(transaction=True)

LIVES_SECONDS = 90.0
ISABELLA = "isabella-rodriguez"


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    """Serve on the test's own database, with a worker and the beat."""
    token = issue_token(User.objects.create_user("isabella"), "a test")
    with served(tmp_path, token) as service:
        service.processes.start_worker("one")
        service.processes.start_scheduler()
        yield service


def waiting(
    service: Service, what: Callable[[], bool], *, told: Callable[[], str] = lambda: ""
) -> None:
    """Wait for it; a failure shows what is told and the ends of the logs."""

    def failure() -> str:
        processes = service.processes
        logs = (processes.log_of(name)[-3_000:] for name in processes.running)
        return "\n".join([told(), *logs])

    wait_until(what, seconds=LIVES_SECONDS, told=failure)


def shown(service: Service, address: str) -> dict[str, Any]:
    document: dict[str, Any] = service.ask("GET", address)[1]
    return document


def outcome(service: Service, embodiment: str, action: dict[str, Any]) -> str:
    """Have the person do something, and wait for what comes of it."""
    response, command = service.ask("POST", f"{embodiment}/actions", action)
    assert response.status == 202, command
    status = command["status_url"].partition(str(service.port))[2]
    waiting(service, lambda: shown(service, status)["state"] in {"done", "refused"})
    return f"{shown(service, status)['state']}{shown(service, status)['refusal']}"


def awaits_answer(service: Service, embodiment: str) -> bool:
    talk = shown(service, embodiment)["standing"]["conversation"]
    return bool(talk and talk["awaits_answer"])


def begin_talk(service: Service, town: str, ada: str) -> None:
    """Speak to Isabella until she waits for Ada's answer.

    The town runs meanwhile: Isabella may have greeted Ada first, and then may part from her
    after Ada's first words. Ada speaks to her again.
    """

    def has_answered() -> bool:
        talk = shown(service, ada)["standing"]["conversation"]
        return talk is None or talk["utterances"][-1]["agent"] == ISABELLA

    def utterances() -> str:
        return str(shown(service, f"{town}/events?type=dialogue.said.v1")["results"])

    def awaits_after_words() -> bool:
        hello = {"say": {"text": "Good morning! I am Ada.", "to": ISABELLA}}
        assert outcome(service, ada, hello) == "done"
        waiting(service, has_answered, told=utterances)
        return awaits_answer(service, ada)

    waiting(service, awaits_after_words, told=utterances)


@pytest.fixture
def town(service: Service) -> str:
    """Let a town of two run at the paper's pace from nine in the morning on."""
    row = simulated("2023-02-13T09:00", agents=("Isabella Rodriguez", "Klaus Mueller"))
    owner = User.objects.get(username="isabella")
    SimulationRow.objects.filter(pk=row.pk).update(owner=owner)
    town = f"/api/v1/simulations/{row.pk}"
    assert service.ask("POST", f"{town}/run", {"pace": 60})[0].status == 202
    return town


@pytest.fixture
def ada(service: Service, town: str) -> str:
    """Let a visitor walk into the cafe, to the counter."""
    visitor = {"name": "Ada Finch", "place": "Hobbs Cafe"}
    response, begun = service.ask("POST", f"{town}/visitors", visitor)
    assert response.status == 202, begun
    ada = f"{town}/embodiments/{begun['id']}"
    waiting(service, lambda: bool(shown(service, ada)["state"] == "open"))
    assert outcome(service, ada, {"move": {"to": "Hobbs Cafe: behind the counter"}}) == "done"
    return ada


def test_a_talk_outlives_a_killed_worker_and_a_pause(
    service: Service, town: str, ada: str
) -> None:
    # The worker is killed; another one goes on with the talk.
    service.processes.kill("one")
    service.processes.start_worker("two")
    begin_talk(service, town, ada)
    # The simulation is paused while the user thinks; then it goes on, and Ada says goodbye.
    assert service.ask("POST", f"{town}/pause")[0].status == 202
    waiting(service, lambda: bool(shown(service, town)["status"] == "paused"))
    assert service.ask("POST", f"{town}/run")[1]["code"] == "pace-needed"
    # Isabella waits for two game minutes: at a slow pace long enough on a slow machine.
    assert service.ask("POST", f"{town}/run", {"pace": 10})[0].status == 202
    assert (
        outcome(service, ada, {"say": {"text": "Goodbye!", "to": ISABELLA, "ends": True}})
        == "done"
    )
    assert service.ask("DELETE", ada)[0].status == 202
    waiting(service, lambda: bool(shown(service, ada)["state"] == "ended"))
    said = shown(service, f"{town}/events?type=dialogue.said.v1")["results"]
    assert {event["stream"] for event in said} >= {"ada-finch", ISABELLA}
    assert "Goodbye!" in [event["data"]["text"] for event in said]
    assert service.ask("POST", f"{town}/pause")[0].status == 202
    waiting(service, lambda: bool(shown(service, town)["status"] == "paused"))
    simulation_id = UUID(town.rpartition("/")[2])
    assert check(wiring.event_store(), simulation_id).problems == ()
