"""News travels by what people say and do, and by nothing else (L4, E4, paper 7.1)."""

from dataclasses import dataclass
from typing import Any

import pytest
from pytest_django import DjangoDbBlocker

from apps import wiring
from apps.dialogue.events import Said
from apps.evaluation.social.grapevine import Grapevine, NewsLink
from apps.evaluation.social.news import News
from apps.eventlog.rebuild import check
from apps.memory.llm_tasks.facts import FACTS, FactsInput, LastingFactsFound
from apps.reaction.inputs import DecisionInput
from apps.reaction.llm_tasks import DECISION, Decision, go_on
from apps.rule_model.model import Chance
from apps.simulation.engine import lifecycle
from apps.simulation.ports import Ports
from tests.support.news import CANDIDACY, ORIGINS, PARTY
from tests.support.rules import TASK_RULES
from tests.support.towns import answering, found, happened, live

# Who keeps the cafe, who often sits there, and the candidate with his wife.
GUESTS = (
    "Isabella Rodriguez",
    "Eddy Lin",
    "Giorgio Rossi",
    "Hailey Johnson",
    "Jennifer Moore",
    "Ryan Park",
    "Sam Moore",
    "Wolfgang Schulz",
)
NOON = "2023-02-13T12:00"
# With three of them Isabella prepares her party before the eyes of who sits in the cafe.
IN_THE_CAFE = ("Isabella Rodriguez", "Eddy Lin", "Ryan Park", "Sam Moore")
AFTERNOON = "2023-02-13T16:30"
# Agents that remember nothing to tell talk little, and late in the day.
EVENING = "2023-02-13T21:00"


@dataclass(frozen=True, slots=True, kw_only=True)
class Morning:
    """A simulated morning, and how its news travelled.

    `conversations` are their ids by the identity of each utterance; `problems` are what
    `check_log` says of the run.
    """

    end: int
    grapevine: Grapevine
    conversations: dict[str, str]
    problems: tuple[str, ...]

    def knowers(self, news: News) -> set[str]:
        """Return who knows at the end, but for whom it began with."""
        return set(self.grapevine.knowers(news, at_tick=self.end)) - {ORIGINS[news.name]}

    def chain(self, news: News, agent: str) -> list[NewsLink]:
        """Return how the news came to somebody."""
        return self.grapevine.chain(news, agent, at_tick=self.end)


def lived(
    settings: dict[str, Any] | None = None,
    ports: Ports | None = None,
    *,
    agents: tuple[str, ...] = GUESTS,
    until: str = NOON,
) -> Morning:
    """Simulate a morning of the guests and keep what there is to be known of it."""
    row = live(found(agents=agents, settings=settings, ports=ports), until, ports=ports)
    morning = Morning(
        end=row.committed_tick,
        grapevine=Grapevine(wiring.event_store().read(row.pk)),
        conversations={one.place: one.event.conversation for one in happened(row, Said)},
        problems=tuple(map(str, check(wiring.event_store(), row.pk).problems)),
    )
    lifecycle.delete_simulation(wiring.ports(), row.pk)
    return morning


@pytest.fixture(scope="module")
def morning(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Morning:
    """Simulate a morning of the guests; one run for all tests."""
    with django_db_blocker.unblock():
        return lived()


@pytest.mark.django_db(transaction=True)
class TestNews:
    def test_has_a_chain_of_words_and_deeds_for_everybody_who_knows(
        self, morning: Morning
    ) -> None:
        for news in (PARTY, CANDIDACY):
            assert morning.knowers(news), f"somebody hears of the {news.name}"
            for agent in morning.knowers(news):
                chain = morning.chain(news, agent)
                assert chain[0].source == ORIGINS[news.name]
                assert chain[-1].agent == agent

    def test_is_told_in_talks(self, morning: Morning) -> None:
        chains = [morning.chain(CANDIDACY, agent) for agent in morning.knowers(CANDIDACY)]
        assert any(link.event in morning.conversations for chain in chains for link in chain)

    def test_leaves_a_log_that_can_be_rebuilt(self, morning: Morning) -> None:
        assert morning.problems == ()

    def test_does_not_travel_when_nothing_comes_to_mind(self) -> None:
        # The lasting facts of a description are in prompts whatever is retrieved.
        no_facts = answering({FACTS.name: _nothing_lasting})
        forgetful = lived({"retrieval_tokens": 0}, ports=no_facts, until=EVENING)
        assert forgetful.conversations, "they do talk"
        assert forgetful.knowers(PARTY) == set()
        assert forgetful.knowers(CANDIDACY) == set()

    def test_is_not_heard_where_nobody_talks(self) -> None:
        silent = lived({"talk_utterances_max": 0}, agents=IN_THE_CAFE, until=AFTERNOON)
        assert silent.conversations == {}
        assert silent.knowers(CANDIDACY) == set()
        for agent in silent.knowers(PARTY):
            [link] = silent.chain(PARTY, agent)
            assert link.source == ORIGINS[PARTY.name]
            assert link.memory.startswith("Isabella Rodriguez is "), "what they saw her do"

    def test_does_not_come_to_those_who_had_it_from_a_talk_that_is_taken_out(
        self, morning: Morning
    ) -> None:
        link = _first_told(morning)
        conversation = morning.conversations[link.event]

        def nobody_speaks_then(inputs: DecisionInput, chance: Chance) -> Decision:
            if chance.call_id.startswith(f"{conversation}/"):
                return go_on(inputs)
            decision: Decision = TASK_RULES[DECISION.name](inputs, chance)
            return decision

        replay = lived(ports=answering({DECISION.name: nobody_speaks_then}))
        assert conversation not in replay.conversations.values()
        # The listener knew it then, and does not know it then in the replay.
        assert link.agent in morning.grapevine.knowers(CANDIDACY, at_tick=link.tick)
        assert link.agent not in replay.grapevine.knowers(CANDIDACY, at_tick=link.tick)
        # Whoever comes to know it all the same has it from somewhere else.
        for agent in replay.knowers(CANDIDACY):
            sources = [step.event for step in replay.chain(CANDIDACY, agent)]
            assert not any(replay.conversations.get(one) == conversation for one in sources)


def _nothing_lasting(_inputs: FactsInput, _chance: Chance) -> LastingFactsFound:
    return LastingFactsFound(occupation=(), pursuits=(), ties=())


def _first_told(morning: Morning) -> NewsLink:
    """Return how the first listener came to know of the candidacy from the candidate."""
    links = [morning.chain(CANDIDACY, agent)[0] for agent in morning.knowers(CANDIDACY)]
    return min(links, key=lambda link: (link.tick, link.agent))
