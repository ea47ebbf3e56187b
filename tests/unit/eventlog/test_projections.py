"""Every table that events are projected into is dropped and written again by a rebuild."""

import pytest
from django.apps import apps

from apps.wiring import PROJECTIONS

LABELS = sorted(
    {model._meta.app_label for projection in PROJECTIONS for model in projection.models}
)


@pytest.mark.parametrize("label", LABELS)
def test_names_every_table_of_its_app(label: str) -> None:
    projected = {model for projection in PROJECTIONS for model in projection.models}
    tables = set(apps.get_app_config(label).get_models())
    assert {model for model in projected if model._meta.app_label == label} == tables
