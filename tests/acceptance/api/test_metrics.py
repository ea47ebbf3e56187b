"""GET /metrics: what it tells, to whom, and that its counters never fall."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest
from django.db import connection
from django.test import Client
from django.utils import timezone
from prometheus_client.parser import text_string_to_metric_families
from psycopg_pool import ConnectionPool

from apps.api.http.long_responses import STREAMS
from apps.api.http.middleware import RequestSizeLimits
from apps.api.operations.metrics import CONNECTION_SECONDS_MAX
from apps.metrics.definitions import DEFINITIONS, Source
from apps.simulation.models import SimulationRow, Status, TurnRow
from tests.acceptance.api.calling import Caller, problem

ELSEWHERE = "203.0.113.7"
TOKEN = "a token for the scraper, of some length"
REQUESTS = "smallville_http_request_duration_seconds_count"


def samples(text: str) -> dict[tuple[str, frozenset[tuple[str, str]]], float]:
    """Return the values of a scrape, by name and labels."""
    return {
        (sample.name, frozenset(sample.labels.items())): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def scraped(caller: Caller) -> dict[tuple[str, frozenset[tuple[str, str]]], float]:
    response = caller.get("/metrics")
    assert response.status_code == 200, response.content
    return samples(response.content.decode())


def key(name: str, **labels: str) -> tuple[str, frozenset[tuple[str, str]]]:
    return name, frozenset(labels.items())


class TestMetrics:
    def test_tell_what_there_is(self, town: str, nobody: Caller) -> None:
        found = scraped(nobody)
        assert found[key("smallville_simulations", status="paused")] == 1
        assert found[key("smallville_committed_ticks_total")] >= 2_880
        assert found[key("smallville_turns_completed_total")] > 0
        assert found[key("smallville_database_up")] == 1
        assert all(value >= 0 for value in found.values())

    def test_are_all_that_are_defined(self, town: str, nobody: Caller) -> None:
        text = nobody.get("/metrics").content.decode()
        for definition in DEFINITIONS:
            assert f"# HELP {definition.name} {definition.meaning}\n" in text
            assert f"# TYPE {definition.name} {definition.kind}\n" in text

    def test_have_the_labels_of_their_definitions(self, town: str, nobody: Caller) -> None:
        labels = {each.name: set(each.labels) for each in DEFINITIONS}
        seen = [
            (name, set(dict(of)) - {"le"})
            for name, of in scraped(nobody)
            if name.startswith("smallville_")
        ]
        for name, inputs in seen:
            base = name.removesuffix("_bucket").removesuffix("_count").removesuffix("_sum")
            assert inputs == labels[base], name

    def test_never_fall_when_a_simulation_is_deleted(
        self, town: str, isabella: Caller, nobody: Caller
    ) -> None:
        before = scraped(nobody)
        assert isabella.delete(town).status_code == 204
        after = scraped(nobody)
        counters = {each.name for each in DEFINITIONS if each.name.endswith("_total")}
        counted = {kept: value for kept, value in before.items() if kept[0] in counters}
        assert len(counted) > len(counters)
        assert all(after[kept] >= value for kept, value in counted.items())

    def test_come_as_openmetrics_to_those_who_ask(self, nobody: Caller) -> None:
        nobody.client = Client(headers={"Accept": "application/openmetrics-text;version=1.0.0"})
        response = nobody.get("/metrics")
        assert response["Content-Type"].startswith("application/openmetrics-text")
        assert response.content.endswith(b"# EOF\n")


class TestQueues:
    def test_tell_their_length_and_age(self, town: str, nobody: Caller) -> None:
        simulation_id = UUID(town.rpartition("/")[2])
        for agent, state in (("a", "sent"), ("b", "sent"), ("c", "taken"), ("d", "failed")):
            TurnRow.objects.create(
                simulation_id=simulation_id, agent=agent, tick=1, state=state
            )
        TurnRow.objects.filter(agent="b").update(sent_at=timezone.now() - timedelta(hours=1))
        found = scraped(nobody)
        assert found[key("smallville_turn_queue_length")] == 2
        assert found[key("smallville_turns_running")] == 1
        assert found[key("smallville_turn_queue_oldest_age_seconds")] >= 3_600

    def test_tell_how_far_a_simulation_is_behind_its_pace(
        self, town: str, nobody: Caller
    ) -> None:
        assert scraped(nobody)[key("smallville_pace_lag_seconds")] == 0
        SimulationRow.objects.filter(pk=town.rpartition("/")[2]).update(
            status=Status.RUNNING,
            pace=60.0,
            until_tick=2_880 + 6 * 30,
            paced_from_tick=2_880,
            paced_at=timezone.now() - timedelta(hours=1),
        )
        # Half an hour of game time is thirty seconds at this pace.
        assert scraped(nobody)[key("smallville_pace_lag_seconds")] == 30

    def test_tell_open_streams(self, nobody: Caller) -> None:
        slot = STREAMS.acquire(1, slots_max=10, slots_per_user_max=10)
        assert scraped(nobody)[key("smallville_open_streams")] == 1
        slot.release()
        assert scraped(nobody)[key("smallville_open_streams")] == 0


class TestRequests:
    def test_are_counted_by_route_and_not_by_path(self, town: str, isabella: Caller) -> None:
        before = scraped(isabella)
        isabella.get(f"{town}/agents/isabella-rodriguez")
        isabella.get(f"{town}/agents/nobody-of-that-name")
        isabella.client.get("/api/v1/nothing/here")
        isabella.client.generic("BREW", "/health")
        isabella.client.get("/health")
        isabella.get("/simulations", padding="x" * RequestSizeLimits.ADDRESS_BYTES_MAX)
        isabella.client.get("/static/smallville/docs.css").getvalue()
        found = scraped(isabella)
        person = "/api/v1/simulations/{simulation}/agents/{agent}"
        for labels in (
            {"method": "GET", "route": person, "status": "2xx"},
            {"method": "GET", "route": person, "status": "4xx"},
            {"method": "GET", "route": "unmatched", "status": "4xx"},
            {"method": "OTHER", "route": "/health", "status": "4xx"},
            {"method": "GET", "route": "/health", "status": "2xx"},
            {"method": "GET", "route": "/api/v1/simulations", "status": "4xx"},
            {"method": "GET", "route": "static", "status": "2xx"},
        ):
            counted = key(REQUESTS, **labels)
            assert found[counted] == before.get(counted, 0) + 1, labels
        shown = {value for _, labels in found for value in dict(labels).values()}
        assert not {value for value in shown if "isabella" in value or town[-12:] in value}


class TestAccess:
    def test_is_not_for_strangers(self, nobody: Caller, isabella: Caller) -> None:
        nobody.client = isabella.client = Client(REMOTE_ADDR=ELSEWHERE)
        problem(nobody.get("/metrics"), 401, "token-missing")
        problem(isabella.get("/metrics"), 403, "not-allowed")

    def test_is_not_for_strangers_behind_a_proxy_of_this_machine(self, nobody: Caller) -> None:
        nobody.client = Client(headers={"X-Forwarded-For": ELSEWHERE})
        problem(nobody.get("/metrics"), 401, "token-missing")

    def test_is_for_administrators(self, administrator: Caller) -> None:
        administrator.client = Client(REMOTE_ADDR=ELSEWHERE)
        assert administrator.get("/metrics").status_code == 200

    def test_is_for_the_scrapers_token(self, db: None, settings: Any) -> None:
        settings.METRICS_TOKEN = TOKEN
        scraper = Caller(token=TOKEN, client=Client(REMOTE_ADDR=ELSEWHERE))
        assert scraper.get("/metrics").status_code == 200
        stranger = Caller(token=f"{TOKEN}?", client=Client(REMOTE_ADDR=ELSEWHERE))
        problem(stranger.get("/metrics"), 401, "token-invalid")

    def test_of_the_scrapers_token_ends_there(self, db: None, settings: Any) -> None:
        settings.METRICS_TOKEN = TOKEN
        problem(Caller(token=TOKEN).get("/simulations"), 401, "token-invalid")

    def test_is_for_nobody_by_a_token_that_is_not_set(self, db: None, settings: Any) -> None:
        settings.METRICS_TOKEN = ""
        stranger = Client(REMOTE_ADDR=ELSEWHERE, headers={"Authorization": "Bearer "})
        assert stranger.get("/metrics").status_code == 401


class TestWithoutTheDatabase:
    @pytest.fixture
    def exhausted(self, db: None) -> Iterator[ConnectionPool]:
        """Take every connection of the pool."""
        pool: ConnectionPool = connection.pool  # type: ignore[attr-defined]
        pool.open()
        taken = []
        for _ in range(pool.max_size):
            stats = pool.get_stats()
            if stats["pool_size"] == pool.max_size and not stats["pool_available"]:
                break
            taken.append(pool.getconn())
        yield pool
        for each in taken:
            pool.putconn(each)

    def test_processes_tell_of_themselves(
        self, exhausted: ConnectionPool, nobody: Caller
    ) -> None:
        assert exhausted.timeout > CONNECTION_SECONDS_MAX
        scraped(nobody)  # a request that the next answer counts
        found = scraped(nobody)
        assert found[key("smallville_database_up")] == 0
        assert any(name == REQUESTS for name, _ in found)
        of_database = {each.name for each in DEFINITIONS if each.source is Source.DATABASE} - {
            "smallville_database_up"
        }
        assert not of_database & {name for name, _ in found}
