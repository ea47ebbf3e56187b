"""The definitions follow the conventions of Prometheus, and are what is recorded."""

import re

import pytest
from prometheus_client import REGISTRY

from apps.metrics import instruments
from apps.metrics.definitions import DEFINITIONS, Definition, MetricKind, Source

UNITS = ("_seconds", "_bytes")
UNBOUNDED = {"agent", "simulation", "user", "path", "token"}


def named(definition: Definition) -> str:
    return definition.name


class TestDefinition:
    @pytest.mark.parametrize("definition", DEFINITIONS, ids=named)
    def test_follows_the_conventions(self, definition: Definition) -> None:
        assert re.fullmatch(r"smallville_[a-z_]+", definition.name)
        assert definition.name.endswith("_total") is (definition.kind is MetricKind.COUNTER)
        assert bool(definition.buckets) is (definition.kind is MetricKind.HISTOGRAM)
        if definition.kind is MetricKind.HISTOGRAM:
            assert definition.name.endswith(UNITS)
            assert list(definition.buckets) == sorted(set(definition.buckets))
        assert not set(definition.labels) & UNBOUNDED

    def test_has_a_name_of_its_own(self) -> None:
        assert len({each.name for each in DEFINITIONS}) == len(DEFINITIONS)

    def test_of_a_process_is_recorded_and_no_other(self) -> None:
        assert instruments
        recorded = {
            metric.name + ("_total" if metric.type == "counter" else "")
            for metric in REGISTRY.collect()
            if metric.name.startswith("smallville_")
        }
        assert recorded == {each.name for each in DEFINITIONS if each.source is Source.PROCESS}
