"""Opening hours, keepers, capacities and their words (W5)."""

import pytest

from apps.world import norms
from apps.world.shapes import span_of
from apps.world.tree import Node, NodeKind, Norms, WorldTree


def a_town(hours: str) -> WorldTree:
    """Return a town with one bar that keeps these hours."""
    kept = Norms(hours=span_of(hours), keepers=("Bea Moss",), residents=("Cy Dent",))
    return WorldTree(
        [
            Node(path="", name="Town", kind=NodeKind.TOWN, parent=None),
            Node(path="Bar", name="Bar", kind=NodeKind.PLACE, parent="", norms=kept),
            Node(path="Bar: hall", name="hall", kind=NodeKind.AREA, parent="Bar"),
            Node(
                path="Bar: bathroom",
                name="bathroom",
                kind=NodeKind.AREA,
                parent="Bar",
                norms=Norms(holds=1),
            ),
            Node(
                path="Bar: hall: seat",
                name="seat",
                kind=NodeKind.OBJECT,
                parent="Bar: hall",
                norms=Norms(holds=1),
            ),
            Node(path="Mill", name="Mill", kind=NodeKind.PLACE, parent=""),
        ]
    )


def minute(hour: int, past: int = 0) -> int:
    return hour * 60 + past


class TestIsOpen:
    @pytest.mark.parametrize(
        ("at", "is_open"),
        [
            (minute(7, 59), False),
            (minute(8), True),
            (minute(19, 59), True),
            (minute(20), False),
            (minute(0), False),
        ],
    )
    def test_keeps_hours_within_a_day(self, at: int, is_open: bool) -> None:
        assert norms.is_open(a_town("08:00-20:00"), "Bar: hall: seat", at) is is_open

    @pytest.mark.parametrize(
        ("at", "is_open"),
        [
            (minute(16, 59), False),
            (minute(17), True),
            (minute(23, 59), True),
            (minute(0), True),
            (minute(1, 59), True),
            (minute(2), False),
            (minute(12), False),
        ],
    )
    def test_keeps_hours_past_midnight(self, at: int, is_open: bool) -> None:
        assert norms.is_open(a_town("17:00-02:00"), "Bar", at) is is_open

    @pytest.mark.parametrize("at", [0, 1, 720, 1_439])
    def test_is_always_open_without_hours_or_all_day(self, at: int) -> None:
        assert norms.is_open(a_town("08:00-20:00"), "Mill", at)
        assert norms.is_open(a_town("08:00-20:00"), "", at)
        assert norms.is_open(a_town("00:00-24:00"), "Bar", at)


class TestMayEnter:
    def test_tells_why_a_closed_door_does_not_open(self) -> None:
        town = a_town("17:00-22:00")
        refused = norms.may_enter(
            town, person="Al Ford", area="Bar: hall", minute=minute(9, 30)
        )
        assert refused == "Bar is closed; it opens at 5:00 pm"

    @pytest.mark.parametrize("person", ["Bea Moss", "Cy Dent"])
    def test_lets_keepers_and_residents_in_at_any_time(self, person: str) -> None:
        town = a_town("17:00-22:00")
        assert norms.may_enter(town, person=person, area="Bar: hall", minute=0) is None

    def test_lets_everybody_in_while_it_is_open(self) -> None:
        town = a_town("17:00-22:00")
        at = minute(17)
        assert norms.may_enter(town, person="Al Ford", area="Bar: hall", minute=at) is None
        assert norms.may_enter(town, person="Al Ford", area="", minute=0) is None


class TestSpanOf:
    @pytest.mark.parametrize(
        "text", ["8:00-20:00", "08:00", "08:00-25:00", "08:60-09:00", "08:00-08:00", 480, None]
    )
    def test_refuses_what_is_no_span(self, text: object) -> None:
        with pytest.raises(ValueError, match=r"no span of time|no time of day"):
            span_of(text)
