"""What the errors of model servers say, and how long they ask to wait."""

import email.utils
import json
import time
from typing import Any

import pytest

from apps.llm.servers.configuration import Server
from apps.llm.servers.errors import ServerError

KEY = "correct horse battery"
SERVER = Server(name="test", base_url="http://127.0.0.1:1/v1", api_key=KEY, chat_model="m")


def read(status: int, body: Any, headers: dict[str, str] | None = None) -> ServerError:
    text = body if isinstance(body, str) else json.dumps(body)
    return ServerError(status, headers or {}, text, SERVER)


class TestWaits:
    @pytest.mark.parametrize(
        ("headers", "message", "seconds"),
        [
            ({"retry-after-ms": "250"}, "", 0.25),
            ({"retry-after": "20"}, "", 20.0),
            ({"retry-after": "0"}, "try again in 5s", 0.0),
            ({}, "Please try again in 20s.", 20.0),
            ({}, "Please try again in 349ms.", 0.349),
            ({}, "Please try again in 7m12s.", 432.0),
            ({}, "Please try again in 1h2m3s.", 3_723.0),
            ({}, "Please retry after 6 seconds.", 6.0),
            ({}, "Please retry in 34.074824224s.", 34.074824224),
            ({}, 'details: {"retryDelay": "34s"}', 34.0),
            ({}, "wait 2 minutes", 120.0),
            ({"x-ratelimit-reset-requests": "8.64s"}, "", 8.64),
            (
                {"x-ratelimit-reset-requests": "8s", "x-ratelimit-remaining-requests": "3",
                 "x-ratelimit-reset-tokens": "6m0s", "x-ratelimit-remaining-tokens": "0"},
                "",
                360.0,
            ),
            ({}, "Try again later.", None),
            ({"retry-after": "soon"}, "", None),
            ({}, "4 retries were made", None),
        ],
    )  # fmt: skip
    def test_are_read_wherever_they_are(
        self, headers: dict[str, str], message: str, seconds: float | None
    ) -> None:
        error = read(429, {"error": {"message": message}}, headers)
        assert error.wait_seconds == (None if seconds is None else pytest.approx(seconds))

    def test_are_read_from_dates_and_moments(self) -> None:
        date = email.utils.formatdate(time.time() + 100, usegmt=True)
        milliseconds = str(int((time.time() + 100) * 1_000))
        for headers in ({"retry-after": date}, {"x-ratelimit-reset": milliseconds}):
            seconds = read(429, "", headers).wait_seconds
            assert seconds is not None
            assert 90 <= seconds <= 100


class TestKinds:
    @pytest.mark.parametrize(
        ("status", "body", "is_busy", "is_transient"),
        [
            (429, {"error": {"message": "slow down"}}, True, True),
            (529, {"error": {"type": "overloaded_error"}}, True, True),
            (503, {"error": {"message": "Loading model"}}, True, True),
            (503, "no healthy upstream", False, True),
            (500, "oh dear", False, True),
            (200, {"error": {"code": 429}}, True, True),
            (200, {"error": {"message": "upstream failed"}}, False, True),
            (429, {"error": {"code": "insufficient_quota"}}, False, False),
            (429, {"error": {"message": "limit: free-models-per-day"}}, False, False),
            (
                429,
                {"error": {"message": "check your plan and billing. Retry in 5s"}},
                True,
                True,
            ),
            (501, "not implemented", False, False),
            (500, {"error": {"message": "json_schema is not supported"}}, False, False),
            (400, {"error": {"message": "bad"}}, False, False),
        ],
    )
    def test_say_whether_to_wait_and_to_try_again(
        self, status: int, body: Any, *, is_busy: bool, is_transient: bool
    ) -> None:
        error = read(status, body)
        assert (error.is_busy, error.is_transient) == (is_busy, is_transient)

    @pytest.mark.parametrize(
        ("message", "length", "of_prompt"),
        [
            ("maximum context length is 4096 tokens (2146 in the messages", 4_096, 2_146),
            ("context length is 3000 tokens, your request has 1100 input tokens", 3_000, 1_100),
            ("`inputs` tokens + `max_new_tokens` must be <= 4096. Given: 3000 `inputs` tokens",
             4_096, 3_000),
            ("prompt is too long: 210000 tokens > 200000 maximum", 200_000, 210_000),
            ("Prompt contains 40000 tokens, too large for 32768 maximum context length",
             32_768, 40_000),
            ("input token count (40000) exceeds the maximum number of tokens allowed (32768)",
             32_768, 40_000),
            ("Requested tokens (2285) exceed context window of 2048", 2_048, 2_285),
            ("context length is 4,096 tokens, 5,000 of text input", 4_096, 5_000),
            ("the request exceeds the available context size", None, None),
        ],
    )  # fmt: skip
    def test_say_how_long_prompt_and_answer_may_be(
        self, message: str, length: int | None, of_prompt: int | None
    ) -> None:
        error = read(400, {"error": {"message": message}})
        assert error.is_about_length
        assert error.lengths() == (length, of_prompt)

    def test_take_a_limit_of_answers_that_is_too_high_for_a_length(self) -> None:
        told = "max_tokens is too large: 2048. This model supports at most 1024"
        assert read(400, {"error": {"message": told}}).is_about_length
        unknown = "'max_tokens' is not supported; use 'max_completion_tokens' instead"
        assert not read(400, {"error": {"message": unknown}}).is_about_length


class TestWords:
    @pytest.mark.parametrize(
        ("body", "told"),
        [
            ({"error": {"message": "no"}}, "400: no"),
            ({"error": "no"}, "400: no"),
            ({"message": "no"}, "400: no"),
            ({"detail": "no"}, "400: no"),
            ([{"error": {"message": "no"}}], "400: no"),
            ({"detail": [{"msg": "no"}]}, '400: [{"msg": "no"}]'),
            ({"detail": [{"msg": "no", "loc": None}]}, '400: [{"msg": "no", "loc": null}]'),
            ("<html><body>Bad <b>Gateway</b></body></html>", "400: Bad Gateway"),
            ("", "400: no words"),
        ],
    )
    def test_are_found_in_any_shape(self, body: Any, told: str) -> None:
        assert read(400, body).told == told

    def test_have_what_stands_beside_the_message(self) -> None:
        error = read(400, {"error": {"message": "failed", "metadata": {"raw": "too hot"}}})
        assert (
            error.told == '400: failed {"raw": "too hot"}'.replace("{", '{"metadata": {') + "}"
        )

    def test_have_no_key(self) -> None:
        assert KEY not in read(401, {"error": {"message": f"wrong key {KEY}"}}).told
