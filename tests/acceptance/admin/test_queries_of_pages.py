"""Pages stay fast on large histories: a bounded number of queries, and no exact counts."""

import re

import pytest
from django.contrib import admin
from django.db import connection
from django.db.models import Model
from django.test.utils import CaptureQueriesContext

from apps.dialogue.models import UtteranceRow
from apps.eventlog.models import EventRow
from apps.llm.models import ModelCallRow
from apps.memory.models import MemoryRow
from tests.acceptance.admin.conftest import Staff

QUERIES_MAX = 15
AGENT = "agents/isabella-rodriguez/"


@pytest.fixture
def pages(operator: Staff) -> list[str]:
    """Return the address of a page of each kind."""
    simulation_id = operator.simulation.pk
    said = UtteranceRow.objects.filter(simulation_id=simulation_id).order_by("event")[1]
    call = ModelCallRow.objects.filter(simulation_id=simulation_id).order_by("call_id")[0]
    reflections = MemoryRow.objects.filter(simulation_id=simulation_id, kind="reflection")
    memory = reflections.order_by("agent", "number")[0]
    events = EventRow.objects.filter(
        simulation_id=simulation_id, tick__lte=operator.simulation.committed_tick
    )
    of_each_type = events.order_by("type", "-tick", "stream", "ordinal").distinct("type")
    return [
        *(f"events/{row.event_id}/" for row in of_each_type),
        "",
        "controls/",
        "conversations/",
        "conversations/?agent=klaus-mueller&text=party",
        f"conversations/{said.conversation}/",
        "events/",
        "events/?agent=maria-lopez&type=memory.formed.v1",
        f"events/{said.event}/",
        f"events/{memory.event_id}/",
        "calls/",
        f"calls/{call.call_id}/",
        AGENT,
        f"{AGENT}memories/",
        f"{AGENT}memories/?kind=plan&importance=2&about=klaus-mueller&text=party",
        f"agents/{memory.agent}/memories/{memory.number}/",
        f"{AGENT}reflections/",
        f"{AGENT}people/",
        f"{AGENT}places/",
    ]


class TestPages:
    def test_make_at_most_fifteen_queries(self, operator: Staff, pages: list[str]) -> None:
        made = {}
        for page in pages:
            with CaptureQueriesContext(connection) as captured:
                operator.page(page)
            made[page] = len(captured)
        assert {page: count for page, count in made.items() if count > QUERIES_MAX} == {}

    def test_do_not_depend_on_the_number_of_rows(self, operator: Staff) -> None:
        def count(page: str) -> int:
            operator.page(page)  # fills the caches of the process
            with CaptureQueriesContext(connection) as captured:
                operator.page(page)
            return len(captured)

        # At six o'clock nearly nothing has happened; at noon there are hundreds of rows.
        early = "?at=2023-02-13T06:10:00"
        for page in ("", "events/", "calls/", f"{AGENT}memories/"):
            assert count(page) <= count(f"{page}{early}") + 1


def tables() -> list[type[Model]]:
    admin.autodiscover()
    return [model for model in admin.site._registry if model.__module__.startswith("apps.")]


class TestTables:
    @pytest.mark.parametrize("model", tables(), ids=lambda model: model._meta.label)
    def test_are_listed_without_an_exact_count(
        self, operator: Staff, model: type[Model]
    ) -> None:
        app, name = model._meta.app_label, model._meta.model_name
        with CaptureQueriesContext(connection) as captured:
            operator.page(f"/admin/{app}/{name}/")
        assert len(captured) <= QUERIES_MAX
        counts = [query["sql"] for query in captured if re.search(r"COUNT\(", query["sql"])]
        assert counts
        assert all("LIMIT" in count for count in counts)
        assert not [query["sql"] for query in captured if "DISTINCT" in query["sql"]]

    def test_have_links_filters_and_search(self) -> None:
        for model in tables():
            shown = admin.site.get_model_admin(model)
            assert shown.list_display != ("__str__",), model
            assert shown.search_fields or not hasattr(model, "simulation_id"), model
