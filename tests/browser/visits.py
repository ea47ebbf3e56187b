"""A visit of the page: what a user sees, and what went wrong behind it."""

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, ConsoleMessage, Page, Request, Response

from tests.browser.town import TownServer

PAINTS_SECONDS = 60.0
POLL_MILLISECONDS = 50
DESKTOP, PHONE = (1440, 900), (390, 844)


@dataclass
class Visit:
    """A tab of the browser with the page in it."""

    page: Page
    simulation: str
    problems: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)

    def tell(self, expression: str) -> Any:
        """Return the value of an expression in the page; `app` is its application."""
        return self.page.evaluate(
            f"(() => {{ const {{app, view}} = smallville; return {expression}; }})()"
        )

    def wait_for(self, expression: str, seconds: float = PAINTS_SECONDS) -> None:
        """Wait until an expression holds in the page.

        Playwright's own waiting compiles texts in the page, which its policy forbids.
        """
        for _ in range(round(seconds * 1_000 / POLL_MILLISECONDS)):
            if self.page.evaluate("Boolean(window.smallville)") and self.tell(expression):
                return
            self.page.wait_for_timeout(POLL_MILLISECONDS)
        told = self.page.locator("body").inner_text()[:1_500]
        raise AssertionError(f"it never came to: {expression}\n{told}")

    def violations(self) -> list[Any]:
        """Return what axe finds, with the elements."""
        self.page.evaluate((Path(__file__).parent / "axe.min.js").read_text())
        result = self.page.evaluate("axe.run({resultTypes: ['violations']})")
        return [
            (found["id"], [node["html"][:200] for node in found["nodes"][:5]])
            for found in result["violations"]
        ]

    def is_quiet(self) -> None:
        """Wait until nothing is being read."""
        self.wait_for("!document.querySelector('[aria-busy]')")

    def choose_agent(self, name: str) -> None:
        """Open an agent by the list."""
        self.page.get_by_role("tab", name="Agents").click()
        # The name of a row goes on with what the agent does, where others may be named.
        agents = self.page.get_by_role("list", name="Agents")
        agents.get_by_role("button", name=re.compile(f"^{name}")).click()
        self.is_quiet()

    def choose_tab(self, name: str) -> None:
        """Choose a tab and wait for what it shows."""
        self.page.get_by_role("tab", name=name, exact=True).click()
        self.is_quiet()

    def clock(self) -> str:
        """Return the time of the day that is shown."""
        return self.page.locator("#clock").inner_text()

    def positions(self) -> dict[str, list[float]]:
        """Return where each agent is drawn, in tiles."""
        found: dict[str, list[float]] = self.tell(
            "Object.fromEntries([...app.town.agents.values()]"
            ".map((agent) => [agent.slug, [agent.pose.x, agent.pose.y]]))"
        )
        return found


def open_visit(
    browser: Browser,
    server: TownServer,
    *,
    simulation: str | None = "",
    size: tuple[int, int] = DESKTOP,
    scheme: str = "light",
    more: str = "",
    token: str = "",
    leads_to_list: bool = False,
) -> Visit:
    """Open the page, and wait for its first picture and for what it loads after that.

    :param simulation: the shared town by default; None for an address without one.
    :param leads_to_list: whether the list of simulations is waited for in place of a picture.
    """
    context = browser.new_context(
        viewport={"width": size[0], "height": size[1]},
        color_scheme="dark" if scheme == "dark" else "light",
        reduced_motion="reduce",
    )
    visit = Visit(context.new_page(), simulation or server.town)
    watch(visit)
    if simulation is not None:
        more = f"&simulation={visit.simulation}{more}"
    visit.page.goto(f"{server.origin}/#token={token or server.token}{more}")
    if leads_to_list:
        visit.page.get_by_role("main", name="Simulations and experiments").wait_for()
        return visit
    visit.page.locator("#map").wait_for()
    for _ in range(round(PAINTS_SECONDS * 1_000 / POLL_MILLISECONDS)):
        if visit.page.evaluate("Boolean(window.smallville?.frames.painted)"):
            visit.page.evaluate("import('/js/details.js').then(() => true)")
            return visit
        visit.page.wait_for_timeout(POLL_MILLISECONDS)
    raise AssertionError(f"nothing was painted: {visit.page.locator('body').inner_text()}")


def watch(visit: Visit) -> None:
    """Note requests, and everything that fails."""

    def message(told: ConsoleMessage) -> None:
        if told.type in {"error", "warning"}:
            visit.problems.append(f"console: {told.text}")

    def answered(response: Response) -> None:
        if response.status >= 400:
            visit.problems.append(f"{response.status}: {response.url}")

    def failed(request: Request) -> None:
        if "/stream" in request.url and "ERR_ABORTED" in str(request.failure):
            return  # the page has ended it, for another simulation or for good
        visit.problems.append(f"failed: {request.url}: {request.failure}")

    visit.page.on("console", message)
    visit.page.on("pageerror", lambda error: visit.problems.append(f"error: {error}"))
    visit.page.on("requestfailed", failed)
    visit.page.on("response", answered)
    visit.page.on("request", lambda request: visit.requests.append(request.url))
