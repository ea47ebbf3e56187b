"""Users ask why, and change something: reasons, interviews, a burning stove, a fork."""

from collections.abc import Callable

from tests.browser.town import TownServer
from tests.browser.visits import Visit

OpenVisit = Callable[..., Visit]
RUNS_SECONDS = 90.0
STOVE = "Isabella Rodriguez's apartment: kitchen: stove"


class TestAgent:
    def test_tells_what_isabella_does_and_why(
        self, visit: OpenVisit, server: TownServer
    ) -> None:
        page = visit()
        page.choose_agent("Isabella Rodriguez")
        isabella = f"/simulations/{server.town}/agents/isabella-rodriguez"
        now = server.ask("GET", isabella)["current_action"]
        panel = page.page.locator("#side")
        panel.get_by_text(now["description"]).first.wait_for()
        why = server.ask("GET", f"/simulations/{server.town}/events/{now['event']}/provenance")
        reasons = panel.get_by_role("list", name="Reasons, the nearest first")
        assert why["plan"]["hour"]["description"] in reasons.inner_text()
        panel.get_by_text("Memories that came to mind").first.wait_for()
        panel.get_by_text("score").first.click()
        assert "recency" in panel.inner_text()
        panel.get_by_text("planning.hour_actions").first.click()
        assert "You play one person of a simulated town" in panel.inner_text()

    def test_shows_all_sides_of_a_mind(self, visit: OpenVisit, server: TownServer) -> None:
        page = visit()
        page.choose_agent("Isabella Rodriguez")
        panel = page.page.locator("#side")
        plan = server.ask("GET", f"/simulations/{server.town}/agents/isabella-rodriguez/plan")
        for tab, told in (
            ("Plan", plan["outline"][0]["description"]),
            ("Memories", "Isabella Rodriguez"),
            ("Mind", "Innate traits: friendly"),
            ("People", "Relationships"),
        ):
            page.choose_tab(tab)
            panel.get_by_text(told).first.wait_for()
        page.choose_tab("Memories")
        panel.get_by_label("Rank memories for").fill("Valentine's Day party")
        panel.get_by_role("button", name="Rank").click()
        panel.get_by_text("What comes to mind for “Valentine's Day party”").wait_for()

    def test_answers_an_interview_that_changes_nothing(
        self, visit: OpenVisit, server: TownServer
    ) -> None:
        page = visit()
        page.choose_agent("Isabella Rodriguez")
        page.choose_tab("Talk")
        form = page.page.get_by_role("form", name="Interview")
        form.get_by_label("Question").fill("Is there a Valentine's Day party?")
        form.get_by_role("button", name="Ask").click()
        form.get_by_text("Valentine's Day party at Hobbs Cafe").first.wait_for(timeout=60_000)
        asked = server.ask("GET", f"/simulations/{server.town}/interviews?order=-recorded_at")
        assert asked["results"][0]["remembered"] is False


class TestInterventions:
    def test_set_a_stove_burning_and_it_is_noticed(
        self, visit: OpenVisit, server: TownServer
    ) -> None:
        page = visit(simulation=server.fork("2023-02-13T06:02:00"))
        page.choose_agent("Isabella Rodriguez")
        at = page.tell(
            f"(() => {{ const box = app.world.objectByPath.get({STOVE!r});"
            " const map = document.getElementById('map').getBoundingClientRect();"
            " view.setFollowing(false); view.camera.lookAt(box.x, box.y, 4);"
            " return [map.x + view.camera.screenX(box.x + .5),"
            " map.y + view.camera.screenY(box.y + .5)]; })()"
        )
        page.page.mouse.click(*at)
        form = page.page.get_by_role("form", name="State of the object")
        page.page.get_by_role("heading", name="stove").wait_for()
        form.get_by_label("It is …").fill("burning")
        form.get_by_role("button", name="Set the state").click()
        form.get_by_text("The next agent that sees it decides").wait_for()
        page.page.get_by_role("button", name="Run", exact=True).click()
        page.choose_tab("Feed")
        feed = page.page.get_by_role("list", name="Events, newest first")
        words = "stove in the kitchen of Isabella Rodriguez's apartment"
        feed.get_by_text(f"isabella set the {words}: burning").wait_for(timeout=90_000)
        feed.get_by_text(f"Isabella Rodriguez noticed the {words}: burning").wait_for(
            timeout=90_000
        )
        feed.get_by_text(f"Isabella Rodriguez reacted to the {words}").wait_for(timeout=90_000)

    def test_bring_a_visitor_to_town_and_home_again(
        self, visit: OpenVisit, server: TownServer
    ) -> None:
        page = visit(simulation=server.fork("2023-02-13T07:00:00"))
        page.choose_agent("John Lin")
        page.page.get_by_role("button", name="Run", exact=True).click()
        page.wait_for("app.status.status === 'running'")
        page.choose_tab("Talk")
        form = page.page.get_by_role("form", name="Visit")
        form.get_by_label("Arrive at").fill("Johnson Park")
        form.get_by_role("button", name="Come to town").click()
        form.get_by_text("You are Ada Finch").wait_for()
        page.wait_for("app.town.agents.has('ada-finch')", RUNS_SECONDS)
        form.get_by_role("button", name="Leave town").click()
        form.get_by_text("What they remember of you stays").wait_for()
        page.wait_for("!app.town.agents.has('ada-finch')", RUNS_SECONDS)

    def test_fork_from_a_past_moment(self, visit: OpenVisit, server: TownServer) -> None:
        page = visit(more="&at=2023-02-13T06:00:00")
        page.page.get_by_role("button", name="Fork from here").click()
        dialog = page.page.get_by_role("dialog")
        dialog.get_by_label("Name").fill("What if")
        dialog.get_by_role("button", name="Create the branch").click()
        dialog.get_by_role("link", name="Open the branch").click()
        page.page.get_by_role("dialog").wait_for(state="hidden")
        forks = server.ask("GET", f"/simulations/{server.town}/forks")["results"]
        branch = next(fork["id"] for fork in forks if fork["name"] == "What if")
        page.wait_for(
            f"app.api?.id === '{branch}'"
            " && document.getElementById('clock').textContent === '06:00'"
        )


class TestCharts:
    def test_show_what_happened(self, visit: OpenVisit) -> None:
        page = visit()
        page.choose_tab("Charts")
        for name, told in (
            ("Spread of news", "agents know of it"),
            ("Activity", "asleep"),
            ("Cost", "model calls"),
        ):
            page.page.get_by_role("button", name=name, exact=True).click()
            page.is_quiet()
            page.page.locator("#side").get_by_text(told).first.wait_for()

    def test_have_the_plots_of_the_service(self, visit: OpenVisit) -> None:
        page = visit()
        page.choose_tab("Charts")
        page.page.get_by_role("button", name="Plots", exact=True).click()
        for name in ("Activity", "Relationships"):
            page.page.get_by_label("Plot", exact=True).select_option(name)
            page.is_quiet()
            picture = page.page.get_by_role("img", name=name)
            picture.wait_for()
            assert (
                picture.evaluate("(image) => image.decode().then(() => image.naturalWidth)")
                > 400
            )
