"""Old names are accepted and answered beside the new ones, and marked as deprecated."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

from apps.api.http.deprecation import DEPRECATED_ON, HEADERS
from apps.api.openapi.document import schema_document
from tests.acceptance.api.calling import Caller, problem
from tests.support.towns import history_of

PAGE = Path(__file__).parents[3] / "docs" / "reference" / "deprecations.md"
ISABELLA = "/agents/isabella-rodriguez"
REPLACED = re.compile(r"Deprecated: use `(\w+)`\.")
FOUNDING = {"name": "a day", "seed": 7}


def old_names() -> Iterator[tuple[str, str, str]]:
    """Yield component, old name and new name of every deprecated member in the schema."""
    for component, schema in schema_document()["components"]["schemas"].items():
        for name, member in schema.get("properties", {}).items():
            words = member.get("description", "")
            assert bool(member.get("deprecated")) == words.startswith("Deprecated"), name
            if member.get("deprecated"):
                yield component, name, REPLACED.fullmatch(words)[1]  # type: ignore[index]


def documents(value: Any) -> Iterator[dict[str, Any]]:
    """Yield every object in a document."""
    if isinstance(value, dict):
        yield value
    below = value.values() if isinstance(value, dict) else value
    for each in below if isinstance(value, dict | list) else ():
        yield from documents(each)


class TestSchema:
    def test_names_what_replaces_every_old_name(self) -> None:
        schemas = schema_document()["components"]["schemas"]
        found = list(old_names())
        assert ("Talk", "words", "utterance_count") in found
        assert ("FoundSimulationRequest", "people", "agents") in found
        for component, old, new in found:
            members = schemas[component]["properties"]
            assert "deprecated" not in members[new], (component, new)
            assert members[old].get("type") == members[new].get("type"), (component, old)

    def test_is_what_the_page_of_deprecations_lists(self) -> None:
        listed = {
            (component, old, new)
            for components, old, new in re.findall(
                r"^\| (`.+`) \| `(\w+)` \| `(\w+)`", PAGE.read_text("utf-8"), re.MULTILINE
            )
            for component in re.findall(r"`(\w+)`", components)
        }
        assert listed == set(old_names()), f"write {PAGE.name} anew from the schema"

    def test_has_ticks_beside_game_times(self) -> None:
        # `created_at` of the Simulation and others are old names, of real times at that.
        for name, schema in schema_document()["components"]["schemas"].items():
            members = schema.get("properties", {})
            for member, described in members.items():
                is_game_time = "T" in described.get("pattern", "")
                if is_game_time and not described.get("deprecated"):
                    assert member == "time" or member.endswith("_at"), (name, member)
                    tick = "tick" if member == "time" else member.replace("_at", "_tick")
                    assert tick in members or name == "WorldSummary", (name, member)
                if described.get("format") == "date-time" and not described.get("deprecated"):
                    assert member.endswith(("recorded_at", "_since")), (name, member)


class TestAnswers:
    @pytest.mark.parametrize(
        "path",
        [
            "",
            "/state",
            "/settings",
            "/agents/isabella-rodriguez",
            f"{ISABELLA}/summary",
            f"{ISABELLA}/known-places",
            f"{ISABELLA}/timeline",
            f"{ISABELLA}/plan",
            "/members",
            "/relationships",
            "/costs/estimate",
            "/worlds",
        ],
    )
    def test_have_the_old_names_beside_the_new_ones(
        self, town: str, isabella: Caller, path: str
    ) -> None:
        answer = isabella.get(path if path == "/worlds" else f"{town}{path}")
        assert "Deprecation" not in answer
        compared = 0
        replaced: dict[str, set[str]] = {}
        for _, old, new in old_names():
            replaced.setdefault(old, set()).add(new)
        for document in documents(answer.json()):
            for old in replaced.keys() & document.keys():
                # Which of them it is depends on the component.
                values = [document[new] for new in replaced[old] & document.keys()]
                compared += bool(values)
                assert not values or document[old] in values, (path, old)
        assert compared

    def test_name_moments_as_game_time_and_as_tick(self, town: str, isabella: Caller) -> None:
        for path in ("/state", f"{ISABELLA}/timeline", f"{ISABELLA}/plan", "/relationships"):
            compared = 0
            for document in documents(isabella.get(f"{town}{path}").json()):
                for name in [each for each in document if each.endswith("_tick")]:
                    time = document[name.replace("_tick", "_at")]
                    compared += 1
                    assert (time is None) == (document[name] is None)
                    if time is not None:
                        seconds = document[name] * 10
                        hours, rest = divmod(seconds, 3_600)
                        shown = f"T{hours % 24:02d}:{rest // 60:02d}:{rest % 60:02d}"
                        assert time.endswith(shown), (path, name)
            assert compared, path


class TestAgentsOfNewSimulation:
    @pytest.mark.parametrize("name", ["agents", "people"])
    def test_are_named_by_either_name(self, isabella: Caller, name: str) -> None:
        made = isabella.post("/simulations", FOUNDING | {name: ["Klaus Mueller"]})
        assert made.status_code == 201, made.content
        assert made.headers.get("Deprecation") == (
            HEADERS["Deprecation"] if name == "people" else None
        )
        assert ('rel="deprecation"' in made.headers.get("Link", "")) == (name == "people")
        agents = isabella.everything(f"/simulations/{made.json()['id']}/agents")
        assert [agent["slug"] for agent in agents] == ["klaus-mueller"]

    def test_are_named_by_one_of_the_names(self, isabella: Caller) -> None:
        response = isabella.post("/simulations", FOUNDING | {"agents": 1, "people": 1})
        [error] = problem(response, 422, "invalid-request")["errors"]
        assert (error["pointer"], error["code"]) == ("/people", "given-twice")

    def test_make_the_same_history_under_both_names(self, isabella: Caller) -> None:
        made = [
            isabella.post("/simulations", FOUNDING | {name: 2}).json()["id"]
            for name in ("agents", "people")
        ]
        assert len({history_of(UUID(each)) for each in made}) == 1

    def test_were_deprecated_on_a_day(self) -> None:
        assert HEADERS["Deprecation"] == f"@{int(DEPRECATED_ON.timestamp())}"


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
        made = isabella.post("/simulations", FOUNDING | {"agents": 1})
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


class TestAccepted:
    def test_says_where_to_look(self, town: str, isabella: Caller) -> None:
        told = isabella.post(f"{town}{ISABELLA}/inner-voice", {"text": "You like tea"})
        assert told["Location"] == told.json()["status_url"]
        assert (
            isabella.client.get(told["Location"], headers=isabella.headers).json()["command"]
            == told.json()["command"]
        )
        address = f"http://testserver/api/v1{town}"
        for what in ("run", "pause"):
            response = isabella.post(f"{town}/{what}", {})
            assert (response.status_code, response["Location"]) == (202, address)
