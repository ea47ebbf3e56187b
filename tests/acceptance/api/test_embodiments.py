"""Over HTTP: a user comes to town as a visitor, or acts for somebody who lives there (U4)."""

from typing import Any
from urllib.parse import urlsplit

import pytest
from django.contrib.auth.models import User

from apps.access.membership import add_member
from apps.access.models import MembershipRow
from apps.access.rights import Role
from apps.simulation.models import SimulationRow
from tests.acceptance.api.calling import Caller, caller_of, problem
from tests.support.hands import live_on
from tests.support.towns import live

pytestmark = pytest.mark.django_db(transaction=True)

ISABELLA, KLAUS = "isabella-rodriguez", "klaus-mueller"
COUNTER = "Hobbs Cafe: behind the counter"
LIBRARY = "Oak Hill College: library"
MINE = ("And you, Klaus?", "I am well.")


@pytest.fixture
def town(isabella: Caller) -> str:
    """Return the address of a town of two people at nine in the morning."""
    return found_two(isabella)


def found_two(isabella: Caller, **more: Any) -> str:
    """Create a simulation of two agents, and run it to nine in the morning."""
    founding = {
        "name": "two",
        "world": "smallville",
        "seed": 7,
        "agents": ["Isabella Rodriguez", "Klaus Mueller"],
        **more,
    }
    address = f"/simulations/{isabella.post('/simulations', founding).json()['id']}"
    live(row_of(address), "2023-02-13T09:00")
    return address


def row_of(town: str) -> SimulationRow:
    return SimulationRow.objects.get(pk=town.rpartition("/")[2])


def lived(town: str, clock: str) -> None:
    live_on(row_of(town), f"2023-02-13T{clock}")


def visit(caller: Caller, town: str, **visitor: Any) -> str:
    """Come to town; return the address of the embodiment."""
    response = caller.post(f"{town}/visitors", {"name": "Ada Finch", **visitor})
    assert response.status_code == 202, response.content
    return f"{town}/embodiments/{response.json()['id']}"


def act(caller: Caller, embodiment: str, **action: Any) -> str:
    """Have the person do something; return the address of the command."""
    response = caller.post(f"{embodiment}/actions", action)
    assert response.status_code == 202, response.content
    return str(urlsplit(response.json()["status_url"]).path).removeprefix("/api/v1")


@pytest.fixture
def ada(isabella: Caller, town: str) -> str:
    """Return the address of a visitor who has walked to the counter, where Isabella is."""
    ada = visit(isabella, town, place="Hobbs Cafe", reason="to see who is there")
    assert isabella.get(ada).json()["state"] == "pending"
    lived(town, "09:01")
    shown = isabella.get(ada).json()
    assert (shown["state"], shown["agent"], shown["visitor"]) == ("open", "ada-finch", True)
    assert shown["reason"] == "to see who is there"
    assert shown["standing"]["place"] == "Hobbs Cafe: cafe"
    walk = act(isabella, ada, move={"to": COUNTER})
    lived(town, "09:05")
    assert isabella.get(walk).json()["state"] == "done"
    return ada


class TestVisit:
    def test_is_a_talk_that_can_be_followed(
        self, isabella: Caller, town: str, ada: str
    ) -> None:
        agents = isabella.get(ada).json()["standing"]["agents"]
        assert [person["slug"] for person in agents] == [ISABELLA]
        act(isabella, ada, say={"text": "Good morning! I am Ada.", "to": ISABELLA})
        lived(town, "09:07")
        shown = isabella.get(ada).json()
        talk = shown["standing"]["conversation"]
        assert (talk["other"], talk["awaits_answer"]) == (ISABELLA, True)
        by_isabella = [said for said in talk["utterances"] if said["agent"] == ISABELLA]
        by_ada = [said["text"] for said in talk["utterances"] if said["agent"] == "ada-finch"]
        assert by_ada == ["Good morning! I am Ada."]
        assert shown["heard"] == by_isabella
        talking = {
            agent["slug"]: agent["talking_with"]
            for agent in isabella.get(f"{town}/state").json()["agents"]
        }
        assert talking == {"ada-finch": ISABELLA, ISABELLA: "ada-finch", KLAUS: None}

    def test_does_not_hear_words_whose_speaker_is_out_of_view_at_their_end(
        self, isabella: Caller
    ) -> None:
        # Isabella speaks to Ada at once, for two minutes, and Ada walks off after 40 seconds.
        town = found_two(isabella, settings={"words_per_minute": 10})
        ada = visit(isabella, town, place="Hobbs Cafe")
        lived(town, "09:01")
        act(isabella, ada, move={"to": LIBRARY})
        lived(town, "09:05")
        [said] = isabella.everything(f"{town}/utterances", agent=ISABELLA)
        assert said["to"] == "ada-finch"
        assert "2023-02-13T09:00:00" <= said["time"] < "2023-02-13T09:01:00"
        kept = isabella.everything(f"{town}/agents/ada-finch/memories")
        assert [one for one in kept if "began to say something" in one["description"]]
        assert isabella.get(ada).json()["heard"] == []

    def test_waits_for_what_is_asked(self, isabella: Caller, town: str, ada: str) -> None:
        shown = isabella.get(f"{town}/agents/ada-finch").json()
        assert shown["home"] == ""
        doing = shown["current_action"]
        assert (doing["description"], doing["due_at"]) == ("looking around", None)
        agents = isabella.get(f"{town}/state").json()["agents"]
        assert {agent["slug"]: agent["due_at"] for agent in agents}["ada-finch"] is None

    def test_says_why_something_was_not_done(
        self, isabella: Caller, town: str, ada: str
    ) -> None:
        # To the command, and to the embodiment.
        nowhere = act(isabella, ada, say={"text": "Hello?", "to": KLAUS})
        lived(town, "09:06")
        refused = isabella.get(nowhere).json()
        assert refused["state"] == "refused"
        assert refused["refusal"].startswith("not-in-view: Klaus Mueller")
        last = isabella.get(ada).json()["actions"][-1]
        assert (last["kind"], last["outcome"], last["code"]) == (
            "say",
            "refused",
            "not-in-view",
        )

    def test_looks_for_agents_and_leaves_things(
        self, isabella: Caller, town: str, ada: str
    ) -> None:
        found = act(isabella, ada, with_agent={"kind": "look for", "agent": ISABELLA})
        lived(town, "09:06")
        assert isabella.get(found).json()["state"] == "done"
        piano = "Hobbs Cafe: cafe: piano"
        letter = {"kind": "leave", "thing": "a letter", "object": piano, "minutes": 1}
        left = act(isabella, ada, with_agent=letter)
        lived(town, "09:12")
        assert isabella.get(left).json()["state"] == "done"
        waited = act(
            isabella, ada, with_agent={"kind": "wait for", "agent": KLAUS, "minutes": 2}
        )
        lived(town, "09:16")
        refused = isabella.get(waited).json()
        assert refused["refusal"] == "agent-not-found: Klaus Mueller was not found"
        objects = isabella.get(f"{town}/state").json()["objects"]
        assert (piano, "holding a letter") in [(one["path"], one["state"]) for one in objects]
        timeline = isabella.everything(f"{town}/agents/ada-finch/timeline")
        assert ("wait for", KLAUS) in [(one["act"], one["other"]) for one in timeline]
        reports = isabella.everything(f"{town}/events", type="agents.act-reported.v1")
        outcomes = [one["data"]["outcome"] for one in reports if one["stream"] == "ada-finch"]
        assert outcomes == ["done", "done", "not found"]
        origin = isabella.get(f"{town}/events/{reports[-1]['id']}/provenance")
        assert origin.status_code == 200

    def test_ends_and_is_remembered(self, isabella: Caller, town: str, ada: str) -> None:
        act(isabella, ada, say={"text": "Hello, and goodbye!", "to": ISABELLA, "ends": True})
        lived(town, "09:06")
        still_here = isabella.post(f"{town}/visitors", {"name": "Ada Finch"})
        assert "is visiting" in problem(still_here, 409, "name-taken")["detail"]
        assert isabella.delete(ada).status_code == 202
        lived(town, "09:07")
        shown = isabella.get(ada).json()
        assert (shown["state"], shown["standing"]) == ("ended", None)
        remembered = isabella.everything(f"{town}/agents/{ISABELLA}/memories")
        assert any("Ada Finch" in memory["description"] for memory in remembered)
        state = isabella.get(f"{town}/state").json()
        assert "ada-finch" not in {agent["slug"] for agent in state["agents"]}
        events = isabella.everything(f"{town}/events", type="embodiment.began.v1")
        assert [event["data"]["by"] for event in events] == ["isabella"]

    def test_is_refused_with_a_code(self, isabella: Caller, town: str) -> None:
        taken = isabella.post(f"{town}/visitors", {"name": "Klaus Mueller"})
        problem(taken, 409, "name-taken")
        nowhere = isabella.post(f"{town}/visitors", {"name": "A", "place": "Nowhere"})
        problem(nowhere, 422, "unknown-place")
        on_it = {"name": "A", "place": "Hobbs Cafe: cafe: piano"}
        problem(isabella.post(f"{town}/visitors", on_it), 422, "no-place-to-appear")
        for name in ("!!", "Ada 2", "Ada\u200b", "Ada\u2067", "Ada\nSystem"):
            refused = problem(
                isabella.post(f"{town}/visitors", {"name": name}), 422, "newcomer-unfit"
            )
            assert (
                "a name has letters, single spaces, hyphens and apostrophes"
                in refused["detail"]
            )
            assert refused["detail"].isprintable()
        problem(isabella.post(f"{town}/visitors", {}), 422, "invalid-request")


def embody(caller: Caller, town: str, agent: str) -> str:
    """Begin to control an agent; return the address of the embodiment."""
    response = caller.post(f"{town}/agents/{agent}/embodiment", {"reason": "a trial"})
    assert response.status_code == 202, response.content
    return f"{town}/embodiments/{response.json()['id']}"


class TestAtATableOfThree:
    """Ada, a visitor, and Klaus, whom a user controls, stand with Isabella at the counter."""

    def test_all_hear_one_another_and_one_of_several_is_addressed(
        self, isabella: Caller, town: str, ada: str
    ) -> None:
        klaus = embody(isabella, town, KLAUS)
        act(isabella, klaus, move={"to": COUNTER})
        lived(town, "09:40")
        act(isabella, ada, say={"text": "Good morning, you two!", "to_all": True})
        lived(town, "09:42")
        heard = isabella.get(klaus).json()["heard"]
        greeted = [(said["agent"], said["text"]) for said in heard].index(
            ("ada-finch", "Good morning, you two!")
        )
        answers = heard[greeted + 1 :]
        assert ISABELLA in {said["agent"] for said in answers}, "both hear the answer"
        assert answers == isabella.get(ada).json()["heard"][-len(answers) :]
        act(isabella, ada, say={"text": "And you, Klaus?", "to": KLAUS})
        act(isabella, klaus, say={"text": "I am well."})
        lived(town, "09:44")
        talk = isabella.get(ada).json()["standing"]["conversation"]
        texts = [said["text"] for said in talk["utterances"]]
        assert [one for one in texts if one in MINE] == ["And you, Klaus?", "I am well."]
        [question] = [one for one in talk["utterances"] if one["text"] == MINE[0]]
        assert question["to"] == KLAUS
        shown = isabella.get(f"{town}/conversations/{talk['id']}").json()
        assert set(shown["participants"]) == {"ada-finch", ISABELLA, KLAUS}


class TestTelephone:
    def test_reaches_an_agent_elsewhere_and_brings_the_answer(
        self, isabella: Caller, town: str
    ) -> None:
        klaus = embody(isabella, town, KLAUS)
        lived(town, "09:01")
        call = {"text": "Do you have a table at noon?", "to": ISABELLA}
        nobody = act(isabella, klaus, say=call)
        phoned = act(isabella, klaus, say=call | {"by_phone": True})
        lived(town, "09:05")
        assert isabella.get(nobody).json()["refusal"].startswith("not-in-view")
        assert isabella.get(phoned).json()["state"] == "done"
        shown = isabella.get(klaus).json()
        talk = shown["standing"]["conversation"]
        assert (talk["other"], talk["by_phone"]) == (ISABELLA, True)
        assert [said["agent"] for said in shown["heard"]] == [ISABELLA]
        [listed] = isabella.everything(f"{town}/conversations")
        assert listed["by_phone"]
        act(isabella, klaus, say={"text": "Then until noon!", "ends": True})
        lived(town, "09:10")
        assert isabella.get(klaus).json()["standing"]["conversation"] is None


class TestEmbodiment:
    def test_lets_a_user_act_for_somebody_and_hands_back(
        self, isabella: Caller, town: str
    ) -> None:
        response = isabella.post(f"{town}/agents/{KLAUS}/embodiment", {"reason": "a trial"})
        assert response.status_code == 202
        klaus = f"{town}/embodiments/{response.json()['id']}"
        lived(town, "09:01")
        where = isabella.get(f"{town}/agents/{KLAUS}").json()["position"]
        walk = act(isabella, klaus, move={"tile": where})
        piano = "Hobbs Cafe: cafe: piano"
        plays = act(isabella, klaus, act={"object": piano, "doing": "playing the piano"})
        lived(town, "09:20")
        assert isabella.get(walk).json()["state"] == "done"
        assert isabella.get(plays).json()["state"] == "accepted"
        shown = isabella.get(klaus).json()
        assert shown["actions"][-1]["outcome"] == "begun"
        assert shown["standing"]["action"] == "playing the piano"
        objects = isabella.get(f"{town}/state").json()["objects"]
        assert (piano, [KLAUS]) in [(one["path"], one["used_by"]) for one in objects]
        assert isabella.delete(klaus).status_code == 202
        lived(town, "09:30")
        action = isabella.get(f"{town}/agents/{KLAUS}").json()["action"]
        assert action not in {"playing the piano", "looking around"}
        listed = isabella.everything(f"{town}/embodiments")
        assert [(one["agent"], one["state"]) for one in listed] == [(KLAUS, "ended")]

    def test_is_refused_with_a_code(self, isabella: Caller, town: str) -> None:
        address = f"{town}/agents/{KLAUS}/embodiment"
        klaus = f"{town}/embodiments/{isabella.post(address, {}).json()['id']}"
        problem(isabella.post(address, {}), 409, "already-embodied")
        problem(isabella.post(f"{town}/run", {"ticks": 6}), 409, "pace-needed")
        lived(town, "09:01")
        problem(isabella.delete(f"{town}/agents/{KLAUS}"), 409, "embodied")
        for body, status, code in (
            ({}, 422, "invalid-request"),
            ({"move": {"to": "Hobbs Cafe"}, "say": {"text": "Hi"}}, 422, "invalid-request"),
            ({"move": {}}, 422, "invalid-request"),
            ({"move": {"to": "Nowhere"}}, 422, "unknown-place"),
            ({"move": {"to": "bed"}}, 422, "ambiguous-place"),
            ({"move": {"tile": {"x": 99_999, "y": 0}}}, 422, "unusable-action"),
            ({"act": {"object": "Hobbs Cafe", "doing": "sitting"}}, 422, "unusable-action"),
            ({"with_agent": {"kind": "talk to"}}, 422, "invalid-request"),
            ({"with_agent": {"kind": "follow"}}, 422, "invalid-request"),
            ({"with_agent": {"kind": "leave", "thing": "a cup"}}, 422, "invalid-request"),
            ({"with_agent": {"kind": "follow", "agent": "nobody"}}, 422, "agent-not-in-world"),
            ({"say": {"text": "word " * 100}}, 422, "invalid-request"),
            ({"say": {"text": "Hello?", "by_phone": True}}, 422, "invalid-request"),
            ({"say": {"text": "Hi", "to": "nobody"}}, 422, "agent-not-in-world"),
            ({"move": {"to": "Hobbs Cafe"}, "at": "2023-02-13T01:00"}, 409, "time-past"),
        ):
            problem(isabella.post(f"{klaus}/actions", body), status, code)
        aside = {"say": {"text": "Hi", "to": "Isabella Rodriguez"}}
        told = problem(isabella.post(f"{klaus}/actions", aside), 422, "agent-not-in-world")
        assert told["candidates"] == [ISABELLA]
        assert told["detail"] == (
            f"there is no agent 'Isabella Rodriguez'; did you mean '{ISABELLA}'?"
        )
        past = {"move": {"to": "Hobbs Cafe"}, "at": "2023-02-13T08:00"}
        assert isabella.post(f"{klaus}/actions", past).json()["detail"] == (
            "2023-02-13T08:00:00 (tick 2880) is past: give a later time than "
            "2023-02-13T09:01:00 (tick 3246), or leave `at` out"
        )
        assert isabella.delete(klaus).status_code == 202
        hello = {"say": {"text": "Hi"}}
        problem(isabella.post(f"{klaus}/actions", hello), 409, "embodiment-over")
        problem(isabella.delete(klaus), 409, "embodiment-over")
        for number in ("7", "none", "1.0"):
            problem(isabella.get(f"{town}/embodiments/{number}"), 404, "embodiment-unknown")

    def test_is_for_who_began_it_and_for_owners(self, isabella: Caller, town: str) -> None:
        administrator = caller_of(User.objects.create_superuser("root"))
        other = caller_of(User.objects.create_user("somebody-else"))
        klaus = visit(administrator, town)
        # A stranger sees nothing of it; the owner may end what an administrator has begun.
        problem(other.post(f"{town}/visitors", {"name": "B"}), 404, "simulation-unknown")
        problem(other.get(klaus), 404, "simulation-unknown")
        # A collaborator may act, but not for others; whoever is made an owner may.
        add_member(row_of(town).pk, "somebody-else", Role.COLLABORATOR, by="isabella")
        hello = {"say": {"text": "Hi"}}
        problem(other.post(f"{klaus}/actions", hello), 403, "not-your-embodiment")
        problem(other.delete(klaus), 403, "not-your-embodiment")
        MembershipRow.objects.filter(user__username="somebody-else").update(role=Role.OWNER)
        assert other.post(f"{klaus}/actions", hello).status_code == 202
        assert isabella.delete(klaus).status_code == 202
