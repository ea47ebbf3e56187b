"""The story of a day in a world whose language is not English."""

from dataclasses import replace

import pytest
from django.test import override_settings

from apps import wiring
from apps.world.folders import WorldFolders
from tests.support.towns import found, live
from tests.support.worlds import TESTS
from tools.stories.day_query import read_day

pytestmark = pytest.mark.django_db(transaction=True)


def test_sightings_name_who_was_seen_once() -> None:
    folder = TESTS / "worlds"
    ports = replace(wiring.ports(), worlds=WorldFolders(folder))
    row = found(world="muehlbach", seed=31, agents=None, ports=ports)
    row = live(row, "2024-06-03T07:00", ports=ports)
    with override_settings(WORLDS_ROOT=folder):
        seen = read_day(row.pk, "anna-fink").sightings
    assert ("Benno Marsch", "making the bed") in [(one.who, one.doing) for one in seen]
    assert not [one.doing for one in seen if one.doing.startswith(one.who)]
