"""Events of old types are read as those that replaced them."""

from dataclasses import dataclass
from typing import Any, ClassVar

import pytest

from apps.eventlog.codec import Data, EventRegistry, UnreadableEvent, Upcaster
from apps.eventlog.event import Event


@dataclass(frozen=True, slots=True, kw_only=True)
class BellRungFor(Event):
    """A bell was rung for somebody, after some minutes."""

    type: ClassVar[str] = "test.bell-rung.v3"
    guest: str
    minutes: int


def named_guest(data: Data) -> dict[str, Any]:
    """Return the second version, whose guest has a name of one field."""
    return {"guest": f"{data['first']} {data['last']}", "seconds": data["seconds"]}


def in_minutes(data: Data) -> dict[str, Any]:
    """Return the third version, in minutes."""
    return {"guest": data["guest"], "minutes": data["seconds"] // 60}


FIRST = Upcaster(old="test.bell-rung.v1", new="test.bell-rung.v2", convert=named_guest)
SECOND = Upcaster(old="test.bell-rung.v2", new="test.bell-rung.v3", convert=in_minutes)
REGISTRY = EventRegistry([BellRungFor], [SECOND, FIRST])
RUNG = BellRungFor(guest="Klaus Mueller", minutes=3)


class TestDecoding:
    @pytest.mark.parametrize(
        ("name", "data"),
        [
            ("test.bell-rung.v1", {"first": "Klaus", "last": "Mueller", "seconds": 180}),
            ("test.bell-rung.v2", {"guest": "Klaus Mueller", "seconds": 180}),
            ("test.bell-rung.v3", {"guest": "Klaus Mueller", "minutes": 3}),
        ],
    )
    def test_reads_each_version(self, name: str, data: dict[str, Any]) -> None:
        before = dict(data)
        assert REGISTRY.decode(name, data) == RUNG
        assert data == before

    def test_names_the_old_type_of_data_that_do_not_fit(self) -> None:
        with pytest.raises(UnreadableEvent, match=r"test\.bell-rung\.v1"):
            REGISTRY.decode("test.bell-rung.v1", {"guest": "Klaus"})

    def test_writes_the_current_type_only(self) -> None:
        assert REGISTRY.encode(RUNG) == {"guest": "Klaus Mueller", "minutes": 3}
        assert REGISTRY.type_names == tuple(f"test.bell-rung.v{one}" for one in (1, 2, 3))


class TestChains:
    @pytest.mark.parametrize(
        ("upcasters", "problem"),
        [
            ([FIRST], "no known type replaces test.bell-rung.v1"),
            ([SECOND, SECOND], "is known already"),
            ([SECOND, Upcaster(old="a.b.v1", new="a.b.v1", convert=dict)], "no known type"),
            (
                [Upcaster(old="test.bell-rung.v3", new="test.bell-rung.v3", convert=dict)],
                "is known already",
            ),
        ],
        ids=["ends nowhere", "twice", "a circle", "a current type"],
    )
    def test_are_refused(self, upcasters: list[Upcaster], problem: str) -> None:
        with pytest.raises(AssertionError, match=problem):
            EventRegistry([BellRungFor], upcasters)
