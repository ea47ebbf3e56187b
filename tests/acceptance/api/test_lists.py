"""What every list offers alike: an order, a text filter, and cursors that belong to both."""

import csv
import io
import json
import operator
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User

from apps import wiring
from apps.api.http.lists import SEARCH_CHARACTERS_MAX
from apps.api.operations.documentation import schema_document
from apps.dialogue.models import UtteranceRow
from apps.simulation.models import SimulationRow
from tests.acceptance.api.calling import Caller, caller_of, owned_by_isabella, problem
from tests.support.snapshots import simulated
from tests.support.towns import shared_fixture

EVENING = "2023-02-13T19:30"
ISABELLA = "/agents/isabella-rodriguez"
ALL = 500


evening = shared_fixture(
    lambda: simulated(EVENING, seed=10, settings={"reflection_threshold": 12})
)
"""Three agents who have talked and reflected, on the evening of their first day."""


@pytest.fixture
def sim(evening: SimulationRow, isabella: Caller) -> str:
    """Return the address of the simulation, which is Isabella's."""
    return owned_by_isabella(evening)


def nothing(caller: Caller, sim: str) -> None:
    """Leave the simulation as it is."""


def some_simulations(caller: Caller, sim: str) -> None:
    for name in ("Spring", "Summer", "Autumn 50%_"):
        caller.post("/simulations", {"name": name, "seed": 7, "agents": 1})


def some_members(caller: Caller, sim: str) -> None:
    for name in ("klaus", "maria", "ayesha"):
        User.objects.create_user(name)
        caller.post(f"{sim}/members", {"username": name, "role": "guest"})


def some_commands(caller: Caller, sim: str) -> None:
    for text in ("You like tea", "You like coffee", "You like cake"):
        response = caller.post(f"{sim}{ISABELLA}/inner-voice", {"text": text, "reason": "why"})
        assert response.status_code == 202


def some_interviews(caller: Caller, sim: str) -> None:
    for question in ("Is there a party?", "What do you read?", "Who is Klaus?"):
        caller.post(f"{sim}{ISABELLA}/interviews", {"question": question})


def some_forks(caller: Caller, sim: str) -> None:
    for name in ("Without a party", "Without Klaus", "As it is"):
        response = caller.post(f"{sim}/forks", {"name": name, "at": "2023-02-13T08:00:00"})
        assert response.status_code == 201


def some_embodiments(caller: Caller, sim: str) -> None:
    for agent in ("isabella-rodriguez", "klaus-mueller", "maria-lopez"):
        caller.post(f"{sim}/agents/{agent}/embodiment", {"reason": f"to be {agent}"})


@dataclass(frozen=True)
class List:
    """A list: its address, the member that identifies an item, an order, texts in its items.

    `words` are those of a filter; `texts` returns what is searched.
    """

    path: str
    key: Callable[[Any], Any]
    order: str
    words: str
    texts: Callable[[Any], str]
    fill: Callable[[Caller, str], None] = nothing


def word_of_some(texts: list[str]) -> str:
    """Return a word that is in some of the texts and not in all, in lower case."""
    lowered = [text.casefold() for text in texts]
    words = sorted(set(re.findall("[a-z]{4,}", "\n".join(lowered))))
    word: str = next(
        one for one in words if 0 < sum(one in text for text in lowered) < len(texts)
    )
    return word


def strings(value: Any) -> str:
    """Return all texts in a document, names of members left out."""
    if isinstance(value, dict):
        return "\n".join(strings(each) for each in value.values())
    if isinstance(value, list):
        return "\n".join(strings(each) for each in value)
    return value if isinstance(value, str) else ""


def by(*members: str) -> Callable[[Any], Any]:
    return lambda item: tuple(item[member] for member in members)


def texts_of(*members: str) -> Callable[[Any], str]:
    return lambda item: "\n".join(strings(item[member]) for member in members)


LISTS = {
    "simulations": List(
        "/simulations", by("recorded_at"), "recorded_at", "sUMMER", texts_of("name", "world"),
        some_simulations,
    ),
    "agents": List(
        "{sim}/agents", by("slug"), "slug", "Inquisitive", texts_of("name", "traits")
    ),
    "memories": List(
        f"{{sim}}{ISABELLA}/memories", by("id"), "created_at", "Valentine",
        texts_of("description"),
    ),
    "all-memories": List(
        "{sim}/memories", by("agent", "id"), "agent", "valentine", texts_of("description")
    ),
    "all-memories-by-time": List(
        "{sim}/memories", by("created_at", "agent", "id"), "created_at", "KLAUS",
        texts_of("description"),
    ),
    "all-memories-by-importance": List(
        "{sim}/memories", by("importance", "agent", "id"), "importance", "KLAUS",
        texts_of("description"),
    ),
    "reflections": List(
        f"{{sim}}{ISABELLA}/reflections", by("created_at"), "created_at", "between",
        lambda item: strings(
            [item["questions"], [each["memory"]["description"] for each in item["insights"]],
             [each["statement"] for each in item["dropped"]]]
        ),
    ),
    "known-places": List(
        f"{{sim}}{ISABELLA}/known-places", by("path"), "path", "hobbs",
        texts_of("path", "state"),
    ),
    "timeline": List(
        f"{{sim}}{ISABELLA}/timeline", by("event"), "start_at", "WALKING",
        texts_of("description", "area", "object"),
    ),
    "utterances": List(
        "{sim}/utterances", by("event"), "tick", "PARTY", texts_of("text")
    ),
    "relationships": List(
        "{sim}/relationships", by("agent", "other"), "agent", "maria",
        texts_of("agent", "other"),
    ),
    "facts": List(
        f"{{sim}}{ISABELLA}/facts", by("number", "start_tick"), "number", "CAFE",
        texts_of("statements", "opinion", "other"),
    ),
    "events": List("{sim}/events", by("id"), "tick", "Valentine's", texts_of("data")),
    "model-calls": List(
        "{sim}/model-calls", by("id"), "tick", "valentine", texts_of("messages", "answer")
    ),
    "members": List(
        "{sim}/members", by("username"), "username", "Ay", texts_of("username"), some_members
    ),
    "commands": List(
        "{sim}/commands", by("command"), "recorded_at", "COFFEE",
        texts_of("asked", "reason", "refusal"), some_commands,
    ),
    "interviews": List(
        "{sim}/interviews", by("id"), "recorded_at", "klaus", texts_of("question", "answer"),
        some_interviews,
    ),
    "embodiments": List(
        "{sim}/embodiments", by("id"), "id", "to be MARIA",
        texts_of("agent", "by", "reason", "refusal"), some_embodiments,
    ),
    "forks": List(
        "{sim}/forks", by("id"), "recorded_at", "without a PARTY", texts_of("name"), some_forks,
    ),
}  # fmt: skip
everywhere = pytest.mark.parametrize("listed", LISTS.values(), ids=LISTS)


@pytest.fixture
def path(listed: List, sim: str, isabella: Caller) -> str:
    """Return the address of the list, in which there are several items."""
    listed.fill(isabella, sim)
    return listed.path.format(sim=sim)


@everywhere
class TestEveryList:
    def test_comes_in_both_orders_whatever_the_size_of_a_page(
        self, listed: List, path: str, isabella: Caller
    ) -> None:
        query = {"full": "true"} if path.endswith("model-calls") else {}
        upwards = isabella.everything(path, order=listed.order, limit=ALL, **query)
        downwards = isabella.everything(path, order=f"-{listed.order}", limit=ALL, **query)
        assert len(upwards) > 1
        assert downwards == upwards[::-1]
        keys = [listed.key(item) for item in upwards]
        assert len(set(keys)) == len(keys)
        limit = max(1, len(upwards) // 4)
        for order, expected in ((listed.order, upwards), (f"-{listed.order}", downwards)):
            assert isabella.everything(path, order=order, limit=limit, **query) == expected

    def test_holds_those_that_contain_a_text(
        self, listed: List, path: str, isabella: Caller
    ) -> None:
        query = {"full": "true"} if path.endswith("model-calls") else {}
        everything = isabella.everything(path, limit=ALL, **query)
        word = word_of_some(list(map(listed.texts, everything)))
        wanted = [item for item in everything if word in listed.texts(item).casefold()]
        limit = max(1, len(wanted) // 3)
        assert isabella.everything(path, search=word.upper(), limit=limit, **query) == wanted
        assert isabella.everything(path, search="%") == [
            item for item in everything if "%" in listed.texts(item)
        ]
        assert isabella.everything(path, search="no such words anywhere") == []

    def test_takes_no_cursor_of_another_order_or_filter(
        self, listed: List, path: str, isabella: Caller
    ) -> None:
        page = isabella.get(path, limit=1, order=listed.order).json()
        cursor = page["next"].rpartition("cursor=")[2].partition("&")[0]
        again = isabella.get(path, limit=2, order=listed.order, cursor=cursor)
        assert again.status_code == 200
        for other in (
            {"order": f"-{listed.order}"},
            {"order": listed.order, "search": listed.words},
        ):
            refused = problem(
                isabella.get(path, limit=1, cursor=cursor, **other), 422, "invalid-request"
            )
            [error] = refused["errors"]
            assert (error["parameter"], error["code"]) == ("cursor", "cursor-of-another-query")

    def test_refuses_what_it_cannot_use_as_every_list_does(
        self, listed: List, path: str, isabella: Caller
    ) -> None:
        for parameter, value in (
            ("order", "mood"),
            ("order", ""),
            ("search", ""),
            ("search", "a\x00b"),
            ("search", "a" * (SEARCH_CHARACTERS_MAX + 1)),
            ("cursor", "nonsense"),
            ("limit", "0"),
            ("limit", "501"),
        ):
            response = isabella.get(path, **{parameter: value})
            [error] = problem(response, 422, "invalid-request")["errors"]
            assert error["parameter"] == parameter


class TestDescription:
    def test_says_of_every_list_what_its_parameters_are(self) -> None:
        for path, operations in schema_document()["paths"].items():
            operation = operations.get("get", {})
            parameters = {each["name"] for each in operation.get("parameters", ())}
            if "limit" in parameters:
                missing = {"limit", "cursor", "order", "search"} - parameters
                assert not missing, f"{path} lacks {missing}"


class TestEvents:
    def test_go_on_after_any_of_them_in_both_orders(self, sim: str, isabella: Caller) -> None:
        page = isabella.get(f"{sim}/events", limit=ALL).json()["results"]
        place = page[20]["id"]
        behind = isabella.get(f"{sim}/events", after=place, limit=5).json()["results"]
        assert behind == page[21:26]
        before = isabella.get(f"{sim}/events", after=place, limit=5, order="-tick").json()
        assert before["results"] == page[15:20][::-1]


class TestDownloadsOfWholeSimulation:
    """Lists over all agents, on the evening of a day with conversations."""

    @pytest.mark.parametrize(
        ("path", "query"),
        [
            ("/memories", {}),
            ("/memories", {"order": "-created_at", "kind": "dialogue"}),
            ("/utterances", {}),
            ("/utterances", {"order": "-tick", "agent": "klaus-mueller"}),
            ("/model-calls", {"full": "true", "task": "dialogue.utterance"}),
            ("/relationships", {"order": "-agent"}),
            ("/conversations", {"search": "party", "order": "-start_at"}),
            ("/events", {"order": "-tick", "type": "dialogue.said.v1"}),
        ],
        ids=repr,
    )
    def test_hold_what_the_pages_hold(
        self, sim: str, isabella: Caller, path: str, query: dict[str, str]
    ) -> None:
        pages = isabella.everything(f"{sim}{path}", **query, limit=ALL)
        assert len(pages) > 1
        lines = isabella.get(f"{sim}{path}", **query, format="jsonl").getvalue().splitlines()
        assert [json.loads(line) for line in lines] == pages
        text = isabella.get(f"{sim}{path}", **query, format="csv").getvalue().decode()
        head, *rows = csv.reader(io.StringIO(text, newline=""), strict=True)
        assert head == list(pages[0])
        assert len(rows) == len(pages)

    def test_hold_what_every_conversation_holds(self, sim: str, isabella: Caller) -> None:
        said = isabella.everything(f"{sim}/utterances", limit=ALL)
        of_talks = [
            utterance
            for talk in isabella.everything(f"{sim}/conversations")
            for utterance in isabella.get(f"{sim}/conversations/{talk['id']}").json()[
                "utterances"
            ]
        ]
        by_event = operator.itemgetter("event")
        assert sorted(said, key=by_event) == sorted(of_talks, key=by_event)
        talk = said[0]["conversation"]
        assert isabella.everything(f"{sim}/utterances", conversation=talk) == [
            each for each in said if each["conversation"] == talk
        ]

    def test_tell_whether_the_speaker_leaves(self, sim: str, isabella: Caller) -> None:
        first = UtteranceRow.objects.order_by("tick", "agent")[0]
        utterances = UtteranceRow.objects.filter(simulation_id=first.simulation_id)
        utterances.update(leaves=False)
        utterances.filter(pk=first.pk).update(leaves=True)
        said = isabella.everything(f"{sim}/utterances", limit=ALL)
        assert [one["event"] for one in said if one["leaves"]] == [first.event]

    def test_hold_the_memories_of_every_agent(self, sim: str, isabella: Caller) -> None:
        agents = [agent["slug"] for agent in isabella.everything(f"{sim}/agents")]
        one_by_one = [
            {**memory, "agent": agent}
            for agent in agents
            for memory in isabella.everything(
                f"{sim}/agents/{agent}/memories", order="created_at", limit=ALL
            )
        ]
        assert isabella.everything(f"{sim}/memories", limit=ALL) == one_by_one

    def test_hold_prompts_where_a_guest_may_read_them_one_by_one(
        self, sim: str, isabella: Caller
    ) -> None:
        guest = caller_of(User.objects.create_user("guest"))
        path = f"{sim}/model-calls"
        problem(guest.get(path, format="jsonl", full="true"), 404, "simulation-unknown")
        isabella.post(f"{sim}/members", {"username": "guest", "role": "guest"})
        lines = guest.get(path, format="jsonl", full="true").getvalue().splitlines()
        call = json.loads(lines[0])
        assert guest.get(f"{path}/{call['id']}").json() == call
        assert "messages" not in guest.get(path, limit=1).json()["results"][0]


class TestWorlds:
    @pytest.fixture
    def worlds(self, tmp_path: Path, settings: Any) -> Iterator[None]:
        """Use a folder with a world that can be read and two that cannot."""
        before = settings.WORLDS_ROOT
        for name in ("harbour", "station"):
            (tmp_path / name).mkdir()
            (tmp_path / name / "world.yaml").write_text("nonsense: 1")
        settings.WORLDS_ROOT = tmp_path
        wiring.ports.cache_clear()
        yield
        settings.WORLDS_ROOT = before
        wiring.ports.cache_clear()

    def test_are_ordered_and_filtered_as_any_list(self, worlds: None, isabella: Caller) -> None:
        def names(**query: Any) -> list[str]:
            return [world["name"] for world in isabella.everything("/worlds", **query)]

        assert names(limit=2) == ["harbour", "smallville", "station"]
        assert names(limit=1, order="-name") == ["station", "smallville", "harbour"]
        assert names(search="HARB") == ["harbour"]
        assert names(search="two shops") == ["smallville"]
        cursor = isabella.get("/worlds", limit=1).json()["next"].rpartition("cursor=")[2]
        response = isabella.get("/worlds", cursor=cursor, order="-name")
        [error] = problem(response, 422, "invalid-request")["errors"]
        assert error["code"] == "cursor-of-another-query"


class TestSearch:
    def test_knows_upper_and_lower_case_beyond_ascii(self, isabella: Caller) -> None:
        body = {"name": "Café Ärger Ñandú", "agents": 1}
        made = isabella.post("/simulations", body).json()
        sim = f"/simulations/{made['id']}"
        told = {"text": "You like the CAFÉ", "reason": "Ähnlich wie zuvor"}
        isabella.post(f"{sim}{ISABELLA}/inner-voice", told)
        [listed] = isabella.everything("/simulations", search="café ärger ñANDÚ")
        assert listed | {"answering_models": made["answering_models"]} == made
        for words in ("café", "cafe\u0301", "ÄHNLICH"):  # the second in decomposed letters
            assert len(isabella.everything(f"{sim}/commands", search=words)) == 1

    def test_takes_signs_of_patterns_and_json_as_they_are(self, isabella: Caller) -> None:
        made = isabella.post("/simulations", {"name": "50%_", "agents": 1}).json()
        sim = f"/simulations/{made['id']}"
        isabella.post(f"{sim}{ISABELLA}/inner-voice", {"text": 'You say "50%_\\" twice'})
        for words in ("50%_", '"50', "_\\", '%_\\" TWICE'):
            assert len(isabella.everything(f"{sim}/commands", search=words)) == 1, words
        for words in ("5_%", "%%", "say '", "\\\\", "text"):
            assert isabella.everything(f"{sim}/commands", search=words) == [], words
