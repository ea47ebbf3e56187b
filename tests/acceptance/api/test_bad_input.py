"""Whatever is sent: a problem document with a code, never a mistake of the service's."""

import json
from typing import Any

import pytest

from tests.acceptance.api.calling import Caller, problem

NO_SUCH_ID = "00000000-0000-4000-8000-000000000000"
FOUNDING = {"name": "a town", "seed": 7}


class TestBody:
    @pytest.mark.parametrize(
        ("body", "status", "code"),
        [
            (b"{", 400, "malformed-body"),
            (b"", 422, "invalid-request"),
            (b"null", 422, "invalid-request"),
            (b"[]", 422, "invalid-request"),
            (b'"a town"', 422, "invalid-request"),
            (b"{'name': 1}", 400, "malformed-body"),
            (b'{"name": "\xff\xfe"}', 400, "malformed-body"),
            (b'\xef\xbb\xbf{"name": "a"}', 400, "malformed-body"),
            (b'{"seed": NaN}', 400, "malformed-body"),
            (b'{"seed": Infinity}', 400, "malformed-body"),
            (b'{"seed": 1' + b"0" * 5_000 + b"}", 400, "malformed-body"),
            (b'{"a":' * 5_000 + b"1" + b"}" * 5_000, 422, "invalid-request"),
            (b"[" * 100_000, 422, "invalid-request"),
            (b"[" * 20 + b"]" * 20, 422, "invalid-request"),
            (b'{"name": "a\\u0000b", "seed": 1}', 422, "invalid-request"),
            (b'{"name": "a\\ud800b", "seed": 1}', 422, "invalid-request"),
            (b'{"na\\u0000me": 1}', 422, "invalid-request"),
            (b'{"settings": {"\\udfff": 1}}', 422, "invalid-request"),
        ],
        ids=lambda value: repr(value)[:40],
    )
    def test_that_cannot_be_read_is_a_problem(
        self, isabella: Caller, body: bytes, status: int, code: str
    ) -> None:
        problem(isabella.send("/simulations", body), status, code)

    @pytest.mark.parametrize(
        "kind",
        ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "a", "\t/"],
    )
    def test_of_another_type_is_a_problem(self, isabella: Caller, kind: str) -> None:
        response = isabella.send("/simulations", b"name=a&seed=1", kind)
        problem(response, 415, "unsupported-media-type")

    def test_of_ten_megabytes_is_a_problem(self, isabella: Caller) -> None:
        body = json.dumps({"name": "a" * 10_000_000, "seed": 1}).encode()
        told = problem(isabella.send("/simulations", body), 413, "body-too-large")
        assert "1,000,000" in told["detail"]

    def test_that_is_as_long_as_allowed_is_read(self, isabella: Caller, settings: Any) -> None:
        body = json.dumps(FOUNDING).encode()
        settings.DATA_UPLOAD_MAX_MEMORY_SIZE = len(body)
        assert isabella.send("/simulations", body).status_code == 201
        settings.DATA_UPLOAD_MAX_MEMORY_SIZE = len(body) - 1
        problem(isabella.send("/simulations", body), 413, "body-too-large")

    def test_without_a_length_is_a_problem(self, isabella: Caller) -> None:
        response = isabella.client.generic(
            "POST",
            "/api/v1/simulations",
            headers=isabella.headers | {"Transfer-Encoding": "chunked"},
        )
        problem(response, 411, "length-required")


class TestFounding:
    @pytest.mark.parametrize(
        ("changed", "pointer", "code"),
        [
            ({"name": None}, "/name", "null"),
            ({"name": ""}, "/name", "blank"),
            ({"name": "  "}, "/name", "blank"),
            ({"name": "a" * 121}, "/name", "max-length"),
            ({"name": 7}, "/name", "invalid"),
            ({"name": ["a"]}, "/name", "invalid"),
            ({"name": {"a": 1}}, "/name", "invalid"),
            ({"name": True}, "/name", "invalid"),
            ({"seed": -1}, "/seed", "min-value"),
            ({"seed": 2**63}, "/seed", "max-value"),
            ({"seed": 10**4_000}, "/seed", "max-value"),
            ({"seed": 1.5}, "/seed", "invalid"),
            ({"seed": 7.0}, "/seed", "invalid"),
            ({"seed": "7"}, "/seed", "invalid"),
            ({"seed": True}, "/seed", "invalid"),
            ({"world": 1}, "/world", "invalid"),
            ({"model": 1}, "/model", "invalid"),
            ({"model": "a" * 1_000}, "/model", "max-length"),
            ({"settings": []}, "/settings", "invalid"),
            ({"settings": "fast"}, "/settings", "invalid"),
            ({"agents": 0}, "/agents", "invalid"),
            ({"agents": ["a" * 200]}, "/agents", "invalid"),
            ({"agents": True}, "/agents", "invalid"),
            ({"agents": []}, "/agents", "invalid"),
            ({"agents": [1]}, "/agents", "invalid"),
            ({"agents": "Klaus Mueller"}, "/agents", "invalid"),
            ({"peopel": 3}, "/peopel", "unknown-field"),
            ({"a/b~c": 3}, "/a~1b~0c", "unknown-field"),
        ],
        ids=repr,
    )
    def test_with_a_wrong_value_says_which(
        self, isabella: Caller, changed: dict[str, Any], pointer: str, code: str
    ) -> None:
        response = isabella.post("/simulations", FOUNDING | changed)
        [error] = problem(response, 422, "invalid-request")["errors"]
        assert (error["pointer"], error["code"]) == (pointer, code)

    @pytest.mark.parametrize(
        ("changed", "code"),
        [
            ({"world": "atlantis"}, "unknown-world"),
            ({"world": "../worlds/smallville"}, "unknown-world"),
            ({"world": "a" * 120}, "unknown-world"),
            ({"model": "gpt-9"}, "unknown-model"),
            ({"model": {"server": "offline", "key": "secret"}}, "invalid-request"),
            ({"model": {"temperature": 99}}, "invalid-request"),
            ({"model": {"embedding_dimensions": 10**30}}, "invalid-request"),
            ({"model": {"server": {"a": 1}}}, "invalid-request"),
            ({"settings": {"speed": 1}}, "unusable-settings"),
            ({"settings": {"vision": "far"}}, "unusable-settings"),
            ({"settings": {"vision": True}}, "unusable-settings"),
            ({"settings": {"vision": None}}, "unusable-settings"),
            ({"settings": {"preset": "cheap"}}, "unusable-settings"),
            ({"settings": {"reuse_hours": 1}}, "unusable-settings"),
            ({"settings": {"vision": 10**300}}, "unusable-settings"),
            ({"settings": {"recency_decay": 0}}, "unusable-settings"),
            ({"settings": {"tick_seconds": 7}}, "unusable-settings"),
            ({"agents": 999}, "refused"),
            ({"agents": ["Nobody At All"]}, "agent-not-in-world"),
        ],
        ids=repr,
    )
    def test_that_cannot_be_says_how_it_can(
        self, isabella: Caller, changed: dict[str, Any], code: str
    ) -> None:
        problem(isabella.post("/simulations", FOUNDING | changed), 422, code)

    def test_says_everything_that_is_missing(self, isabella: Caller) -> None:
        told = problem(isabella.post("/simulations", {}), 422, "invalid-request")
        assert {error["pointer"] for error in told["errors"]} == {"/name"}
        assert {error["code"] for error in told["errors"]} == {"required"}

    def test_does_not_repeat_a_long_value(self, isabella: Caller) -> None:
        changed = {"settings": {"x" * 100_000: 1}}
        told = problem(
            isabella.post("/simulations", FOUNDING | changed), 422, "unusable-settings"
        )
        assert len(told["detail"]) < 1_100


class TestRun:
    @pytest.mark.parametrize(
        ("body", "pointer"),
        [
            ({"until": "tomorrow"}, "/until"),
            ({"until": "2023-02-13T06:55:00Z"}, "/until"),
            ({"until": "2023-02-13T06:55:00+09:00"}, "/until"),
            ({"until": "2023-02-30T06:55:00"}, "/until"),
            ({"until": "2023-02-12T06:55:00"}, "/until"),
            ({"until": "9999-12-31T23:59:59"}, "/until"),
            ({"until": "0001-01-01"}, "/until"),
            ({"until": -1}, "/until"),
            ({"until": 10**30}, "/until"),
            ({"until": "9" * 1_000}, "/until"),
            ({"until": 1.5}, "/until"),
            ({"until": True}, "/until"),
            ({"until": []}, "/until"),
            ({"ticks": 0}, "/ticks"),
            ({"ticks": -5}, "/ticks"),
            ({"ticks": 2**31}, "/ticks"),
            ({"ticks": "6"}, "/ticks"),
            ({"pace": 0}, "/pace"),
            ({"pace": -60}, "/pace"),
            ({"pace": 10**400}, "/pace"),
            ({"pace": "fast"}, "/pace"),
            ({"pace": True}, "/pace"),
            ({"speed": 60}, "/speed"),
        ],
        ids=repr,
    )
    def test_with_a_wrong_value_says_which(
        self, town: str, isabella: Caller, body: dict[str, Any], pointer: str
    ) -> None:
        response = isabella.post(f"{town}/run", body)
        [error] = problem(response, 422, "invalid-request")["errors"]
        assert error["pointer"] == pointer
        assert len(error["detail"]) < 300

    def test_with_a_time_zone_says_to_leave_it_out(self, town: str, isabella: Caller) -> None:
        response = isabella.post(f"{town}/run", {"until": "2023-02-13T06:55:00+09:00"})
        assert "leave the offset out" in problem(response, 422, "invalid-request")["detail"]

    def test_with_more_digits_than_a_float_has_is_a_problem(
        self, town: str, isabella: Caller
    ) -> None:
        response = isabella.send(f"{town}/run", b'{"pace": 1e999}')
        problem(response, 422, "invalid-request")


class TestAddress:
    @pytest.mark.parametrize(
        ("path", "code"),
        [
            (f"/simulations/{NO_SUCH_ID}", "simulation-unknown"),
            ("/simulations/7", "simulation-unknown"),
            ("/simulations/%00", "simulation-unknown"),
            ("/simulations/%ff%fe", "simulation-unknown"),
            ("/simulations/{" + NO_SUCH_ID + "}", "simulation-unknown"),
            ("/simulations/" + "9" * 3_000, "simulation-unknown"),
            ("/simulations/🏘️", "simulation-unknown"),
            ("/nowhere", "not-found"),
            ("/simulations/", "not-found"),
            (f"/simulations/{NO_SUCH_ID}/nothing", "not-found"),
        ],
    )
    def test_of_nothing_is_a_problem(self, isabella: Caller, path: str, code: str) -> None:
        problem(isabella.get(path), 404, code)

    @pytest.mark.parametrize(
        ("path", "code"),
        [
            ("/agents/nobody-at-all", "agent-unknown"),
            ("/agents/Isabella Rodriguez", "agent-unknown"),
            ("/agents/isabella%00", "agent-unknown"),
            ("/agents/%ff", "agent-unknown"),
            ("/agents/" + "a" * 500, "agent-unknown"),
            ("/agents/a';--/memories", "agent-unknown"),
            ("/agents/isabella-rodriguez/memories/0", "memory-unknown"),
            ("/agents/isabella-rodriguez/memories/-1", "memory-unknown"),
            ("/agents/isabella-rodriguez/memories/99999", "memory-unknown"),
            ("/agents/isabella-rodriguez/memories/" + "9" * 400, "memory-unknown"),
            ("/agents/isabella-rodriguez/memories/1.5", "memory-unknown"),
            ("/agents/isabella-rodriguez/memories/²", "memory-unknown"),
            ("/agents/isabella-rodriguez/memories/%00", "memory-unknown"),
            ("/events/1/simulation/0", "event-unknown"),
            ("/events/x/simulation/0", "event-unknown"),
            ("/events/0/simulation/99999999999999999999", "event-unknown"),
            ("/events/9999999999/simulation/0", "event-unknown"),
            ("/events/0/%00/0", "event-unknown"),
            ("/model-calls/0/simulation/none/0", "model-call-unknown"),
            ("/model-calls/0/%00/none/0", "model-call-unknown"),
            ("/model-calls/99999999999999/a/b/0", "model-call-unknown"),
            ("/world/assets/map.json", "asset-unknown"),
            ("/world/assets/../world.yaml", "asset-unknown"),
            ("/world/assets/%2e%2e/%2e%2e/pyproject.toml", "asset-unknown"),
            ("/world/assets//etc/passwd", "asset-unknown"),
            ("/world/assets/%00", "asset-unknown"),
        ],
    )
    def test_of_nothing_in_a_town_is_a_problem(
        self, town: str, isabella: Caller, path: str, code: str
    ) -> None:
        problem(isabella.get(f"{town}{path}"), 404, code)

    @pytest.mark.parametrize("method", ["PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "BREW"])
    def test_with_another_method_is_a_problem(self, isabella: Caller, method: str) -> None:
        response = isabella.client.generic(
            method, "/api/v1/simulations", headers=isabella.headers
        )
        problem(response, 405, "method-not-allowed")
        assert response["Allow"] == "GET, HEAD, POST"

    def test_of_another_host_is_a_problem(self, isabella: Caller) -> None:
        response = isabella.client.get(
            "/api/v1/simulations", headers=isabella.headers | {"Host": "evil.example"}
        )
        problem(response, 400, "bad-request")

    def test_that_only_a_browser_would_ask_for_is_a_page(self, db: None) -> None:
        response = Caller().client.get("/admin/nothing/")
        assert not response["Content-Type"].startswith("application/problem")


class TestQuery:
    @pytest.mark.parametrize(
        ("path", "query", "parameter"),
        [
            ("", {"at": "2023-02-13"}, "at"),
            ("/agents", {"limit": "0"}, "limit"),
            ("/agents", {"limit": "501"}, "limit"),
            ("/agents", {"limit": "ten"}, "limit"),
            ("/agents", {"limit": "1e3"}, "limit"),
            ("/agents", {"limit": "9" * 5_000}, "limit"),
            ("/agents", {"limit": ""}, "limit"),
            ("/agents", {"cursor": "nonsense"}, "cursor"),
            ("/agents", {"cursor": "bnVsbA"}, "cursor"),
            ("/agents", {"cursor": "WzFd"}, "cursor"),
            ("/agents", {"cursor": "a\x00b"}, "cursor"),
            ("/agents", {"cursor": "Ä"}, "cursor"),
            ("/agents", {"cursor": "a" * 600}, "cursor"),
            ("/agents", {"page": "2"}, "page"),
            ("/events", {"after": "nonsense"}, "after"),
            ("/events", {"after": "1/2"}, "after"),
            ("/events", {"after": "9999999999/a/0"}, "after"),
            ("/events", {"after": "1/a\x00/0"}, "after"),
            ("/events", {"type": "memory"}, "type"),
            ("/events", {"agent": "Isabella Rodriguez"}, "agent"),
            ("/events", {"from": "yesterday"}, "from"),
            ("/events", {"to": "2023-02-13T06:55:00Z"}, "to"),
            ("/events", {"from": "9" * 12}, "from"),
            ("/model-calls", {"limit": "501"}, "limit"),
            ("/model-calls", {"outcome": "odd"}, "outcome"),
            ("/model-calls", {"task": "\x00"}, "task"),
            ("/agents/isabella-rodriguez/memories", {"kind": "dream"}, "kind"),
            ("/agents/isabella-rodriguez/memories", {"kind": ["plan", "dream"]}, "kind"),
            ("/agents/isabella-rodriguez/memories", {"order": "random"}, "order"),
            ("/agents/isabella-rodriguez/memories", {"from": "12:00"}, "from"),
            ("/agents/isabella-rodriguez/plan", {"day": "Monday"}, "day"),
            ("/agents/isabella-rodriguez/plan", {"day": "2023-02-30"}, "day"),
            ("/agents/isabella-rodriguez/timeline", {"to": "٣"}, "to"),
        ],
        ids=repr,
    )
    def test_with_a_wrong_value_says_which(
        self, town: str, isabella: Caller, path: str, query: dict[str, Any], parameter: str
    ) -> None:
        response = isabella.get(f"{town}{path}", **query)
        error = problem(response, 422, "invalid-request")["errors"][0]
        assert error["parameter"] == parameter
        assert "pointer" not in error

    @pytest.mark.parametrize(
        ("path", "query", "like"),
        [
            ("/events", {"agent": "Isabella Rodriguez"}, "isabella-rodriguez"),
            ("/events", {"after": "foo"}, "2490/isabella-rodriguez/3"),
            ("/stream", {"after": "foo"}, "2490/isabella-rodriguez/3, or beginning"),
            ("/stream", {"agent": "Klaus"}, "isabella-rodriguez"),
        ],
    )
    def test_in_a_wrong_form_is_shown_a_right_one(
        self, town: str, isabella: Caller, path: str, query: dict[str, str], like: str
    ) -> None:
        [error] = problem(isabella.get(f"{town}{path}", **query), 422, "invalid-request")[
            "errors"
        ]
        assert error["detail"].endswith(f"such as {like}")

    def test_of_another_lists_cursor_is_a_problem(self, town: str, isabella: Caller) -> None:
        page = isabella.get(f"{town}/agents", limit=1).json()
        cursor = page["next"].partition("cursor=")[2]
        response = isabella.get(f"{town}/model-calls", cursor=cursor)
        problem(response, 422, "invalid-request")


class TestRetrieval:
    @pytest.mark.parametrize(
        ("body", "pointer"),
        [
            ({}, "/query"),
            ({"query": ""}, "/query"),
            ({"query": 1}, "/query"),
            ({"query": "a" * 2_001}, "/query"),
            ({"query": "a", "limit": 0}, "/limit"),
            ({"query": "a", "limit": 501}, "/limit"),
            ({"query": "a", "limit": 2.0}, "/limit"),
            ({"query": "a", "weights": 1}, "/weights"),
            ({"query": "a", "weights": {"recency": -1}}, "/weights/recency"),
            ({"query": "a", "weights": {"recency": "1"}}, "/weights/recency"),
            ({"query": "a", "weights": {"recency": 1e300}}, "/weights/recency"),
            ({"query": "a", "weights": {"novelty": 1}}, "/weights/novelty"),
            ({"query": "a", "at": "later"}, "/at"),
            ({"query": "a", "at": "2024-01-01"}, "/at"),
            ({"query": "a", "at": 2_881}, "/at"),
        ],
        ids=lambda value: repr(value)[:60],
    )
    def test_with_a_wrong_value_says_which(
        self, town: str, isabella: Caller, body: dict[str, Any], pointer: str
    ) -> None:
        response = isabella.post(f"{town}/agents/isabella-rodriguez/retrievals", body)
        [error] = problem(response, 422, "invalid-request")["errors"]
        assert error["pointer"] == pointer

    def test_with_weights_too_small_to_tell_apart_is_a_problem(
        self, town: str, isabella: Caller
    ) -> None:
        body = {"query": "a", "weights": {"recency": 1e-300}}
        response = isabella.post(f"{town}/agents/isabella-rodriguez/retrievals", body)
        problem(response, 422, "unusable-weights")
