"""A command loads the code that it needs, so that it begins soon."""

import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.unit
LOADED = "import sys, manage; manage.load({!r}); print(*sys.modules)"


@pytest.mark.parametrize(
    ("command", "unneeded"),
    [
        ("create_user", {"apps.wiring", "apps.api.urls", "numpy", "networkx", "openai"}),
        ("simulate", {"apps.api.urls", "apps.inspection.site", "openai"}),
    ],
)
def test_command_does_not_load_what_it_does_not_need(command: str, unneeded: set[str]) -> None:
    loaded = subprocess.run(
        [sys.executable, "-c", LOADED.format(command)],
        check=True,
        cwd=Path(__file__).parents[3],
        env={"DJANGO_SETTINGS_MODULE": "smallville_api.settings"},
        capture_output=True,
        text=True,
    )
    assert not unneeded & {*loaded.stdout.split()}
