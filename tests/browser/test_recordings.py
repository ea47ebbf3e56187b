"""Users watch a recording: one file, without a server and without a request."""

import http.client
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.browser.town import TownServer
from tests.browser.visits import DESKTOP, PHONE, Visit, watch
from tests.support.processes import wait_until
from tests.support.serving import HOST

OpenRecording = Callable[..., Visit]
FROM, TO = "2023-02-13T06:30:00", "2023-02-13T07:30:00"
LAST_TICK = 2_700
HOSTILE = "</script><img src=x onerror=\"document.title='hurt'\">"


def download(server: TownServer, simulation: str, first: str, last: str) -> bytes:
    """Return the file of a recording."""
    connection = http.client.HTTPConnection(HOST, server.port, timeout=120)
    path = f"/api/v1/simulations/{simulation}/recording?from={first}&to={last}"
    try:
        connection.request("GET", path, headers={"Authorization": f"Bearer {server.token}"})
        response = connection.getresponse()
        content = response.read()
        assert response.status == 200, content
        return content
    finally:
        connection.close()


@pytest.fixture
def opened(browser: Browser, server: TownServer, tmp_path: Path) -> Iterator[OpenRecording]:
    """Give a function that opens a recording; nothing may have failed or been requested."""
    visits: list[Visit] = []

    def open_recording(
        content: bytes | None = None,
        *,
        size: tuple[int, int] = DESKTOP,
        scheme: str = "light",
    ) -> Visit:
        file = tmp_path / "recording.html"
        file.write_bytes(
            download(server, server.town, FROM, TO) if content is None else content
        )
        context = browser.new_context(
            viewport={"width": size[0], "height": size[1]},
            color_scheme="dark" if scheme == "dark" else "light",
            reduced_motion="reduce",
        )
        visit = Visit(context.new_page(), "recording")
        visits.append(visit)
        watch(visit)
        visit.page.goto(file.as_uri())
        visit.page.locator("#map").wait_for()
        for _ in range(1_200):
            if visit.page.evaluate("Boolean(window.smallville?.recording)"):
                break
            visit.page.wait_for_timeout(50)
        visit.wait_for("smallville.frames.painted > 0")
        return visit

    yield open_recording
    for visit in visits:
        requests = [url for url in visit.requests if not url.endswith("recording.html")]
        visit.page.context.close()
        assert visit.problems == []
        assert requests == []


class TestPlaying:
    def test_moves_agents_as_in_the_simulation(
        self, opened: OpenRecording, server: TownServer
    ) -> None:
        page = opened()
        page.wait_for("document.getElementById('clock').textContent === '06:30'")
        for at in (FROM, TO):
            state = server.ask("GET", f"/simulations/{server.town}/state?at={at}")
            expected = {
                agent["slug"]: [agent["position"]["x"], agent["position"]["y"]]
                for agent in state["agents"]
            }
            assert page.positions() == expected
            actions = page.tell(
                "Object.fromEntries([...app.town.agents.values()]"
                ".map((agent) => [agent.slug, agent.action]))"
            )
            assert actions == {agent["slug"]: agent["action"] for agent in state["agents"]}
            if at == TO:
                break
            page.page.get_by_label("Speed").select_option("600")
            page.page.get_by_role("button", name="Play", exact=True).click()
            page.wait_for(f"app.tick === {LAST_TICK} && !app.past?.isPlaying")
        page.wait_for("document.getElementById('clock').textContent === '07:30'")

    def test_is_scrubbed_and_played_with_the_keyboard(self, opened: OpenRecording) -> None:
        page = opened()
        page.page.get_by_role("slider", name="Moment").fill("2520")
        page.wait_for("document.getElementById('clock').textContent === '07:00'")
        page.page.locator("#map").focus()
        page.page.keyboard.press("Space")
        page.wait_for("app.tick > 2525")
        page.page.keyboard.press("]")
        assert page.tell("document.getElementById('pace').value") == "600"
        page.page.keyboard.press("Space")
        page.wait_for("!app.past.isPlaying")
        assert page.page.get_by_role("button", name="Play", exact=True).is_visible()

    def test_tells_what_an_agent_does_and_why(
        self, opened: OpenRecording, server: TownServer
    ) -> None:
        page = opened()
        page.page.get_by_role("slider", name="Moment").fill(str(LAST_TICK - 1))
        page.wait_for(f"app.tick === {LAST_TICK - 1}")
        page.choose_agent("Isabella Rodriguez")
        isabella = f"/simulations/{server.town}/agents/isabella-rodriguez"
        at = f"at={LAST_TICK - 1}"
        now = server.ask("GET", f"{isabella}?{at}")["current_action"]
        panel = page.page.locator("#side")
        panel.get_by_text(now["description"]).first.wait_for()
        why = server.ask(
            "GET", f"/simulations/{server.town}/events/{now['event']}/provenance?{at}"
        )
        reasons = panel.get_by_role("list", name="Reasons, the nearest first")
        assert why["plan"]["hour"]["description"] in reasons.inner_text()
        plan = server.ask("GET", f"{isabella}/plan?{at}")
        page.choose_tab("Plan")
        for chunk in plan["outline"]:
            panel.get_by_text(chunk["description"]).first.wait_for()
        said = server.pages(
            f"/simulations/{server.town}/utterances?from={FROM}&to={TO}&limit=500"
        )
        page.choose_tab("Feed")
        feed = panel.get_by_role("list", name="Events, newest first")
        for utterance in said[:3]:
            folded = feed.locator("details").filter(has_text=utterance["text"]).first
            if folded.get_attribute("open") is None:
                folded.locator("summary").click()
            folded.get_by_text(utterance["text"]).first.wait_for()


class TestHarm:
    def test_words_of_users_do_none(self, opened: OpenRecording, server: TownServer) -> None:
        branch = server.ask(
            "POST", f"/simulations/{server.town}/forks", {"at": FROM, "name": HOSTILE}
        )["id"]
        server.ask(
            "POST",
            f"/simulations/{branch}/agents/isabella-rodriguez/observations",
            {"text": HOSTILE},
        )
        server.ask("POST", f"/simulations/{branch}/run", {"until": "2023-02-13T06:40:00"})
        wait_until(
            lambda: server.is_at_rest(branch),
            seconds=180,
            told=lambda: server.processes.log_of("worker")[-3_000:],
        )
        page = opened(download(server, branch, FROM, "2023-02-13T06:40:00"))
        page.page.get_by_role("slider", name="Moment").fill("2399")
        page.wait_for("app.tick === 2399")
        page.choose_tab("Feed")
        page.page.locator("#side").get_by_text(HOSTILE).first.wait_for()
        assert page.page.title() == HOSTILE
        assert page.page.locator("h1").inner_text() == HOSTILE
        assert page.page.locator("img").count() == 0


class TestAccess:
    @pytest.mark.parametrize("scheme", ["light", "dark"])
    @pytest.mark.parametrize("size", [DESKTOP, PHONE])
    def test_has_no_serious_fault(
        self, opened: OpenRecording, scheme: str, size: tuple[int, int]
    ) -> None:
        page = opened(size=size, scheme=scheme)
        for view in ("", "Feed", "Charts", "Isabella Rodriguez", "Plan", "Said"):
            if view == "Isabella Rodriguez":
                page.choose_agent(view)
            elif view:
                page.choose_tab(view)
            assert page.violations() == [], view

    def test_is_small_enough_to_send(self, server: TownServer) -> None:
        content = download(server, server.town, FROM, TO)
        assert len(content) < 500_000
        assert not re.search(rb'(?:src|href)="(?:https?:|/)', content)
