"""The bodies that may be as long as an archive are those of the views that take one."""

import pytest

from apps.api.http.asgi import IMPORTS
from apps.api.http.parsers import ArchiveParser
from apps.api.urls import views

pytestmark = pytest.mark.unit


def test_paths_of_long_bodies_are_those_of_the_views_of_archives() -> None:
    taking = {view.route() for view in views() if ArchiveParser in view.parser_classes}
    assert taking == set(IMPORTS)
