"""A couple talks; what was said, why, and what came of it can be asked (V6, D2, E4)."""

import csv
import io
from collections.abc import Iterator
from typing import Any

import pytest
from pytest_django.plugin import DjangoDbBlocker

from apps import wiring
from apps.dialogue.inputs import TakeawaysInput, UtteranceInput
from apps.dialogue.llm_tasks import TAKEAWAYS, UTTERANCE
from apps.dialogue.llm_tasks.takeaways import (
    Learnt,
    Takeaways,
)
from apps.dialogue.llm_tasks.utterance import Utterance
from apps.reaction.inputs import DecisionInput
from apps.reaction.llm_tasks import DECISION, Decision, go_on
from apps.rule_model.model import Chance
from apps.simulation import provenance
from apps.simulation.engine import lifecycle
from apps.simulation.models import SimulationRow
from tests.acceptance.api.calling import Caller, owned_by_isabella, problem
from tests.support.builders import commitment_to, speaks
from tests.support.inputs import agents_to_address
from tests.support.towns import answering, found, live

WORDS = ["There is a concert at Johnson Park on Tuesday at five.", "Is there?", "See you!"]


def john_speaks(inputs: DecisionInput, chance: Chance) -> Decision:
    """Let John open the talk once, and nobody else."""
    for number, agent in agents_to_address(inputs):
        if inputs.agent_name == "John Lin" and agent.acquaintance.last_talk is None:
            return speaks(number, "tell her", WORDS[0])
    return go_on(inputs)


def three_turns(inputs: UtteranceInput, chance: Chance) -> Utterance:
    """Tell the news, wonder, say goodbye."""
    return Utterance(utterance=WORDS[len(inputs.lines)], ends=len(inputs.lines) == 2)


def keeps_the_news(inputs: TakeawaysInput, chance: Chance) -> Takeaways:
    """Remember what the other told, and agree to come."""
    told = inputs.lines[0].speaker == inputs.other_name
    concert = commitment_to(
        "listen to the concert", "2023-02-14", "17:00", "18:30", place="Johnson Park"
    )
    learnt = Learnt(sentence=f"{inputs.other_name} told of a concert", line=1)
    return Takeaways(
        gist=f"{inputs.agent_name} talked with {inputs.other_name}",
        learnt=(learnt,) if told else (),
        agreed=(concert,) if told else (),
        declined=(),
        about_other=f"{inputs.agent_name} likes to talk with {inputs.other_name}",
        for_plans="",
    )


@pytest.fixture(scope="module")
def couple(
    django_db_setup: None, django_db_blocker: DjangoDbBlocker
) -> Iterator[SimulationRow]:
    """Give the Lins and Isabella, who lives elsewhere, at ten in the morning."""
    with django_db_blocker.unblock():
        ports = answering(
            {
                DECISION.name: john_speaks,
                UTTERANCE.name: three_turns,
                TAKEAWAYS.name: keeps_the_news,
            }
        )
        agents = ("John Lin", "Mei Lin", "Isabella Rodriguez")
        row = live(found(agents=agents), "2023-02-13T10:00", ports=ports)
    yield row
    with django_db_blocker.unblock():
        lifecycle.delete_simulation(wiring.ports(), row.pk)


@pytest.fixture
def lins(couple: SimulationRow, isabella: Caller) -> str:
    """Return the address of their town."""
    return owned_by_isabella(couple)


@pytest.fixture
def talk(lins: str, isabella: Caller) -> dict[str, Any]:
    """Return their talk, word by word."""
    listed = isabella.get(f"{lins}/conversations", agent="mei-lin").json()["results"]
    whole: dict[str, Any] = isabella.get(f"{lins}/conversations/{listed[0]['id']}").json()
    assert whole.items() >= listed[0].items()
    return whole


class TestProvenance:
    def why(self, isabella: Caller, town: str, event: str) -> Any:
        response = isabella.get(f"{town}/events/{event}/provenance")
        assert response.status_code == 200, response.content
        return response.json()

    def test_tells_why_something_was_said(
        self, isabella: Caller, lins: str, talk: dict[str, Any]
    ) -> None:
        opening = talk["utterances"][0]
        why = self.why(isabella, lins, opening["event"])
        assert why["event"]["data"]["text"] == WORDS[0]
        assert why["conversation"] == talk["id"]
        # He saw her, weighed it, and chose to talk.
        assert why["causes"][0]["type"] == "reaction.decided.v1"
        assert why["causes"][1]["stream"] == "mei-lin"
        assert why["reaction"] == why["causes"][0]
        assert why["reaction"]["data"]["what"] == "tell her"
        # What he had planned: he speaks between two hours, before the actions of the next.
        assert why["plan"].pop("action") is None
        assert {"hour", "outline"} == set(why["plan"])
        for step in why["plan"].values():
            planned = isabella.get(f"{lins}/events/{step['event']}").json()
            assert step["number"] in [item["number"] for item in planned["data"]["items"]]
        # What came to mind is what was in the prompt, scored as it was then.
        own = [one for one in why["retrievals"] if one["for"] == opening["event"]]
        brought = {memory["id"] for one in own for memory in one["memories"]}
        assert brought == set(opening["memories"])
        # The very prompt, and the raw answer: the decision holds the words.
        [decided] = why["model_calls"]
        assert decided["task"] == DECISION.name
        assert decided["answer"]["say"] == WORDS[0]
        prompt = decided["messages"][-1]["content"]
        told = own[0]["memories"]
        assert told
        # Earlier sights of what she did are left out of a prompt about her.
        told = [one for one in told if not one["description"].startswith("Mei Lin is ")]
        assert all(memory["description"] in prompt for memory in told)
        full = isabella.get(f"{lins}/model-calls/{decided['id']}").json()
        assert decided == full | {"for": why["reaction"]["id"]}

    def test_scores_every_retrieval_as_the_log_has_it(
        self, isabella: Caller, lins: str
    ) -> None:
        recalled = isabella.everything(f"{lins}/events", type="memory.retrieved.v1", limit=500)
        assert len(recalled) > 20
        for event in recalled[::7]:
            [retrieval] = self.why(isabella, lins, event["id"])["retrievals"]
            memories = retrieval["memories"]
            assert [memory["id"] for memory in memories] == event["data"]["numbers"]
            # Routine and repetitions have ranks too, and are not in the prompt.
            ranks = [memory["rank"] for memory in memories]
            assert len(set(ranks)) == len(ranks)
            assert all(rank >= 1 for rank in ranks)
            for memory in memories:
                parts = memory["parts"].values()
                assert memory["score"] == pytest.approx(
                    sum(part["scaled"] * part["weight"] for part in parts)
                )
                assert memory["event"]

    def test_scores_memories_beyond_the_first_of_the_ranking(
        self, isabella: Caller, lins: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        # Memories about the agent asked about may be anywhere in the ranking.
        [event] = isabella.get(f"{lins}/events", type="memory.retrieved.v1", limit=1).json()[
            "results"
        ]
        before = self.why(isabella, lins, event["id"])["retrievals"]
        assert len(before[0]["memories"]) > 1
        monkeypatch.setattr(provenance, "CANDIDATES_MAX", 1)
        assert self.why(isabella, lins, event["id"])["retrievals"] == before

    def test_of_a_reply_names_no_reaction_of_somebody_else(
        self, isabella: Caller, lins: str, talk: dict[str, Any]
    ) -> None:
        opening, reply, _ = talk["utterances"]
        why = self.why(isabella, lins, reply["event"])
        assert why["causes"][0]["id"] == opening["event"]
        assert why["reaction"] is None

    def test_of_a_thought_leads_to_what_it_rests_on(
        self, isabella: Caller, lins: str, talk: dict[str, Any]
    ) -> None:
        mei = next(side for side in talk["sides"] if side["agent"] == "mei-lin")
        thought = next(one for one in mei["remembers"] if one["kind"] == "reflection")
        why = self.why(isabella, lins, thought["event"])
        assert why["causes"][0]["type"] == "dialogue.talk-ended.v1"
        [*_, heard] = [one for one in why["evidence"] if "told of" in one["description"]]
        assert heard["source"] == talk["utterances"][0]["event"]
        assert "dialogue.takeaways" in {call["task"] for call in why["model_calls"]}

    def test_of_an_action_shows_who_planned_it_and_the_prompt(
        self, isabella: Caller, lins: str
    ) -> None:
        action = isabella.everything(
            f"{lins}/events", type="agents.action-began.v1", agent="isabella-rodriguez"
        )[-1]
        why = self.why(isabella, lins, action["id"])
        assert why["plan"]["action"]["number"] == action["data"]["plan_item"]
        made = why["plan"]["action"]["event"]
        assert {call["for"] for call in why["model_calls"]} == {made}
        assert why["model_calls"][0]["messages"]

    def test_can_be_asked_of_every_event(self, isabella: Caller, lins: str) -> None:
        for event in isabella.everything(f"{lins}/events", limit=500)[::9]:
            self.why(isabella, lins, event["id"])

    def test_refuses_what_is_not_there(
        self, isabella: Caller, klaus: Caller, lins: str
    ) -> None:
        for event in ("0/simulation/9", "99999999/john-lin/0", "0/John Lin/0"):
            problem(isabella.get(f"{lins}/events/{event}/provenance"), 404, "event-unknown")
        problem(
            klaus.get(f"{lins}/events/0/simulation/0/provenance"), 404, "simulation-unknown"
        )


class TestConversations:
    def test_are_told_word_by_word_with_how_they_ended(self, talk: dict[str, Any]) -> None:
        assert [said["text"] for said in talk["utterances"]] == WORDS
        assert [said["agent"] for said in talk["utterances"]] == [
            "john-lin",
            "mei-lin",
            "john-lin",
        ]
        assert talk["participants"] == ["john-lin", "mei-lin"]
        assert talk["place"].startswith("Lin family's house")
        assert talk["open"] is False
        assert {side["why"] for side in talk["sides"]} == {"said all there was to say"}
        assert talk["end_at"] == max(side["end_at"] for side in talk["sides"])
        [agreed] = talk["commitments"]
        assert (agreed["agent"], agreed["declined"]) == ("mei-lin", False)
        assert (agreed["activity"], agreed["day"]) == ("listen to the concert", "2023-02-14")

    def test_are_found_by_who_when_and_whether_they_go_on(
        self, isabella: Caller, lins: str, talk: dict[str, Any]
    ) -> None:
        def listed(**filters: Any) -> list[str]:
            found = isabella.get(f"{lins}/conversations", **filters).json()["results"]
            return [one["id"] for one in found]

        assert talk["id"] in listed()
        assert talk["id"] in listed(between=["mei-lin", "john-lin"])
        assert listed(agent="isabella-rodriguez") == []
        assert listed(between=["mei-lin", "isabella-rodriguez"]) == []
        strangers = isabella.get(f"{lins}/conversations", between=["mei-lin", "nobody"])
        problem(strangers, 404, "agent-unknown")
        assert talk["id"] in listed(**{"from": talk["start_at"]})
        assert talk["id"] not in listed(to=talk["start_at"])
        assert talk["id"] not in listed(open="true")
        assert talk["id"] in listed(open="false")
        one_by_one = isabella.everything(f"{lins}/conversations", limit=1)
        assert [one["id"] for one in one_by_one] == listed()
        for bad in ({"between": ["mei-lin"]}, {"open": "perhaps"}, {"cursor": "abc"}):
            problem(isabella.get(f"{lins}/conversations", **bad), 422, "invalid-request")
        for unknown in ("1/john-lin", "x/john-lin", "1/Nobody"):
            answer = isabella.get(f"{lins}/conversations/{unknown}")
            problem(answer, 404, "conversation-unknown")

    def test_stand_as_they_stood_while_they_went_on(
        self, isabella: Caller, lins: str, couple: SimulationRow, talk: dict[str, Any]
    ) -> None:
        second = int(talk["utterances"][1]["event"].partition("/")[0])
        SimulationRow.objects.filter(pk=couple.pk).update(committed_tick=second)
        then = isabella.get(f"{lins}/conversations/{talk['id']}").json()
        assert then["open"] is True
        assert then["end_at"] is None
        assert [said["text"] for said in then["utterances"]] == WORDS[:2]
        assert then["commitments"] == []
        assert {side["why"] for side in then["sides"]} == {None}
        assert isabella.get(f"{lins}/conversations", open="true").json()["results"]

    def test_can_be_downloaded(self, isabella: Caller, lins: str) -> None:
        page = isabella.get(f"{lins}/conversations").json()["results"]
        response = isabella.get(f"{lins}/conversations", format="csv")
        text = b"".join(response.streaming_content).decode()
        cells = list(csv.reader(io.StringIO(text, newline="")))
        assert cells[0] == list(page[0])
        assert [row[0] for row in cells[1:]] == [one["id"] for one in page]


class TestRelationships:
    def test_tell_who_knows_whom_and_how_closely_the_town_is_knit(
        self, isabella: Caller, lins: str, talk: dict[str, Any]
    ) -> None:
        answer = isabella.get(f"{lins}/relationships").json()
        assert answer["agent_count"] == 3
        pairs = {(one["agent"], one["other"]): one for one in answer["results"]}
        john = pairs["john-lin", "mei-lin"]
        assert john["remembered"]
        assert john["mutual"]
        assert john["conversation_count"] >= 1
        assert john["last_talk_at"] >= talk["end_at"]
        latest = john["latest_memory"]
        memory = isabella.get(f"{lins}/agents/john-lin/memories/{latest['id']}").json()
        assert memory["description"] == latest["description"]
        mutual = {frozenset(pair) for pair, one in pairs.items() if one["mutual"]}
        assert answer["densities"]["remembered"] == pytest.approx(len(mutual) / 3)
        assert (john["tie"], john["standing"]) == ("partner", "close")
        assert all(john[kind] for kind in ("sighted", "met", "talked", "related"))
        for kind, share in answer["densities"].items():
            both = {
                frozenset(pair)
                for pair, one in pairs.items()
                if one[kind] and pairs[pair[1], pair[0]][kind]
            }
            assert share == pytest.approx(len(both) / 3)
        of_mei = isabella.everything(f"{lins}/relationships", agent="mei-lin", limit=1)
        assert of_mei == [one for pair, one in pairs.items() if pair[0] == "mei-lin"]
        problem(isabella.get(f"{lins}/relationships", agent="nobody"), 404, "agent-unknown")


class TestFacts:
    def test_lists_what_lasts_with_its_evidence(self, isabella: Caller, lins: str) -> None:
        facts = isabella.everything(f"{lins}/agents/mei-lin/facts", limit=2)
        assert [one["number"] for one in facts] == sorted(one["number"] for one in facts)
        occupation = facts[0]
        assert (occupation["kind"], occupation["derived_from"]) == ("occupation", "description")
        for number, statement in zip(
            occupation["evidence"], occupation["statements"], strict=True
        ):
            memory = isabella.get(f"{lins}/agents/mei-lin/memories/{number}").json()
            assert memory["description"] == statement
        ties = isabella.everything(f"{lins}/agents/mei-lin/facts", kind="relationship", at=0)
        [john] = [one for one in ties if one["other"] == "john-lin"]
        assert (john["tie"], john["start_tick"]) == ("partner", 0)


class TestCommandsAndCosts:
    def test_lists_commands_the_latest_first(self, isabella: Caller, lins: str) -> None:
        asked = [
            isabella.delete(f"{lins}/agents/isabella-rodriguez").json()["command"]
            for _ in range(3)
        ]
        listed = isabella.everything(f"{lins}/commands", limit=1)
        assert [one["command"] for one in listed] == asked[::-1]
        first = isabella.get(f"{lins}/commands/{asked[0]}").json()
        assert listed[-1] == first
        same = isabella.get(f"{lins}/commands", kind=first["kind"], state="pending").json()
        assert len(same["results"]) == len(asked)
        assert isabella.get(f"{lins}/commands", state="refused").json()["results"] == []
        assert isabella.get(f"{lins}/commands", agent="mei-lin").json()["results"] == []
        for bad in ({"kind": "sing"}, {"state": "lost"}, {"cursor": "WyJhIiwiYiJd"}):
            problem(isabella.get(f"{lins}/commands", **bad), 422, "invalid-request")

    def test_shows_one_table_of_costs(self, isabella: Caller, lins: str) -> None:
        everything = isabella.get(f"{lins}/costs").json()
        groups = ("task", "model", "agent", "day")
        always = {"total", "tokens", "hours"}
        assert set(everything) == always | {f"by_{by}" for by in groups}
        assert 0 == everything["hours"]["reused"] < everything["hours"]["planned"]
        for by in groups:
            one = isabella.get(f"{lins}/costs", by=by).json()
            assert one == {key: everything[key] for key in (*always, f"by_{by}")}
        problem(isabella.get(f"{lins}/costs", by="mood"), 422, "invalid-request")
