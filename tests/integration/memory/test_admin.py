"""The memory streams in the admin: shown, never edited (A4)."""

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from apps.memory.models import MemoryRow
from tests.integration.memory.streams import Stream

pytestmark = pytest.mark.django_db


@pytest.fixture
def operator() -> Client:
    client = Client()
    client.force_login(User.objects.create_superuser("isabella"))
    return client


class TestMemoryRowAdmin:
    def test_lists_and_searches_without_fetching_vectors(self, operator: Client) -> None:
        stream = Stream()
        stream.remember(0, (1, 0), description="the stove is burning")
        stream.remember(0, (1, 0), description="the counter is idle")
        with CaptureQueriesContext(connection) as captured:
            page = operator.get("/admin/memory/memoryrow/?q=stove")
        assert page.status_code == 200
        assert b"the stove is burning" in page.content
        assert b"the counter is idle" not in page.content
        assert not [query for query in captured if "embedding" in query["sql"]]

    def test_searches_ids_and_slugs_as_they_are(self, operator: Client) -> None:
        maria, klaus = Stream(agent="maria-lopez"), Stream(agent="klaus-mueller")
        maria.remember(0, (1, 0), description="the stove is burning")
        maria.remember(0, (1, 0), description="the counter is idle")
        klaus.remember(0, (1, 0), description="the stove is cold")

        def found(words: str) -> set[str]:
            page = operator.get("/admin/memory/memoryrow/", {"q": words})
            assert page.status_code == 200
            return {row.description for row in page.context["cl"].result_list}

        assert found("maria-lopez") == {"the stove is burning", "the counter is idle"}
        assert found("maria-lopez stove") == {"the stove is burning"}
        assert found('"stove is"') == {"the stove is burning", "the stove is cold"}
        assert found(str(klaus.simulation_id)) == {"the stove is cold"}
        assert found(f"{klaus.simulation_id} burning") == set()

    def test_searches_numbers_and_finds_none_in_words(self, operator: Client) -> None:
        stream = Stream()
        stream.remember(0, (1, 0))
        stream.retrieve(7, [1])

        def count(words: str) -> int:
            page = operator.get("/admin/memory/retrievalrow/", {"q": words})
            return int(page.context["cl"].result_count)

        found = ["1", stream.agent, str(stream.simulation_id)]
        assert [count(words) for words in found] == [1, 1, 1]
        assert [count(words) for words in ["2", "nobody", "9" * 30, "stove 1"]] == [0, 0, 0, 0]

    def test_shows_a_memory_and_lets_nobody_change_it(self, operator: Client) -> None:
        stream = Stream()
        stream.remember(0, (1, 0), description="the stove is burning")
        row = MemoryRow.objects.get(simulation_id=stream.simulation_id)
        shown = operator.get(f"/admin/memory/memoryrow/{row.pk}/change/")
        assert b"the stove is burning" in shown.content
        assert operator.post(f"/admin/memory/memoryrow/{row.pk}/change/", {}).status_code == 403
        assert operator.get("/admin/memory/memoryrow/add/").status_code == 403

    def test_lists_retrievals(self, operator: Client) -> None:
        stream = Stream()
        stream.remember(0, (1, 0))
        stream.retrieve(7, [1])
        assert operator.get("/admin/memory/retrievalrow/").status_code == 200
