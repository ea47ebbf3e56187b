"""Who may read the metrics without an account."""

import pytest
from pytest_django import Settings

from apps.metrics.exposition import is_admitted

ELSEWHERE = "203.0.113.7"
TOKEN = "a token for the scraper, of some length"


class TestAdmission:
    @pytest.mark.parametrize("address", ["127.0.0.1", "127.8.9.1", "::1"])
    def test_is_given_to_this_machine(self, address: str) -> None:
        assert is_admitted({"REMOTE_ADDR": address})

    @pytest.mark.parametrize(
        "environ",
        [
            {},
            {"REMOTE_ADDR": ""},
            {"REMOTE_ADDR": "somewhere"},
            {"REMOTE_ADDR": ELSEWHERE},
            {"REMOTE_ADDR": "127.0.0.1", "HTTP_X_FORWARDED_FOR": ELSEWHERE},
            {"REMOTE_ADDR": "127.0.0.1", "HTTP_FORWARDED": f"for={ELSEWHERE}"},
            {"REMOTE_ADDR": "127.0.0.1", "HTTP_VIA": "1.1 proxy"},
        ],
    )
    def test_is_not_given_to_others_or_a_proxy(self, environ: dict[str, str]) -> None:
        assert not is_admitted(environ)

    @pytest.mark.parametrize(
        ("header", "admitted"),
        [
            (f"Bearer {TOKEN}", True),
            (f"bearer  {TOKEN} ", True),
            ("Bearer another", False),
            ("Bearer", False),
            ("Bearer ", False),
            (f"Basic {TOKEN}", False),
            (TOKEN, False),
            ("Bearer \u00e9", False),
        ],
    )
    def test_is_given_to_the_scrapers_token(
        self, settings: Settings, header: str, admitted: bool
    ) -> None:
        settings.METRICS_TOKEN = TOKEN
        environ = {"REMOTE_ADDR": ELSEWHERE, "HTTP_AUTHORIZATION": header}
        assert is_admitted(environ) is admitted

    @pytest.mark.parametrize("header", ["Bearer", "Bearer ", "bearer"])
    def test_is_not_given_to_an_empty_token(self, settings: Settings, header: str) -> None:
        settings.METRICS_TOKEN = ""
        assert not is_admitted({"REMOTE_ADDR": ELSEWHERE, "HTTP_AUTHORIZATION": header})
