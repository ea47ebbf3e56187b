"""Users watch a town: agents move, time goes on and back, and nothing is lost."""

from collections.abc import Callable

from tests.browser.town import TownServer
from tests.browser.visits import Visit

OpenVisit = Callable[..., Visit]
RUNS_SECONDS = 90.0


class TestWatching:
    def test_shows_agents_that_move_by_the_stream_alone(
        self, visit: OpenVisit, server: TownServer
    ) -> None:
        page = visit(simulation=server.fork("2023-02-13T06:50:00"))
        before = page.positions()
        assert len(before) == 5
        page.choose_tab("Agents")  # the panel of an agent reads what it does
        page.page.get_by_role("button", name="Run", exact=True).click()
        page.wait_for("app.status.status === 'running'")
        page.requests.clear()
        page.wait_for("app.status.clock.tick > 2490", RUNS_SECONDS)
        assert page.requests == []
        assert page.tell("app.received") > 0
        assert page.positions() != before

    def test_pauses_and_resumes(self, visit: OpenVisit, server: TownServer) -> None:
        page = visit(simulation=server.fork("2023-02-13T06:10:00"))
        page.page.get_by_role("button", name="Run", exact=True).click()
        page.wait_for("app.status.clock.tick > 2225", RUNS_SECONDS)
        page.page.get_by_role("button", name="Pause", exact=True).click()
        page.wait_for("app.status.status === 'paused'", RUNS_SECONDS)
        page.wait_for("app.playhead.shown === app.status.clock.tick")
        assert page.page.locator("#status").inner_text().startswith("Paused")
        paused_at = page.tell("app.status.clock.tick")
        page.page.get_by_role("button", name="Step", exact=True).click()
        page.wait_for(f"app.status.clock.tick === {paused_at + 6}", RUNS_SECONDS)
        page.page.get_by_role("button", name="Run", exact=True).click()
        page.wait_for(f"app.status.clock.tick > {paused_at + 8}", RUNS_SECONDS)

    def test_goes_back_an_hour_and_forward(self, visit: OpenVisit, server: TownServer) -> None:
        page = visit()
        assert page.clock() == "07:30"
        now = page.positions()
        slider = page.page.get_by_role("slider", name="Moment")
        slider.fill(str(2700 - 360))
        page.wait_for("!app.isLive")
        page.page.get_by_text("You see the past: Monday 13 February, 06:30").wait_for()
        state = server.ask("GET", f"/simulations/{server.town}/state?at=2340")
        assert page.positions() == {
            agent["slug"]: [agent["position"]["x"], agent["position"]["y"]]
            for agent in state["agents"]
        }
        # Whoever gets the link sees the same moment.
        assert "at=2023-02-13T06:30:00" in page.page.url
        page.page.get_by_role("button", name="Play", exact=True).click()
        page.wait_for("app.tick > 2345")
        page.page.get_by_role("button", name="Stop", exact=True).click()
        page.page.get_by_role("button", name="Back to now").click()
        page.wait_for("app.isLive")
        assert page.positions() == now

    def test_opens_a_link_to_a_moment_and_an_agent(self, visit: OpenVisit) -> None:
        page = visit(more="&at=2023-02-13T06:00:00&agent=john-lin")
        page.wait_for("!app.isLive")
        page.page.get_by_role("heading", name="John Lin").wait_for()
        page.wait_for("document.getElementById('clock').textContent === '06:00'")
        assert "token" not in page.page.url

    def test_loses_the_server_and_no_event(self, visit: OpenVisit, server: TownServer) -> None:
        branch = server.fork("2023-02-13T06:20:00")
        page = visit(simulation=branch)
        page.page.evaluate(
            "window.heard = []; smallville.app.on('events', (blocks) =>"
            " window.heard.push(...blocks.filter((one) => one.name === '')"
            ".map((one) => one.data.id)))"
        )
        page.page.get_by_role("button", name="Run", exact=True).click()
        page.wait_for("app.status.clock.tick > 2285", RUNS_SECONDS)
        server.kill_web()
        page.wait_for("app.connection === 'waiting'")
        page.page.get_by_text("Connection lost, reconnecting").wait_for()
        page.page.get_by_text("The server does not answer").wait_for()
        assert page.page.get_by_role("button", name="Pause", exact=True).is_disabled()
        page.choose_agent("Isabella Rodriguez")
        page.choose_tab("People")
        panel = page.page.locator("#side")
        panel.get_by_text("The server does not answer").wait_for()
        server.start_web()
        page.wait_for("app.connection === 'live'", RUNS_SECONDS)
        # Messages leave with their cause, and what was opened meanwhile is read.
        page.page.get_by_text("Connected", exact=True).wait_for()
        panel.get_by_text("Relationships").first.wait_for()
        assert page.page.get_by_text("The server does not answer").count() == 0
        page.wait_for("app.status.clock.tick > 2345", RUNS_SECONDS)
        page.page.get_by_role("button", name="Pause", exact=True).click()
        page.wait_for("app.status.status === 'paused'", RUNS_SECONDS)
        types = page.page.evaluate("smallville.app.stream.path").partition("?")[2]
        path = f"/simulations/{branch}/events?{types}&from=2281&limit=500"
        logged = [event["id"] for event in server.pages(path)]
        assert logged
        page.wait_for(f"window.heard.at(-1) === '{logged[-1]}'")
        assert page.page.evaluate("window.heard") == logged
        # The lost connection is what the browser reports, and nothing else.
        page.problems[:] = [one for one in page.problems if "ERR_" not in one]

    def test_loads_modules_that_did_not_come(self, visit: OpenVisit) -> None:
        page = visit()
        page.wait_for("app.feed.entries.length > 0")  # or the reload would end reads
        page.is_quiet()
        page.page.route("**/js/details.js", lambda route: route.abort())
        page.page.reload()
        page.wait_for("app.selection.kind === 'agent'")
        page.choose_tab("Plan")
        panel = page.page.locator("#side")
        panel.get_by_text("The server does not answer").wait_for()
        page.page.unroute("**/js/details.js")
        panel.get_by_text("The server does not answer").wait_for(state="hidden")
        panel.locator(".plan-chunk").first.wait_for()
        page.problems[:] = [one for one in page.problems if "ERR_FAILED" not in one]

    def test_says_how_to_fix_a_wrong_token(self, visit: OpenVisit) -> None:
        page = visit()
        page.wait_for("app.feed.entries.length > 0")  # or the reload would end reads
        page.is_quiet()
        page.page.evaluate("sessionStorage.setItem('token', 'sv_wrong'); location.reload()")
        page.page.get_by_role("heading", name="Another token, please").wait_for()
        page.page.get_by_role("dialog").get_by_text("manage.py issue_token").wait_for()
        assert (
            "The server does not accept the token" in page.page.locator("#problem").inner_text()
        )
        assert page.page.locator("#run").is_disabled()
        page.problems[:] = [one for one in page.problems if "401" not in one]


class TestFirstView:
    def test_follows_an_agent_that_is_awake_and_its_reasons(
        self, visit: OpenVisit, server: TownServer
    ) -> None:
        page = visit(simulation=server.fork("2023-02-13T06:50:00"))
        page.wait_for("app.selection.kind === 'agent' && view.following")
        page.is_quiet()
        agent = page.tell("app.selection.id")
        assert not page.tell("app.town.agents.get(app.selection.id).asleep")
        welcome = page.page.locator("#welcome")
        assert welcome.is_visible()
        action = page.page.locator(".card.now strong")
        first = action.inner_text()
        page.page.get_by_role("button", name="Run", exact=True).click()
        assert welcome.is_hidden()
        page.wait_for(
            f"![...document.querySelectorAll('.card.now strong')].some("
            f"(each) => each.textContent === {first!r})",
            RUNS_SECONDS,
        )
        page.page.get_by_role("button", name="Hold", exact=True).click()
        held = page.tell("app.town.agents.get(app.selection.id).event")
        page.page.get_by_role("button", name="Show why").wait_for(timeout=90_000)
        page.page.get_by_role("button", name="Pause", exact=True).click()
        assert page.tell("app.selection.id") == agent
        assert page.tell("app.town.agents.get(app.selection.id).event") != held

    def test_shows_agents_in_the_colours_of_the_map(self, visit: OpenVisit) -> None:
        read = """import('/js/map/sprites.js').then(({ giveLooks, lookOf }) => {
            const before = lookOf('John Lin', 30);
            giveLooks([{name: 'John Lin', value: 'Hair #010203; skin: #0a0b0c, hat #fff000'}]);
            return [before, lookOf('John Lin', 30), lookOf('Mei Lin', 30)];
        })"""
        before, john, mei = visit().page.evaluate(read)
        assert john == before | {"hair": "#010203", "skin": "#0a0b0c"}
        assert mei["hair"] != "#010203"

    def test_names_all_places_and_no_name_covers_another(self, visit: OpenVisit) -> None:
        page = visit()
        page.page.get_by_role("button", name="Show the whole map").click()
        page.wait_for("view.scene.names.length === app.world.places.length")
        page.wait_for(
            "view.scene.names.every((one, index) => view.scene.names.slice(index + 1).every("
            "(other) => one.x >= other.x + other.width || other.x >= one.x + one.width"
            " || one.y >= other.y + other.height || other.y >= one.y + one.height))"
        )

    def test_shows_a_conversation_as_one_entry(
        self, visit: OpenVisit, server: TownServer
    ) -> None:
        talks = server.ask("GET", f"/simulations/{server.town}/conversations")["results"]
        talk = max(talks, key=lambda each: int(each["utterance_count"]))
        path = f"/simulations/{server.town}/conversations/{talk['id']}"
        opening = server.ask("GET", path)["utterances"][0]["text"]
        page = visit()
        page.choose_tab("Feed")
        feed = page.page.get_by_role("list", name="Events, newest first")
        utterances = f"{talk['utterance_count']} utterances between"
        feed.get_by_text(utterances).first.wait_for()
        rows = feed.get_by_role("listitem").filter(has_text=utterances)
        rows.first.get_by_text(utterances).click()
        rows.first.get_by_text(opening).first.wait_for()
        assert rows.filter(has_text="memories of it").count() >= 1
        assert feed.locator("li > div > p", has_text=" remembers: ").count() == 0
