"""What stands on the screen follows from one state, and ends with its cause."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.town import TownServer

News = dict[str, Any]
ABOUT = {"role": "owner", "name": "a town", "preparation": {"agents": 5, "ready": 5}}
LIVE: list[News] = [
    {"kind": "view", "view": "simulation"},
    {"kind": "stream", "stream": "live"},
    {"kind": "status", "status": {
        "status": "paused", "reason": "from the page", "pace": 60, "end_at": None,
        "end_tick": None, "clock": {"tick": 5, "time": "2023-02-13T00:00:50"},
    }},
    {"kind": "about", "about": ABOUT},
    {"kind": "opened"},
]  # fmt: skip
RUN: News = {"kind": "command", "command": "Run"}
BACK: News = {"kind": "reach", "answers": True}


def outcome(of: str, **error: Any) -> News:
    return {"kind": "outcome", "of": of, "error": error or None}


@pytest.fixture(scope="module")
def screen(browser: Browser, server: TownServer) -> Any:
    """Give a function that returns the screen after some news."""
    page: Page = browser.new_page()
    page.goto(server.origin)

    def after(*news: News) -> Any:
        return page.evaluate(
            "(all) => import('/js/state.js')"
            ".then(({ FIRST, next, screenOf }) => screenOf(all.reduce(next, FIRST)))",
            list(news),
        )

    yield after
    page.context.close()


Screen = Callable[..., Any]


def test_dot_is_the_connection_and_the_words_are_the_reason(screen: Screen) -> None:
    shown = screen(*LIVE)
    assert shown["connection"] == {"level": "live", "text": "Connected"}
    assert shown["words"] == "Paused: from the page"
    assert (shown["run"]["why"], shown["step"]["why"], shown["message"]) == ("", "", None)


def test_outage_disables_what_cannot_work_and_leaves_with_its_messages(screen: Screen) -> None:
    lost = [
        *LIVE,
        RUN,
        outcome("command", code="unreachable"),
        outcome("day", code="unreachable"),
    ]
    shown = screen(*lost)
    assert shown["message"]["text"] == "The server does not answer: “Run” did not reach it."
    assert (shown["connection"]["level"], shown["words"]) == ("waiting", "")
    controls = ("run", "step", "choice")
    assert {shown[name]["why"] for name in controls} == {"The server does not answer"}
    assert screen(*lost, BACK) == screen(*LIVE)


@pytest.mark.parametrize(
    ("of", "end"),
    [
        ("command", RUN),
        ("moment", outcome("moment")),
        ("day", {"kind": "view", "view": "start"}),
    ],
)
def test_failure_stays_until_its_attempt_succeeds(screen: Screen, of: str, end: News) -> None:
    failed = [*LIVE, outcome(of, status=409, code="busy", message="It is at work.")]
    assert screen(*failed)["message"]["text"] == "It is at work."
    other = outcome("map")
    assert screen(*failed, other, BACK)["message"]["text"] == "It is at work."
    assert screen(*failed, end)["message"] is None


def test_command_under_way_and_a_role_that_only_reads_enable_nothing(screen: Screen) -> None:
    assert screen(*LIVE, RUN)["run"]["why"] == "“Run” is on its way"
    assert screen(*LIVE, RUN, outcome("command"))["run"]["why"] == ""
    guest = ABOUT | {"role": "guest"}
    assert "guest" in screen(*LIVE, {"kind": "about", "about": guest})["run"]["why"]
    refused = outcome("command", status=403, message="This token may only read.")
    assert screen(*LIVE, RUN, refused)["step"]["why"] == "This token may not run it"


def test_refused_token_has_one_message_with_the_way_out(screen: Screen) -> None:
    shown = screen(
        *LIVE, outcome("simulation", status=401, message="no"), outcome("about", status=401)
    )
    assert shown["message"]["action"] == "token"
    assert shown["connection"] == {"level": "off", "text": "Not connected"}
