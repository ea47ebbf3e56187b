"""One choice of the moment for all pages: nothing of a later moment is shown."""

import re
from urllib.parse import urlencode

import pytest

from apps.dialogue.models import UtteranceRow
from apps.memory.models import MemoryRow
from tests.acceptance.admin.conftest import Staff
from tests.acceptance.admin.reading import Page

NINE = "2023-02-13T09:00:00"
NINE_TICK = 3_240


class TestMoment:
    def test_is_kept_by_every_link(self, operator: Staff) -> None:
        page = Page(operator.page(f"?at={NINE}"))
        inner = [
            href
            for href, label in page.links
            if href.startswith(f"{operator.base}agents/") or "/events/" in href
        ]
        assert inner
        assert all("at=2023-02-13T09" in href for href in inner)

    def test_hides_what_comes_later(self, operator: Staff) -> None:
        path = "agents/isabella-rodriguez/memories/"
        later = MemoryRow.objects.filter(
            simulation_id=operator.simulation.pk,
            agent="isabella-rodriguez",
            formed_tick__gt=NINE_TICK,
        )
        numbers = set(re.findall(rf"{path}(\d+)/", operator.page(f"{path}?at={NINE}")))
        assert numbers
        assert later.exists()
        assert not numbers & {str(row.number) for row in later}
        operator.page(f"{path}{later[0].number}/?at={NINE}", status=404)

    @pytest.mark.parametrize(
        ("given", "message"),
        [("2031-01-01T00:00", "is not committed"), ("soon", "neither a tick nor a game time")],
    )
    def test_that_cannot_be_is_an_error(
        self, operator: Staff, given: str, message: str
    ) -> None:
        response = operator.client.get(f"{operator.base}?at={given}")
        assert response.status_code in {400, 422}
        assert message in response.content.decode()


class TestEventLog:
    def test_tells_what_each_event_states(self, operator: Staff) -> None:
        said = UtteranceRow.objects.filter(simulation_id=operator.simulation.pk)[0]
        words = " ".join(said.text.split()[:4]).replace("'", "&#x27;")
        path = f"events/?agent={said.agent}&type="
        assert f"said: {words}" in operator.page(f"{path}dialogue.said.v1")
        recalled = operator.page(f"{path}memory.retrieved.v1")
        assert re.search(r">retrieved memories: \S", recalled)


class TestAgentPages:
    def test_compare_the_plan_with_what_was_done(self, operator: Staff) -> None:
        page = operator.page("agents/isabella-rodriguez/")
        assert "Plan and day of 2023-02-13" in page
        assert 'class="planned"' in page
        assert 'class="done"' in page
        assert Page(page).to("/events/", "why?")

    def test_filter_the_memory_stream(self, operator: Staff) -> None:
        path = "agents/isabella-rodriguez/memories/"
        page = operator.page(f"{path}?kind=plan&importance=2&since=2023-02-13T06:00")
        kinds = set(re.findall(r'class="kind ([a-z]+)"', page))
        assert kinds <= {"plan"}
        assert "neither a tick" in operator.page(f"{path}?since=soon")

    def test_rank_memories_by_meaning_as_the_api_does(self, operator: Staff) -> None:
        path = "agents/isabella-rodriguez/"
        query = "the Valentine's Day party"
        searched = operator.page(f"{path}memories/?{urlencode({'query': query})}")
        shown = re.findall(r'class="number" href="[^"]*/memories/(\d+)/', searched)
        asked = operator.client.post(
            f"/api/v1/simulations/{operator.simulation.pk}/{path}retrievals",
            {"query": query, "limit": 20},
            content_type="application/json",
        )
        assert shown == [str(one["id"]) for one in asked.json()["results"]]

    def test_show_reflections_people_and_places(self, operator: Staff) -> None:
        path = "agents/isabella-rodriguez/"
        assert "<details open>" in operator.page(f"{path}reflections/")
        assert "Wolfgang Schulz" in operator.page(f"{path}people/")
        assert "stove" in operator.page(f"{path}places/")
