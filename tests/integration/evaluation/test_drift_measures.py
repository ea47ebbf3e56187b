"""The measures of drift that an experiment can choose, on a day that an agent has lived."""

import pytest

from apps import wiring
from apps.evaluation.quality.counts import run_quality
from apps.experiments.argued_measures import selected_measures
from apps.experiments.design import read_design
from apps.experiments.run_steps import MeasuredRun, measure
from tests.support.towns import found, live

pytestmark = pytest.mark.django_db(transaction=True)


def test_are_those_of_the_quality_of_the_run() -> None:
    names = selected_measures(["drift"])
    design = read_design(
        {
            "name": "drift",
            "seeds": [7],
            "moments": ["2023-02-13T07:00", "2023-02-14T03:30"],
            "measures": ["drift"],
        }
    )
    ports = wiring.ports()
    row = live(found(agents=("Klaus Mueller",)), "2023-02-14T03:30")
    morning, night = (
        measure(MeasuredRun(ports, row.pk, tick), design)
        for tick in (2_520, row.committed_tick)
    )
    assert morning == dict.fromkeys(names), "no day is over"

    quality = run_quality(row.pk, ports.worlds, as_of_tick=row.committed_tick, has_days=True)
    assert quality.drift is not None
    [klaus] = quality.drift
    [day] = klaus.days
    assert night == {name: getattr(day, name.partition(".")[2]) for name in names}
    # He is what his description says, and his first day differs by nothing from itself.
    assert night["drift.facts_kept"] == 1
    assert night["drift.action_divergence"] == 0
