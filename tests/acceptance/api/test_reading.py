"""A town's morning, read over HTTP."""

import json
import re
from itertools import pairwise
from typing import Any
from uuid import UUID

import pytest
from pytest_django import DjangoAssertNumQueries

from apps import wiring
from apps.eventlog.models import EventRow
from apps.llm.calls.call_log import CallPlace, CompletedCall
from apps.llm.calls.django_call_log import DjangoCallLog
from apps.llm.port import Message
from apps.llm.usage import Usage
from apps.memory.events import MemoriesRetrieved, RetrievalPurpose
from apps.simulation.models import SimulationRow
from tests.acceptance.api.calling import Caller, problem
from tests.support.snapshots import simulated
from tests.support.towns import shared_fixture

ISABELLA = "/agents/isabella-rodriguez"
GAME_TIME = re.compile(r"2023-02-1[34]T\d\d:\d\d:\d\d")


class TestState:
    def test_holds_what_a_front_end_draws(self, town: str, isabella: Caller) -> None:
        state = isabella.get(f"{town}/state").json()
        assert state["clock"] == {"tick": 2880, "time": "2023-02-13T08:00:00"}
        assert state["status"] == "paused"
        assert state["conversations"] == []
        slugs = [person["slug"] for person in state["agents"]]
        assert slugs == ["isabella-rodriguez", "klaus-mueller", "maria-lopez"]
        assert [person["age"] for person in state["agents"]] == [34, 20, 21]
        for person in state["agents"]:
            assert person["action"]
            assert person["emoji"]
            assert person["talking_with"] is None
            assert GAME_TIME.fullmatch(person["due_at"])

    def test_shows_where_people_are_on_the_map(self, town: str, isabella: Caller) -> None:
        drawn = isabella.get(f"{town}/world/map").json()
        for person in isabella.get(f"{town}/state").json()["agents"]:
            assert 0 <= person["position"]["x"] < drawn["width"]
            assert 0 <= person["position"]["y"] < drawn["height"]

    def test_names_places_as_the_tree_does(self, town: str, isabella: Caller) -> None:
        paths = {node["path"] for node in nodes(isabella.get(f"{town}/world").json())}
        state = isabella.get(f"{town}/state").json()
        for person in state["agents"]:
            assert person["place"] in paths | {"Smallville"}
        for thing in state["objects"]:
            assert thing["path"] in paths

    def test_shows_objects_in_use_with_their_users(self, town: str, isabella: Caller) -> None:
        state = isabella.get(f"{town}/state").json()
        sleeper = next(person for person in state["agents"] if person["asleep"])
        bed = next(thing for thing in state["objects"] if thing["path"] == sleeper["place"])
        assert bed == {
            "path": sleeper["place"],
            "state": "occupied by a sleeper",
            "used_by": [sleeper["slug"]],
        }

    def test_takes_few_queries(
        self, town: str, isabella: Caller, django_assert_max_num_queries: DjangoAssertNumQueries
    ) -> None:
        with django_assert_max_num_queries(10):
            isabella.get(f"{town}/state")


class TestWalk:
    def test_is_shown_step_by_step(
        self, lived: SimulationRow, town: str, isabella: Caller
    ) -> None:
        # Whoever walks at one tick stands a tick later where the path said.
        walks = isabella.everything(f"{town}/events", type="agents.walk-began.v1")
        walk = max(walks, key=lambda event: len(event["data"]["steps"]))
        steps = [{"x": x, "y": y} for x, y in walk["data"]["steps"]]
        for number in range(2):
            commit_up_to(lived, walk["tick"] + number)
            walker = inhabitant(isabella, town, walk["stream"])
            assert walker["position"] == steps[number]
            assert walker["path"] == steps[number + 1 :]
        commit_up_to(lived, walk["tick"] - 1)
        assert inhabitant(isabella, town, walk["stream"])["path"] == []


class TestWorld:
    def test_is_a_tree_of_four_kinds(self, town: str, isabella: Caller) -> None:
        tree = isabella.get(f"{town}/world").json()
        assert (tree["path"], tree["kind"]) == ("", "town")
        by_kind: dict[str, list[Any]] = {}
        for node in nodes(tree):
            by_kind.setdefault(node["kind"], []).append(node)
        assert {place["name"] for place in by_kind["place"]} >= {"Hobbs Cafe", "Johnson Park"}
        assert set(by_kind) == {"town", "place", "area", "object"}
        assert all(node["children"] == [] for node in by_kind["object"])

    def test_tells_norms(self, town: str, isabella: Caller) -> None:
        tree = isabella.get(f"{town}/world").json()
        cafe = next(node for node in nodes(tree) if node["path"] == "Hobbs Cafe")
        assert cafe["norms"]["hours"] == {"opens": "08:00", "closes": "20:00"}
        assert cafe["norms"]["keepers"] == ["Isabella Rodriguez"]

    def test_has_a_map_with_images_that_can_be_had(self, town: str, isabella: Caller) -> None:
        drawn = isabella.get(f"{town}/world/map").json()
        assert drawn["layers"]
        for tileset in drawn["tilesets"]:
            assert "source" not in tileset
            image = isabella.get(f"{town}/world/{tileset['image']}")
            assert image.status_code == 200
            assert image["Content-Type"] == "image/png"
            assert image.content.startswith(b"\x89PNG")

    def test_is_listed_among_the_worlds(self, isabella: Caller) -> None:
        worlds = {world["name"]: world for world in isabella.everything("/worlds")}
        smallville = worlds["smallville"]
        assert smallville["title"] == "Smallville"
        assert smallville["start_at"] == "2023-02-13T00:00:00"
        assert "Isabella Rodriguez" in smallville["agents"]
        assert smallville["problem"] is None


class TestAgents:
    def test_are_listed_in_pages(self, town: str, isabella: Caller) -> None:
        agents = isabella.everything(f"{town}/agents", limit=1)
        assert [person["name"] for person in agents] == [
            "Isabella Rodriguez",
            "Klaus Mueller",
            "Maria Lopez",
        ]

    def test_tell_who_they_are_and_what_they_do(self, town: str, isabella: Caller) -> None:
        person = isabella.get(f"{town}{ISABELLA}").json()
        assert person["age"] == 34
        assert person["workplace"].startswith("Hobbs Cafe")
        assert person["hours"]["wake"] == "06:00"
        assert person["clock"]["time"] == "2023-02-13T08:00:00"
        action = person["current_action"]
        assert action["description"] == person["action"]
        assert action["start_at"] <= "2023-02-13T08:00:00" < action["due_at"]
        event = isabella.get(f"{town}/events/{action['event']}").json()
        assert event["data"]["description"] == action["description"]

    def test_have_a_summary_once_they_have_woken(self, town: str, isabella: Caller) -> None:
        awake = isabella.get(f"{town}{ISABELLA}/summary").json()
        assert awake["core"]
        assert awake["core"] in awake["text"]
        assert awake["updated_at"] == "2023-02-13T06:00:00"
        asleep = isabella.get(f"{town}/agents/maria-lopez/summary").json()
        assert asleep["name"] == "Maria Lopez"
        assert asleep["text"] is None

    def test_know_their_home(self, town: str, isabella: Caller) -> None:
        person = isabella.get(f"{town}{ISABELLA}").json()
        known = isabella.everything(f"{town}{ISABELLA}/known-places", limit=7)
        paths = [place["path"] for place in known]
        assert paths == sorted(paths)
        assert {person["home"], person["bed"]} <= set(paths)
        kinds = {place["path"]: place["kind"] for place in known}
        assert (kinds[person["home"]], kinds[person["bed"]]) == ("area", "object")

    def test_have_a_timeline_without_gaps(self, town: str, isabella: Caller) -> None:
        timeline = isabella.everything(f"{town}{ISABELLA}/timeline", limit=5)
        assert timeline[0]["start_at"] == "2023-02-13T00:00:00"
        for before, after in pairwise(timeline):
            assert before["end_at"] == after["start_at"]
        assert timeline[-1]["end_at"] is None

    def test_have_a_timeline_of_any_span(self, town: str, isabella: Caller) -> None:
        query = {"from": "2023-02-13T06:30:00", "to": "2023-02-13T07:00:00"}
        timeline = isabella.everything(f"{town}{ISABELLA}/timeline", **query)
        assert timeline[0]["start_at"] <= query["from"] < timeline[0]["end_at"]
        assert all(entry["start_at"] < query["to"] for entry in timeline)
        assert timeline[-1]["end_at"] >= query["to"]


class TestPlan:
    def test_is_a_tree_without_gaps(self, town: str, isabella: Caller) -> None:
        plan = isabella.get(f"{town}{ISABELLA}/plan").json()
        assert plan["day"] == "2023-02-13"
        chunks = plan["outline"]
        awake = [chunk for chunk in chunks if not (chunk["asleep"] or chunk["free"])]
        assert 5 <= len(awake) <= 8
        assert chunks[0]["start_at"] == "2023-02-13T06:00:00"
        assert chunks[-1]["end_at"] == "2023-02-14T06:00:00"
        assert chunks[-1]["asleep"]
        assert_without_gap(chunks)
        for chunk in chunks:
            assert_without_gap(chunk["hours"])
            assert chunk["hours"][0]["start_at"] == chunk["start_at"]
            for hour in chunk["hours"]:
                assert_without_gap(hour["actions"])
        assert chunks[0]["hours"][0]["actions"]
        assert chunks[-2]["hours"][0]["actions"] == []

    def test_is_empty_before_it_is_made(self, town: str, isabella: Caller) -> None:
        plan = isabella.get(f"{town}/agents/maria-lopez/plan").json()
        assert (plan["day"], plan["outline"]) == (None, [])

    def test_can_be_asked_for_by_day(self, town: str, isabella: Caller) -> None:
        path = f"{town}{ISABELLA}/plan"
        assert isabella.get(path, day="2023-02-13").json()["outline"]
        assert isabella.get(path, day="2023-02-14").json()["outline"] == []


class TestMemories:
    def test_are_listed_newest_first(self, town: str, isabella: Caller) -> None:
        memories = isabella.everything(f"{town}{ISABELLA}/memories", limit=9)
        numbers = [memory["id"] for memory in memories]
        assert numbers == list(range(len(numbers), 0, -1))
        for memory in memories:
            assert set(memory) >= {
                "kind",
                "description",
                "created_at",
                "last_retrieved_at",
                "importance",
                "evidence",
            }
            assert 1 <= memory["importance"] <= 10

    @pytest.mark.parametrize(
        "order", ["created_at", "importance", "-importance", "last_retrieved_at"]
    )
    def test_come_in_the_order_asked_for(self, town: str, isabella: Caller, order: str) -> None:
        path = f"{town}{ISABELLA}/memories"
        memories = isabella.everything(path, order=order, limit=7)
        key = order.lstrip("-")
        values = [memory[key] or "" for memory in memories]
        assert values == sorted(values, reverse=order.startswith("-"))
        assert len(memories) == len(isabella.everything(path))

    def test_can_be_filtered(self, town: str, isabella: Caller) -> None:
        path = f"{town}{ISABELLA}/memories"
        plans = isabella.everything(path, kind="plan")
        assert plans
        assert {memory["kind"] for memory in plans} == {"plan"}
        both = isabella.everything(path, kind=["plan", "observation"], limit=500)
        assert len(both) > len(plans)
        early = isabella.everything(path, to="2023-02-13T06:00:00")
        assert {memory["created_at"] for memory in early} == {"2023-02-13T00:00:00"}
        late = isabella.everything(path, **{"from": "2023-02-13T06:00:00"}, limit=500)
        assert len(early) + len(late) == len(both)

    def test_can_be_had_one_by_one_with_their_event(self, town: str, isabella: Caller) -> None:
        memory = isabella.get(f"{town}{ISABELLA}/memories/1").json()
        event = isabella.get(f"{town}/events/{memory['event']}").json()
        assert event["type"] == "memory.formed.v1"
        assert event["data"]["description"] == memory["description"]

    def test_of_all_pages_are_those_of_the_first(
        self, lived: SimulationRow, town: str, isabella: Caller
    ) -> None:
        # A page asked for while the town goes on shows neither more nor others.
        commit_up_to(lived, 2_520)
        path = f"{town}{ISABELLA}/memories"
        page = isabella.get(path, limit=5, order="created_at").json()
        expected = isabella.everything(path, order="created_at", limit=500)[5:]
        commit_up_to(lived, 2_880)
        cursor = page["next"].rpartition("cursor=")[2]
        rest = isabella.everything(path, limit=500, order="created_at", cursor=cursor)
        assert rest == expected


class TestRetrievals:
    def test_rank_with_an_explanation(self, town: str, isabella: Caller) -> None:
        body = {"query": "Valentine's Day party", "limit": 3}
        ranking = isabella.post(f"{town}{ISABELLA}/retrievals", body).json()
        assert ranking["clock"]["tick"] == 2880
        assert [memory["rank"] for memory in ranking["results"]] == [1, 2, 3]
        assert "Valentine" in ranking["results"][0]["description"]
        for memory in ranking["results"]:
            parts = memory["parts"].values()
            score = sum(part["scaled"] * part["weight"] for part in parts)
            assert memory["score"] == pytest.approx(score)

    def test_take_weights_and_keep_those_left_out(self, town: str, isabella: Caller) -> None:
        body = {"query": "party", "limit": 500, "weights": {"recency": 0, "relevance": 0}}
        results = isabella.post(f"{town}{ISABELLA}/retrievals", body).json()["results"]
        assert results[0]["parts"]["importance"]["weight"] == 1
        importances = [memory["importance"] for memory in results]
        assert importances == sorted(importances, reverse=True)

    @pytest.mark.parametrize("at", ["2023-02-13T00:00:10", "2023-02-13T00:00:19", 1, "1"])
    def test_answer_as_of_then(self, town: str, isabella: Caller, at: str | int) -> None:
        body = {"query": "breakfast", "limit": 500, "at": at}
        ranking = isabella.post(f"{town}{ISABELLA}/retrievals", body).json()
        assert ranking["clock"] == {"tick": 1, "time": "2023-02-13T00:00:10"}
        for memory in ranking["results"]:
            assert memory["created_at"] <= "2023-02-13T00:00:10"
            assert memory["last_retrieved_at"] is None

    def test_touch_nothing(self, town: str, isabella: Caller) -> None:
        path = f"{town}{ISABELLA}/memories"
        before = isabella.everything(path, limit=500)
        isabella.post(f"{town}{ISABELLA}/retrievals", {"query": "what is new?"})
        assert isabella.everything(path, limit=500) == before

    def test_find_the_seed_memories_from_the_first_tick_on(
        self, town: str, isabella: Caller
    ) -> None:
        body = {"query": "breakfast", "limit": 500, "at": 0}
        ranking = isabella.post(f"{town}{ISABELLA}/retrievals", body).json()
        assert len(ranking["results"]) > 1
        assert {memory["kind"] for memory in ranking["results"]} == {"observation"}
        assert ranking["next"] is None

    def test_show_the_choice_of_the_agent(
        self, town: str, lived: SimulationRow, isabella: Caller
    ) -> None:
        recorded = EventRow.objects.filter(
            simulation_id=lived.pk, type=MemoriesRetrieved.type, data__purpose="planning"
        ).order_by("-tick")
        row = recorded.filter(stream="isabella-rodriguez", data__numbers__3__gt=0).first()
        assert row is not None
        body = {"query": row.data["query"], "purpose": "planning", "at": row.tick - 1}
        body["tokens"] = 300  # of the actions of an hour, and of a day more
        results = isabella.post(f"{town}{ISABELLA}/retrievals", body).json()["results"]
        chosen = [memory["id"] for memory in results if memory["in_prompt"]]
        assert chosen == row.data["numbers"]

    def test_weigh_and_choose_as_for_a_prompt_about_an_agent(
        self, town: str, isabella: Caller
    ) -> None:
        body = {"query": "Who is she?", "about": "maria-lopez"}
        path = f"{town}{ISABELLA}/retrievals"
        results = isabella.post(path, body).json()["results"]
        # Memories about the agent come first, and are not weighed otherwise (ADR 61).
        assert {memory["parts"]["relevance"]["weight"] for memory in results} == {1}
        is_about = [memory["subject"] == "maria-lopez" for memory in results]
        assert is_about == sorted(is_about, reverse=True)
        body = {"query": "Who is she?", "about": "maria-lopes"}
        problem = isabella.post(path, body)
        assert problem.status_code == 404
        assert problem.json()["code"] == "agent-unknown"


class TestEvents:
    def test_come_in_canonical_order(self, town: str, isabella: Caller) -> None:
        events = isabella.everything(f"{town}/events", limit=100)
        places = [(event["tick"], event["stream"], event["ordinal"]) for event in events]
        assert places == sorted(places)
        assert events[0]["stream"] == "isabella-rodriguez"
        assert {event["type"] for event in events} >= {"simulation.created.v1"}

    def test_go_on_after_any_of_them(self, town: str, isabella: Caller) -> None:
        events = isabella.everything(f"{town}/events", limit=500)
        place = events[20]["id"]
        assert isabella.everything(f"{town}/events", after=place, limit=500) == events[21:]
        assert isabella.get(f"{town}/events/{place}").json() == events[20]

    def test_can_be_filtered(self, town: str, isabella: Caller) -> None:
        path = f"{town}/events"
        query = {
            "type": ["agents.walk-began.v1", "agents.action-began.v1"],
            "agent": "klaus-mueller",
            "from": "2023-02-13T07:00:00",
            "to": "2023-02-13T07:30:00",
        }
        events = isabella.everything(path, **query, limit=2)
        assert events
        for event in events:
            assert event["type"] in query["type"]
            assert event["stream"] == "klaus-mueller"
            assert query["from"] <= event["time"] < query["to"]

    def test_name_the_calls_that_they_came_from(self, town: str, isabella: Caller) -> None:
        [outlined] = isabella.everything(
            f"{town}/events", type="planning.day-outlined.v1", agent="isabella-rodriguez"
        )
        for call in outlined["model_calls"]:
            assert isabella.get(f"{town}/model-calls/{call}").status_code == 200


class TestModelCalls:
    def test_are_listed_in_order(self, town: str, isabella: Caller) -> None:
        calls = isabella.everything(f"{town}/model-calls", limit=10)
        assert calls == isabella.everything(f"{town}/model-calls", limit=200)
        assert isabella.get(town).json()["calls"] == len(calls)

    def test_can_be_filtered(self, town: str, isabella: Caller) -> None:
        calls = isabella.everything(
            f"{town}/model-calls",
            agent="isabella-rodriguez",
            task="memory.importance",
            outcome="valid",
            to="2023-02-13T06:00:00",
        )
        assert [call["id"] for call in calls] == ["0/isabella-rodriguez/memory.importance/0"]

    def test_tell_what_was_asked_and_answered(self, town: str, isabella: Caller) -> None:
        path = f"{town}/model-calls/0/isabella-rodriguez/memory.importance/0"
        call = isabella.get(path).json()
        assert [message["role"] for message in call["messages"]] == ["system", "user"]
        assert call["answer"]
        assert call["attempts"]

    def test_add_up_to_the_costs(self, town: str, isabella: Caller) -> None:
        costs = isabella.get(f"{town}/costs").json()
        calls = isabella.everything(f"{town}/model-calls", limit=200)
        assert costs["total"]["calls"] == len(calls)
        for group in ("by_task", "by_model", "by_agent", "by_day"):
            assert sum(line["calls"] for line in costs[group]) == len(calls)
        assert [line["key"] for line in costs["by_day"]] == ["2023-02-13"]

    def test_show_cached_and_billed_equivalent_tokens(
        self, town: str, lived: SimulationRow, isabella: Caller
    ) -> None:
        before = isabella.get(f"{town}/costs", by="task").json()["total"]
        assert before["cached_prompt_tokens"] == 0
        assert before["billed_equivalent_tokens"] == (
            before["prompt_tokens"] + before["completion_tokens"]
        )
        DjangoCallLog(lived.pk).record(cached_call(lived.pk))
        costs = isabella.get(f"{town}/costs", by="task").json()
        [line] = [one for one in costs["by_task"] if one["key"] == "tests.cached"]
        counted = {
            "prompt_tokens": 1_300,
            "cached_prompt_tokens": 1_024,
            "completion_tokens": 20,
            "billed_equivalent_tokens": 808,
        }
        assert counted.items() <= line.items()
        for name, count in counted.items():
            assert costs["total"][name] == before[name] + count
        call = isabella.get(f"{town}/model-calls/7/isabella-rodriguez/tests.cached/0").json()
        assert counted.items() <= call.items()
        [downloaded] = isabella.get(
            f"{town}/model-calls", task="tests.cached", format="jsonl"
        ).streaming_content
        assert counted.items() <= json.loads(downloaded).items()


def cached_call(simulation_id: UUID) -> CompletedCall:
    """Return a call whose prompt was mostly in the server's cache."""
    return CompletedCall(
        place=CallPlace(
            simulation_id=simulation_id,
            tick=7,
            stream="isabella-rodriguez",
            task="tests.cached",
            ordinal=0,
        ),
        request_sha256="a" * 64,
        wording_version="0123456789ab",
        server="openai",
        model="gpt-4o-mini",
        messages=(Message("user", "Hello?"),),
        answer={"text": "Hello."},
        outcome="valid",
        fallback="",
        attempts=(),
        spent=Usage(
            prompt_tokens=1_300,
            cached_prompt_tokens=1_024,
            completion_tokens=20,
            billed_equivalent_tokens=808,
        ),
    )


shorter = shared_fixture(lambda: simulated("2023-02-13T07:10"))
"""A simulation that is committed, so that the thread of its lease sees it."""


class TestCommittedTick:
    def test_is_all_that_reads_speak_of(
        self, lived: SimulationRow, shorter: SimulationRow, town: str, isabella: Caller
    ) -> None:
        # A simulation with more events than are committed reads like one that ran no longer.
        SimulationRow.objects.filter(pk=shorter.pk).update(owner=owner_of(lived))
        commit_up_to(lived, shorter.committed_tick)
        other = f"/simulations/{shorter.pk}"
        for path in (
            "/state",
            "/agents",
            ISABELLA,
            f"{ISABELLA}/summary",
            f"{ISABELLA}/plan",
            "/agents/maria-lopez/plan",
        ):
            assert isabella.get(f"{town}{path}").json() == isabella.get(f"{other}{path}").json()
        for path in (
            "/events",
            "/model-calls",
            f"{ISABELLA}/known-places",
            f"{ISABELLA}/timeline",
            f"{ISABELLA}/memories",
            "/agents/klaus-mueller/timeline",
            "/agents/klaus-mueller/memories",
        ):
            ours, theirs = (
                without_clock_on_the_wall(isabella.everything(f"{where}{path}", limit=200))
                for where in (town, other)
            )
            assert ours == theirs

    def test_hides_what_is_beyond_it(
        self, lived: SimulationRow, town: str, isabella: Caller
    ) -> None:
        event = isabella.everything(f"{town}/events", limit=500)[-1]
        call = isabella.everything(f"{town}/model-calls", limit=200)[-1]
        newest = isabella.get(f"{town}{ISABELLA}/memories", limit=1).json()["results"][0]
        commit_up_to(lived, 1)
        problem(isabella.get(f"{town}/events/{event['id']}"), 404, "event-unknown")
        problem(isabella.get(f"{town}/model-calls/{call['id']}"), 404, "model-call-unknown")
        problem(
            isabella.get(f"{town}{ISABELLA}/memories/{newest['id']}"), 404, "memory-unknown"
        )


def nodes(tree: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the node and all below it."""
    return [tree, *(node for child in tree["children"] for node in nodes(child))]


def assert_without_gap(items: list[dict[str, Any]]) -> None:
    for before, after in pairwise(items):
        assert before["end_at"] == after["start_at"]


def inhabitant(caller: Caller, town: str, slug: str) -> dict[str, Any]:
    agents = caller.get(f"{town}/state").json()["agents"]
    person: dict[str, Any] = next(person for person in agents if person["slug"] == slug)
    return person


def commit_up_to(row: SimulationRow, tick: int) -> None:
    """Say that no more than this is committed, whatever is written; undone with the test."""
    SimulationRow.objects.filter(pk=row.pk).update(committed_tick=tick)


def owner_of(row: SimulationRow) -> int | None:
    return SimulationRow.objects.get(pk=row.pk).owner_id


def without_clock_on_the_wall(items: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [
        {
            name: value
            for name, value in item.items()
            if name not in {"recorded_at", "latency_ms"}
        }
        for item in items
    ]


class TestPurposesOfRetrievals:
    def test_are_declared(self, lived: SimulationRow, db: None) -> None:
        events = EventRow.objects.filter(simulation_id=lived.pk, type=MemoriesRetrieved.type)
        recorded = {event.data["purpose"] for event in events}
        assert RetrievalPurpose.PLANNING in recorded
        assert recorded <= set(RetrievalPurpose)

    def test_are_named_after_tasks(self) -> None:
        tasks = {task.name for task in wiring.LLM_TASKS}
        # One call asks for the three summaries, each with memories of its own.
        parts = {
            RetrievalPurpose.CORE_CHARACTERISTICS,
            RetrievalPurpose.DAILY_OCCUPATION,
            RetrievalPurpose.RECENT_PROGRESS,
        }
        named = {purpose for purpose in RetrievalPurpose if "." in purpose}
        assert {purpose.value for purpose in named - parts} <= tasks
