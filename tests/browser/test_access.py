"""The page is for everybody: keyboard, screen readers, themes, sizes, and other origins."""

import re
import threading
from collections.abc import Callable, Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from django.conf import settings
from playwright.sync_api import Browser

from tests.browser.town import TownServer
from tests.browser.visits import DESKTOP, PHONE, Visit, watch
from tests.support.serving import HOST

OpenVisit = Callable[..., Visit]
ROOT: Path = settings.BASE_DIR


class TestAccessibility:
    @pytest.mark.parametrize("scheme", ["light", "dark"])
    @pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
    def test_has_no_serious_violation(
        self, visit: OpenVisit, scheme: str, size: tuple[int, int]
    ) -> None:
        page = visit(size=size, scheme=scheme)
        assert page.violations() == []
        for tab in ("Feed", "Charts"):
            page.choose_tab(tab)
            assert page.violations() == [], tab
        page.choose_agent("Isabella Rodriguez")
        for tab in ("Now", "Plan", "Memories", "Mind", "People", "Talk"):
            page.choose_tab(tab)
            assert page.violations() == [], tab

    def test_is_used_with_the_keyboard(self, visit: OpenVisit) -> None:
        page = visit()
        keys = page.page.keyboard
        page.choose_tab("Agents")
        keys.press("ArrowRight")
        assert page.tell("document.activeElement.textContent") == "Feed"
        page.choose_tab("Agents")
        agents = page.page.get_by_role("list", name="Agents")
        agents.get_by_role("button", name=re.compile("^John Lin")).focus()
        keys.press("Enter")
        # The row is gone: the focus is on what it has opened, which has the name of the agent.
        assert page.tell("document.activeElement.role") == "tabpanel"
        label = page.tell("document.activeElement.getAttribute('aria-labelledby')")
        assert page.page.locator(f"#{label}").inner_text() == "John Lin"
        page.page.locator("#map").focus()
        zoom = page.tell("view.camera.zoom")
        keys.press("+")
        assert page.tell("view.camera.zoom") > zoom
        page.page.get_by_role("slider", name="Moment").focus()
        keys.press("ArrowLeft")
        page.wait_for("!app.isLive")


@pytest.fixture
def other_origin() -> Iterator[str]:
    """Serve the front-ends of this repository from another origin."""
    origin = TownServer.other_origin()
    handler = partial(_Silent, directory=str(ROOT))
    server = ThreadingHTTPServer((HOST, int(origin.rpartition(":")[2])), handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield origin
    server.shutdown()
    thread.join()
    server.server_close()


class _Silent(SimpleHTTPRequestHandler):
    """Serves files and logs nothing."""

    def log_message(self, *_arguments: object) -> None:
        """Say nothing."""


def opened(browser: Browser, server: TownServer, address: str) -> Visit:
    """Open a page of another origin on the simulation of the server."""
    page = Visit(browser.new_page(), server.town)
    watch(page)
    given = f"api={server.origin}&simulation={server.town}&token={server.token}"
    page.page.goto(f"{address}#{given}")
    return page


class TestOtherOrigin:
    def test_shows_the_front_end_of_the_guide(
        self, browser: Browser, server: TownServer, other_origin: str
    ) -> None:
        page = opened(browser, server, f"{other_origin}/docs/how_to/front_end.html")
        page.page.get_by_text("2023-02-13 07:30:00").wait_for(timeout=60_000)
        assert page.page.locator(".person").count() == 5
        problems = [
            one for one in page.problems if "favicon" not in one and "404 (File not" not in one
        ]
        page.page.context.close()
        assert problems == []

    def test_shows_this_page(
        self, browser: Browser, server: TownServer, other_origin: str
    ) -> None:
        page = opened(browser, server, f"{other_origin}/frontend_stub/index.html")
        page.page.get_by_role("tab", name="Now", exact=True).wait_for(timeout=60_000)
        page.page.get_by_role("tab", name="Agents").click()
        page.page.get_by_role("button", name="Isabella Rodriguez").wait_for()
        problems = page.problems
        page.page.context.close()
        assert problems == []
