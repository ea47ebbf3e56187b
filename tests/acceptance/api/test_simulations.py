"""A town is founded, run, paused and deleted over HTTP."""

from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest
from django.utils import timezone
from pytest_django import Settings

from apps.llm.prices import FREE
from apps.llm.servers.configuration import Server
from apps.simulation.models import SimulationRow, Status
from apps.simulation.settings import PRESETS
from tests.acceptance.api.calling import Caller, problem
from tests.support.towns import history_of

SMALL = {"name": "a town", "world": "smallville", "seed": 7, "agents": 2}


def created(caller: Caller, **changed: Any) -> str:
    response = caller.post("/simulations", SMALL | changed)
    assert response.status_code == 201, response.content
    return f"/simulations/{response.json()['id']}"


class TestCreate:
    def test_founds_a_town_that_sleeps(self, isabella: Caller) -> None:
        response = isabella.post("/simulations", SMALL)
        assert response.status_code == 201
        town = response.json()
        assert response["Location"] == f"http://testserver/api/v1/simulations/{town['id']}"
        assert town | {"id": "", "recorded_at": "", "model": {}} == {
            "id": "",
            "name": "a town",
            "role": "owner",
            "parent": None,
            "experiment": None,
            "world": "smallville",
            "seed": 7,
            "model": {},
            "status": "paused",
            "reason": "created; not yet run",
            "preparation": {"agents": 2, "ready": 2},
            "clock": {"tick": 0, "time": "2023-02-13T00:00:00"},
            "pace": None,
            "lag_seconds": 0.0,
            "thinking": [],
            "calls_reused": 0,
            "answering_models": town["answering_models"],
            "calls": 4,  # for each agent, its facts and the importance of its memories
            "tokens": town["tokens"],
            "cost": 0.0,
            "budget": None,
            "end_at": None,
            "end_tick": None,
            "recorded_at": "",
        }
        assert town["model"]["server"] == "offline"
        assert [one["calls"] for one in town["answering_models"]] == [4]
        assert isabella.get(f"/simulations/{town['id']}").json() == town

    def test_needs_only_a_name(self, isabella: Caller) -> None:
        response = isabella.post("/simulations", {"name": "a town"})
        assert response.status_code == 201
        assert response.json()["world"] == "smallville"

    def test_takes_people_by_name_and_settings(self, isabella: Caller) -> None:
        town = created(
            isabella, agents=["klaus-mueller", "Maria Lopez"], settings={"vision": 4}
        )
        slugs = [person["slug"] for person in isabella.everything(f"{town}/agents")]
        assert slugs == ["klaus-mueller", "maria-lopez"]
        assert isabella.get(f"{town}/settings").json()["vision"] == 4

    def test_takes_a_preset_and_settings_that_win_over_it(self, isabella: Caller) -> None:
        town = created(isabella, settings={"preset": "economy", "retrieval_tokens": 900})
        shown = isabella.get(f"{town}/settings").json()
        expected = {**PRESETS["economy"], "preset": "economy", "retrieval_tokens": 900}
        assert {name: shown[name] for name in expected} == expected

    def test_keeps_every_letter_of_a_name(self, isabella: Caller) -> None:
        name = "Café «¿» 🏘️ مدينة'; DROP TABLE --<b>"
        town = created(isabella, name=name)
        assert isabella.get(town).json()["name"] == name


class TestSettings:
    def test_are_those_of_the_founding(self, isabella: Caller) -> None:
        settings = isabella.get(f"{created(isabella)}/settings").json()
        assert (settings["preset"], settings["reuse_hours"]) == ("standard", "days")
        assert settings["tick_seconds"] == 10
        assert settings["seed"] == 7
        assert settings["start_at"] == "2023-02-13T00:00:00"
        assert settings["embedding_dimensions"] == 384


class TestList:
    def test_shows_the_newest_first_in_pages(self, isabella: Caller) -> None:
        for number in range(5):
            created(isabella, name=f"town {number}")
        towns = isabella.everything("/simulations", limit=2)
        assert [town["name"] for town in towns] == [f"town {n}" for n in range(4, -1, -1)]

    def test_says_where_the_next_page_is(self, isabella: Caller) -> None:
        for _ in range(2):
            created(isabella)
        page = isabella.get("/simulations", limit=1).json()
        assert page["next"].startswith("http://testserver/api/v1/simulations?")
        assert isabella.get("/simulations", limit=2).json()["next"] is None

    def test_asks_the_database_as_often_for_many_as_for_one(
        self, isabella: Caller, django_assert_num_queries: Any
    ) -> None:
        for _ in range(3):
            created(isabella)
        isabella.get("/simulations")
        with django_assert_num_queries(11):
            assert len(isabella.get("/simulations").json()["results"]) == 3


class TestPreparation:
    """A remote model is not waited for: nobody answers at the address of this one."""

    @pytest.fixture
    def preparing(self, isabella: Caller, settings: Any) -> str:
        server = Server(name="openai", base_url="http://127.0.0.1:9/v1", chat_model="a-model")
        settings.MODEL_SERVERS = {"openai": server}
        return created(isabella, model="openai")

    def test_is_shown(self, isabella: Caller, preparing: str) -> None:
        simulation = isabella.get(preparing).json()
        assert simulation["status"] == "paused"
        assert simulation["preparation"] == {"agents": 2, "ready": 0}

    @pytest.mark.parametrize(
        ("question", "body"),
        [
            ("retrievals", {"query": "the party"}),
            ("interviews", {"question": "Who are you?"}),
        ],
    )
    def test_refuses_questions_to_an_agent_without_memories(
        self, isabella: Caller, preparing: str, question: str, body: dict[str, Any]
    ) -> None:
        agent = isabella.get(f"{preparing}/agents").json()["results"][0]["slug"]
        response = isabella.post(f"{preparing}/agents/{agent}/{question}", body)
        refused = problem(response, 409, "simulation-preparing")
        assert "0 of 2 agents are ready" in refused["detail"]


class TestRun:
    def test_asks_for_an_end(self, isabella: Caller) -> None:
        town = created(isabella)
        response = isabella.post(f"{town}/run", {"until": "2023-02-13T06:55:00"})
        assert response.status_code == 202
        running = response.json()
        assert running["status"] == "running"
        assert running["end_at"] == "2023-02-13T06:55:00"

    def test_is_refused_beyond_what_an_owner_may_run_at_once(
        self, isabella: Caller, klaus: Caller, settings: Settings
    ) -> None:
        settings.SIMULATIONS_RUNNING_PER_USER_MAX = 1
        first, second = created(isabella), created(isabella)
        assert isabella.post(f"{first}/run", {"pace": 60}).status_code == 202
        refused = isabella.post(f"{second}/run", {"pace": 60})
        assert refused.status_code == 409
        problem = refused.json()
        assert problem["code"] == "too-many-running"
        assert "1 simulations of this owner are running" in problem["detail"]
        # A collaborator may not see the other simulations of the owner.
        assert first.rpartition("/")[2] not in problem["detail"]
        # What runs already may run faster, and another user has a limit of their own.
        assert isabella.post(f"{first}/run", {"pace": 600}).status_code == 202
        assert klaus.post(f"{created(klaus)}/run", {"pace": 60}).status_code == 202
        assert isabella.post(f"{first}/pause").status_code == 202
        SimulationRow.objects.update(status=Status.PAUSED)
        assert isabella.post(f"{second}/run", {"pace": 60}).status_code == 202

    @pytest.mark.parametrize(
        ("asked", "until", "pace"),
        [
            ({}, None, None),
            (None, None, None),
            ({"ticks": 6}, "2023-02-13T00:01:00", None),
            ({"until": 12}, "2023-02-13T00:02:00", None),
            ({"until": "12"}, "2023-02-13T00:02:00", None),
            ({"until": "2023-02-13T00:02"}, "2023-02-13T00:02:00", None),
            ({"until": "2023-02-13 00:01:55"}, "2023-02-13T00:02:00", None),
            ({"ticks": 6, "until": 12}, "2023-02-13T00:01:00", None),
            ({"pace": 60}, None, 60.0),
            ({"pace": None, "until": None, "ticks": None}, None, None),
        ],
    )
    def test_understands(
        self, isabella: Caller, asked: Any, until: str | None, pace: float | None
    ) -> None:
        running = isabella.post(f"{created(isabella)}/run", asked).json()
        assert running["end_at"] == until
        assert running["pace"] == pace

    def test_keeps_what_a_later_run_does_not_name(self, isabella: Caller) -> None:
        town = created(isabella)
        isabella.post(f"{town}/run", {"ticks": 600, "pace": 10})

        def asked(body: dict[str, Any]) -> tuple[str | None, float | None]:
            shown = isabella.post(f"{town}/run", body).json()
            return shown["end_at"], shown["pace"]

        end = "2023-02-13T01:40:00"
        assert asked({}) == (end, 10)
        assert asked({"pace": 20}) == (end, 20)
        assert asked({"ticks": 60}) == ("2023-02-13T00:10:00", 20)
        assert asked({"until": end}) == (end, 20)
        assert asked({"pace": None}) == (end, None)
        assert asked({"until": None}) == (None, None)

    def test_refuses_an_end_that_is_past(self, isabella: Caller) -> None:
        response = isabella.post(f"{created(isabella)}/run", {"until": 0})
        assert "later" in problem(response, 409, "cannot-run")["detail"]


class TestPause:
    def test_comes_to_rest(self, isabella: Caller) -> None:
        town = created(isabella)
        isabella.post(f"{town}/run", {})
        response = isabella.post(f"{town}/pause", {"reason": "lunch"})
        assert response.status_code == 202
        assert response.json()["status"] == "pausing"
        assert response.json()["reason"] == "lunch"

    def test_needs_no_body_and_no_running_town(self, isabella: Caller) -> None:
        response = isabella.post(f"{created(isabella)}/pause")
        assert response.status_code == 202
        assert response.json()["status"] == "paused"


class TestDelete:
    def test_leaves_nothing(self, isabella: Caller) -> None:
        town = created(isabella)
        response = isabella.delete(town)
        assert response.status_code == 204
        assert response.content == b""
        problem(isabella.get(town), 404, "simulation-unknown")
        assert isabella.everything("/simulations") == []

    def test_is_refused_while_it_is_at_work(self, isabella: Caller) -> None:
        town = created(isabella)
        isabella.post(f"{town}/run", {})
        problem(isabella.delete(town), 409, "still-running")
        lease = timezone.now() + timedelta(minutes=1)
        SimulationRow.objects.filter(pk=UUID(town.rpartition("/")[2])).update(
            status=Status.PAUSED, lease_until=lease
        )
        problem(isabella.delete(town), 409, "still-running")


OWN_SERVER = Server(name="own", base_url="http://127.0.0.1:1/v1", chat_model="llama")


class TestBudget:
    def test_is_none_unless_it_is_asked_for(self, isabella: Caller) -> None:
        assert isabella.get(created(isabella)).json()["budget"] is None

    def test_is_set_at_founding(self, isabella: Caller) -> None:
        town = created(isabella, budget={"tokens": 250_000, "money": 1.5})
        assert isabella.get(town).json()["budget"] == {"tokens": 250_000, "money": 1.5}

    def test_is_changed_and_taken_away_while_the_town_rests(self, isabella: Caller) -> None:
        town = created(isabella, budget={"tokens": 250_000})
        changed = isabella.patch(town, {"budget": {"money": 2}})
        assert changed.status_code == 200
        assert changed.json()["budget"] == {"tokens": None, "money": 2.0}
        assert isabella.patch(town, {"budget": None}).json()["budget"] is None

    def test_is_left_alone_while_the_town_is_at_work(self, isabella: Caller) -> None:
        town = created(isabella)
        isabella.post(f"{town}/run", {})
        problem(isabella.patch(town, {"budget": {"tokens": 5}}), 409, "still-running")

    @pytest.mark.parametrize(
        "budget", [{"tokens": 0}, {"tokens": 1.5}, {"money": -1}, {"euros": 5}, 5]
    )
    def test_is_refused_where_it_is_none(self, isabella: Caller, budget: Any) -> None:
        response = isabella.post("/simulations", SMALL | {"budget": budget})
        problem(response, 422, "invalid-request")

    def test_of_money_is_refused_for_a_model_without_a_price(
        self, isabella: Caller, settings: Settings
    ) -> None:
        settings.MODEL_SERVERS = {"own": OWN_SERVER}
        asked = SMALL | {"model": "own", "budget": {"money": 1}}
        refused = problem(isabella.post("/simulations", asked), 422, "price-unknown")
        assert "no price is known of 'llama'" in refused["detail"]
        assert "MODEL_PRICES" in refused["detail"]
        assert "budget of tokens" in refused["detail"]
        town = created(isabella, model="own", budget={"tokens": 5})
        changed = isabella.patch(town, {"budget": {"tokens": 5, "money": 1}})
        problem(changed, 422, "price-unknown")
        assert isabella.get(town).json()["budget"] == {"tokens": 5, "money": None}
        # A server that costs nothing is priced so.
        settings.MODEL_PRICES = {"own:llama": FREE}
        assert isabella.patch(town, {"budget": {"money": 1}}).status_code == 200

    def test_is_no_part_of_the_history(self, isabella: Caller) -> None:
        histories = {
            history_of(UUID(created(isabella, budget=budget).rpartition("/")[2]))
            for budget in (None, {"tokens": 5})
        }
        assert len(histories) == 1


class TestSeed:
    @pytest.mark.parametrize("inputs", [{}, {"seed": None}])
    def test_is_chosen_at_random_and_recorded(
        self, isabella: Caller, inputs: dict[str, None]
    ) -> None:
        made = [
            isabella.post("/simulations", {"name": "a day", "agents": 1, **inputs}).json()
            for _ in range(2)
        ]
        assert made[0]["seed"] != made[1]["seed"]
        for simulation in made:
            assert 0 <= simulation["seed"] < 2**53
            founded = isabella.get(f"/simulations/{simulation['id']}/settings").json()
            assert founded["seed"] == simulation["seed"]

    def test_is_enough_to_have_the_same_history_again(self, isabella: Caller) -> None:
        first = isabella.post("/simulations", {"name": "a day", "agents": 1}).json()
        body = {"name": "again", "agents": 1, "seed": first["seed"]}
        again = isabella.post("/simulations", body).json()
        assert history_of(UUID(first["id"])) == history_of(UUID(again["id"]))


class TestRename:
    @pytest.fixture
    def simulation(self, isabella: Caller) -> str:
        made = isabella.post("/simulations", SMALL)
        return f"/simulations/{made.json()['id']}"

    def test_changes_the_name_and_nothing_else(self, isabella: Caller, simulation: str) -> None:
        before = isabella.get(simulation).json()
        history = history_of(UUID(before["id"]))
        renamed = isabella.patch(simulation, {"name": "Another day"})
        assert renamed.status_code == 200
        assert renamed.json() == before | {"name": "Another day"}
        assert isabella.patch(simulation, {"name": "Another day"}).json() == renamed.json()
        assert isabella.get(simulation).json() == renamed.json()
        assert history_of(UUID(before["id"])) == history
        assert isabella.everything(f"{simulation}/commands") == []

    def test_is_possible_while_it_runs(self, isabella: Caller, simulation: str) -> None:
        isabella.post(f"{simulation}/run", {"ticks": 600})
        renamed = isabella.patch(simulation, {"name": "Another day"})
        assert (renamed.status_code, renamed.json()["status"]) == (200, "running")
        response = isabella.patch(simulation, {"name": "A third", "budget": None})
        problem(response, 409, "still-running")
        assert isabella.get(simulation).json()["name"] == "Another day"

    def test_heeds_the_version(self, isabella: Caller, simulation: str) -> None:
        etag = isabella.get(simulation)["ETag"]

        def rename(name: str) -> Any:
            return isabella.client.patch(
                f"/api/v1{simulation}",
                {"name": name},
                content_type="application/json",
                headers=isabella.headers | {"If-Match": etag},
            )

        renamed = rename("Another day")
        assert renamed.status_code == 200
        assert renamed["ETag"] != etag
        problem(rename("A third"), 412, "version-passed")

    @pytest.mark.parametrize("name", ["", None, 5, "a" * 121])
    def test_takes_names_as_creation_does(
        self, isabella: Caller, simulation: str, name: Any
    ) -> None:
        response = isabella.patch(simulation, {"name": name})
        [error] = problem(response, 422, "invalid-request")["errors"]
        assert error["pointer"] == "/name"
