"""The guides that read a simulation of two days run as pasted, as they are shown."""

from pathlib import Path

import pytest

from tests.faults.console.test_serve import Served
from tests.guides.pages import OF_THE_PARTY, check_page, run


@pytest.fixture(scope="module")
def paused(served: Served) -> Served:
    """Pause the simulation of `make run`: the pages run their own, which are to be alone."""
    pause = "source docs/how_to/env.sh\npost $SIMULATION/pause '{}' | pick status"
    run([pause], served)
    return served


@pytest.mark.parametrize("page", OF_THE_PARTY, ids=lambda page: page.stem)
def test_runs_as_pasted(page: Path, paused: Served, *, is_recording: bool) -> None:
    check_page(page, paused, is_recording=is_recording)
