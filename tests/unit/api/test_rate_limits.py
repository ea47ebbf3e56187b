"""Rates as operators write them."""

import pytest

from apps.api.http.authentication import parse_rate


class TestParseRate:
    @pytest.mark.parametrize(
        ("text", "rate"),
        [
            ("200/s", (200, 1)),
            ("1/m", (1, 60)),
            ("30/min", (30, 60)),
            ("7/hour", (7, 3_600)),
            ("1000/d", (1_000, 86_400)),
        ],
    )
    def test_reads(self, text: str, rate: tuple[int, int]) -> None:
        assert parse_rate(text) == rate

    @pytest.mark.parametrize(
        "text", ["", "0/s", "-1/s", "many", "5", "5/", "5/y", "1.5/s", "5 /s"]
    )
    def test_refuses(self, text: str) -> None:
        with pytest.raises(ValueError, match="write 200/s"):
            parse_rate(text)
