"""News that is found by meaning, on a history whose truth is known of each agent (E4)."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.utils import timezone
from pytest_django import DjangoDbBlocker

from apps import wiring
from apps.agents import queries as agent_queries
from apps.agents.models import StayRow
from apps.evaluation.models import NewsFindingRow, NewsSearchRow
from apps.evaluation.news_searches.commands import (
    NEWS_SEARCHES,
    NewsSearchRequest,
    UnusableNews,
    request_news_search,
)
from apps.evaluation.news_searches.llm_tasks import (
    NEWS_VERIFICATION,
    NewsInput,
    NewsVerification,
)
from apps.evaluation.news_searches.queries import (
    NewsSearchNotFinished,
    search_progress,
    verified_news,
)
from apps.evaluation.social.grapevine import AgentFinding, Diffusion, Grapevine, diffusion
from apps.evaluation.social.news import KnowledgeVerdict, NewsEvidence, news_of
from apps.eventlog.store import log_sha256
from apps.experiments.argued_measures import NewsMeasure
from apps.experiments.run_steps import MeasuredRun
from apps.llm.calls.budget import Budget
from apps.llm.models import ModelCallRow
from apps.llm.port import BudgetSpent
from apps.memory.models import MemoryRow, RetrievalRow
from apps.rule_model.model import TaskRule
from apps.simulation.engine import lifecycle
from apps.simulation.engine.lifecycle import change_budget
from apps.simulation.models import SimulationRow
from apps.simulation.ports import Ports
from apps.work.rows import WorkState
from tests.support.concert import (
    BRIDGE_NEWS,
    FIRST_OF_BRIDGE,
    IN_OTHER_WORDS,
    KNOWING,
    LAST_TICK,
    NEWS,
    NOT_KNOWING,
    OTHER_NEWS,
    concert_town,
    read_by_person,
)
from tests.support.lost import lose_process
from tests.support.news import NO_SUCH_MEMORY
from tests.support.towns import answering

pytestmark = pytest.mark.django_db
AGENTS = [*KNOWING, *NOT_KNOWING]


@pytest.fixture(scope="module")
def town(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[SimulationRow]:
    """Give the history; one for all tests, since a search changes nothing of it."""
    with django_db_blocker.unblock():
        row = concert_town()
    yield row
    with django_db_blocker.unblock():
        lifecycle.delete_simulation(wiring.ports(), row.pk)


def by_person(**more: Any) -> Ports:
    """Return ports whose model verifies as a reader does, or in another given way."""
    return answering({NEWS_VERIFICATION.name: more.get("rule", read_by_person)})


def failing(error: BaseException) -> TaskRule:
    """Return a rule that raises the error in place of an answer."""

    def fail(_inputs: object, _chance: object) -> NewsVerification:
        raise error

    return fail


def requested(town: SimulationRow, news: str = NEWS, **more: Any) -> NewsSearchRow:
    details: dict[str, Any] = {"agents": AGENTS, "as_of_tick": LAST_TICK} | more
    request = NewsSearchRequest(news=news, **details)
    return request_news_search(town.pk, request, by="a researcher")


def done(ports: Ports, row: NewsSearchRow) -> Diffusion:
    """Carry out the search, and return the diffusion of its news among its agents."""
    NEWS_SEARCHES.carry_out(ports, row.pk)
    row.refresh_from_db()
    news = verified_news(row)
    return diffusion(log_of(row), news, news.searched or (), as_of_tick=row.as_of_tick)


def searched(town: SimulationRow, ports: Ports, news: str = NEWS) -> Diffusion:
    return done(ports, requested(town, news))


def log_of(search: NewsSearchRow) -> Grapevine:
    return Grapevine(wiring.event_store().read(search.simulation_id, until_tick=LAST_TICK))


def read_of(found: AgentFinding) -> NewsEvidence:
    """Return what the verifier has read and answered of an agent."""
    assert found.evidence is not None
    return found.evidence


def finding(found: Diffusion, agent: str) -> AgentFinding:
    return next(one for one in found.findings if one.agent == agent)


def knowers(found: Diffusion) -> set[str]:
    return {knower.agent for knower in found.knowers}


class TestByMeaning:
    def test_finds_exactly_those_that_know_in_any_words(self, town: SimulationRow) -> None:
        found = searched(town, by_person())
        assert knowers(found) == set(KNOWING)
        for agent, memory in KNOWING.items():
            assert read_of(finding(found, agent)).held[0]["description"] == memory

    def test_follows_each_memory_to_its_origin(self, town: SimulationRow) -> None:
        found = searched(town, by_person())
        eddy, maria, sam = (
            finding(found, agent).knower for agent in ("eddy-lin", "maria-lopez", "sam-moore")
        )
        assert eddy is not None
        assert (eddy.is_origin, eddy.chain) == (True, ())
        assert maria is not None
        assert [link.source for link in maria.chain] == ["eddy-lin", "klaus-mueller"]
        assert [link.event for link in maria.chain] == ["10/eddy-lin/0", "20/klaus-mueller/0"]
        assert maria.chain[-1].memory == IN_OTHER_WORDS
        assert sam is not None
        assert "nothing told sam-moore" in sam.problem
        assert found.unexplained == 1

    def test_does_not_take_a_teller_that_was_not_searched_for_an_invention(
        self, town: SimulationRow
    ) -> None:
        row = requested(town, agents=["maria-lopez", "sam-moore"])
        found = done(by_person(), row)
        maria, sam = (finding(found, agent).knower for agent in ("maria-lopez", "sam-moore"))
        assert maria is not None
        assert (maria.chain, maria.teller_not_searched) == ((), "klaus-mueller")
        assert "klaus-mueller were not searched; search all agents" in maria.problem
        assert sam is not None
        assert (bool(sam.problem), sam.teller_not_searched) == (True, "")
        assert found.unexplained == 1

    def test_says_the_same_of_a_teller_that_has_left(self, town: SimulationRow) -> None:
        stays = StayRow.objects.filter(simulation_id=town.pk, agent="klaus-mueller")
        stays.update(to_tick=LAST_TICK - 1)
        there = agent_queries.slugs_in_simulation(town.pk, as_of_tick=LAST_TICK)
        row = requested(town, agents=there)
        found = done(by_person(), row)
        maria = finding(found, "maria-lopez").knower
        assert maria is not None
        assert maria.teller_not_searched == "klaus-mueller"
        assert "an earlier moment if it has left" in maria.problem
        assert found.unexplained == 1  # Sam

    def test_names_for_each_no_what_was_read_and_asked(self, town: SimulationRow) -> None:
        isabella = finding(searched(town, by_person()), "isabella-rodriguez")
        assert isabella.verdict is KnowledgeVerdict.UNAWARE
        # The memory in the same words was the nearest, and was read.
        assert read_of(isabella).considered[0]["description"] == OTHER_NEWS
        [call] = read_of(isabella).model_calls
        assert ModelCallRow.objects.get(simulation_id=town.pk, call_id=call).outcome

    def test_searches_before_the_first_memory_that_was_found(self, town: SimulationRow) -> None:
        # More memories than a prompt has are nearer to the news than the first one.
        tom = read_of(finding(searched(town, by_person(), BRIDGE_NEWS), "tom-moreno"))
        assert tom.held[0]["description"] == FIRST_OF_BRIDGE
        assert len(tom.model_calls) > 1
        numbers = [memory["number"] for memory in tom.considered]
        assert len(set(numbers)) == len(numbers), "no memory is read twice"

    def test_changes_nothing_of_the_history(self, town: SimulationRow) -> None:
        before = log_sha256(town.pk), RetrievalRow.objects.count(), _memories(town)
        searched(town, by_person())
        assert (log_sha256(town.pk), RetrievalRow.objects.count(), _memories(town)) == before

    def test_is_the_measure_of_an_experiment(self, town: SimulationRow) -> None:
        row = requested(town)
        found = done(by_person(), row)
        measure = NewsMeasure(name="concert", news=NEWS)
        run = MeasuredRun(wiring.ports(), town.pk, LAST_TICK, {"concert": row})
        assert run.spread(measure) == found


class TestAgainstWords:
    def test_finds_what_words_miss_and_leaves_out_what_they_take_for_it(
        self, town: SimulationRow
    ) -> None:
        words = news_of(["concert"], ["Eddy Lin"])
        by_words = diffusion(log_of(requested(town)), words, AGENTS, as_of_tick=LAST_TICK)
        found_by_words = {knower.agent for knower in by_words.knowers}
        assert found_by_words - set(KNOWING) == {"isabella-rodriguez", "giorgio-rossi"}
        assert set(KNOWING) - found_by_words == {"maria-lopez"}

    def test_the_rule_claims_nothing_false_and_misses_other_words(
        self, town: SimulationRow
    ) -> None:
        assert knowers(searched(town, wiring.ports())) == set(KNOWING) - {"maria-lopez"}


class TestOfTheModel:
    def test_a_yes_without_a_memory_is_hallucinated(self, town: SimulationRow) -> None:
        def believes(_inputs: object, _chance: object) -> NewsVerification:
            return NewsVerification(knows=True, held=())

        found = searched(town, by_person(rule=believes), "The mill has burnt down")
        assert found.count(KnowledgeVerdict.HALLUCINATED) == len(AGENTS)
        assert found.share == 0

    def test_an_answer_that_stays_invalid_is_recorded_and_counts_nowhere(
        self, town: SimulationRow
    ) -> None:
        def wrong(_inputs: object, _chance: object) -> NewsVerification:
            return NO_SUCH_MEMORY

        found = searched(town, by_person(rule=wrong), "The bridge has collapsed")
        assert found.count(KnowledgeVerdict.UNVERIFIED) == len(AGENTS)
        assert "numbers 1 to" in read_of(found.findings[0]).parse_error
        [call] = read_of(found.findings[0]).model_calls
        row = ModelCallRow.objects.get(simulation_id=town.pk, call_id=call)
        assert row.fallback == "not_known"

    def test_shows_that_the_first_memory_is_unproved_if_a_later_answer_is_invalid(
        self, town: SimulationRow
    ) -> None:
        first: list[NewsInput] = []

        def fails_later(inputs: NewsInput, chance: object) -> NewsVerification:
            first.append(inputs)
            if inputs == first[0]:
                return read_by_person(inputs, chance)
            return NO_SUCH_MEMORY

        row = requested(town, BRIDGE_NEWS, agents=["tom-moreno"], as_of_tick=LAST_TICK - 1)
        tom = finding(done(by_person(rule=fails_later), row), "tom-moreno")
        assert tom.verdict is KnowledgeVerdict.KNOWS
        assert read_of(tom).held[0]["description"] != FIRST_OF_BRIDGE
        assert "numbers 1 to" in read_of(tom).parse_error
        assert search_progress([row.pk])[row.pk].invalid == 0


class TestWork:
    def test_pays_no_call_twice(self, town: SimulationRow) -> None:
        search = requested(town)
        first = done(by_person(), search)
        calls = ModelCallRow.objects.filter(simulation_id=town.pk)
        count = calls.count()
        # The process is lost before the last two findings are recorded.
        lost = NewsFindingRow.objects.filter(search=search).order_by("-agent")[:2]
        NewsFindingRow.objects.filter(pk__in=[one.pk for one in lost]).update(knows=None)
        rows = NewsSearchRow.objects.filter(pk=search.pk)
        lose_process(rows, state=WorkState.RUNNING)
        assert search.pk in NEWS_SEARCHES.ids()
        with pytest.raises(NewsSearchNotFinished, match="6 of 8 agents are verified"):
            verified_news(NewsSearchRow.objects.get(pk=search.pk))
        NEWS_SEARCHES.carry_out(by_person(), search.pk)
        # Nor is the same question in another search.
        again = searched(town, by_person())
        assert calls.count() == count
        assert again == first

    def test_never_takes_the_calls_of_a_deleted_search_for_its_own(
        self, town: SimulationRow
    ) -> None:
        def invalid(_inputs: object, _chance: object) -> NewsVerification:
            return NO_SUCH_MEMORY

        search = requested(town, "Eddy Lin has found a dog")
        deleted = done(by_person(rule=invalid), search)
        asked = {call for one in deleted.findings for call in read_of(one).model_calls}
        search.delete()
        other = searched(town, by_person(), "Eddy Lin has found a cat")
        assert asked.isdisjoint(
            call for one in other.findings for call in read_of(one).model_calls
        )
        assert other.count(KnowledgeVerdict.UNVERIFIED) == 0

    def test_waits_for_a_search_with_the_same_calls(self, town: SimulationRow) -> None:
        first = requested(town, "Eddy Lin has a cold")
        second = requested(town, "Eddy Lin has a cold", agents=AGENTS[:2])
        calls = ModelCallRow.objects.filter(simulation_id=town.pk)
        before = calls.count()
        tried: list[bool] = []

        def read(inputs: NewsInput, chance: object) -> NewsVerification:
            if not tried:  # another worker gets the second one meanwhile
                tried.append(NEWS_SEARCHES.carry_out(by_person(), second.pk))
            return read_by_person(inputs, chance)

        assert NEWS_SEARCHES.carry_out(by_person(rule=read), first.pk)
        assert tried == [False]
        assert calls.count() == before + len(AGENTS)
        assert second.pk in NEWS_SEARCHES.ids()
        assert NEWS_SEARCHES.carry_out(by_person(), second.pk)
        assert calls.count() == before + len(AGENTS)

    def test_pauses_when_the_budget_of_the_simulation_is_spent(
        self, town: SimulationRow
    ) -> None:
        change_budget(town.pk, Budget(tokens=1))
        try:
            row = requested(town, "Eddy Lin is back in town")
            with pytest.raises(BudgetSpent):
                NEWS_SEARCHES.carry_out(wiring.ports(), row.pk)
        finally:
            change_budget(town.pk, None)
        row.refresh_from_db()
        assert (row.state, row.problem_code) == ("paused", "budget-spent")

    def test_waits_for_another_process_when_its_own_is_interrupted(
        self, town: SimulationRow
    ) -> None:
        row = requested(town, "Eddy Lin has sold his piano")
        with pytest.raises(KeyboardInterrupt):
            NEWS_SEARCHES.carry_out(by_person(rule=failing(KeyboardInterrupt())), row.pk)
        row.refresh_from_db()
        assert (row.state, row.seen_at) == ("pending", None)
        assert NEWS_SEARCHES.carry_out(by_person(), row.pk)
        row.refresh_from_db()
        assert row.state == WorkState.DONE

    @pytest.mark.parametrize("news", ["", " ", "of the", "word " * 101])
    def test_refuses_news_that_tells_nothing_or_too_much(
        self, town: SimulationRow, news: str
    ) -> None:
        with pytest.raises(UnusableNews):
            requested(town, news)

    def test_says_when_to_try_again_while_another_process_is_at_it(
        self, town: SimulationRow
    ) -> None:
        row = requested(town, "Eddy Lin has lost a piano")
        rows = NewsSearchRow.objects.filter(pk=row.pk)
        rows.update(state=WorkState.RUNNING, seen_at=timezone.now())
        assert not NEWS_SEARCHES.carry_out(by_person(), row.pk)
        row.refresh_from_db()
        assert "try again after 15 seconds" in NEWS_SEARCHES.unfinished_problem(row)


def _memories(town: SimulationRow) -> list[tuple[Any, ...]]:
    rows = MemoryRow.objects.filter(simulation_id=town.pk).order_by("agent", "number")
    return list(rows.values_list())
