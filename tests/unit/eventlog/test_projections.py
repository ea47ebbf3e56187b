"""Every table that events are projected into is dropped and written again by a rebuild."""

import pytest
from django.apps import apps

from apps.wiring import PROJECTIONS

PROJECTED = {model for projection in PROJECTIONS for model in projection.models}


@pytest.mark.parametrize("label", sorted({model._meta.app_label for model in PROJECTED}))
def test_names_every_table_of_its_app(label: str) -> None:
    tables = set(apps.get_app_config(label).get_models())
    assert {model for model in PROJECTED if model._meta.app_label == label} == tables
