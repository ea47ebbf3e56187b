"""The page on which people rank answers: by keyboard, blind, and for everybody."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Request

from tests.browser.town import MORNING, TownServer
from tests.browser.visits import DESKTOP, PHONE, Visit, watch
from tests.support.processes import wait_until

CONDITIONS = ["full", "no-reflection", "no-observation-no-reflection-no-planning"]
QUESTIONS = {
    "name": "ranked",
    "title": "Two questions",
    "questions": [
        {"name": "who", "category": "self", "text": "Give an introduction of yourself."},
        {"name": "work", "category": "self", "text": "What is your occupation?"},
    ],
}
SURVEY_SECONDS = 120.0
SUBMIT = "Submit and go on"
ROUNDS_MAX, ROUND_MILLISECONDS = 100, 50


@dataclass(frozen=True, slots=True)
class OpenRanking:
    """A ranking by people of two tasks, and its address below the API."""

    survey: str
    ranking: str

    def path(self, server: TownServer) -> str:
        return f"/simulations/{server.town}/surveys/{self.survey}/rankings/{self.ranking}"


@dataclass
class Evaluator:
    """A tab with the page, and all that the server has sent to it."""

    visit: Visit
    received: list[str] = field(default_factory=list)

    @property
    def page(self) -> Page:
        return self.visit.page

    @property
    def keys(self) -> Any:
        return self.page.keyboard

    def waits(self) -> None:
        """Wait until the task is there."""
        self.page.locator("main:not([aria-busy])").wait_for()

    def focused(self) -> str:
        """Return the name of the focused input, or the text of another focused element."""
        told: str = self.page.evaluate(
            "(document.activeElement.name || document.activeElement.textContent)"
        )
        return told

    def is_blind(self) -> None:
        """Check that no condition is on the page, in its markup, or was ever received."""
        for _ in range(ROUNDS_MAX):
            if self.received:  # answers are read in events, which may come after the picture
                break
            self.page.wait_for_timeout(ROUND_MILLISECONDS)
        assert self.received, "the answers of the API are kept"
        told = [self.page.content(), *self.received]
        for condition in CONDITIONS[1:]:
            assert not any(condition in text for text in told), condition
        assert not any('"conditions"' in text or '"full"' in text for text in self.received)


@pytest.fixture(scope="module")
def survey(server: TownServer) -> str:
    """Return a finished survey of two questions to Isabella."""
    server.ask("POST", "/questionnaires", QUESTIONS)
    below = f"/simulations/{server.town}/surveys"
    body = {
        "questionnaire": "ranked",
        "agents": ["isabella-rodriguez"],
        "moments": [MORNING],
        "conditions": CONDITIONS,
    }
    asked = str(server.ask("POST", below, body)["id"])
    wait_until(
        lambda: server.ask("GET", f"{below}/{asked}")["state"] == "done",
        seconds=SURVEY_SECONDS,
        told=lambda: server.processes.log_of("worker")[-3_000:],
    )
    return asked


@pytest.fixture
def ranking(server: TownServer, survey: str) -> OpenRanking:
    """Return a new ranking by people."""
    path = f"/simulations/{server.town}/surveys/{survey}/rankings"
    made = server.ask("POST", path, {"judge": "people", "seed": 7})
    return OpenRanking(survey, str(made["id"]))


@pytest.fixture
def evaluate(
    browser: Browser, server: TownServer, ranking: OpenRanking
) -> Iterator[Callable[..., Evaluator]]:
    """Give a function that opens the link of an evaluator; nothing may fail in the page."""
    opened: list[Evaluator] = []

    def open_link(
        *, size: tuple[int, int] = DESKTOP, scheme: Any = "light", token: str | None = None
    ) -> Evaluator:
        context = browser.new_context(
            viewport={"width": size[0], "height": size[1]},
            color_scheme=scheme,
            reduced_motion="reduce",
        )
        evaluator = Evaluator(Visit(context.new_page(), server.town))
        opened.append(evaluator)
        watch(evaluator.visit)

        def receive(request: Request) -> None:
            response = request.response()
            if response is not None and "/api/v1/" in response.url:
                evaluator.received.append(response.text())

        evaluator.page.on("requestfinished", receive)
        evaluator.page.goto(
            f"{server.origin}/rank.html#token={server.token if token is None else token}"
            f"&simulation={server.town}&survey={ranking.survey}&ranking={ranking.ranking}"
        )
        evaluator.waits()
        return evaluator

    yield open_link
    for each in opened:
        problems = each.visit.problems
        each.page.context.close()
        assert problems == [], problems


class TestByKeyboard:
    def test_an_evaluator_ranks_two_tasks_blind(
        self, evaluate: Callable[..., Evaluator], server: TownServer, ranking: OpenRanking
    ) -> None:
        evaluator = evaluate()
        assert "token" not in evaluator.page.url
        assert "0 of 2 questions ranked" in evaluator.page.locator("main").inner_text()
        evaluator.is_blind()

        # A is the best, B and C are equal.
        self.choose(evaluator, "A")
        for letter in "BC":
            evaluator.keys.press("Tab")
            assert evaluator.focused() == f"rank-{letter}"
            evaluator.keys.press("Space")
            evaluator.keys.press("ArrowRight")
        order = evaluator.page.get_by_role("status")
        assert order.inner_text() == "Your order: A, then B = C."
        evaluator.keys.press("Tab")
        evaluator.keys.type("A says what she does.")
        evaluator.keys.press("Tab")
        evaluator.keys.press("Enter")
        evaluator.page.get_by_text("1 of 2 questions ranked").wait_for()
        evaluator.is_blind()
        assert evaluator.focused() == evaluator.page.locator("h2").inner_text()

        for letter in "ABC":
            self.choose(evaluator, letter)
        evaluator.page.get_by_role("button", name=SUBMIT).press("Enter")
        evaluator.page.get_by_text("You have ranked all questions").wait_for()
        evaluator.is_blind()

        judgements = server.pages(f"{ranking.path(server)}/judgements")
        ranks = sorted(sorted(one["ranks"].values()) for one in judgements)
        assert ranks == [[1, 2.5, 2.5], [2, 2, 2]]
        assert "A says what she does." in {one["reason"] for one in judgements}
        assert set(judgements[0]["ranks"]) == set(CONDITIONS), "the report has the conditions"

    def test_a_rank_that_is_missing_is_asked_for_at_its_answer(
        self, evaluate: Callable[..., Evaluator]
    ) -> None:
        evaluator = evaluate()
        self.choose(evaluator, "A")
        evaluator.page.get_by_role("button", name=SUBMIT).press("Enter")
        assert evaluator.focused() == "rank-B"
        assert "Answer B has no rank" in evaluator.page.locator("#error-B").inner_text()
        assert evaluator.page.locator("#error-A").is_hidden()
        evaluator.keys.press("Space")
        assert evaluator.page.locator("#error-B").is_hidden()

    @staticmethod
    def choose(evaluator: Evaluator, letter: str) -> None:
        """Give an answer the first rank."""
        evaluator.page.locator(f"input[name=rank-{letter}]").first.focus()
        evaluator.keys.press("Space")

    def test_the_last_ranks_can_be_changed(
        self, evaluate: Callable[..., Evaluator], server: TownServer, ranking: OpenRanking
    ) -> None:
        evaluator = evaluate()
        evaluator.page.get_by_label("Why so").fill("C knows too much")
        self.rank(evaluator, {"A": 1, "B": 2, "C": 3})
        evaluator.page.get_by_text("1 of 2 questions ranked").wait_for()
        evaluator.page.get_by_role("button", name="Change the ranks").click()
        assert evaluator.page.locator("input[name=rank-C]:checked").input_value() == "3"
        self.rank(evaluator, {"C": 1})
        evaluator.page.get_by_role("button", name="Change the ranks").wait_for()
        [judgement] = server.pages(f"{ranking.path(server)}/judgements")
        assert sorted(judgement["ranks"].values()) == [1.5, 1.5, 3]
        assert judgement["reason"] == "C knows too much"

    @staticmethod
    def rank(evaluator: Evaluator, ranks: dict[str, int]) -> None:
        for letter, rank in ranks.items():
            evaluator.page.locator(f"input[name=rank-{letter}][value='{rank}']").check()
        evaluator.page.get_by_role("button", name=SUBMIT).click()
        evaluator.waits()


class TestAccessibility:
    @pytest.mark.parametrize("scheme", ["light", "dark"])
    @pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
    def test_has_no_violation_and_no_sideways_scrolling(
        self,
        evaluate: Callable[..., Evaluator],
        scheme: str,
        size: tuple[int, int],
    ) -> None:
        evaluator = evaluate(size=size, scheme=scheme)
        assert evaluator.visit.violations() == []
        evaluator.page.get_by_role("button", name=SUBMIT).click()
        assert evaluator.visit.violations() == [], "with messages"
        wide = "document.documentElement.scrollWidth > innerWidth"
        assert not evaluator.page.evaluate(wide)


class TestErrors:
    def test_say_what_to_do_and_keep_the_ranks(
        self, evaluate: Callable[..., Evaluator], server: TownServer
    ) -> None:
        evaluator = evaluate()
        for letter in "ABC":
            evaluator.page.locator(f"input[name=rank-{letter}]").first.check()
        evaluator.page.route("**/judgement", lambda route: route.abort())
        evaluator.page.get_by_role("button", name=SUBMIT).click()
        alert = evaluator.page.get_by_role("alert")
        assert "Your ranks are still here" in alert.inner_text()
        assert evaluator.page.locator("input:checked").count() == 3
        evaluator.page.unroute("**/judgement")
        evaluator.page.get_by_role("button", name=SUBMIT).click()
        evaluator.page.get_by_text("1 of 2 questions ranked").wait_for()
        # The request that was cut off is the only one that failed.
        expected = [one for one in evaluator.visit.problems if "ERR_FAILED" in one]
        assert len(expected) == len(evaluator.visit.problems) > 0
        evaluator.visit.problems.clear()

    def test_of_a_link_without_a_valid_token_ask_for_another(
        self, evaluate: Callable[..., Evaluator]
    ) -> None:
        evaluator = evaluate(token="sv_wrong")
        assert "Ask the person who sent it" in evaluator.page.get_by_role("alert").inner_text()
        assert any(one.startswith("401") for one in evaluator.visit.problems)
        evaluator.visit.problems.clear()

    def test_of_an_incomplete_link_name_what_is_missing(
        self, evaluate: Callable[..., Evaluator]
    ) -> None:
        evaluator = evaluate(token="")
        assert "it lacks token" in evaluator.page.get_by_role("alert").inner_text()
        assert evaluator.received == [], "nothing is asked"
