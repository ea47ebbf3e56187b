"""Over HTTP: what users tell people, and do to things, changes lives (U1, U2, U3, U6)."""

import re
from urllib.parse import urlsplit

import pytest
from django.contrib.auth.models import User
from kombu.transport.memory import Channel

from apps import wiring
from apps.eventlog.rebuild import check
from apps.interaction.models import InterviewRow
from apps.llm.calls.budget import Budget
from apps.simulation.engine import lifecycle
from apps.simulation.engine.in_process import RunOptions, run_until_rest
from apps.simulation.models import SimulationRow
from apps.work.kinds import CARRY_OUT_WORK
from apps.worker import tasks
from tests.acceptance.api.calling import Caller, problem
from tests.support.snapshots import simulated
from tests.support.towns import found, live

pytestmark = pytest.mark.django_db(transaction=True)

LINS = ("John Lin", "Mei Lin", "Eddy Lin")
STOVE = "Isabella Rodriguez's apartment: kitchen: stove"
ASKED = {"question": "Is there a Valentine's Day party?", "persona": "a reporter"}


def path_of(address: str) -> str:
    return urlsplit(address).path.removeprefix("/api/v1")


def town_of(agents: tuple[str, ...], until: str, owner: str = "isabella") -> SimulationRow:
    row = simulated(until, agents=agents)
    row.owner = User.objects.get(username=owner)
    row.save(update_fields=["owner"])
    return row


@pytest.fixture
def morning(isabella: Caller) -> SimulationRow:
    """Return a town that may be told things."""
    return town_of(("Isabella Rodriguez", "Klaus Mueller"), "2023-02-13T06:20")


class TestAnInterview:
    def test_answers_at_once_when_that_is_preferred_and_a_worker_does_the_rest(
        self, isabella: Caller, morning: SimulationRow
    ) -> None:
        path = f"/simulations/{morning.pk}/agents/isabella-rodriguez/interviews"
        response = isabella.client.post(
            f"/api/v1{path}",
            ASKED,
            content_type="application/json",
            headers=isabella.headers | {"Prefer": "respond-async"},
        )
        assert response.status_code == 202
        assert response["Preference-Applied"] == "respond-async"
        pending = response.json()
        assert (pending["state"], pending["answer"]) == ("pending", None)
        sent = [queue for queue in Channel.queues.values() if queue.qsize()]
        assert CARRY_OUT_WORK in str(sent[0].get())
        # Delivered twice, it is answered once.
        for _ in range(2):
            tasks.carry_out_work.run(kind="interview", work_id=pending["id"])
        done = isabella.get(path_of(pending["status_url"])).json()
        assert (done["state"], done["answer"][:4]) == ("done", "Yes.")
        assert len(done["model_calls"]) == 1

    def test_that_nobody_answers_is_found_by_the_beat(
        self, isabella: Caller, morning: SimulationRow
    ) -> None:
        row = InterviewRow.objects.create(
            simulation_id=morning.pk,
            number=10_000,
            agent="klaus-mueller",
            persona="a reporter",
            question="Who are you?",
            conditions="full",
            as_of_tick=10,
            by="isabella",
            answered_by=InterviewRow.Answerer.WORKER,
        )
        tasks.look_around.run()
        sent = [str(queue.get()) for queue in Channel.queues.values() if queue.qsize()]
        assert any(str(row.pk) in message for message in sent)

    def test_to_remember_becomes_a_memory_of_the_persona(
        self, isabella: Caller, morning: SimulationRow
    ) -> None:
        town = f"/simulations/{morning.pk}"
        path = f"{town}/agents/isabella-rodriguez/interviews"
        asked = ASKED | {"remember": True, "reason": "to come back tomorrow"}
        interview = isabella.post(path, asked).json()
        assert interview["remembered"] is True
        assert interview["command"]["kind"] == "remember-interview"
        live(morning, "2023-02-13T06:30")
        done = isabella.get(path_of(interview["command"]["status_url"])).json()
        assert (done["state"], done["reason"]) == ("done", "to come back tomorrow")
        memories = isabella.everything(
            f"{town}/agents/isabella-rodriguez/memories", kind="dialogue"
        )
        [kept] = [one for one in memories if one["subject"] == "persona: a reporter"]
        assert ASKED["question"] in kept["description"]
        assert interview["answer"] in kept["description"]
        [event] = isabella.everything(f"{town}/events", type="simulation.interview-given.v1")
        assert event["model_calls"] == interview["model_calls"]
        # The next interview by the same persona knows of it; another persona's does not.
        again = isabella.post(
            path, {"question": "Who are you?", "persona": "a reporter"}
        ).json()
        call = isabella.get(f"{town}/model-calls/{again['model_calls'][0]}").json()
        assert "A reporter said to Isabella Rodriguez" in call["messages"][-1]["content"]
        assert check(wiring.event_store(), morning.pk).problems == ()

    def test_is_deleted_with_its_simulation(
        self, isabella: Caller, morning: SimulationRow
    ) -> None:
        isabella.post(f"/simulations/{morning.pk}/agents/klaus-mueller/interviews", ASKED)
        assert InterviewRow.objects.filter(simulation_id=morning.pk).exists()
        lifecycle.delete_simulation(wiring.ports(), morning.pk)
        assert not InterviewRow.objects.filter(simulation_id=morning.pk).exists()

    def test_counts_in_the_budget(self, isabella: Caller, morning: SimulationRow) -> None:
        lifecycle.change_budget(morning.pk, Budget(tokens=1))
        path = f"/simulations/{morning.pk}/agents/klaus-mueller/interviews"
        problem(isabella.post(path, ASKED), 409, "budget-spent")
        [row] = InterviewRow.objects.filter(simulation_id=morning.pk)
        assert (row.state, row.problem_code) == ("failed", "budget-spent")


class TestAnInnerVoice:
    def test_changes_a_life(self, isabella: Caller) -> None:
        row = town_of(LINS, "2023-02-13T06:40")
        town = f"/simulations/{row.pk}"
        response = isabella.post(
            f"{town}/agents/john-lin/inner-voice",
            {
                "text": "You are going to run for mayor in the upcoming election",
                "at": "2023-02-13T06:50",
                "reason": "to see who hears of it",
            },
        )
        assert response.status_code == 202
        command = response.json()
        assert (command["kind"], command["agent"]) == ("inner-voice", "john-lin")
        before = isabella.get(f"{town}/agents/john-lin/plan").json()
        live(row, "2023-02-13T08:00")
        done = isabella.get(path_of(command["status_url"])).json()
        assert (done["state"], done["effective_tick"]) == ("done", 2_460)
        after = isabella.get(f"{town}/agents/john-lin/plan").json()
        assert "run for mayor" not in str(before)
        assert "run for mayor" in str(after)
        heard = isabella.everything(f"{town}/agents/mei-lin/memories", kind="dialogue")
        told = [one["description"] for one in heard if "run for mayor" in one["description"]]
        assert told
        assert any(text.startswith("John Lin told Mei Lin that") for text in told)
        # Asked by a reporter, he and his wife know.
        asked = {"question": "Who is running for mayor?", "persona": "a reporter"}
        for agent, words in (("john-lin", "I'm going to run"), ("mei-lin", "John Lin")):
            answer = isabella.post(f"{town}/agents/{agent}/interviews", asked).json()["answer"]
            assert words in answer


class TestAnObservation:
    def test_is_perceived(self, isabella: Caller, morning: SimulationRow) -> None:
        town = f"/simulations/{morning.pk}"
        response = isabella.post(
            f"{town}/agents/isabella-rodriguez/observations",
            {"text": "the toaster is on fire"},
        )
        assert response.status_code == 202
        live(morning, "2023-02-13T06:40")
        memories = isabella.everything(f"{town}/agents/isabella-rodriguez/memories")
        assert "the toaster is on fire" in {one["description"] for one in memories}
        state = isabella.get(path_of(response.json()["status_url"])).json()["state"]
        assert state == "done"
        assert "put out the fire at the toaster" in str(
            isabella.get(f"{town}/agents/isabella-rodriguez/plan").json()
        )


class TestAnObjectsState:
    @pytest.mark.parametrize(
        "body",
        [
            {"object": STOVE, "state": "burning"},
            {"object": "Isabella's apartment: stove", "state": "burning"},
            {"text": f"<{STOVE}> is burning"},
            {"text": "<Isabella's apartment: kitchen: stove>'s burning."},
            {"text": "Isabella's apartment: kitchen: stove is now burning"},
        ],
    )
    def test_is_set_in_any_of_its_forms(
        self, isabella: Caller, morning: SimulationRow, body: dict[str, str]
    ) -> None:
        town = f"/simulations/{morning.pk}"
        response = isabella.post(f"{town}/objects/state", body)
        assert response.status_code == 202, response.content
        run_until_rest(wiring.ports(), morning.pk, RunOptions())
        done = isabella.get(path_of(response.json()["status_url"])).json()
        assert done["state"] == "done"
        live(morning, "2023-02-13T06:21")
        [event] = isabella.everything(f"{town}/events", type="agents.object-state-set.v1")
        assert (event["data"]["object"], event["data"]["state"]) == (STOVE, "burning")

    def test_changes_the_plan_of_whoever_sees_it(
        self, isabella: Caller, morning: SimulationRow
    ) -> None:
        town = f"/simulations/{morning.pk}"
        plan = f"{town}/agents/isabella-rodriguez/plan"
        seen_to = re.compile("put out the fire at the stove|turn off the stove and make")
        assert not seen_to.search(str(isabella.get(plan).json()))
        isabella.post(f"{town}/objects/state", {"text": f"<{STOVE}> is on fire"})
        live(morning, "2023-02-13T07:30")
        assert seen_to.search(str(isabella.get(plan).json()))

    def test_of_what_is_not_clear_is_refused_with_candidates(
        self, isabella: Caller, morning: SimulationRow
    ) -> None:
        path = f"/simulations/{morning.pk}/objects/state"
        ambiguous = isabella.post(path, {"text": "the stove is burning"})
        assert (ambiguous.status_code, ambiguous.json()["code"]) == (422, "ambiguous-place")
        assert STOVE in ambiguous.json()["candidates"]
        unknown = isabella.post(path, {"object": "Hobbs Cafee", "state": "closed"})
        assert (unknown.status_code, unknown.json()["code"]) == (422, "unknown-place")
        assert "Hobbs Cafe" in unknown.json()["candidates"]

    @pytest.mark.parametrize(
        ("body", "code"),
        [
            ({}, "invalid-request"),
            ({"object": STOVE}, "invalid-request"),
            ({"object": STOVE, "state": "x", "text": "y is z"}, "invalid-request"),
            ({"text": "nothing said"}, "unusable-state"),
            ({"text": f"<{STOVE}>"}, "unusable-state"),
            ({"object": "Hobbs Cafe", "state": "burning"}, "unusable-state"),
        ],
    )
    def test_is_refused_with_the_mend(
        self, isabella: Caller, body: dict[str, str], code: str
    ) -> None:
        row = found(agents=LINS[:1])
        SimulationRow.objects.filter(pk=row.pk).update(
            owner=User.objects.get(username="isabella")
        )
        path = f"/simulations/{row.pk}/objects/state"
        problem(isabella.post(path, body), 422, code)
