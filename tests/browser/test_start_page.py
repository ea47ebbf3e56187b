"""Users find, create, rename and delete simulations, and see the runs of experiments."""

import re
from collections.abc import Callable
from uuid import uuid4

from playwright.sync_api import expect

from tests.browser.town import TownServer
from tests.browser.visits import DESKTOP, PHONE, Visit
from tests.support.processes import wait_until

expect.set_options(timeout=60_000)
OpenVisit = Callable[..., Visit]
SECONDS = 120.0
EXPERIMENT = {
    "name": "asleep",
    "title": "Who sleeps?",
    "agents": ["Isabella Rodriguez"],
    "seeds": [1],
    "interventions": {"none": {}},
    "moments": [20],
    "measures": ["network.met.density"],
}


class TestSimulations:
    def test_are_created_renamed_and_deleted(
        self, visit: OpenVisit, server: TownServer
    ) -> None:
        # A user without any simulation, at an address without one.
        one = visit(token=server.newcomer, simulation=None, leads_to_list=True)
        page = one.page
        page.get_by_role("heading", name="A town of your own").wait_for()
        assert one.violations() == []
        page.get_by_role("button", name="Begin in Smallville").click()
        form = page.get_by_role("dialog")
        expect(form.get_by_role("status").first).to_contain_text("The first day of 25 agents")
        form.get_by_text("All 25 agents").click()
        form.get_by_role("button", name="None").click()
        for name in ("Isabella Rodriguez", "Klaus Mueller"):
            form.get_by_label(name).check()
        expect(form.get_by_role("status").first).to_contain_text("The first day of 2 agents")
        assert one.violations() == []
        form.get_by_label("Name").fill("Two of them")
        form.get_by_label("Seed").fill("7")
        form.get_by_role("button", name="Create the simulation").click()
        # It opens, and its first night passes as fast as possible.
        expect(page.locator("#name")).to_have_text("Two of them")
        one.wait_for("app.town.agents.size === 2")
        one.wait_for("app.status.clock.tick > 0", SECONDS)
        page.get_by_role("link", name="All simulations").click()
        page.get_by_role("button", name="Rename Two of them").click()
        form.get_by_label("Name").fill("A pair")
        form.get_by_role("button", name="Rename").click()
        card = page.get_by_role("listitem").filter(has=page.get_by_role("link", name="A pair"))
        expect(card).to_contain_text("Smallville · 2 agents")
        expect(card).to_contain_text(re.compile(r"Created \d+ \w+ 20\d\d"))
        # One that may still run is paused before it is deleted.
        card.get_by_role("button", name="Delete A pair").click()
        form.get_by_role("button", name="Delete").click()
        page.get_by_role("heading", name="A town of your own").wait_for(timeout=SECONDS * 1000)
        one.problems[:] = [each for each in one.problems if "409" not in each]

    def test_that_nobody_may_read_lead_to_the_list(self, visit: OpenVisit) -> None:
        one = visit(simulation=str(uuid4()), leads_to_list=True)
        one.page.get_by_role("alert").get_by_text("that this token may read").wait_for()
        one.page.get_by_role("link", name="a town to look at").click()
        one.wait_for("app.town.agents.size === 5")
        assert one.page.get_by_text("that this token may read").count() == 0
        one.problems[:] = [each for each in one.problems if "404" not in each]


class TestExperiments:
    def test_have_their_runs_apart_from_other_simulations(
        self, visit: OpenVisit, server: TownServer
    ) -> None:
        path = f"/experiments/{server.ask('POST', '/experiments', EXPERIMENT)['id']}"
        runs = f"/simulations?experiment={path.rpartition('/')[2]}"
        wait_until(
            lambda: bool(server.ask("GET", runs)["results"]),
            seconds=SECONDS,
            told=lambda: server.processes.log_of("worker")[-3_000:],
        )
        [run] = server.ask("GET", runs)["results"]
        server.ask("POST", f"{path}/cancel", {"reason": "it has been seen"})
        for size, scheme in ((DESKTOP, "light"), (PHONE, "dark")):
            one = visit(simulation="all", size=size, scheme=scheme, leads_to_list=True)
            page = one.page
            simulations = page.get_by_role("list", name="Simulations")
            expect(simulations.get_by_role("link", name="a town to look at")).to_be_visible()
            assert simulations.get_by_role("link", name=run["name"]).count() == 0
            experiments = page.get_by_role("list", name="Experiments")
            experiments.get_by_text("Who sleeps?").click()
            expect(experiments).to_contain_text(re.compile(r"[01] of 1 runs over · cancelled"))
            experiments.get_by_role("link", name=run["name"]).wait_for()
            assert one.violations() == []
            assert not page.evaluate("document.documentElement.scrollWidth > innerWidth")
        experiments.get_by_role("link", name=run["name"]).click()
        expect(page.locator("#about")).to_contain_text("run of asleep")
        page.go_back()
        # The list is as it was left. The dialog deletes the runs with the experiment.
        experiments.get_by_role("button", name="Delete the experiment").click()
        page.get_by_role("dialog").get_by_role("button", name="Delete").click()
        expect(experiments).to_be_hidden(timeout=SECONDS * 1000)
        assert run["id"] not in [each["id"] for each in server.pages("/simulations")]
