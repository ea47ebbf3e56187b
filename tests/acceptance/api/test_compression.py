"""Compression: what is compressed, what is not, and that versions work all the same."""

import gzip
import zlib
from typing import Any

import pytest
from django.test import Client

from tests.acceptance.api.calling import Caller

ACCEPTS = {"Accept-Encoding": "gzip, deflate, br"}
BUNDLE = "/static/drf_spectacular_sidecar/swagger-ui-dist/swagger-ui-bundle.js"


@pytest.fixture
def zipped(isabella: Caller) -> Caller:
    """Return Isabella with a client that accepts gzip."""
    isabella.client = Client(headers=ACCEPTS)
    return isabella


def is_compressed(response: Any) -> bool:
    return bool(response.get("Content-Encoding") == "gzip")


class TestBodies:
    @pytest.mark.parametrize("path", ["/state", "/world/map", "/world"])
    def test_of_json_are_compressed(self, town: str, isabella: Caller, path: str) -> None:
        plain = isabella.get(f"{town}{path}")
        isabella.client = Client(headers=ACCEPTS)
        response = isabella.get(f"{town}{path}")
        assert is_compressed(response)
        assert "Accept-Encoding" in response["Vary"]
        assert len(response.content) == int(response["Content-Length"])
        assert len(response.content) < len(plain.content) / 2
        assert gzip.decompress(response.content) == plain.content
        assert not is_compressed(plain)
        assert "Accept-Encoding" in plain["Vary"]

    def test_of_a_few_bytes_are_not(self, zipped: Caller) -> None:
        response = zipped.get("/health")
        assert not is_compressed(response)

    @pytest.mark.parametrize(
        ("accepted", "compressed"),
        [
            ("gzip", True),
            ("br, gzip;q=0.5", True),
            ("GZIP ; Q=1", True),
            ("gzip;q=0", False),
            ("gzip; q=0.000", False),
            ("identity", False),
            ("notgzip", False),
            ("", False),
        ],
    )
    def test_are_compressed_for_those_who_accept_it(
        self, db: None, accepted: str, compressed: bool
    ) -> None:
        response = Client().get("/api/v1/schema", headers={"Accept-Encoding": accepted})
        assert is_compressed(response) is compressed

    def test_have_no_length_that_tells_of_their_content(self, db: None) -> None:
        client = Client(headers=ACCEPTS)
        lengths = {len(client.get("/api/v1/schema").content) for _ in range(10)}
        assert len(lengths) > 1

    def test_of_the_admin_are_not(self, db: None) -> None:
        response = Client(headers=ACCEPTS).get("/admin/login/")
        assert len(response.content) > 1_000
        assert not is_compressed(response)

    def test_of_images_are_not(self, town: str, zipped: Caller) -> None:
        response = zipped.get(f"{town}/world/assets/tileset.png")
        assert response.status_code == 200
        assert not is_compressed(response)


class TestVersions:
    def test_name_bytes_that_are_as_they_are(self, town: str, zipped: Caller) -> None:
        response = zipped.get(town)
        etag = response["ETag"]
        assert etag.startswith('"')
        assert not is_compressed(response)
        again = zipped.client.get(
            f"/api/v1{town}", headers={**zipped.headers, "If-None-Match": etag}
        )
        assert again.status_code == 304
        assert not is_compressed(again)

    def test_let_a_change_pass_and_refuse_the_next(self, town: str, zipped: Caller) -> None:
        etag = zipped.get(town)["ETag"]
        statuses = [
            zipped.client.patch(
                f"/api/v1{town}",
                {"budget": {"tokens": 1_000}},
                content_type="application/json",
                headers={**zipped.headers, "If-Match": etag},
            ).status_code
            for _ in range(2)
        ]
        assert statuses == [200, 412]


class TestStreams:
    @pytest.mark.parametrize("form", ["jsonl", "csv"])
    def test_of_lines_are_compressed_part_by_part(
        self, town: str, isabella: Caller, form: str
    ) -> None:
        plain = list(isabella.get(f"{town}/events", format=form).streaming_content)
        isabella.client = Client(headers=ACCEPTS)
        response = isabella.get(f"{town}/events", format=form)
        assert is_compressed(response)
        parts = list(response.streaming_content)
        inflated = zlib.decompressobj(wbits=zlib.MAX_WBITS | 16)
        # Each part can be read as it comes: nothing of it waits for the next.
        assert [inflated.decompress(part) for part in parts[: len(plain)]] == plain
        assert len(plain) > 1
        assert sum(map(len, parts)) < sum(map(len, plain)) / 3

    def test_of_events_are_not(self, town: str, zipped: Caller) -> None:
        response = zipped.get(f"{town}/stream", after="beginning", until="committed")
        assert response["Content-Type"].startswith("text/event-stream")
        assert not is_compressed(response)
        assert b"".join(response.streaming_content).startswith(b"event: status")


class TestStaticFiles:
    def test_are_compressed_and_can_be_revalidated(self, db: None) -> None:
        client = Client(headers=ACCEPTS)
        response: Any = client.get(BUNDLE)
        size = len(response.getvalue())
        assert is_compressed(response)
        assert size < 600_000
        assert not response.has_header("ETag")
        since = {"If-Modified-Since": response["Last-Modified"]}
        again = client.get(BUNDLE, headers=since)
        assert again.status_code == 304

    def test_are_sent_in_ranges_as_they_are(self, db: None) -> None:
        response: Any = Client(headers=ACCEPTS).get(BUNDLE, headers={"Range": "bytes=0-99"})
        assert response.status_code == 206
        assert len(response.getvalue()) == 100
        assert not is_compressed(response)
