"""Summaries keep the values and the published values of each moment of a design together."""

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

import pytest

from apps.experiments.design import read_design
from apps.experiments.progress import ExperimentRequested, RunMeasured, fold
from apps.experiments.results import result_summaries
from apps.kernel.game_time import GameCalendar

pytestmark = pytest.mark.unit

SHARE = "plans.begun_share"
START = datetime(2023, 2, 13)
NEXT_DAY = "2023-02-14T00:00"
TICKS_OF_A_DAY = 8_640


def summaries(ticks: Mapping[str, Sequence[int]], **changes: Any) -> list[tuple[Any, ...]]:
    """Return settings, tick, mean and published value of each summary of measured runs.

    The runs are measured as of `ticks`, by settings; the value as of a tick is the tick. A tick
    of the settings `long` is a minute.
    """
    design = read_design(
        {"name": "small", "seeds": [1], "measures": [SHARE]}
        | {"settings": {name: {} for name in ticks}}
        | changes
    )
    measured = [
        RunMeasured(
            run=f"smallville/{name}/default/none/1", tick=tick, values={SHARE: float(tick)}
        )
        for name, measured_ticks in ticks.items()
        for tick in measured_ticks
    ]
    progress = fold(
        [
            ExperimentRequested(design=json.dumps(design.to_json()), estimate={}, reason=""),
            *measured,
        ]
    )
    calendars = {
        ("smallville", name): GameCalendar(START, 60 if name == "long" else 10)
        for name in ticks
    }
    rows = result_summaries(progress, calendars, with_tests=False)
    return [(row.settings, row.tick, row.mean, row.reference) for row in rows]


class TestReferences:
    @pytest.mark.parametrize(
        ("references", "first"), [([0.9, 0.1], 0.1), (0.9, None)], ids=["list", "number"]
    )
    def test_stay_with_their_moments_whatever_the_order_in_the_file(
        self, references: object, first: float | None
    ) -> None:
        rows = summaries(
            {"short": [0, TICKS_OF_A_DAY]},
            moments=[NEXT_DAY, 0],
            references={SHARE: references},
        )
        assert rows == [
            ("short", 0, 0.0, first),
            ("short", TICKS_OF_A_DAY, float(TICKS_OF_A_DAY), 0.9),
        ]


class TestMoments:
    def test_are_compared_with_themselves_under_another_length_of_a_tick(self) -> None:
        """Tick 2,000 is before the next day if a tick has 10 s, and behind it if a minute."""
        rows = summaries(
            {"short": [2_000, TICKS_OF_A_DAY], "long": [1_440, 2_000]},
            moments=[2_000, NEXT_DAY],
            references={SHARE: [0.2, 0.8]},
        )
        assert rows == [
            ("short", 2_000, 2_000.0, 0.2),
            ("long", 2_000, 2_000.0, 0.2),
            ("short", TICKS_OF_A_DAY, float(TICKS_OF_A_DAY), 0.8),
            ("long", 1_440, 1_440.0, 0.8),
        ]
