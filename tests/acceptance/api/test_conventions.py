"""The conventions of the interface: names of moments, and addresses of what was accepted."""

from collections.abc import Iterator
from typing import Any

from apps.api.operations.documentation import schema_document
from tests.acceptance.api.calling import Caller

ISABELLA = "/agents/isabella-rodriguez"


def documents(value: Any) -> Iterator[dict[str, Any]]:
    """Yield every object in a document."""
    if isinstance(value, dict):
        yield value
    below = value.values() if isinstance(value, dict) else value
    for each in below if isinstance(value, dict | list) else ():
        yield from documents(each)


class TestMoments:
    def test_has_ticks_beside_game_times(self) -> None:
        for name, schema in schema_document()["components"]["schemas"].items():
            members = schema.get("properties", {})
            for member, described in members.items():
                is_game_time = "T" in described.get("pattern", "")
                if is_game_time:
                    assert member == "time" or member.endswith("_at"), (name, member)
                    tick = "tick" if member == "time" else member.replace("_at", "_tick")
                    assert tick in members or name == "WorldSummary", (name, member)
                if described.get("format") == "date-time":
                    assert member.endswith(("recorded_at", "_since")), (name, member)

    def test_name_moments_as_game_time_and_as_tick(self, town: str, isabella: Caller) -> None:
        for path in ("/state", f"{ISABELLA}/timeline", f"{ISABELLA}/plan", "/relationships"):
            compared = 0
            for document in documents(isabella.get(f"{town}{path}").json()):
                for name in [each for each in document if each.endswith("_tick")]:
                    time = document[name.replace("_tick", "_at")]
                    compared += 1
                    assert (time is None) == (document[name] is None)
                    if time is not None:
                        seconds = document[name] * 10
                        hours, rest = divmod(seconds, 3_600)
                        shown = f"T{hours % 24:02d}:{rest // 60:02d}:{rest % 60:02d}"
                        assert time.endswith(shown), (path, name)
            assert compared, path


class TestAccepted:
    def test_says_where_to_look(self, town: str, isabella: Caller) -> None:
        told = isabella.post(f"{town}{ISABELLA}/inner-voice", {"text": "You like tea"})
        assert told["Location"] == told.json()["status_url"]
        assert (
            isabella.client.get(told["Location"], headers=isabella.headers).json()["command"]
            == told.json()["command"]
        )
        address = f"http://testserver/api/v1{town}"
        for what in ("run", "pause"):
            response = isabella.post(f"{town}/{what}", {})
            assert (response.status_code, response["Location"]) == (202, address)
